"""The record of a match, and files of such records (JSON Lines, one match per line)."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

FORFEIT_KINDS = ("illegal", "timeout", "crash")
"""illegal: an action that is not among the legal ones. timeout: a move that took too long. crash:
an exception, or notes that are not JSON."""


LONGEST_MOVE = 1e9
"""Most seconds that a move can be said to have taken, 31 years: a record with more of them is damaged."""


@dataclass(frozen=True)
class Move:
    """One action of a match, chance outcomes included.

    Attributes:
      player: the player that acted, in [0, number of players), or -1 for chance. At a node where several
        players move at once, their moves follow each other in the order of the players.
      action: OpenSpiel's action id.
      seconds: wall-clock time that a bot took, in whole microseconds; None for chance and for the
        opening.
      notes: the bot's `notes()` about this move, None where it has none.
    """

    player: int
    action: int
    seconds: float | None = None
    notes: Mapping[str, object] | None = None


@dataclass(frozen=True)
class ForfeitRecord:
    """A forfeit, by which a match ended before its game: `player` broke off with a `kind` of `FORFEIT_KINDS`;
    `reason` is one line, and `notes` holds the bot's notes about the move it failed to make."""

    player: int
    kind: str
    reason: str
    notes: Mapping[str, object] | None = None


@dataclass(frozen=True)
class MatchRecord:
    """One match. Everything but `seconds`, `notes`, `versions` and `ended` follows from the other
    inputs.

    Attributes:
      game: the OpenSpiel game string.
      seats: the canonical spec of each player, by seat.
      seed: seed of the opening, the chance outcomes and the bots. The matches of a mirrored pair have
        the same one.
      opening_plies: number of random moves asked for before the bots took over.
      move_seconds: time limit per move, None for none.
      opening_length: number of the first `moves` (chance included) that are the opening.
      moves: all actions in the order they were applied.
      returns: the players' returns by seat, in utilities of the game; after a forfeit see
        `arena.matches.forfeit.forfeit_returns`.
      forfeit: None for a match played to its end.
      versions: versions of the programs that took part.
      ended: time at which the match ended, in seconds since 1970 UTC; None where nobody noted it.
    """

    game: str
    seats: tuple[str, ...]
    seed: int
    opening_plies: int
    move_seconds: float | None
    opening_length: int
    moves: tuple[Move, ...]
    returns: tuple[float, ...]
    forfeit: ForfeitRecord | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    ended: float | None = None

    @property
    def course(self) -> int:
        """A 64-bit digest of the actions with their players: equal where the moves are equal."""
        text = ",".join(f"{move.player}:{move.action}" for move in self.moves)
        digest = hashlib.blake2b(text.encode("ascii"), digest_size=8).digest()
        return int.from_bytes(digest, "big", signed=True)

    @property
    def dealt(self) -> bool:
        """Whether chance took part: such a match is a fresh deal, and never counts as a repetition."""
        return any(move.player < 0 for move in self.moves)

    @property
    def opening(self) -> tuple[Move, ...]:
        """The moves, chance included, made before the bots took over."""
        return self.moves[: self.opening_length]

    def actions(self) -> tuple[tuple[int, int], ...]:
        """(player, action) of every move: the course of the match without times and notes."""
        return tuple((move.player, move.action) for move in self.moves)

    def score(self, seat: int) -> float:
        """The score in a match of two: 1 where `seat` has the higher return, 0 the lower, 0.5 equal."""
        own, other = self.returns[seat], self.returns[1 - seat]
        return 0.5 if own == other else float(own > other)

    def to_json(self) -> str:
        """One line of JSON; `record_from_json` is its inverse."""
        value = asdict(self)
        value["moves"] = [
            {key: part for key, part in move.items() if part is not None} for move in value["moves"]
        ]
        return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_int(value: object, low: int, high: float = math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_notes(value: object) -> bool:
    return value is None or isinstance(value, dict)


def _is_move(move: Move, players: int) -> bool:
    return (
        _is_int(move.player, -1, players - 1)
        and _is_int(move.action, 0)
        and _is_notes(move.notes)
        and (move.seconds is None or (_is_number(move.seconds) and 0 <= move.seconds <= LONGEST_MOVE))
    )


def _is_forfeit(forfeit: ForfeitRecord | None, players: int) -> bool:
    return forfeit is None or (
        _is_int(forfeit.player, 0, players - 1)
        and forfeit.kind in FORFEIT_KINDS
        and isinstance(forfeit.reason, str)
        and _is_notes(forfeit.notes)
    )


def _check(record: MatchRecord) -> None:
    """Raises ValueError, with the name of the field, for a value that no match can have."""
    players = len(record.seats)
    for name, fits, expected in (
        ("game", isinstance(record.game, str), "a game string"),
        ("seats", players and all(isinstance(spec, str) for spec in record.seats), "specs"),
        ("seed", _is_int(record.seed, 0, 2**63 - 1), "0 to 2**63 - 1"),
        ("opening_plies", _is_int(record.opening_plies, 0, 2**63 - 1), "0 or more"),
        ("move_seconds", record.move_seconds is None or _is_number(record.move_seconds), "a number"),
        ("moves", all(_is_move(move, players) for move in record.moves), "moves of its players"),
        (
            "opening_length",
            _is_int(record.opening_length, 0, len(record.moves)),
            "no more than there are moves",
        ),
        (
            "returns",
            len(record.returns) == players and all(map(_is_number, record.returns)),
            "a number for each seat",
        ),
        ("forfeit", _is_forfeit(record.forfeit, players), "one of its players, a kind and a reason"),
        (
            "versions",
            isinstance(record.versions, dict)
            and all(isinstance(version, str) for version in record.versions.values()),
            "texts by name",
        ),
        ("ended", record.ended is None or _is_number(record.ended), "seconds since 1970"),
    ):
        if not fits:
            raise ValueError(f"{name}: expected {expected}, found {str(getattr(record, name))[:80]!r}")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def record_from_json(line: str) -> MatchRecord:
    """Reads a line that `MatchRecord.to_json` wrote.

    Raises:
      ValueError: the line is not JSON, or a field is missing, unknown or of a wrong form.
    """
    try:
        value = json.loads(line, parse_constant=_refuse)
        value["seats"] = tuple(value["seats"])
        value["returns"] = tuple(value["returns"])
        value["moves"] = tuple(Move(**move) for move in value["moves"])
        if value.get("forfeit") is not None:
            value["forfeit"] = ForfeitRecord(**value["forfeit"])
        record = MatchRecord(**value)
        _check(record)
        return record
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"not a match record: {str(error) or type(error).__name__}") from error


def read_records(path: str | Path) -> Iterator[MatchRecord]:
    """The records of a JSON Lines file, one after the other.

    Raises:
      ValueError: a line is not a match record; the sentence names the line.
      OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield record_from_json(line.decode("utf-8"))
            except ValueError as error:
                raise ValueError(
                    f"{path}, line {number}: {error}; expected a line as arena.convert writes "
                    "it, so name another file or remove this line"
                ) from error
