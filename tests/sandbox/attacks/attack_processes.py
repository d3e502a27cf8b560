"""Signals and settings of other processes; making processes and threads."""

from kit import Attack


def _other(name: str, body: str, control: bool = True) -> Attack:
    return Attack("other processes", name, body, control=control)


def _make(name: str, body: str, control: bool = True) -> Attack:
    return Attack("processes", name, body, control=control)


_CHILD = """
        if pid == 0:
            libc.sleep(20)
            os._exit(0)
        return {'got': pid > 0}"""

ATTACKS = [
    _other("os.kill", "os.kill(P['victim'], 9)"),
    _other("kill(2)", "raw(62, P['victim'], 9)"),
    _other("tkill(2)", "raw(200, P['victim'], 9)"),
    _other("tgkill(2)", "raw(234, P['victim'], P['victim'], 9)"),
    _other(
        "rt_sigqueueinfo(2)",
        """
        info = (ctypes.c_int * 32)(9, 0, -1)
        raw(129, P['victim'], 9, info)""",
    ),
    _other(
        "rt_tgsigqueueinfo(2)",
        """
        info = (ctypes.c_int * 32)(9, 0, -1)
        raw(297, P['victim'], P['victim'], 9, info)""",
    ),
    _other("pidfd_send_signal(2)", "raw(424, raw(434, P['victim'], 0), 9, 0, 0)"),
    _other("killpg", "os.killpg(P['victim'], 9)"),
    _other("stop", "raw(62, P['victim'], 19)"),
    _other("kill the parent", "raw(62, P['parent'], 9)", control=False),
    _other("kill the zygote", "os.kill(os.getppid(), 9)", control=False),
    _other("kill everything", "return got(raw(62, -1, 9))", control=False),
    _other("kill the own group", "return got(raw(62, 0, 9))", control=False),
    _other(
        "signal by F_SETOWN on the channel",
        """
        # O_ASYNC with F_SETSIG lets the kernel send a signal of our choice to whom we name
        results = [raw(72, 3, 8, P['victim']), raw(72, 3, 10, 9), raw(72, 3, 4, 0o20000)]
        return got(*results)""",
        control=False,
    ),
    _other("prlimit64(2)", "raw(302, P['victim'], 7, (ctypes.c_uint64 * 2)(11, 11), 0)"),
    _other("setpriority(2)", "raw(141, 0, P['victim'], 5)"),
    _other("sched_setaffinity(2)", "raw(203, P['victim'], 8, (ctypes.c_uint64 * 1)(1))"),
    _other("sched_setscheduler(2)", "raw(144, P['victim'], 3, (ctypes.c_int * 1)(0))"),
    _other("ioprio_set(2)", "return got(raw(251, 1, P['victim'], (3 << 13)))"),
    _other(
        "process_vm_writev",
        """
        data = ctypes.create_string_buffer(b'overwritten')
        local = (ctypes.c_uint64 * 2)(ctypes.addressof(data), 11)
        remote = (ctypes.c_uint64 * 2)(P['victim_address'], 11)
        return got(raw(311, P['victim'], local, 1, remote, 1, 0))""",
    ),
    _other("migrate_pages(2)", "return got(raw(256, P['victim'], 0, 0, 0))", control=False),
    _other(
        "TIOCSTI",
        "return got(*[raw(16, fd, 0x5412, ctypes.c_char_p(b'x')) for fd in range(4)])",
        control=False,
    ),
    _other(
        "oom_score_adj of the neighbour",
        "open('/proc/%d/oom_score_adj' % P['victim'], 'w').write('999')",
    ),
    _make("os.fork", "pid = os.fork()" + _CHILD),
    _make("fork(2)", "pid = raw(57)" + _CHILD),
    _make("clone(2)", "pid = raw(56, 17, 0, 0, 0, 0)" + _CHILD),
    _make(
        "clone3(2)",
        """
        args = (ctypes.c_uint64 * 11)()
        args[4] = 17
        pid = raw(435, args, 88)""" + _CHILD,
    ),
    _make(
        "daemon",
        """
        pid = os.fork()
        if pid == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            libc.sleep(20)
            os._exit(0)
        return {'got': pid > 0}""",
    ),
    _make("posix_spawn", "os.posix_spawn('/bin/sleep', ['sleep', '20', '0.' + P['number']], {})"),
    _make("system", "libc.system(path('sleep 20 0.' + P['number'] + ' &'))"),
    _make("execve", "os.execv('/bin/sleep', ['sleep', '2', '0.' + P['number']])", control=False),
    _make(
        "execveat(2)",
        """
        arguments = (ctypes.c_char_p * 4)(b'sleep', b'2', ('0.' + P['number']).encode(), None)
        raw(322, -100, path('/bin/sleep'), arguments, 0, 0)""",
        control=False,
    ),
    _make(
        "memfd and exec",
        """
        fd = raw(319, path('x'), 0)
        os.write(fd, b'#!/bin/sh\\nsleep 20 0.' + P['number'].encode())
        os.execv('/proc/self/fd/%d' % fd, ['x'])""",
        control=False,
    ),
    _make(
        "_posixsubprocess",
        """
        import _posixsubprocess
        return {'got': bool(_posixsubprocess.fork_exec)
            and attempt(os.posix_spawnp, 'sleep', ['sleep', '20', '0.' + P['number']], {}) is not None}""",
    ),
    _make(
        "thread",
        """
        import _thread
        _thread.start_new_thread(time.sleep, (20,))
        time.sleep(0.05)
        return {'got': True}""",
    ),
    _make(
        "pthread_create",
        """
        thread = ctypes.c_ulong()
        return {'got': libc.pthread_create(ctypes.byref(thread), None, libc.sleep, ctypes.c_void_p(20)) == 0}""",
    ),
    _make("setsid", "return got(raw(112))", control=False),
    _make("setpgid", "return got(raw(109, 0, 0))", control=False),
    _make("forkpty", "return {'got': os.forkpty()[0] >= 0}", control=False),
]
