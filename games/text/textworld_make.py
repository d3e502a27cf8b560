"""Makes one TextWorld game; a program of its own, which imports nothing of the suite.

    PYTHONHASHSEED=0 python textworld_make.py KIND LEVEL SEED FOLDER

The command leaves `game.z8` and `game.json` in FOLDER. It runs apart because the games of TextWorld depend on
the order of sets.
"""

from __future__ import annotations

import os
import sys
from typing import Any

LEVELS = {"simple": 3, "coin_collector": 300, "treasure_hunter": 30, "cooking": 5}
"""The kinds of games, and the number of levels of each, counted from 1."""

_COOKING = (
    {"recipe": 1, "take": 1, "go": 1},
    {"recipe": 1, "take": 1, "go": 6, "open": True},
    {"recipe": 2, "take": 2, "go": 6, "open": True, "cook": True},
    {"recipe": 3, "take": 3, "go": 9, "open": True, "cook": True, "cut": True},
    {"recipe": 3, "take": 3, "go": 12, "open": True, "cook": True, "cut": True, "drop": True},
)


def settings(kind: str, level: int) -> dict[str, Any]:
    """Returns the parameters that TextWorld's own command `tw-make tw-KIND` takes, for a level."""
    if kind == "simple":
        return {"rewards": ("dense", "balanced", "sparse")[level - 1], "goal": "brief", "test": False}
    if kind == "cooking":
        return {
            "recipe": 1,
            "take": 0,
            "go": 1,
            "open": False,
            "cook": False,
            "cut": False,
            "drop": False,
            "split": None,
            **_COOKING[level - 1],
        }
    return {"level": level}


def main(kind: str, level: int, seed: int, folder: str) -> None:
    """Makes the game."""
    import textworld
    import textworld.challenges
    from textworld.generator import compile_game

    options = textworld.GameOptions()
    options.seeds = seed
    options.path = os.path.join(os.path.abspath(folder), "game")
    options.file_ext = ".z8"
    _, make, _ = textworld.challenges.CHALLENGES[f"tw-{kind}"]
    compile_game(make({**settings(kind, level), "recipe_seed": seed}, options), options)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
