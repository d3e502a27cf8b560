"""Unit tests of a world model: one per recorded transition, and random play without a breach.

The model replays a recorded game in a sealed worker and says what it sees; the comparison with the
recording happens here, so that a worker never grades itself (paper, section 4.1: unit tests per
transition for state or observation, reward, legality, and no execution error).

A transition is the step from state i to state i + 1 of a recorded game. It passes when the model
agrees with the recording on who acts in state i, on the legal actions or chance outcomes there, and
on everybody's observation and the returns in state i + 1 and who acts there. Since the model replays
from the start, it carries its own errors along: an action that it does not know fails every later
transition of that game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cwm import contract
from cwm.trust.moves import SIMULTANEOUS
from cwm.trust.trajectories import CHANCE, TERMINAL, Step, Trajectory
from cwm.worker.simulator import Simulator
from sandbox import InterpreterMissing, Limits, ProgramError, SandboxError, SandboxUnavailable, WorkerTimeout

PROBABILITY_TOLERANCE = 1e-6
CHECK_LIMITS = Limits(memory_bytes=1 << 30, call_seconds=10.0)
STEPS_PER_CALL = 50
"""Number of steps in one call, which keeps a reply of the worker below a frame's bound."""


@dataclass(frozen=True)
class Mismatch:
    """One difference between a recording and the model: the field, the expected value and the found one."""

    where: str
    expected: Any
    found: Any


@dataclass(frozen=True)
class Failure:
    """A failed unit test, with the details that a language model needs to see.

    Attributes:
      game: index of the recorded game, or -1 for random play.
      transition: index of the transition in that game, -1 for the initial state.
      history: names of the actions before it.
      action: the transition's action, or None.
      mismatches: differences field by field; empty where the model raised.
      error: the error that the model raised: {"call", "message", "lines"}; or None.
      breach: a contract breach in random play, or None.
    """

    game: int
    transition: int
    history: tuple[str, ...]
    action: str | None = None
    mismatches: tuple[Mismatch, ...] = ()
    error: dict[str, Any] | None = None
    breach: str | None = None


@dataclass
class Report:
    """Outcome of the unit tests of one model.

    Attributes:
      transitions: number of transitions tested.
      passed: number of those in which everything agreed.
      random_games: games of random play tried inside the model.
      breaches: number of those that broke the contract.
      failures: the first failure of each recorded game that has one, and of random play.
    """

    transitions: int = 0
    passed: int = 0
    random_games: int = 0
    breaches: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def accuracy(self) -> float:
        """Transition accuracy: share of the transitions that passed, 0 where none was tested."""
        return self.passed / self.transitions if self.transitions else 0.0

    @property
    def score(self) -> float:
        """Share of all unit tests passed, random games counted as one test each."""
        tests = self.transitions + self.random_games
        return (self.passed + self.random_games - self.breaches) / tests if tests else 0.0

    @property
    def perfect(self) -> bool:
        return self.transitions > 0 and self.passed == self.transitions and self.breaches == 0


def run(
    source: str,
    trajectories: Sequence[Trajectory],
    *,
    random_games: int = 0,
    max_actions: int = 5_000,
    seed: int = 0,
    limits: Limits = CHECK_LIMITS,
    interpreter: str = "cpython",
    hidden: bool = False,
    simultaneous: bool = False,
) -> Report:
    """Runs the unit tests of a model.

    Args:
      source: text of the model's module; it runs in a sealed worker only.
      trajectories: recorded games.
      random_games: games of random play inside the model, looking for breaches of the contract.
      max_actions: most actions of a random game; one that goes on longer is a breach.
      seed: seed of the random games.
      limits: limits of the worker.
      interpreter: interpreter of the worker.
      hidden: whether the contract's functions for hidden information are required.
      simultaneous: whether its functions for players who choose at once are required; they are in any case where
        the recorded games show such a choice.

    Returns:
      A `Report`. Whatever the model does is data in it: nothing is raised for a model's failure.

    Raises:
      sandbox.SandboxUnavailable, sandbox.InterpreterMissing: no worker can be had on this machine.
    """
    report, trajectories = Report(), list(trajectories)
    static = contract.breaches(
        source, hidden, simultaneous or any(trajectory.simultaneous for trajectory in trajectories)
    )
    if static:
        _fail_all(report, trajectories, random_games, Failure(-1, -1, (), breach="; ".join(static)))
        return report
    holder = Holder(source, limits, interpreter)
    try:
        for index, trajectory in enumerate(trajectories):
            verdicts, failure = check_game(holder, index, trajectory)
            report.transitions += len(verdicts)
            report.passed += sum(verdicts)
            if failure is not None:
                report.failures.append(failure)
        for number in range(random_games):
            _check_random_game(report, holder, seed + number, max_actions)
    finally:
        holder.close()
    return report


