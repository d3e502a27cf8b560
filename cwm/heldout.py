"""Held-out tests of a world model: many games that it was not built from, and whole small games.

The test set follows the paper (section 5.1): at least 10,000 transitions from at least 100 games of
the ground truth, each player at random either uniformly random or a searcher. It is never used for
synthesis.
"""
from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import pyspiel

from cwm import checks
from cwm.trajectories import (CHANCE, TERMINAL, Step, Trajectory, choose_randomly, collect,
                              mcts_chooser, record_state)
from games import views

TEST_SEED = 7_000_003
"""Keeps the test games apart from training games, whose seeds are small."""
TEST_SIMULATIONS = 25
EXHAUSTIVE_LIMIT = 20_000
"""Games with more distinct states than this are not walked whole."""


@dataclass(frozen=True)
class HeldOutResult:
    """Accuracy on held-out games.

    Attributes:
      transitions, passed: transitions tested, and passed.
      games: number of test games.
      distinct_states: distinct (observations, player to act) among them.
      new_transitions, new_passed: those that start in a state which no training game holds.
    """
    transitions: int
    passed: int
    games: int
    distinct_states: int
    new_transitions: int
    new_passed: int

    @property
    def accuracy(self) -> float:
        return self.passed / self.transitions if self.transitions else 0.0

    def to_json(self) -> dict[str, float]:
        return asdict(self)


def test_games(game: pyspiel.Game, min_transitions: int, min_games: int,
               seed: int = TEST_SEED) -> Iterable[Trajectory]:
    """Yields held-out games until there are enough games and transitions."""
    choosers = (choose_randomly, mcts_chooser(game, TEST_SIMULATIONS))
    transitions = 0
    for number, trajectory in enumerate(collect(game, 10**9, seed, choosers), 1):
        yield trajectory
        transitions += len(trajectory.actions)
        if transitions >= min_transitions and number >= min_games:
            return


def state_key(step: Step) -> str:
    """Identifies what a step shows: everybody's observation and who acts."""
    return json.dumps([step.player, step.observations], sort_keys=True)


def evaluate(source: str, trajectories: Iterable[Trajectory], training: Sequence[Trajectory] = (),
             *, interpreter: str = "cpython") -> HeldOutResult:
    """Transition accuracy of a model on held-out games.

    Args:
      source: text of the model's module.
      trajectories: the held-out games.
      training: games that the model was built from; their states are counted apart.
      interpreter: of the worker.
    """
    seen = {state_key(step) for trajectory in training for step in trajectory.steps}
    states: set[str] = set()
    totals = {"transitions": 0, "passed": 0, "games": 0, "new_transitions": 0, "new_passed": 0}
    verdicts = checks.transition_verdicts(source, trajectories, interpreter=interpreter)
    for trajectory, passed in verdicts:
        totals["games"] += 1
        for step, good in zip(trajectory.steps, passed):
            key = state_key(step)
            states.add(key)
            totals["transitions"] += 1
            totals["passed"] += good
            if key not in seen:
                totals["new_transitions"] += 1
                totals["new_passed"] += good
    return HeldOutResult(distinct_states=len(states), **totals)


def every_transition(game: pyspiel.Game, limit: int = EXHAUSTIVE_LIMIT) -> list[Trajectory] | None:
    """Paths that together take every transition of a small game at least once.

    States that look the same to everybody and have the same player to act are walked once.

    Returns:
      The paths, each a whole game; None where the game has more than `limit` distinct states.
    """
    paths: list[Trajectory] = []
    walked: set[str] = set()
    pending: list[tuple[int, ...]] = [()]
    while pending:
        state, steps = game.new_initial_state(), []
        queue = list(pending.pop())
        while True:
            step, options = _step(state)
            key = state_key(step)
            if options and not queue:
                if key in walked and steps:
                    # The rest of this path is known: any continuation to the end will do.
                    queue.append(next(iter(options.values())))
                else:
                    walked.add(key)
                    if len(walked) > limit:
                        return None
                    history = tuple(state.history())
                    actions = list(options.values())
                    pending += [history + (action,) for action in actions[1:]]
                    queue.append(actions[0])
            if not options:
                steps.append(step)
                break
            action = queue.pop(0)
            name = next(name for name, number in options.items() if number == action)
            steps.append(Step(step.player, step.observations, step.returns, name, step.legal,
                              step.chance))
            state.apply_action(action)
        paths.append(Trajectory(str(game), game.num_players(), tuple(steps)))
    return paths


def _step(state: pyspiel.State) -> tuple[Step, dict[str, int]]:
    bare = record_state(state, None)
    if bare.player == TERMINAL:
        return bare, {}
    if bare.player == CHANCE:
        chance = views.chance_distribution(state)
        options = {name: views.action_from_name(state, name) for name in chance}
        return Step(bare.player, bare.observations, bare.returns, None, None, chance), options
    options = views.actions_by_name(state)
    return Step(bare.player, bare.observations, bare.returns, None, tuple(options)), options
