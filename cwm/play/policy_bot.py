"""A bot for games with hidden information that plays a policy learned inside a world model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from arena.bots.solvers import PolicyBot
from arena.registry.bots import register_bot
from cwm.play import features, learned_policies
from cwm.play.ismcts_bot import SeenHistory
from cwm.play.learned_policies import LearnedPolicy
from games.seeing import views


class _Played:
    """A learned policy as OpenSpiel's algorithms take one. It knows all that the player to move has seen and
    done in the ground truth, by the game's view, and nothing else of a state.

    Args:
      game: the ground truth.
      policy: the policy that was learned.
    """

    def __init__(self, game: pyspiel.Game, policy: LearnedPolicy):
        self.policy = policy
        self._histories = [SeenHistory(game, player) for player in range(game.num_players())]

    def action_probabilities(self, state: pyspiel.State) -> dict[int, float]:
        player, by_name = state.current_player(), views.actions_by_name(state)
        history = self._histories[player].update(state)
        vector = features.trail(self.policy.codec, player, history).vector()
        chances = self.policy.chances(vector, list(by_name))
        return {action: chances[name] for name, action in by_name.items()}


class CwmPpoBot(PolicyBot):
    """Draws its moves from a policy that was learned inside a world model; needs no torch.

    Args:
      game: the ground truth, sequential.
      player_id: its seat.
      policy: the policy that was learned.
      rng: random numbers for the draws.
    """

    def __init__(self, game: pyspiel.Game, player_id: int, policy: LearnedPolicy, rng: np.random.Generator):
        super().__init__(player_id, _Played(game, policy), rng)
        self._facts = {key: policy.facts.get(key) for key in ("model", "method", "decisions")}

    def notes(self) -> dict[str, Any]:
        """Facts about the policy: the model in which it was learned, the method, and the number of decisions."""
        return self._facts


@register_bot("cwm_ppo", summary="policy learned inside a world model by PPO; hidden information")
def _cwm_ppo(game: pyspiel.Game, player_id: int, seed: int, *, policy: str = "shipped") -> pyspiel.Bot:
    """`policy` is a file that `python -m cwm.ppo` wrote; "shipped" is this game's among those that ship
    with the package."""
    name = game.get_type().short_name
    loaded = learned_policies.load(learned_policies.resolve(policy, name))
    if name != "cwm" and loaded.facts["game"] != name:
        raise ValueError(
            f"bot 'cwm_ppo': policy {policy!r} is one for {loaded.facts['game']}, expected "
            f"one for {name}; name another file"
        )
    if loaded.codec.players != game.num_players():
        raise ValueError(
            f"bot 'cwm_ppo': policy {policy!r} is for {loaded.codec.players} players, "
            f"expected one for the {game.num_players()} of {game}"
        )
    return CwmPpoBot(game, player_id, loaded, np.random.default_rng(seed))
