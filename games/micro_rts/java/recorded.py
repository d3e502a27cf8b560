"""Recorded games of the real MicroRTS engine, played again in ours and compared, tick by tick.

A recording is text, perhaps compressed (.gz), with a JSON object a line: a header, a line a tick with the
state and both players' orders, and the end. Random draws (conflict policy 2, unit table 3) come from two
`java.util.Random(seed)`. Ids differ between engines, so that units are compared by place in the unit list.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from games.micro_rts.rules import orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.java_random import JavaRandom
from games.micro_rts.rules.maps import Map, StartUnit
from games.micro_rts.rules.orders import Order


class Difference(NamedTuple):
    """A place where a replay parts from its recording: the tick, the field, and both values."""

    tick: int
    what: str
    recorded: object
    replayed: object

    def __str__(self) -> str:
        return f"tick {self.tick}: {self.what}: recorded {self.recorded}, replayed {self.replayed}"


def read_lines(path: str | Path) -> list[dict[str, Any]]:
    """Returns the JSON objects of a recording.

    Raises:
      OSError: the file cannot be read.
      ValueError: a line is not a JSON object, or the first and last are not header and end.
    """
    path = Path(path)
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
    except (ValueError, EOFError) as error:
        raise ValueError(f"{path}: expected a JSON object a line, found: {error}") from None
    kinds = [line.get("kind") if isinstance(line, dict) else None for line in lines]
    if len(kinds) < 2 or kinds != ["header"] + ["tick"] * (len(kinds) - 2) + ["end"]:
        raise ValueError(
            f"{path}: expected a header, a line a tick and the end, found {len(kinds)} lines "
            f"of the kinds {sorted(set(map(str, kinds)))}; is this a recorded game?"
        )
    return lines


def start_state(header: dict[str, Any], first: dict[str, Any]) -> State:
    """Returns the state in which a recorded game starts, from its header and its first tick."""
    units = tuple(
        StartUnit(kind, player, x, y, hp, carried) for _, kind, player, x, y, hp, carried in first["units"]
    )
    board = Map(
        header["map"],
        header["width"],
        header["height"],
        tuple(cell == "1" for cell in header["terrain"]),
        units,
        tuple(first["res"]),
    )
    return State(
        board,
        header["utt_version"],
        header["conflict_policy"],
        coins=JavaRandom(header["seed"]),
        damages=JavaRandom(header["seed"]),
    )


def recorded_order(state: State, fields: Sequence[int]) -> Order:
    """Returns an order from its recorded fields: code, parameter, x, y, type."""
    kind, arg, x, y, unit_type = fields
    if kind == orders.ATTACK:
        return orders.attack(state.map.cell(x, y))
    return Order(kind, arg, unit_type if kind == orders.PRODUCE else -1)


def first_difference(lines: Sequence[dict[str, Any]]) -> Difference | None:
    """Replays a recording, as `read_lines` gives it; None if nothing differs.

    Raises:
      KeyError, TypeError, ValueError: the recording is malformed.
    """
    header, *ticks, end = lines
    state = start_state(header, ticks[0] if ticks else end)
    for line in ticks:
        ids = dict(zip((fields[0] for fields in line["units"]), state.units))
        difference = next(_differences(state, line, ids), None)
        if difference:
            return difference
        for player in (0, 1):
            state.issue(
                player, [(ids[unit], recorded_order(state, fields)) for unit, *fields in line[f"a{player}"]]
            )
        issued = [_recorded_job(state, job, ids) for job in line["issued"]]
        if issued != _jobs(state):
            return Difference(state.clock, "issued orders", issued, _jobs(state))
        state.advance()
    ids = dict(zip((fields[0] for fields in end["units"]), state.units))
    return next(_differences(state, end, ids), None)


def _recorded_job(state: State, job: Sequence[int], ids: dict[int, int]) -> tuple[int, Order, int]:
    unit, *fields, issued = job
    order = recorded_order(state, fields)
    if order.kind == orders.WAIT:
        order = orders.wait(max(order.arg, 1))
    return ids[unit], order, issued


def _jobs(state: State) -> list[tuple[int, Order, int]]:
    # All durations below 1 behave as one tick, so that they are written as 1.
    return [
        (unit, orders.wait(max(job.order.arg, 1)) if job.order.kind == orders.WAIT else job.order, job.issued)
        for unit, job in state.jobs.items()
    ]


def _differences(state: State, line: dict[str, Any], ids: dict[int, int]) -> Iterator[Difference]:
    """Yields the differences between a state and a recorded one."""
    tick = line["t"]

    def compared(what: str, recorded: object, replayed: object) -> Iterator[Difference]:
        if recorded != replayed:
            yield Difference(tick, what, recorded, replayed)

    yield from compared("clock", tick, state.clock)
    yield from compared("banks", line["res"], state.banks)
    yield from compared(
        "units",
        [fields[1:] for fields in line["units"]],
        [
            [unit.type, unit.player, *state.map.positions[unit.cell], unit.hp, unit.carried]
            for unit in state.units.values()
        ],
    )
    yield from compared("jobs", [_recorded_job(state, job, ids) for job in line["jobs"]], _jobs(state))
    if "legal" in line:
        yield from compared(
            "legal orders",
            [(ids[unit], [recorded_order(state, order) for order in legal]) for unit, legal in line["legal"]],
            [
                (unit.id, state.legal_orders(unit))
                for unit in state.units.values()
                if unit.player >= 0 and unit.id not in state.jobs
            ],
        )
        yield from compared("game over", False, state.over)
    else:
        yield from compared("game over", line["gameover"], state.over)
        yield from compared("winner", line["winner"], state.winner)
