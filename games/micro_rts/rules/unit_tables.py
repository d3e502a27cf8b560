"""The three unit tables of MicroRTS: cost, hit points, damage, times and abilities of each type of unit.

Numbers are those of the engine inside gym-microrts 0.4.3. Times are in ticks.
"""

from __future__ import annotations

from typing import NamedTuple

RESOURCE, BASE, BARRACKS, WORKER, LIGHT, HEAVY, RANGED = range(7)
NAMES = ("Resource", "Base", "Barracks", "Worker", "Light", "Heavy", "Ranged")
ORIGINAL, FINETUNED, NON_DETERMINISTIC = 1, 2, 3


class UnitType(NamedTuple):
    """One type of unit.

    Attributes:
      type: its number, the index into its table and into `NAMES`.
      cost: resources paid when a unit of the type is finished.
      hp: hit points of a new one.
      damage: the least and the most that one attack takes; (0, 0) for types that do not attack.
      range: the greatest Euclidean distance of a target, in cells; 0 for types that do not attack.
      build_time, move_time, attack_time, harvest_time: ticks that its production and each of these orders
        take. A type that cannot do one of them still has a time for it, because a refused order
        becomes a wait of that length. A delivery takes the move time.
      can_move, can_harvest: whether it can do so.
      stores: whether it accepts deliveries.
      makes: the types that it produces, in the order of legal lists.
      sight: radius of vision, for games with partial observability.
    """

    type: int
    cost: int
    hp: int
    damage: tuple[int, int]
    range: int
    build_time: int
    move_time: int
    attack_time: int
    harvest_time: int
    can_move: bool
    can_harvest: bool
    stores: bool
    makes: tuple[int, ...]
    sight: int

    @property
    def name(self) -> str:
        return NAMES[self.type]


def _table(
    base_time: int, barracks_time: int, heavy: tuple[int, int, int], damages: tuple[tuple[int, int], ...]
) -> tuple[UnitType, ...]:
    """Returns a table; `heavy` is cost, hp and move time of Heavy, `damages` those of Worker to Ranged."""
    none = (0, 0)
    worker, light, heavy_damage, ranged = damages
    cost, hp, move_time = heavy
    return (
        UnitType(RESOURCE, 1, 1, none, 0, 10, 10, 10, 10, False, False, False, (), 0),
        UnitType(BASE, 10, 10, none, 0, base_time, 10, 10, 10, False, False, True, (WORKER,), 5),
        UnitType(
            BARRACKS, 5, 4, none, 0, barracks_time, 10, 10, 10, False, False, False, (LIGHT, HEAVY, RANGED), 3
        ),
        UnitType(WORKER, 1, 1, worker, 1, 50, 10, 5, 20, True, True, False, (BASE, BARRACKS), 3),
        UnitType(LIGHT, 2, 4, light, 1, 80, 8, 5, 10, True, False, False, (), 2),
        UnitType(HEAVY, cost, hp, heavy_damage, 1, 120, move_time, 5, 10, True, False, False, (), 2),
        UnitType(RANGED, 2, 1, ranged, 3, 100, 10, 5, 10, True, False, False, (), 3),
    )


_FIXED = ((1, 1), (2, 2), (4, 4), (1, 1))

TABLES: dict[int, tuple[UnitType, ...]] = {
    ORIGINAL: _table(250, 200, (2, 4, 12), _FIXED),
    FINETUNED: _table(200, 100, (3, 8, 10), _FIXED),
    NON_DETERMINISTIC: _table(10, 100, (3, 8, 10), ((0, 2), (1, 3), (0, 6), (1, 2))),
}
"""Table number -> its types by number. In table 3 damage is drawn anew for each hit."""
