"""A language model is asked for a rollout function of a model in C: what is shown, what goes back, what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from cwm.contract import manifest
from cwm.worker import speed
from cwm.worker.native import compiling
from cwm.worker.simulator import Simulator
from cwm.writing.rewriting import native_judging, native_rollouts, native_writing
from cwm.writing.rewriting.native_judging import NativeCandidate

needs_compiler = pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing()))
FEW = 100
MOVE_BY_MOVE = """
void rollout(const State *state, Random *random, double *amounts)
{
    State s = *state;
    while (current_player(&s) != TERMINAL_PLAYER) {
        int actions[NUM_DISTINCT_ACTIONS];
        int count = legal_actions(&s, actions);
        apply_action(&s, actions[random_below(random, count)]);
    }
    returns(&s, amounts);
}
"""
FIRST_MOVES = MOVE_BY_MOVE.replace(
    "actions[random_below(random, count)]", "actions[0 * random_below(random, count)]"
)


def _answer(function: str) -> str:
    return f"Here it is.\n```c\n{function}```\n"


@pytest.fixture
def native(folder):
    """Text of an accepted model in C without a rollout function, that of the `folder`."""
    text = (Path(__file__).parents[1] / "models" / "tic_tac_toe.c").read_text(encoding="utf-8")
    verdict = NativeCandidate(True, "by the test", 7, {"cpython": 1, "native": 2})
    native_judging.install(folder, manifest.load(folder), text, verdict)
    return text


@pytest.fixture
def raced(monkeypatch):
    """Timing is not what is tested: with the function a search is twice as fast."""
    rates = [50.0, 100.0]
    measured = {"cpython": 10, "native": 100}
    monkeypatch.setattr(
        speed, "interpreter_report", lambda *programs: {"chosen": "native", "simulations_per_second": measured}
    )
    monkeypatch.setattr(speed, "race", lambda contestants: rates)
    return rates


@needs_compiler
def test_what_is_wrong_goes_back_until_a_right_function_comes(folder, native, scripted, raced, quick_builds):
    llm = scripted("no function", _answer(FIRST_MOVES), _answer(MOVE_BY_MOVE))
    verdicts = native_rollouts.add(folder, llm, 3, FEW)
    assert [verdict.accepted for verdict in verdicts] == [False, False, True]
    assert verdicts[0].reason == native_writing.NO_FILE and verdicts[1].reason.startswith(
        "rollout, random game"
    )
    assert "2.00 times as fast as the model in C without it" in verdicts[2].reason
    first, second, third = (request.messages[-1].content for request in llm.requests)
    assert native.strip() in first and "native.h: the contract" in first
    assert "# Your function so far" not in first + second
    assert FIRST_MOVES.strip() in third and verdicts[1].reason in third
    loaded = manifest.load(folder)
    assert loaded.native_source == native_rollouts.joined(native, MOVE_BY_MOVE)
    told = loaded.manifest["native"]
    assert told["candidates"][0]["reason"] == "by the test"
    assert [one["reason"] for one in told["rollout"]["candidates"]] == [verdict.reason for verdict in verdicts]
    with Simulator(loaded.source, native_source=loaded.native_source, interpreter="native") as simulator:
        assert simulator.call("native_driver.facts")["has_rollout"]
    with pytest.raises(ValueError, match="has a rollout function"):
        native_rollouts.add(folder, llm)


@needs_compiler
def test_a_function_that_makes_nothing_faster_is_refused(folder, native, scripted, raced, quick_builds):
    raced[1] = raced[0]
    [verdict] = native_rollouts.add(folder, scripted(_answer(MOVE_BY_MOVE)), 0, FEW)
    assert not verdict.accepted and "not faster than in the model in C without it" in verdict.reason
    loaded = manifest.load(folder)
    assert loaded.native_source == native and not loaded.manifest["native"]["rollout"]["accepted"]


def test_without_a_model_in_c_nothing_is_asked(folder, scripted):
    llm = scripted()
    with pytest.raises(ValueError, match="--language=c first"):
        native_rollouts.add(folder, llm)
    assert llm.requests == []
