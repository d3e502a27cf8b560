"""The estimate of the held-out test, by a clock that the players turn on themselves."""

from __future__ import annotations

import pytest

from arena.registry.games import load_game
from cwm.trust.players import Player
from cwm.trust.trajectories import choose_randomly, collect
from cwm.writing.preparation import estimate


class Clock:
    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(estimate, "time", made)
    return made


def slow(clock, seconds, first=0.0):
    """A player whose moves take `seconds`, and the first of all `first` more."""
    waits = [first]

    def choose(state, rng):
        clock.now += seconds + (waits.pop() if waits else 0.0)
        return choose_randomly(state, rng)

    return Player("slow", choose, first > 0)


def test_the_time_is_that_of_the_moves_and_of_the_preparation(clock):
    """1,000 moves, half of them of 0.1 s and half of 0.3 s, and 7 s before the first."""
    game = load_game("tic_tac_toe")
    samples = list(collect(game, 2, 0))
    players = [slow(clock, 0.1), slow(clock, 0.3, first=7.0)]
    found = estimate.held_out_test(game, samples, players, 1_000, 1)
    assert found.transitions == 1_000
    assert found.seconds == pytest.approx(1_000 * 0.2 + 7.0)


def test_many_short_games_are_as_long_as_they_are():
    """100 games of Kuhn poker, whose moves are two deals and two or three actions."""
    game = load_game("kuhn_poker")
    found = estimate.held_out_test(game, list(collect(game, 5, 0)), (), 10, 100)
    assert 400 <= found.transitions <= 500


def test_only_the_moves_of_players_take_a_players_time(clock):
    """In a game of Kuhn poker with two deals and two actions, half of the steps."""
    game = load_game("kuhn_poker")
    samples = [one for one in collect(game, 30, 0) if len(one.actions) == 4][:1]
    found = estimate.held_out_test(game, samples, [slow(clock, 1.0)], 100, 1)
    assert found.seconds == pytest.approx(50.0)


def test_a_slow_player_is_asked_once(clock):
    game = load_game("tic_tac_toe")
    found = estimate.held_out_test(game, list(collect(game, 1, 0)), [slow(clock, 60.0)], 10, 1, seconds=1.0)
    assert clock.now == 60.0 and found.seconds == pytest.approx(600.0)


def test_only_a_game_that_may_be_small_is_walked(clock, monkeypatch):
    """Recording a step takes 2 ms by this clock, and 20,000 of them 40 s."""
    real = estimate.described_step

    def described_step(state, action):
        clock.now += 0.002
        return real(state, action)

    monkeypatch.setattr(estimate, "described_step", described_step)
    for name, seconds in (("tic_tac_toe", 40.0), ("connect_four", 0.0)):
        game = load_game(name)
        found = estimate.held_out_test(game, list(collect(game, 1, 0)), (), 100, 1)
        assert found.walk == pytest.approx(seconds) and found.seconds == pytest.approx(0.2)


@pytest.mark.parametrize(
    "seconds, words",
    [
        (0.3, "less than a second"),
        (12.4, "about 12 s"),
        (600, "about 10 min"),
        (4 * 3600, "about 4 h"),
        (10 * 86400, "about 10 days"),
    ],
)
def test_a_time_in_words(seconds, words):
    assert estimate.in_words(seconds) == words
