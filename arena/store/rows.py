"""Match records as rows of the tables of `arena.store.schema`, and back."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Collection, Mapping

import numpy as np

from arena.matches.records import FORFEIT_KINDS, MatchRecord, Move
from arena.store.results import NO_SEAT, Results, setting_of

CHUNK = 10_000
"""Rows held as Python objects at a time."""


canonical_json = json.JSONEncoder(
    sort_keys=True, allow_nan=False, separators=(",", ":"), ensure_ascii=False
).encode
"""One text for equal values; a method, as `json.dumps` would make an encoder for each call."""

_notes_json = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
"""Encodes notes in ASCII, as the replies of language models may hold half characters, which SQLite refuses."""


class Texts:
    """A table of different texts, of which other tables hold the ids."""

    def __init__(self, connection: sqlite3.Connection, table: str, column: str):
        self._connection = connection
        self._select_id = f"SELECT id FROM {table} WHERE {column} = ?"
        self._select_text = f"SELECT {column} FROM {table} WHERE id = ?"
        self._insert = f"INSERT INTO {table} ({column}) VALUES (?)"
        self.forget()

    def forget(self) -> None:
        """Forgets all ids, as is needed after a rollback, which may have taken ids back."""
        self._ids: dict[str, int] = {}
        self._texts: dict[int, str] = {}

    def find(self, text: str) -> int | None:
        if text not in self._ids:
            row = self._connection.execute(self._select_id, (text,)).fetchone()
            if row is None:
                return None
            self._ids[text] = row[0]
        return self._ids[text]

    def id(self, text: str) -> int:
        """The id of a text, which is added if it is new; within a transaction."""
        found = self.find(text)
        if found is None:
            found = self._ids[text] = self._connection.execute(self._insert, (text,)).lastrowid
        return found

    def text(self, number: int) -> str:
        if number not in self._texts:
            row = self._connection.execute(self._select_text, (number,)).fetchone()
            if row is None:
                raise KeyError(f"nothing with number {number!r}")
            self._texts[number] = row[0]
        return self._texts[number]


def outcome(record: MatchRecord) -> tuple:
    """The parts of a match that do not depend on clocks."""
    forfeit = record.forfeit and (record.forfeit.player, record.forfeit.kind)
    return record.actions(), record.returns, forfeit


def encoded_moves(record: MatchRecord) -> tuple[str, str, str, str | None]:
    """The columns of the table `moves` after `match`."""
    moves = record.moves
    notes = {str(number): move.notes for number, move in enumerate(moves) if move.notes is not None}
    if record.forfeit is not None and record.forfeit.notes is not None:
        notes[str(len(moves))] = record.forfeit.notes
    microseconds = [None if move.seconds is None else round(move.seconds * 1e6) for move in moves]
    return (
        canonical_json([move.player for move in moves]),
        canonical_json([move.action for move in moves]),
        canonical_json(microseconds),
        _notes_json(notes) if notes else None,
    )


def decoded_moves(
    players: str, actions: str, microseconds: str, notes: Mapping[str, object]
) -> tuple[Move, ...]:
    return tuple(
        Move(player, action, None if time is None else time / 1e6, notes.get(str(number)))
        for number, (player, action, time) in enumerate(
            zip(json.loads(players), json.loads(actions), json.loads(microseconds), strict=True)
        )
    )


RESULT_COLUMNS = (
    "game, seats, returns, seed, course, dealt, forfeit_seat, forfeit_kind, ended, "
    "opening_length, opening_plies, move_seconds, experiment"
)
"""The columns of the table `match` that `results` reads."""


def results(
    cursor: sqlite3.Cursor, games: Texts, bots: Texts, joint: Collection[int], **marks: object
) -> Results:
    """The rows of `RESULT_COLUMNS` as columns, in their order; names in order of first appearance.

    Args:
      cursor: a cursor over the rows.
      games, bots: the texts that the rows name by id.
      joint: the experiments whose openings go on where players move at once.
      marks: `extensions` and `sequential` of `Results`.
    """
    kinds = {None: NO_SEAT, **{kind: index for index, kind in enumerate(FORFEIT_KINDS)}}
    game_ids: dict[int, int] = {}  # id in the file -> index
    lineups: dict[str, int] = {}
    payoffs: dict[str, int] = {}
    settings: dict[str, int] = {}
    kinds_of_play: dict[tuple, int] = {}  # columns that follow each other are mostly equal

    def number_of(*played: object) -> int:
        if played not in kinds_of_play:
            plies, seconds, experiment = played
            text = setting_of(plies, seconds, experiment in joint)
            kinds_of_play[played] = settings.setdefault(text, len(settings))
        return kinds_of_play[played]

    chunks: list[list[np.ndarray]] = []
    while found := cursor.fetchmany(CHUNK):
        game, seats, returns, seed, course, dealt, seat, kind, ended, opening, *played = zip(*found)
        chunks.append(
            [
                np.array([game_ids.setdefault(value, len(game_ids)) for value in game], np.int32),
                np.array([lineups.setdefault(value, len(lineups)) for value in seats], np.int32),
                np.array([payoffs.setdefault(value, len(payoffs)) for value in returns], np.int32),
                np.array(seed, np.int64),
                np.array(course, np.int64),
                np.array(dealt, bool),
                np.array([NO_SEAT if value is None else value for value in seat], np.int8),
                np.array([kinds[value] for value in kind], np.int8),
                np.array(ended, float),
                np.array(opening) > 0,
                np.array([number_of(*row) for row in zip(*played)], np.int32),
            ]
        )
    if not chunks:
        return Results.from_records([])
    game, lineup, payoff, *others = map(np.concatenate, zip(*chunks))
    bot_ids: dict[int, int] = {}
    seated = [[bot_ids.setdefault(bot, len(bot_ids)) for bot in json.loads(text)] for text in lineups]
    paid = [json.loads(text) for text in payoffs]
    width = max(map(len, seated))
    return Results(
        tuple(map(games.text, game_ids)),
        tuple(map(bots.text, bot_ids)),
        game,
        np.array([row + [NO_SEAT] * (width - len(row)) for row in seated], np.int32)[lineup],
        np.array([row + [math.nan] * (width - len(row)) for row in paid], float)[payoff],
        *others,
        settings=tuple(settings),
        **marks,
    )
