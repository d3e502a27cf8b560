"""The documentation of a game in OpenSpiel's own source: its line in docs/games.md and the comments of its header."""

from __future__ import annotations

import re
from pathlib import Path

import pyspiel

GAMES_PAGE = "docs/games.md"
_LICENSE = re.compile(r"\A(//[^\n]*\n)+")
_DECLARED = re.compile(r"(?:k[A-Z]\w*)[^/]*$")


def documentation(checkout: Path, game: pyspiel.Game) -> str:
    """All that OpenSpiel says about a game in words.

    Args:
      checkout: a source tree of OpenSpiel.
      game: the game with its parameters.

    Returns:
      The line of docs/games.md, the comments of the game's header in order, and the registered type and parameters.

    Raises:
      ValueError: the tree has no header for the game.
    """
    short_name = game.get_type().short_name
    headers = sorted(checkout.glob(f"open_spiel/games/**/{short_name}.h"))
    if not headers:
        raise ValueError(
            f"{checkout}: has no header {short_name}.h below open_spiel/games, expected OpenSpiel's source tree; "
            f"clone it beside this one"
        )
    parts = [
        f"## The game's line in {GAMES_PAGE}",
        _line_of(checkout / GAMES_PAGE, game.get_type().long_name),
        "## The comments of its header",
        comments(headers[0].read_text(encoding="utf-8")),
        "## Its registered type and parameters",
        _facts(game),
    ]
    return "\n\n".join(part for part in parts if part)


def comments(header: str) -> str:
    """The comments of a C++ header, without its license; one behind a declared constant keeps the constant."""
    found = []
    for line in _LICENSE.sub("", header).split("\n"):
        before, slashes, comment = line.partition("//")
        if not slashes or "NOLINT" in comment or comment.strip().startswith(("namespace", "OPEN_SPIEL")):
            continue
        declared = _DECLARED.search(before.strip()) if before.strip() else None
        found.append((f"{declared.group(0).strip()} " if declared else "") + comment.strip())
    return "\n".join(found)


def _line_of(page: Path, long_name: str) -> str:
    """The row of the page's table whose game has this name; empty where none has."""
    wanted = _letters(long_name)
    for row in page.read_text(encoding="utf-8").split("\n"):
        cells = [cell.strip() for cell in row.split(" | ")]
        if len(cells) >= 6 and _letters(re.sub(r"\]\(.*", "", cells[1])) == wanted:
            return f"Players: {cells[2]}. {cells[5]}"
    return ""


def _letters(name: str) -> str:
    return re.sub(r"\W", "", re.sub(r"\(.*", "", name)).lower()


def _facts(game: pyspiel.Game) -> str:
    kind = game.get_type()
    facts = {
        "name": kind.long_name,
        "dynamics": kind.dynamics.name,
        "chance": kind.chance_mode.name,
        "information": kind.information.name,
        "utility": kind.utility.name,
        "rewards": kind.reward_model.name,
        "players": game.num_players(),
        "distinct actions": game.num_distinct_actions(),
        "smallest and largest return": f"{game.min_utility():g}, {game.max_utility():g}",
        "longest game": game.max_game_length(),
        **{f"parameter {name}": value for name, value in sorted(game.get_parameters().items())},
    }
    return "\n".join(f"{name}: {value}" for name, value in facts.items())
