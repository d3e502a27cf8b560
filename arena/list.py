"""Lists games, bots and world models with parameters and source, or which bot plays which game.

    python -m arena.list [bots|games|models] [--grep=poker] [--json=list.json]
    python -m arena.list matrix [--games="kuhn_poker,matrix_rps"] [--bots="mcts,cfr"]

The matrix makes each bot for each game and shows yes, or no with the reason in one sentence.

Bots and games of other distributions are found through entry points, see `arena.registry.plugins`.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import pyspiel

import spielwright_packages
from arena.registry import listings, plugins
from arena.registry import matrix as bots_and_games
from arena.registry.bots import BotEntry, Parameter, bots
from arena.registry.games import import_games, plugin_of_game, silenced_stderr
from arena.registry.specs import format_value, split_specs
from runs import cli, flags

_FLAGS = flags.FLAGS
_WIDTH = 100
"""Columns of the table."""

_NO_BREAK = "\N{NO-BREAK SPACE}"


def _origin(module: str) -> str:
    """The origin of a Python module that came with no plug-in: a project's name, or the module's."""
    package = module.partition(".")[0]
    if package == "open_spiel":
        return "OpenSpiel Python"
    return "spielwright" if package in spielwright_packages.PACKAGES else module


def _plugin_as_json(origin: plugins.Origin | None) -> dict[str, str] | None:
    if origin is None:
        return None
    return {"distribution": origin.distribution, "version": origin.version, "module": origin.module}


def _bot_parameter(name: str, parameter: Parameter) -> dict[str, object]:
    described = {
        "name": name,
        "type": parameter.type.__name__,
        "optional": parameter.optional,
        "required": parameter.required,
    }
    return described if parameter.required else {**described, "default": parameter.default}


def describe_bot(entry: BotEntry) -> dict[str, object]:
    """JSON-able: `name`; `summary`; `source`, the program's origin; `plugin`, the distribution, its
    version and module, or null; `parameters`, each with `name`, `type`, `optional` (may be none),
    `required`, and `default` unless required."""
    return {
        "name": entry.name,
        "summary": entry.summary,
        "source": str(entry.origin or entry.source or _origin(entry.factory.__module__)),
        "plugin": _plugin_as_json(entry.origin),
        "parameters": [_bot_parameter(name, p) for name, p in entry.parameters.items()],
    }


def _module_of_game(game_type: pyspiel.GameType) -> str | None:
    """The Python module that a game is written in; None for a game in C++.

    OpenSpiel does not tell before the game is loaded. One that cannot be loaded without parameters is
    looked for: a module that defines a class of games keeps their GameType in a global.
    """
    if game_type.default_loadable:
        with contextlib.suppress(Exception), silenced_stderr():
            module = type(pyspiel.load_game(game_type.short_name)).__module__
            return None if module.partition(".")[0] == "pyspiel" else module
    for name, module in list(sys.modules.items()):
        values = list(getattr(module, "__dict__", {}).values())
        if any(
            isinstance(value, pyspiel.GameType) and value.short_name == game_type.short_name for value in values
        ) and any(
            isinstance(value, type) and issubclass(value, pyspiel.Game) and value.__module__ == name
            for value in values
        ):
            return name
    return None


def _game_parameter(name: str, default: object) -> dict[str, object]:
    if isinstance(default, dict):  # a game inside the game, without a default
        return {"name": name, "type": "game", "required": True}
    return {"name": name, "type": type(default).__name__, "required": False, "default": default}


def describe_game(game_type: pyspiel.GameType) -> dict[str, object]:
    """JSON-able: `name`; `title`; `players` [least, most]; `dynamics`, `chance`, `information` and
    `utility` in OpenSpiel's terms, in lower case; `default_loadable`, whether it can do without
    parameters; `source` and `plugin` as in `describe_bot`; `parameters`, each with `name`, `type`,
    `required`, and `default` unless required."""

    def word(value: object) -> str:
        return value.name.lower()

    origin = plugin_of_game(game_type.short_name)
    module = None if origin else _module_of_game(game_type)
    return {
        "name": game_type.short_name,
        "title": game_type.long_name,
        "players": [game_type.min_num_players, game_type.max_num_players],
        "dynamics": word(game_type.dynamics),
        "chance": word(game_type.chance_mode),
        "information": word(game_type.information),
        "utility": word(game_type.utility),
        "default_loadable": game_type.default_loadable,
        "source": str(origin) if origin else _origin(module) if module else "OpenSpiel C++",
        "plugin": _plugin_as_json(origin),
        "parameters": [_game_parameter(*item) for item in sorted(game_type.parameter_specification.items())],
    }


def all_bots() -> list[dict[str, object]]:
    """Every bot, in alphabetical order; see `describe_bot`."""
    return [describe_bot(entry) for entry in bots().values()]


def all_games() -> list[dict[str, object]]:
    """Every game, in alphabetical order; see `describe_game`."""
    import_games()
    types = sorted(pyspiel.registered_games(), key=lambda game_type: game_type.short_name)
    return [
        describe_game(game_type)
        for game_type in types
        if not plugins.left_behind(plugins.GAMES, game_type.short_name)
    ]


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
