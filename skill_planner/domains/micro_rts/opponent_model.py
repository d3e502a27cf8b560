"""The deeds of the opponent in a game of MicroRTS, and the conclusions that they suggest
(`opponent_model=true`).
"""

from __future__ import annotations

from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import PRODUCE
from games.micro_rts.rules.unit_tables import BARRACKS, BASE, HEAVY, LIGHT, RANGED, WORKER
from skill_planner.domains.micro_rts.parameters import MOBILE, NAMES
from skill_planner.planning.planner import render

_NEAR = 3
"""The number of steps from an own building at which a unit of the opponent is a threat."""


def describe(state: State, player: int) -> str:
    """Returns some lines for the prompt; all of it follows from the state, so that requests stay
    memoryless.
    """
    enemies = state.units_of(1 - player)
    buildings = [unit for unit in state.units_of(player) if unit.type in (BASE, BARRACKS)]
    army = {kind: sum(unit.type == kind for unit in enemies) for kind in MOBILE}
    making = [
        NAMES[state.jobs[unit.id].order.type]
        for unit in enemies
        if unit.id in state.jobs and state.jobs[unit.id].order.kind == PRODUCE
    ]
    return render(
        "micro_rts/opponent.j2",
        tally=state.tally(1 - player),
        own=state.tally(player),
        near=sum(
            any(state.map.steps(unit.cell, own.cell) <= _NEAR for own in buildings)
            for unit in enemies
            if unit.type in MOBILE
        ),
        steps=_NEAR,
        making=making,
        hints=_hints(state, army, enemies, making),
    )


def _hints(state: State, army: dict[int, int], enemies: list, making: list[str]) -> list[str]:
    has_barracks = any(unit.type == BARRACKS for unit in enemies)
    soldiers = army[LIGHT] + army[HEAVY] + army[RANGED]
    hints = []
    if army[WORKER] >= 4 and not soldiers:
        hints.append(
            "It relies on many workers: expect a worker rush, and keep as many workers as it has "
            "near your base."
        )
    if has_barracks or "barracks" in making:
        hints.append(
            "It goes for barracks: soldiers come soon, so attack before they are many, the barracks first."
        )
    if soldiers:
        strongest = max((LIGHT, HEAVY, RANGED), key=lambda kind: army[kind])
        hints.append(f"It fights mostly with {NAMES[strongest]} units.")
    if not any(unit.type == BASE for unit in enemies):
        hints.append("It has no base and cannot deliver resources: hunt down what is left.")
    if not hints:
        hints.append("It has shown no clear strategy yet.")
    return hints
