"""Time, memory, stack, disk, descriptors, threads. The deadline is short: what counts is that it
holds."""

from kit import Attack


def _hog(name: str, body: str, seconds: float = 0.3) -> Attack:
    return Attack("resources", name, body, seconds=seconds)


ATTACKS = [
    _hog("endless loop", "while True: pass"),
    _hog(
        "endless loop that swallows everything",
        """
        while True:
            try:
                while True: pass
            except BaseException: pass""",
    ),
    _hog("one long C call", "return sum(range(10 ** 14))"),
    _hog("huge power", "return 9 ** 9 ** 9"),
    _hog("huge factorial", "import math; return len(bin(math.factorial(10 ** 8)))"),
    _hog("regular expression", "import re; return bool(re.match('(a+)+$', 'a' * 60 + 'b'))"),
    _hog("sleep", "time.sleep(10 ** 6)"),
    _hog("wait on a futex", "raw(202, ctypes.byref(ctypes.c_int(0)), 0, 0, 0, 0, 0)"),
    _hog(
        "exception loop in __str__",
        """
        class Evil(Exception):
            def __str__(self):
                while True: pass
        raise Evil""",
    ),
    _hog(
        "loop while the reply is written",
        """
        class Evil(dict):
            def items(self):
                while True: pass
        return Evil(a=1)""",
    ),
    _hog(
        "loop in a finalizer",
        """
        class Evil:
            def __del__(self):
                while True: pass
        Evil()""",
    ),
    _hog("memory by a list", "x = [0]\nwhile True: x += x", 2.0),
    _hog("memory by a string", "x = 'x'\nwhile True: x += x", 2.0),
    _hog("memory by many objects", "x = []\nwhile True: x.append(bytearray(1 << 16))", 2.0),
    _hog(
        "memory that swallows MemoryError",
        """
        x = []
        while True:
            try:
                while True: x.append(bytearray(1 << 20))
            except MemoryError: pass""",
    ),
    _hog("memory in one piece", "return len(bytearray(1 << 40))"),
    _hog(
        "memory by mmap",
        """
        libc.mmap.restype = ctypes.c_void_p
        where = libc.mmap(None, 1 << 33, 3, 0x8022, -1, 0)
        return {'got': where not in (None, 2 ** 64 - 1)}""",
        2.0,
    ),
    _hog(
        "memory by memfd",
        """
        fd = raw(319, path('x'), 0)
        return {'got': fd >= 0 and raw(77, fd, 1 << 33) >= 0}""",
    ),
    _hog(
        "memory by pipes",
        """
        n = 0
        for _ in range(64):
            pair = (ctypes.c_int * 2)()
            if raw(293, pair, 0o4000) >= 0:
                n += max(raw(1, pair[1], b'x' * 65536, 65536), 0)
        return {'got': n}""",
    ),
    _hog("locked memory", "return got(raw(151, 3))"),
    _hog("recursion", "def f(): return f() + 1\nreturn f()", 2.0),
    _hog(
        "recursion without a limit",
        "sys.setrecursionlimit(10 ** 9)\ndef f(): return f() + 1\nreturn f()",
        2.0,
    ),
    _hog(
        "recursion on the C stack",
        """
        x = iter(())
        for _ in range(10 ** 6): x = map(bool, x)
        return list(x)""",
        2.0,
    ),
    _hog("nested source", "return eval('(' * 10 ** 5 + ')' * 10 ** 5)", 2.0),
    _hog("deep source", "return eval('-' * 10 ** 6 + '1')", 2.0),
    _hog("disk", "f = open(P['new'], 'wb')\nwhile True: f.write(bytes(1 << 20))"),
    _hog("disk by fallocate", "return got(raw(285, raw(2, path(P['file']), 2, 0), 0, 0, 1 << 30))"),
    _hog("descriptor bomb", "return {'got': sum(raw(32, 0) >= 0 for _ in range(10 ** 4))}", 1.0),
    _hog(
        "thread bomb",
        """
        import _thread
        n = 0
        for _ in range(200):
            n += attempt(_thread.start_new_thread, time.sleep, (5,)) is not None
        return {'got': n}""",
        2.0,
    ),
    _hog(
        "fork bomb",
        """
        n = 0
        for _ in range(200):
            pid = raw(57)
            if pid == 0:
                libc.sleep(2)
                os._exit(0)
            n += pid > 0
        return {'got': n}""",
        2.0,
    ),
    _hog("scheduling as real time", "return got(raw(144, 0, 1, (ctypes.c_int * 1)(1)))"),
]
