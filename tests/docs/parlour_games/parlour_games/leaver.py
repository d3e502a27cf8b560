"""The bot `leaver`: leaves a multiple of four and one more, which wins nim21."""

import pyspiel

from arena import register_bot
from games import action_from_name, view


class Leaver(pyspiel.Bot):
    def __init__(self, player_id):
        super().__init__()
        self._player_id = player_id

    def restart_at(self, state):
        pass

    def step(self, state):
        left = (view(state, self._player_id).data["matches"] - 1) % 4
        return action_from_name(state, f"take {left or 1}")


@register_bot("leaver", summary="plays nim21 perfectly", deterministic=True)
def _leaver(game, player_id, seed):
    if game.get_type().short_name != "nim21":
        raise ValueError(f"bot 'leaver' plays nim21 only, found {game.get_type().short_name}")
    return Leaver(player_id)
