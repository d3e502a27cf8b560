"""The entries of an observation of `fps_arena`: enemies, teammates, noises, hits, things to pick up."""

from __future__ import annotations

from typing import NamedTuple


class Sighting(NamedTuple):
    """An enemy in view. `distance` is Euclidean, in cells; `weapon` a position in `weapons.NAMES`;
    `covered`: low cover protects it from a shot from here; `hit_chance`: the probability that a pellet of
    the weapon in hand would hit it now."""

    player: int
    cell: int
    distance: float
    health: int
    facing: int
    weapon: int
    moving: bool
    covered: bool
    hit_chance: float


class Memory(NamedTuple):
    """A place where an enemy was seen `age` ticks ago; age 0: the player or, by radio, a teammate sees it."""

    player: int
    cell: int
    distance: float
    age: int


class Ally(NamedTuple):
    """A teammate; a player always knows where its teammates are, and where dead ones fell."""

    player: int
    cell: int
    distance: float
    health: int
    alive: bool


class Noise(NamedTuple):
    """A "shot" or "step" of an enemy, heard `age` ticks ago from the 4 by 4 cells around `cell`."""

    kind: str
    cell: int
    distance: float
    age: int


class Hurt(NamedTuple):
    """The direction, 0 to 7, that the last hit came from, `age` ticks ago."""

    direction: int
    age: int


class Pickup(NamedTuple):
    """A place of things to pick up: its number on the map, its kind (`maps.PICKUP_KINDS`), `distance` in
    steps, and whether it is there as far as the player knows."""

    index: int
    kind: str
    cell: int
    distance: int
    available: bool
