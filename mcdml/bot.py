"""The bots `mcdml`, `puct`, `mcdml_llm_policy` and `reflection_agent`."""

from __future__ import annotations

from typing import Any

import pyspiel

from arena.matches.match import Forfeit
from arena.registry.bots import register_bot
from language_models import LanguageModelError, from_spec
from mcdml.agents.agents import Agent, PolicyAgent, ReflectionAgent, SearchAgent, is_searchable
from mcdml.asking.client import Client, result_of
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
        self._notes = {"language_model": self._client.name, **decision.to_json()}
        return decision.action

    def notes(self) -> dict[str, Any]:
        """Of the last move: model, action, depth and simulations of the search, reflections, Q, prior and
        visits of each action (`rows`), and what was asked (`tally`, see `client.Tally`)."""
        return self._notes


def client_of(llm: str | None, on_miss: str) -> Client:
    """A client of the model that a spec names; None for none."""
    return Client(None if llm is None else from_spec(llm), on_miss=on_miss)


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


@register_bot("mcdml", summary="MC-DML: tree search with a language model's prior and two memories")
def _mcdml(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    llm: str = "recorded",
    prior: str = "verbalized",
    absent: float = -10.0,
    temperature: float = 5.0,
    samples: int = 5,
    simulations_per_action: int = 50,
    c_puct: float | None = None,
    discount: float = 0.95,
    min_depth: int = 10,
    max_depth: int = 30,
    depth_step: int = 20,
    pruning: bool = True,
    in_trial: int = 1,
    cross_trial: int = 3,
    reflected_steps: int = 5,
    q: str = "mean",
    wave: int = 1,
    prefetch_depth: int = 0,
    prefetch_limit: int = 100,
    rehearsals: int = 0,
    ask_after: int = 1,
    ask_depth: int | None = None,
    on_miss: str = "error",
) -> pyspiel.Bot:
    """See `settings.Settings` for the search, `priors.make_prior` for the prior and `client.Client` for
    on_miss.

    Args:
        game: of one player, or of perfect information.
        player_id: its seat.
        seed: of the search.
        llm: a spec such as gemini:MODEL.
        c_puct: none for 50 in games of one player, else twice the highest utility.
        pruning: whether the depth is changed by dynamic pruning; if not it is min_depth.
    """
    agent = search_agent(
        "mcdml",
        game,
        player_id,
        seed,
        prior=prior,
        absent=absent,
        temperature=temperature,
        samples=samples,
        c_puct=c_puct,
        pruning=pruning,
        simulations_per_action=simulations_per_action,
        discount=discount,
        min_depth=min_depth,
        max_depth=max_depth,
        depth_step=depth_step,
        in_trial=in_trial,
        cross_trial=cross_trial,
        reflected_steps=reflected_steps,
        q=q,
        wave=wave,
        prefetch_depth=prefetch_depth,
        prefetch_limit=prefetch_limit,
        rehearsals=rehearsals,
        ask_after=ask_after,
        ask_depth=ask_depth,
    )
    return AgentBot(agent, client_of(llm, on_miss))


@register_bot("puct", summary="the search of mcdml with a uniform prior, or one by the actions' words")
def _puct(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    prior: str = "uniform",
    llm: str = "recorded",
    absent: float = -10.0,
    temperature: float = 5.0,
    simulations_per_action: int = 50,
    c_puct: float | None = None,
    discount: float = 0.95,
    min_depth: int = 10,
    max_depth: int = 30,
    depth_step: int = 20,
    pruning: bool = True,
    q: str = "mean",
    wave: int = 1,
    prefetch_depth: int = 0,
    prefetch_limit: int = 100,
    ask_after: int = 1,
    ask_depth: int | None = None,
    on_miss: str = "error",
) -> pyspiel.Bot:
    """As `_mcdml` without memories; `prior` is uniform or static, and only the static one asks `llm`."""
    if prior not in ("uniform", "static"):
        raise ValueError(f"bot 'puct', parameter 'prior': expected uniform or static, found {prior!r}")
    agent = search_agent(
        "puct",
        game,
        player_id,
        seed,
        prior=prior,
        absent=absent,
        temperature=temperature,
        samples=1,
        c_puct=c_puct,
        pruning=pruning,
        simulations_per_action=simulations_per_action,
        discount=discount,
        min_depth=min_depth,
        max_depth=max_depth,
        depth_step=depth_step,
        in_trial=0,
        cross_trial=0,
        q=q,
        wave=wave,
        prefetch_depth=prefetch_depth,
        prefetch_limit=prefetch_limit,
        ask_after=ask_after,
        ask_depth=ask_depth,
    )
    return AgentBot(agent, client_of(llm if prior == "static" else None, on_miss))


def _check_sequential(bot: str, game: pyspiel.Game) -> None:
    if game.get_type().dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ValueError(
            f"bot {bot!r} plays sequential games and {game} has simultaneous moves; choose another bot"
        )


@register_bot(
    "mcdml_llm_policy",
    summary="asks a language model for each action by number, out of circles by chance (the baseline of mcdml)",
)
def _llm_policy(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    llm: str = "recorded",
    repeats: int = 5,
    on_miss: str = "error",
) -> pyspiel.Bot:
    """See `PolicyAgent`. The arena's `llm_policy` is another baseline: it knows the rules and the whole
    history, answers by name, and forfeits where that is no legal action."""
    _check_sequential("mcdml_llm_policy", game)
    return AgentBot(PolicyAgent(seed, repeats=repeats), client_of(llm, on_miss))


@register_bot(
    "reflection_agent",
    summary="a language model that has played some rounds by itself and reflected upon them (Reflexion)",
)
def _reflection_agent(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    llm: str = "recorded",
    rounds: int = 3,
    round_moves: int = 100,
    repeats: int = 5,
    on_miss: str = "error",
) -> pyspiel.Bot:
    """See `ReflectionAgent`; `round_moves` is its max_moves."""
    _check_sequential("reflection_agent", game)
    agent = ReflectionAgent(game, player_id, seed, rounds=rounds, max_moves=round_moves, repeats=repeats)
    return AgentBot(agent, client_of(llm, on_miss))
