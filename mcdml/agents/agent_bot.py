"""An agent as a bot of OpenSpiel."""

from __future__ import annotations

from typing import Any

import pyspiel

from arena.matches.forfeit import Forfeit
from language_models import LanguageModelError
from language_models.asking.call_notes import CallNotes
from language_models.asking.client import Client
from language_models.asking.lockstep import result_of
from mcdml.agents.agents import Agent, SearchAgent, is_searchable
from mcdml.asking.priors import make_prior
from mcdml.search.settings import Settings

TEXT_C_PUCT = 50.0


class AgentBot(pyspiel.Bot):
    """An agent as a bot. A language model that fails makes it forfeit, of kind crash.

    Attributes:
        agent: as given, for whoever asks in its own way.

    Args:
        agent: of one seat of one game.
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
            raise Forfeit("crash", str(error)) from error
        self._notes = {**CallNotes.counted(self._client.name, decision.tally).to_notes(), **decision.to_json()}
        return decision.action

    def notes(self) -> dict[str, Any]:
        """The last move's model, its calls and tokens, action, depth and simulations of the search,
        reflections, Q, prior and visits of each action (`rows`), and what was asked (`SearchTally`)."""
        return self._notes


def default_c_puct(game: pyspiel.Game) -> float:
    """50, the paper's, for one player's points; else twice the highest utility."""
    return TEXT_C_PUCT if game.num_players() == 1 else 2.0 * game.max_utility()


def search_agent(
    bot: str,
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    prior: str,
    absent: float,
    temperature: float,
    samples: int,
    c_puct: float | None,
    pruning: bool,
    **settings: Any,
) -> SearchAgent:
    """Makes the agent of `mcdml` and `puct`; see `_mcdml` for the arguments.

    Raises:
        ValueError: the game cannot be searched, or a value is out of range.
    """
    if not is_searchable(game):
        raise ValueError(
            f"bot {bot!r} plays sequential games of one player or of perfect information, not "
            f"{game}; choose another bot, e.g. llm_ismcts"
        )
    if not pruning:
        settings["max_depth"] = settings["min_depth"]
    if c_puct is None:
        c_puct = default_c_puct(game)
    return SearchAgent(
        player_id,
        seed,
        Settings(c_puct=c_puct, **settings),
        make_prior(prior, absent=absent, temperature=temperature, samples=samples),
    )
