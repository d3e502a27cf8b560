"""A tree's choice of a move and an act as buttons of ViZDoom."""

from __future__ import annotations

import math
from typing import Any

from bt_policies.doom.view import SLOTS, DoomView
from games.fps_arena.rules import orders
from games.fps_arena.rules.weapons import NAMES

_TURN = 90.0
"""Degrees that the player turns by at most in one decision, as a soldier of fps_arena in a tick."""
_AIMED = 6.0
"""A shot is fired when the player has turned to the enemy to within so many degrees."""
_STRAIGHT = math.sin(math.radians(22.5))

_LOOKS = {orders.look(direction): direction for direction in range(8)}
_SWITCHES = {orders.switch(weapon): weapon for weapon in range(len(NAMES))}


def buttons(view: DoomView, move: int, act: int) -> dict[str, Any]:
    """Returns what the player does, in the form of `worker`.

    Args:
      view: what it knows.
      move, act: as in `games.fps_arena.rules.orders`; an enemy that is shot at is named by its label's number.
    """
    wanted, attack, weapon = view.angle, False, 0
    if act >= orders.FIRE and act - orders.FIRE in view.places:
        wanted = view.bearing(*view.places[act - orders.FIRE])
        attack = abs(_between(view.angle, wanted)) <= _TURN + _AIMED
    elif act in _LOOKS:
        wanted = _degrees(_LOOKS[act])
    elif act in _SWITCHES:
        weapon = SLOTS[_SWITCHES[act]]
    elif act == orders.GO and move:
        wanted = _degrees(move - 1)
    turn = max(-_TURN, min(_TURN, _between(view.angle, wanted)))
    forward = right = 0
    if move and view.moves:
        relative = math.radians(_degrees(move - 1) - (view.angle + turn))
        forward = _sign(math.cos(relative))
        right = _sign(-math.sin(relative))
    # The engine turns to the right by positive angles.
    return {"turn": -turn, "forward": forward, "right": right, "attack": attack, "weapon": weapon}


def _degrees(direction: int) -> float:
    """The angle of one of the eight directions in the engine: 0 in the east, 90 in the north."""
    return 90.0 - 45.0 * direction


def _between(old: float, new: float) -> float:
    """The smallest turn from one angle to another, to the left where it is positive."""
    return (new - old + 180) % 360 - 180


def _sign(share: float) -> int:
    return 0 if abs(share) < _STRAIGHT else 1 if share > 0 else -1
