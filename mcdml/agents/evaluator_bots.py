"""The bots `llm_mcts` and `llm_ismcts`: OpenSpiel's Python searches with a `LanguageModelEvaluator`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from arena.bots.reference import can_resample, check_search_parameters
from arena.matches import heads
from arena.matches.forfeit import Unplayable
from arena.registry.bots import register_bot
from games.seeing.pending_moves import resampled
from language_models import LanguageModelError
from language_models.asking.call_notes import CallNotes
from language_models.asking.client import Client
from mcdml.agents.explaining import searched
from mcdml.asking.clients import make_client
from mcdml.asking.priors import SOFTMAX_TEMPERATURE, make_prior
from mcdml.search.evaluator import LanguageModelEvaluator, near

PREFETCH_WORLDS = 30
"""The number of resampled states that stand for an information state when priors are asked ahead."""


class _EvaluatorBot(pyspiel.Bot):
    """The common part of both bots: restarts the evaluator at each move, asks ahead, keeps notes.

    Args:
      player_id: its seat.
      evaluator: the evaluator of its search.
      client: the client of the evaluator.
      prefetch_depth: decisions below the root whose priors are asked at once; 0 for none.
    """

    def __init__(self, player_id: int, evaluator: LanguageModelEvaluator, client: Client, prefetch_depth: int):
        super().__init__()
        self._player_id = player_id
        self._evaluator, self._client = evaluator, client
        self._prefetch_depth = prefetch_depth
        self._notes: dict[str, Any] = {}

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        self._notes = {}
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        self._evaluator.restart(state)
        try:
            if self._prefetch_depth:
                self._evaluator.prefetch(near(self._roots(state), self._prefetch_depth))
            action, rows = self._search(state)
        except LanguageModelError as error:
            raise Unplayable(str(error)) from error
        self._notes = {
            **CallNotes.counted(self._client.name, self._evaluator.tally).to_notes(),
            "rows": rows,
            "reflections": list(self._evaluator.reflections),
            "tally": self._evaluator.tally.to_json(),
        }
        return action

    def notes(self) -> dict[str, Any]:
        """Returns the last move's model, its calls and tokens, value, prior and visits of each action
        (`rows`), reflections, and what was asked (`SearchTally`); nothing where there was no choice.
        """
        return self._notes

    def explain(self) -> list[heads.Panel]:
        """Visits, values and priors of the last move, and the reflections."""
        return searched(self._notes)

    def _roots(self, state: pyspiel.State) -> Iterable[pyspiel.State]:
        raise NotImplementedError

    def _search(self, state: pyspiel.State) -> tuple[int, list[dict[str, Any]]]:
        raise NotImplementedError


def _row(state: pyspiel.State, action: int, total: float, prior: float, visits: float) -> dict[str, Any]:
    return {
        "action": state.action_to_string(state.current_player(), action),
        "q": total / visits if visits else 0.0,
        "prior": prior,
        "visits": int(visits),
    }


class LlmMctsBot(_EvaluatorBot):
    """A bot made from OpenSpiel's `MCTSBot` with PUCT; plays the most visited action, or a proven win.

    Args:
      game: a game of perfect information.
      random_state: the random state of search and rollouts.
      simulations, uct_c, solve: those of the search.
      common: see `_EvaluatorBot`.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        random_state: np.random.RandomState,
        *,
        simulations: int,
        uct_c: float,
        solve: bool,
        **common: Any,
    ):
        super().__init__(**common)
        self._bot = mcts.MCTSBot(
            game,
            uct_c,
            simulations,
            self._evaluator,
            solve=solve,
            random_state=random_state,
            child_selection_fn=mcts.SearchNode.puct_value,
        )

    def _roots(self, state: pyspiel.State) -> Iterable[pyspiel.State]:
        return [state]

    def _search(self, state: pyspiel.State) -> tuple[int, list[dict[str, Any]]]:
        root = self._bot.mcts_search(state)
        rows = [
            _row(state, child.action, child.total_reward, child.prior, child.explore_count)
            for child in sorted(root.children, key=lambda child: child.action)
        ]
        return root.best_child().action, rows


