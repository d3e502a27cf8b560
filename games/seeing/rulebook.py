"""The rules of a game as a player would read them, rendered for the game's parameters.

The texts are one for each game, named like the game: `rules/*.md` for the games written here, and
`openspiel_views/rules/*.md` for OpenSpiel's own. They are Jinja2 templates over the game's parameters and the
`terms` of its view; `{{ view }}` stands for the meaning of the fields of the view's data.
"""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

import jinja2
import pyspiel

from games.seeing import views

_ENVIRONMENT = jinja2.Environment(
    undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
)


def _texts() -> dict[str, Traversable]:
    """Returns the file of each text by the short name of its game."""
    folders = [resources.files(package).joinpath("rules") for package in ("games", "games.openspiel_views")]
    files = [file for folder in folders for file in folder.iterdir() if file.name.endswith(".md")]
    return {file.name.removesuffix(".md"): file for file in files}


def games_with_rules() -> list[str]:
    """Returns the OpenSpiel short names of the games whose rules are written down here."""
    return sorted(_texts())


def rules(game: str | pyspiel.Game) -> str:
    """Returns the rules of a game, the names of its actions, and the meaning of the view's data.

    Args:
      game: an OpenSpiel game, or its string, such as `gen_chess(max_plies=60)`.

    Raises:
      ValueError: if there is no text for the game; the message names the games that have one.
    """
    short_name = game.split("(")[0] if isinstance(game, str) else game.get_type().short_name
    texts = _texts()
    if short_name not in texts:
        raise ValueError(
            f"rules: there must be a text rules/{short_name}.md, got none; there are texts for "
            f"{', '.join(sorted(texts))}."
        )
    if isinstance(game, str):
        game = pyspiel.load_game(game)
    return _ENVIRONMENT.from_string(texts[short_name].read_text("utf-8")).render(
        {**game.get_parameters(), **views.view_of(game).terms(game)}, view=views.describe(game)
    )
