"""Agents that ask a language model, as generators (see `language_models.asking.lockstep`): for the arena's
bots, and for many episodes in lockstep.

An agent plays one seat of one game. `decide(state)` returns a `Decision`; it may remember what it did
before in the same game, so each game needs an agent of its own.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import pyspiel

from games.seeing import views
from language_models.asking.client import Ask
from language_models.asking.lockstep import Asking
from mcdml.asking import prompting
from mcdml.asking.asked import Asked
from mcdml.asking.failed_trajectories import end_of_trajectory
from mcdml.asking.memory import REFLECTION_CHARACTERS, REFLECTIONS
from mcdml.asking.priors import Prior, named_action
from mcdml.asking.situations import reordered, shortened, situation, steps_before
from mcdml.asking.tally import SearchTally
from mcdml.search.decision import Decision
from mcdml.search.search import Search
from mcdml.search.settings import Settings
from mcdml.search.tree import apply, begin

POLICY_STEPS = 5
"""The number of earlier steps that the agents without search see (the paper: the current trajectory
history).
"""
ROUND_STEPS = 10
"""The number of last steps of a round that are reflected upon."""
REPEATS = 5


class Agent(Protocol):
    """An agent that plays one seat."""

    def decide(self, state: pyspiel.State) -> Asking[Decision]:
        """Returns the decision at a state of the agent's player."""
        ...


def is_searchable(game: pyspiel.Game) -> bool:
    """Returns whether `SearchAgent` plays a game: sequential, of one player or of perfect information."""
    kind = game.get_type()
    perfect = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    return kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL and (perfect or game.num_players() == 1)


class SearchAgent:
    """The agent of MC-DML, or of PUCT where the prior remembers nothing.

    Args:
      player: its seat.
      seed: the seed of the search; a decision depends on it and on the history of the state, and with `ask_limit` or
        `unasked=words` on what the agent asked before.
      settings: the settings of the search.
      prior: over the valid actions.
      search: makes the search of a decision from the arguments of `Search`.
    """

    def __init__(
        self, player: int, seed: int, settings: Settings, prior: Prior, search: Callable[..., Search] = Search
    ):
        self._player, self._seed, self._settings, self._prior = player, seed, settings, prior
        self._search = search
        self._asked = Asked()

    def decide(self, state: pyspiel.State) -> Asking[Decision]:
        """Decides as `Search.decide`."""
        rng = np.random.default_rng((self._seed, len(state.history())))
        search = self._search(self._settings, self._prior, rng, self._player, SearchTally(), self._asked)
        return search.decide(state)


class PolicyAgent:
    """The language model as the policy (the paper's LLM agent).

    An action that it chose `repeats` times in one state gives way to one drawn at random, since the agent
    walks in circles otherwise (appendix B); so does an answer that names no valid action, which is counted.

    Args:
      seed: the seed of what is drawn.
      reflections: shown in the prompt.
      repeats: at least 1.
      reorders: whether the actions are listed in an order drawn from the seed (`situations.reordered`).
    """

    def __init__(
        self, seed: int, reflections: tuple[str, ...] = (), repeats: int = REPEATS, *, reorders: bool = False
    ):
        if repeats < 1:
            raise ValueError(f"mcdml_llm_policy, repeats: expected at least 1, found {repeats}")
        self._rng = np.random.default_rng(seed)
        self._order = seed if reorders else None
        self._reflections, self._repeats = reflections, repeats
        self._chosen: collections.Counter[tuple[str, str]] = collections.Counter()

    def decide(self, state: pyspiel.State) -> Asking[Decision]:
        """Asks for one action; with one valid action nothing is asked."""
        here = situation(state, steps_before(state, POLICY_STEPS))
        if self._order is not None:
            here, _ = reordered(here, self._order)
        tally = SearchTally()
        index: int | None = 0
        if len(here.actions) > 1:
            tally.visits = 1
            request = prompting.policy_request(here, self._reflections)
            [completions] = yield Ask([request], tally)
            number = None if completions is None else named_action(completions[0].text, here)
            tally.unreadable += completions is not None and number is None
            index = None if number is None else number - 1
        if index is None or self._chosen[here.now, here.actions[index]] >= self._repeats:
            index = int(self._rng.integers(len(here.actions)))
        self._chosen[here.now, here.actions[index]] += 1
        return Decision(here.numbers[index], here.actions[index], reflections=self._reflections, tally=tally)


