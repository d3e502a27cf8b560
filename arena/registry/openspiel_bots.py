"""OpenSpiel's own registry of bots, and the bots of the arena in it.

OpenSpiel registers bots in C++ alone: Python has functions to load a bot by name and none to add one. `offer`
therefore lets these functions know the arena's bots as well, those of installed packages among them:

    >>> import spielwright, pyspiel
    >>> game = pyspiel.load_game("tic_tac_toe")
    >>> bot = pyspiel.load_bot("mcts", game, 0, {"simulations": 10, "seed": 1})
    >>> pyspiel.is_bot_registered("mcts")
    True

Names of OpenSpiel's own come first.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyspiel

from arena.registry.bots import bots, make_bot
from arena.registry.specs import BotSpec, parse_spec

_OWN = (pyspiel.load_bot, pyspiel.is_bot_registered, pyspiel.registered_bots)
"""OpenSpiel's functions as they were, before `offer`."""

own_load_bot, own_is_bot_registered, own_registered_bots = _OWN


def load_bot(
    bot_name: str, game: pyspiel.Game, player: int, params: Mapping[str, object] | None = None
) -> pyspiel.Bot:
    """Makes a bot of OpenSpiel's or of the arena's.

    Args:
      bot_name: its name, or for one of the arena a spec such as `mcts(simulations=10)`.
      game: the game that it will play.
      player: its seat.
      params: its parameters; `seed`, 0 by default, is taken from them for a bot of the arena.

    Raises:
      ValueError: there is no such bot or parameter, or the bot refuses the game.
      pyspiel.SpielError: OpenSpiel refuses one of its own.
    """
    given = dict(params or {})
    if own_is_bot_registered(bot_name):
        return own_load_bot(bot_name, game, player, given)
    spec = parse_spec(bot_name)
    seed = given.pop("seed", 0)
    return make_bot(BotSpec(spec.name, {**spec.parameters, **given}), game, player, seed)


def is_bot_registered(bot_name: str) -> bool:
    """Returns whether OpenSpiel or the arena has a bot of this name."""
    return own_is_bot_registered(bot_name) or bot_name in bots()


def registered_bots() -> list[str]:
    """Returns the names of all bots of OpenSpiel and of the arena, in alphabetical order."""
    return sorted({*own_registered_bots(), *bots()})


def offer() -> None:
    """Puts these functions in the place of OpenSpiel's of the same names."""
    pyspiel.load_bot = load_bot
    pyspiel.is_bot_registered = is_bot_registered
    pyspiel.registered_bots = registered_bots
