"""Exact equality of a model with a small game: every transition of it is compared."""

from __future__ import annotations

from collections.abc import Sequence

import pyspiel

from cwm.contract import manifest
from cwm.trust import held_out
from cwm.trust.trajectories import Trajectory

MAX_WALKED_MOVES = 20
MAX_WALKED_OUTCOMES = 60
"""Most outcomes at a chance node of a game that is walked whole."""
MAX_WALKED_JOINT = 5_000
"""Most moves that players who choose at once may make in a state of such a game."""


def may_be_small(game: pyspiel.Game) -> bool:
    """Whether it is tried to walk the game whole: its games are short, and its chance has few outcomes."""
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS and (
        game.num_distinct_actions() ** game.num_players() > MAX_WALKED_JOINT
    ):
        return False
    return game.max_game_length() <= MAX_WALKED_MOVES and game.max_chance_outcomes() <= MAX_WALKED_OUTCOMES


def walk(game: pyspiel.Game, limit: int = held_out.EXHAUSTIVE_LIMIT) -> list[Trajectory] | None:
    """Paths that take every transition of a small game (`held_out.every_transition`); None where it is large, of
    more than `limit` distinct states."""
    if not may_be_small(game):
        return None
    return held_out.every_transition(game, limit)


def settle(
    rungs: dict[str, manifest.Rung], source: str, paths: Sequence[Trajectory] | None
) -> held_out.HeldOutResult | None:
    """Settles the rung: compares every transition of a small game, on the paths of `walk`; leaves the rung untried and returns
    None where the game is large."""
    if paths is None:
        rungs["exact_equality"] = manifest.Rung(
            "exact_equality", figures={"reason": "the game is too large to walk whole"}
        )
        return None
    result = held_out.evaluate(source, paths)
    distinct = {
        (held_out.state_key(step), step.action)
        for path in paths
        for step in path.steps
        if step.action is not None
    }
    manifest.settle(
        rungs,
        "exact_equality",
        result.accuracy == 1.0,
        distinct_states=result.distinct_states,
        distinct_transitions=len(distinct),
        checked=result.transitions,
        passed=result.passed,
    )
    return result
