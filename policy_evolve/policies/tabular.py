"""A code policy as a table of probabilities, for small sequential games: so that OpenSpiel can tell how far
it is from equilibrium.

At each information state the policy is asked in a match that led there, from an empty memory on and many
times over, as it may draw random numbers; the shares of its answers are the probabilities. Where the way
there needs earlier moves of its own, matches count in which it made these; if it never does, all count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pyspiel
from open_spiel.python.policy import TabularPolicy

from policy_evolve.policies.interfaces import ViewInterface
from policy_evolve.policies.policy import Policy, PolicyLimits
from policy_evolve.policies.program import Program

SAMPLES = 200
FEWER_SAMPLES = 40
MANY_STATES = 5_000
"""Information states beyond which a policy is asked `FEWER_SAMPLES` times at each: Liar's dice has 24,576."""
MAX_STATES = 50_000
"""The most information states of a game."""
_TRIED = 2
"""Times that a policy without random numbers is asked, to see that it answers alike."""
_LIMITS = PolicyLimits(move_seconds=60.0, match_seconds=3600.0)


class BadAnswer(ValueError):
    """An answer of a policy that stands for no legal action."""


def check_game(game: pyspiel.Game) -> None:
    """Raises ValueError for a game whose policies cannot be tables here."""
    if game.get_type().dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ValueError(
            f"game {game}: expected players that move in turn, for a table of a policy, found "
            "simultaneous moves"
        )


def tabular(game: pyspiel.Game, program: Program, samples: int | None = None, seed: int = 0) -> TabularPolicy:
    """Returns the table of a policy; arguments and errors as for `counted`."""
    table, counts = counted(game, program, samples, seed)
    return filled(table, counts.sum(axis=0))


def filled(table: TabularPolicy, counts: np.ndarray) -> TabularPolicy:
    """Returns the table with the shares of (rows, actions) counts as its probabilities."""
    table.action_probability_array[:] = counts / counts.sum(axis=1, keepdims=True)
    return table


def counted(
    game: pyspiel.Game, program: Program, samples: int | None = None, seed: int = 0, folds: int = 1
) -> tuple[TabularPolicy, np.ndarray]:
    """Returns an empty table for a game, and how often a policy chose each action in each row of it, (folds, rows, actions).

    Args:
      game: small and sequential, with perfect recall.
      program: the policy; it plays all seats.
      samples: matches at each information state; None for as many as suit the game.
      seed: the seed of its random numbers.
      folds: parts of equal size, in each of which every row has answers, that the samples are counted in. A policy without
        random numbers that answers alike has the same answer in all of them.

    Raises:
      BadAnswer: an answer stands for no legal action.
      ValueError: the game is none of these.
      policy_evolve.policies.policy.PolicyFailure: the policy did not answer.
    """
    check_game(game)
    table = TabularPolicy(game)
    if len(table.states) > MAX_STATES:
        raise ValueError(
            f"game {game} has {len(table.states)} information states, expected at most "
            f"{MAX_STATES}; choose a smaller game"
        )
    if samples is None:
        samples = SAMPLES if len(table.states) <= MANY_STATES else FEWER_SAMPLES
    counts = np.zeros((folds, *table.action_probability_array.shape))
    policy = Policy(program.source, seed, "answers", _LIMITS)
    try:
        for row, reached in enumerate(table.states):
            answers = _Answers(game, policy, reached)
            chosen = answers.made(_TRIED) if program.deterministic else []
            if not chosen or len(set(chosen)) > 1:
                chosen = answers.made(samples)
            _count(counts[:, row], chosen)
    finally:
        policy.close()
    return table, counts


def _count(counts: np.ndarray, chosen: list[tuple[bool, int]]) -> None:
    """Counts actions in (folds, actions); where a fold has none that agrees with the way to the state, as if it had those of
    all folds, and where there is none at all, those that do not agree."""
    folds = len(counts)
    agreeing = [(number, action) for number, (agrees, action) in enumerate(chosen) if agrees]
    agreeing = agreeing or [(number, action) for number, (_, action) in enumerate(chosen)]
    for number, action in agreeing:
        counts[number % folds, action] += 1
    empty = counts.sum(axis=1) == 0
    counts[empty] = counts.sum(axis=0) / len(agreeing)


class _Answers:
    """A policy's answers at a state: `made` plays matches that led there.

    Args:
      game, policy: see `counted`.
      reached: the state, where a player decides.
    """

    def __init__(self, game: pyspiel.Game, policy: Policy, reached: pyspiel.State):
        self._policy = policy
        self._seen = ViewInterface(game, reached.current_player())
        self._packs: list[Mapping[str, object]] = []
        self._decisions: list[tuple[pyspiel.State, int | None]] = []
        # Alike answers are looked up once: each look-up names all legal actions.
        self._known: dict[tuple[int, str], int] = {}
        state = game.new_initial_state()
        for action in [*reached.history(), None]:
            if state.current_player() == reached.current_player():
                self._packs.append(self._seen.pack(state))
                self._decisions.append((state.clone(), action))
            if action is not None:
                state.apply_action(action)

    def made(self, samples: int) -> list[tuple[bool, int]]:
        """Returns of each match whether the policy made the earlier moves that lead to the state, and its action there."""
        found = []
        for answers in self._policy.answer({"packs": self._packs, "samples": samples}):
            chosen = [self._action(number, answer) for number, answer in enumerate(answers)]
            agrees = all(own == made for own, (_, made) in zip(chosen[:-1], self._decisions))
            found.append((agrees, chosen[-1]))
        return found

    def _action(self, number: int, answer: object) -> int:
        key = number, json.dumps(answer)
        if key not in self._known:
            try:
                self._known[key] = self._seen.action(self._decisions[number][0], answer)
            except ValueError as error:
                raise BadAnswer(str(error)) from error
        return self._known[key]