def _fail_all(report: Report, trajectories: Iterable[Trajectory], random_games: int, failure: Failure) -> None:
    report.transitions += sum(len(trajectory.actions) for trajectory in trajectories)
    report.random_games += random_games
    report.breaches += random_games
    report.failures.append(failure)


class Holder:
    """A simulator that is started again after it died, so that one bad call does not end the tests."""

    def __init__(self, source: str, limits: Limits = CHECK_LIMITS, interpreter: str = "cpython"):
        self._arguments = (source, limits, interpreter)
        self._simulator: Simulator | None = None

    def call(self, function: str, *args: Any) -> Any:
        """The reply, or {"error": ...} in the driver's form where the model failed."""
        for attempt in range(2):
            try:
                if self._simulator is None:
                    source, limits, interpreter = self._arguments
                    self._simulator = Simulator(source, limits=limits, interpreter=interpreter)
                return self._simulator.call(function, *args)
            except ProgramError as error:
                return {
                    "error": {
                        "call": "",
                        "message": f"{error.type_name}: {error.message}",
                        "lines": list(error.traceback_lines)[-6:],
                    }
                }
            except (SandboxUnavailable, InterpreterMissing):
                raise  # the machine's fault, not the model's: it must not look like a wrong answer
            except SandboxError as error:
                self.close()
                # A time-out may be the machine's fault: it is tried once more before it counts.
                if not isinstance(error, WorkerTimeout) or attempt:
                    return {"error": {"call": function, "message": str(error), "lines": []}}
        raise AssertionError("unreachable")

    def close(self) -> None:
        if self._simulator is not None:
            self._simulator.close()
            self._simulator = None


def transition_verdicts(
    source: str,
    trajectories: Iterable[Trajectory],
    *,
    player: int | None = None,
    limits: Limits = CHECK_LIMITS,
    interpreter: str = "cpython",
) -> Iterator[tuple[Trajectory, list[bool]]]:
    """Yields each game with a verdict for each of its transitions; arguments as for `run`. With `player`
    only what that player sees is compared: its observation, its return, whether it is its turn, its legal
    actions there, and whether the game is over."""
    for trajectory, verdicts, _ in tested_games(
        source, trajectories, player=player, limits=limits, interpreter=interpreter
    ):
        yield trajectory, verdicts


def tested_games(
    source: str,
    trajectories: Iterable[Trajectory],
    *,
    player: int | None = None,
    limits: Limits = CHECK_LIMITS,
    interpreter: str = "cpython",
) -> Iterator[tuple[Trajectory, list[bool], Failure | None]]:
    """`transition_verdicts` with the first failure of each game, or None."""
    static = contract.breaches(source)
    holder = Holder(source, limits, interpreter)
    try:
        if static:
            failure = Failure(-1, -1, (), breach="; ".join(static))
            for trajectory in trajectories:
                yield trajectory, [False] * len(trajectory.actions), failure
        else:
            for index, (trajectory, replayed) in enumerate(_replayed(holder, trajectories)):
                yield trajectory, *_compared(replayed, index, trajectory, player)
    finally:
        holder.close()


Replayed = tuple[list[dict[str, Any]], dict[str, Any] | None]
"""What `replay` returns."""


def _replayed(holder: Holder, trajectories: Iterable[Trajectory]) -> Iterator[tuple[Trajectory, Replayed]]:
    """Each game with its replay; short ones share a call, which takes longer than they do."""
    batch: list[Trajectory] = []
    for trajectory in trajectories:
        if batch and sum(len(one.steps) for one in (*batch, trajectory)) > STEPS_PER_CALL:
            yield from zip(batch, _replay_each(holder, batch))
            batch = []
        batch.append(trajectory)
    yield from zip(batch, _replay_each(holder, batch))


def _replay_each(holder: Holder, batch: Sequence[Trajectory]) -> list[Replayed]:
    """The replays of some games. They are replayed one by one where any of them fails, so that the model's failure
    is charged to the game in which it happens."""
    games = [trajectory.actions for trajectory in batch]
    if len(games) > 1:
        replies = holder.call("replay_many", games, False)
        if isinstance(replies, list) and len(replies) == len(games) and all(map(_is_whole, replies, games)):
            return [(reply["steps"], None) for reply in replies]
    return [replay(holder, names) for names in games]


