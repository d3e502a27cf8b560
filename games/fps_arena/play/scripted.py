"""Scripted soldiers of three strengths.

`Weak` walks about and shoots, late, at an enemy that it happens to see. `Medium` looks for enemies and for the
control point, shoots at the nearest, reloads when it must, and takes health when it is badly hurt. `Strong`
also chooses weapons by distance, breaks off fights that it cannot win, reloads behind cover, looks where noise
and hits come from, and holds the control point.
"""

from __future__ import annotations

import random

from games.fps_arena.knowing.observation import Observation, Sighting
from games.fps_arena.rules import orders, weapons
from games.fps_arena.rules.maps import Arena
from games.fps_arena.rules.parameters import Rules

_NEAR_ZONE = 9
"""The number of steps from the control point within which `Strong` hunts while its team owns it."""


class Scripted:
    """The base of the three: a walk to places drawn at random, and randomness of its own."""

    def start(self, rules: Rules, arena: Arena, player: int, seed: int) -> None:
        """Starts a match, see `match.Controller`."""
        self._rng = random.Random(seed)
        self._goal: int | None = None

    def act(self, observation: Observation) -> int:
        """Returns the order for the soldier, see `match.Controller`."""
        return observation.codec.order(*self._decide(observation))

    def _decide(self, seen: Observation) -> tuple[int, int]:
        """Returns a move and an act."""
        raise NotImplementedError

    def _wander(self, seen: Observation) -> int:
        """Returns the move to a place drawn at random; another place once it is reached."""
        if self._goal is None or seen.cell == self._goal or self._rng.random() < 0.01:
            self._goal = seen.random_cell(self._rng)
        return seen.next_step_towards(self._goal)


class Weak(Scripted):
    """A soldier that walks about; at the sight of an enemy it hesitates, and often misses its chance."""

    def _decide(self, seen: Observation) -> tuple[int, int]:
        if not seen.magazine and seen.can_reload:
            return self._wander(seen), orders.RELOAD
        if seen.visible_enemies and self._rng.random() < 0.5:
            return self._wander(seen), orders.fire(self._rng.choice(seen.visible_enemies).player)
        return self._wander(seen), orders.GO


class Medium(Scripted):
    """A soldier that attacks enemies that it knows of, and else goes for the control point or looks about."""

    def _decide(self, seen: Observation) -> tuple[int, int]:
        enemies = seen.visible_enemies
        act = orders.GO
        if not seen.magazine:
            if seen.can_reload:
                act = orders.RELOAD
            elif not seen.reloading:
                act = orders.switch(weapons.PISTOL)
        elif enemies:
            act = orders.fire(enemies[0].player)
        if seen.health < 0.35 * seen.max_health:
            medkits = [one for one in seen.pickups if one.kind == "health" and one.available]
            if medkits:
                return seen.next_step_towards(medkits[0].cell), act
        if enemies:
            near = enemies[0].distance <= 0.7 * seen.effective_range
            return (orders.STAY if near else seen.next_step_towards(enemies[0].cell)), act
        if seen.objective is not None and not seen.in_zone:
            return seen.next_step_towards(seen.objective), act
        if seen.remembered_enemies:
            return seen.next_step_towards(seen.remembered_enemies[0].cell), act
        return (orders.STAY if seen.in_zone else self._wander(seen)), act


