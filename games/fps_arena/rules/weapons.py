"""The weapons of `fps_arena`: the effect of each, and the probability that a shot hits.

A shot goes astray by an angle that is uniform between minus and plus its spread, and soldiers are 0.6 cells
wide, so that at a distance d (cells, Euclidean) each of its pellets hits with probability
min(1, 0.3 / (d * tan(spread))), and never beyond the weapon's range.
"""

from __future__ import annotations

import math
from typing import NamedTuple

HALF_WIDTH = 0.3
"""Half the width of a soldier, in cells."""

NAMES = ("pistol", "rifle", "shotgun", "sniper")
PISTOL, RIFLE, SHOTGUN, SNIPER = range(4)


class Weapon(NamedTuple):
    """One weapon.

    Attributes:
      damage: health points that one pellet takes if it hits.
      pellets: pellets in one shot, each of which hits or misses by itself.
      magazine: shots until it must be reloaded.
      reserve: further shots that come with it; -1 for any number.
      cooldown: ticks from one shot to the next.
      reload: ticks that it takes to reload.
      range: distance in cells beyond which nothing is hit.
      spread: greatest angle by which a shot goes astray, in degrees.
    """

    damage: int
    pellets: int
    magazine: int
    reserve: int
    cooldown: int
    reload: int
    range: float
    spread: float


DEFAULTS = (
    Weapon(damage=12, pellets=1, magazine=12, reserve=-1, cooldown=3, reload=8, range=12.0, spread=4.0),
    Weapon(damage=18, pellets=1, magazine=30, reserve=60, cooldown=2, reload=12, range=15.0, spread=3.0),
    Weapon(damage=11, pellets=7, magazine=6, reserve=18, cooldown=6, reload=16, range=8.0, spread=8.0),
    Weapon(damage=75, pellets=1, magazine=5, reserve=15, cooldown=12, reload=18, range=24.0, spread=0.9),
)
"""The weapons as they are by default, in the order of `NAMES`."""


def hit_chance(weapon: Weapon, distance: float, widening: float = 1.0) -> float:
    """Returns the probability that a pellet hits; `widening` multiplies the spread."""
    if distance > weapon.range:
        return 0.0
    spread = weapon.spread * widening
    if spread == 0 or distance == 0:
        return 1.0
    if spread >= 90:
        return 0.0
    return min(1.0, HALF_WIDTH / (distance * math.tan(math.radians(spread))))


def effective_range(weapon: Weapon) -> float:
    """Returns the distance at which half of the pellets hit while nobody moves; at most the range."""
    if weapon.spread == 0:
        return weapon.range
    return min(weapon.range, 2 * HALF_WIDTH / math.tan(math.radians(weapon.spread)))
