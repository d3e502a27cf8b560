"""Actions of trees in fps_arena. In a tick a soldier moves and acts; both are chosen apart from each other.

Acts (shooting, reloading, looking, switching) succeed at once, so that a sequence goes on to a move; moves
are under way (RUNNING) until they are there, which ends the tick. So `task: shoot X` before
`task: take_cover_from Y` shoots on the way to cover.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bt_policies.trees.vocabularies.fps_facts import effective, walking
from bt_policies.trees.vocabulary import FAILURE, RUNNING, SUCCESS, Action
from games.fps_arena.rules import orders
from games.fps_arena.rules.parameters import Rules

_FOLLOWS, _STRAFE_TICKS, _LOOK_TICKS = 2.0, 6, 4
_DIRECTIONS = 8


def _step(board: Any, move: int) -> int:
    """Goes on with a move; fails where there is no way."""
    if not move:
        return FAILURE
    board.move = move
    return RUNNING


def move_to(board: Any, cell: int) -> int:
    seen = board.seen
    return SUCCESS if cell == seen.cell else _step(board, seen.next_step_towards(cell))


def _retreat_from(board: Any, cell: int) -> int:
    return _step(board, board.seen.next_step_away(cell))


def take_cover_from(board: Any, cell: int) -> int:
    board.move = board.seen.cover_step(cell)
    return RUNNING if board.move else SUCCESS


def _flank(board: Any, cell: int) -> int:
    return SUCCESS if cell == board.seen.cell else _step(board, board.seen.flank_step(cell))


def _strafe_around(board: Any, cell: int) -> int:
    seen = board.seen
    side = 2 if seen.tick // _STRAFE_TICKS % 2 else -2
    board.move = (seen.direction_to(cell) + side) % _DIRECTIONS + 1
    return RUNNING


def _keep_range_to(board: Any, cell: int) -> int:
    seen = board.seen
    distance = seen.euclid(cell)
    if distance > seen.effective_range:
        return _step(board, seen.next_step_towards(cell))
    if distance < seen.effective_range / 2:
        return _step(board, seen.next_step_away(cell))
    return RUNNING


def _hold_position(board: Any, value: Any) -> int:
    return RUNNING


def _patrol(board: Any, value: Any) -> int:
    seen = board.seen
    if board.patrol is None or board.patrol == seen.cell or seen.distance(board.patrol) < 0:
        board.patrol = seen.random_cell(board.rng)
    return _step(board, seen.next_step_towards(board.patrol))


def _follow(board: Any, ally: Any) -> int:
    seen = board.seen
    if ally.distance <= _FOLLOWS:
        return SUCCESS
    return _step(board, seen.next_step_towards(ally.cell))


def shoot(board: Any, enemy: Any) -> int:
    seen = board.seen
    if seen.reloading or not seen.magazine:
        return FAILURE
    board.act = orders.fire(enemy.player)
    return SUCCESS


def _reload(board: Any, value: Any) -> int:
    seen = board.seen
    if not seen.reloading:
        full = seen.rules.weapons[seen.weapon].magazine
        if seen.reserve == 0 or seen.magazine >= full:
            return FAILURE
        board.act = orders.RELOAD
    return SUCCESS


def _switch_to(board: Any, weapon: int) -> int:
    seen = board.seen
    if weapon not in seen.weapons:
        return FAILURE
    if weapon != seen.weapon:
        board.act = orders.switch(weapon)
    return SUCCESS


def _look_at(board: Any, cell: int) -> int:
    if cell == board.seen.cell:
        return FAILURE
    board.act = orders.look(board.seen.direction_to(cell))
    return SUCCESS


def _look_around(board: Any, value: Any) -> int:
    seen = board.seen
    if seen.tick % _LOOK_TICKS == 0:
        board.act = orders.look((seen.facing + 2) % _DIRECTIONS)
    return SUCCESS


def _network(task: str) -> Callable[[], Callable[[Any, Any], int]]:
    """Returns the twin of a rule that is a network; its weights are read when a tree wants it."""

    def make() -> Callable[[Any, Any], int]:
        from bt_policies.learned import neural_tasks

        return neural_tasks.shipped(task)

    return make


def _move(
    name: str,
    meaning: str,
    act: Callable[[Any, Any], int],
    *takes: str,
    also: tuple[str, ...] = (),
    neural: Callable[[], Any] | None = None,
) -> Action:
    return Action(name, meaning, act, takes, ("seen", *also), ("move", *also), neural)


def _act(
    name: str,
    meaning: str,
    act: Callable[[Any, Any], int],
    *takes: str,
    neural: Callable[[], Any] | None = None,
) -> Action:
    return Action(name, meaning, act, takes, ("seen",), ("act",), neural)


def actions(rules: Rules) -> list[Action]:
    """Returns the actions, their meanings by these rules."""
    return [
        _act(
            "shoot",
            "turns to the enemy and fires when the weapon can (also between two shots it succeeds); fails while reloading "
            "or without rounds",
            shoot,
            "enemy",
            neural=_network("shoot"),
        ),
        _act("reload", "begins to reload, or goes on; fails with a full magazine or without reserve", _reload),
        _act("switch_to", "takes the weapon in hand; fails if I do not carry it", _switch_to, "weapon"),
        _act("look_at", "faces the place while moving or standing", _look_at, "location"),
        _act("look_around", f"turns a quarter every {_LOOK_TICKS} ticks", _look_around),
        _move(
            "move_to",
            "walks there by the shortest way; succeeds when there",
            move_to,
            "location",
            neural=_network("move_to"),
        ),
        _move("retreat_from", "walks away from it", _retreat_from, "location"),
        _move(
            "take_cover_from",
            "walks to the nearest place, up to 8 steps away, that is out of sight from there or behind low cover; succeeds "
            "when there, and where there is none",
            take_cover_from,
            "location",
            neural=_network("take_cover_from"),
        ),
        _move("flank", "walks there by a way out of its line of sight", _flank, "location"),
        _move(
            "strafe_around",
            f"steps sideways, to and fro, for as long as it is asked: in {walking(rules)} my own spread is "
            f"{rules.moving_spread:g} times as wide, and the enemy's {rules.target_spread:g} times",
            _strafe_around,
            "location",
        ),
        _move(
            "keep_range_to",
            f"walks nearer or away, to between half and all of the distance at which half of my shots hit ({effective(rules)}); "
            "stands there",
            _keep_range_to,
            "location",
        ),
        _move("follow", f"walks to the teammate; succeeds within {_FOLLOWS:g} cells", _follow, "ally"),
        _move("patrol", "walks to random places of the map, one after the other", _patrol, also=("patrol",)),
        _move("hold_position", "stands still, which widens nobody's spread", _hold_position),
    ]