class LlmIsmctsBot(_EvaluatorBot):
    """A bot made from OpenSpiel's `ISMCTSBot` with PUCT; plays the most visited action, the lowest of equal
    ones.

    Args:
      game: a game that resamples what a player cannot see.
      random_state: the random state of search, rollouts, and what is resampled.
      prefetch_seed: the prefetch seed of the states that are resampled for asking ahead.
      simulations, uct_c: those of the search.
      common: see `_EvaluatorBot`.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        random_state: np.random.RandomState,
        prefetch_seed: int,
        *,
        simulations: int,
        uct_c: float,
        **common: Any,
    ):
        super().__init__(**common)
        # An own source, so that asking ahead does not change what the search draws.
        self._prefetch_rng = np.random.RandomState(prefetch_seed)
        self._bot = ismcts.ISMCTSBot(
            game,
            self._evaluator,
            uct_c,
            simulations,
            random_state=random_state,
            final_policy_type=ismcts.ISMCTSFinalPolicyType.NORMALIZED_VISITED_COUNT,
            child_selection_policy=ismcts.ChildSelectionPolicy.PUCT,
        )
        self._bot.set_resampler(lambda state, player: resampled(state, player, random_state.uniform))

    def _roots(self, state: pyspiel.State) -> Iterable[pyspiel.State]:
        return [resampled(state, self._player_id, self._prefetch_rng.uniform) for _ in range(PREFETCH_WORLDS)]

    def _search(self, state: pyspiel.State) -> tuple[int, list[dict[str, Any]]]:
        policy = sorted(self._bot.get_policy(state))
        children = self._bot._root_node.child_info
        rows = [
            _row(state, action, child.return_sum, child.prior, child.visits)
            for action, child in sorted(children.items())
        ]
        most = max(chance for _, chance in policy)
        return next(action for action, chance in policy if chance == most), rows


@register_bot(
    "llm_mcts",
    summary="OpenSpiel's MCTS (PUCT) with a language model's prior and reflections",
    source="OpenSpiel Python",
)
def _llm_mcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    llm: str = "recorded",
    prior: str = "verbalized",
    simulations: int = 200,
    rollouts: int = 1,
    uct_c: float = 2.0,
    solve: bool = True,
    value: str = "rollouts",
    in_trial: int = 1,
    cross_trial: int = 3,
    ask_depth: int | None = None,
    prefetch_depth: int = 0,
    on_miss: str = "error",
) -> pyspiel.Bot:
    """Makes the bot `llm_mcts`; see `LlmMctsBot`, `LanguageModelEvaluator`, `priors.make_prior`, and
    `clients.make_client` for on_miss.
    """
    check_search_parameters("llm_mcts", game, simulations=simulations, rollouts=rollouts, uct_c=uct_c)
    if game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        raise ValueError(
            f"bot 'llm_mcts' plays games of perfect information and {game} hides some; choose llm_ismcts"
        )
    made = _make(
        player_id, seed, llm, prior, rollouts, value, in_trial, cross_trial, ask_depth, prefetch_depth, on_miss
    )
    return LlmMctsBot(game, simulations=simulations, uct_c=uct_c, solve=solve, **made)


@register_bot(
    "llm_ismcts",
    summary="OpenSpiel's IS-MCTS (PUCT) with a language model's prior and reflections",
    source="OpenSpiel Python",
)
def _llm_ismcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    llm: str = "recorded",
    prior: str = "verbalized",
    simulations: int = 200,
    rollouts: int = 1,
    uct_c: float = 2.0,
    value: str = "rollouts",
    in_trial: int = 1,
    cross_trial: int = 3,
    ask_depth: int | None = None,
    prefetch_depth: int = 0,
    on_miss: str = "error",
) -> pyspiel.Bot:
    """Makes the bot `llm_ismcts`; see `LlmIsmctsBot`, `LanguageModelEvaluator`, `priors.make_prior`, and
    `clients.make_client` for on_miss.
    """
    check_search_parameters("llm_ismcts", game, simulations=simulations, rollouts=rollouts, uct_c=uct_c)
    hides = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    if not hides or not can_resample(game):
        raise ValueError(
            f"bot 'llm_ismcts' plays games that hide information and resample it, not {game}; "
            "choose another bot, e.g. llm_mcts"
        )
    made = _make(
        player_id, seed, llm, prior, rollouts, value, in_trial, cross_trial, ask_depth, prefetch_depth, on_miss
    )
    return LlmIsmctsBot(game, simulations=simulations, uct_c=uct_c, prefetch_seed=seed, **made)


def _make(
    player_id: int,
    seed: int,
    llm: str,
    prior: str,
    rollouts: int,
    value: str,
    in_trial: int,
    cross_trial: int,
    ask_depth: int | None,
    prefetch_depth: int,
    on_miss: str,
) -> dict[str, Any]:
    """Returns the parts from which both bots are made."""
    if prefetch_depth < 0:
        raise ValueError(f"prefetch_depth: expected at least 0, found {prefetch_depth}")
    needs_model = prior != "uniform" or value == "model"
    client = make_client(llm if needs_model else None, on_miss)
    random_state = np.random.RandomState(seed)
    evaluator = LanguageModelEvaluator(
        client,
        # That of all matches recorded with these bots so far.
        make_prior(prior, temperature=SOFTMAX_TEMPERATURE),
        n_rollouts=rollouts,
        random_state=random_state,
        value=value,
        in_trial=in_trial,
        cross_trial=cross_trial,
        ask_depth=ask_depth,
    )
    return {
        "player_id": player_id,
        "evaluator": evaluator,
        "client": client,
        "prefetch_depth": prefetch_depth,
        "random_state": random_state,
    }
