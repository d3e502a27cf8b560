"""The rules, the map and the tables of both that all states of one game of `fps_arena` share."""

from __future__ import annotations

import functools

from games.fps_arena.rules import maps, orders, terrain, weapons
from games.fps_arena.rules.parameters import Rules


class Setting:
    """The rules, the map, and the tables of both.

    Attributes:
      enemies: for each player the players of other teams.
      pickup_at: from the cell of a pick-up to its number.
      turns: the facing after a tick of turning, by old and wanted facing.
      blocks: for each cell a cell in the middle of the block of 4 by 4 that it is in.
      covers, flanks: results that `routes` has computed.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.arena = maps.arena_of(rules)
        self.codec = orders.Codec(rules.players)
        self.enemies = [
            tuple(other for other in range(rules.players) if rules.team(other) != rules.team(player))
            for player in range(rules.players)
        ]
        self.pickup_at = {spot.cell: number for number, spot in enumerate(self.arena.pickups)}
        self.turns = [[_turned(old, new, rules.turn_rate) for new in range(8)] for old in range(8)]
        self.blocks = [self._rough(cell) for cell in range(rules.size**2)]
        self.covers: dict[tuple[int, int], int | None] = {}
        self.flanks: dict[int, bytes] = {}
        self._chances: dict[tuple[int, int, bool, bool], float] = {}

    def __deepcopy__(self, memo: object) -> Setting:
        return self

    def _rough(self, cell: int) -> int:
        size = self.rules.size
        x, y = cell % size // 4 * 4 + 2, cell // size // 4 * 4 + 2
        return min(y, size - 1) * size + min(x, size - 1)

    def squared(self, cell: int, other: int) -> int:
        """Returns the square of the distance between two cells."""
        size = self.rules.size
        return (cell % size - other % size) ** 2 + (cell // size - other // size) ** 2

    def towards(self, cell: int, other: int) -> int:
        """Returns the direction from a cell to another one."""
        size = self.rules.size
        return maps.direction(other % size - cell % size, other // size - cell // size)

    def covered(self, shooter: int, target: int) -> bool:
        """Says whether low cover protects a soldier in cell `target` from a shot out of cell `shooter`."""
        size = self.rules.size
        dx, dy = shooter % size - target % size, shooter // size - target // size
        if max(abs(dx), abs(dy)) <= self.rules.cover_distance:
            return False
        step_x, step_y = orders.DIRECTIONS[maps.direction(dx, dy)]
        return self.arena.heights[target + step_y * size + step_x] == terrain.LOW

    def hit_chance(self, weapon: int, squared: int, moving: bool, target_moving: bool) -> float:
        """Returns the probability that a pellet hits where there is no cover, at a squared distance."""
        key = weapon, squared, moving, target_moving
        known = self._chances.get(key)
        if known is None:
            rules = self.rules
            widening = rules.moving_spread if moving else 1.0
            widening *= rules.target_spread if target_moving else 1.0
            known = self._chances[key] = weapons.hit_chance(rules.weapons[weapon], squared**0.5, widening)
        return known


@functools.lru_cache(maxsize=8)
def setting_of(rules: Rules) -> Setting:
    """Returns the setting of these rules, made once."""
    return Setting(rules)


def _turned(old: int, new: int, most: int) -> int:
    """Returns the facing after a turn from `old` towards `new` by at most `most` eighths of a full turn."""
    change = (new - old + 3) % 8 - 3
    return (old + max(-most, min(most, change))) % 8


def forget() -> None:
    """Drops all settings and maps, so that their tables are computed again; for measurements."""
    setting_of.cache_clear()
    maps.forget()
