"""What bots note of their calls: the keys that users' records hold, from the answer and back."""

from __future__ import annotations

import json

import pytest

from language_models import Completion, Prices
from language_models.asking.call_notes import COUNTED, CallNotes
from language_models.asking.client import Tally


def completion(prompt_tokens=10, completion_tokens=20):
    return Completion("four", "stop", prompt_tokens, completion_tokens, None, "model-1")


def test_the_keys_of_a_request_and_of_its_answer(kit):
    request = kit.request("abcdefgh")
    asked = CallNotes.asked(request, keep_prompt=True)
    before = {"request": request.key(), "prompt": "abcdefgh", "model_calls": 1}
    assert asked.to_notes() == before
    assert asked.answered(request, completion(), prices=Prices(1000.0, 50_000.0)).to_notes() == {
        **before,
        "language_model": "model-1",
        "reply": "four",
        "prompt_tokens": 10,
        "completion_tokens": 20,
        "usd": pytest.approx(0.01 + 1.0),
    }


def test_what_is_not_kept_is_left_out_and_unknown_counts_are_none(kit):
    request = kit.request("abcdefgh")
    notes = CallNotes.asked(request, keep_prompt=False).answered(
        request, completion(None, None), seconds=0.12345
    )
    assert notes.to_notes() == {
        "request": request.key(),
        "model_calls": 1,
        "latency_seconds": 0.123,
        "language_model": "model-1",
        "reply": "four",
        "prompt_tokens": None,
        "completion_tokens": None,
        "usd": None,
    }
    assert notes.tokens is None


def test_tokens_that_were_not_counted_are_estimated_for_the_price(kit):
    request = kit.request("abcdefgh")
    asked = CallNotes.asked(request, keep_prompt=False)
    notes = asked.answered(request, completion(None, None), prices=Prices(1e6, 1e6))
    assert (notes.usd, notes.prompt_tokens) == (3.0, None)  # 8 and 4 characters, 4 a token


def test_the_calls_of_a_tally():
    notes = CallNotes.counted("m", Tally(calls=3, hits=9, prompt_tokens=70, completion_tokens=8))
    assert notes.to_notes() == {
        "model_calls": 3,
        "language_model": "m",
        "prompt_tokens": 70,
        "completion_tokens": 8,
        "usd": None,
    }


def test_notes_come_back_from_a_record(kit):
    request = kit.request("abcdefgh")
    notes = CallNotes.asked(request, keep_prompt=True).answered(request, completion(), seconds=1.5)
    stored = json.loads(json.dumps({**notes.to_notes(), "action": "x(1,1)"}))
    assert CallNotes.from_notes(stored) == notes and notes.tokens == 30


@pytest.mark.parametrize(
    "notes, calls, tokens",
    [
        ({}, None, None),
        ({"value": 3}, None, None),
        ({"request": "key"}, 1, None),
        ({"prompt_tokens": 7, "completion_tokens": None}, 1, 7),
        ({"model_calls": 3, "completion_tokens": 2}, 3, 2),
        ({"model_calls": True, "usd": "much", "prompt_tokens": [3]}, 1, None),
    ],
)
def test_the_notes_of_any_bot_are_read(notes, calls, tokens):
    found = CallNotes.from_notes(notes)
    assert (found.model_calls, found.tokens, found.usd) == (calls, tokens, None)


def test_the_names_of_counts_stand():
    """In users' databases and tables."""
    assert COUNTED == ("model_calls", "prompt_tokens", "completion_tokens", "usd")
