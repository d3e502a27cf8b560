"""The domain of each game."""

from __future__ import annotations

from collections.abc import Mapping

from bt_policies.measuring.domains.domain import Domain
from bt_policies.measuring.domains.fps_arena import FpsArena
from bt_policies.measuring.domains.two_players import TwoPlayers
from bt_policies.measuring.domains.vizdoom import Vizdoom
from bt_policies.measuring.metrics import METRICS
from runs.suggestions import nearest

DOMAINS: Mapping[str, Domain] = {
    "fps_arena": FpsArena(),
    "vizdoom": Vizdoom(),
    "connect_four": TwoPlayers("connect_four_basic", "mcts(simulations=50)", 2),
    "micro_rts": TwoPlayers("micro_rts_basic", "micro_rts_worker_rush", 20),
}
"""OpenSpiel short name -> domain, for games that have one of their own."""


def domain_of(game: str) -> Domain:
    """Returns the domain of a short name or a game string."""
    name = game.partition("(")[0].strip()
    return DOMAINS.get(name) or TwoPlayers(f"{name}_basic")


def check_reward(name: str, game: str) -> None:
    """Raises ValueError, in one sentence, where a metric cannot steer a search in a game."""
    usable = [each for each in domain_of(game).metrics if METRICS[each].reward]
    if name not in usable:
        raise ValueError(f"metric {name!r} cannot be a reward in {game}; {nearest(name, usable)}")


def check_mini_maps(game: str, flag: str) -> None:
    """Raises ValueError, in one sentence that begins with `flag`, where a game has no mini-maps."""
    if not domain_of(game).mini_maps:
        drawn = " and ".join(name for name, domain in DOMAINS.items() if domain.mini_maps)
        raise ValueError(f"{flag}: only {drawn} has mini-maps, found {game}")
