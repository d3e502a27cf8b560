"""A language model's prior as OpenSpiel's `Evaluator`, for its Python searches `MCTSBot` and
`ISMCTSBot`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from games.seeing import views
from language_models.asking.client import Ask, Client
from language_models.asking.lockstep import Asking, result_of
from mcdml.asking import prompting
from mcdml.asking.failed_trajectories import end_of_trajectory, failed
from mcdml.asking.memory import REFLECTED_STEPS, REFLECTIONS, CrossTrial
from mcdml.asking.priors import Prior, Query, Reading
from mcdml.asking.situations import situation, steps_before
from mcdml.asking.tally import SearchTally


class LanguageModelEvaluator(mcts.Evaluator):
    """An evaluator that asks for priors once per distinct (state, memory); evaluates by random rollouts or by
    the model.

    The rollouts draw the same random numbers as those of OpenSpiel's `RandomRolloutEvaluator`. With
    `restart`, finished rollouts that a player lost are reflected upon, at most `cross_trial` times until
    the next `restart`, and the priors asked after that show the reflections. (OpenSpiel's searches ask for
    a node's prior once: what they asked before stays.)

    Attributes:
      tally: the requests since `restart`.

    Args:
      client: answers.
      prior: over the legal actions.
      n_rollouts: averaged by `evaluate`, at least 1.
      random_state: the random state of the rollouts; None seeds one from the operating system, as OpenSpiel
        does.
      max_length: the number of actions after which a rollout ends; None plays it out.
      value: "rollouts", or "model": the model's estimate, one number for each player from -1 (lowest
        utility) to 1 (highest); where its answer is none, rollouts stand in and `tally.unreadable`
        counts.
      in_trial: how many earlier decisions the prompts show.
      cross_trial: the most reflections between two calls of `restart`.
      reflected_steps: how many of the last decisions of a lost rollout are reflected upon.
      ask_depth: decisions after `restart`'s state from which on the prior is uniform; None for no limit.

    Raises:
      ValueError: a value is out of range.
    """

    def __init__(
        self,
        client: Client,
        prior: Prior,
        *,
        n_rollouts: int = 1,
        random_state: np.random.RandomState | None = None,
        max_length: int | None = None,
        value: str = "rollouts",
        in_trial: int = 1,
        cross_trial: int = REFLECTIONS,
        reflected_steps: int = REFLECTED_STEPS,
        ask_depth: int | None = None,
    ):
        if value not in ("rollouts", "model"):
            raise ValueError(f"value of an evaluator: expected rollouts or model, found {value!r}")
        for name, given, low in (
            ("n_rollouts", n_rollouts, 1),
            ("in_trial", in_trial, 0),
            ("cross_trial", cross_trial, 0),
            ("reflected_steps", reflected_steps, 1),
            ("ask_depth", 0 if ask_depth is None else ask_depth, 0),
        ):
            if given < low:
                raise ValueError(f"{name} of an evaluator: expected at least {low}, found {given}")
        self._client, self._prior = client, prior
        self._n_rollouts, self._max_length = n_rollouts, max_length
        self._random_state = random_state or np.random.RandomState()
        self._value, self._in_trial, self._reflected_steps = value, in_trial, reflected_steps
        self._cross_trial, self._ask_depth = cross_trial if prior.remembers else 0, ask_depth
        self._player: int | None = None
        self._decisions = 0
        self._memory = CrossTrial(0)
        self.tally = SearchTally()

    @property
    def reflections(self) -> tuple[str, ...]:
        """The cross-trial memory."""
        return self._memory.reflections

    def restart(self, state: pyspiel.State) -> None:
        """Begins the search of a new root: its player's lost rollouts are those that are reflected upon."""
        self._player = int(state.current_player())
        self._decisions = _decisions(state)
        self._memory = CrossTrial(self._cross_trial)
        self.tally = SearchTally()

    def prior(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """Returns, as OpenSpiel's `Evaluator.prior`, (action, probability) of each legal action, in order; at
        a chance node its distribution. Legal actions of one name, and so of one effect, share its probability.

        Raises:
          LanguageModelError: the model failed.
        """
        if state.is_chance_node():
            return state.chance_outcomes()
        player = int(state.current_player())
        legal = state.legal_actions(player)
        if not self._asks(state):
            return [(action, 1.0 / len(legal)) for action in legal]
        self.tally.visits += 1
        query = self._query(state)
        reading = result_of(self._read([query]), self._client)[0]
        by_name = dict(zip(query.situation.actions, reading.probabilities.tolist()))
        if len(by_name) == len(legal):
            return list(zip(legal, by_name.values()))
        names = views.action_names(state, legal)
        return [(action, by_name[name] / names.count(name)) for action, name in zip(legal, names)]

    def prefetch(self, states: Iterable[pyspiel.State]) -> None:
        """Asks for the priors of many states as one batch, so that `prior` knows them."""
        queries = [
            self._query(state)
            for state in states
            if not state.is_terminal() and not state.is_chance_node() and self._asks(state)
        ]
        if queries:
            result_of(self._read(queries), self._client)

    def evaluate(self, state: pyspiel.State) -> np.ndarray:
        """Returns, as OpenSpiel's `Evaluator.evaluate`, each player's estimated return, float64 of shape
        (players,).

        Raises:
          LanguageModelError: the model failed.
        """
        if self._value == "model" and not state.is_terminal() and not state.is_chance_node():
            estimated = self._estimate(state)
            if estimated is not None:
                return estimated
        result = None
        for _ in range(self._n_rollouts):
            returns = self._rollout(state)
            result = returns if result is None else result + returns
        return result / self._n_rollouts

    def _rollout(self, state: pyspiel.State) -> np.ndarray:
        working = state.clone()
        length = 0
        while not working.is_terminal() and (self._max_length is None or length < self._max_length):
            if working.is_chance_node():
                actions, chances = zip(*working.chance_outcomes())
                action = self._random_state.choice(actions, p=chances)
            else:
                action = self._random_state.choice(working.legal_actions())
            working.apply_action(action)
            length += 1
        if (
            working.is_terminal()
            and self._player is not None
            and not self._memory.full
            and failed(working, self._player)
        ):
            self._reflect(working)
        return np.array(working.returns())

    def _reflect(self, end: pyspiel.State) -> None:
        start = end.get_game().new_initial_state()
        request = self._memory.request(
            end_of_trajectory(start, end.history(), self._player, self._reflected_steps)
        )
        if request is not None:
            [[completions]] = self._client.answer([Ask([request], self.tally)])
            self._memory.add(completions)

    def _asks(self, state: pyspiel.State) -> bool:
        if not self._prior.asks or len(state.legal_actions()) == 1:
            return False
        return self._ask_depth is None or _decisions(state) - self._decisions < self._ask_depth

    def _query(self, state: pyspiel.State) -> Query:
        return Query(situation(state, steps_before(state, self._in_trial)), self._memory.reflections)

    def _read(self, queries: list[Query]) -> Asking[list[Reading]]:
        answers = yield Ask([self._prior.request(query) for query in queries], self.tally)
        readings = [self._prior.read(query, completions) for query, completions in zip(queries, answers)]
        self.tally.unreadable += sum(not reading.readable for reading in readings)
        return readings

    def _estimate(self, state: pyspiel.State) -> np.ndarray | None:
        request = prompting.value_request(situation(state, steps_before(state, self._in_trial)))
        self.tally.visits += 1
        [[completions]] = self._client.answer([Ask([request], self.tally)])
        if completions is None:
            return None
        game = state.get_game()
        values = read_values(completions[0].text, game.num_players())
        if values is None:
            self.tally.unreadable += 1
            return None
        low, high = game.min_utility(), game.max_utility()
        return low + (np.array(values) + 1.0) / 2.0 * (high - low)


def read_values(reply: str, players: int) -> list[float] | None:
    """Returns the numbers of a reply in JSON, each cut to -1 to 1; None where there is not one for each
    player.
    """
    try:
        values = json.loads(reply[reply.index("{") : reply.rindex("}") + 1])["values"]
    except (ValueError, KeyError, RecursionError):
        return None
    numbers = (
        [
            value
            for value in values
            if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        ]
        if isinstance(values, list)
        else []
    )
    if len(numbers) != players or len(numbers) != len(values):
        return None
    return [min(1.0, max(-1.0, float(value))) for value in numbers]


def near(roots: Iterable[pyspiel.State], depth: int) -> Iterator[pyspiel.State]:
    """Yields the states within `depth` decisions of the roots, breadth first, all outcomes of chance
    included.
    """
    level = list(roots)
    for left in range(depth, -1, -1):
        level = [state for root in level for state in _after_chance(root)]
        yield from level
        if left:
            level = [
                state.child(action)
                for state in level
                if not state.is_terminal()
                for action in state.legal_actions()
            ]


def _after_chance(state: pyspiel.State) -> Iterator[pyspiel.State]:
    if not state.is_chance_node():
        yield state
        return
    for action, _ in state.chance_outcomes():
        yield from _after_chance(state.child(action))


def _decisions(state: pyspiel.State) -> int:
    return sum(item.player >= 0 for item in state.full_history())
