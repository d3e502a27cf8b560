"""Variants of fps_arena: games that differ in their rules, drawn at random in families.

All variants of a family but `standard` draw every number anew around its default, and those that the family is about
from a range of their own. So no two variants are alike, and a tree that learnt one family's numbers by heart is at a
loss in another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from games.fps_arena.rules import weapons
from games.fps_arena.rules.parameters import PARAMETERS, Rules

_NEAR = 0.25
"""How far a number that a family is not about lies from its default at most, as a share of it."""
_VARIED = (
    "sight",
    "fov",
    "memory_ticks",
    "shot_hearing",
    "step_hearing",
    "switch_ticks",
    "moving_spread",
    "target_spread",
    "cover",
    "respawn_ticks",
    "protection_ticks",
    "health",
    "medkit",
    "pickups",
    "pickup_ticks",
    "zone_radius",
    "capture_ticks",
    "ticks",
    *(
        f"{name}_{part}"
        for name in weapons.NAMES
        for part in ("damage", "magazine", "reserve", "cooldown", "reload", "range", "spread")
    ),
)
"""The numbers that every variant draws."""

_Draw = Callable[[np.random.Generator], Mapping[str, Any]]


def _whole(low: int, high: int) -> Callable[[np.random.Generator], int]:
    return lambda rng: int(rng.integers(low, high + 1))


def _real(low: float, high: float) -> Callable[[np.random.Generator], float]:
    return lambda rng: round(float(rng.uniform(low, high)), 2)


def _one_of(*values: Any) -> Callable[[np.random.Generator], Any]:
    return lambda rng: values[int(rng.integers(len(values)))]


def _family(**ranges: Callable[[np.random.Generator], Any]) -> _Draw:
    return lambda rng: {name: draw(rng) for name, draw in ranges.items()}


FAMILIES: Mapping[str, _Draw] = {
    "standard": _family(),
    "long_range": _family(
        start_weapon=_one_of("sniper", "rifle"),
        sight=_whole(24, 40),
        size=_whole(40, 52),
        rifle_range=_real(20, 30),
    ),
    "close_quarters": _family(
        start_weapon=_one_of("shotgun", "pistol"),
        sight=_whole(8, 12),
        size=_whole(18, 24),
        cover_distance=_whole(1, 3),
    ),
    "fragile": _family(health=_whole(25, 60), respawn_ticks=_whole(10, 25)),
    "tough": _family(health=_whole(180, 350), medkit=_whole(80, 200), respawn_ticks=_whole(30, 60)),
    "quick": _family(move_ticks=_one_of(1), turn_rate=_whole(3, 4), moving_spread=_real(1.0, 1.2)),
    "ponderous": _family(move_ticks=_whole(3, 4), turn_rate=_one_of(1), moving_spread=_real(1.5, 3.0)),
    "scarce": _family(
        pickups=_whole(1, 4),
        pickup_ticks=_whole(200, 400),
        rifle_magazine=_whole(5, 12),
        rifle_reserve=_whole(5, 20),
    ),
    "crowded": _family(players=_one_of(6, 8), size=_whole(32, 44)),
    "in_the_dark": _family(
        sight=_whole(5, 8), fov=_whole(60, 90), radio=_one_of(False), memory_ticks=_whole(20, 40)
    ),
    "restless": _family(moving_spread=_one_of(1.0), target_spread=_real(2.0, 4.0)),
    "entrenched": _family(cover=_real(0.85, 1.0), moving_spread=_real(2.5, 4.0), target_spread=_real(1.0, 1.1)),
}
"""Name of a family -> what its variants draw from ranges of their own."""
HELD_OUT = ("in_the_dark", "restless", "crowded")
"""The families that searches leave for measurements."""


def named(names: Sequence[str]) -> tuple[str, ...]:
    """Returns the families that a flag names; `all` alone names every one."""
    return tuple(FAMILIES) if list(names) == ["all"] else tuple(names)


def variant(family: str, rng: np.random.Generator) -> dict[str, Any]:
    """Returns the parameters in which a variant differs from the standard rules.

    Raises:
      ValueError: there is no such family.
    """
    if family not in FAMILIES:
        raise ValueError(f"families: expected some of {', '.join(FAMILIES)}, found {family!r}")
    if family == "standard":
        return {}
    drawn = {name: _around(name, rng) for name in _VARIED if PARAMETERS[name] != -1}
    drawn |= FAMILIES[family](rng)
    Rules.from_parameters(drawn)  # within the bounds, whatever was drawn
    return drawn


def _around(name: str, rng: np.random.Generator) -> float:
    default, share = PARAMETERS[name], 1 + rng.uniform(-_NEAR, _NEAR)
    if isinstance(default, int):
        return max(1, round(default * share))
    least = 1.0 if name in ("moving_spread", "target_spread") else 0.0
    return max(least, round(float(default * share), 2))
