"""The evaluation of a position for a player, from units and money alone."""

from __future__ import annotations

import math

from games.micro_rts.rules.engine import State
from games.micro_rts.rules.unit_tables import RESOURCE, WORKER

_BANK, _CARRIED, _UNIT = 20, 10, 40


def material(state: State, player: int) -> float:
    """Returns the sum of money, carried resources, and each unit's cost by the square root of its share of hit
    points.
    """
    total = _BANK * state.banks[player]
    for unit in state.units.values():
        if unit.player == player and unit.type != RESOURCE:
            kind = state.table[unit.type]
            total += _UNIT * kind.cost * math.sqrt(unit.hp / kind.hp)
            if unit.type == WORKER:
                total += _CARRIED * unit.carried
    return total


def advantage(state: State, player: int) -> float:
    """Returns the advantage of a player, from -1 to 1: by material, and 1 or -1 where the game is won or lost.

    SimpleSqrtEvaluationFunction3 of MicroRTS as its descriptions have it (Ontañón, Combinatorial
    Multi-Armed Bandits for Real-Time Strategy Games, JAIR 2017, section 7), as a share of the sum.
    """
    if state.over:
        return 0.0 if state.winner < 0 else 1.0 if state.winner == player else -1.0
    own, other = max(material(state, player), 0.0), max(material(state, 1 - player), 0.0)
    return (own - other) / (own + other) if own + other else 0.0
