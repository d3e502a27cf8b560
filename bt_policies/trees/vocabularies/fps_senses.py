"""What the words of fps_arena look at: `games.fps_arena.knowing.observation.Observation`, no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.fps_arena.rules.weapons import NAMES, PISTOL, RIFLE, SHOTGUN, SNIPER, hit_chance

BESIDE, CLOSE, NEAR, RECENT = 1.5, 4.0, 6.0, 12
_STICKY = 1.5
"""How many times the damage of the weapon in hand another one must do to be taken instead."""

Observation = Any
"""`games.fps_arena.knowing.observation.Observation`; the words say which of its fields they need."""


def pickup(seen: Observation, *kinds: str) -> int | None:
    """The cell of the nearest thing of these kinds that lies there as far as is known; None for none."""
    return next(
        (each.cell for each in seen.pickups if each.kind in kinds and each.available and each.distance >= 0),
        None,
    )


def unchecked(seen: Observation) -> list[Any]:
    """Remembered enemies at places that are not in view now, where they may still be, newest first."""
    return [
        enemy for enemy in seen.remembered_enemies if enemy.distance > BESIDE and not seen.in_view(enemy.cell)
    ]


def new_weapon(seen: Observation) -> int | None:
    """The cell of the nearest weapon that is not carried; None for none."""
    return pickup(seen, *(NAMES[kind] for kind in (SHOTGUN, SNIPER) if kind not in seen.weapons))


def cell_of(found: Any) -> int | None:
    """The cell of an entry; None for None."""
    return None if found is None else found.cell


def best(found: Sequence[Any], key: Callable[[Any], Any]) -> Any:
    """The entry with the least key; None where there is none."""
    return min(found, key=key, default=None)


def living(seen: Observation) -> list[Any]:
    """Teammates that are alive, nearest first."""
    return [ally for ally in seen.allies if ally.alive]


def steps_to(seen: Observation, cell: int) -> float:
    """Steps to walk to a cell; infinite where no way leads there."""
    steps = seen.distance(cell)
    return steps if steps >= 0 else float("inf")


def best_weapon(seen: Observation) -> int:
    """The carried weapon for the distance of the nearest known enemy: shotgun near, sniper far, else rifle."""
    known = seen.known_enemies
    distance = known[0].distance if known else NEAR
    wanted = (RIFLE, SHOTGUN)
    if distance <= CLOSE:
        wanted = (SHOTGUN, RIFLE)
    elif distance > 2 * NEAR:
        wanted = (SNIPER, RIFLE)
    return next((weapon for weapon in (*wanted, SNIPER, SHOTGUN) if weapon in seen.weapons), PISTOL)


def strongest_weapon(seen: Observation) -> int:
    """The carried weapon with rounds left that does the most damage a tick at the distance of the nearest known
    enemy; the one in hand unless another does half as much again.
    """
    known = seen.known_enemies
    distance = known[0].distance if known else NEAR

    def worth(weapon: int) -> float:
        kind = seen.rules.weapons[weapon]
        if not seen.ammo_of(weapon):
            return 0.0
        rate = hit_chance(kind, distance) * kind.damage * kind.pellets / kind.cooldown
        return rate * (_STICKY if weapon == seen.weapon else 1.0)

    return max(seen.weapons, key=lambda weapon: (worth(weapon), weapon == seen.weapon))
