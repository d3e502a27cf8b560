"""The head of a GGUF file: facts about a model and its needs, read without llama.cpp.

The format: github.com/ggml-org/ggml/blob/master/docs/gguf.md. A head that cannot be read, or that promises more
bytes than the file has, is refused here in one sentence; llama.cpp would say so in its log only.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from pathlib import Path
from typing import Any, BinaryIO

from language_models.types import LanguageModelError

_VERSIONS = (2, 3)
_STRING, _ARRAY = 8, 9
# By type number: the format of struct.
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
# By ggml's type number: weights of a block, bytes of a block.
_BLOCKS = {
    0: (1, 4),
    1: (1, 2),
    2: (32, 18),
    3: (32, 20),
    6: (32, 22),
    7: (32, 24),
    8: (32, 34),
    10: (256, 84),
    11: (256, 110),
    12: (256, 144),
    13: (256, 176),
    14: (256, 210),
    30: (1, 2),
}
_KV_BYTES = 2
"""Bytes of a cached key or value, which is a 16-bit float."""
_MOST_LENGTH = 1 << 28
_MOST_DIMENSIONS = 4


@dataclasses.dataclass(frozen=True)
class GgufHead:
    """The facts in the head of a model's file.

    Attributes:
      size: size of the file, in bytes.
      trained_context: tokens of context in training, or None where the head does not say.
      context_bytes: bytes that one token of context takes, as keys and values of all layers.
    """

    size: int
    trained_context: int | None
    context_bytes: int


def read_head(path: Path) -> GgufHead:
    """Reads the head of a GGUF file and compares the sizes of its tensors with the file's.

    Raises:
      LanguageModelError: the file is no GGUF file, is of an unknown version, or is truncated.
    """
    size = path.stat().st_size
    with open(path, "rb") as file:
        magic = file.read(4)
        if magic != b"GGUF":
            raise LanguageModelError(
                f"The file {str(path)!r} is no model: expected it to begin with GGUF, found {magic!r}; "
                "name a GGUF file."
            )
        try:
            head, end = _read(path, file)
        except (struct.error, UnicodeDecodeError, OverflowError, KeyError):
            raise LanguageModelError(_truncated(path, size, "its head is cut off or damaged")) from None
    if end > size:
        raise LanguageModelError(_truncated(path, size, f"its head promises {end:,}"))
    return dataclasses.replace(head, size=size)


def _truncated(path: Path, size: int, why: str) -> str:
    return f"The model file {str(path)!r} is truncated or damaged: it has {size:,} bytes and {why}; fetch it again."


def _read(path: Path, file: BinaryIO) -> tuple[GgufHead, int]:
    """The head and the offset at which the last tensor ends."""
    version, tensors, pairs = _unpack(file, "IQQ")
    if version not in _VERSIONS:
        raise LanguageModelError(
            f"The model file {str(path)!r} has GGUF version {version}: expected {' or '.join(map(str, _VERSIONS))}; "
            "convert it with llama.cpp."
        )
    fields: dict[str, Any] = {}
    for _ in range(pairs):
        name = _string(file)
        fields[name] = _value(file, _unpack(file, "I")[0])
    ends = [0]
    for _ in range(tensors):
        _string(file)
        [dimensions] = _unpack(file, "I")
        if dimensions > _MOST_DIMENSIONS:
            raise OverflowError(dimensions)
        weights = math.prod(_unpack(file, f"{dimensions}Q"))
        kind, offset = _unpack(file, "IQ")
        in_block, block_bytes = _BLOCKS.get(kind, (weights or 1, 1))
        ends.append(offset + weights // in_block * block_bytes)
    alignment = fields.get("general.alignment", 32)
    start = -(-file.tell() // alignment) * alignment
    return _head(fields), start + max(ends)


def _head(fields: dict[str, Any]) -> GgufHead:
    def field(name: str, default: Any = None) -> Any:
        return fields.get(f"{fields.get('general.architecture')}.{name}", default)

    layers, heads = field("block_count", 0), _most(field("attention.head_count", 1))
    width = field("embedding_length", 0) // max(1, heads)
    widths = field("attention.key_length", width) + field("attention.value_length", width)
    kv_heads = _most(field("attention.head_count_kv", heads))
    return GgufHead(0, field("context_length"), layers * kv_heads * widths * _KV_BYTES)


def _most(value: Any) -> int:
    """The largest number in a field that is one number, or one for each layer."""
    return max(value) if isinstance(value, tuple) else value


def _unpack(file: BinaryIO, layout: str) -> tuple[Any, ...]:
    layout = "<" + layout
    return struct.unpack(layout, file.read(struct.calcsize(layout)))


def _string(file: BinaryIO) -> str:
    return _bytes(file).decode("utf-8")


def _bytes(file: BinaryIO) -> bytes:
    [length] = _unpack(file, "Q")
    if length > _MOST_LENGTH:
        raise OverflowError(length)
    return struct.unpack(f"{length}s", file.read(length))[0]


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _string(file)
    if kind != _ARRAY:
        return _unpack(file, _SCALARS[kind])[0]
    inner, count = _unpack(file, "IQ")
    if count > _MOST_LENGTH:
        raise OverflowError(count)
    if inner in _SCALARS:
        return _unpack(file, f"{count}{_SCALARS[inner]}")
    # Vocabularies: passed over, some of their pieces are no UTF-8.
    for _ in range(count):
        _bytes(file) if inner == _STRING else _value(file, inner)
    return None
