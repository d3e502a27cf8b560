"""Frames between the parent and a worker, and messages between the parent and a zygote.

A frame is a 4-byte big-endian length and that many bytes of ASCII JSON. Never pickle: unpickling
what a worker sent would run its code in the parent. This file also runs in the worker, so it keeps
to Python 3.9 and the standard library.
"""

from __future__ import annotations

import array
import json
import re
import socket
import struct
from typing import Any, List, Tuple

HEADER = struct.Struct(">I")
MAX_DEPTH = 100
"""The deepest nesting of lists and objects in a frame; deeper ones would exhaust the reader's stack."""
MAX_DIGITS = 4300
"""The longest integer in a frame, in decimal digits (CPython's own default limit)."""

_MESSAGE_BYTES = 1 << 20
_MSG_NOSIGNAL = getattr(socket, "MSG_NOSIGNAL", 0)
_MSG_CMSG_CLOEXEC = getattr(socket, "MSG_CMSG_CLOEXEC", 0)

# A plain decode is right unless one of these occurs, where all digits are written as 0; the guarded decoder
# calls Python once per number and would double the cost of a game step. 10**200 * 10**99 still fits in a float.
_ZEROS = bytes.maketrans(b"123456789E", b"000000000e")
_LONG_NUMBERS = (b"0" * 200, b"e000", b"e+000", b"e-000")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(sorted(set(range(256)) - set(b"[]{}")))


class FrameError(ValueError):
    """An error about bytes that are no valid frame, or a value that fits in none."""


def _refuse_constant(name: str) -> Any:
    raise FrameError(f"expected finite numbers, found {name}")


def _parse_int(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise FrameError(f"expected an integer of at most {MAX_DIGITS} digits, found {len(text)}")
    return int(text)


def _parse_float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise FrameError("expected finite numbers, found one beyond the range of a float")
    return value


_encode_json = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
_decode_plain = json.JSONDecoder(parse_constant=_refuse_constant).decode
_decode_guarded = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_int=_parse_int, parse_float=_parse_float
).decode


def _check_depth(body: bytes) -> None:
    """Raises FrameError where a JSON text nests too deeply. Only its brackets are kept, and each pass removes the
    innermost pairs, without a step of Python for each value."""
    brackets = _STRING.sub(b"", body).translate(_SQUARE, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        if not brackets:
            return
        brackets = brackets.replace(b"[]", b"")
    if brackets:
        raise FrameError(f"expected at most {MAX_DEPTH} nested lists and objects, found more")


def decode(body: bytes) -> Any:
    """Returns the JSON value in `body`; raises FrameError unless it is strict, finite, shallow ASCII JSON."""
    try:
        text = body.decode("ascii")
        zeros = body.translate(_ZEROS)
        if any(map(zeros.__contains__, _LONG_NUMBERS)):
            value = _decode_guarded(text)
        else:
            value = _decode_plain(text)
        if text.count("[") + text.count("{") > MAX_DEPTH:
            _check_depth(body)
        if _SURROGATE.search(text):
            # A lone surrogate is a string that no file or terminal can take.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except FrameError:
        raise
    except RecursionError:
        raise FrameError(f"expected at most {MAX_DEPTH} nested lists and objects, found more") from None
    except ValueError as error:
        raise FrameError(f"expected ASCII JSON, found {str(error)[:200]}") from None
    return value


def encode(value: Any, limit: int) -> bytes:
    """Returns `value` as a frame; raises FrameError if JSON cannot hold it or it takes more than `limit`
    bytes.

    Tuples become lists and dictionary keys become strings, as JSON has it.
    """
    try:
        text = _encode_json(value)
    except RecursionError:
        raise FrameError(f"expected at most {MAX_DEPTH} nested lists and objects, found more") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise FrameError(f"expected a JSON value, found: {str(error)[:200]}") from None
    body = text.encode("ascii")
    if len(body) > limit:
        raise FrameError(f"expected at most {limit} bytes of JSON, found {len(body)}")
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _check_depth(body)
    if _SURROGATE.search(text):
        decode(body)
    return HEADER.pack(len(body)) + body


def send_message(sock: socket.socket, value: Any, fds: Tuple[int, ...] = ()) -> None:
    """Sends one trusted message, with file descriptors, over a Unix stream socket."""
    data = encode(value, _MESSAGE_BYTES)
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    sent = sock.sendmsg([data], ancillary, _MSG_NOSIGNAL)
    if sent < len(data):
        sock.sendall(data[sent:], _MSG_NOSIGNAL)


def receive_message(sock: socket.socket) -> Tuple[Any, List[int]]:
    """Returns the next message and its descriptors; raises EOFError when the other side has closed."""
    data = b""
    fds: List[int] = []
    need = HEADER.size
    while len(data) < need:
        # One request at a time is in flight, so whatever arrives belongs to this message.
        chunk, ancillary, _, _ = sock.recvmsg(need - len(data), socket.CMSG_SPACE(16), _MSG_CMSG_CLOEXEC)
        if not chunk:
            raise EOFError("the other side closed the connection")
        for level, kind, payload in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                numbers = array.array("i")
                numbers.frombytes(payload[: len(payload) - len(payload) % numbers.itemsize])
                fds.extend(numbers)
        data += chunk
        if need == HEADER.size and len(data) == need:
            need += HEADER.unpack(data)[0]
    return decode(data[HEADER.size :]), fds
