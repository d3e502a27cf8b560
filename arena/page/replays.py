"""Matches as replays: the choice among many, and the data with which a viewer shows one.

A replay is JSON-able. Its texts are lists of numbers of `lines`, since the positions of a match, and
the prompts of a language model, share most of their lines.
"""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
import pyspiel

from arena.matches.positions import check, positions
from arena.matches.records import MatchRecord, Move
from arena.page.charts import moment
from arena.registry.games import load_game
from arena.store.results import NO_SEAT, Results
from games.openspiel_views import board_drawings
from games.seeing import views
from games.seeing.pictures import picture_url, seat_picture_url

FORFEIT_SHARE = 0.5
"""Share of the replays shown that may be forfeits before matches played to their end come."""

_SHORT = 80
"""Characters up to which a note is shown beside its name; longer ones are folded."""

_COLOUR_CODES = re.compile(r"\x1b\[[0-9;]*m")  # OpenSpiel's twixt colours its text for terminals


def _spread(groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Row numbers in an order that takes one of each group, then a second one of each, and so on;
    `groups` is (n, k) of -1 or more, equal rows are one group. Within a group, and among groups, by
    chance."""
    if not len(groups):
        return np.zeros(0, int)
    group = np.zeros(len(groups), np.int64)
    for column in groups.T:
        group = np.unique(group * (int(column.max()) + 2) + column + 1, return_inverse=True)[1]
    shuffled = rng.permutation(len(groups))
    group = group[shuffled]
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(group[order]) != 0])
    turn = np.empty(len(order), int)
    turn[order] = np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)]))
    return shuffled[np.argsort(turn, kind="stable")]


def choose(results: Results, count: int, rng: np.random.Generator) -> np.ndarray:
    """Chooses which matches to show.

    Forfeits come first, spread over bots and kinds, up to `FORFEIT_SHARE` of `count`; then the other
    matches, spread over games and pairings; then what is left of the forfeits.

    Args:
      results: outcomes of all matches.
      count: number of matches to choose, at least 0.
      rng: random numbers for the choice within each group.

    Returns:
      At most `count` row numbers of `results`, in the order of choice.
    """
    forfeited = results.forfeit_seat != NO_SEAT
    culprit = np.where(forfeited, results.seats[np.arange(len(results)), results.forfeit_seat], NO_SEAT)
    rows = np.flatnonzero(forfeited)
    forfeits = rows[_spread(np.stack([results.game, culprit, results.forfeit_kind], 1)[rows], rng)]
    rows = np.flatnonzero(~forfeited)
    others = rows[_spread(_pairings(results)[rows], rng)]
    first = min(len(forfeits), math.ceil(FORFEIT_SHARE * count))
    return np.concatenate([forfeits[:first], others, forfeits[first:]])[:count]


def sample(results: Results, count: int, rng: np.random.Generator) -> np.ndarray:
    """At most `count` row numbers of `results`, spread over games and pairings."""
    return _spread(_pairings(results), rng)[:count]


def _pairings(results: Results) -> np.ndarray:
    """Pairings, (n, 1 + p): equal rows are matches of one game between the same bots, in whatever seats."""
    return np.column_stack([results.game, np.sort(results.seats, axis=1)])


class _Lines:
    """The different lines of many texts."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def text(self, text: str) -> list[int]:
        """The numbers of the text's lines."""
        return [
            self._numbers.setdefault(line, len(self._numbers))
            for line in _COLOUR_CODES.sub("", text).rstrip("\n").split("\n")
        ]

    def all(self) -> list[str]:
        return list(self._numbers)


class _Replay:
    """Collects the data that are shown of one match."""

    def __init__(self, seat_pictures: bool = False) -> None:
        self.lines = _Lines()
        self._seat_pictures = seat_pictures
        self.board: dict[str, object] | None = None
        self.pictures: dict[str, int] = {}
        self.hidden = False

    def frame(self, state: pyspiel.State) -> dict[str, object]:
        """A state: `text` and, where there are any, `board`, `picture`, and `views` by player."""
        game_type = state.get_game().get_type()
        self.hidden = game_type.information != pyspiel.GameType.Information.PERFECT_INFORMATION
        frame = {"text": self.lines.text(str(state)), **self._board(board_drawings.board(state))}
        url = picture_url(state)
        if url is None and self._seat_pictures and not self.hidden:
            url = seat_picture_url(state, None)
        frame |= self._picture(url)
        if self.hidden:
            frame["views"] = [self._view(state, player) for player in range(state.num_players())]
        return frame

    def _view(self, state: pyspiel.State, player: int) -> dict[str, object]:
        text = views.view_of(state.get_game()).text(state, player)
        url = seat_picture_url(state, player) if self._seat_pictures else None
        return {
            "text": self.lines.text(text),
            **self._board(board_drawings.board(state, player)),
            **self._picture(url),
        }

    def _picture(self, url: str | None) -> dict[str, object]:
        return {} if url is None else {"picture": self.pictures.setdefault(url, len(self.pictures))}

    def _board(self, board: board_drawings.Board | None) -> dict[str, object]:
        if board is None:
            return {}
        described = asdict(board)
        rows = described.pop("rows")
        if self.board is None:
            self.board = described
        self.board["pieces"].update(described["pieces"])
        return {"board": self.lines.text("\n".join(rows))}

    def move(self, move: Move, name: str) -> dict[str, object]:
        """A move: `player`, `action`, `name`, and where known `seconds`, `notes`, `value`."""
        shown: dict[str, object] = {"player": move.player, "action": move.action, "name": name}
        if move.seconds is not None:
            shown["seconds"] = move.seconds
        if move.notes:
            shown["notes"] = self.notes(move.notes)
            value = move.notes.get("value")
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                shown["value"] = value
        return shown

    def notes(self, notes: Mapping[str, object]) -> list[dict[str, object]]:
        """Notes as `name` and either `value`, short, or `text`, to be folded; those that are None are left out."""
        return [self._note(key, value) for key, value in notes.items() if value is not None]

    def _note(self, key: str, value: object) -> dict[str, object]:
        if isinstance(value, float):
            text = f"{value + 0.0:.6g}"  # no -0
        elif isinstance(value, str):
            text = value
        else:
            text = json.dumps(value, ensure_ascii=False)
            if len(text) > _SHORT:
                text = json.dumps(value, ensure_ascii=False, indent=1)
        if len(text) <= _SHORT and "\n" not in text:
            return {"name": key, "value": text}
        return {"name": key, "text": self.lines.text(text)}


def replay(record: MatchRecord, *, seat_pictures: bool = False) -> dict[str, object]:
    """The data that a viewer shows of a match, JSON-able.

    Args:
      record: the match.
      seat_pictures: whether the pictures that each player had are in it too.

    Returns:
      `summary(record)` and: `lines`; `frames`, one for each state, the first one the start; `steps`,
      the moves that lead from each frame to the next; `board`, the board's fields but its rows, or
      None; `pictures`, URLs; `hidden`, whether frames have `views`; `opening`, the number of steps that the
      random opening has; `seed`, `ended`, `versions`, `reason` of a forfeit.

    Raises:
      ValueError: the match does not follow from its game (see `arena.matches.positions.check`).
    """
    check(record)
    made = _Replay(seat_pictures)
    frames: list[dict[str, object]] = []
    steps: list[list[dict[str, object]]] = []
    opening = moves_made = 0
    for state, moves in positions(load_game(record.game), record.moves):
        frames.append(made.frame(state))
        if moves:
            steps.append(
                [made.move(move, views.action_name(state, move.action, move.player)) for move in moves]
            )
            moves_made += len(moves)
            opening += moves_made <= record.opening_length
    ending = _breaking_off(record, made)
    return {
        **summary(record),
        **ending,
        "lines": made.lines.all(),
        "frames": frames,
        "steps": steps,
        "board": made.board,
        "pictures": list(made.pictures),
        "hidden": made.hidden,
        "opening": opening,
        "seed": str(record.seed),
        "ended": moment(record.ended),
        "versions": {str(name): str(version) for name, version in record.versions.items()},
    }


def _breaking_off(record: MatchRecord, made: _Replay) -> dict[str, object]:
    forfeit = record.forfeit
    if forfeit is None:
        return {"reason": None, "last_notes": []}
    return {"reason": forfeit.reason, "last_notes": made.notes(forfeit.notes or {})}


def summary(record: MatchRecord) -> dict[str, object]:
    """A match's entry in a list: `game`, `seats`, `returns`, `forfeit` (player and kind, or None)
    and the number of `moves`."""
    forfeit = record.forfeit
    return {
        "game": record.game,
        "seats": list(record.seats),
        "returns": list(record.returns),
        "moves": len(record.moves),
        "forfeit": forfeit and {"player": forfeit.player, "kind": forfeit.kind},
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def packed(value: Mapping[str, object]) -> str:
    """JSON, compressed (gzip) and in base64, for a viewer to unpack when it is looked at."""
    # Without the time, so that equal matches make equal pages.
    return base64.b64encode(gzip.compress(_json(value).encode(), mtime=0)).decode()


def as_script(value: Mapping[str, object] | Sequence[object]) -> str:
    """JSON to stand inside a `script` element: no character in it can end the element."""
    return _json(value).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
