"""Whether a world model in C is the verified model in Python: random games in both, fact by fact.

The C program is played in two builds: one that watches for undefined behaviour and for writes beyond buffers,
and the fast one. Each is in a worker of its own, which sends a digest of all that its program says in a game;
what is compared, and what the difference is, the parent decides. Where information is hidden, states drawn by
both programs are compared by their statistics besides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from cwm.contract import native_source
from cwm.worker.simulator import MODEL_LIMITS, native_worker, own_source
from cwm.writing.rewriting.native_difference import Difference
from sandbox import ProgramError, SandboxError, Worker

MIN_TRANSITIONS = 1_000_000
MAX_ACTIONS = 10_000
"""Random games are not followed further than this."""
SEARCHED_GAMES = 200
"""After the first difference so many games are looked through for a shorter one."""
DRAWN_GAMES, DRAWS = 30, 400
"""Positions at which hidden states are drawn, and how often."""
MAX_Z = 6.0
"""Two frequencies that are further apart than this many standard errors are held to differ: by chance a
millionth of a millionth of the pairs are."""
_BATCH_TRANSITIONS = 5_000
_CALL_SECONDS, _GAME_SECONDS = 120.0, 10.0


class NativeDisagreement(Exception):
    """A program in C that is not the verified one.

    Attributes:
      difference: the smallest one that was found.
    """

    def __init__(self, difference: Difference):
        self.difference = difference
        super().__init__(str(difference))


@dataclass(frozen=True)
class NativeAgreement:
    """What was compared and found equal: transitions of random games, in both builds; states drawn for
    players who do not see all; and random games by a rollout function."""

    transitions: int
    games: int
    draws: int = 0
    rollouts: int = 0


class _Program:
    """A program in a worker that plays random games, and is made anew after it has died."""

    def __init__(self, make: Callable[[dict[str, str]], Worker]):
        self._make = make
        self._worker: Worker | None = None
        self._made = 0

    @property
    def remembers(self) -> bool:
        """Whether it still knows in which state of all games each information state came first."""
        return self._made <= 1

    def call(self, function: str, *args: Any, seconds: float | None = None) -> Any:
        if self._worker is None or not self._worker.alive:
            self._worker = self._make({"agreement": own_source("cwm.worker.native", "agreement.py")})
            self._made += 1
        return self._worker.call(f"agreement.{function}", *args, timeout=seconds or _CALL_SECONDS)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()


def verified_program(source: str, value_source: str | None) -> _Program:
    """The verified program and its value function, or None, in a worker; see `cwm.worker.native.agreement`."""
    modules = {"model": source, "uct": own_source("cwm.worker.search", "uct.py")}
    if value_source is not None:
        modules["value_function"] = value_source
    return _Program(lambda own: Worker({**modules, **own}, limits=MODEL_LIMITS))


def _native_program(source: str, checked: bool) -> _Program:
    return _Program(lambda own: native_worker(own, source, MODEL_LIMITS, checked=checked))


class _Comparison:
    """The verified program beside one in C, in its two builds."""

    def __init__(self, verified: str, native: str, value_source: str | None, hidden: bool):
        defined = native_source.functions_defined(native)
        self.has_rollout = "rollout" in defined
        self.options = {"information": hidden, "value": value_source is not None and "value" in defined}
        self.verified = verified_program(verified, value_source)
        self.builds = {"checked": _native_program(native, True), "fast": _native_program(native, False)}
        self._pool = ThreadPoolExecutor(max_workers=3)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        for program in (self.verified, *self.builds.values()):
            program.close()

    def ask(self, function: str, *args: Any) -> tuple[Any, dict[str, Any]]:
        """What all three say: the verified program's answer, and by build the answer or the error."""
        wanted = self._pool.submit(self.verified.call, function, *args)
        found = {name: self._pool.submit(p.call, function, *args) for name, p in self.builds.items()}
        answers: dict[str, Any] = {}
        for name, future in found.items():
            try:
                answers[name] = future.result()
            except SandboxError as error:
                answers[name] = error
        return wanted.result(), answers

    # --- random games -------------------------------------------------------------------------------

    def play(self, transitions: int, progress: Callable[[int], None]) -> tuple[int, int]:
        """Compares random games until that many transitions agree; returns transitions and games.

        Raises:
          NativeDisagreement: the smallest difference among the games around the first one.
        """
        done, game, batch = 0, 0, 1
        while done < transitions:
            wanted, found = self.ask("digests", game, batch, self.options, MAX_ACTIONS)
            if any(rows != wanted for rows in found.values()):
                self._report(game, batch, found)
            made = sum(max(row[0], 1) for row in wanted)
            done, game = done + made, game + batch
            batch = max(1, min(_BATCH_TRANSITIONS * batch // made, 2 * batch + 8))
            progress(done)
        return done, game

    def _report(self, first: int, batch: int, found: dict[str, Any]) -> None:
        """Raises the smallest difference that games from `first` on show, where one of a `batch` showed one.

        A build that failed is asked alone: what it fails on need not disturb the other one.
        """
        failed = [name for name, rows in found.items() if isinstance(rows, SandboxError)]
        best: Difference | None = None
        for game in range(first, first + max(SEARCHED_GAMES, batch)):
            if best is not None and game >= first + SEARCHED_GAMES:
                break
            for name in failed or self.builds:
                difference = self._difference(game, self.builds[name])
                if difference and (best is None or len(difference.history) < len(best.history)):
                    best = difference
            if best is not None and len(best.history) <= 1:
                break
        raise NativeDisagreement(
            best or Difference("two runs of the same games differ: it is not a pure function")
        )

    def _difference(self, game: int, program: _Program) -> Difference | None:
        options = dict(self.options, information=self.options["information"] and program.remembers)
        wanted = self.verified.call("details", game, options, 0, MAX_ACTIONS)
        try:
            found = program.call("details", game, options, 0, MAX_ACTIONS, seconds=_GAME_SECONDS)
        except SandboxError:
            return self._failure(game, program, wanted["names"])
        for taken, (here, there) in enumerate(zip(wanted["rows"], found["rows"])):
            for what in here:
                if here[what] == there.get(what):
                    continue
                history = tuple(wanted["names"][:taken])
                if what == "information_state":
                    return Difference(self._likeness(here[what], there[what], [game, taken]), history)
                return Difference(what, history, here[what], there.get(what))
        return None

    def _likeness(self, wanted: list[list[int]], found: list[list[int]], here: list[int]) -> str:
        """A sentence on an information state that the programs liken to different ones of earlier states."""
        player = next(seat for seat, pair in enumerate(zip(wanted, found)) if pair[0] != pair[1])

        def told(place: list[int]) -> str:
            if place == here:
                return "differs from all that came before"
            names = self.verified.call("details", place[0], self.options, place[1], place[1])["names"]
            return f"is the one that it has after {len(names)} actions ({', '.join(names)})"

        return (
            f"information_state of player {player}: in the verified program it {told(wanted[player])}; in the file "
            f"in C it {told(found[player])}"
        )

    def _failure(self, game: int, program: _Program, names: list[str]) -> Difference:
        """The fewest actions after which the program fails in this game."""
        low, high, error = 0, len(names), None
        while True:
            middle = (low + high) // 2
            try:
                program.call("details", game, self.options, middle, middle, seconds=_GAME_SECONDS)
                low = middle + 1
            except SandboxError as caught:
                high, error = middle, caught
            if low >= high and error is not None:
                return Difference(_told(error), tuple(names[:high]))
            if low > len(names):
                return Difference("it failed once, and not when tried again", tuple(names))

    # --- what draws at random -----------------------------------------------------------------------

    def draw(self) -> int:
        """Compares the states that both draw for a player who does not see all; returns how many."""
        made = 0
        for game in range(DRAWN_GAMES):
            wanted, found = self.ask("draws", game, DRAWS)
            for rows in found.values():
                if isinstance(rows, SandboxError):
                    raise NativeDisagreement(Difference(f"resample, in random game {game}: {_told(rows)}"))
                if (wanted is None) != (rows is None):
                    raise NativeDisagreement(Difference("the games drawn differ in length"))
                if rows is not None:
                    self._compare_draws(game, wanted, rows)
            made += DRAWS if wanted is not None else 0
        return made

    @staticmethod
    def _compare_draws(game: int, wanted: dict[str, Any], found: dict[str, Any]) -> None:
        where = f"resample for player {found['player']} in the middle of random game {game}"
        if found["fits"] < DRAWS:
            raise NativeDisagreement(
                Difference(f"{where}: states that the player cannot tell apart", (), DRAWS, found["fits"])
            )
        for feature in sorted(set(wanted["features"]) | set(found["features"])):
            here, there = (rows["features"].get(feature, 0) for rows in (wanted, found))
            if _standard_errors(here, there) > MAX_Z:
                raise NativeDisagreement(
                    Difference(f"{where}: how many of {DRAWS} states have {feature}", (), here, there)
                )

    def roll_out(self) -> int:
        """Compares rollouts from the states of random games; returns how many."""
        made = 0
        for game in range(DRAWN_GAMES):
            wanted, found = self.ask("rollouts", game)
            for rows in found.values():
                if isinstance(rows, SandboxError):
                    raise NativeDisagreement(Difference(f"rollout, in random game {game}: {_told(rows)}"))
                for index, (here, there) in enumerate(zip(wanted, rows)):
                    if here != there:
                        what = (
                            f"rollout, random game {game}, after {index} actions: returns and the next number"
                        )
                        raise NativeDisagreement(Difference(what, (), here, there))
            made += len(wanted)
        return made


def _standard_errors(here: int, there: int) -> float:
    """How many standard errors two counts out of `DRAWS` each are apart, if both have one frequency."""
    frequency = (here + there) / (2 * DRAWS)
    variance = 2 * DRAWS * frequency * (1.0 - frequency)
    return abs(here - there) / math.sqrt(variance) if variance else 0.0


def _told(error: SandboxError) -> str:
    return f"it fails ({error.message if isinstance(error, ProgramError) else error})"


def compare(
    verified: str,
    native: str,
    transitions: int = MIN_TRANSITIONS,
    *,
    value_source: str | None = None,
    hidden: bool = False,
    simultaneous: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> NativeAgreement:
    """Plays random games in the verified model and in the one in C, in both of its builds.

    Args:
      verified: text of `model.py`.
      native: text of `model.c`.
      transitions: how many at least, of each build.
      value_source: text of the value function that belongs to `verified`, or None.
      hidden: whether the game hides information from players.
      simultaneous: whether players choose at once in it.
      progress: is told the number of transitions that agreed so far.

    Returns:
      What agreed.

    Raises:
      NativeDisagreement: the smallest difference that was found, or how the program in C failed.
    """
    refused = native_source.breaches(native, hidden, simultaneous)
    if refused:
        raise NativeDisagreement(Difference("; ".join(refused)))
    comparison = _Comparison(verified, native, value_source, hidden)
    try:
        wanted, found = comparison.ask("constants")
        for build, constants in found.items():
            if isinstance(constants, SandboxError):
                raise NativeDisagreement(Difference(f"the {build} build does not load: {_told(constants)}"))
            if constants != wanted:
                raise NativeDisagreement(Difference("the constants", (), wanted, constants))
        made, games = comparison.play(transitions, progress)
        draws = comparison.draw() if hidden else 0
        rollouts = comparison.roll_out() if comparison.has_rollout else 0
    finally:
        comparison.close()
    return NativeAgreement(made, games, draws, rollouts)
