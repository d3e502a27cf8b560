"""States of fps_arena with soldiers put where a test wants them."""

from __future__ import annotations

from games.fps_arena.rules.engine import State
from games.fps_arena.rules.orders import Codec
from games.fps_arena.rules.parameters import Rules
from games.fps_arena.rules.senses import look
from games.fps_arena.rules.soldier import NEVER

EAST, WEST = 2, 6


def rules(**parameters) -> Rules:
    """Rules of a duel in the open, without protection at the start."""
    return Rules.from_parameters(
        {
            "players": 2,
            "map": "open",
            "protection_ticks": 0,
            "pickups": 0,
            "start_weapon": "rifle",
            **parameters,
        }
    )


def run_of_floor(state: State, length: int) -> int:
    """The first of so many floor cells in a row from west to east, clear of the control point."""
    arena, floor = state.setting.arena, set(state.setting.arena.floor)
    return next(
        cell
        for cell in arena.floor
        if all(cell + step in floor and cell + step not in arena.zone for step in range(length))
    )


def put(state: State, player: int, cell: int, facing: int) -> None:
    """Puts a soldier somewhere."""
    state.soldiers[player].cell, state.soldiers[player].facing = cell, facing


def duel(distance: int, **parameters) -> State:
    """Players 0 and 1 that face each other in a row of floor, player 0 in the west."""
    state = State.start(rules(**parameters), 1)
    cell = run_of_floor(state, distance + 3) + 1
    put(state, 0, cell, EAST)
    put(state, 1, cell + distance, WEST)
    state.memories = [[(0, NEVER)] * 2 for _ in state.memories]
    look(state)
    return state


def order(state: State, move: int = 0, act: int = 0) -> int:
    """The number of an order."""
    return Codec(state.setting.rules.players).order(move, act)
