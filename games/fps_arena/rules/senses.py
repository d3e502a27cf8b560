"""Sight and hearing of soldiers; see `knowing.observation` for what they make of it."""

from __future__ import annotations

from typing import Protocol

from games.fps_arena.rules.setting import Setting
from games.fps_arena.rules.soldier import NEVER, Soldier


class Scene(Protocol):
    """The part of a moment that can be sensed; `engine.State` has the same attributes."""

    setting: Setting
    tick: int
    soldiers: list[Soldier]
    gone: list[int]

    def memory(self, soldier: Soldier) -> list[tuple[int, int]]: ...


def look(state: Scene) -> None:
    """Lets all soldiers look around. The engine calls this at the end of each tick; a caller that changes a
    state by hand calls it then."""
    tick, setting, soldiers = state.tick, state.setting, state.soldiers
    arena = setting.arena
    for soldier in soldiers:
        if soldier.health <= 0:
            continue
        view, bit = arena.view(soldier.cell), 1 << soldier.facing
        memory = state.memory(soldier)
        visible = []
        for player in setting.enemies[soldier.player]:
            enemy = soldiers[player]
            if enemy.health > 0 and view[enemy.cell] & bit:
                visible.append(player)
                memory[player] = (enemy.cell, tick)
            else:
                cell, seen = memory[player]
                if seen != NEVER and view[cell] & bit:
                    memory[player] = (0, NEVER)
        soldier.visible = tuple(visible)
        expected = soldier.expected
        for number, spot in enumerate(arena.pickups):
            if view[spot.cell] & bit:
                if state.gone[number] <= tick:
                    expected[number] = 0
                elif expected[number] <= tick:
                    expected[number] = tick + setting.rules.pickup_ticks


def sound(state: Scene, soldier: Soldier, reach: int, shot: bool) -> None:
    """Lets the enemies of a soldier that are within reach, in cells, hear its shot or step."""
    setting, cell = state.setting, soldier.cell
    reach *= reach
    for other in setting.enemies[soldier.player]:
        listener = state.soldiers[other]
        if listener.health > 0 and setting.squared(cell, listener.cell) <= reach:
            listener.heard[soldier.player] = (setting.blocks[cell], state.tick, shot)
