"""An agent as a bot of OpenSpiel."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

import pyspiel

from arena.matches.forfeit import Unplayable
from arena.matches.heads import Panel
from arena.registry.bots import Factory
from language_models import LanguageModelError
from language_models.asking.call_notes import CallNotes
from language_models.asking.client import Client
from language_models.asking.lockstep import result_of
from mcdml.agents.agents import Agent, SearchAgent, is_searchable
from mcdml.agents.explaining import searched
from mcdml.asking.priors import Prior
from mcdml.search.settings import Settings

TEXT_C_PUCT = 50.0


class AgentBot(pyspiel.Bot):
    """An agent as a bot. A language model that fails voids the match.

    Attributes:
      agent: as given, for whoever asks in its own way.

    Args:
      agent: the agent of one seat of one game.
      client: answers.
    """

    def __init__(self, agent: Agent, client: Client):
        super().__init__()
        self.agent, self._client = agent, client
        self._notes: dict[str, Any] = {}

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        self._notes = {}
        try:
            decision = result_of(self.agent.decide(state), self._client)
        except LanguageModelError as error:
            raise Unplayable(str(error)) from error
        self._notes = {**CallNotes.counted(self._client.name, decision.tally).to_notes(), **decision.to_json()}
        return decision.action

    def notes(self) -> dict[str, Any]:
        """Returns the last move's model, its calls and tokens, action, depth and simulations of the search,
        reflections, Q, prior and visits of each action (`rows`), and what was asked (`SearchTally`).
        """
        return self._notes

    def explain(self) -> list[Panel]:
        """Visits, values and priors of the last move, and the reflections."""
        return searched(self._notes)


def default_c_puct(game: pyspiel.Game) -> float:
    """Returns 50, the paper's value, for one player's points; else twice the highest utility."""
    return TEXT_C_PUCT if game.num_players() == 1 else 2.0 * game.max_utility()


def search_agent(
    bot: str,
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    prior: Prior,
    *,
    c_puct: float | None,
    pruning: bool,
    **settings: Any,
) -> SearchAgent:
    """Makes the agent of `mcdml` and `puct`.

    Args:
      bot: its name, for errors.
      game, player_id, seed: see `SearchAgent`.
      prior: the prior of the search.
      c_puct: None for `default_c_puct`.
      pruning: whether the depth is changed by dynamic pruning; if not it is min_depth.
      settings: other fields of `Settings`.

    Raises:
      ValueError: the game cannot be searched, or a value is out of range.
    """
    made = search_settings(bot, game, c_puct=c_puct, pruning=pruning, **settings)
    return SearchAgent(player_id, seed, made, prior)


def search_settings(
    bot: str, game: pyspiel.Game, *, c_puct: float | None, pruning: bool, **settings: Any
) -> Settings:
    """Makes the settings of a search; arguments and errors as those of `search_agent`."""
    if not is_searchable(game):
        raise ValueError(
            f"bot {bot!r} plays sequential games of one player or of perfect information, not "
            f"{game}; choose another bot, e.g. llm_ismcts"
        )
    if not pruning:
        settings["max_depth"] = settings.get("min_depth", Settings.min_depth)
    if c_puct is None:
        c_puct = default_c_puct(game)
    return Settings(c_puct=c_puct, **settings)


def settings_as_parameters(*left_out: str, of: Callable[..., Any] = Settings) -> Callable[[Factory], Factory]:
    """Decorates a bot's factory: its `**settings` become keyword-only parameters, one for each parameter of `of` that has a
    default, with its type, which is what the registry reads.

    Args:
      left_out: those that the bot has no parameter for; those that the factory names itself stay its own.
      of: `Settings`, or a function that several factories call.
    """

    def declare(factory: Factory) -> Factory:
        signature = inspect.signature(factory)
        own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        hints = typing.get_type_hints(of)
        derived = [
            one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name])
            for one in inspect.signature(of).parameters.values()
            if one.default is not one.empty and one.name not in {*left_out, *signature.parameters}
        ]
        factory.__signature__ = signature.replace(parameters=[*own, *derived])
        factory.__annotations__ |= {one.name: one.annotation for one in derived}
        return factory

    return declare
