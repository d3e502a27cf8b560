"""Transitions a second of many games at once: `cwm.play.vector_env` on a model in C beside OpenSpiel's
`SyncVectorEnv` on the ground truth."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.rl_environment import TimeStep
from open_spiel.python.vector_env import SyncVectorEnv

from arena.registry.games import load_game
from benchmarks.support.contestants import Search, interleaved
from cwm.play.vector_env import VectorEnv
from runs.tables import text_table

GAMES = ("connect_four", "leduc_poker")
AT_ONCE = (1, 100, 1_000)
"""Numbers of games side by side."""
_STEPS = {1: 200, 100: 10, 1_000: 2}
"""Steps of all games between two looks at the clock."""


def _chosen(step: TimeStep, rng: np.random.Generator) -> SimpleNamespace:
    legal = step.observations["legal_actions"][step.current_player()]
    return SimpleNamespace(action=legal[int(rng.random() * len(legal))])


def _by_time_steps(env: SyncVectorEnv | VectorEnv) -> Search:
    """Returns a search that plays as many steps of uniformly random actions in each game as it is given, choosing
    the actions included."""
    steps = env.reset()

    def play(count: int, seed: int) -> int:
        nonlocal steps
        rng = np.random.default_rng(seed)
        for _ in range(count):
            steps, _, _, _ = env.step([_chosen(step, rng) for step in steps], reset_if_done=True)
        return count * len(env)

    return play


def _by_arrays(env: VectorEnv) -> Search:
    """Returns the same with arrays."""
    _, masks, _ = env.reset_arrays()

    def play(count: int, seed: int) -> int:
        nonlocal masks
        rng = np.random.default_rng(seed)
        for _ in range(count):
            actions = (rng.random(masks.shape) * masks).argmax(axis=1)
            _, masks, _, _, _ = env.step_arrays(actions)
        return count * len(env)

    return play


def measure(rounds: int) -> dict[str, dict[str, dict[str, float]]]:
    """Returns transitions a second (an action in one game is one) by game, number of games at once and contestant,
    the median of as many rounds, in which the contestants take turns."""
    result: dict[str, dict[str, dict[str, float]]] = {}
    for name in GAMES:
        result[name], columns = {}, None
        for count in AT_ONCE:
            game = load_game(name)
            truth = SyncVectorEnv([rl_environment.Environment(game) for _ in range(count)])
            with (
                VectorEnv(f"{name}/0", count, columns=columns) as ours,
                VectorEnv(f"{name}/0", count, columns=ours.columns) as by_arrays,
            ):
                columns = ours.columns
                contestants = {
                    "ground truth, SyncVectorEnv": _by_time_steps(truth),
                    "ours, time steps": _by_time_steps(ours),
                    "ours, arrays": _by_arrays(by_arrays),
                }
                rates = interleaved(
                    {label: (play, _STEPS[count]) for label, play in contestants.items()}, rounds
                )
            result[name][str(count)] = {label: round(rate, 1) for label, rate in rates.items()}
    return result


def table(rates: dict[str, dict[str, dict[str, float]]]) -> str:
    """Returns what `measure` gave as a text."""
    rows = [
        [
            "transitions a second, by games at once",
            *(f"{name}, {count}" for name in rates for count in rates[name]),
        ]
    ]
    for label in next(iter(next(iter(rates.values())).values())):
        rows.append(
            [label, *(f"{one[label]:,.0f}" for by_count in rates.values() for one in by_count.values())]
        )
    return text_table(rows)
