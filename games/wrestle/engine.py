"""Wrestle by itself, without OpenSpiel: continuous actions, and the observation dictionary of PolicyEvolve.

>>> from games.wrestle.engine import Wrestle
>>> match = Wrestle()
>>> match.step([[200, 0], [-50, 30]])
Outcome(rewards=(0.0, 0.0), done=False, winner=-1)
>>> sorted(match.observation(0))
['agent_obs', 'energy', 'id', 'speed']
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.wrestle import physics, rendering

REWARD = 100.0
"""The reward for a step after which the opponent alone is out of the ring; any other step is worth 0."""


@dataclass(frozen=True)
class Rules:
    """The parts of the rules that can be chosen.

    Attributes:
      decay, permanent_fatigue: see `physics.step`.
      max_steps: number of steps without a winner after which the match is a draw, at least 1.
      show_energy, show_speed: whether observations hold `energy` and `speed`, as in the paper. The
        platform's single game has neither.
      start: where the discs are at first, one of `physics.STARTS`.
    """

    decay: float = 1.0
    permanent_fatigue: bool = True
    max_steps: int = physics.MAX_STEPS
    show_energy: bool = True
    show_speed: bool = True
    start: str = "standard"

    def __post_init__(self) -> None:
        if not 0 <= self.decay <= 1:
            raise ValueError(f"wrestle: decay must be from 0 to 1, got {self.decay}.")
        if self.max_steps < 1:
            raise ValueError(f"wrestle: max_steps must be 1 or more, got {self.max_steps}.")
        if self.start not in physics.STARTS:
            raise ValueError(f"wrestle: start must be {' or '.join(physics.STARTS)}, got {self.start!r}.")

    def __deepcopy__(self, memo: object) -> Rules:
        return self


class Outcome(NamedTuple):
    """The outcome of a step: rewards by player, whether the match is over, and the winner, -1 for nobody."""

    rewards: tuple[float, float]
    done: bool
    winner: int


def checked_action(action: object) -> tuple[float, float]:
    """Returns an action as (force, turn): from `[force, turn]`, or from `[[force], [turn]]` as on the
    platform.

    Raises:
      ValueError: it is neither, or out of bounds.
    """
    try:
        numbers = [part[0] if hasattr(part, "__len__") and len(part) == 1 else part for part in action]
        if len(numbers) != 2 or any(isinstance(number, (bool, str)) for number in numbers):
            raise TypeError
        force, turn = map(float, numbers)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"wrestle: an action must be [force, turn], two numbers, got {action!r:.80}."
        ) from None
    for name, value, (low, high) in (("force", force, physics.FORCE), ("turn", turn, physics.TURN)):
        if not low <= value <= high or not math.isfinite(value):
            raise ValueError(f"wrestle: {name} must be from {low:g} to {high:g}, got {value!r}.")
    return force, turn


def packed_observation(world: physics.World, player: int, rules: Rules) -> dict[str, Any]:
    """Returns the observation of a player, with `agent_obs` as one text of 1600 characters
    (`rendering.to_text`).
    """
    disc = world.discs[player]
    seen: dict[str, Any] = {
        "agent_obs": rendering.to_text(rendering.render(world, player)),
        "id": f"team_{player}",
    }
    if rules.show_energy:
        seen["energy"] = disc.energy
    if rules.show_speed:
        seen["speed"] = [disc.vx, disc.vy]
    return seen


def unpacked(packed: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the observation that `packed_observation` gave."""
    return {**packed, "agent_obs": rendering.to_rows(packed["agent_obs"])}


def observation(world: physics.World, player: int, rules: Rules = Rules()) -> dict[str, Any]:
    """Returns the observation of `player`.

    Returns:
      `agent_obs`: 40 rows of 40 codes of pixels, `agent_obs[0]` farthest ahead, `agent_obs[i][0]`
      leftmost (see `rendering`); `id`: "team_0" or "team_1"; `energy`: 0 to 1000, or -1 for good once it
      is used up; `speed`: [x, y] in units per unit of time, in screen coordinates.
    """
    return unpacked(packed_observation(world, player, rules))


class Wrestle:
    """One match. Views are rendered when they are asked for, and only then.

    Attributes:
      world: the current state, immutable; may be replaced by any other.
    """

    def __init__(self, rules: Rules = Rules()):
        self.rules = rules
        self.world = physics.STARTS[rules.start]

    def reset(self) -> None:
        """Starts a new match."""
        self.world = physics.STARTS[self.rules.start]

    def observation(self, player: int) -> dict[str, Any]:
        """Returns the observation of `player`, see the function `observation`."""
        return observation(self.world, player, self.rules)

    def observations(self) -> list[dict[str, Any]]:
        """Returns the observations of both players as the platform hands them out, each `{"obs": observation,
        "controlled_player_index": player}`.
        """
        return [{"obs": self.observation(player), "controlled_player_index": player} for player in (0, 1)]

    def step(self, actions: Sequence[object]) -> Outcome:
        """Makes one step; `actions` are those of player 0 and player 1, see `checked_action`.

        Raises:
          ValueError: the match is over, or an action is malformed or out of bounds.
        """
        if physics.is_over(self.world, self.rules.max_steps):
            raise ValueError(
                "wrestle: the match must not be over when a step is made, got one that is; call reset."
            )
        if len(actions) != 2:
            raise ValueError(f"wrestle: there must be two actions, got {len(actions)}.")
        self.world = physics.step(
            self.world,
            [checked_action(action) for action in actions],
            self.rules.decay,
            self.rules.permanent_fatigue,
        )
        winner = physics.winner(self.world)
        rewards = (REWARD * (winner == 0), REWARD * (winner == 1))
        return Outcome(rewards, physics.is_over(self.world, self.rules.max_steps), winner)
