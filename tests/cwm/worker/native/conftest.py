"""The hand-written models of `tests/cwm/models`, each in Python here and in C in a sealed worker."""

from __future__ import annotations

import functools
import importlib.util
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cwm.worker.native import compiling
from cwm.worker.simulator import Simulator

MODELS = Path(__file__).parents[2] / "models"
CHANCE, TERMINAL = -1, -4


def source_of(name: str, suffix: str = "c") -> str:
    return (MODELS / f"{name}.{suffix}").read_text(encoding="utf-8")


class Twins:
    """One model in both languages.

    Attributes:
      python: the module in Python.
      native: a `Simulator` whose searches run in C, made when it is first asked for.
    """

    def __init__(self, name: str):
        self.name = name
        self.python = _load(name)

    @functools.cached_property
    def native(self) -> Simulator:
        return Simulator(source_of(self.name, "py"), native_source=source_of(self.name), interpreter="native")

    def close(self) -> None:
        if "native" in vars(self):
            self.native.close()

    def position(self, seed: int, actions: int) -> tuple[Any, list[str]] | None:
        """A state in Python, and the names that lead to it, at the first decision after so many random actions;
        None where the game ends before."""
        rng, state, names = random.Random(seed), self.python.initial_state(), []
        while True:
            player = self.python.current_player(state)
            if player == TERMINAL:
                return None
            if player >= 0 and len(names) >= actions:
                return state, names
            if player == CHANCE:
                possible = [outcome for outcome, _ in self.python.chance_outcomes(state)]
            else:
                possible = list(self.python.legal_actions(state))
            action = possible[rng.randrange(len(possible))]
            names.append(self.python.action_name(state, action))
            state = self.python.apply_action(state, action)


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"twin_{name}", MODELS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def twins():
    """`twins(name)` gives the `Twins` of a model, made once."""
    if compiling.missing() is not None:
        pytest.skip(str(compiling.missing()))
    made: dict[str, Twins] = {}

    def twins_of(name: str) -> Twins:
        if name not in made:
            made[name] = Twins(name)
        return made[name]

    yield twins_of
    for pair in made.values():
        pair.close()
