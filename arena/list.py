"""Lists games, bots and world models with parameters and source, or which bot plays which game.

    python -m arena.list [bots|games|models] [--grep=poker] [--json=list.json]
    python -m arena.list matrix [--games="kuhn_poker,matrix_rps"] [--bots="mcts,cfr"]

The matrix makes each bot for each game and shows yes, or no with the reason in one sentence.

Bots and games of other distributions are found through entry points, see `arena.registry.plugins`.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from arena.registry import listings, plugins
from arena.registry import matrix as bots_and_games
from arena.registry.descriptions import all_bots, all_games
from arena.registry.specs import format_value, split_specs
from runs import cli, flags

_FLAGS = flags.FLAGS
_WIDTH = 100
"""Columns of the table."""

_NO_BREAK = "\N{NO-BREAK SPACE}"


def _below(described: Mapping[str, object]) -> str:
    """The text under a name: the origin and the parameters."""
    parameters = (
        f"{p['name']}: {p['type']}{' or none' if p.get('optional') else ''}"
        + (" (required)" if p["required"] else f" = {format_value(p['default'])}")
        for p in described["parameters"]
    )
    kept_together = (parameter.replace(" ", _NO_BREAK) for parameter in parameters)
    return f"{described['source']}; " + (", ".join(kept_together) or "no parameters")


def _wrapped(text: str, indent: int) -> list[str]:
    lines = textwrap.wrap(
        text, _WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent, break_on_hyphens=False
    )
    return [line.replace(_NO_BREAK, " ") for line in lines]


def bots_text(described: Sequence[Mapping[str, object]]) -> str:
    """Bots as text of at most 100 columns: name, summary, source, parameters."""
    lines = [f"{len(described)} {'bot' if len(described) == 1 else 'bots'}"]
    for bot in described:
        lines += [str(bot["name"]), *_wrapped(str(bot["summary"]), 4), *_wrapped(_below(bot), 8)]
    return "\n".join(lines)


def models_text(described: Sequence[Mapping[str, object]]) -> str:
    """World models as text of at most 100 columns: name and summary."""
    lines = [f"{len(described)} world {'model' if len(described) == 1 else 'models'}"]
    for model in described:
        lines += [str(model["name"]), *_wrapped(str(model["summary"]), 4)]
    return "\n".join(lines)


_GAME_COLUMNS = (
    ("game", 34),
    ("players", 8),
    ("dynamics", 14),
    ("chance", 10),
    ("information", 12),
    ("utility", 12),
)
_SHORT = {
    "deterministic": "none",
    "explicit_stochastic": "explicit",
    "sampled_stochastic": "sampled",
    "perfect_information": "perfect",
    "imperfect_information": "imperfect",
}


def games_text(described: Sequence[Mapping[str, object]]) -> str:
    """Games as text of at most 100 columns: their properties in columns; source and parameters below."""
    lines = [
        f"{len(described)} {'game' if len(described) == 1 else 'games'}",
        "".join(name.ljust(width) for name, width in _GAME_COLUMNS),
    ]
    for game in described:
        least, most = game["players"]
        words = [
            _SHORT.get(game[trait], str(game[trait])).replace("_", " ")
            for trait in ("dynamics", "chance", "information", "utility")
        ]
        cells = [game["name"], str(least) if least == most else f"{least}-{most}", *words]
        name_width = _GAME_COLUMNS[0][1]
        if len(cells[0]) >= name_width:  # a long name has a line of its own
            lines.append(cells[0])
            cells[0] = ""
        lines.append("".join(cell.ljust(width) for cell, (_, width) in zip(cells, _GAME_COLUMNS, strict=True)))
        lines += _wrapped(_below(game), 4)
    return "\n".join(line.rstrip() for line in lines)


def _matching(
    described: Sequence[Mapping[str, object]], pattern: re.Pattern[str] | None
) -> list[Mapping[str, object]]:
    return [
        item
        for item in described
        if pattern is None
        or any(pattern.search(str(item.get(key, ""))) for key in ("name", "title", "summary", "source"))
    ]


def _pattern(text: str | None) -> re.Pattern[str] | None:
    try:
        return None if text is None else re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"--grep: expected a regular expression, found {text!r} ({error})") from error


def _define_flags() -> None:
    flags.DEFINE_string(
        "grep",
        None,
        "Regular expression that the name, title, summary or source has "
        "to match; upper and lower case are one.",
    )
    flags.DEFINE_string("games", None, "Games of the matrix, separated by commas; by default one of each kind.")
    flags.DEFINE_string("bots", None, "Bots of the matrix, separated by commas; by default all.")
    flags.json("the list")


def main(kind: str | None) -> None:
    """The command; see the module's docstring."""
    pattern = _pattern(_FLAGS.grep)
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    for flag in ("games", "bots"):
        if _FLAGS[flag].value is not None and kind != "matrix":
            raise ValueError(f"--{flag} is for the matrix; write python -m arena.list matrix --{flag}=...")
    if kind == "matrix":
        _print_matrix(pattern, output)
        return
    sources = {"bots": all_bots, "games": all_games, "models": lambda: listings.listed("models")}
    listed = {name: _matching(items(), pattern) for name, items in sources.items() if kind in (name, None)}
    if output is not None:
        listed_with_failures = {**listed, "left_out": [str(plugin) for plugin in plugins.broken()]}
        cli.write_text(output, json.dumps(listed_with_failures, indent=2, allow_nan=False) + "\n")
    texts = {"bots": bots_text, "games": games_text, "models": models_text}
    print("\n\n".join(texts[key](value) for key, value in listed.items()))


def _print_matrix(pattern: re.Pattern[str] | None, output: Path | None) -> None:
    chosen = bots_and_games.specs() if _FLAGS.bots is None else split_specs(_FLAGS.bots)
    chosen = [spec for spec in chosen if pattern is None or pattern.search(spec)]
    cells = bots_and_games.matrix(
        chosen, bots_and_games.GAMES if _FLAGS.games is None else split_specs(_FLAGS.games)
    )
    if output is not None:
        cli.write_text(output, json.dumps({"matrix": list(map(asdict, cells))}, indent=2) + "\n")
    print(bots_and_games.matrix_text(cells))


if __name__ == "__main__":
    _define_flags()
    cli.run(main, words=("bots", "games", "models", "matrix"))
