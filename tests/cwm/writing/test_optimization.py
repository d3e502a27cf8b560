"""Rewritings for speed: only what agrees everywhere and is faster takes the verified model's place."""

from __future__ import annotations

import json

import pytest

from cwm.contract import manifest
from cwm.worker import speed
from cwm.writing.rewriting import optimization

RACE = {"before": 100.0, "after": 250.0}


@pytest.fixture
def quick_race(monkeypatch):
    """Timing is not what is tested: every candidate is 2.5 times as fast."""
    monkeypatch.setattr(
        speed,
        "race",
        lambda pairs, **_: [RACE["before"] if i % 2 == 0 else RACE["after"] for i in range(len(pairs))],
    )
    monkeypatch.setattr(speed, "interpreter_report", lambda *programs: {"chosen": "cpython"})


WRONG = {
    "a wrong winner": (
        "def returns(state):",
        "def returns(state):\n    return (0.0, 0.0)\n\n\ndef _old(state):",
        "returns is",
    ),
    "other action numbers": (
        "def action_name(state, action):",
        "def action_name(state, action):\n    return _old(state, 8 - action)\n\n\ndef _old(state, action):",
        "names is",
    ),
    "another observation": (
        "def observation(state, player):",
        "def observation(state, player):\n    return {'board': 1}\n\n\ndef _old(state, player):",
        "observations is",
    ),
    "another bound": ("MAX_GAME_LENGTH = 9", "MAX_GAME_LENGTH = 10", "the constants differ"),
    "a crash deep in a game": (
        "def legal_actions(state):",
        "def legal_actions(state):\n    if len(_old(state)) < 3:\n"
        "        raise KeyError('late')\n    return _old(state)\n\n\n"
        "def _old(state):",
        "the candidate failed",
    ),
}


@pytest.mark.parametrize("change", WRONG)
def test_differential_play_finds_every_difference(source_of, change):
    old, new, expected = WRONG[change]
    source = source_of("tic_tac_toe")
    assert old in source
    with pytest.raises(optimization.Disagreement, match=expected):
        optimization.differential_play(source, source.replace(old, new), 2_000)


def test_two_programs_of_one_game_agree(source_of):
    source = source_of("pig")
    assert optimization.differential_play(source, source + "\n\nUNUSED = 1\n", 1_000).transitions >= 1_000


def test_a_faster_right_rewriting_takes_the_place(folder, scripted, answer, source_of, quick_race):
    better = source_of("tic_tac_toe") + "\n\nFASTER = True\n"
    wrong = better.replace(*WRONG["a wrong winner"][:2])
    verdicts = optimization.optimize(
        folder, scripted("no program", answer(wrong), answer(better)), 3, transitions=500
    )
    assert [v.accepted for v in verdicts] == [False, False, True]
    assert manifest.load(folder).source == better
    assert open(folder + "/verified.py").read() == source_of("tic_tac_toe")
    kept = manifest.load(folder).manifest["optimization"]
    assert kept["llm_calls"] == 3 and "returns is" in kept["candidates"][1]["reason"]
    assert kept["candidates"][2]["transitions"] >= 500


def test_a_slower_rewriting_is_refused(folder, scripted, answer, source_of, quick_race, monkeypatch):
    monkeypatch.setitem(RACE, "after", 60.0)
    same = source_of("tic_tac_toe") + "\n\nSLOWER = True\n"
    (verdict,) = optimization.optimize(folder, scripted(answer(same)), 1, transitions=200)
    assert not verdict.accepted and "not faster (0.60 times" in verdict.reason
    assert manifest.load(folder).source == source_of("tic_tac_toe")


def test_a_resumed_optimization_asks_nothing_twice(folder, scripted, answer, source_of, quick_race):
    from language_models import LanguageModelError

    with pytest.raises(LanguageModelError):
        optimization.optimize(folder, scripted("nothing"), 2, transitions=200)
    second = scripted(answer(source_of("tic_tac_toe") + "\n\nX = 1\n"))
    verdicts = optimization.optimize(folder, second, 2, transitions=200)
    assert len(second.requests) == 1 and [v.accepted for v in verdicts] == [False, True]


def test_a_model_that_fails_its_tests_is_not_rewritten(folder, scripted):
    path = folder + "/manifest.json"
    content = json.load(open(path))
    content["rungs"][1]["status"] = "failed"
    json.dump(content, open(path, "w"))
    with pytest.raises(ValueError, match="only a model that passes its own tests"):
        optimization.optimize(folder, scripted(), 1)


def test_the_race_names_an_interpreter_that_is_there(source_of):
    report = speed.interpreter_report(source_of("connect_four"))
    assert report["chosen"] in speed.available_interpreters()
    assert all(rate > 0 for rate in report["simulations_per_second"].values())


def test_an_interpreter_that_searches_differently_is_not_chosen(source_of, monkeypatch):
    """A model that asks which interpreter it runs on: its results differ, so CPython it is."""
    sly = source_of("connect_four") + (
        "\n\ndef returns(state):\n    return _old(state) if _HERE else (0.0, 0.0)\n"
    )
    sly = sly.replace("def returns(state):", "def _old(state):", 1)
    sly = "import functools\n_HERE = hasattr(functools.reduce, '__text_signature__')\n" + sly
    if "pypy" not in speed.available_interpreters():
        pytest.skip("there is no pypy3 on this machine")
    monkeypatch.setattr(speed, "available_interpreters", lambda has_native: ["cpython", "pypy"])
    names = speed.faithful_interpreters(sly)
    assert names == ["cpython"], names
