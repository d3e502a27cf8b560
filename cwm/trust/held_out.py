"""Held-out tests of a world model: many games that it was not built from, and whole small games.

The test set follows the paper (section 5.1): at least 10,000 transitions from at least 100 games of
the ground truth, each player at random either uniformly random or a searcher (`cwm.trust.players`). It is
never used for synthesis.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import pyspiel

from cwm.trust import checks, inference, moves
from cwm.trust.inference import Seen, seen_by
from cwm.trust.players import players_of
from cwm.trust.trajectories import Step, Trajectory, collect, described_state, record_state

TEST_SEED = 7_000_003
"""Seed that keeps the test games apart from training games, whose seeds are small."""
INFERENCE_TESTS = 1_000
"""Least number of decisions tested, as far as the test games hold as many."""
EXHAUSTIVE_LIMIT = 20_000
"""Most distinct states of a game that is walked whole."""


@dataclass(frozen=True)
class HeldOutResult:
    """Accuracy on held-out games.

    Attributes:
      transitions, passed: transitions tested, and passed.
      games: number of test games.
      distinct_states: distinct (observations, player to act) among them.
      new_transitions, new_passed: the same for those that start in a state which no game that the model was learnt
        from holds; None where it is not known which games these were.
      by_phase: transitions tested, and passed, by phase of the game (see `phase_of`); empty for a game
        that shows no phases.
      failures: the first failure of each game that has one, with the game's index.
    """

    transitions: int
    passed: int
    games: int
    distinct_states: int
    new_transitions: int | None
    new_passed: int | None
    by_phase: dict[str, tuple[int, int]] = field(default_factory=dict)
    failures: tuple[checks.Failure, ...] = ()

    @property
    def accuracy(self) -> float:
        return self.passed / self.transitions if self.transitions else 0.0

    def to_json(self) -> dict[str, Any]:
        """The figures without the failures."""
        figures = asdict(replace(self, failures=()))
        del figures["failures"]
        return figures


def test_games(
    game: pyspiel.Game, min_transitions: int, min_games: int, seed: int = TEST_SEED
) -> Iterable[Trajectory]:
    """Yields held-out games until there are enough games and transitions, played by `players_of(game)`."""
    transitions = 0
    for number, trajectory in enumerate(collect(game, 10**9, seed, players_of(game).choosers), 1):
        yield trajectory
        transitions += len(trajectory.actions)
        if transitions >= min_transitions and number >= min_games:
            return


def reported(
    trajectories: Iterable[Trajectory], least: int, progress: Callable[[str], None]
) -> Iterator[Trajectory]:
    """Passes games through and tells at each quarter of the least number of transitions."""
    done, told = 0, 0
    for trajectory in trajectories:
        yield trajectory
        done += len(trajectory.actions)
        if done * 4 // least > told:
            told = done * 4 // least
            progress(f"held-out test: {done} of at least {least} transitions")


def state_key(step: Step) -> str:
    """Identifies a step by everybody's observation and the player to act."""
    return json.dumps([step.player, step.observations], sort_keys=True)


def _look(player: int, observation: Any) -> str:
    """Identifies a state by what one player sees of it."""
    return json.dumps([player, observation], sort_keys=True)


def evaluate(
    source: str,
    trajectories: Iterable[Trajectory],
    training: Sequence[Trajectory] | None = (),
    *,
    seen: Sequence[Seen] = (),
    interpreter: str = "cpython",
) -> HeldOutResult:
    """Transition accuracy of a model on held-out games.

    Args:
      source: text of the model's module.
      trajectories: the held-out games.
      training: games that the model was built from; their states are counted apart. None where they are not known.
      seen: those of which it was shown only what one player saw: a state that looks to this player like one of
        them is not new.
      interpreter: interpreter of the worker.
    """
    known = {state_key(step) for trajectory in training or () for step in trajectory.steps}
    looks = {_look(game.player, observation) for game in seen for observation in game.observations}
    states: set[str] = set()
    by_phase: dict[str, tuple[int, int]] = {}
    totals = {"transitions": 0, "passed": 0, "games": 0, "new_transitions": 0, "new_passed": 0}
    failures: list[checks.Failure] = []
    for trajectory, passed, failure in checks.tested_games(source, trajectories, interpreter=interpreter):
        totals["games"] += 1
        if failure is not None:
            failures.append(failure)
        for step, good in zip(trajectory.steps, passed):
            key = state_key(step)
            states.add(key)
            totals["transitions"] += 1
            totals["passed"] += good
            tried, right = by_phase.get(phase_of(step.observations[0]), (0, 0))
            by_phase[phase_of(step.observations[0])] = tried + 1, right + good
            shown = looks and any(_look(*look) in looks for look in enumerate(step.observations))
            if key not in known and not shown:
                totals["new_transitions"] += 1
                totals["new_passed"] += good
    if training is None:
        totals = {**totals, "new_transitions": None, "new_passed": None}
    return HeldOutResult(
        distinct_states=len(states), by_phase=_phases(by_phase), failures=tuple(failures), **totals
    )


