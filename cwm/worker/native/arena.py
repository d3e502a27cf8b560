"""Runs inside the sealed worker beside a world model in C: the memory of searches, and the call of one. Standard library
only, Python 3.9.
"""

import ctypes

import native_model

_PRIVATE_ANONYMOUS_NORESERVE, _READ_WRITE, _DONTNEED = 0x4022, 3, 4
_KEPT_BYTES = 64 << 20
"""Memory that stays with this process between searches."""


class Found(ctypes.Structure):
    """What a search tells of itself: `NativeFound` of interface.c."""

    _fields_ = [(name, ctypes.c_int64) for name in ("rows", "simulations", "drawn_again", "arena_used")]


class Arena:
    """Memory of searches: address space, of which the system gives only what is used."""

    def __init__(self):
        self.bytes = 0
        self.address = None
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.mmap.restype = ctypes.c_void_p
        self._libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        self._libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

    def open(self, size):
        """Reserves `size` bytes, once."""
        address = self._libc.mmap(None, size, _READ_WRITE, _PRIVATE_ANONYMOUS_NORESERVE, -1, 0)
        if address in (None, ctypes.c_void_p(-1).value):
            raise MemoryError("the search's %d bytes do not fit into the worker's memory_bytes" % size)
        self.address, self.bytes = address, size

    def trim(self, used):
        """Gives back what a large search has used."""
        if used > _KEPT_BYTES:
            self._libc.madvise(self.address + _KEPT_BYTES, used - _KEPT_BYTES, _DONTNEED)


_arena = Arena()


def open_arena(size):
    """Reserves the memory of searches; called once."""
    _arena.open(size)


def run(function, state, options, rows, *further):
    """Runs a search of the core from a state, which writes into `rows` and what `further` refers to.

    Returns what it tells of itself, see `Found`.
    """
    found = Found(arena_used=_arena.bytes)  # where the search fails, it may have used all
    try:
        native_model.check(
            function(
                state,
                ctypes.byref(options),
                ctypes.c_void_p(_arena.address),
                ctypes.c_uint64(_arena.bytes),
                rows,
                ctypes.byref(found),
                *further,
            )
        )
    finally:
        _arena.trim(found.arena_used)
    return found
