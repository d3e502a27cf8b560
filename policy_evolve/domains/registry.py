"""The domain of each game."""

from __future__ import annotations

from collections.abc import Mapping

import pyspiel

from policy_evolve.domains.any_game import AnyGame
from policy_evolve.domains.domain import Domain
from policy_evolve.domains.wrestle import Wrestle

_ANY = AnyGame()
DOMAINS: Mapping[str, Domain] = {"wrestle": Wrestle()}
"""OpenSpiel short name -> domain, for games that have one of their own."""


def domain_of(game: pyspiel.Game | str) -> Domain:
    """Returns the domain of a game or a game string."""
    return DOMAINS.get(str(game).partition("(")[0].strip(), _ANY)
