"""Secrets of the parent and of a neighbour process that has the worker's own user."""

from kit import Attack


def _secret(name: str, body: str, control: bool = True) -> Attack:
    return Attack("secrets", name, body, control=control)


_READV = """
        data = ctypes.create_string_buffer(64)
        local = (ctypes.c_uint64 * 2)(ctypes.addressof(data), 64)
        remote = (ctypes.c_uint64 * 2)(P[{address!r}], 64)
        raw(310, P[{pid!r}], local, 1, remote, 1, 0)
        return data.raw.decode('latin-1')"""

ATTACKS = [
    _secret("parent's environ", "return open('/proc/%d/environ' % P['parent']).read()"),
    _secret("parent's command line", "return open('/proc/%d/cmdline' % P['parent']).read()"),
    _secret("neighbour's environ", "return open('/proc/%d/environ' % P['victim']).read()"),
    _secret(
        "parent's memory by /proc",
        """
        f = open('/proc/%d/mem' % P['parent'], 'rb', 0)
        f.seek(P['parent_address'])
        return f.read(64).decode('latin-1')""",
    ),
    _secret(
        "neighbour's memory by /proc",
        """
        f = open('/proc/%d/mem' % P['victim'], 'rb', 0)
        f.seek(P['victim_address'])
        return f.read(64).decode('latin-1')""",
    ),
    _secret(
        "parent's memory by process_vm_readv", _READV.format(address="parent_address", pid="parent")
    ),
    _secret(
        "neighbour's memory by process_vm_readv",
        _READV.format(address="victim_address", pid="victim"),
    ),
    _secret("ptrace attach", "return {'got': raw(101, 16, P['victim'], 0, 0) >= 0}"),
    _secret("ptrace seize", "return {'got': raw(101, 0x4206, P['victim'], 0, 0) >= 0}"),
    _secret("ptrace traceme", "return {'got': raw(101, 0, 0, 0, 0) >= 0}"),
    _secret("pidfd_open", "return got(raw(434, P['victim'], 0))"),
    _secret(
        "pidfd_getfd",
        """
        fd = raw(438, raw(434, P['victim'], 0), P['victim_fd'], 0)
        data = ctypes.create_string_buffer(256)
        n = raw(17, fd, data, 256, 0)
        return data.raw[:max(n, 0)].decode()""",
    ),
    _secret(
        "parent's descriptors by /proc",
        "return open('/proc/%d/fd/%d' % (P['parent'], P['parent_fd'])).read()",
    ),
    _secret("own environment", "return [dict(os.environ), sys.argv]", control=True),
    _secret("own environ by /proc", "return open('/proc/self/environ').read()"),
    _secret(
        "environ on the C side",
        """
        table = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, 'environ')
        found = []
        while table and table[len(found)]:
            found.append(table[len(found)].decode('latin-1'))
        return found""",
    ),
    _secret(
        "inherited descriptors",
        """
        found = []
        for fd in range(3, 1024):
            data = ctypes.create_string_buffer(256)
            n = raw(17, fd, data, 256, 0)
            found.append(data.raw[:max(n, 0)].decode('latin-1'))
        return ''.join(found)""",
    ),
    _secret(
        "objects of the zygote",
        """
        import gc
        gc.unfreeze()
        texts = [repr(o.__dict__) for o in list(sys.modules.values()) if hasattr(o, '__dict__')]
        return [repr(o)[:2000] for o in gc.get_objects() if type(o) in (list, dict)][-200:] + texts[-5:]""",
        control=False,
    ),
    _secret("kcmp", "return got(raw(312, P['victim'], P['parent'], 1, 0, 0))", control=False),
    _secret("core by abort", "libc.abort()", control=False),
    _secret("the terminal", "return got(raw(2, path('/dev/tty'), 2, 0))", control=False),
    _secret(
        "kernel log",
        "return got(raw(103, 3, ctypes.create_string_buffer(4096), 4096))",
        control=False,
    ),
    _secret(
        "entropy, so that results differ",
        "return got(raw(318, ctypes.create_string_buffer(8), 8, 0))",
    ),
]