def _is_whole(reply: Any, names: Sequence[str]) -> bool:
    """Whether a reply to `replay` has all states of a game, in the driver's form."""
    if not isinstance(reply, dict) or not isinstance(reply.get("steps"), list):
        return False
    return len(reply["steps"]) == len(names) + 1 and all(map(_well_formed, reply["steps"]))


def check_game(
    holder: Holder, index: int, trajectory: Trajectory, player: int | None = None
) -> tuple[list[bool], Failure | None]:
    """Verdicts on every transition of one game, and its first failure; `player` as in
    `transition_verdicts`, `index` goes into the failure."""
    return _compared(replay(holder, trajectory.actions), index, trajectory, player)


def every_failure(holder: Holder, trajectory: Trajectory, index: int) -> list[Failure]:
    """Each transition of one game that fails, in order; `index` goes into the failures. Of those that come after the
    model's replay has stopped only the first is told."""
    return _tested(replay(holder, trajectory.actions), index, trajectory, None)[1]


def _compared(
    replayed: Replayed, index: int, trajectory: Trajectory, player: int | None
) -> tuple[list[bool], Failure | None]:
    verdicts, failures = _tested(replayed, index, trajectory, player)
    return verdicts, next(iter(failures), None)


def _tested(
    replayed: Replayed, index: int, trajectory: Trajectory, player: int | None
) -> tuple[list[bool], list[Failure]]:
    names, (found, error) = trajectory.actions, replayed
    steps: Sequence[Step] = trajectory.steps
    if player is not None:
        steps = [_seen_step(step, player) for step in steps]
        found = [_seen_facts(facts, player) for facts in found]
    verdicts: list[bool] = []
    failures: list[Failure] = []
    for number, name in enumerate(names):
        mismatches: list[Mismatch] = []
        if number < len(found):
            if number == 0:
                mismatches += _after(steps[0], found[0], "initial state: ")
            mismatches += _before(steps[number], found[number])
        reached = number + 1 < len(found)
        if reached:
            mismatches += _after(steps[number + 1], found[number + 1])
        verdicts.append(reached and not mismatches)
        if not verdicts[-1] and number < max(1, len(found)):
            raised = None if reached or (error and "unknown" in error) else error
            failures.append(Failure(index, number, tuple(names[:number]), name, tuple(mismatches), raised))
    return verdicts, failures


_SOMEBODY_ELSE = -5
"""The number for all players whose turns one player cannot tell apart: the others and chance."""


def _turn(mover: int, player: int) -> int:
    return mover if mover in (player, TERMINAL) else _SOMEBODY_ELSE


def _seen_step(step: Step, player: int) -> Step:
    """The part of a recorded state that `player` sees; a choice made at once with others is its own turn to it."""
    own = step.action_of(player)
    chooses = step.player == SIMULTANEOUS and own is not None
    return Step(
        player if chooses else _turn(step.player, player),
        step.observations[player : player + 1],
        step.returns[player : player + 1],
        own if chooses else step.action,
        step.legal_of(player),
    )


def _seen_facts(facts: dict[str, Any], player: int) -> dict[str, Any]:
    """The part of a model's facts that `player` sees."""
    chooses = facts["player"] == SIMULTANEOUS and any(facts["joint"][player : player + 1])
    own = {"legal": facts["joint"][player], "actions": facts["joint_actions"][player]} if chooses else {}
    return {
        **facts,
        **own,
        "player": player if chooses else _turn(facts["player"], player),
        "observations": facts["observations"][player : player + 1],
        "returns": facts["returns"][player : player + 1],
    }


def replay(holder: Holder, names: list[str]) -> Replayed:
    """The model's facts of the states of a game as far as it got, and the error that stopped it.

    Args:
      holder: the holder of the model.
      names: names of the game's actions, those of chance included.

    Returns:
      A dict for each state, of the driver's form (player, observations, returns and legal or chance),
      and the error that ended the replay, or None.
    """
    found: list[dict[str, Any]] = []
    while len(found) <= len(names):
        reply = holder.call("replay", names, len(found), len(found) + STEPS_PER_CALL)
        error, steps = reply.get("error"), reply.get("steps") or []
        if not all(map(_well_formed, steps)) or not (steps or error):
            return found, {"call": "replay", "message": "the model's reply is malformed", "lines": []}
        found += steps
        if error:
            return found, error
    return found, None


