"""The properties of a game's type, as they show in recorded games or in a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cwm.trust.moves import SIMULTANEOUS
from cwm.trust.trajectories import CHANCE, TERMINAL, Trajectory
from cwm.worker.simulator import Simulator


def properties_of(trajectories: Sequence[Trajectory]) -> dict[str, Any]:
    """The properties of the game's type that recorded games show, for the OpenSpiel game made of the model."""
    steps = [step for trajectory in trajectories for step in trajectory.steps]
    ends = [trajectory.steps[-1] for trajectory in trajectories]
    return {
        "players": trajectories[0].num_players,
        "chance": any(step.player == CHANCE for step in steps),
        "perfect_information": all(
            step.observations.count(step.observations[0]) == len(step.observations) for step in steps
        ),
        "zero_sum": all(abs(sum(step.returns)) < 1e-9 for step in ends),
        "terminal_rewards": not any(any(step.returns) for step in steps if step.player != TERMINAL),
        **({"simultaneous": True} if any(step.player == SIMULTANEOUS for step in steps) else {}),
    }


def properties_in(source: str, games: int = 20) -> dict[str, Any]:
    """The properties of the game's type that random games inside a model show, where no game was seen whole."""
    with Simulator(source) as simulator:
        players = simulator.call("constants")["NUM_PLAYERS"]
        runs = [
            simulator.call("replay", simulator.call("random_play", seed, 5_000)["names"])["steps"]
            for seed in range(games)
        ]
    steps = [step for run_steps in runs for step in run_steps]
    return {
        "players": players,
        "chance": any(step["player"] == CHANCE for step in steps),
        "perfect_information": False,
        "zero_sum": all(abs(sum(run_steps[-1]["returns"])) < 1e-9 for run_steps in runs if run_steps),
        "terminal_rewards": not any(any(step["returns"]) for step in steps if step["player"] != TERMINAL),
        **({"simultaneous": True} if any(step["player"] == SIMULTANEOUS for step in steps) else {}),
    }
