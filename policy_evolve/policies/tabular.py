"""A code policy as a table of probabilities, for small sequential games: so that OpenSpiel can tell how far
it is from equilibrium.

At each information state the policy is asked many times over, as it may draw random numbers; the shares of its answers are
the probabilities. One that remembers is asked in a match that led there, from an empty memory on. Where the way there needs
earlier moves of its own, matches count in which it made these; if it never does, all count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyspiel
from open_spiel.python.policy import TabularPolicy

from policy_evolve.policies.interfaces import ViewInterface
from policy_evolve.policies.policy import Policy, PolicyLimits
from policy_evolve.policies.program import Program, remembers

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


@dataclass(frozen=True)
class Counts:
    """How often a policy chose each action, in folds: parts of equal size of its matches.

    Attributes:
      agreeing: (folds, rows, actions) of matches in which it made the moves that lead to the row's state.
      all: the same of all.
    """

    agreeing: np.ndarray
    all: np.ndarray

    def shares(self, folds: slice | np.ndarray = slice(None)) -> np.ndarray:
        """Returns (rows, actions) probabilities from some folds: of matches that agree, in rows without any of all."""
        agreeing, every = self.agreeing[folds].sum(axis=0), self.all[folds].sum(axis=0)
        chosen = np.where(agreeing.sum(axis=1, keepdims=True) > 0, agreeing, every)
        return chosen / chosen.sum(axis=1, keepdims=True)


def tabular(game: pyspiel.Game, program: Program, samples: int | None = None, seed: int = 0) -> TabularPolicy:
    """Returns the table of a policy; arguments and errors as for `counted`."""
    table, counts = counted(game, program, samples, seed)
    table.action_probability_array[:] = counts.shares()
    return table


def counted(
    game: pyspiel.Game, program: Program, samples: int | None = None, seed: int = 0, folds: int = 1
) -> tuple[TabularPolicy, Counts]:
    """Returns a table for a game, to be filled, and how often a policy chose each action in each row of it.

    Args:
      game: small and sequential, with perfect recall.
      program: the policy; it plays all seats.
      samples: matches at each information state, at least as many as folds; None for as many as suit the game.
      seed: the seed of its random numbers.
      folds: the number of parts that the samples are counted in.

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
    shape = (folds, *table.action_probability_array.shape)
    counts = Counts(np.zeros(shape), np.zeros(shape))
    forgets = not remembers(program.source)
    policy = Policy(program.source, seed, "answers", _LIMITS)
    try:
        for row, reached in enumerate(table.states):
            answers = _Answers(game, policy, reached, forgets)
            chosen = answers.made(_TRIED) if program.deterministic else []
            if not chosen or len(set(chosen)) > 1:
                chosen = answers.made(samples)
            else:
                chosen = chosen[:1] * folds
            for number, (agrees, action) in enumerate(chosen):
                counts.all[number % folds, row, action] += 1
                counts.agreeing[number % folds, row, action] += agrees
    finally:
        policy.close()
    return table, counts


class _Answers:
    """A policy's answers at a state: `made` plays matches that led there.

    Args:
      game, policy: see `counted`.
      reached: the state, where a player decides.
      forgets: whether the policy can be asked there at once, as it remembers nothing.
    """

    def __init__(self, game: pyspiel.Game, policy: Policy, reached: pyspiel.State, forgets: bool):
        self._policy = policy
        self._seen = ViewInterface(game, reached.current_player())
        self._packs: list[Mapping[str, object]] = []
        self._decisions: list[tuple[pyspiel.State, int | None]] = []
        # Alike answers are looked up once: each look-up names all legal actions.
        self._known: dict[tuple[int, str], int] = {}
        if forgets:
            self._packs.append(self._seen.pack(reached))
            self._decisions.append((reached, None))
            return
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
