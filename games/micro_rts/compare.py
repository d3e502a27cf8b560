"""Compares fuzzed games of the real MicroRTS engine with ours, tick by tick.

    python -m games.micro_rts.compare --jar=FILE --games=200 --seed=0

The comparison is that of `games.micro_rts.replay`. Orders are legal, illegal, clashing, for busy units, several
for one unit and in any order; maps are ours and random ones crowded with units; unit tables and conflict
policies take turns. Prints each difference and a summary. Exit code 0: no difference, 1: some, 2: bad input.

`--write=FOLDER` keeps the games there as recordings. Needs Java and the engine's jar, see
`games.micro_rts.java`.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from games.micro_rts.java import recorded
from games.micro_rts.java.mirror import Fields
from games.micro_rts.java.real_engine import Legal, RealEngine, record
from games.micro_rts.rules import maps, orders, unit_tables
from games.micro_rts.rules.maps import Map, StartUnit
from runs import cli, flags

_FLAGS = flags.FLAGS
_WAITS = (-1, 0, 1, 2, 7, 10, 30)


class Habits(NamedTuple):
    """The frequencies with which, in one fuzzed game, a free unit is ordered, a busy one is, an order is random
    instead of legal, goes to a cell that another order of the tick goes to, and is followed by a second one for
    the same unit."""

    orders: float
    busy: float
    illegal: float
    clash: float
    twice: float

    @staticmethod
    def draw(rng: random.Random) -> Habits:
        """Habits of one game."""
        return Habits(
            rng.choice((0.3, 0.8, 1.0)),
            rng.choice((0.0, 0.0, 0.02, 0.2)),
            rng.choice((0.0, 0.1, 0.5)),
            rng.choice((0.0, 0.3, 0.9)),
            rng.choice((0.0, 0.0, 0.1)),
        )


class Fuzzer:
    """A chooser of both players' lists for `record`."""

    def __init__(self, rng: random.Random, habits: Habits):
        self._rng, self._habits = rng, habits

    def __call__(self, engine: RealEngine, legal: Legal) -> tuple[list[list[int]], list[list[int]]]:
        rng, habits, board = self._rng, self._habits, engine.board
        cells = {unit: board.cell(x, y) for unit, _, _, x, y, *_ in engine.snapshot()["units"]}
        aims: set[int] = set()
        lists: tuple[list[list[int]], list[list[int]]] = ([], [])
        for unit, player, idle, allowed in rng.sample(legal, len(legal)):
            if rng.random() >= (habits.orders if idle else habits.busy):
                continue
            for _ in range(2 if rng.random() < habits.twice else 1):
                around = board.neighbours[cells[unit]]
                contested = [fields for fields in allowed if _aim(fields, around) in aims]
                if rng.random() < habits.illegal:
                    fields = random_order(rng, board)
                else:
                    fields = rng.choice(contested if contested and rng.random() < habits.clash else allowed)
                if _aim(fields, around) is not None:
                    aims.add(_aim(fields, around))
                lists[player].append([unit, *fields])
        return lists


def _aim(fields: Fields, around: Sequence[int]) -> int | None:
    """Returns the cell that an order claims."""
    return around[fields[1]] if fields[0] in (orders.MOVE, orders.PRODUCE) else None


def random_order(rng: random.Random, board: Map) -> Fields:
    """Returns any order that can be written, legal or not."""
    kind = rng.randrange(6)
    if kind == orders.ATTACK:
        return [kind, -1, rng.randrange(-1, board.width + 1), rng.randrange(-1, board.height + 1), -1]
    if kind == orders.WAIT:
        return [kind, rng.choice(_WAITS), 0, 0, -1]
    return [kind, rng.randrange(4), 0, 0, rng.randrange(7) if kind == orders.PRODUCE else -1]


def random_map(rng: random.Random, table: tuple[unit_tables.UnitType, ...]) -> Map:
    """Returns a small map with walls, resources, and units of all types of both players close together."""
    width, height = rng.randint(3, 9), rng.randint(3, 9)
    walls = tuple(rng.random() < 0.1 for _ in range(width * height))
    free = [cell for cell, wall in enumerate(walls) if not wall]
    crowd = rng.sample(free, max(4, round(len(free) * rng.uniform(0.1, 0.5))))
    units = []
    for number, cell in enumerate(crowd):
        kind = unit_tables.WORKER if number < 2 else rng.randrange(7)
        resource = kind == unit_tables.RESOURCE
        player = -1 if resource else number if number < 2 else rng.randrange(2)
        carried = rng.randint(1, 4) if resource else int(kind == unit_tables.WORKER and rng.random() < 0.3)
        units.append(
            StartUnit(kind, player, cell % width, cell // width, rng.randint(1, table[kind].hp), carried)
        )
    return Map(
        f"random{width}x{height}", width, height, walls, tuple(units), (rng.randrange(15), rng.randrange(15))
    )


def fuzzed_game(number: int, seed: int, max_cycles: int, jar: str | None) -> list[dict[str, Any]]:
    """Returns the recording of one fuzzed game in the real engine. Nine successive games have all pairs of a
    unit table and a conflict policy; every other nine are on random maps.
    """
    rng = random.Random(f"{seed} {number}")
    unit_table, policy = 1 + number % 3, 1 + number // 3 % 3
    board = (
        random_map(rng, unit_tables.TABLES[unit_table])
        if number // 9 % 2
        else maps.load(rng.choice(maps.names()))
    )
    engine = RealEngine(board, unit_table, policy, seed=rng.randrange(2**31), jar=jar)
    return record(engine, Fuzzer(rng, Habits.draw(rng)), ("fuzz", "fuzz"), max_cycles)


def _define_flags() -> None:
    flags.jar("; the one that MICRORTS_JAR names by default")
    flags.DEFINE_integer("games", 200, "Number of fuzzed games.", lower_bound=1)
    flags.seed("all games")
    flags.max_cycles(400, "stops")
    flags.DEFINE_string("write", None, "Folder for recordings of the games.")


def main() -> None:
    """Runs the command; see the module's docstring."""
    folder = Path(_FLAGS.write) if _FLAGS.write else None
    if folder and not folder.is_dir():
        raise ValueError(f"--write: the folder {folder} does not exist; create it")
    ticks = given = differing = 0
    for number in tqdm(range(_FLAGS.games), unit="game", disable=None):
        lines = fuzzed_game(number, _FLAGS.seed, _FLAGS.max_cycles, _FLAGS.jar)
        header = lines[0]
        name = f"{number:04}_{header['map']}_table{header['utt_version']}_policy{header['conflict_policy']}"
        if folder:
            text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
            # Without a time stamp, so that the same game is the same file.
            (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        ticks += len(lines) - 2
        given += sum(len(line["a0"]) + len(line["a1"]) for line in lines[1:-1])
        difference = recorded.first_difference(lines)
        if difference:
            differing += 1
            tqdm.write(f"game {name}: {difference}")
    print(f"{_FLAGS.games} games, {ticks} ticks, {given} orders: {differing} games differ")
    if differing:
        sys.exit(1)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
