"""The process in which the match of one table is played.

OpenSpiel keeps the interpreter's lock while it searches, and a game or a bot may end its process. So each match has a
process of its own, at the other end of a pipe. It sends, as tuples whose first entry says what they are:

    ("frames", {audience: frame})       what is new, by `arena.server.publishing`
    ("moves", [(player, action), ...])  what was played, before the frames that follow from it
    ("head", seat, panels, action)      what a bot has to say of the move it is about to make
    ("end", record)                     the match, as a line of JSON
    ("void", sentence)                  why there is no match

and receives ("answer", seat, name), where None in place of a name is a resignation.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection

import pyspiel

from arena.matches.forfeit import one_line
from arena.matches.match import load_match_game, play_match
from arena.matches.records import MatchRecord, Move
from arena.registry.bots import bots, canonical, make_bot
from arena.registry.games import import_games
from arena.registry.specs import parse_spec
from arena.server.publishing import Audience, Publisher
from arena.server.seats import PersonBot, SeatedBot
from runs.seeds import bot_seed

HUMAN = "human"


@dataclass(frozen=True)
class Task:
    """A match to be played.

    Attributes:
      game: an OpenSpiel game string.
      seats: a spec for each seat; `human` for one whose moves come through the pipe.
      seed: as for `arena.matches.match.play_match`.
      recorded: (player, action) of moves that were made before, chance included.
      audiences: those who are told of it.
      opening_plies, opening_length, move_seconds: as in the record of a stored match.
      pace: least seconds between two moves, for those who watch.
      until: whether to end with the last recorded move.
    """

    game: str
    seats: tuple[str, ...]
    seed: int
    recorded: tuple[tuple[int, int], ...] = ()
    audiences: tuple[Audience, ...] = ()
    opening_plies: int = 0
    opening_length: int = 0
    move_seconds: float | None = None
    pace: float = 0.0
    until: bool = False


def is_person(spec: str) -> bool:
    """Whether a spec names a person, who here answers through the page."""
    return parse_spec(spec).name == HUMAN


class _Retraced(Exception):
    """The last recorded move has been made."""


class _Player:
    """Plays one task."""

    def __init__(self, connection: Connection, task: Task):
        self._connection = connection
        self._task = task
        self._publisher = Publisher(task.audiences)
        self._answers: defaultdict[int, deque[str | None]] = defaultdict(deque)
        self._made = 0
        self._last = 0.0

    def _ask(self, seat: int) -> str | None:
        while not self._answers[seat]:
            _, from_seat, name = self._connection.recv()
            self._answers[from_seat].append(name)
        return self._answers[seat].popleft()

    def _observe(self, state: pyspiel.State, moves: Sequence[Move]) -> None:
        task = self._task
        made = [(move.player, move.action) for move in moves]
        known = list(task.recorded[self._made : self._made + len(made)])
        if known != made[: len(known)]:
            raise ValueError(
                f"move {self._made}: the record has {known[0]}, found {made[0]}: its chance does not follow from its "
                "seed, as in matches that were brought in from elsewhere"
            )
        self._made += len(made)
        if made:
            self._connection.send(("moves", made))
            if task.pace and self._made > len(task.recorded):
                time.sleep(max(0.0, self._last + task.pace - time.monotonic()))
                self._last = time.monotonic()
        frames = self._publisher.update(state, moves)
        if frames:
            self._connection.send(("frames", frames))
        if task.until and self._made >= len(task.recorded):
            raise _Retraced

    def _bot(self, game: pyspiel.Game, seat: int, to_close: ExitStack) -> SeatedBot:
        task = self._task
        spec = task.seats[seat]
        if is_person(spec):
            bot: pyspiel.Bot = PersonBot(seat, self._ask)
        else:
            bot = make_bot(spec, game, seat, bot_seed(task.seed, seat))
        own = [action for player, action in task.recorded[task.opening_length :] if player == seat]

        def tell(panels: list[dict[str, object]], action: int) -> None:
            if panels:
                self._connection.send(("head", seat, panels, action))

        seated = SeatedBot(bot, canonical(spec), own, tell)
        to_close.callback(seated.close)
        return seated

    def play(self) -> MatchRecord:
        task = self._task
        specs = tuple(canonical(spec) for spec in task.seats)
        game = load_match_game(task.game, len(specs))
        with ExitStack() as to_close:
            seated = [self._bot(game, seat, to_close) for seat in range(len(specs))]
            return play_match(
                task.game,
                seated,
                task.seed,
                opening_plies=task.opening_plies,
                move_seconds=task.move_seconds,
                observer=self._observe,
            )


def play(connection: Connection, task: Task) -> None:
    """The life of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its tables
    try:
        try:
            connection.send(("end", _Player(connection, task).play().to_json()))
        except _Retraced:
            connection.send(("end", None))
        except (EOFError, BrokenPipeError):
            raise
        except Exception as error:  # whatever a game or a bot does, those at the table read why
            connection.send(("void", one_line(str(error) or type(error).__name__)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        sys.exit(0)  # the server has gone


def _prepared() -> multiprocessing.context.BaseContext:
    """A context whose processes start with games and bots loaded, and without the server's threads."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["arena.server.preloaded"])
    return context


CONTEXT = _prepared()


class Running:
    """A running match, at this end of the pipe.

    Args:
      task: the match.
      hear: is called with every message, in a thread of its own; at last with ("gone",).
    """

    def __init__(self, task: Task, hear: Callable[[tuple], None]):
        self._connection, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=play, args=(theirs, task), daemon=False)
        self._process.start()
        theirs.close()
        self._hear = hear

    def listen(self) -> None:
        """Hands on what the process says until it ends; to be run in a thread."""
        try:
            while True:
                self._hear(self._connection.recv())
        except (EOFError, OSError):
            self._process.join()
            self._hear(("gone",))

    def answer(self, seat: int, name: str | None) -> None:
        """Sends the answer of a seat; a process that has just ended does not hear it."""
        try:
            self._connection.send(("answer", seat, name))
        except OSError:
            pass

    def end(self) -> None:
        """Ends the process."""
        self._process.terminate()


def preload() -> None:
    """Loads all games and bots, in the process from which the tables' are forked."""
    import_games()
    bots()
