"""The text of the rules of a synthesis: a file, the text that ships or a plug-in brings, or that there are none.

The prompts of the games whose rules ship are the ones that were recorded: nothing is added to these, nor to a text
of a plug-in that says itself what players see, by `{{ view }}`. To rules of any other game the meaning of its
observations is added, as far as it is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyspiel

from arena.registry.games import plugin_of_game
from cwm.writing import prompting
from games import rules as shipped_rules
from games.registration import name_of
from games.seeing import field_descriptions, rulebook, views

NONE = "none"
"""Value of --rules: there are no rules, and the game is learnt from play alone."""


def read_rules(path: str) -> str:
    """The text of a file of rules, as --rules names it; a sentence that there are none for `none`.

    Raises:
      ValueError: it cannot be read, is empty, or is no text in UTF-8.
    """
    if path == NONE:
        return prompting.no_rules()
    return rulebook.text_in(path, "--rules", ", or --rules=none to learn from play alone")


def rules_of(game: pyspiel.Game | None, path: str | None) -> str:
    """The rules in a file, or those that ship for a game or come with its package.

    Args:
      game: the game; None for a user's own.
      path: the value of --rules; None for the rules that ship, which needs a game.

    Raises:
      ValueError: the file is no text, or no rules ship.
    """
    if path is not None:
        return read_rules(path)
    try:
        return shipped_rules(game)
    except ValueError as error:
        if game is not None and game.get_type().short_name in rulebook.games_with_rules():
            raise
        raise ValueError(
            f"no text of the rules of {name_of(game)} ships; expected --rules=FILE with the rules in plain words, or "
            f"--rules=none to learn from play alone ({error})"
        ) from error


def origin(game: pyspiel.Game | None, path: str | None, rules: str) -> str:
    """The origin of the rules, for a table."""
    if path == NONE:
        return "none: the game is learnt from play alone"
    size = f"{len(rules):,} characters"
    if path:
        return f"{path}, {size}"
    short_name = game.get_type().short_name
    package = plugin_of_game(short_name)
    return f"the text {f'of {package}' if package else 'that ships'} for {short_name}, {size}"


def is_explained(game: pyspiel.Game, path: str | None) -> bool:
    """Whether the rules say already what the players observe: those that ship do, or what stands in their place, and
    a plug-in's with `{{ view }}`."""
    return path != NONE and rulebook.explains_view(game.get_type().short_name)


def with_observations(
    rules: str, game: pyspiel.Game | None, path: str | None, observations: Sequence[Any]
) -> str:
    """The rules, and after them the meaning of what players observe where it is not in them already.

    It is in the rules that ship, and a user's own game is told by the user alone, unless there are no rules.

    Args:
      rules: the rules as text.
      game: the game; None for a user's own.
      path: the value of --rules.
      observations: observations of recorded games that the language model may know of; may be empty.
    """
    if game is None:
        if path != NONE:
            return rules
        return prompting.with_observations(rules, "", field_descriptions.described(observations))
    if is_explained(game, path):
        return rules
    generic = type(views.view_of(game)) is views.GameView
    fields = field_descriptions.described(observations) if generic and observations else ""
    return prompting.with_observations(rules, views.describe(game), fields)