def _well_formed(facts: Any) -> bool:
    """Whether a reply has the driver's form: the program in the worker can forge any reply."""
    if not isinstance(facts, dict) or type(facts.get("player")) is not int:
        return False
    if not isinstance(facts.get("observations"), list) or not isinstance(facts.get("returns"), list):
        return False
    if facts["player"] >= 0:
        return (
            isinstance(facts.get("legal"), list)
            and type(facts.get("actions")) is int
            and all(isinstance(name, str) for name in facts["legal"])
        )
    if facts["player"] == SIMULTANEOUS:
        return _is_joint(facts.get("joint"), facts.get("joint_actions"))
    return facts["player"] != CHANCE or isinstance(facts.get("chance"), dict)


def _is_joint(joint: Any, counts: Any) -> bool:
    return (
        isinstance(joint, list)
        and isinstance(counts, list)
        and len(joint) == len(counts)
        and all(isinstance(own, list) and all(isinstance(name, str) for name in own) for own in joint)
        and all(type(count) is int for count in counts)
    )


def _before(expected: Step, found: dict[str, Any]) -> list[Mismatch]:
    mismatches = []
    if found["player"] != expected.player:
        mismatches.append(Mismatch("current_player before the action", expected.player, found["player"]))
    elif expected.legal is not None:
        mismatches += _legal(expected.legal, found["legal"], found["actions"])
    elif expected.joint is not None:
        for player, own in enumerate(expected.joint):
            names, count = (
                (found["joint"][player], found["joint_actions"][player])
                if player < len(found["joint"])
                else ([], 0)
            )
            mismatches += _legal(own, names, count, f" of player {player}")
    elif expected.chance is not None and not _same_chances(expected.chance, found["chance"]):
        mismatches.append(Mismatch("chance outcomes before the action", expected.chance, found["chance"]))
    return mismatches


def _legal(expected: Sequence[str], found: Sequence[str], count: int, whose: str = "") -> list[Mismatch]:
    """The difference in legal actions: in names, or in the number of actions behind equal names."""
    if sorted(found) != sorted(expected):
        return [
            Mismatch(f"names of the legal actions{whose} before the action", sorted(expected), sorted(found))
        ]
    if count != len(found):
        return [Mismatch(f"number of legal actions{whose} before the action", len(expected), count)]
    return []


def _after(expected: Step, found: dict[str, Any], where: str = "") -> list[Mismatch]:
    suffix = "" if where else " after the action"
    mismatches = []
    for player, data in enumerate(expected.observations):
        if player >= len(found["observations"]) or not same_data(data, found["observations"][player]):
            shown = found["observations"][player] if player < len(found["observations"]) else None
            mismatches.append(Mismatch(f"{where}observation of player {player}{suffix}", data, shown))
    if found["player"] != expected.player:
        mismatches.append(Mismatch(f"{where}current_player{suffix}", expected.player, found["player"]))
    if len(found["returns"]) != len(expected.returns) or any(
        not _is_close(a, b) for a, b in zip(expected.returns, found["returns"])
    ):
        mismatches.append(Mismatch(f"{where}returns{suffix}", list(expected.returns), found["returns"]))
    return mismatches


def _is_close(expected: float, found: Any) -> bool:
    return (
        isinstance(found, (int, float))
        and math.isfinite(found)
        and abs(expected - found) <= PROBABILITY_TOLERANCE
    )


def _same_chances(expected: dict[str, float], found: dict[str, float]) -> bool:
    return set(expected) == set(found) and all(_is_close(expected[k], found[k]) for k in expected)


def same_data(expected: Any, found: Any) -> bool:
    """Equality of JSON data: lists by element, floats within 1e-6, booleans apart from numbers."""
    # What is written alike is the same; nearly all that is compared is, and the interpreter writes fast.
    return repr(expected) == repr(found) or _same_parts(expected, found)


def _same_parts(expected: Any, found: Any) -> bool:
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, (int, float)) and isinstance(found, (int, float)):
        return abs(expected - found) <= PROBABILITY_TOLERANCE
    if isinstance(expected, dict) and isinstance(found, dict):
        return set(expected) == set(found) and all(_same_parts(expected[k], found[k]) for k in expected)
    if isinstance(expected, (list, tuple)) and isinstance(found, (list, tuple)):
        return len(expected) == len(found) and all(map(_same_parts, expected, found))
    return type(expected) is type(found) and expected == found


def _check_random_game(report: Report, holder: Holder, seed: int, max_actions: int) -> None:
    report.random_games += 1
    reply = holder.call("random_play", seed, max_actions)
    if reply.get("error") or reply.get("breach"):
        report.breaches += 1
        if not any(failure.game == -1 for failure in report.failures):
            report.failures.append(
                Failure(
                    -1, -1, tuple(reply.get("names", ())), error=reply.get("error"), breach=reply.get("breach")
                )
            )
