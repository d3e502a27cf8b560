"""The knowledge of a player of ViZDoom in the form of fps_arena's observation, so that the same words look at it.

It is made of the labels of what is in view and of the player's own variables, no more: no map, nobody's health, no
sounds. Places are cells of `CELL` units, a tick is one decision. Ways are searched on the cells as far as they are
known: where the player bumped into something there is no way, everything else is tried.
"""

from __future__ import annotations

import heapq
import math
import random
from typing import Any, NamedTuple

from bt_policies.doom.scenarios import Scenario
from games.fps_arena.knowing.entries import Ally, Hurt, Memory, Noise, Pickup, Sighting
from games.fps_arena.rules.orders import DIRECTIONS, STAY
from games.fps_arena.rules.weapons import (
    NAMES,
    PISTOL,
    RIFLE,
    SHOTGUN,
    SNIPER,
    Weapon,
    effective_range,
    hit_chance,
)

CELL = 64.0
"""Sides of a cell in units of the engine; a player is half as wide."""
_SIDE, _MIDDLE = 1024, 512
_FOV, _SEES = 90.0, 24.0
_MEMORY_TICKS = 100
_BUMPS, _LEAST_MOVE = 2, 6.0
"""After so many decisions that moved the player by fewer units than that there is something in the way."""
_SEARCHED = 1500

SLOTS = {PISTOL: 2, SHOTGUN: 3, RIFLE: 4, SNIPER: 5}
"""The engine's slot of each word for a weapon: the rifle is the chaingun, the sniper the rocket launcher."""
_AMMO = {PISTOL: "AMMO2", SHOTGUN: "AMMO3", RIFLE: "AMMO2", SNIPER: "AMMO5"}
WEAPONS = (
    Weapon(damage=10, pellets=1, magazine=200, reserve=0, cooldown=4, reload=0, range=32.0, spread=3.0),
    Weapon(damage=10, pellets=1, magazine=200, reserve=0, cooldown=1, reload=0, range=32.0, spread=3.0),
    Weapon(damage=10, pellets=7, magazine=50, reserve=0, cooldown=9, reload=0, range=32.0, spread=3.0),
    Weapon(damage=80, pellets=1, magazine=50, reserve=0, cooldown=5, reload=0, range=32.0, spread=2.0),
)
"""The weapons in the order of `NAMES`, as fps_arena's formula takes them: mean damage, and the spread whose chance to hit
is that of the engine's triangular error of up to 5.6 degrees at 10 cells; the rocket launcher's spread stands for the
flight of a rocket and is a guess."""
_KINDS = {"Health": "health", "Ammo": "ammo"}
_WEAPON_NAMES = {"Pistol": "pistol", "Chaingun": "rifle", "Shotgun": "shotgun", "RocketLauncher": "sniper"}


class Rules(NamedTuple):
    """The part of fps_arena's rules that words look at."""

    weapons: tuple[Weapon, ...]
    ticks: int