@dataclass(frozen=True)
class InferenceResult:
    """Inference on held-out games.

    Attributes:
      tests, passed: decisions and ends of games tested, and passed (`cwm.trust.inference`).
      varied: number of those at which the samples were not all alike.
      games: number of games from which they come.
      by_phase: the same two figures by phase of the game (see `phase_of`).
      failures: the first failures of each game as a player saw it.
    """

    tests: int
    passed: int
    varied: int
    games: int
    by_phase: dict[str, tuple[int, int]]
    failures: tuple[inference.InferenceFailure, ...] = ()

    @property
    def accuracy(self) -> float:
        return self.passed / self.tests if self.tests else 0.0

    def to_json(self) -> dict[str, Any]:
        """The figures, without the failures."""
        figures = {"accuracy": self.accuracy, **asdict(replace(self, failures=()))}
        del figures["failures"]
        return figures


def evaluate_inference(
    source: str, trajectories: Sequence[Trajectory], least: int = INFERENCE_TESTS
) -> InferenceResult:
    """Inference accuracy of a model on the first of the held-out games, seen by each player."""
    tests = passed = varied = games = 0
    by_phase: dict[str, tuple[int, int]] = {}
    failures: list[inference.InferenceFailure] = []
    holder = checks.Holder(source)
    try:
        for number, trajectory in enumerate(trajectories):
            games += 1
            for player in range(trajectory.num_players):
                seen = seen_by(trajectory, player)
                report = inference.check(holder.call, [seen], seed=1_000_000 * (number + 1))
                tests, passed = tests + report.tests, passed + report.passed
                varied += report.varied
                failures += report.failed
                for state in seen.tested_states():
                    phase = phase_of(seen.observations[state])
                    tried, good = by_phase.get(phase, (0, 0))
                    by_phase[phase] = tried + 1, good + (state not in report.failed_states)
            if tests >= least:
                break
    finally:
        holder.close()
    return InferenceResult(tests, passed, varied, games, _phases(by_phase), tuple(failures))


def _phases(by_phase: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    return by_phase if set(by_phase) - {"all"} else {}


def phase_of(observation: Any) -> str:
    """The phase of the game that an observation shows: its field "phase", or else "all"."""
    phase = observation.get("phase", "all") if isinstance(observation, dict) else "all"
    return str(phase)


def every_transition(game: pyspiel.Game, limit: int = EXHAUSTIVE_LIMIT) -> list[Trajectory] | None:
    """Paths from the start that together take every transition of a small game.

    States that look the same to everybody and have the same player to act are walked once: a path
    ends at a state that another one walks on from.

    Returns:
      The paths; None where the game has more than `limit` distinct states.
    """
    paths: list[Trajectory] = []
    walked: set[str] = set()
    pending: list[tuple[tuple[moves.Move, ...], tuple[Step, ...]]] = [((), ())]
    while pending:
        history, known = pending.pop()
        state, steps, made = game.new_initial_state(), list(known), list(history)
        for move in history:
            moves.apply(state, move)
        while not state.is_terminal() and (key := state_key(here := described_state(state))) not in walked:
            walked.add(key)
            if len(walked) > limit:
                return None
            first, *others = moves.every(state)
            for move in others:
                step = replace(here, action=moves.name_of(state, move))
                pending.append(((*made, move), (*steps, step)))
            steps.append(replace(here, action=moves.name_of(state, first)))
            made.append(first)
            moves.apply(state, first)
        steps.append(record_state(state, None))
        paths.append(Trajectory(str(game), game.num_players(), tuple(steps)))
    return paths
