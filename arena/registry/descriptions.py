"""Games and bots as data for listings and forms: names, parameters, sources, properties."""

from __future__ import annotations

import contextlib
import sys

import pyspiel

import spielwright_packages
from arena.registry import plugins
from arena.registry.bots import BotEntry, Parameter, bots
from arena.registry.games import import_games, plugin_of_game, silenced_stderr


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
