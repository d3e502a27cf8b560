"""Rollout functions: equal to games played move by move, or refused; and the search stays the same."""

from __future__ import annotations

import pytest

from cwm.contract import manifest
from cwm.worker import speed
from cwm.worker.search import uct
from cwm.worker.simulator import Simulator
from cwm.writing.rewriting import rollouts

PLAIN = """
import model

def rollout(state, rand):
    while model.current_player(state) != -4:
        if model.current_player(state) >= 0:
            actions = model.legal_actions(state)
            state = model.apply_action(state, actions[int(rand() * len(actions))])
        else:
            number = rand()
            for outcome, probability in model.chance_outcomes(state):
                number -= probability
                if number < 0:
                    break
            state = model.apply_action(state, outcome)
    return model.returns(state)
"""

PIG = """
def rollout(state, rand):
    scores, turn, player, rolling, moves = state
    scores = list(scores)
    while moves < 40 and max(scores) < 20:
        if not rolling:
            moves += 1
            if scores[player] + turn >= 20:
                rand()
                stop = True
            else:
                stop = rand() >= 0.5
            if stop:
                scores[player] += turn
                player, turn = (player + 1) % 3, 0
            rolling = not stop
            continue
        rolling = False
        number = rand()
        face = 0
        while face < 5:
            number -= 1.0 / 6.0
            if number < 0:
                break
            face += 1
        if face:
            turn += face + 1
        else:
            player, turn = (player + 1) % 3, 0
    if max(scores) < 20:
        return [0.0, 0.0, 0.0]
    return [1.0 if score >= 20 else -0.5 for score in scores]
"""


def test_a_right_function_agrees_where_there_is_chance(source_of):
    assert rollouts.compare(source_of("pig"), PIG, 5_000) >= 5_000


def test_the_text_of_the_prompt_is_what_is_compared_with(source_of):
    assert rollouts.compare(source_of("pig"), PLAIN, 2_000) >= 2_000


WRONG = {
    "the last action instead of a random one": (
        "int(rand() * len(actions))",
        "-1 if rand() else 0",
        "it returns",
    ),
    "another use of the number": (
        "int(rand() * len(actions))",
        "-1 - int(rand() * len(actions))",
        "it returns",
    ),
    "a number too many": (
        "    return model.returns(state)",
        "    rand()\n    return model.returns(state)",
        "random numbers",
    ),
    "a number too few": (
        "int(rand() * len(actions))",
        "int(rand() * len(actions)) if actions[1:] else 0",
        "random numbers",
    ),
    "returns of the other player": (
        "return model.returns(state)",
        "return list(model.returns(state))[::-1]",
        "it returns",
    ),
    "a crash": ("number = rand()", "number = rand() / 0", "it failed"),
    "no rollout at import": ("import model", "import model\nraise KeyError('no')", "it does not load"),
}


@pytest.mark.parametrize("change", WRONG)
def test_every_difference_is_found(source_of, change):
    old, new, expected = WRONG[change]
    assert old in PLAIN
    with pytest.raises(rollouts.Disagreement, match=expected):
        rollouts.compare(source_of("pig"), PLAIN.replace(old, new), 3_000)


@pytest.mark.parametrize("interpreter", ["cpython", "pypy", "cython"])
def test_the_search_finds_the_same_with_it(source_of, interpreter):
    if interpreter not in speed.available_interpreters():
        pytest.skip(f"there is no {interpreter} on this machine")
    found = []
    for rollout in (None, PIG):
        with Simulator(source_of("pig"), rollout_source=rollout, interpreter=interpreter) as simulator:
            found.append(simulator.search_at([], 0, {"simulations": 300, "rollouts": 3, "seed": 5}))
    assert found[0] == found[1] and sum(row["visits"] for row in found[0]["actions"]) == 299


def test_a_rollout_function_excludes_what_would_hide_it(source_of):
    class Model:
        NUM_PLAYERS, MIN_UTILITY, MAX_UTILITY = 1, 0.0, 1.0
        current_player = staticmethod(lambda state: 0)
        legal_actions = staticmethod(lambda state: [0])

    for other in ({"value": lambda state: [0.0]}, {"max_rollout_length": 3}):
        with pytest.raises(ValueError, match="rollout function together with"):
            uct.search(Model, (), simulations=2, rollout=lambda state, rand: [0.0], **other)


@pytest.fixture
def quick_race(monkeypatch):
    """Timing is not what is tested: with a rollout function a search is 2.5 times as fast."""
    monkeypatch.setattr(
        speed, "race", lambda contestants, **_: [250.0 if rollout else 100.0 for _, _, rollout in contestants]
    )
    monkeypatch.setattr(speed, "interpreter_report", lambda *programs: {"chosen": "cpython"})


def test_a_right_and_faster_one_is_kept_and_used(folder, scripted, answer, quick_race):
    wrong = PLAIN.replace("return model.returns(state)", "return [0.0, 0.0]")
    imports = "import os\n" + PLAIN
    named = PLAIN.replace("def rollout", "def playout")
    verdicts = rollouts.add(
        folder,
        scripted("no program", answer(imports), answer(named), answer(wrong), answer(PLAIN)),
        5,
        moves=500,
    )
    assert [verdict.accepted for verdict in verdicts] == [False] * 4 + [True]
    assert "'os'" in verdicts[1].reason and "rollout(state, rand)" in verdicts[2].reason
    loaded = manifest.load(folder)
    assert loaded.rollout_source == PLAIN and loaded.manifest["rollout"]["llm_calls"] == 5
    assert loaded.manifest["rollout"]["candidates"][4]["moves"] >= 500


def test_one_that_is_not_faster_is_refused(folder, scripted, answer, monkeypatch, quick_race):
    monkeypatch.setattr(speed, "race", lambda contestants, **_: [100.0] * len(contestants))
    (verdict,) = rollouts.add(folder, scripted(answer(PLAIN)), 1, moves=200)
    assert not verdict.accepted and "not faster with it (1.00 times" in verdict.reason
    assert manifest.load(folder).rollout_source is None


def test_a_rewriting_drops_the_rollout_function_of_the_old_states(
    folder, scripted, answer, source_of, quick_race, monkeypatch
):
    from cwm.writing.rewriting import optimization

    rollouts.add(folder, scripted(answer(PLAIN)), 1, moves=200)
    monkeypatch.setattr(
        speed,
        "race",
        lambda contestants, **_: [100.0 if number % 2 == 0 else 200.0 for number, _ in enumerate(contestants)],
    )
    optimization.optimize(
        folder, scripted(answer(source_of("tic_tac_toe") + "\n\nFASTER = 1\n")), 1, transitions=200
    )
    assert manifest.load(folder).rollout_source is None
    assert "verified.py" in manifest.load(folder).manifest["rollout"]["dropped"]
