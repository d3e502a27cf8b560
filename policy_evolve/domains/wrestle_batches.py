"""Batches of wrestle matches: the referee's process, see `wrestle_referee`, and the actions as they are played there."""

from __future__ import annotations

import importlib.resources
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pyspiel

from arena.matches.openings import opening_actions
from games.wrestle.engine import checked_action
from games.wrestle.physics import STARTS, World, step
from sandbox import InterpreterMissing, Limits, Worker

_PACKAGES = """
import sys, types
for name in ("games", "games.wrestle"):
    module = types.ModuleType(name)
    module.__path__ = []
    sys.modules[name] = module
"""
_NAMED = """
import sys, physics
sys.modules["games.wrestle.physics"] = physics
"""
_FRAME_BYTES = 1 << 26
_STEP_SECONDS = 120.0

Controls = tuple[float, float]
"""Force, and turn in degrees."""


def _text(package: str, name: str) -> str:
    return importlib.resources.files(package).joinpath(f"{name}.py").read_text("utf-8")


def _state(game: pyspiel.Game, world: World) -> pyspiel.State:
    state = game.new_initial_state()
    state.world = world
    return state


class WrestleReferee:
    """The referee of one batch; its process runs on PyPy where there is one, to the same results.

    Args:
      game: the game, whose rules all matches have but for their starts.
      continuous: whether forces and turns are played as they are answered; else as the nearest of the game's grid.
    """

    starts = tuple(STARTS)
    function = "act_in_wrestle"

    def __init__(self, game: pyspiel.Game, continuous: bool):
        self._game = game
        self._continuous = continuous
        sources = {
            "packages": _PACKAGES,
            "physics": _text("games.wrestle", "physics"),
            "named": _NAMED,
            "rendering": _text("games.wrestle", "rendering"),
            "referee": _text("policy_evolve.domains", "wrestle_referee"),
        }
        limits = Limits(frame_bytes=_FRAME_BYTES)
        try:
            self._worker = Worker(sources, interpreter="pypy", limits=limits)
        except InterpreterMissing:
            self._worker = Worker(sources, limits=limits)

    def opening(self, start: str, seed: int, plies: int) -> list[list[Controls]]:
        """Returns the joint actions of the random opening of a match with this seed; no start is the game's own."""
        parameters = {**self._game.get_parameters(), "start": start or self._game.rules.start}
        game = pyspiel.load_game("wrestle", parameters)
        moves = [move.action for move in opening_actions(game, seed, plies, joint=True)]
        grid = self._game.grid
        return [
            [grid.value(action) for action in moves[index : index + 2]] for index in range(0, len(moves), 2)
        ]

    @staticmethod
    def positions(
        game: pyspiel.Game, start: str, course: Sequence[Sequence[Controls]]
    ) -> list[tuple[pyspiel.State, tuple[()]]]:
        """Returns the states of a recorded match, as of `arena.matches.positions.positions` but without moves."""
        rules = game.rules
        world = STARTS[start or rules.start]
        worlds = [world]
        for actions in course:
            world = step(world, actions, rules.decay, rules.permanent_fatigue)
            worlds.append(world)
        return [(_state(game, world), ()) for world in worlds]

    def begin(self, matches: Sequence[tuple[str, list[list[Controls]]]]) -> list[dict[str, Any]]:
        """Sets up matches, each a start and the actions of its opening; see `wrestle_referee.begin`."""
        rules = asdict(self._game.rules)
        placed = [(start or rules["start"], opening) for start, opening in matches]
        return self._worker.call("begin", rules, placed, timeout=_STEP_SECONDS)

    def controls(self, answer: object) -> Controls:
        """Returns the action that an answer stands for.

        Raises:
          ValueError: for none.
        """
        played = checked_action(answer)
        return played if self._continuous else self._game.grid.value(self._game.grid.nearest(*played))

    def advance(self, moves: Sequence[tuple[int, Sequence[Controls]]]) -> list[dict[str, Any]]:
        """Makes a step in each of the matches named by number; see `wrestle_referee.advance`."""
        return self._worker.call("advance", list(moves), timeout=_STEP_SECONDS)

    def close(self) -> None:
        """Ends the process."""
        self._worker.close()
