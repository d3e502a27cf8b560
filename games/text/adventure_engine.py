"""The world of `text_adventure`: the effect of each command, and its text."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from games.text.adventure_layout import (
    CRANK,
    DOOR,
    FREE,
    GATE,
    HEAVY_KEY,
    LANTERN,
    ONE_WAY,
    SMALL_KEY,
    TREASURE,
    Exit,
    Layout,
    make_layout,
)
from games.text.state import Snapshot

CARRIED, NOWHERE, SHOWN = -1, -2, -3
DESCENT, BOX, GATE_OPEN, DOOR_OPEN, LIT = (1 << bit for bit in range(5))
_FIXTURE_BIT = 8
POINTS = {DESCENT: 10, BOX: 5, GATE_OPEN: 5, DOOR_OPEN: 10}
TREASURE_POINTS, EXTRA_POINTS, SHRINE_POINTS = 10, 5, 10
_DEATH = "Something cold closes around you in the dark. You have died."


class World(NamedTuple):
    """The parts of a world that can change.

    Attributes:
      room: the room where the player is.
      places: the place of each item: a room, CARRIED, NOWHERE (in the locked box), or SHOWN (where it brings
        the last points).
      flags: bits DESCENT (was below once), BOX, GATE_OPEN, DOOR_OPEN, LIT (the lantern), and from
        bit 8 on one for each fixture.
      found: the treasures taken at least once, a bit for each, by item number.
      dark_turns: moves that ended in darkness, in a row.
      dead: whether the player is dead.
    """

    room: int
    places: tuple[int, ...]
    flags: int
    found: int
    dark_turns: int
    dead: bool


class Adventure:
    """The engine of one layout; see `games.text.state.Engine`.

    Args:
      size: `small`, `medium` or `large`.
      layout_seed: seed of the map.
      carry_limit: number of things that can be carried at once.
      warning_turns: moves that end in darkness before the one that kills.
      death: points that death costs.
    """

    def __init__(self, size: str, layout_seed: int, carry_limit: int, warning_turns: int, death: int) -> None:
        self._arguments = (size, layout_seed, carry_limit, warning_turns, death)
        self._death = death
        # Nobody dies above the ground, and the way down has been paid for.
        self.min_score = min(0, POINTS[DESCENT] - death)
        self.layout: Layout = make_layout(size, layout_seed)
        self.carry_limit, self.warning_turns = carry_limit, warning_turns
        self.max_score = (
            sum(POINTS.values())
            + TREASURE_POINTS
            + SHRINE_POINTS
            + EXTRA_POINTS * (len(self.layout.treasures) - 1)
        )
        self._commands = lru_cache(maxsize=1 << 14)(self._find_commands)

    def __deepcopy__(self, memo: object) -> Adventure:
        return self

    def __reduce__(self) -> tuple[Callable, tuple]:
        return adventure, self._arguments

    def start(self) -> Snapshot:
        places = tuple(NOWHERE if place < 0 else place for place in self.layout.places)
        world = World(self.layout.start, places, 0, 0, 0, False)
        return self._snapshot(world, "You set out at first light.\n\n")

    def key(self, snapshot: Snapshot) -> World:
        return snapshot.world

    def score(self, world: World) -> int:
        """Returns the points of a world."""
        score = sum(points for flag, points in POINTS.items() if world.flags & flag)
        for item in self.layout.treasures:
            if world.found >> item & 1:
                score += TREASURE_POINTS if item == TREASURE else EXTRA_POINTS
        return score + SHRINE_POINTS * (world.places[TREASURE] == SHOWN) - self._death * world.dead

    def valid_actions(self, snapshot: Snapshot) -> tuple[str, ...]:
        return tuple(self._commands(snapshot.world))

    def step(self, snapshot: Snapshot, command: str) -> Snapshot:
        after, said = self._commands(snapshot.world)[command]()
        moved = after.room != snapshot.world.room
        if not self._is_lit(after):
            after = after._replace(dark_turns=snapshot.world.dark_turns + 1)
            if after.dark_turns > self.warning_turns:
                return self._snapshot(after._replace(dead=True), said, _DEATH, snapshot.score)
        else:
            # A light is struck: the sight is new.
            moved = moved or not self._is_lit(snapshot.world)
            after = after._replace(dark_turns=0)
        return self._snapshot(
            after, said, self._look(after) if moved or after.dark_turns else "", snapshot.score
        )

    def observation(self, snapshot: Snapshot) -> str:
        return snapshot.observation

    def look(self, snapshot: Snapshot) -> str:
        return self._look(snapshot.world)

    def inventory(self, snapshot: Snapshot) -> str:
        world = snapshot.world
        names = [_a(self._described(world, item)) for item in self._carried(world)]
        if not names:
            return "You are carrying nothing."
        full = " You can carry no more." if len(names) == self.carry_limit else ""
        return f"You are carrying {_listed(names)}.{full}"

    def _snapshot(self, world: World, said: str, seen: str | None = None, before: int = 0) -> Snapshot:
        if seen is None:
            seen = self._look(world)
        score = self.score(world)
        lines = [said + seen if said.endswith("\n") else "\n".join(filter(None, (said, seen)))]
        if score != before:
            lines.append(
                f"[Your score has gone {'up' if score > before else 'down'} by {abs(score - before)} points.]"
            )
        won = world.places[TREASURE] == SHOWN and score == self.max_score
        if won:
            lines.append("Nothing is left to be found. You have won.")
        return Snapshot(world, "\n".join(lines), score, won or world.dead, world.dead)

    def _is_lit(self, world: World) -> bool:
        lantern = world.places[LANTERN]
        return not self.layout.rooms[world.room].dark or (
            bool(world.flags & LIT) and lantern in (CARRIED, world.room)
        )

    def _carried(self, world: World) -> list[int]:
        return [item for item, place in enumerate(world.places) if place == CARRIED]

    def _described(self, world: World, item: int) -> str:
        name = self.layout.items[item]
        return f"{name} (burning)" if item == LANTERN and world.flags & LIT else name

    def _look(self, world: World) -> str:
        if not self._is_lit(world):
            return "It is pitch dark, and you can see nothing. Something is breathing close by."
        layout, room = self.layout, self.layout.rooms[world.room]
        lines = [room.name, room.description]
        lines += [fixture.seen for fixture in layout.fixtures if fixture.room == world.room]
        if world.room == layout.hatch_room:
            lines.append(f"There is {_a(layout.hatch)} in the floor.")
        if world.room == layout.box_room:
            state = "open" if world.flags & BOX else "locked"
            lines.append(f"{_a(layout.box).capitalize()} stands here, {state}.")
        if world.room == layout.winch_room:
            lines.append(
                f"{_a(layout.winch).capitalize()} is fixed to the floor"
                + ("." if world.flags & GATE_OPEN else "; its socket is empty.")
            )
        if world.room == layout.shrine_room:
            shown = layout.items[TREASURE] if world.places[TREASURE] == SHOWN else ""
            lines.append(
                f"There is {_a(layout.shrine)} here, "
                + (f"and on it {_a(shown)}." if shown else "with nothing on it.")
            )
        things = [
            _a(self._described(world, item)) for item, place in enumerate(world.places) if place == world.room
        ]
        if things:
            lines.append(f"You see {_listed(things)}.")
        lines.append(self._ways(world))
        return "\n".join(lines)

    def _ways(self, world: World) -> str:
        open_sides, blocked = [], []
        for way in self.layout.exits[world.room]:
            if self._passable(world, way):
                open_sides.append(way.side)
            else:
                blocked.append(f"{_a(self._barrier(way)).capitalize()} blocks the way {way.side}.")
        return " ".join([f"You can go {_listed(open_sides, 'or')}.", *blocked])

    def _barrier(self, way: Exit) -> str:
        return self.layout.gate if way.lock == GATE else self.layout.door

    def _passable(self, world: World, way: Exit) -> bool:
        return way.lock in (FREE, ONE_WAY) or bool(world.flags & (GATE_OPEN if way.lock == GATE else DOOR_OPEN))

    def _find_commands(self, world: World) -> dict[str, Callable[[], tuple[World, str]]]:
        """Returns the valid commands, sorted, each with a function to the next world and the answer's first
        words.
        """
        return dict(sorted([*self._moves(world), *self._uses(world)], key=lambda pair: pair[0]))

    def _moves(self, world: World) -> Iterator[tuple[str, Callable[[], tuple[World, str]]]]:
        """Yields the commands to go, take, drop, and light."""
        layout = self.layout
        for way in layout.exits[world.room]:
            if self._passable(world, way):
                yield f"go {way.side}", lambda way=way: self._go(world, way)
        carried = self._carried(world)
        for item in carried:
            yield (f"drop {layout.items[item]}", lambda item=item: (_put(world, item, world.room), "Dropped."))
        if LANTERN in carried:
            verb, said = (
                ("put out", "The light dies.") if world.flags & LIT else ("light", "A warm light spreads.")
            )
            yield f"{verb} {layout.items[LANTERN]}", lambda: (_flip(world, LIT), said)
        if len(carried) < self.carry_limit and self._is_lit(world):
            for item, place in enumerate(world.places):
                if place == world.room:
                    yield f"take {layout.items[item]}", lambda item=item: self._take(world, item)

    def _uses(self, world: World) -> Iterator[tuple[str, Callable[[], tuple[World, str]]]]:
        """Yields the commands to use things that stay where they are; none in the dark."""
        if not self._is_lit(world):
            return
        layout, names = self.layout, self.layout.items
        held = set(self._carried(world))
        for number, fixture in enumerate(layout.fixtures):
            if fixture.room == world.room:
                bit = 1 << _FIXTURE_BIT + number
                used = bool(world.flags & bit)
                said = "It is as it was before." if used else fixture.shows
                yield (
                    f"{fixture.verbs[used]} {fixture.name}",
                    lambda bit=bit, said=said: (_flip(world, bit), said),
                )
        if world.room == layout.box_room and SMALL_KEY in held and not world.flags & BOX:
            yield (
                f"unlock {layout.box} with {names[SMALL_KEY]}",
                lambda: (
                    _put(_flip(world, BOX), CRANK, world.room),
                    f"The lock gives. In the {layout.box} lies {_a(names[CRANK])}.",
                ),
            )
        if world.room == layout.winch_room and CRANK in held and not world.flags & GATE_OPEN:
            yield (
                f"turn {layout.winch} with {names[CRANK]}",
                lambda: (
                    _flip(world, GATE_OPEN),
                    f"Chains rattle in the wall, and the {layout.gate} rises out of the way.",
                ),
            )
        if (
            HEAVY_KEY in held
            and not world.flags & DOOR_OPEN
            and any(way.lock == DOOR for way in layout.exits[world.room])
        ):
            yield (
                f"unlock {layout.door} with {names[HEAVY_KEY]}",
                lambda: (_flip(world, DOOR_OPEN), f"The {layout.door} swings open."),
            )
        if world.room == layout.shrine_room and TREASURE in held:
            yield (
                f"put {names[TREASURE]} on {layout.shrine}",
                lambda: (_put(world, TREASURE, SHOWN), f"The {names[TREASURE]} stands where it belongs."),
            )

    def _go(self, world: World, way: Exit) -> tuple[World, str]:
        after = world._replace(room=way.target)
        if way.lock != ONE_WAY:
            return after, ""
        if way.side == "up":
            return after, "You climb a steep shaft and push out into the open; there is no way back in.\n\n"
        return (
            after._replace(flags=world.flags | DESCENT),
            f"You let yourself down. The {self.layout.hatch} falls shut above you, out of reach.\n\n",
        )

    def _take(self, world: World, item: int) -> tuple[World, str]:
        after = _put(world, item, CARRIED)
        if item in self.layout.treasures:
            after = after._replace(found=world.found | 1 << item)
        return after, "Taken."

    def path(self, world: World, room: int) -> list[str]:
        """Returns the commands of a shortest way to a room through open exits, hatch and shaft included.

        Raises:
          ValueError: if there is none.
        """
        origin: dict[int, tuple[int, str]] = {}
        queue = deque([world.room])
        while queue:
            here = queue.popleft()
            for way in self.layout.exits[here]:
                if way.target != world.room and way.target not in origin and self._passable(world, way):
                    origin[way.target] = (here, f"go {way.side}")
                    queue.append(way.target)
        commands: list[str] = []
        while room != world.room:
            if room not in origin:
                raise ValueError(f"text_adventure: expected a way to room {room}, found none")
            room, command = origin[room]
            commands.append(command)
        return commands[::-1]

    def walkthrough(self) -> list[str]:
        """Returns the commands that lead to the maximum score: a planned tour, not the shortest one."""
        commands: list[str] = []
        snapshot = self.start()
        while (command := self.advice(snapshot)) is not None:
            snapshot = self.step(snapshot, command)
            commands.append(command)
        return commands

    def advice(self, snapshot: Snapshot) -> str | None:
        """Returns the next command of a plan for the maximum score, from wherever the player is; None where
        the story is over or there is no way on."""
        world = snapshot.world
        if snapshot.over:
            return None
        if not self._is_lit(world) and world.places[LANTERN] == CARRIED:
            return f"light {self.layout.items[LANTERN]}"
        try:
            return next(self._plan(world))
        except ValueError:
            return None

    def _plan(self, world: World) -> Iterator[str]:
        """Yields what is still to be done; only the first command holds in this world."""
        layout, names = self.layout, self.layout.items
        for item in self._carried(world):
            if self._is_spent(world, item):
                yield f"drop {names[item]}"
        if not world.flags & BOX:
            yield from self._fetch(world, SMALL_KEY)
            yield from self._use(world, layout.box_room, f"unlock {layout.box} with {names[SMALL_KEY]}")
        if not world.flags & GATE_OPEN:
            yield from self._fetch(world, CRANK)
        yield from self._fetch(world, LANTERN)
        if not world.flags & LIT:
            yield f"light {names[LANTERN]}"
        if not world.flags & GATE_OPEN:
            yield from self._use(world, layout.winch_room, f"turn {layout.winch} with {names[CRANK]}")
        if not world.flags & DOOR_OPEN:
            yield from self._fetch(world, HEAVY_KEY)
            [room] = (
                room
                for room, ways in enumerate(layout.exits)
                for way in ways
                if way.lock == DOOR and way.target == len(layout.rooms) - 1
            )
            yield from self._use(world, room, f"unlock {layout.door} with {names[HEAVY_KEY]}")
        # A treasure pays when it is first taken; the further ones need not be carried on. With two hands, of which
        # one holds the lantern, the first one comes last.
        if self.carry_limit > 2:
            yield from self._fetch(world, TREASURE)
        for item in layout.treasures[1:]:
            if not world.found >> item & 1:
                yield from self._fetch(world, item)
        yield from self._fetch(world, TREASURE)
        yield from self._use(world, layout.shrine_room, f"put {names[TREASURE]} on {layout.shrine}")

    def _fetch(self, world: World, item: int) -> Iterator[str]:
        if world.places[item] == CARRIED:
            return
        yield from self.path(world, world.places[item])
        carried = self._carried(world)
        if len(carried) == self.carry_limit:
            of_use = (LANTERN, SMALL_KEY, CRANK, HEAVY_KEY, TREASURE)
            trinkets = [other for other in carried if other not in of_use]
            yield f"drop {self.layout.items[(trinkets or carried)[-1]]}"
        yield f"take {self.layout.items[item]}"

    def _use(self, world: World, room: int, command: str) -> Iterator[str]:
        yield from self.path(world, room)
        yield command

    def _is_spent(self, world: World, item: int) -> bool:
        """Whether something that is carried has done what it is for."""
        done = {SMALL_KEY: BOX, CRANK: GATE_OPEN, HEAVY_KEY: DOOR_OPEN}
        return item in self.layout.treasures[1:] or bool(item in done and world.flags & done[item])


@lru_cache(maxsize=64)
def adventure(size: str, layout_seed: int, carry_limit: int, warning_turns: int, death: int) -> Adventure:
    """Returns the engine of these parameters, one for the whole process."""
    return Adventure(size, layout_seed, carry_limit, warning_turns, death)


def _put(world: World, item: int, place: int) -> World:
    return world._replace(places=world.places[:item] + (place,) + world.places[item + 1 :])


def _flip(world: World, flag: int) -> World:
    return world._replace(flags=world.flags ^ flag)


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _listed(names: list[str], word: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
