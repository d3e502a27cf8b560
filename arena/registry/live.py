"""Live objects in the place of specs: `pyspiel.Bot`s and OpenSpiel policies that a program has made itself."""

from __future__ import annotations

import numpy as np
import pyspiel
from open_spiel.python.policy import Policy

from arena.registry.forwarding import ForwardingBot


class PolicyBot(pyspiel.Bot):
    """Samples its actions from an OpenSpiel policy.

    Args:
      player_id: its seat.
      policy: an OpenSpiel policy in Python or C++, or any object with `action_probabilities(state)` -> {action:
        probability}; at nodes where several players move it is asked `action_probabilities(state, player_id)`.
      rng: random numbers for the samples.
    """

    def __init__(self, player_id: int, policy: object, rng: np.random.Generator):
        super().__init__()
        self._player_id = player_id
        self._policy = policy
        self._rng = rng

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def provides_policy(self) -> bool:
        return True

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        if not state.is_simultaneous_node():
            probabilities = self._policy.action_probabilities(state)
        elif isinstance(self._policy, pyspiel.Policy):
            probabilities = dict(self._policy.get_state_policy(state, self._player_id))
        else:
            probabilities = self._policy.action_probabilities(state, self._player_id)
        return [(action, probabilities.get(action, 0.0)) for action in state.legal_actions(self._player_id)]

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        policy = self.get_policy(state)
        actions, probabilities = map(np.array, zip(*policy, strict=True))
        return policy, int(self._rng.choice(actions, p=probabilities / probabilities.sum()))

    def step(self, state: pyspiel.State) -> int:
        return self.step_with_policy(state)[1]


POLICIES = (Policy, pyspiel.Policy)
"""OpenSpiel's policies, in Python and in C++."""

Live = pyspiel.Bot | Policy | pyspiel.Policy
"""An object that may stand in the place of a spec, within one process."""


def as_bot(made: object, name: str, player_id: int, seed: int) -> pyspiel.Bot:
    """A bot as it is, or one that samples a policy.

    Args:
      made: a `pyspiel.Bot` or a policy of OpenSpiel.
      name: the bot's name in the error.
      player_id, seed: seat and seed of the bot that samples a policy.

    Raises:
      ValueError: it is neither.
    """
    if isinstance(made, POLICIES):
        return PolicyBot(player_id, made, np.random.default_rng(seed))
    if not isinstance(made, pyspiel.Bot):
        raise ValueError(
            f"bot {name!r}: expected a pyspiel.Bot or an OpenSpiel policy, found {type(made).__name__}; derive the "
            "class from pyspiel.Bot"
        )
    return made


class KeptBot(ForwardingBot):
    """Hands everything on to a live bot, but for `close`: its maker closes it."""

    def __init__(self, bot: pyspiel.Bot):
        super().__init__(bot)
        if hasattr(bot, "notes"):
            self.notes = bot.notes

    def provides_policy(self) -> bool:
        return self._bot.provides_policy()

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        return self._bot.get_policy(state)

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        return self._bot.step_with_policy(state)
