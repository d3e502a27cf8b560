"""The map of a `text_adventure`, drawn from a seed: rooms, exits, and the places of things.

Four zones: above ground, where it is light; below, dark, entered through an opening that falls shut; deep,
behind a gate; and one room behind a door. The gate yields to a crank that lies in a locked box above; the
door to a key that lies in the deep. A shaft leads from below up into the open, one way.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from games.text import adventure_words as words

SIZES = {"small": (4, 2, 1), "medium": (6, 4, 3), "large": (10, 7, 6)}
"""The numbers of rooms above, below and deep; one more lies behind the door."""
_TRINKETS = {"small": 7, "medium": 11, "large": 16}
_FIXTURES = {"small": 6, "medium": 10, "large": 14}
_EXTRA_TREASURES = {"small": 0, "medium": 1, "large": 2}
_SIDES = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east", "up": "down", "down": "up"}
_EXTRA_PASSAGES = 0.3
"""The probability that neighbours that need no passage have one all the same."""

LANTERN, SMALL_KEY, CRANK, HEAVY_KEY, TREASURE = range(5)
"""The first items of every layout; further treasures follow, then trinkets."""
FREE, GATE, DOOR, ONE_WAY = "free", "gate", "door", "one way"


@dataclass(frozen=True)
class Room:
    """A place: its `name`, one sentence about it, and whether it is `dark`."""

    name: str
    description: str
    dark: bool


@dataclass(frozen=True)
class Exit:
    """A way out: the side it is on, the number of the room it leads to, and the lock on it.

    `lock` is FREE, GATE, DOOR, or ONE_WAY for the opening in the floor and for the shaft.
    """

    side: str
    target: int
    lock: str


@dataclass(frozen=True)
class Fixture:
    """A thing to play with in a room: see `adventure_words.FIXTURES`."""

    room: int
    name: str
    verbs: tuple[str, str]
    seen: str
    shows: str


@dataclass(frozen=True)
class Layout:
    """A map. Rooms are numbered from 0: above, below, deep, and the one behind the door.

    Attributes:
      rooms: all rooms.
      exits: the exits of each room, in the order of their sides' names.
      items: names of all that can be carried; `LANTERN` and its like index the first five.
      places: the room where each item lies at first; -1 for the crank, which is in the box.
      treasures: indices of the items that are worth points.
      fixtures: things that can be changed for no use.
      start, hatch_room, box_room, shrine_room: rooms above, see `adventure`.
      landing: the room below the opening in the floor.
      winch_room: the room below where the gate is worked.
      hatch, box, winch, gate, door, shrine: names of the things that stay where they are.
    """

    rooms: tuple[Room, ...]
    exits: tuple[tuple[Exit, ...], ...]
    items: tuple[str, ...]
    places: tuple[int, ...]
    treasures: tuple[int, ...]
    fixtures: tuple[Fixture, ...]
    start: int
    hatch_room: int
    box_room: int
    shrine_room: int
    landing: int
    winch_room: int
    hatch: str
    box: str
    winch: str
    gate: str
    door: str
    shrine: str


def make_layout(size: str, seed: int) -> Layout:
    """Draws a map; the same size and seed give the same map."""
    rng = random.Random(f"text_adventure {size} {seed}")
    above, below, deep = SIZES[size]
    rooms = _rooms(rng, above, below, deep)
    exits: list[dict[str, Exit]] = [{} for _ in rooms]
    up, down = range(above), range(above, above + below)
    depths = range(above + below, above + below + deep)
    for zone in (up, down, depths):
        _connect(rng, zone, exits)

    hatch_room = up[-1]
    start = rng.choice(up[:-1])
    # The box lies away from its key, and the winch away from the landing.
    box_room = rng.choice(up[:-1])
    key_room = rng.choice([room for room in up[:-1] if room != box_room])
    landing = down[0]
    winch_room = down[-1]
    exits[hatch_room]["down"] = Exit("down", landing, ONE_WAY)
    exits[rng.choice(down[1:])]["up"] = Exit("up", rng.choice(up[:-1]), ONE_WAY)
    _passage(rng, winch_room, depths[0], GATE, exits)
    _passage(rng, depths[-1], len(rooms) - 1, DOOR, exits)

    extra = _EXTRA_TREASURES[size]
    treasures = rng.sample(words.TREASURES, 1 + extra)
    trinkets = rng.sample(words.TRINKETS, _TRINKETS[size])
    items = (
        rng.choice(words.LANTERNS),
        rng.choice(words.SMALL_KEYS),
        rng.choice(words.CRANKS),
        rng.choice(words.HEAVY_KEYS),
        *treasures,
        *trinkets,
    )
    places = [hatch_room, key_room, -1, rng.choice(depths), len(rooms) - 1]
    places += [rng.choice([*down[1:], *depths]) for _ in range(extra)]
    # The room with the hatch never holds the lantern alone.
    places += [hatch_room, *(rng.choice([*up, *down]) for _ in trinkets[1:])]
    kinds = rng.sample(words.FIXTURES, _FIXTURES[size])
    fixture_rooms = [hatch_room, *(rng.choice([*up, *down, *depths]) for _ in kinds[1:])]
    fixtures = [
        Fixture(room, name, (do, undo), seen.format(name), shows.format(name))
        for room, (name, do, undo, seen, shows) in zip(fixture_rooms, kinds)
    ]
    return Layout(
        rooms=tuple(rooms),
        exits=tuple(tuple(ways[side] for side in sorted(ways)) for ways in exits),
        items=items,
        places=tuple(places),
        treasures=tuple(range(TREASURE, TREASURE + 1 + extra)),
        fixtures=tuple(fixtures),
        start=start,
        hatch_room=hatch_room,
        box_room=box_room,
        shrine_room=rng.choice(up[:-1]),
        landing=landing,
        winch_room=winch_room,
        hatch=rng.choice(words.HATCHES),
        box=rng.choice(words.BOXES),
        winch=rng.choice(words.WINCHES),
        gate=rng.choice(words.GATES),
        door=rng.choice(words.DOORS),
        shrine=rng.choice(words.PEDESTALS),
    )


def _rooms(rng: random.Random, above: int, below: int, deep: int) -> list[Room]:
    drawn = [
        (rng.sample(words.ABOVE, above), False),
        (rng.sample(words.BELOW, below), True),
        (rng.sample(words.DEEP, deep), True),
        (rng.sample(words.VAULTS, 1), True),
    ]
    return [Room(name, description, dark) for zone, dark in drawn for name, description in zone]


def _connect(rng: random.Random, zone: range, exits: list[dict[str, Exit]]) -> None:
    """Lays the rooms of a zone on a grid, each beside an earlier one, with passages between neighbours.

    The first room gets two passages at most and the last one only one, so that a way into another zone
    finds a side that is free in both rooms.
    """

    def full(room: int) -> bool:
        return len(exits[room]) >= (2 if room == zone[0] else 3)

    cells = {(0, 0): zone[0]}
    for room in zone[1:]:
        free = [
            ((x + dx, y + dy), side, other)
            for (x, y), other in cells.items()
            for side, (dx, dy) in _SIDES.items()
            if (x + dx, y + dy) not in cells and not full(other)
        ]
        cell, side, other = rng.choice(free)
        cells[cell] = room
        _link(other, room, side, FREE, exits)
        for near_side, (dx, dy) in _SIDES.items():
            near = cells.get((cell[0] + dx, cell[1] + dy))
            if (
                near not in (None, other)
                and room != zone[-1]
                and not full(room)
                and not full(near)
                and rng.random() < _EXTRA_PASSAGES
            ):
                _link(room, near, near_side, FREE, exits)


def _passage(rng: random.Random, room: int, target: int, lock: str, exits: list[dict[str, Exit]]) -> None:
    """Joins rooms of two zones on a side that is free in both."""
    sides = [side for side in _SIDES if side not in exits[room] and _OPPOSITE[side] not in exits[target]]
    _link(room, target, rng.choice(sides), lock, exits)


def _link(room: int, target: int, side: str, lock: str, exits: list[dict[str, Exit]]) -> None:
    exits[room][side] = Exit(side, target, lock)
    exits[target][_OPPOSITE[side]] = Exit(_OPPOSITE[side], room, lock)
