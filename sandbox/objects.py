"""Refuses shared objects that would run code of their own while they are mapped.

A worker maps a compiled module before it is sealed, because afterwards it can open no file and make
no memory executable. Mapping must therefore run nothing: no constructor, no resolver of an indirect
function, no library that brings its own. What may stand in an object is listed, all else is
refused; of a plain library, which needs no interpreter, also what it may call. Sources: elf(5), the
System V ABI and glibc's elf.h.
"""

from __future__ import annotations

import os
import stat
import struct
from typing import Collection, Dict, List, Optional, Tuple

_PT_LOAD, _PT_DYNAMIC, _PT_TLS, _PT_GNU_STACK = 1, 2, 7, 0x6474E551
_PF_X, _PF_W = 1, 2
_NEEDED, _PLTRELSZ, _STRTAB, _SYMTAB, _RELA, _RELASZ, _PLTREL, _JMPREL = 1, 2, 5, 6, 7, 8, 20, 23
_FLAGS, _FLAGS_1 = 30, 0x6FFFFFFB
_TAGS = {
    _NEEDED, _PLTRELSZ, 3, 4, _STRTAB, _SYMTAB, _RELA, _RELASZ, 9, 10, 11, 14, _PLTREL, _JMPREL, 24,
    _FLAGS, 35, 36, 37, 0x6FFFFEF5, 0x6FFFFFF0, 0x6FFFFFF9, _FLAGS_1, 0x6FFFFFFE, 0x6FFFFFFF,
}  # fmt: skip
"""Names, symbols, versions and relocations. Left out on purpose: INIT, FINI and their arrays, RPATH,
RUNPATH, AUDIT, FILTER, AUXILIARY, TEXTREL, SYMBOLIC."""
_BIND_NOW, _STATIC_TLS, _NOW = 8, 16, 1
_STT_GNU_IFUNC = 10
_MACHINES = {"x86_64": (62, {1, 6, 7, 8}), "aarch64": (183, {257, 1025, 1026, 1027})}
"""ELF machine and relocation types: address, GOT entry, PLT entry, relative. No copies, no thread
storage, no IRELATIVE, which calls a function of the object."""
_LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libgcc_s.so.1"}
_MAX_MAPPED_BYTES = 64 << 20
PURE_IMPORTS = frozenset(
    {
        "memcpy", "memmove", "memset", "memcmp", "bcmp", "strlen", "fmod", "sqrt", "log", "exp", "pow", "tanh",
        "floor", "ceil", "fabs", "fmin", "fmax", "abs", "clock_gettime",
    }
)  # fmt: skip
"""What a library may take from the C library: memory that it has already, numbers, and the time. Compilers
call the first seven of their own accord."""


