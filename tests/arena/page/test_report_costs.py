from __future__ import annotations

import pytest

from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.page.costs import costs


def record(moves, seats=("a", "b"), game="g", forfeit=None):
    return MatchRecord(game, seats, 0, 2, None, 2, tuple(moves), (1.0, -1.0), forfeit)


def test_time_is_that_of_the_bots_own_moves():
    played = [
        record([Move(0, 1), Move(-1, 0), Move(0, 1, 2.0), Move(1, 1, 0.5), Move(0, 1, 4.0)]),
        record([Move(0, 1, 0.25)], seats=("b", "a")),
    ]
    found = costs(played)["g"]
    assert (found["a"].matches, found["a"].moves, found["a"].mean_seconds()) == (2, 2, 3.0)
    assert (found["b"].matches, found["b"].moves, found["b"].mean_seconds()) == (2, 2, 0.375)


def test_the_slow_moves_are_those_above_the_95th_percentile():
    played = [record([Move(0, 1, float(second)) for second in range(101)])]
    assert costs(played)["g"]["a"].slow_seconds() == 95.0


def test_notes_are_summed_and_what_nobody_notes_is_none():
    played = [
        record(
            [
                Move(0, 1, 1.0, {"simulations": 10, "value": 3}),
                Move(0, 2, 1.0, {"simulations": 5}),
                Move(1, 1, 1.0, {"prompt_tokens": 7, "completion_tokens": None, "usd": 0.25}),
                Move(1, 1, 1.0, {"model_calls": 3, "completion_tokens": 2, "usd": 0.5}),
                Move(1, 1, 1.0, {"request": "key"}),
                Move(1, 1, 1.0),
            ]
        )
    ]
    a, b = costs(played)["g"].values()
    assert (a.simulations, a.model_calls, a.tokens, a.usd) == (15, None, None, None)
    assert (b.simulations, b.model_calls, b.tokens, b.usd) == (None, 5, 9, 0.75)


@pytest.mark.parametrize("value", ["many", True, None, [3]])
def test_notes_that_are_no_numbers_do_not_count(value):
    a = costs([record([Move(0, 1, 1.0, {"simulations": value})])])["g"]["a"]
    assert a.simulations is None


def test_games_are_apart():
    found = costs([record([Move(0, 1, 1.0)]), record([], game="h", seats=("a", "a"))])
    assert found["g"]["a"].moves == 1 and found["h"]["a"].matches == 2
    assert found["h"]["a"].mean_seconds() is found["h"]["a"].slow_seconds() is None


def test_the_calls_for_a_move_that_was_never_made_count():
    forfeit = ForfeitRecord(1, "illegal", "no such action", {"model_calls": 4, "usd": 0.5, "simulations": 9})
    b = costs([record([Move(1, 1, 1.0, {"model_calls": 1, "simulations": 2})], forfeit=forfeit)])["g"]["b"]
    assert (b.model_calls, b.usd, b.simulations, b.moves) == (5, 0.5, 2, 1)
