"""The orders that can be carried out, from what the soldier itself knows."""

from __future__ import annotations

from games.fps_arena.rules import orders
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.soldier import Soldier, can_reload


def _moves(state: State, soldier: Soldier) -> list[int]:
    """Returns staying, and the steps that the map allows; an enemy in the way is found out by trying."""
    if soldier.step_at > state.tick:
        return [orders.STAY]
    ways = state.setting.arena.neighbours[soldier.cell]
    return [move for move, cell in enumerate(ways) if cell >= 0]


def _acts(state: State, soldier: Soldier) -> list[int]:
    acts = [orders.GO, *map(orders.look, range(8))]
    acts += [
        orders.switch(weapon)
        for weapon, loaded in enumerate(soldier.magazines)
        if loaded >= 0 and weapon != soldier.weapon
    ]
    if can_reload(soldier, state.setting.rules):
        acts.append(orders.RELOAD)
    return acts + [orders.fire(player) for player in soldier.visible]


def legal_actions(state: State, player: int) -> list[int]:
    """Returns the orders that a player can give, in order; the dead can only wait, which is 0."""
    soldier = state.soldiers[player]
    if state.over:
        return []
    if soldier.health <= 0:
        return [0]
    acts = _acts(state, soldier)
    order = state.setting.codec.order
    return [order(move, act) for move in _moves(state, soldier) for act in acts]


def legal(state: State, player: int, action: int) -> int:
    """Returns the legal action that has the effect of any action, legal or not.

    Parts that cannot be carried out are left out, as the engine does: `east` becomes `look east` while the
    soldier cannot step. With several ticks a decision the effects are equal in the first of them.
    """
    soldier = state.soldiers[player]
    if soldier.health <= 0:
        return 0
    codec = state.setting.codec
    move, act = codec.moves_of[action], codec.acts_of[action]
    can_step = move in _moves(state, soldier)
    if act == orders.GO:
        return action if can_step else codec.order(orders.STAY, orders.look(move - 1))
    if not can_step:
        move = orders.STAY
    if act not in _acts(state, soldier):
        act = orders.look(soldier.facing)
    return codec.order(move, act)
