"""The rules of a game as a player would read them, rendered for the game's parameters.

The texts are `rules/*.md`, one for each game, named like the game. They are Jinja2 templates over
the game's parameters and the `terms` of its view; `{{ view }}` stands for the meaning of the fields
of the view's data.
"""

from __future__ import annotations

from importlib import resources

import jinja2
import pyspiel

from games.seeing import views

_ENVIRONMENT = jinja2.Environment(
    undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
)


def games_with_rules() -> list[str]:
    """Returns the OpenSpiel short names of the games whose rules are written down here."""
    folder = resources.files("games").joinpath("rules")
    return sorted(f.name.removesuffix(".md") for f in folder.iterdir() if f.name.endswith(".md"))


def rules(game: str | pyspiel.Game) -> str:
    """Returns the rules of a game, the names of its actions, and what the view's data means.

    Args:
        game: an OpenSpiel game, or its string, such as `gen_chess(max_plies=60)`.

    Raises:
        ValueError: if there is no text for the game; the message names the games that have one.
    """
    short_name = game.split("(")[0] if isinstance(game, str) else game.get_type().short_name
    known = games_with_rules()
    if short_name not in known:
        raise ValueError(
            f"rules: there must be a text rules/{short_name}.md, got none; there are texts for "
            f"{', '.join(known)}."
        )
    if isinstance(game, str):
        game = pyspiel.load_game(game)
    text = resources.files("games").joinpath("rules", f"{short_name}.md").read_text("utf-8")
    return _ENVIRONMENT.from_string(text).render(
        {**game.get_parameters(), **views.view_of(game).terms(game)}, view=views.describe(game)
    )
