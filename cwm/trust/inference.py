"""One player's view of a recorded game, and the tests of a model's inference functions.

Inference as code (paper, section 4.2): from a player's history of observations and actions the model
draws a whole game that fits it. A test takes a decision of a recorded game, asks for such games, and
replays each in the model: the player must have seen the same, had the same legal actions and done the
same, and it must be its turn. Returns may tell more than the history does, so of several samples one must have paid
what was paid, unless they pay so many amounts that several samples cannot show them all. At the end of a game the
samples need not be over, as not every player sees that. Nothing hidden takes part, so the same tests serve the open
deck and the closed one, where they are all there is (the paper's round trip from observation to history to
observation). Passing shows that the samples are possible, not that each is drawn as often as it should be;
for that see `cwm.trust.posterior`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cwm.trust.checks import same_data
from cwm.trust.trajectories import TERMINAL, Trajectory

SEEDS_PER_DECISION = 2
MORE_SEEDS = 6
"""Number of further seeds that are tried where the first samples are all alike although another game fits as well."""
END_SEEDS = 24
"""Number of further seeds that are tried at once until one sample has paid the same as the game."""
MORE_TRIES = 20
"""Most times that `END_SEEDS` seeds are tried: of 26 samples, one that draws as often as it should misses an amount of
probability .1 in one decision of 15, of 482 in none. After `KEPT_FAILURES` failures one try has to do."""
SAMPLES_PER_AMOUNT = 3
"""Fewest samples for each amount among them from which on an amount that is not there is taken for one that the model
never pays."""
STATES_SHOWN = 12
"""Number of last states of a history in the text of a failure."""
VALUE_SHOWN = 900
KEPT_FAILURES = 5


LONG = 1_000
"""States of a game from which on not every decision of a player is tested."""
FIRST_STATES = 200
MOST_TESTED = 60


@dataclass(frozen=True)
class Seen:
    """A recorded game as one player lived it: nothing in it is hidden from that player.

    Attributes:
      player: number of the player.
      observations: the player's observation in each state, in order.
      actions: its action in each state, by name, None where it was not its turn.
      legal: names of its legal actions in each state, None where it was not its turn.
      returns: its return so far in each state.
      over: whether the last state is the end of the game.
    """

    player: int
    observations: tuple[Any, ...]
    actions: tuple[str | None, ...]
    legal: tuple[tuple[str, ...] | None, ...]
    returns: tuple[float, ...]
    over: bool

    def history(self, state: int) -> list[list[Any]]:
        """The player's history in state number `state`, as inference functions get it."""
        return [
            [observation, action if number < state else None]
            for number, (observation, action) in enumerate(zip(self.observations[: state + 1], self.actions))
        ]

    def tested_states(self) -> list[int]:
        """The player's decisions, and the end; of a game of more than `LONG` states `MOST_TESTED` decisions among the first
        `FIRST_STATES` states, as every test replays all of its history."""
        states = [number for number, action in enumerate(self.actions) if action is not None]
        if len(self.actions) <= LONG:
            return states + ([len(self.actions) - 1] if self.over else [])
        early = [number for number in states if number < FIRST_STATES]
        return early[:: -(-len(early) // MOST_TESTED) or 1]

    def to_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "observations": list(self.observations),
            "actions": list(self.actions),
            "legal": [None if names is None else list(names) for names in self.legal],
            "returns": list(self.returns),
            "over": self.over,
        }

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Seen:
        return cls(
            row["player"],
            tuple(row["observations"]),
            tuple(row["actions"]),
            tuple(None if names is None else tuple(names) for names in row["legal"]),
            tuple(row["returns"]),
            row["over"],
        )


def seen_by(trajectory: Trajectory, player: int) -> Seen:
    """The part of a recorded game that `player` saw."""
    steps = trajectory.steps
    return Seen(
        player,
        tuple(step.observations[player] for step in steps),
        tuple(step.action_of(player) for step in steps),
        tuple(step.legal_of(player) for step in steps),
        tuple(step.returns[player] for step in steps),
        steps[-1].player == TERMINAL,
    )


@dataclass(frozen=True)
class InferenceFailure:
    """A failed inference test.

    Attributes:
      player: the player whose history it was.
      history: pairs [observation, name of the own action or None] of that player, one for each state.
      problem: the place where the sample does not fit, in words.
      text: the same problem with the history shown, for a language model to read.
    """

    player: int
    history: list[list[Any]]
    problem: str
    text: str


@dataclass
class InferenceReport:
    """Outcome of the inference tests.

    Attributes:
      tests: number of decisions and ends of games that were tested.
      passed: number of those where every sample of both functions fits.
      varied: number of decisions at which the samples were not all alike.
      failed: the first failures.
      failed_states: numbers of the states whose tests failed, in the order of the games.
    """

    tests: int = 0
    passed: int = 0
    varied: int = 0
    failed: list[InferenceFailure] = field(default_factory=list)
    failed_states: list[int] = field(default_factory=list)

    @property
    def failures(self) -> list[str]:
        """Texts of the first failures, for a language model to read."""
        return [failure.text for failure in self.failed]

    @property
    def accuracy(self) -> float:
        """Inference accuracy: share of the tests that passed, 0 where there were none."""
        return self.passed / self.tests if self.tests else 0.0


Call = Callable[..., Any]
"""Type of a function that calls `cwm.worker.hidden_driver`; where the model failed it returns {"error": ...}, as
`checks.Holder` does."""


def check(
    call: Call, games: Iterable[Seen], truths: Sequence[Sequence[str]] | None = None, *, seed: int = 0
) -> InferenceReport:
    """Runs the inference tests.

    Args:
      call: calls the worker that holds the model.
      games: games as their players saw them.
      truths: with an open deck, the names of all actions of each game. Where a sample differs from what
        really happened, more than one game fits, so a function that always gives the same one fails.
      seed: seed of the samples.
    """
    report = InferenceReport()
    keys: dict[str, str] = {}  # information_state by history, and history by information_state
    histories: dict[str, str] = {}
    for number, seen in enumerate(games):
        for state in seen.tested_states():
            report.tests += 1
            history = seen.history(state)
            first = seed + 1_000 * report.tests
            rows = ask(call, seen.player, history, range(first, first + SEEDS_PER_DECISION))
            problem = next(filter(None, (_problem(seen, state, row) for row in rows)), None)
            if problem is None:
                problem = _key_problem(rows, seen.player, history, keys, histories)
            if problem is None:
                tries = MORE_TRIES if len(report.failed) < KEPT_FAILURES else 1
                problem = _return_problem(call, seen, state, history, rows, first, tries)
            varied = len({_text(row["history"]["names"]) for row in rows}) > 1 if not problem else False
            if (
                problem is None
                and not varied
                and truths is not None
                and (rows[0]["history"]["names"] != list(truths[number][:state]))
            ):
                more = ask(call, seen.player, history, range(first + 100, first + 100 + MORE_SEEDS))
                varied = any(row.get("history", {}).get("names") != rows[0]["history"]["names"] for row in more)
                if not varied:
                    problem = (
                        f"resample_history gave the same game {SEEDS_PER_DECISION + MORE_SEEDS} "
                        f"times with different rand(), although another one fits as well."
                    )
            report.varied += varied
            if problem is None:
                report.passed += 1
                continue
            report.failed_states.append(state)
            if len(report.failed) < KEPT_FAILURES:
                text = f"{_show_history(seen, state)}\n{problem}"
                report.failed.append(InferenceFailure(seen.player, history, problem, text))
    return report


def ask(call: Call, player: int, history: list[list[Any]], seeds: Iterable[int]) -> list[dict[str, Any]]:
    """The rows of `hidden_driver.infer`, a row for each seed; one row with an error for both kinds of
    inference where the model failed altogether."""
    seeds = list(seeds)
    reply = call("hidden_driver.infer", player, history, seeds)
    if isinstance(reply, dict) and reply.get("error"):
        return [{"history": {"error": reply["error"]}, "state": {"error": reply["error"]}}]
    if not isinstance(reply, list) or len(reply) != len(seeds) or not all(map(_well_formed, reply)):
        error = {"call": "infer", "message": "the module's reply is malformed", "lines": []}
        return [{"history": {"error": error}, "state": {"error": error}}]
    return reply


def _well_formed(row: Any) -> bool:
    """Whether a reply has the driver's form: the program in the worker can forge any reply."""
    if not isinstance(row, dict) or not all(isinstance(row.get(k), dict) for k in ("history", "state")):
        return False
    game, state = row["history"], row["state"]
    good = "error" in game or (
        all(isinstance(game.get(k), list) for k in ("observations", "actions", "legal", "returns", "names"))
        and len(game["observations"]) == len(game["actions"]) == len(game["legal"]) == len(game["returns"])
        and isinstance(game.get("key"), str)
    )
    return good and ("error" in state or {"observation", "player", "legal", "key"} <= set(state))


def _problem(seen: Seen, last: int, row: dict[str, Any]) -> str | None:
    """The place where a sample does not fit the player's view up to state `last`, in words; None if it fits."""
    problem = history_problem(seen, last, row) or state_problem(seen, last, row)
    if problem is None and row["state"]["key"] != row["history"]["key"]:
        return (
            f"information_state differs between the state of resample_state and the end of the game "
            f"of resample_history, which have the same history:\n  {_clip(row['state']['key'])}\n"
            f"  {_clip(row['history']['key'])}"
        )
    return problem


def _is_end(seen: Seen, last: int) -> bool:
    """Whether the game ended in state `last`. Whose turn it is then, and that it is over, is not for every player to
    see: the others may have ended it unseen."""
    return seen.over and last == len(seen.actions) - 1


def history_problem(seen: Seen, last: int, row: dict[str, Any]) -> str | None:
    """The place where the result of resample_history, a row of `hidden_driver.infer`, does not fit the player's
    view up to state `last`, in words; None if it fits."""
    game = row["history"]
    if "error" in game:
        return f"The call {_show_error(game['error'])}"
    shown = "resample_history gave the game: " + (", ".join(game["names"]) or "no actions") + "."
    for state in range(min(last + 1, len(game["observations"]))):
        for what, expected, found in (
            ("observation", seen.observations[state], game["observations"][state]),
            ("legal actions", _sorted(seen.legal[state]), _sorted(game["legal"][state])),
            ("own action", seen.actions[state] if state < last else None, game["actions"][state]),
        ):
            if (what != "legal actions" or seen.legal[state] is not None) and not same_data(expected, found):
                return (
                    f"{shown}\nReplayed in the module, player {seen.player}'s {what} in state {state} "
                    f"is\n  {_clip(found)}\nbut was\n  {_clip(expected)}"
                )
    if len(game["observations"]) != last + 1:
        return f"{shown}\nThat game has {len(game['observations'])} states, the history has {last + 1}."
    if game["player"] != seen.player and not _is_end(seen, last):
        return f"{shown}\nAt its end current_player is {game['player']}, expected {seen.player}."
    return None


def state_problem(seen: Seen, last: int, row: dict[str, Any]) -> str | None:
    """The place where the result of resample_state does not fit; see `history_problem`."""
    state_row = row["state"]
    if "error" in state_row:
        return f"The call {_show_error(state_row['error'])}"
    for what, expected, found in (
        ("current_player", state_row["player"] if _is_end(seen, last) else seen.player, state_row["player"]),
        ("observation", seen.observations[last], state_row["observation"]),
        ("legal actions", _sorted(seen.legal[last]), _sorted(state_row["legal"])),
    ):
        if (what != "legal actions" or seen.legal[last] is not None) and not same_data(expected, found):
            return (
                f"In the state that resample_state gave, the {what} of player {seen.player} is\n"
                f"  {_clip(found)}\nexpected\n  {_clip(expected)}"
            )
    return None


def _return_problem(
    call: Call,
    seen: Seen,
    last: int,
    history: list[list[Any]],
    rows: Sequence[dict[str, Any]],
    first: int,
    tries: int,
) -> str | None:
    """A sentence if the samples pay few amounts up to state `last` and none of them, nor of `tries` times `END_SEEDS`
    more, is the player's return there; at the end of a game only samples that are over count."""

    def amounts(rows: Sequence[dict[str, Any]]) -> list[Any]:
        games = [row["history"] for row in rows if "error" not in row["history"]]
        return [game["returns"][-1] for game in games if not _is_end(seen, last) or game["player"] == TERMINAL]

    def is_paid(amounts: Sequence[Any]) -> bool:
        return any(same_data(seen.returns[last], amount) for amount in amounts)

    found = amounts(rows)
    if is_paid(found):
        return None
    for start in range(first + 200, first + 200 + tries * END_SEEDS, END_SEEDS):
        more = amounts(ask(call, seen.player, history, range(start, start + END_SEEDS)))
        if is_paid(more):
            return None
        found += more
        if len(found) < SAMPLES_PER_AMOUNT * len(set(found)):
            return None
    different = sorted(set(found))
    if not found:
        return None
    return (
        f"The game paid player {seen.player} {_text(seen.returns[last])}, but of {len(found)} games of "
        f"resample_history, replayed in the module, each paid one of "
        f"{_text(different)}."
    )


def _key_problem(
    rows: Sequence[dict[str, Any]],
    player: int,
    history: list[list[Any]],
    keys: dict[str, str],
    histories: dict[str, str],
) -> str | None:
    past = _text([player, history])
    for row in rows:
        key = _text([player, row["history"]["key"]])
        if keys.setdefault(past, key) != key:
            return (
                f"information_state gives two values for the same history:\n  {_clip(keys[past])}\n"
                f"  {_clip(key)}"
            )
        if histories.setdefault(key, past) != past:
            return (
                f"information_state gives the same value for two different histories: "
                f"{_clip(row['history']['key'])}"
            )
    return None


def _sorted(names: Sequence[str] | None) -> list[str] | None:
    return None if names is None else sorted(names)


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


def _clip(data: Any) -> str:
    text = data if isinstance(data, str) else _text(data)
    return text if len(text) <= VALUE_SHOWN else f"{text[:VALUE_SHOWN]} [...]"


def _show_error(error: dict[str, Any]) -> str:
    lines = "".join(f"\n  {line}" for line in error["lines"])
    return f"{error['call'] or 'of the module'} failed with {error['message']}{lines}"


def _show_history(seen: Seen, last: int) -> str:
    start = max(0, last + 1 - STATES_SHOWN)
    hidden = f"\n[... {start} earlier states]" if start else ""
    rows = "\n".join(
        show_state(seen, state, ended=state == last, short=state > start) for state in range(start, last + 1)
    )
    return f"The history of player {seen.player}, after the first line only what has changed:{hidden}\n{rows}"


def changes(new: Any, old: Any) -> Any:
    """The fields of an observation that differ from the one before; all of the observation where it has no fields."""
    if not isinstance(new, dict) or not isinstance(old, dict) or set(old) - set(new):
        return new
    return {name: value for name, value in new.items() if name not in old or old[name] != value}


def show_state(seen: Seen, state: int, ended: bool = False, short: bool = False) -> str:
    """One state of a game as its player saw it, in one line; `ended` leaves out the action, `short`
    the parts that have not changed since the state before."""
    shown = seen.observations[state]
    if short and state:
        shown = changes(shown, seen.observations[state - 1])
    parts = [f"{state} | {_text(shown)}"]
    if seen.legal[state] is not None:
        parts.append(f"legal {len(seen.legal[state])}: {', '.join(seen.legal[state])}")
    if seen.actions[state] is not None and not ended:
        parts.append(f"played: {seen.actions[state]}")
    if (seen.over and state == len(seen.actions) - 1) or seen.returns[state]:
        parts.append(f"return: {_text(seen.returns[state])}")
    return " | ".join(parts)
