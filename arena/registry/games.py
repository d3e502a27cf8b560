"""Loads games by string, with errors of one sentence."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Iterator

import pyspiel

from arena.registry import plugins
from runs.suggestions import nearest

GAME_PROVIDERS = ("open_spiel.python.games", "games", "cwm.play.game")
"""Modules that register Python games when they are imported; imported on first use."""


@contextlib.contextmanager
def silenced_stderr() -> Iterator[None]:
    """Keeps everything from file descriptor 2 while the context lasts."""
    # OpenSpiel writes its own report of each error to file descriptor 2 before it raises.
    sys.stderr.flush()
    saved = os.dup(2)
    with open(os.devnull, "wb") as devnull:
        os.dup2(devnull.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


_plugin_games: dict[str, plugins.Origin] = {}


@plugins.guard
@contextlib.contextmanager
def _games_of_plugin(origin: plugins.Origin, registered: set[tuple[str, str]]) -> Iterator[None]:
    # OpenSpiel lets a second registration of a name overwrite the first one without a word.
    register = pyspiel.register_game

    def register_new(game_type: pyspiel.GameType, maker: Callable[..., pyspiel.Game]) -> None:
        name = game_type.short_name
        if name in pyspiel.registered_names():
            raise ValueError(
                f"game name {name!r} is already registered by "
                f"{_plugin_games.get(name, 'OpenSpiel or spielwright')}; choose another"
            )
        register(game_type, maker)
        registered.add((plugins.GAMES, name))
        _plugin_games[name] = origin

    pyspiel.register_game = register_new
    try:
        yield
    finally:
        pyspiel.register_game = register


def import_games() -> None:
    """Registers all games: OpenSpiel's in Python, this suite's, and those of plug-ins."""
    for module in GAME_PROVIDERS:
        importlib.import_module(module)
    plugins.load(plugins.GAMES)


def plugin_of_game(short_name: str) -> plugins.Origin | None:
    """The plug-in that a registered game came with; None for a game of OpenSpiel or of this suite."""
    return _plugin_games.get(short_name)


def load_game(game_string: str) -> pyspiel.Game:
    """The game that an OpenSpiel game string names, e.g. `connect_four(rows=5)`.

    Raises:
      ValueError: no game has this name, or no such parameter (the sentence holds the nearest ones);
        a value is refused; or the game's first state cannot be cloned and asked for its actions.
    """
    import_games()
    name = game_string.partition("(")[0].strip()
    reason = plugins.left_behind(plugins.GAMES, name)
    if reason:
        raise ValueError(f"game {reason}")
    act = "loaded"
    try:
        with silenced_stderr():
            game = pyspiel.load_game(game_string)
            act = "played"
            _first_actions(game)
    except Exception as error:  # games refuse parameters in C++ and in Python, each in its own way
        raise ValueError(_explained(error, game_string, name, act)) from error
    return game


def _explained(error: Exception, game_string: str, name: str, act: str) -> str:
    """One sentence for a game that cannot be loaded, or played."""
    types = {known.short_name: known for known in pyspiel.registered_games()}
    reason = plugins.why_missing(plugins.GAMES, name)
    if name not in types and reason:
        return f"game {reason}"
    if name not in types:
        return f"unknown game {name!r}; {nearest(name, sorted(types))}{plugins.suspects()}"
    declared = types[name].parameter_specification
    with contextlib.suppress(pyspiel.SpielError), silenced_stderr():
        for key in pyspiel.game_parameters_from_string(game_string):
            if key != "name" and key not in declared:
                return f"game {name!r} has no parameter {key!r}; {nearest(key, declared)}"
    hint = ""
    if "(" not in game_string and not types[name].default_loadable and not isinstance(error, ImportError):
        hint = "; it needs parameters, see python -m arena.list games"
    line = str(error).strip().partition("\n")[0]
    if not line or not isinstance(error, (pyspiel.SpielError, ValueError, OSError, ImportError)):
        line = f"{type(error).__name__}: {line}"
    return f"game {game_string!r} cannot be {act}: {line}{hint}"


def _first_actions(game: pyspiel.Game) -> None:
    """Asks a clone for its first actions, to which some games answer with whatever exception."""
    state = game.new_initial_state().clone()
    if state.is_simultaneous_node():
        state.legal_actions(0)
    elif not state.is_chance_node():
        state.legal_actions()
    elif game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC:
        state.chance_outcomes()


def is_cpp_game(game: pyspiel.Game) -> bool:
    """Whether no Python code takes part in the game, neither itself nor as a game inside it."""
    if type(game).__module__.partition(".")[0] != "pyspiel":
        return False
    inner = [value for value in game.get_parameters().values() if isinstance(value, dict) and "name" in value]
    return all(is_cpp_game(pyspiel.load_game(value.pop("name"), value)) for value in inner)


def is_constant_sum(game: pyspiel.Game) -> bool:
    """Whether the returns of a game always have the same sum, by its GameType."""
    return game.get_type().utility in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM)
