"""The games that trees play, each with its words and its bot.

A module here defines `VOCABULARY`, or `vocabulary(game)` where the words depend on the game, and `make_bot(game, player_id, seed, make_player)` -> pyspiel.Bot, where
`make_player(seed)` makes a `player.TreePlayer`; it is found through `GAMES`, and `any_game` serves all games that are not
there. Where only the meanings of words depend on the game's parameters, a module has both. `unanswered(game)` names words that trees may hold but
that tell nothing in a game, each with the reason.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType

import pyspiel

from arena.registry.games import import_games
from bt_policies.trees.vocabulary import FORMS, Vocabulary
from runs.suggestions import nearest

GAMES = {
    "fps_arena": "bt_policies.trees.vocabularies.fps_arena",
    "connect_four": "bt_policies.trees.vocabularies.connect_four",
    "leduc_poker": "bt_policies.trees.vocabularies.leduc_poker",
    "micro_rts": "bt_policies.trees.vocabularies.micro_rts",
    "vizdoom": "bt_policies.trees.vocabularies.vizdoom",
}
"""OpenSpiel short name -> module; vizdoom is no game of OpenSpiel, and its module makes no bot."""
ANY_GAME = "bt_policies.trees.vocabularies.any_game"
"""The module for all other games of OpenSpiel."""


def module_of(game: str) -> ModuleType:
    """Returns the module for a game.

    Args:
      game: its short name, or a game string such as `micro_rts(max_cycles=500)`.

    Raises:
      ValueError: there is no such game.
    """
    name = game.partition("(")[0].strip()
    if name not in GAMES:
        import_games()
        known = pyspiel.registered_names()
        if name not in known:
            raise ValueError(
                f"there is no game {name!r} for behaviour trees; {nearest(name, [*GAMES, *known])}"
            )
    return importlib.import_module(GAMES.get(name, ANY_GAME))


def vocabulary_of(game: str) -> Vocabulary:
    """Returns the words for a game, their meanings by its parameters; see `module_of`."""
    module = module_of(game)
    return module.vocabulary(game) if hasattr(module, "vocabulary") else module.VOCABULARY


def words_of(game: str) -> Vocabulary:
    """Returns the words for a game to play with, whatever their meanings are there; see `module_of`."""
    module = module_of(game)
    return module.VOCABULARY if hasattr(module, "VOCABULARY") else module.vocabulary(game)


def unanswered_in(game: str) -> Mapping[str, str]:
    """Returns the words of a game that are not answered there, with reasons: their conditions never hold, their tasks fail."""
    module = module_of(game)
    return module.unanswered(game) if hasattr(module, "unanswered") else {}


def offered_in(game: str, leave_out: Iterable[str] = (), forms: Sequence[str] = ()) -> Vocabulary:
    """Returns the words that prompts offer: those of the game that are answered, without `leave_out`, and `forms` of the
    language (`vocabulary.FORMS`).

    Raises:
      ValueError: a form is unknown; see `module_of` and `Vocabulary.subset` too.
    """
    for form in forms:
        if form not in FORMS:
            raise ValueError(f"forms: {form!r} is no form of the language; {nearest(form, FORMS)}")
    return replace(vocabulary_of(game).subset({*leave_out, *unanswered_in(game)}), forms=tuple(forms))
