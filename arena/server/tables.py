"""The tables of a server: matches in which people and bots sit, as they are played and as they are kept."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from arena.matches.records import MatchRecord, record_from_json
from arena.server.keeping import Keeping, Sitting
from arena.server.publishing import ALL, PUBLIC, Audience
from arena.server.table_process import Running, Task, is_person
from arena.store.database import Database

PLAYING, OVER, VOID, LEFT = "playing", "over", "void", "left"
MOST_PLAYING = 24
"""Most tables at which a match is played at a time."""
MOST_HEADS = 500
"""Most moves of a running match of which is kept what the bots had to say."""
MOST_FRAMES = 4000
"""Most positions of a running match that are kept for those who come later."""


class Refused(ValueError):
    """A wish that cannot be granted; the message says why."""


class Table:
    """One table. Its methods may be called from any thread.

    Args:
      sitting: what is kept of it.
      keeping: where.
      finish: stores the record of a match that has ended and returns its number.
      show_all: whether those without a seat see everything.
    """

    def __init__(
        self, sitting: Sitting, keeping: Keeping, finish: Callable[[Table, MatchRecord], int], show_all: bool
    ):
        self.id = sitting.id
        self.created = sitting.created
        self.game = str(sitting.task["game"])
        self.seats = tuple(map(str, sitting.task["seats"]))
        self.seed = int(sitting.task["seed"])
        self.pace = float(sitting.task.get("pace", 0))
        self.keys = dict(sitting.keys)
        self.state = sitting.state
        self.reason = sitting.reason
        self.match = sitting.match
        self.moves: list[tuple[int, int]] = list(sitting.moves)
        self.heads: dict[int, list[dict[str, object]]] = {}
        self._keeping = keeping
        self._finish = finish
        self._watchers: Audience = ALL if show_all else PUBLIC
        persons = [seat for seat, spec in enumerate(self.seats) if is_person(spec)]
        self._audiences: tuple[Audience, ...] = (*persons, self._watchers)
        self._lock = threading.RLock()
        self._listeners: set[Callable[[], None]] = set()
        self._running: Running | None = None
        self._clear()

    def _clear(self) -> None:
        self._frames: dict[Audience, list[str]] = {audience: [] for audience in self._audiences}
        self._first: dict[Audience, int] = dict.fromkeys(self._audiences, 0)
        self._now: dict[Audience, Mapping[str, object]] = {}
        self._answered: dict[int, int] = {}
        self._thoughts: dict[int, list[dict[str, object]]] = {}
        self._replayed = 0

    # What a visitor may do and see.

    def audience(self, key: str | None) -> Audience:
        """Who looks, by the key of a seat; one with no key, or a wrong one, holds no seat."""
        found: Audience = self._watchers
        for seat, own in self.keys.items():  # all of them, so that the time says nothing
            if hmac.compare_digest(own.encode(), (key or "").encode()):
                found = seat
        return found

    def told(self) -> dict[str, object]:
        """What everybody may know of the table."""
        return {
            "id": self.id,
            "game": self.game,
            "seats": list(self.seats),
            "created": self.created,
            "state": self.state,
            "reason": self.reason,
            "match": self.match,
        }

    def frames(self, audience: Audience, start: int) -> tuple[int, list[str]]:
        """The frames of an audience from number `start` on, each as JSON, and the number of the first of them."""
        with self._lock:
            first = self._first[audience]
            start = max(start, first)
            return start, self._frames[audience][start - first :]

    def now(self, audience: Audience) -> tuple[int, Mapping[str, object]]:
        """The newest frame and its number, -1 where there is none yet."""
        with self._lock:
            count = self._first[audience] + len(self._frames[audience])
            return count - 1, self._now.get(audience, {})

    def turn(self, seat: int) -> bool:
        """Whether a seat is to choose and has not done so."""
        with self._lock:
            number, frame = self.now(seat)
            return bool(frame.get("legal")) and self._answered.get(seat) != number

    def play(self, seat: int, number: int, name: str) -> None:
        """Makes a move.

        Args:
          seat: who moves.
          number: the number of the frame in which the move was chosen.
          name: the name of the action.

        Raises:
          Refused: it is not this seat's turn, the position has changed, or there is no such action.
        """
        with self._lock:
            newest, frame = self.now(seat)
            if self.state != PLAYING or self._running is None:
                raise Refused("the match is not being played")
            if number != newest:
                raise Refused(
                    f"the position has changed: expected a move for position {newest}, found {number}"
                )
            if self._answered.get(seat) == number:
                raise Refused("you have moved already; the others are still choosing")
            legal = frame.get("legal", [])
            if not legal:
                raise Refused("it is not your turn")
            if name not in legal:
                raise Refused(f"{name!r:.80} is not among the {len(legal)} legal actions")
            self._answered[seat] = number
            self._running.answer(seat, name)

    def resign(self, seat: int) -> None:
        """Gives the match up for a seat whose turn it is.

        Raises:
          Refused: it is not this seat's turn.
        """
        with self._lock:
            newest, frame = self.now(seat)
            if self.state != PLAYING or self._running is None:
                raise Refused("the match is not being played")
            if not frame.get("legal") or self._answered.get(seat) == newest:
                raise Refused("one resigns at one's own turn, and it is not yours")
            self._answered[seat] = newest
            self._running.answer(seat, None)

    def leave(self) -> None:
        """Ends the match without a result."""
        with self._lock:
            if self.state == PLAYING:
                self._ended(LEFT, None)
                self.stop()

    # The process.

    @property
    def runs(self) -> bool:
        """Whether the match has a process."""
        return self._running is not None

    @property
    def waits(self) -> bool:
        """Whether the match waits for people, none of whom looks."""
        return bool(self.keys) and not self._listeners and any(map(self.turn, self.keys))

    def start(self) -> None:
        """Starts the process, or takes the match up again where its moves stand."""
        with self._lock:
            if self.state != PLAYING or self._running is not None:
                return
            self._clear()
            task = Task(
                self.game,
                self.seats,
                self.seed,
                recorded=tuple(self.moves),
                audiences=self._audiences,
                pace=self.pace,
            )
            running = self._running = Running(task, lambda message: self._hear(running, message))
        threading.Thread(target=running.listen, daemon=True, name=f"table {self.id}").start()

    def stop(self) -> None:
        """Ends the process; the match stays as it is."""
        with self._lock:
            if self._running is not None:
                self._running.end()
                self._running = None

    def _hear(self, running: Running, message: tuple) -> None:
        with self._lock:
            if running is not self._running:
                return  # one that was stopped
            kind, *rest = message
            getattr(self, f"_hear_{kind}")(*rest)
        self._tell()

    def _hear_frames(self, frames: Mapping[Audience, Mapping[str, object]]) -> None:
        for audience, frame in frames.items():
            kept = self._frames[audience]
            kept.append(json.dumps(frame, ensure_ascii=False, separators=(",", ":")))
            self._now[audience] = frame
            if len(kept) > MOST_FRAMES:
                drop = MOST_FRAMES // 4
                del kept[:drop]
                self._first[audience] += drop

    def _hear_moves(self, made: Sequence[tuple[int, int]]) -> None:
        for player, action in made:
            if player in self._thoughts:
                self.heads[self._replayed] = self._thoughts.pop(player)
                self.heads.pop(self._replayed - MOST_HEADS, None)
            self._replayed += 1
            if self._replayed > len(self.moves):
                self.moves.append((player, action))
        self._keeping.moved(self.id, self.moves)

    def _hear_head(self, seat: int, panels: list[dict[str, object]], action: int) -> None:
        del action
        self._thoughts[seat] = panels

    def _hear_end(self, record: str) -> None:
        made = record_from_json(record)
        self._ended(OVER, None, self._finish(self, made))
        self._running = None

    def _hear_void(self, sentence: str) -> None:
        self._ended(VOID, sentence)
        self._running = None

    def _hear_gone(self) -> None:
        self._hear_void("the process of this match has ended by itself, which a game or a bot must have caused")

    def _ended(self, state: str, reason: str | None, match: int | None = None) -> None:
        self.state, self.reason, self.match = state, reason, match
        self._keeping.ended(self.id, state, reason, match)

    # Those who wait for news.

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener`, in some thread, whenever there is news."""
        with self._lock:
            self._listeners.add(listener)

    def forget(self, listener: Callable[[], None]) -> None:
        with self._lock:
            self._listeners.discard(listener)

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()


