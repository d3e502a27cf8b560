"""Failures in groups, readings, and sentences that are called false."""

from __future__ import annotations

from pathlib import Path

import pyspiel
import pytest

import spielwright  # noqa: F401  (registers every game)
from cwm.trust import checks, trajectories
from cwm.writing.hypotheses import readings
from cwm.writing.hypotheses.contradictions import contradictions_in
from cwm.writing.hypotheses.grouping import grouped

MODELS = Path(__file__).parents[2] / "models"


def failures_of(source, games):
    holder = checks.Holder(source)
    try:
        return [checks.every_failure(holder, game, index) for index, game in enumerate(games)]
    finally:
        holder.close()


@pytest.fixture(scope="module")
def leduc():
    source = (MODELS / "leduc.py").read_text()
    return source, tuple(trajectories.collect(pyspiel.load_game("leduc_poker"), 12, 5))


def test_a_right_program_has_no_groups(leduc):
    source, games = leduc
    assert grouped(failures_of(source, games), games) == []


def broken(source):
    """The program with chips that are told wrong by one, in every state."""
    return source + (
        "\n_right_observation = observation\n\n\ndef observation(state, player):\n"
        "    seen = dict(_right_observation(state, player))\n"
        "    seen['chips'] = [count + 1 for count in seen['chips']]\n    return seen\n"
    )


def test_every_failed_transition_is_in_one_group(leduc):
    source, games = leduc
    wrong = broken(source)
    groups = grouped(failures_of(wrong, games), games)
    failed = sum(verdicts.count(False) for _, verdicts in checks.transition_verdicts(wrong, games))
    assert failed == sum(len(game.actions) for game in games)
    # Only the first transition of each game does not follow on a failed one.
    assert sum(len(group.first) for group in groups) == len(games)
    assert all("observation `chips`" in group.wrong for group in groups)
    assert all(group.passed == 0 for group in groups)


def test_a_group_says_what_fails_how_often_and_what_was_seen_before(leduc):
    source, games = leduc
    wrong = source + (
        "\n_right_returns = returns\n\n\ndef returns(state):\n"
        "    added = 1.0 if current_player(state) == -4 else 0.0\n"
        "    return [amount + added for amount in _right_returns(state)]\n"
    )
    groups = grouped(failures_of(wrong, games), games)
    ends = {game.actions[-1] for game in games}
    assert sum(len(group.first) for group in groups) == len(games) and len(groups) == len(ends)
    assert all(group.wrong == ("returns",) and group.later == 0 for group in groups)
    shortest = min(games, key=lambda game: len(game.actions))
    example = min(groups, key=lambda group: len(group.first[0].history)).example
    assert f"After {len(shortest.actions) - 1} actions" in example and '"chips"' in example
    for group in groups:
        kind = group.action.split("`")[1]
        same = [step for game in games for step in game.steps[:-2] if step.action == kind]
        assert group.passed == len(same) and f"{len(same)} with this kind of action pass" in group.counts


def test_what_the_replay_never_reached_is_no_failure_of_its_own(leduc):
    source, games = leduc
    wrong = source + "\n_right = apply_action\n\n\ndef apply_action(state, action):\n    return 1 // 0\n"
    found = failures_of(wrong, games)
    assert [len(own) for own in found] == [1] * len(games)
    [group] = grouped(found, games)
    assert "ZeroDivisionError" in group.wrong[0] and len(group.first) == len(games)


# Readings.

PROGRAM = """A = 1  # READING: 1 | 2 | 3
B = "x"  # READING: "x" | "y"
C = 5
D = 7  # READING: 7 | open("/etc/passwd") | 7
"""


def test_readings_are_constants_with_literal_alternatives():
    assert readings.readings_in(PROGRAM) == [("A", "1", ("2", "3")), ("B", '"x"', ('"y"',))]


def test_a_choice_changes_one_line():
    changed = readings.with_choice(PROGRAM, "B", '"y"')
    assert [
        (old, new) for old, new in zip(PROGRAM.splitlines(), changed.splitlines(), strict=True) if old != new
    ] == [('B = "x"  # READING: "x" | "y"', 'B = "y"  # READING: "x" | "y"')]


def test_choices_that_pass_more_are_kept_together():
    def failed(source):
        return 4 - 3 * ("A = 3 " in source) - ('B = "y"' in source)

    found = readings.tried(PROGRAM, failed)
    assert next(iter(found)) == PROGRAM and found[PROGRAM] == 4
    [best] = [source for source, misses in found.items() if misses == 0]
    assert "A = 3 " in best and 'B = "y"' in best and "C = 5" in best
    assert len(found) <= readings.MOST_TRIALS


def test_a_program_without_readings_is_tried_as_it_is():
    assert readings.tried("X = 1\n", lambda source: 2) == {"X = 1\n": 2}


# Sentences that are called false.


def test_contradictions_are_lines_of_their_own():
    text = "Text about CONTRADICTION: in passing\n  # CONTRADICTION: Pawns go back. \n#CONTRADICTION: B\nCONTRADICTION: B\n"
    assert contradictions_in(text) == ["Pawns go back.", "B"]