class ReflectionAgent:
    """An agent that plays rounds of the game by itself before its first move, reflects upon each, and then
    plays as `PolicyAgent` with what it has learnt (Shinn et al. 2023; the paper's Reflection agent).

    In a game of several players it rehearses against its own policy without reflections.

    Args:
      game: the game that is played.
      player: its seat.
      seed: the seed of chance in the rounds and of what its policies draw.
      rounds: before the one that counts, at least 0; each gives one reflection.
      max_moves: decisions after which a round is stopped, at least 1.
      repeats: as in `PolicyAgent`.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player: int,
        seed: int,
        *,
        rounds: int = REFLECTIONS,
        max_moves: int = 100,
        repeats: int = REPEATS,
    ):
        if rounds < 0 or max_moves < 1:
            raise ValueError(
                "reflection_agent: expected rounds of 0 or more and max_moves of 1 or more, "
                f"found {rounds} and {max_moves}"
            )
        self._game, self._player, self._seed = game, player, seed
        self._rounds, self._max_moves, self._repeats = rounds, max_moves, repeats
        self._policy: PolicyAgent | None = None

    def decide(self, state: pyspiel.State) -> Asking[Decision]:
        """Decides as `PolicyAgent.decide`; before the first decision the rounds are played, and counted to
        it.
        """
        before = SearchTally()
        if self._policy is None:
            reflections: tuple[str, ...] = ()
            for number in range(self._rounds):
                reflections = yield from self._round(number, reflections, before)
            self._policy = PolicyAgent(self._seed, reflections, self._repeats)
        decision = yield from self._policy.decide(state)
        tally = decision.tally
        tally += before
        return decision

    def _round(self, number: int, reflections: tuple[str, ...], tally: SearchTally) -> Asking[tuple[str, ...]]:
        rng = np.random.default_rng((self._seed, number))
        state = begin(self._game, rng)
        seats = [
            PolicyAgent(int(rng.integers(2**31)), reflections if seat == self._player else (), self._repeats)
            for seat in range(self._game.num_players())
        ]
        for _ in range(self._max_moves):
            if state.is_terminal():
                break
            decision = yield from seats[state.current_player()].decide(state)
            tally += decision.tally
            apply(state, decision.action, rng)
        end = end_of_trajectory(self._game.new_initial_state(), state.history(), self._player, ROUND_STEPS)
        request = prompting.round_request(end, reflections, result_text(state, self._player))
        [completions] = yield Ask([request], tally)
        if not completions or not completions[0].text.strip():
            return reflections
        sentence = shortened(" ".join(completions[0].text.split()), REFLECTION_CHARACTERS)
        return (*reflections, sentence)


class BotAgent:
    """An agent made from any bot; it asks nothing."""

    def __init__(self, bot: pyspiel.Bot):
        self._bot = bot

    def decide(self, state: pyspiel.State) -> Asking[Decision]:
        """Decides as the bot's `step`."""
        yield Ask([])
        action = self._bot.step(state)
        return Decision(action, views.action_name(state, action))


def score_of(state: pyspiel.State, player: int = 0) -> tuple[float, float | None]:
    """Returns the score so far and the highest possible one: those of a text game, else return and None."""
    data: dict[str, Any] = views.view(state, player).data
    if "score" in data:
        highest = data.get("max_score")
        return float(data["score"]), None if highest is None else float(highest)
    return float(state.returns()[player]), None


def result_text(state: pyspiel.State, player: int) -> str:
    """Returns a clause for prompts: the score or return at the end of a round."""
    score, highest = score_of(state, player)
    if highest is None:
        return f"a return of {score:g}"
    return f"a score of {score:g} out of {highest:g}"
