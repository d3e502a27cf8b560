"""An estimate of the time that the held-out test will take, measured on a few states."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyspiel

from cwm.trust import exact_equality, held_out, moves
from cwm.trust.players import Player
from cwm.trust.trajectories import Trajectory, described_step

STATES = 12
"""Most states at which each test player is timed."""
SECONDS = 1.0
"""Time after which a player is timed no further; its first move is always measured."""


@dataclass(frozen=True)
class Estimate:
    """The expected size and time of the held-out test.

    Attributes:
      transitions: expected number of transitions.
      seconds: expected time of playing and recording them; the time of the model's own replay comes on top.
      walk: time, at most, in which it is found whether the game is small enough to compare every transition; 0
        where that is not tried.
    """

    transitions: int
    seconds: float
    walk: float = 0.0


def held_out_test(
    game: pyspiel.Game,
    samples: Sequence[Trajectory],
    players: Sequence[Player],
    test_transitions: int,
    test_games: int,
    *,
    states: int = STATES,
    seconds: float = SECONDS,
) -> Estimate:
    """Estimates the held-out test from the moves of its players in states of a few games.

    Args:
      game: the ground truth.
      samples: games of random play, at least one; their length stands for that of the test games.
      players: the test players.
      test_transitions, test_games: least size of the test.
      states: most states at which each player is timed.
      seconds: time after which a player is timed no further.
    """
    length = sum(len(sample.actions) for sample in samples) / len(samples)
    transitions = max(test_transitions, math.ceil(test_games * length))
    positions, recording = _positions(game, samples[0], states, seconds)
    start, choosing = 0.0, 0.0
    for player in players:
        first, mean = _timed(player, positions, seconds)
        start, choosing = start + max(0.0, first - mean), choosing + mean / len(players)
    # Where players choose at once, each of them is asked.
    deciding = sum(step.choices for sample in samples for step in sample.steps)
    share = deciding / max(1, sum(len(sample.actions) for sample in samples))
    walk = held_out.EXHAUSTIVE_LIMIT * recording if exact_equality.may_be_small(game) else 0.0
    return Estimate(transitions, start + transitions * (recording + share * choosing), walk)


def _positions(
    game: pyspiel.Game, sample: Trajectory, states: int, seconds: float
) -> tuple[list[pyspiel.State], float]:
    """States of a game in which a player decides, spread evenly, and the mean time to record a step."""
    state, found, times = game.new_initial_state(), [], []
    deciding = [number for number, step in enumerate(sample.steps) if step.choices]
    every = max(1, math.ceil(len(deciding) / states))
    wanted = set(deciding[::every])
    for number, name in enumerate(sample.actions):
        if number in wanted:
            found.append(state.clone())
        move = moves.from_name(state, name)
        if sum(times) < seconds:
            begin = time.perf_counter()
            described_step(state, move)
            times.append(time.perf_counter() - begin)
        moves.apply(state, move)
    return found, sum(times) / max(1, len(times))


def _timed(player: Player, positions: Sequence[pyspiel.State], seconds: float) -> tuple[float, float]:
    """The time of a player's first move, with all that it prepares then, and the mean time of its moves after."""
    rng, times = np.random.default_rng(0), []
    # Where the first move prepares the others, the first state comes twice, and that move is no measure of them.
    twice = player.prepares
    for state in [*(positions[:1] if twice else ()), *positions]:
        begin = time.perf_counter()
        asked = moves.choosing(state)[:1] if state.is_simultaneous_node() else []
        player.choose(state.clone(), rng, *asked)
        times.append(time.perf_counter() - begin)
        if sum(times[twice:]) > seconds:
            break
    rest = times[twice:]
    mean = sum(rest) / max(1, len(rest))
    return (times[0] if times and twice else mean), mean


def in_words(seconds: float) -> str:
    """A time for a reader, in one unit."""
    if seconds < 1:
        return "less than a second"
    for most, size, unit in ((100, 1, "s"), (100 * 60, 60, "min"), (100 * 3600, 3600, "h")):
        if seconds < most:
            return f"about {seconds / size:.0f} {unit}"
    return f"about {seconds / 86400:.0f} days"
