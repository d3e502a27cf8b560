"""Writes the skeleton of a package that brings a game of one's own.

    spielwright new-game nim21
    spielwright new-game ambush --hidden
    python -m games.packages.new_game --name=ambush --hidden --output_dir=~/games

The package, in a folder NAME_game, is a small whole game: its OpenSpiel game, rules, view and board, the entry point by
which they are found once it is installed, and a test that passes. With --hidden it is a game with hidden information,
made by `games.hidden.hidden_information.register`. The guide is docs/your_own_game.md.
"""

from __future__ import annotations

import keyword
import os
import re
import sys
from importlib import resources

import pyspiel

from arena.registry.games import import_games
from runs import cli, flags

_FLAGS = flags.FLAGS
FILES = {
    "pyproject.toml": "pyproject.toml",
    "{package}/__init__.py": "init.py.txt",
    "{package}/game.py": "{kind}_game.py.txt",
    "{package}/registration.py": "{kind}_registration.py.txt",
    "{package}/rules.md": "{kind}_rules.md",
    "tests/test_{name}.py": "{kind}_test.py.txt",
}
"""File of the package -> its template."""
NEXT = """{folder} holds the game {name}. Next:

  pip install --editable {folder}
  python -m pytest {folder}/tests
  spielwright play --game={name} --bots=human,random
  spielwright games check --game={name}

{folder}/{package}/game.py is the place to begin with a game of your own; docs/your_own_game.md goes on from here."""


def write(name: str, folder: str, *, hidden: bool = False) -> list[str]:
    """Writes the package.

    Args:
      name: the game's short name in OpenSpiel.
      folder: the package's folder, which must not be there, or be empty.
      hidden: whether the game hides information.

    Returns:
      The files written, in the order of `FILES`.

    Raises:
      ValueError: the name is none, or is taken; or the folder is not free.
    """
    _check_name(name)
    if os.path.exists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise ValueError(f"{folder}: is there already and not empty, expected a new folder; choose another")
    places = {"name": name, "package": f"{name}_game", "kind": "hidden" if hidden else "open"}
    words = {
        "my_package": places["package"],
        "my-package": places["package"].replace("_", "-"),
        "my_game": name,
        "MyGame": "".join(word.capitalize() for word in name.split("_")),
        "My game": name.replace("_", " ").capitalize(),
    }
    templates = resources.files("games.packages").joinpath("templates")
    written = []
    for place, template in FILES.items():
        text = templates.joinpath(template.format(**places)).read_text("utf-8")
        for placeholder, word in words.items():
            text = text.replace(placeholder, word)
        path = os.path.join(folder, *place.format(**places).split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        cli.write_text(path, text)
        written.append(path)
    return written


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(
            f"new-game: expected a name of lower-case letters, digits and underscores that begins with a letter, such "
            f"as nim21, found {name!r}"
        )
    import_games()
    if name in pyspiel.registered_names():
        raise ValueError(f"new-game: the game {name!r} is there already, expected a new name; choose another")


def _define_flags() -> None:
    flags.DEFINE_string("name", None, "Short name of the game, such as nim21; may stand alone as well.")
    flags.DEFINE_bool("hidden", False, "Whether the game hides information from its players.")
    flags.DEFINE_string("output_dir", ".", "Folder in which the package's folder is made.")


def main(words: list[str]) -> None:
    """The command; see the module's docstring."""
    names = [*words, *([_FLAGS.name] if _FLAGS.name else [])]
    if len(names) != 1:
        raise ValueError(
            f"new-game: expected one name of a game, as in spielwright new-game nim21, found {len(names)}"
        )
    folder = os.path.join(os.path.expanduser(_FLAGS.output_dir), f"{names[0]}_game")
    for path in write(names[0], folder, hidden=_FLAGS.hidden):
        print(path, file=sys.stderr)
    print(NEXT.format(folder=os.path.normpath(folder), name=names[0], package=f"{names[0]}_game"))


if __name__ == "__main__":
    _define_flags()
    cli.run(main, files=True)
