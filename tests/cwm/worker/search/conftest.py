"""Loads the hand-written world models of `tests/cwm/models` and their OpenSpiel counterparts."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pyspiel
import pytest

MODELS = Path(__file__).parents[2] / "models"

GROUND_TRUTH = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "pig": "pig(players=3,winscore=20,horizon=40)",
}


class Pair:
    """The same position in a world model and in OpenSpiel, reached by the same actions."""

    def __init__(self, name: str, actions: tuple[int, ...] = ()):
        self.model = load_model(name)
        self.game = pyspiel.load_game(GROUND_TRUTH[name])
        self.state = self.model.initial_state()
        self.truth = self.game.new_initial_state()
        for action in actions:
            self.apply(action)

    def apply(self, action: int) -> None:
        self.state = self.model.apply_action(self.state, action)
        self.truth.apply_action(action)


def load_model(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"model_{name}", MODELS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def pair() -> Any:
    """`pair(name, actions)` gives a `Pair`."""
    return Pair


@pytest.fixture
def model() -> Any:
    """`model(name)` gives a freshly loaded model module."""
    return load_model
