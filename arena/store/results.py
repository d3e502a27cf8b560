"""The outcomes of many matches as columns, from which ratings and tables are computed.

A match record holds every move; ratings need only who sat where and what it paid. A million matches
fit into some 100 MB this way. Columns are made from records (`Results.from_records`) or read from a
database of records (`arena.store.database.Database.results`), and are equal for equal matches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from arena.matches.records import FORFEIT_KINDS, MatchRecord

NO_SEAT = -1
"""The value in columns of indices for no such seat or no forfeit."""

_COLUMNS = (
    "game",
    "seats",
    "returns",
    "seed",
    "course",
    "dealt",
    "forfeit_seat",
    "forfeit_kind",
    "ended",
    "opened",
    "setting",
)


def setting_of(opening_plies: int, move_seconds: float | None, joint: bool = False) -> str:
    """The way in which a match was played, in words; empty where the bots made all moves and had all the time.

    Args:
      opening_plies, move_seconds: those of the match's record.
      joint: whether its opening went on where players move at once.
    """
    parts = []
    if opening_plies:
        parts.append(f"{opening_plies} random opening {'ply' if opening_plies == 1 else 'plies'}")
        if joint:
            parts.append("joint moves too")
    if move_seconds is not None:
        parts.append(f"{move_seconds:g} s a move")
    return ", ".join(parts)


@dataclass(frozen=True)
class Results:
    """n matches, one per row, of at most p seats.

    Attributes:
      games: the different game strings; `game` holds indices into it.
      settings: the different ways in which matches were played, see `setting_of`; `setting` holds indices
        into it. Matches of one game but of different settings measure different things.
      bots: the different canonical specs; `seats` holds indices into it.
      game: (n,) int32.
      seats: (n, p) int32, the bot in each seat, `NO_SEAT` where a match has fewer seats.
      returns: (n, p) float64, utilities by seat, NaN where a match has fewer seats.
      seed: (n,) int64, the match seed; the matches of a mirrored pair share it.
      course: (n,) int64, `MatchRecord.course`: equal for equal sequences of moves.
      dealt: (n,) bool, whether chance took part.
      opened: (n,) bool, whether a random opening was drawn.
      forfeit_seat: (n,) int8, the seat that forfeited, or `NO_SEAT`.
      forfeit_kind: (n,) int8, index into `arena.matches.records.FORFEIT_KINDS`, or `NO_SEAT`.
      ended: (n,) float64, time at which the match ended, in seconds since 1970 UTC, NaN where unknown.
      setting: (n,) int32.
      extensions: (game, setting, sentence) of each experiment that was made longer after a look at it.
      sequential: the (game, setting) of which matches were played until an interval was narrow enough.
    """

    games: tuple[str, ...]
    bots: tuple[str, ...]
    game: np.ndarray
    seats: np.ndarray
    returns: np.ndarray
    seed: np.ndarray
    course: np.ndarray
    dealt: np.ndarray
    forfeit_seat: np.ndarray
    forfeit_kind: np.ndarray
    ended: np.ndarray
    opened: np.ndarray
    setting: np.ndarray
    settings: tuple[str, ...]
    extensions: tuple[tuple[str, str, str], ...] = ()
    sequential: tuple[tuple[str, str], ...] = ()

    def __len__(self) -> int:
        return len(self.game)

    def where(self, chosen: np.ndarray) -> Results:
        """The rows that a (n,) bool mask or an array of row numbers chooses, in its order; `games`
        and `bots` stay whole, so that indices keep their meaning."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in _COLUMNS})

    @classmethod
    def from_records(cls, records: Iterable[MatchRecord]) -> Results:
        """The columns of these records; `games` and `bots` in the order of first appearance."""
        records = list(records)
        games: dict[str, int] = {}
        settings: dict[str, int] = {}
        bots: dict[str, int] = {}
        seats = max((len(record.seats) for record in records), default=2)
        padding = range(seats)
        return cls(
            game=np.array([games.setdefault(r.game, len(games)) for r in records], np.int32),
            seats=np.array(
                [
                    [
                        bots.setdefault(r.seats[seat], len(bots)) if seat < len(r.seats) else NO_SEAT
                        for seat in padding
                    ]
                    for r in records
                ],
                np.int32,
            ).reshape(-1, seats),
            returns=np.array(
                [[r.returns[seat] if seat < len(r.returns) else math.nan for seat in padding] for r in records]
            ).reshape(-1, seats),
            seed=np.array([r.seed for r in records], np.int64),
            course=np.array([r.course for r in records], np.int64),
            dealt=np.array([r.dealt for r in records], bool),
            forfeit_seat=np.array([r.forfeit.player if r.forfeit else NO_SEAT for r in records], np.int8),
            forfeit_kind=np.array(
                [FORFEIT_KINDS.index(r.forfeit.kind) if r.forfeit else NO_SEAT for r in records], np.int8
            ),
            ended=np.array([math.nan if r.ended is None else r.ended for r in records], float),
            opened=np.array([r.opening_length > 0 for r in records], bool),
            setting=np.array(
                [
                    settings.setdefault(setting_of(r.opening_plies, r.move_seconds), len(settings))
                    for r in records
                ],
                np.int32,
            ),
            games=tuple(games),
            bots=tuple(bots),
            settings=tuple(settings),
        )
