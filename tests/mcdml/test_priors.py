"""Priors: normalization, and reading answers of all sorts."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from language_models import Completion, LanguageModelError
from mcdml.asking import priors
from mcdml.asking.priors import Query, make_prior, named_action, normalized, token_logs, verbalized_logs
from mcdml.asking.situations import Situation

ACTIONS = ("go down", "light lamp", "take 2 coins")


def situation(actions=ACTIONS):
    return Situation("story", 1, 0, "A room.", (), tuple(actions), tuple(range(len(actions))), "")


def completion(text, logprobs=None):
    return Completion(text, "stop", None, None, logprobs, "some-model")


def token(text, *alternatives):
    top = [{"token": other, "logprob": math.log(chance)} for other, chance in alternatives]
    return {"token": text, "logprob": 0.0, "top": top}


def test_normalization_is_the_papers():
    # exp(log(.9)/5) = .97915, exp(-10/5) = .13534; the sum is 1.24983.
    found = normalized({1: math.log(0.9)}, 3)
    assert found == pytest.approx([0.78343, 0.10829, 0.10829], abs=1e-5)
    # The authors' -5: exp(-1) = .36788; the sum is 1.71491.
    assert normalized({1: math.log(0.9)}, 3, absent=-5.0)[1] == pytest.approx(0.21452, abs=1e-5)
    assert normalized({1: -50.0}, 2) == pytest.approx([0.5, 0.5])  # less than absent counts as absent
    assert normalized({1: 0.0, 2: math.log(0.5)}, 2, temperature=1.0) == pytest.approx([2 / 3, 1 / 3])


@given(st.dictionaries(st.integers(1, 8), st.floats(-1e6, 0)), st.floats(0.1, 100))
def test_a_prior_is_a_distribution_in_the_order_of_the_logs(logs, temperature):
    found = normalized(logs, 8, temperature=temperature)
    assert found.shape == (8,) and found.min() > 0 and found.sum() == pytest.approx(1)
    kept = [max(-10.0, logs.get(number, -10.0)) for number in range(1, 9)]
    assert all((kept[a] <= kept[b]) or found[a] >= found[b] for a in range(8) for b in range(8))


@pytest.mark.parametrize(
    "reply, expected",
    [
        (
            '{"actions": [{"number": 2, "probability": 0.5}, {"number": 1, "probability": 0.25}]}',
            {2: 0.5, 1: 0.25},
        ),
        ('Sure!\n```json\n{"actions": [{"number": 3, "probability": 1}]}\n```', {3: 1.0}),
        ('{"actions": [{"number": 1, "probability": 60}, {"number": 2, "probability": 40}]}', {1: 0.6, 2: 0.4}),
        ('{"actions": [{"number": 4, "probability": 0.5}, {"number": 0, "probability": 1}]}', {}),
        ('{"actions": [{"number": 1, "probability": 0}, {"number": 2, "probability": -1}]}', {}),
        ('{"actions": [{"number": "1", "probability": 0.5}, {"number": true, "probability": 0.5}]}', {}),
        ('{"actions": [{"number": 1, "probability": NaN}, {"number": 2, "probability": Infinity}]}', {}),
        ('{"actions": [{"number": 1}, 7, null, {"number": 2, "probability": 0.5}]}', {2: 0.5}),
        ('{"actions": {"1": 0.5}}', {}),
        ('{"actions": [', {}),
        ("", {}),
        ("go down", {}),
        ("}{", {}),
        ("{}", {}),
        ('[{"number": 1, "probability": 0.5}]', {}),
        ("{" * 5000 + "}" * 5000, {}),
    ],
)
def test_verbalized_answers(reply, expected):
    found = verbalized_logs(reply, 3)
    assert {number: math.exp(log) for number, log in found.items()} == pytest.approx(expected)


@given(st.text(), st.integers(1, 5))
def test_no_reply_is_a_traceback(text, actions):
    verbalized_logs(text, actions)
    verbalized_logs("{" + text + "}", actions)
    number = named_action(text, situation(ACTIONS[:1] * actions))
    assert number is None or 1 <= number <= actions


@pytest.mark.parametrize(
    "reply, number",
    [
        ("2", 2),
        (" 2.\n", 2),
        ("**3**", 3),
        ("Action 2: light lamp", 2),
        ("light lamp", 2),
        ("'Go Down'.", 1),
        ("take 2 coins", 3),
        ("4", None),
        ("0", None),
        ("-", None),
        ("", None),
        ("none of them", None),
        ("2.5", None),
        ("12345678", None),
    ],
)
def test_actions_by_number_or_name(reply, number):
    assert named_action(reply, situation()) == number


def test_logprobs_of_one_token():
    tokens = [token("2", ("2", 0.6), (" 2", 0.1), ("1", 0.2), ("x", 0.05), ("7", 0.05))]
    assert {n: math.exp(log) for n, log in token_logs(tokens, 3).items()} == pytest.approx({2: 0.7, 1: 0.2})


def test_logprobs_of_several_tokens_are_accumulated():
    tokens = [
        token("\n", ("\n", 1.0)),
        token("1", ("1", 0.8), ("2", 0.2)),
        token("2", ("2", 0.5), ("0", 0.25), (".", 0.25)),
    ]
    found = {n: math.exp(log) for n, log in token_logs(tokens, 15).items()}
    assert found == pytest.approx({12: 0.4, 10: 0.2, 1: 0.2, 2: 0.2})
    few = {n: math.exp(log) for n, log in token_logs(tokens, 9).items()}
    assert few == pytest.approx({1: 0.8, 2: 0.2})
    assert token_logs([], 3) == {} and token_logs([token("  ")], 3) == {}


def test_the_logprobs_prior():
    prior = make_prior("logprobs")
    query = Query(situation())
    request = prior.request(query)
    assert (request.top_logprobs, request.temperature, request.n) == (20, 0.0, 1)
    reading = prior.read(query, [completion("2", [token("2", ("2", 0.9), ("1", 0.1))])])
    assert reading.readable and reading.probabilities == pytest.approx(
        normalized({2: math.log(0.9), 1: math.log(0.1)}, 3)
    )
    words = prior.read(query, [completion("Well", [token("Well", ("Well", 1.0))])])
    assert not words.readable and words.probabilities == pytest.approx([1 / 3] * 3)
    for logprobs in (None, [], [{"token": "2", "logprob": 0.0, "top": []}]):
        with pytest.raises(LanguageModelError, match="some-model gave no log-probabilities"):
            prior.read(query, [completion("2", logprobs)])


def test_self_consistency_counts_the_samples():
    prior = make_prior("self_consistency", samples=4)
    query = Query(situation())
    request = prior.request(query)
    assert request.n == 4 and request.temperature > 0
    reading = prior.read(query, [completion(text) for text in ("2", "light lamp", "1", "no idea")])
    # 2 of 4 and 1 of 4 as they are; the third action is absent, at exp(-10).
    total = 0.5 + 0.25 + math.exp(-10)
    assert reading.probabilities == pytest.approx([0.25 / total, 0.5 / total, math.exp(-10) / total])
    assert not prior.read(query, [completion("no idea")] * 4).readable


def test_the_verbalized_prior_shows_both_memories_and_the_static_one_neither():
    from mcdml.asking.situations import Step

    here = situation()._replace(steps=(Step("A hall.", "go east"),))
    query = Query(here, ("Be careful.",))
    shown = make_prior("verbalized").request(query).messages[-1].content
    assert all(text in shown for text in ("A hall.\n> go east", "A room.", "- Be careful.", "2. light lamp"))
    static = make_prior("static")
    hidden = static.request(query).messages[-1].content
    assert "2. light lamp" in hidden and not any(text in hidden for text in ("hall", "room", "careful"))
    assert static.request(query).key() == static.request(Query(situation())).key()
    answer = completion(json.dumps({"actions": [{"number": 3, "probability": 0.8}]}))
    assert int(np.argmax(static.read(query, [answer]).probabilities)) == 2


@pytest.mark.parametrize("temperature, best", [(None, 0.69), (1.0, 0.69), (5.0, 0.288)])
def test_written_probabilities_stay_as_they_are_unless_a_temperature_is_given(temperature, best):
    """Of five actions with .69, .1, .1, .1, .01 the paper's temperature makes the first one worth .69^.2 / (.69^.2 + 3 * .1^.2 + .01^.2) = .288."""
    entries = [
        {"number": number, "probability": chance}
        for number, chance in enumerate((0.69, 0.1, 0.1, 0.1, 0.01), 1)
    ]
    here = situation()._replace(actions=tuple("abcde"))
    reading = make_prior("verbalized", temperature=temperature).read(
        Query(here), [completion(json.dumps({"actions": entries}))]
    )
    assert reading.probabilities[0] == pytest.approx(best, abs=5e-4)


def test_priors_by_name():
    for kind in priors.KINDS:
        made = make_prior(kind)
        assert made.asks == (kind != "uniform") and made.remembers == (kind not in ("uniform", "static"))
        assert made.read(Query(situation()), None).probabilities == pytest.approx([1 / 3] * 3)
    for values, said in (
        ({"kind": "best"}, "expected one of verbalized"),
        ({"absent": 0.0}, "below 0"),
        ({"temperature": 0.0}, "above 0"),
        ({"samples": 0}, "1 or more"),
    ):
        with pytest.raises(ValueError, match=said):
            make_prior(**{"kind": "verbalized", **values})
    with pytest.raises(ValueError, match="asks nothing"):
        make_prior("uniform").request(Query(situation()))
