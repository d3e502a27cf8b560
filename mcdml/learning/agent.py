"""The agents of PUCT-RL and MC-LAVE-RL: rounds of planning and learning before the game that counts."""

from __future__ import annotations

import functools

import numpy as np
import pyspiel

from language_models.asking.client import Ask
from language_models.asking.lockstep import Asking
from mcdml.agents.agents import SearchAgent
from mcdml.asking.situations import current
from mcdml.asking.tally import SearchTally
from mcdml.learning.language_values import LanguageValues, LanguageValueSearch
from mcdml.learning.log_linear import Example, LogLinearPrior
from mcdml.search.decision import Decision
from mcdml.search.search import Search
from mcdml.search.settings import Settings
from mcdml.search.tree import apply


class LearningAgent:
    """An agent that plays a game of one player by itself before its first move, learns after each round from what its searches
    found, and then plays with what it has learnt (Jang et al. 2021; the baselines PUCT-RL and, with `values`, MC-LAVE-RL of Shi et
    al. 2025, section 4.1 and table 2).

    A round plays `sessions` episodes; then the prior is fitted to the visits at the roots of all searches so far. Every episode
    begins anew, so the agent needs a game that it may play as often as it likes, as the search does.

    Args:
      game: the game that is played.
      seed: the seed of the searches, and of chance in the rounds.
      settings: the settings of all searches; `unasked` is "uniform", else the learnt prior would not be used.
      prior: learns between the rounds; a new one.
      rounds: of planning and learning, at least 0; 4 in table 3.
      sessions: episodes of a round, at least 1; 25 in table 3.
      round_moves: decisions after which an episode of a round is stopped, at least 1.
      values: learn after each round; a new one, or None for a search without them.

    Raises:
      ValueError: a value is out of range.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        seed: int,
        settings: Settings,
        prior: LogLinearPrior,
        *,
        rounds: int = 4,
        sessions: int = 1,
        round_moves: int = 50,
        values: LanguageValues | None = None,
    ):
        for name, value, low in (
            ("rounds", rounds, 0),
            ("sessions", sessions, 1),
            ("round_moves", round_moves, 1),
        ):
            if value < low:
                raise ValueError(f"learning agent, {name}: expected at least {low}, found {value}")
        if settings.unasked != "uniform":
            raise ValueError(f"learning agent, unasked: expected 'uniform', found {settings.unasked!r}")
        self._game, self._seed, self._settings = game, seed, settings
        self._prior, self._values = prior, values
        self._rounds, self._sessions, self._round_moves = rounds, sessions, round_moves
        self._examples: list[Example] = []
        self._agent: SearchAgent | None = None

    def decide(self, state: pyspiel.State) -> Asking[Decision]:
        """Decides as `SearchAgent.decide`; before the first decision the rounds are played, and counted to it."""
        before = SearchTally()
        if self._agent is None:
            for number in range(self._rounds):
                yield from self._round(number, before)
            self._agent = self._searcher(self._seed)
        decision = yield from self._agent.decide(state)
        tally = decision.tally
        tally += before
        return decision

    def _searcher(self, seed: int) -> SearchAgent:
        search = Search if self._values is None else functools.partial(LanguageValueSearch, self._values)
        return SearchAgent(0, seed, self._settings, self._prior, search)

    def _round(self, number: int, tally: SearchTally) -> Asking[None]:
        """Plays the episodes of a round, and learns from them."""
        found: list[Decision] = []
        for session in range(self._sessions):
            yield Ask([])  # lets other episodes go on
            found += yield from self._episode(np.random.default_rng((self._seed, number, session)))
        self._prior.learn(self._examples)
        for decision in found:
            tally += decision.tally
            if self._values is not None:
                self._values.learn(decision.rows)

    def _episode(self, rng: np.random.Generator) -> Asking[list[Decision]]:
        """Plays one episode; returns its decisions, and keeps those that had a choice as examples."""
        agent = self._searcher(int(rng.integers(2**31)))
        state = self._game.new_initial_state()
        while state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes())
            state.apply_action(int(rng.choice(actions, p=chances)))
        decisions: list[Decision] = []
        while not state.is_terminal() and len(decisions) < self._round_moves:
            decision = yield from agent.decide(state)
            decisions.append(decision)
            if decision.rows:
                visits = np.array([row.visits for row in decision.rows], dtype=float)
                names = tuple(row.action for row in decision.rows)
                self._examples.append(Example(current(state, 0), names, visits / visits.sum()))
            apply(state, decision.action, rng)
        return decisions
