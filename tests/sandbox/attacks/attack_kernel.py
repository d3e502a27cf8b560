"""Parts of the kernel that an interpreter has no business with, and foreign ways into it."""

from kit import Attack


def _kernel(name: str, body: str, control: bool = False, jit_may: bool = False) -> Attack:
    return Attack("kernel", name, body, control=control, jit_may=jit_may)


_SHELLCODE = """
        # fork by int 0x80 (i386 call 2): neither the architecture nor the memory may be had
        code = bytes([0xB8, 2, 0, 0, 0, 0xCD, 0x80, 0xC3])
        {memory}
        if where in (-1, None) or where > (1 << 63):
            return {{'got': False}}
        ctypes.memmove(where, code, len(code))
        {protect}
        return {{'got': ctypes.CFUNCTYPE(ctypes.c_int)(where)() >= 0}}"""
_MMAP = "libc.mmap.restype = ctypes.c_void_p; where = libc.mmap(None, 4096, {}, 0x22, -1, 0)"

ATTACKS = [
    _kernel("io_uring", "return got(raw(425, 4, ctypes.create_string_buffer(120)))"),
    _kernel(
        "bpf",
        "return got(raw(321, 0, ctypes.create_string_buffer(b'\\2\\0\\0\\0\\4\\0\\0\\0\\4\\0\\0\\0\\1', 72), 72))",
    ),
    _kernel(
        "perf_event_open",
        """
        attribute = ctypes.create_string_buffer(b'\\1\\0\\0\\0\\x70\\0\\0\\0', 112)
        return got(raw(298, attribute, 0, -1, -1, 0))""",
    ),
    _kernel("userfaultfd", "return got(raw(323, 1))"),
    _kernel("add_key", "return got(raw(248, path('user'), path('x'), path('y'), 1, -3))"),
    _kernel("keyctl", "return got(raw(250, 0, -3, 1))"),
    _kernel("request_key", "return got(raw(249, path('user'), path('x'), 0, -3))"),
    _kernel("unshare a user namespace", "return got(raw(272, 0x10000000))"),
    _kernel("setns", "return got(raw(308, 3, 0))"),
    _kernel(
        "mount", "return got(raw(165, path('none'), path(P['subfolder']), path('tmpfs'), 0, 0))"
    ),
    _kernel("fsopen", "return got(raw(430, path('tmpfs'), 0))"),
    _kernel("open_tree", "return got(raw(428, -100, path('/'), 1))"),
    _kernel("shmget", "return got(raw(29, 0, 4096, 0o1600))", control=True),
    _kernel("semget", "return got(raw(64, 0, 1, 0o1600))", control=True),
    _kernel("msgget", "return got(raw(68, 0, 0o1600))", control=True),
    _kernel("mq_open", "return got(raw(240, path('spw' + P['number']), 0o102, 0o600, 0))"),
    _kernel("memfd_create", "return got(raw(319, path('x'), 0))", control=True),
    _kernel("memfd_secret", "return got(raw(447, 0))"),
    _kernel("eventfd", "return got(raw(290, 0, 0))", control=True),
    _kernel("epoll", "return got(raw(291, 0))", control=True),
    _kernel("inotify", "return got(raw(294, 0))", control=True),
    _kernel("timerfd", "return got(raw(283, 0, 0))", control=True),
    _kernel("pipe", "return got(raw(293, (ctypes.c_int * 2)(), 0))", control=True),
    _kernel("dup", "return got(raw(32, 0))", control=True),
    _kernel("fcntl F_DUPFD", "return got(raw(72, 0, 0, 5))", control=True),
    _kernel("prctl: dumpable again", "return got(raw(157, 4, 1, 0, 0, 0))"),
    _kernel("prctl: no death signal", "return got(raw(157, 1, 0, 0, 0, 0))"),
    _kernel("another seccomp filter", "return got(raw(317, 0, 0, 0))"),
    _kernel("raise a limit", "return got(raw(160, 9, (ctypes.c_uint64 * 2)(1 << 40, 1 << 40)))"),
    _kernel(
        "ignore a signal", "return got(raw(13, 24, (ctypes.c_uint64 * 4)(1), 0, 8))", control=True
    ),
    _kernel(
        "interval timer",
        "return got(raw(38, 0, (ctypes.c_long * 4)(0, 0, 100, 0), 0))",
        control=True,
    ),
    _kernel("setuid root", "return {'got': raw(117, 0, 0, 0) >= 0 and os.geteuid() == 0}"),
    _kernel(
        "capset",
        "return {'got': raw(126, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()) >= 0}",
    ),
    _kernel("personality: readable is executable", "return got(raw(135, 0x0400000))", control=True),
    _kernel("modify_ldt", "return got(raw(154, 0, ctypes.create_string_buffer(64), 64))"),
    _kernel("iopl", "return got(raw(172, 3))"),
    _kernel("hostname", "return got(raw(170, path('x'), 1))"),
    _kernel("set the clock", "return got(raw(227, 0, (ctypes.c_long * 2)(1, 0)))"),
    _kernel("module", "return {'got': raw(175, path('x'), 1, path('')) not in (-1, -38)}"),
    _kernel("kexec", "return {'got': raw(246, 0, 0, 0, 0) not in (-1, -38)}"),
    _kernel("x32", "return got(raw(0x40000000 + 39))"),
    _kernel(
        "int 0x80 from writable and executable memory",
        _SHELLCODE.format(memory=_MMAP.format(7), protect=""),
    ),
    _kernel(
        "int 0x80 from memory made executable",
        _SHELLCODE.format(
            memory=_MMAP.format(3),
            protect="\n        if libc.mprotect(ctypes.c_void_p(where), 4096, 5):\n            return {'got': False}",
        ),
    ),
    _kernel(
        "writable and executable memory",
        _MMAP.format(7) + """
        return {'got': where not in (None, 2 ** 64 - 1)}""",
        control=True,
        jit_may=True,
    ),
    _kernel(
        "pkey_mprotect",
        _MMAP.format(3) + """
        return got(raw(329, where, 4096, 7, -1))""",
        control=True,
    ),
    _kernel(
        "a late library",
        """
        for name in ('libcrypt.so.1', 'libresolv.so.2', 'libanl.so.1', 'libnss_files.so.2'):
            try:
                ctypes.CDLL(name)
                return {'got': name}
            except OSError:
                pass""",
        control=True,
    ),
]
