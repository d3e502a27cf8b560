"""Requests, their keys and completions."""

import dataclasses
import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language_models import Completion, Image, LanguageModel, Message, Request
from language_models.grammars import OneOf

images = st.builds(Image, st.binary(min_size=1, max_size=20), st.just("image/png"))
turns = st.builds(Message, st.sampled_from(["user", "assistant"]), st.text(), st.lists(images, max_size=2))
systems = st.builds(Message, st.just("system"), st.text())
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
requests = st.builds(
    Request,
    messages=st.tuples(st.lists(systems, max_size=2), st.lists(turns, min_size=1, max_size=3)).map(
        lambda parts: tuple(parts[0] + parts[1])
    ),
    n=st.integers(1, 5),
    temperature=st.none() | st.floats(0, 2),
    max_tokens=st.none() | st.integers(1, 10**6),
    stop=st.lists(st.text(min_size=1), max_size=3),
    json_schema=st.none() | st.dictionaries(st.text(), json_values, max_size=3),
    top_logprobs=st.none() | st.integers(0, 20),
    seed=st.none() | st.integers(0, 2**31 - 1),
    purpose=st.text(),
)


@settings(max_examples=100, deadline=None, database=None)
@given(requests, st.text())
def test_key_forgets_the_purpose_only(request_, purpose):
    key = request_.key()
    assert dataclasses.replace(request_, purpose=purpose).key() == key
    changed = [
        dataclasses.replace(request_, n=request_.n + 1),
        dataclasses.replace(request_, seed=((request_.seed or 0) + 1) % 2**31),
        dataclasses.replace(request_, temperature=(request_.temperature or 0.0) + 0.5),
        dataclasses.replace(request_, max_tokens=(request_.max_tokens or 0) + 1),
        dataclasses.replace(request_, stop=request_.stop + ("x",)),
        dataclasses.replace(request_, messages=request_.messages + (Message("user", ""),)),
    ]
    assert key not in [other.key() for other in changed]


@settings(max_examples=100, deadline=None, database=None)
@given(requests)
def test_key_survives_json_and_the_order_of_fields(request_):
    """A recording written by one version of Python must be found by another."""
    record = json.loads(json.dumps(request_.to_json()))
    shuffled = dict(reversed(record.items()))
    canonical = json.dumps(shuffled, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(canonical.encode()).hexdigest() == request_.key()


@settings(max_examples=100, deadline=None, database=None)
@given(requests)
def test_equal_requests_have_equal_keys_and_hashes(request_):
    copy = dataclasses.replace(request_)
    assert copy == request_ and copy.key() == request_.key() and hash(copy) == hash(request_)


def test_zero_is_one_temperature():
    keys = {Request((Message("user", "x"),), temperature=t).key() for t in (0, 0.0, -0.0)}
    assert len(keys) == 1


@settings(max_examples=100, deadline=None, database=None)
@given(requests)
def test_the_form_is_not_in_the_key(request_):
    """Recordings are found whether or not whoever answered was held to a form."""
    plain = dataclasses.replace(request_, json_schema=None)
    held = dataclasses.replace(plain, form=OneOf("yes", "no"))
    assert held.key() == plain.key() and held.to_json() == plain.to_json()
    assert held != plain


@settings(max_examples=100, deadline=None, database=None)
@given(requests)
def test_continuations_are_in_the_key_where_there_are_any(request_):
    """Requests without them keep the keys that they had before there were continuations."""
    one, two = dataclasses.replace(request_, n=1), dataclasses.replace(request_, n=2)
    assert "continuations" not in one.to_json()
    keys = {
        one.key(),
        two.key(),
        dataclasses.replace(one, continuations=("a",)).key(),
        dataclasses.replace(two, continuations=("a", "b")).key(),
        dataclasses.replace(two, continuations=("b", "a")).key(),
    }
    assert len(keys) == 5


@pytest.mark.parametrize(
    "fields, words",
    [
        ({"continuations": ("a", "b")}, "2 continuations and n=1"),
        ({"continuations": ("a", "a"), "n": 2}, "different texts"),
        ({"continuations": ("",)}, "none of them empty"),
        ({"continuations": (3,)}, "different texts"),
        ({"json_schema": {}, "form": "yes"}, "one of the two"),
    ],
)
def test_continuations_and_forms_that_cannot_be(fields, words):
    with pytest.raises(ValueError, match=words):
        Request((Message("user", "x"),), **fields)


def test_schema_key_order_does_not_matter():
    one = Request((Message("user", "x"),), json_schema={"a": 1, "b": {"c": 2, "d": 3}})
    two = Request((Message("user", "x"),), json_schema={"b": {"d": 3, "c": 2}, "a": 1})
    assert one.key() == two.key()


def test_images_count_by_content():
    def key(data, mime_type="image/png"):
        return Request((Message("user", "x", (Image(data, mime_type),)),)).key()

    assert key(b"one") == key(b"one")
    assert len({key(b"one"), key(b"two"), key(b"one", "image/jpeg")}) == 3
    shown = json.dumps(Request((Message("user", "x", (Image(b"one"),)),)).to_json())
    assert hashlib.sha256(b"one").hexdigest() in shown


USER = Message("user", "x")


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: Request(()), "no messages"),
        (lambda: Request((USER, Message("system", "late"))), "only at the front"),
        (lambda: Request((USER,), n=0), "n=0"),
        (lambda: Request((USER,), n=1.5), "n=1.5"),
        (lambda: Request((USER,), n=True), "n=True"),
        (lambda: Request((USER,), max_tokens=0), "max_tokens=0"),
        (lambda: Request((USER,), top_logprobs=21), "0 to 20"),
        (lambda: Request((USER,), seed=-1), "seed=-1"),
        (lambda: Request((USER,), seed=2**31), "2147483647"),
        (lambda: Request((USER,), temperature=-1), "temperature=-1"),
        (lambda: Request((USER,), temperature=float("nan")), "nan"),
        (lambda: Request((USER,), stop="END"), "tuple of strings"),
        (lambda: Message("robot", "x"), "'robot'"),
        (lambda: Message("user", None), "UTF-8"),
        (lambda: Message("user", "\ud800"), "UTF-8"),
        (lambda: Image(b""), "no bytes"),
        (lambda: Image(b"x", "text/html"), "image/"),
    ],
)
def test_bad_requests(make, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")) as caught:
        make()
    assert str(caught.value).count("\n") == 0


def test_completion_round_trip():
    completion = Completion("t", "stop", 1, None, [{"token": "t", "logprob": -1.0, "top": []}], "m")
    assert Completion.from_json(json.loads(json.dumps(completion.to_json()))) == completion


@pytest.mark.parametrize(
    "record",
    [
        [],
        {},
        {"text": "x"},
        {
            "text": None,
            "finish_reason": "stop",
            "prompt_tokens": 1,
            "completion_tokens": 1,
            "logprobs": None,
            "model": "m",
        },
    ],
)
def test_completion_of_another_shape(record):
    with pytest.raises(ValueError, match="A completion has"):
        Completion.from_json(record)


def test_protocol_is_a_matter_of_shape():
    class Mine:
        name = "mine"

        def complete(self, request):
            return [Completion("x", "stop", None, None, None, "mine")] * request.n

    assert isinstance(Mine(), LanguageModel)
    assert not isinstance(object(), LanguageModel)
