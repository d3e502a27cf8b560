"""The bots `mcdml`, `puct`, `puct_rl`, `mc_lave`, `mcdml_llm_policy`, `reflection_agent`, `llm_mcts` and `llm_ismcts`."""

from __future__ import annotations

from typing import Any

import pyspiel

import mcdml.agents.evaluator_bots  # noqa: F401  (registers llm_mcts and llm_ismcts)
from arena.registry.bots import register_bot
from mcdml.agents.agent_bot import AgentBot, search_agent, search_settings, settings_as_parameters
from mcdml.agents.agents import PolicyAgent, ReflectionAgent
from mcdml.asking.clients import make_client
from mcdml.asking.priors import ReorderedPrior, make_prior
from mcdml.learning.agent import LearningAgent
from mcdml.learning.language_values import LanguageValues
from mcdml.learning.log_linear import LogLinearPrior

_OF_ASKING = (
    *("in_trial", "cross_trial", "reflected_steps", "prefetch_depth", "prefetch_limit", "rehearsals"),
    *("ask_after", "ask_depth", "ask_limit", "unasked", "renewal"),
)
"""The settings of a search that say when a model is asked."""


@register_bot("mcdml", summary="MC-DML: tree search with a language model's prior and two memories")
@settings_as_parameters()
def _mcdml(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    llm: str = "recorded",
    prior: str = "verbalized",
    absent: float = -10.0,
    temperature: float | None = None,
    samples: int = 5,
    c_puct: float | None = None,
    pruning: bool = True,
    reorders: bool = False,
    on_miss: str = "error",
    **settings: Any,
) -> pyspiel.Bot:
    """Makes the bot `mcdml`; see `settings.Settings` for the search, `priors.make_prior` for the prior and
    `client.Client` for on_miss.

    Args:
      game: a game of one player, or of perfect information.
      player_id: its seat.
      seed: the seed of the search.
      llm: a spec such as gemini:MODEL.
      temperature: of the prior's softmax; none for that of its kind.
      c_puct: none for 50 in games of one player, else twice the highest utility.
      pruning: whether the depth is changed by dynamic pruning; if not it is min_depth.
      reorders: whether prompts list the actions in an order drawn from the seed.
      settings: the other fields of `Settings`.
    """
    asking = make_prior(prior, absent=absent, temperature=temperature, samples=samples)
    agent = search_agent(
        "mcdml",
        game,
        player_id,
        seed,
        ReorderedPrior(asking, seed) if reorders else asking,
        c_puct=c_puct,
        pruning=pruning,
        **settings,
    )
    return AgentBot(agent, make_client(llm, on_miss))


@register_bot("puct", summary="the search of mcdml with a uniform prior, or one by the actions' words")
@settings_as_parameters("in_trial", "cross_trial", "reflected_steps", "rehearsals")
def _puct(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    prior: str = "uniform",
    llm: str = "recorded",
    absent: float = -10.0,
    temperature: float | None = None,
    c_puct: float | None = None,
    pruning: bool = True,
    on_miss: str = "error",
    **settings: Any,
) -> pyspiel.Bot:
    """Makes the bot `puct`, as `_mcdml` without memories; `prior` is uniform or static, and only the static
    one asks `llm`.
    """
    if prior not in ("uniform", "static"):
        raise ValueError(f"bot 'puct', parameter 'prior': expected uniform or static, found {prior!r}")
    agent = search_agent(
        "puct",
        game,
        player_id,
        seed,
        make_prior(prior, absent=absent, temperature=temperature, samples=1),
        c_puct=c_puct,
        pruning=pruning,
        in_trial=0,
        cross_trial=0,
        **settings,
    )
    return AgentBot(agent, make_client(llm if prior == "static" else None, on_miss))


@settings_as_parameters(*_OF_ASKING)
def _learning(
    bot: str,
    game: pyspiel.Game,
    seed: int,
    values: LanguageValues | None,
    *,
    rounds: int = 4,
    sessions: int = 1,
    round_moves: int = 50,
    steps: int = 200,
    rate: float = 1.0,
    decay: float = 1e-3,
    floor: float = 0.25,
    c_puct: float | None = None,
    pruning: bool = True,
    **settings: Any,
) -> pyspiel.Bot:
    """Makes a bot that learns, for games of one player; see `LearningAgent` for values, rounds, sessions and round_moves,
    `LogLinearPrior` for steps, rate, decay and floor, and `_mcdml` for the rest.
    """
    if game.num_players() != 1:
        raise ValueError(f"bot {bot!r} plays games of one player, not {game}; choose another bot, e.g. puct")
    prior = LogLinearPrior(steps=steps, rate=rate, decay=decay, floor=floor)
    made = search_settings(bot, game, in_trial=0, cross_trial=0, c_puct=c_puct, pruning=pruning, **settings)
    agent = LearningAgent(
        game, seed, made, prior, rounds=rounds, sessions=sessions, round_moves=round_moves, values=values
    )
    return AgentBot(agent, make_client(None, "error"))


@register_bot("puct_rl", summary="puct with a prior that it learns in rounds played by itself; asks no model")
@settings_as_parameters(of=_learning)
def _puct_rl(game: pyspiel.Game, player_id: int, seed: int, **settings: Any) -> pyspiel.Bot:
    """Makes the bot `puct_rl`; see `_learning`."""
    return _learning("puct_rl", game, seed, None, **settings)


@register_bot("mc_lave", summary="puct_rl that explores actions by what such words were worth elsewhere")
@settings_as_parameters(of=_learning)
def _mc_lave(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    c_lave: float = 1.0,
    distance: float = 0.6,
    **settings: Any,
) -> pyspiel.Bot:
    """Makes the bot `mc_lave`; see `LanguageValues` for c_lave and distance, and `_learning`."""
    return _learning("mc_lave", game, seed, LanguageValues(c_lave, distance), **settings)


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
    reorders: bool = False,
    on_miss: str = "error",
) -> pyspiel.Bot:
    """Makes the bot `mcdml_llm_policy`; see `PolicyAgent`. The arena's `llm_policy` is another baseline: it
    knows the rules and the whole history, answers by name, and forfeits where that is no legal action.
    """
    _check_sequential("mcdml_llm_policy", game)
    return AgentBot(PolicyAgent(seed, repeats=repeats, reorders=reorders), make_client(llm, on_miss))


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
    """Makes the bot `reflection_agent`; see `ReflectionAgent`. `round_moves` is its max_moves."""
    _check_sequential("reflection_agent", game)
    agent = ReflectionAgent(game, player_id, seed, rounds=rounds, max_moves=round_moves, repeats=repeats)
    return AgentBot(agent, make_client(llm, on_miss))
