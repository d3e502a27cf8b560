"""Recorded games of wrestle: JSON Lines, gzipped or not.

Line 0 is the start: `t`, `pos`, `vel` ([x, y] of each player), `theta` (headings), `energy`. Line t is the
state after step t, with `act` ([force, turn] of each player), `rew`, `done`, `winner` (-1 for nobody) and
`out`. `obs`, on some lines only, is for each player 40 strings of 40 characters: `.` for 0, else a
hexadecimal digit.
"""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from games.wrestle.physics import Disc, World
from games.wrestle.rendering import SIZE


@dataclass(frozen=True)
class Frame:
    """One line of a recorded game.

    Attributes:
      world: the state.
      actions: (force, turn) of each player that led to it; None on line 0.
      done, winner, out: the fields of the same names; None on line 0.
      views: for each player 1600 characters as of `rendering.to_text`; None where none were recorded.
    """

    world: World
    actions: tuple[tuple[float, float], ...] | None
    done: bool | None
    winner: int | None
    out: tuple[bool, ...] | None
    views: tuple[str, ...] | None


def _pair(value: object, of: type) -> tuple:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"expected a list of two, found {value!r:.60}")
    if of is float and not all(isinstance(item, (int, float)) and math.isfinite(item) for item in value):
        raise ValueError(f"expected two finite numbers, found {value!r:.60}")
    if of is bool and not all(isinstance(item, bool) for item in value):
        raise ValueError(f"expected true or false twice, found {value!r:.60}")
    return tuple(value)


def _frame(line: Mapping[str, object]) -> Frame:
    positions, velocities = (_pair(line[key], list) for key in ("pos", "vel"))
    discs = tuple(
        Disc(*_pair(position, float), *_pair(velocity, float), heading, energy)
        for position, velocity, heading, energy in zip(
            positions, velocities, _pair(line["theta"], float), _pair(line["energy"], float)
        )
    )
    views = None
    if "obs" in line:
        views = tuple("".join(rows) for rows in _pair(line["obs"], list))
        if any(len(view) != SIZE * SIZE for view in views):
            raise ValueError(f"obs: expected {SIZE} strings of {SIZE} characters for each player")
    world = World(discs, line["t"])
    if "act" not in line:
        return Frame(world, None, None, None, None, views)
    actions = tuple(_pair(action, float) for action in _pair(line["act"], list))
    return Frame(world, actions, line["done"], line["winner"], _pair(line["out"], bool), views)


def read(path: str | Path) -> Iterator[Frame]:
    """Yields the frames of a recorded game, one after the other.

    Raises:
      ValueError: a line is no such frame, or not the next one; the sentence names the line.
      OSError: the file cannot be read.
    """
    opener = gzip.open if str(path).endswith(".gz") else open
    number = 0
    with opener(path, "rb") as file:
        try:
            for number, text in enumerate(file):
                frame = _frame(json.loads(text))
                if frame.world.steps != number or (frame.actions is None) != (number == 0):
                    raise ValueError(
                        f"expected step {number}, found t = {frame.world.steps!r}"
                        f"{'' if frame.actions else ' without act'}"
                    )
                yield frame
        except (ValueError, KeyError, TypeError, EOFError, zlib.error) as error:
            said = f"field {error} is missing" if isinstance(error, KeyError) else str(error)
            raise ValueError(
                f"{path}, line {number + 1}: {said}; expected a game of wrestle, see games/wrestle/traces.py"
            ) from error