class Tables:
    """All tables of a server, and the matches that were played at them.

    Attributes:
      database: the matches that have ended.
      texts: a folder for texts that players got.

    Args:
      folder: where they are kept: tables.sqlite, and matches.db with the matches that have ended.
      show_all: whether those without a seat see everything.
    """

    def __init__(self, folder: Path, *, show_all: bool = False):
        folder.mkdir(parents=True, exist_ok=True)
        self.database = folder / "matches.db"
        self.texts = folder / "texts"
        self._keeping = Keeping(folder / "tables.sqlite")
        self._show_all = show_all
        self._lock = threading.Lock()
        self._tables = {sitting.id: self._table(sitting) for sitting in self._keeping.all()}

    def _table(self, sitting: Sitting) -> Table:
        return Table(sitting, self._keeping, self._store, self._show_all)

    def _store(self, table: Table, record: MatchRecord) -> int:
        with Database(self.database) as database:
            # One experiment for each table: people make other moves with the same seed.
            return database.add(database.experiment({"table": table.id, "game": table.game}), record)

    def add(
        self,
        game: str,
        seats: Sequence[str],
        *,
        seed: int | None = None,
        pace: float = 0.0,
        recorded: Sequence[tuple[int, int]] = (),
    ) -> Table:
        """Sets up a table and starts its match.

        Args:
          game: an OpenSpiel game string.
          seats: a spec for each seat, `human` for a person; at least one.
          seed: seed of the match; None for one that nobody can guess.
          pace: least seconds between two moves.
          recorded: moves that are made already, (player, action).

        Raises:
          Refused: too many matches are being played.
        """
        if not seats:
            raise Refused("a match needs at least one seat")
        sitting = Sitting(
            id=secrets.token_urlsafe(9),
            created=time.time(),
            task={
                "game": game,
                "seats": list(seats),
                "seed": secrets.randbits(62) if seed is None else seed,
                "pace": pace,
            },
            keys={seat: secrets.token_urlsafe(18) for seat, spec in enumerate(seats) if is_person(spec)},
            moves=tuple(recorded),
            state=PLAYING,
            reason=None,
            match=None,
        )
        with self._lock:
            running = [table for table in self._tables.values() if table.runs]
            if len(running) >= MOST_PLAYING:
                # One that waits for people who have left is taken up again when they come back.
                for table in sorted(running, key=lambda one: one.created):
                    if table.waits:
                        table.stop()
                        running.remove(table)
                        break
            if len(running) >= MOST_PLAYING:
                raise Refused(f"{MOST_PLAYING} matches are being played, which is the most; end one first")
            table = self._tables[sitting.id] = self._table(sitting)
            self._keeping.add(sitting)
        table.start()
        return table

    def find(self, number: str) -> Table:
        """The table of this id.

        Raises:
          KeyError: there is none.
        """
        return self._tables[number]

    def all(self) -> list[Table]:
        """Every table, the newest first."""
        return sorted(self._tables.values(), key=lambda table: -table.created)

    def close(self) -> None:
        """Ends all processes; the matches can be taken up again."""
        for table in self._tables.values():
            table.stop()
        self._keeping.close()