class Strong(Scripted):
    """A soldier that fights where the odds are good, with the weapon for the distance, and never loses sight
    of the aim of the mode.
    """

    def _decide(self, seen: Observation) -> tuple[int, int]:
        enemies = seen.visible_enemies
        if enemies:
            return self._fight(
                seen, min(enemies, key=lambda one: (one.health / max(one.hit_chance, 0.05), one.distance))
            )
        act = self._prepare(seen)
        move = self._errand(seen)
        if move is None:
            move = self._advance(seen)
        return move, self._watch(seen, move) if act is None else act

    def _fight(self, seen: Observation, target: Sighting) -> tuple[int, int]:
        best = _best_weapon(seen, target.distance) if not seen.magazine else seen.weapon
        # While the control point is to be won, a soldier that hides gives it away.
        stand = self._zone_to_win(seen) is not None
        if seen.reloading or not seen.magazine or best != seen.weapon:
            if best != seen.weapon:
                act = orders.switch(best)
            elif seen.reloading:
                act = orders.look(seen.direction_to(target.cell))
            else:
                act = orders.RELOAD
            return orders.STAY if stand else seen.cover_step(target.cell), act
        act = orders.fire(target.player)
        allies = sum(ally.distance < 8 for ally in seen.living_allies)
        outnumbered = len(seen.visible_enemies) > 1 + allies
        if not stand and (
            (seen.health < 0.3 * seen.max_health and target.health > seen.health)
            or (outnumbered and seen.health < 0.7 * seen.max_health)
        ):
            return seen.cover_step(target.cell) or seen.next_step_away(target.cell), act
        if target.hit_chance >= (0.45 if not stand else 0.25 if seen.in_zone else 0.65):
            return orders.STAY, act
        return seen.next_step_towards(target.cell), act

    def _zone_to_win(self, seen: Observation) -> int | None:
        """Returns the cell of the control point, if as far as is known another team owns it or stands on
        it.
        """
        if seen.objective is None:
            return None
        held = seen.zone_owner == seen.team and not any(
            one.age < 30 and one.cell in seen.arena.zone for one in seen.known_enemies
        )
        return None if held else seen.objective

    def _prepare(self, seen: Observation) -> int | None:
        """Returns the act of its hands while no enemy is in view; None for nothing."""
        if seen.reloading:
            return None
        fresh = seen.remembered_enemies and seen.remembered_enemies[0].age < 40
        best = _best_weapon(seen, seen.remembered_enemies[0].distance if fresh else 8.0)
        if best != seen.weapon:
            return orders.switch(best)
        low = seen.magazine < (0.1 if fresh else 0.4) * seen.rules.weapons[seen.weapon].magazine
        return orders.RELOAD if low and seen.can_reload else None

    def _errand(self, seen: Observation) -> int | None:
        """Returns a step to a pick-up that it needs, if that is near enough for the need."""
        if seen.in_zone and seen.health > 0.4 * seen.max_health:
            return None
        hurt = 1 - seen.health / seen.max_health
        spare = 6 if seen.objective is None else 0
        rifle = weapons.RIFLE if weapons.RIFLE in seen.weapons else seen.weapon
        wanted = {
            "health": (4 * spare + 10) * hurt if hurt > 0.3 else 0,
            "ammo": 40 * max(0.0, 0.6 - seen.ammo_of(rifle)),
            "shotgun": spare * (seen.ammo_of(weapons.SHOTGUN) == 0),
            "sniper": spare * (seen.ammo_of(weapons.SNIPER) == 0),
        }
        for one in seen.pickups:
            if one.available and 0 < one.distance <= wanted[one.kind]:
                return seen.next_step_towards(one.cell)
        return None

    def _advance(self, seen: Observation) -> int:
        goal = self._zone_to_win(seen)
        if goal is not None:
            return orders.STAY if seen.in_zone else seen.next_step_towards(goal)
        if seen.objective is not None and seen.distance(seen.objective) > _NEAR_ZONE:
            return seen.next_step_towards(seen.objective)
        known = seen.remembered_enemies
        if known and known[0].age < 60:
            return seen.next_step_towards(known[0].cell)
        if seen.noises and seen.noises[0].age < 40:
            return seen.next_step_towards(seen.noises[0].cell)
        return orders.STAY if seen.objective is not None else self._wander(seen)

    def _watch(self, seen: Observation, move: int) -> int:
        """Returns the act that turns its eyes while no enemy is in view."""
        if seen.hurt and seen.hurt.age <= 6:
            return orders.look(seen.hurt.direction)
        for one in (*seen.remembered_enemies[:1], *seen.noises[:1]):
            if one.age < 12 and one.distance < 12:
                return orders.look(seen.direction_to(one.cell))
        if move == orders.STAY:
            return orders.look((seen.facing + 2) % 8) if seen.tick % 6 == 0 else orders.GO
        return orders.GO


def _best_weapon(seen: Observation, distance: float) -> int:
    """Returns the weapon with the most damage a tick at this distance, of those that have shots left; the one
    in hand unless another is clearly better.
    """

    def worth(weapon: int) -> float:
        kind = seen.rules.weapons[weapon]
        if not seen.ammo_of(weapon):
            return 0.0
        rate = weapons.hit_chance(kind, distance) * kind.damage * kind.pellets / kind.cooldown
        return rate * (1.5 if weapon == seen.weapon else 1.0)

    return max(seen.weapons, key=lambda weapon: (worth(weapon), weapon == seen.weapon))


STRENGTHS: dict[str, type[Scripted]] = {"weak": Weak, "medium": Medium, "strong": Strong}
"""Name of a strength -> its controller."""
