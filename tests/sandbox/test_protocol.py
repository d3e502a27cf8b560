"""Frames: what JSON can hold goes through unchanged, everything else is refused."""

import json
import math
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox import protocol
from sandbox.protocol import FrameError

LIMIT = 1 << 20
TEXT = st.text(st.characters(blacklist_categories=("Cs",)))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_a_frame_holds_what_the_standard_library_reads(value):
    frame = protocol.encode(value, LIMIT)
    assert int.from_bytes(frame[:4], "big") == len(frame) - 4
    assert json.loads(frame[4:]) == value
    assert protocol.decode(frame[4:]) == value


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=200) | st.text('[]{}",:0123456789.eE+-\\ud8InfinityNaN', max_size=300).map(str.encode)
)
def test_any_bytes_decode_to_json_or_raise_a_frame_error(body):
    try:
        value = protocol.decode(body)
    except FrameError:
        return
    assert json.loads(body) == value
    json.dumps(value, allow_nan=False, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize(
    "body",
    [
        b"NaN", b"-Infinity", b"[1e999]", b"-1e400", b"1" * 310 + b".0", b"9" * 250 + b"e99", b"1E+0000400",
        b"9" * 5000, b'"\\ud800"', b'{"\\udfff":1}', b"\xff", '"é"'.encode(), b"", b"[1", b"1 2",
        b"[" * 101 + b"]" * 101, b"[" * 200000, b'{"a":' * 150 + b"1" + b"}" * 150,
    ],
)  # fmt: skip
def test_hostile_bodies_are_refused(body):
    with pytest.raises(FrameError):
        protocol.decode(body)


@pytest.mark.parametrize(
    "body, value",
    [
        (b"1e308", 1e308),
        (b"1e-400", 0.0),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b"7" * 400, int("7" * 400)),
        (b"[" * 100 + b"]" * 100, None),
        (b'"' + b"[" * 500 + b'"', "[" * 500),
    ],
)
def test_unusual_but_valid_bodies_are_read(body, value):
    decoded = protocol.decode(body)
    assert value is None or decoded == value


@pytest.mark.parametrize("value", [math.nan, [math.inf], {1, 2}, b"x", object(), 1j, {(1,): 2}, "\ud800"])
def test_what_json_cannot_hold_is_not_encoded(value):
    with pytest.raises(FrameError):
        protocol.encode(value, LIMIT)


def nesting(value):
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if members is None else 1 + max(map(nesting, members), default=0)


@settings(max_examples=200, deadline=None)
@given(VALUES, st.text('"[]{}\\\\x', max_size=8), st.integers(95, 105))
def test_depth_is_that_of_the_value_whatever_its_strings_hold(value, tricky, depth):
    value = {"deep": [value, {tricky: tricky}]}
    while nesting(value) < depth:
        value = {tricky: [value, [], {}]} if nesting(value) < depth - 1 else [tricky, value]
    body = json.dumps(value).encode()
    if depth <= protocol.MAX_DEPTH:
        assert protocol.decode(body) == value
        assert json.loads(protocol.encode(value, LIMIT)[4:]) == value
    else:
        for refused in (lambda: protocol.decode(body), lambda: protocol.encode(value, LIMIT)):
            with pytest.raises(FrameError, match="at most 100 nested"):
                refused()


def test_cycles_depth_and_size_are_refused_on_the_way_out():
    cycle = []
    cycle.append(cycle)
    deep = []
    for _ in range(200):
        deep = [deep]
    for value in (cycle, deep):
        with pytest.raises(FrameError):
            protocol.encode(value, LIMIT)
    with pytest.raises(FrameError, match="at most 10 bytes"):
        protocol.encode("x" * 20, 10)


def test_a_message_carries_descriptors():
    a, b = socket.socketpair()
    c, d = socket.socketpair()
    with a, b, c, d:
        protocol.send_message(a, {"n": 1}, (c.fileno(),))
        value, fds = protocol.receive_message(b)
        assert value == {"n": 1}
        with socket.socket(fileno=fds[0]) as copy:
            copy.send(b"hello")
            assert d.recv(5) == b"hello"
        a.close()
        with pytest.raises(EOFError):
            protocol.receive_message(b)
