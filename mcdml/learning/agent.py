"""The agents of PUCT-RL and MC-LAVE-RL: rounds of planning and learning before the game that counts."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

import numpy as np
import pyspiel

from games.seeing import views
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
from mcdml.search.tree import apply, begin


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
        if self._rounds:
            rng = np.random.default_rng((self._seed, self._rounds, len(state.history())))
            decision = _explored(state, decision, rng)
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
        """Plays one episode; returns its decisions, and keeps what is to be learnt from them."""
        agent = self._searcher(int(rng.integers(2**31)))
        state = begin(self._game, rng)
        texts: list[str] = []
        decisions: list[Decision] = []
        gain = 0  # decisions up to the last one that was rewarded
        while not state.is_terminal() and len(decisions) < self._round_moves:
            decision = yield from agent.decide(state)
            decision = _explored(state, decision, rng)
            texts.append(current(state, 0))
            decisions.append(decision)
            rewards, _ = apply(state, decision.action, rng)
            if rewards[0] > 0:
                gain = len(decisions)
        self._examples += examples(texts, decisions, gain)
        return decisions


def is_telling(decision: Decision) -> bool:
    """Returns whether a search found one action of its root better than another."""
    return len({row.q for row in decision.rows if row.visits}) > 1


def examples(texts: Sequence[str], decisions: Sequence[Decision], gain: int) -> list[Example]:
    """Returns what is to be learnt from an episode.

    Of a search that found one action better than another: the share of the visits. Where no reward was in sight, the visits repeat the
    prior and teach nothing; if a reward came later, what was played there, at the last time that this was seen before that reward,
    which leaves circles out. Else nothing.

    Args:
      texts: what was seen before each decision.
      decisions: all of them, in order.
      gain: the number of decisions up to the last one that was rewarded; 0 where there was none.
    """
    last = {text: index for index, text in enumerate(texts[:gain])}
    found = []
    for index, (text, decision) in enumerate(zip(texts, decisions, strict=True)):
        if not decision.rows:
            continue
        if is_telling(decision):
            target = np.array([row.visits for row in decision.rows], dtype=float)
        elif last.get(text) == index:
            target = np.array([row.action == decision.name for row in decision.rows], dtype=float)
        else:
            continue
        found.append(Example(text, tuple(row.action for row in decision.rows), target / target.sum()))
    return found


def _explored(state: pyspiel.State, decision: Decision, rng: np.random.Generator) -> Decision:
    """Returns the decision, or where its search found no action better than another one drawn in proportion to the visits, since the
    most visited one would be the same whenever the player comes back (Silver et al. 2017, AlphaGo Zero, temperature 1)."""
    if not decision.rows or is_telling(decision):
        return decision
    visits = np.array([row.visits for row in decision.rows], dtype=float)
    name = decision.rows[int(rng.choice(len(visits), p=visits / visits.sum()))].action
    return dataclasses.replace(decision, action=views.actions_by_name(state, 0)[name], name=name)