class DoomView:
    """The view; `refresh` takes the next answer of the engine (`worker`).

    The attributes are those of `games.fps_arena.knowing.observation.Observation` that words look at; the ones that ViZDoom does not
    tell are missing, and `vocabularies.vizdoom.UNANSWERED` names the words that need them.

    Args:
      scenario: which.
      ticks: decisions in an episode.
    """

    reloading = 0
    reserve = 0
    """Nothing is reloaded: all rounds count as loaded."""
    max_health = 100
    player = team = 0
    objective, in_zone, zone_owner = None, False, -1
    allies: tuple[Ally, ...] = ()
    visible_allies: tuple[Ally, ...] = ()
    noises: tuple[Noise, ...] = ()

    def __init__(self, scenario: Scenario, ticks: int):
        self.rules = Rules(WEAPONS, ticks)
        self.moves = scenario.moves
        self.tick = -1
        self.places: dict[int, tuple[float, float]] = {}
        self.blocked: set[tuple[int, int]] = set()
        self._memory: dict[int, tuple[int, int]] = {}
        self._spots: dict[tuple[str, int], bool] = {}
        self._tried, self._bumps = (-1, STAY), 0
        self._before: dict[str, float] | None = None
        self._hurt_at = -_MEMORY_TICKS - 1

    def refresh(self, said: dict[str, Any], moved: int = STAY) -> None:
        """Takes an answer.

        Args:
          said: see `worker`.
          moved: the move, 0 to 8, that was wanted since the answer before.
        """
        before, now = self._before, said["variables"]
        self.tick += 1
        self.alive = not said["dead"]
        self.x, self.y, self.angle = now["POSITION_X"], now["POSITION_Y"], now["ANGLE"]
        self.health, self.cell = int(now["HEALTH"]), cell_at(self.x, self.y)
        self.facing = round((90 - self.angle) / 45) % 8
        self.weapons = tuple(weapon for weapon in range(len(NAMES)) if now[f"WEAPON{SLOTS[weapon]}"] > 0)
        self._rounds = {weapon: int(now[_AMMO[weapon]]) for weapon in self.weapons}
        held = [weapon for weapon, slot in SLOTS.items() if slot == now["SELECTED_WEAPON"]]
        self.weapon = held[0] if held else PISTOL
        self.magazine = self._rounds.get(self.weapon, 0) if held else 0
        if before is not None:
            if now["DAMAGE_TAKEN"] > before["DAMAGE_TAKEN"]:
                self._hurt_at = self.tick
            if now["DEATHCOUNT"] > before["DEATHCOUNT"]:
                self._memory.clear()
                self._hurt_at = -_MEMORY_TICKS - 1
            elif moved != STAY:
                self._learn_ways(before, moved)
        self._before = now
        self._look(said["labels"])

    def _learn_ways(self, before: dict[str, float], moved: int) -> None:
        """Notes that there is no way where the player has pushed against something."""
        start = cell_at(before["POSITION_X"], before["POSITION_Y"])
        way = math.hypot(self.x - before["POSITION_X"], self.y - before["POSITION_Y"])
        if way >= _LEAST_MOVE or self._tried != (start, moved):
            self._tried, self._bumps = (start, moved), 0
        if way < _LEAST_MOVE:
            self._bumps += 1
            if self._bumps >= _BUMPS:
                self.blocked.add((start, moved - 1))

    def _look(self, labels: list[list[Any]]) -> None:
        self.places.clear()
        seen, spots = [], set()
        for number, name, category, x, y in labels:
            cell = cell_at(x, y)
            if category == "Gore":
                self._memory.pop(number, None)
            elif category in ("Monster", "Player"):
                seen.append((math.hypot(x - self.x, y - self.y) / CELL, number, cell))
                self.places[number] = (x, y)
            elif kind := _WEAPON_NAMES.get(name) or _KINDS.get(category):
                spots.add((kind, cell))
        for spot, there in self._spots.items():
            if there and spot not in spots and self.euclid(spot[1]) < _SEES / 3 and self.in_view(spot[1]):
                self._spots[spot] = False
        self._spots.update(dict.fromkeys(spots, True))
        held = WEAPONS[self.weapon]
        self.visible_enemies = tuple(
            Sighting(number, cell, distance, -1, -1, -1, False, False, hit_chance(held, distance))
            for distance, number, cell in sorted(seen)
        )
        for sight in self.visible_enemies:
            self._memory[sight.player] = (sight.cell, self.tick)

    @property
    def ticks_left(self) -> int:
        return self.rules.ticks - self.tick

    @property
    def ammo_share(self) -> float:
        return self.ammo_of(self.weapon)

    def ammo_of(self, weapon: int) -> float:
        return min(1.0, self._rounds.get(weapon, 0) / WEAPONS[weapon].magazine)

    @property
    def effective_range(self) -> float:
        return effective_range(WEAPONS[self.weapon])

    @property
    def hurt(self) -> Hurt | None:
        age = self.tick - self._hurt_at
        return Hurt(self.facing, age) if age <= _MEMORY_TICKS else None

    @property
    def remembered_enemies(self) -> tuple[Memory, ...]:
        found = [
            Memory(number, cell, self.euclid(cell), self.tick - tick)
            for number, (cell, tick) in self._memory.items()
            if number not in self.places and self.tick - tick <= _MEMORY_TICKS
        ]
        return tuple(sorted(found, key=lambda one: (one.age, one.distance, one.player)))

    @property
    def known_enemies(self) -> tuple[Memory, ...]:
        seen = tuple(Memory(one.player, one.cell, one.distance, 0) for one in self.visible_enemies)
        return seen + self.remembered_enemies

    @property
    def pickups(self) -> tuple[Pickup, ...]:
        """Things that were seen; one that is not there any more when its place is in view has been taken."""
        found = [
            Pickup(number, kind, cell, self.distance(cell), there)
            for number, ((kind, cell), there) in enumerate(self._spots.items())
        ]
        return tuple(sorted(found, key=lambda one: (one.distance, one.cell)))

    def euclid(self, cell: int) -> float:
        x, y = middle_of(cell)
        return math.hypot(x - self.x, y - self.y) / CELL

    def distance(self, cell: int) -> int:
        """Steps to walk if nothing is in the way, which is all that is known."""
        (column, row), (own, line) = _column_row(cell), _column_row(self.cell)
        return max(abs(column - own), abs(row - line))

    def direction_to(self, cell: int) -> int:
        return round((90 - self.bearing(*middle_of(cell))) / 45) % 8

    def bearing(self, x: float, y: float) -> float:
        """The direction of a point in degrees, 0 in the east, 90 in the north."""
        return math.degrees(math.atan2(y - self.y, x - self.x))

    def in_view(self, cell: int) -> bool:
        """Whether the cell lies within the field of view; a wall in between is not known."""
        off = (self.bearing(*middle_of(cell)) - self.angle + 180) % 360 - 180
        return self.alive and abs(off) <= _FOV / 2 and self.euclid(cell) <= _SEES

    def next_step_towards(self, cell: int) -> int:
        """The move, 0 to 8, on a shortest way as far as ways are known; 0 where there is none."""
        if not self.moves or cell == self.cell:
            return STAY
        edge, first, cost = [(0.0, self.cell)], {self.cell: STAY}, {self.cell: 0.0}
        for _ in range(_SEARCHED):
            if not edge:
                return STAY
            _, here = heapq.heappop(edge)
            if here == cell:
                return first[here]
            for direction, (dx, dy) in enumerate(DIRECTIONS):
                there = here + dx + dy * _SIDE
                new = cost[here] + math.hypot(dx, dy)
                if (here, direction) not in self.blocked and new < cost.get(there, math.inf):
                    cost[there] = new
                    first[there] = first[here] or direction + 1
                    heapq.heappush(edge, (new + _apart(there, cell), there))
        return self.direction_to(cell) + 1

    def next_step_away(self, cell: int) -> int:
        """The move that leads farthest away from a cell and is not known to be blocked; 0 where there is none."""
        if not self.moves:
            return STAY
        free = [number for number in range(8) if (self.cell, number) not in self.blocked]
        away = (self.direction_to(cell) + 4) % 8
        return min(free, key=lambda number: min((number - away) % 8, (away - number) % 8), default=-1) + 1

    def random_cell(self, rng: random.Random) -> int:
        """A cell some way off, in any direction."""
        dx, dy = DIRECTIONS[rng.randrange(8)]
        steps = rng.randint(4, 12)
        return self.cell + steps * (dx + dy * _SIDE)


def cell_at(x: float, y: float) -> int:
    """Returns the cell of a point of the engine; rows grow to the south, as in fps_arena."""
    return (_MIDDLE - math.floor(y / CELL)) * _SIDE + _MIDDLE + math.floor(x / CELL)


def middle_of(cell: int) -> tuple[float, float]:
    """Returns the point in the middle of a cell."""
    column, row = _column_row(cell)
    return (column - _MIDDLE + 0.5) * CELL, (_MIDDLE - row + 0.5) * CELL


def _column_row(cell: int) -> tuple[int, int]:
    return cell % _SIDE, cell // _SIDE


def _apart(one: int, other: int) -> float:
    (x, y), (other_x, other_y) = _column_row(one), _column_row(other)
    return math.hypot(x - other_x, y - other_y)
