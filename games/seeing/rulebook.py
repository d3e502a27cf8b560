"""The rules of a game as a player would read them, rendered for the game's parameters.

The texts are one for each game, named like the game: `rules/*.md` for the games written here, and
`openspiel_views/rules/*.md` for OpenSpiel's own. They are Jinja2 templates over the game's parameters and the
`terms` of its view; `{{ view }}` stands for the meaning of the fields of the view's data. A package that brings a
game brings its text by `register_rules`.

`openspiel_views/rules/documented/*.md` holds further texts of OpenSpiel's games, each for one game string, which is the
file's name. A language model wrote them from OpenSpiel's documentation alone (`python -m benchmarks.games.openspiel_rules`),
nobody has corrected them, and they do not tell what the view shows.
"""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

import jinja2
import pyspiel
from jinja2 import meta

from games.seeing import views

_ENVIRONMENT = jinja2.Environment(
    undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
)


_REGISTERED: dict[str, str] = {}


def register_rules(short_name: str, text: str) -> None:
    """Makes `text` the rules of the game with this OpenSpiel short name.

    Args:
      short_name: the game's name in OpenSpiel.
      text: the rules in plain words, a template as the ones that ship (see the module's docstring).

    Raises:
      ValueError: if the text is empty or no template, or the game has another text already.
    """
    if not text.strip():
        raise ValueError(
            f"register_rules: the text for {short_name!r} is empty, expected rules in plain words."
        )
    try:
        _ENVIRONMENT.from_string(text)
    except jinja2.TemplateSyntaxError as error:
        raise ValueError(
            f"register_rules: the text for {short_name!r} is no Jinja2 template ({error.message} in line "
            f"{error.lineno}); write a brace that is meant as one as {{{{ '{{' }}}}."
        ) from error
    if short_name in _files() or _REGISTERED.get(short_name, text) != text:
        raise ValueError(f"register_rules: {short_name!r} has rules already: register each game once.")
    _REGISTERED[short_name] = text


def text_in(path: str, where: str, alternative: str = "") -> str:
    """Returns the text of a file of rules.

    Args:
      path: the file.
      where: the flag or parameter that names it, for errors.
      alternative: the end of a sentence that says what else there is, such as ", or --rules=none".

    Raises:
      ValueError: it cannot be read, is empty, or is no text in UTF-8.
    """
    expected = "expected the rules in plain words"
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise ValueError(
            f"{where}: {path} cannot be read as a text file ({error.strerror}); {expected}{alternative}"
        ) from error
    if b"\0" in content:
        raise ValueError(f"{where}: {path} holds bytes that no text holds; {expected}, as a text file in UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{where}: {path} is not in UTF-8 (line {line} holds the byte 0x{content[error.start]:02x}); save it "
            f"in UTF-8, as by iconv -f latin1 -t utf-8"
        ) from error
    if not text.strip():
        raise ValueError(f"{where}: {path} is empty; {expected}{alternative}")
    return text.replace("\r\n", "\n")


def _files() -> dict[str, Traversable]:
    """Returns the file of each text that ships by the short name of its game."""
    folders = [resources.files(package).joinpath("rules") for package in ("games", "games.openspiel_views")]
    files = [file for folder in folders for file in folder.iterdir() if file.name.endswith(".md")]
    return {file.name.removesuffix(".md"): file for file in files}


def documented_rules() -> dict[str, str]:
    """Returns the texts that were written from OpenSpiel's documentation alone, by the game string."""
    folder = resources.files("games.openspiel_views").joinpath("rules", "documented")
    return {
        file.name.removesuffix(".md"): file.read_text("utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".md")
    }


def _texts() -> dict[str, str]:
    """Returns each text, still a template, by the short name of its game."""
    return {**{name: file.read_text("utf-8") for name, file in _files().items()}, **_REGISTERED}


def games_with_rules() -> list[str]:
    """Returns the OpenSpiel short names of the games whose rules are written down here or by their packages."""
    return sorted({*_files(), *_REGISTERED})


def explains_view(short_name: str) -> bool:
    """Returns whether a game has rules that say what the fields of its view mean: those that ship, and those of a
    package where `{{ view }}` stands in them."""
    if short_name in _REGISTERED:
        return "view" in meta.find_undeclared_variables(_ENVIRONMENT.parse(_REGISTERED[short_name]))
    return short_name in _files()


def rules(game: str | pyspiel.Game) -> str:
    """Returns the rules of a game, the names of its actions, and the meaning of the view's data.

    Args:
      game: an OpenSpiel game, or its string, such as `gen_chess(max_plies=60)`.

    Raises:
      ValueError: if there is no text for the game; the message names the games that have one. Or if a text needs
        what is neither a parameter of the game nor a term of its view.
    """
    short_name = game.split("(")[0] if isinstance(game, str) else game.get_type().short_name
    texts = _texts()
    if short_name not in texts:
        documented = documented_rules()
        named = str(pyspiel.load_game(game) if isinstance(game, str) else game).removesuffix("()")
        if named in documented:
            return documented[named]
        raise ValueError(
            f"rules: there must be a text rules/{short_name}.md, got none; there are texts for "
            f"{', '.join(sorted({*texts, *documented}))}."
        )
    if isinstance(game, str):
        game = pyspiel.load_game(game)
    terms = {**game.get_parameters(), **views.view_of(game).terms(game)}
    try:
        return _ENVIRONMENT.from_string(texts[short_name]).render(terms, view=views.describe(game))
    except jinja2.UndefinedError as error:
        known = ", ".join(sorted({*terms, "view"} - {"name"}))
        raise ValueError(
            f"rules: the text for {short_name!r} cannot be filled in ({error}); expected names out of {known}, as its "
            f"game's parameters and its view's terms."
        ) from error