class _Object:
    """The parts of a 64-bit little-endian ELF file that the dynamic loader acts on."""

    def __init__(self, data: bytes, machine: str):
        self._data = data
        if data[:7] != b"\x7fELF\x02\x01\x01":
            raise ValueError("it is no 64-bit little-endian ELF file")
        kind, number = struct.unpack_from("<HH", data, 16)
        expected, self._relocations = _MACHINES[machine]
        if (kind, number) != (3, expected):
            raise ValueError(f"it is no shared object for {machine}")
        table, size, count = (*struct.unpack_from("<Q", data, 32), *struct.unpack_from("<HH", data, 54))
        if size != 56:
            raise ValueError("its program headers are malformed")
        self._headers: List[Tuple[int, ...]] = [
            struct.unpack_from("<IIQQQQQQ", data, table + index * size) for index in range(count)
        ]

    def _offset(self, address: int, size: int) -> int:
        for kind, _, offset, start, _, in_file, _, _ in self._headers:
            if kind == _PT_LOAD and start <= address and address + size <= start + in_file:
                return offset + address - start
        raise ValueError("an address in it lies outside its segments")

    def check_plain(self) -> None:
        """No storage for threads and no more memory than a library has any use for."""
        if any(header[0] == _PT_TLS for header in self._headers):
            raise ValueError("it asks for storage of its own in each thread")
        mapped = sum(header[6] for header in self._headers if header[0] == _PT_LOAD)
        if mapped > _MAX_MAPPED_BYTES:
            raise ValueError(f"it asks for {mapped} bytes of memory, more than {_MAX_MAPPED_BYTES}")

    def check_segments(self) -> None:
        """Makes sure that no memory is both writable and executable, the stack included."""
        flags = [header[1] for header in self._headers if header[0] == _PT_LOAD]
        if any(flag & _PF_W and flag & _PF_X for flag in flags):
            raise ValueError("it asks for memory that is writable and executable")
        stack = [header[1] for header in self._headers if header[0] == _PT_GNU_STACK]
        if len(stack) != 1 or stack[0] & _PF_X:
            raise ValueError("it asks for an executable stack")

    def dynamic(self) -> Dict[int, int]:
        """Returns the dynamic section by tag, checked."""
        found = [header for header in self._headers if header[0] == _PT_DYNAMIC]
        if len(found) != 1:
            raise ValueError("it has no dynamic section")
        _, _, _, address, _, in_file, _, _ = found[0]
        offset = self._offset(address, in_file)
        tags: Dict[int, int] = {}
        needed: List[int] = []
        for index in range(in_file // 16):
            tag, value = struct.unpack_from("<QQ", self._data, offset + 16 * index)
            if tag == 0:
                break
            if tag not in _TAGS:
                raise ValueError(f"its dynamic section holds the tag {tag:#x}, which may run code")
            if tag == _NEEDED:
                needed.append(value)
            elif tag in tags:
                raise ValueError(f"its dynamic section holds the tag {tag:#x} twice")
            else:
                tags[tag] = value
        if tags.get(_FLAGS, 0) & ~(_BIND_NOW | _STATIC_TLS) or tags.get(_FLAGS_1, 0) & ~_NOW:
            raise ValueError("its dynamic section asks for special treatment by the loader")
        for value in needed:
            name = self._text(tags, value)
            if name not in _LIBRARIES:
                raise ValueError(f"it needs the library {name!r}")
        return tags

    def check_relocations(self, tags: Dict[int, int], imports: Optional[Collection[str]]) -> None:
        """Makes sure that no relocation calls a function, by its type or by its symbol's; and where `imports` is
        given, that none is to a name from outside that is not among them."""
        if tags.get(_PLTREL, _RELA) != _RELA:
            raise ValueError("its relocations are of a kind that this machine does not have")
        for start, size in ((_RELA, _RELASZ), (_JMPREL, _PLTRELSZ)):
            if not tags.get(size):
                continue
            offset = self._offset(tags[start], tags[size])
            for index in range(tags[size] // 24):
                info = struct.unpack_from("<Q", self._data, offset + 24 * index + 8)[0]
                kind, symbol = info & 0xFFFFFFFF, info >> 32
                if kind not in self._relocations:
                    raise ValueError(f"it holds a relocation of type {kind}")
                at = self._offset(tags[_SYMTAB] + 24 * symbol, 24)
                if self._data[at + 4] & 15 == _STT_GNU_IFUNC:
                    raise ValueError("it holds an indirect function")
                section = struct.unpack_from("<H", self._data, at + 6)[0]
                if imports is not None and symbol and not section:
                    name = self._text(tags, struct.unpack_from("<I", self._data, at)[0])
                    if name not in imports:
                        raise ValueError(f"it calls {name!r}, which is not among {', '.join(sorted(imports))}")

    def _text(self, tags: Dict[int, int], place: int) -> str:
        start = self._offset(tags[_STRTAB] + place, 1)
        return self._data[start : self._data.index(b"\0", start)].decode("ascii", "replace")


def check(path: str, machine: str, imports: Optional[Collection[str]] = None) -> None:
    """Reads a shared object and makes sure that mapping it runs none of its code.

    Args:
      path: absolute path of the file, which nobody but its owner may write.
      machine: the machine as `os.uname().machine` has it.
      imports: of a plain library the only names that it may take from outside; None for a module of
        the interpreter, which may take what it likes.

    Raises:
      ValueError: it may run code, is malformed, or belongs to another user.
      OSError: it cannot be read.
    """
    kind = "compiled" if imports is None else "libraries"
    if not os.path.isabs(path):
        raise ValueError(f"{kind}: expected an absolute path, found {path!r}")
    if machine not in _MACHINES:
        raise ValueError(
            f"{kind}: expected a machine among {', '.join(_MACHINES)}, found {machine!r}; "
            "give the module as source"
        )
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        data = file.read()
    if status.st_uid not in (os.geteuid(), 0) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise ValueError(f"{kind}: {path} can be written by other users; delete it and compile it again")
    try:
        found = _Object(data, machine)
        found.check_segments()
        if imports is not None:
            found.check_plain()
        found.check_relocations(found.dynamic(), imports)
    except (ValueError, struct.error, KeyError, IndexError) as error:
        raise ValueError(
            f"{kind}: {path} cannot be mapped safely: {error}; expected a shared object without "
            "constructors, linked with -nostartfiles"
        ) from None
