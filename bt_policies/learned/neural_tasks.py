"""Task nodes that are networks (PORTAL, section 3.1: Θ), for `tasks=neural` in fps_arena.

Each values options by one simple reward (`task_training`) and takes the best one:

    move_to          a cell near by to walk through on the way, by damage on the way and time to the goal
    take_cover_from  a cell near by to wait in, by damage in the ticks that follow
    shoot            an enemy in view, by damage done

The twins of rules are in `vocabularies.fps_actions`. Cells with an enemy in view on them are no options.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from bt_policies.learned import networks
from bt_policies.learned.cell_features import CELL_FEATURES, Near, cell_rows, near
from bt_policies.learned.networks import Network
from bt_policies.trees.vocabulary import FAILURE, RUNNING, SUCCESS
from games.fps_arena.rules import orders, weapons

Act = Callable[[Any, Any], int]
"""The type of a function such as `vocabulary.Action.act`."""
MOVE_REACH, COVER_REACH = 5, 8
"""The number of steps to the farthest options."""
DETOUR = 4
"""The number of steps that a way to the goal may be longer than the shortest one."""
_NOWHERE = 1e6

FEATURES = {
    "move_to": (*CELL_FEATURES, "detour", "steps_left", "is_goal"),
    "take_cover_from": CELL_FEATURES,
    "shoot": (
        "distance",
        "hit_chance",
        "moving",
        "covered",
        "enemy_health",
        "is_asked",
        "faces_me",
        "own_health",
        "damage",
        "magazine",
        *weapons.NAMES,
    ),
}
"""Task -> names of its network's inputs."""


def _free(seen: Any, around: Near) -> np.ndarray:
    """Returns a mask of the cells that are options: those whose way does not begin with a step into an enemy
    in view, and that none of these stands on.
    """
    free = np.ones(len(around.cells), bool)
    ways = seen.arena.neighbours[seen.cell]
    for enemy in seen.visible_enemies:
        free &= around.cells != enemy.cell
        if enemy.cell in ways:
            free &= around.moves != ways.index(enemy.cell)
    return free


def move_options(seen: Any, goal: int) -> tuple[Near, np.ndarray, np.ndarray]:
    """Returns (cells around, which of them are options, rows of `FEATURES`) for `move_to`. Options are cells
    nearer to the goal, by ways at most `DETOUR` steps longer than the shortest one, so that each step counts.
    """
    around = near(seen.arena, seen.cell, MOVE_REACH)
    field = seen.arena.field(goal).steps
    left = np.array([field[cell] for cell in around.cells.tolist()], float)
    options = _free(seen, around) & (left < left[0]) & (around.steps + left <= left[0] + DETOUR)
    rows = np.column_stack(
        (cell_rows(seen, around, goal), (around.steps + left - left[0]) / 8, left / 40, left == 0)
    )
    return around, options, rows


def cover_options(seen: Any, place: int) -> tuple[Near, np.ndarray, np.ndarray]:
    """Returns the same as `move_options`, for `take_cover_from`; to stay is an option."""
    around = near(seen.arena, seen.cell, COVER_REACH)
    options = _free(seen, around)
    options[0] = True
    return around, options, cell_rows(seen, around, place)


def shoot_rows(seen: Any, asked: int) -> np.ndarray:
    """Returns the rows of `FEATURES` for `shoot`, one for each enemy in view; `asked` is the task's player."""
    kind = seen.rules.weapons[seen.weapon]
    rows = np.zeros((len(seen.visible_enemies), len(FEATURES["shoot"])))
    for row, enemy in zip(rows, seen.visible_enemies):
        back = (seen.direction_to(enemy.cell) + 4 - enemy.facing) % 8
        row[:10] = (
            enemy.distance / 18,
            enemy.hit_chance,
            enemy.moving,
            enemy.covered,
            enemy.health / seen.max_health,
            enemy.player == asked,
            back in (7, 0, 1),
            seen.health / seen.max_health,
            kind.damage * kind.pellets / 100,
            seen.magazine / kind.magazine,
        )
        row[10 + seen.weapon] = 1
    return rows


def mover(network: Network) -> Act:
    """Returns `move_to` as a network carries it out."""

    def move_to(board: Any, cell: int) -> int:
        seen = board.seen
        goal = seen.arena.nearest_floor(cell)
        if goal == seen.cell:
            return SUCCESS
        if seen.can_step:
            around, options, rows = move_options(seen, goal)
            if not options.any():
                # Enemies stand in all ways, or there is none.
                board.move = seen.next_step_towards(goal)
                return RUNNING if board.move else FAILURE
            costs = network(rows)[:, 0]
            costs[~options] = _NOWHERE
            board.move = int(around.moves[costs.argmin()])
        else:
            # No step is due; where the soldier looks meanwhile is the rule's business.
            board.move = seen.next_step_towards(goal)
        return RUNNING

    return move_to


def hider(network: Network) -> Act:
    """Returns `take_cover_from` as a network carries it out."""

    def take_cover_from(board: Any, cell: int) -> int:
        seen = board.seen
        if not seen.can_step:
            board.move = seen.cover_step(cell)
            return RUNNING
        around, options, rows = cover_options(seen, cell)
        costs = network(rows)[:, 0]
        costs[~options] = _NOWHERE
        board.move = int(around.moves[costs.argmin()])
        return RUNNING if board.move else SUCCESS

    return take_cover_from


def shooter(network: Network) -> Act:
    """Returns `shoot` as a network carries it out."""

    def shoot(board: Any, enemy: Any) -> int:
        seen = board.seen
        if seen.reloading or not seen.magazine:
            return FAILURE
        worth = network(shoot_rows(seen, enemy.player))[:, 0]
        board.act = orders.fire(seen.visible_enemies[int(worth.argmax())].player)
        return SUCCESS

    return shoot


MAKERS: dict[str, Callable[[Network], Act]] = {"move_to": mover, "take_cover_from": hider, "shoot": shooter}
"""Task -> the function that plays it by a network."""


@functools.cache
def shipped(task: str) -> Act:
    """Returns the task with the weights that ship.

    Raises:
      ValueError: the weights are damaged or of another version.
    """
    return MAKERS[task](networks.load(networks.WEIGHTS / f"{task}.npz", task, FEATURES[task]))
