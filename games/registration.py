"""Declarations to OpenSpiel that several of the games written here make in the same way, and the name of a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pyspiel

_KIND = pyspiel.GameType


def name_of(game: str | pyspiel.Game) -> str:
    """Returns the one name of a game: its string as a user would write it, `ferry` and not `ferry(tiles=5,turns=2)`.

    Args:
      game: an OpenSpiel game, whose parameters are left out where they have their defaults; or a game's string,
        which loses no more than empty brackets.
    """
    text = str(game).strip()
    if not isinstance(game, str):
        given, defaults = game.get_parameters(), game.get_type().parameter_specification
        usual = {key for key, value in given.items() if key in defaults and value == defaults[key]}
        short_name, _, inner = text.removesuffix(")").partition("(")
        kept = [part for part in _parts(inner) if part.partition("=")[0] not in usual]
        text = f"{short_name}({','.join(kept)})"
    return re.sub(r"^(\w+)\s*\(\s*\)$", r"\1", text)


def _parts(parameters: str) -> list[str]:
    """The parameters of a game string, each as text; a comma within brackets parts nothing."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(parameters):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(parameters[start:place])
            start = place + 1
    return [*parts, parameters[start:]] if parameters else []


def register_once(game_type: pyspiel.GameType, make: Callable[..., pyspiel.Game]) -> None:
    """Registers a game with OpenSpiel unless its short name is registered already.

    OpenSpiel itself would overwrite a name that is registered again without a word.
    """
    if game_type.short_name not in pyspiel.registered_names():
        pyspiel.register_game(game_type, make)


def board_game_type(short_name: str, long_name: str, parameters: dict[str, Any]) -> pyspiel.GameType:
    """Returns the type of a board game: two players in turn, nothing hidden, no chance, one winner.

    Args:
      short_name: the game's name in OpenSpiel.
      long_name: the same for a reader.
      parameters: name and default of each of the game's parameters.
    """
    return _KIND(
        short_name=short_name,
        long_name=long_name,
        dynamics=_KIND.Dynamics.SEQUENTIAL,
        chance_mode=_KIND.ChanceMode.DETERMINISTIC,
        information=_KIND.Information.PERFECT_INFORMATION,
        utility=_KIND.Utility.ZERO_SUM,
        reward_model=_KIND.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def board_game_info(num_actions: int, max_length: int) -> pyspiel.GameInfo:
    """Returns OpenSpiel's description of a board game whose utilities are 1 (win), 0 (draw) and -1 (loss).

    Args:
      num_actions: the number of distinct actions.
      max_length: the most moves in one game.
    """
    return pyspiel.GameInfo(
        num_distinct_actions=num_actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=max_length,
    )


def returns_of(winner: int | None) -> list[float]:
    """Returns +1 for the winner of a game of two and -1 for the loser; zeros for None, a draw or no end yet."""
    if winner is None:
        return [0.0, 0.0]
    return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]
