"""The bot `counting`; importing this module registers it with spielwright."""

import pyspiel

from arena import register_bot


class CountingBot(pyspiel.Bot):
    """Leaves a multiple of four whenever it can, which wins; else takes `patience`."""

    def __init__(self, player_id, patience):
        super().__init__()
        self._player_id = player_id
        self._patience = patience

    def restart_at(self, state):
        pass

    def step(self, state):
        left = state.heap % 4
        return left - 1 if left else min(self._patience, state.heap) - 1


@register_bot("counting", summary="plays subtraction perfectly")
def _counting(game, player_id, seed, *, patience: int = 1):
    if game.get_type().short_name != "subtraction":
        raise ValueError(f"bot 'counting' plays subtraction only, found {game}")
    return CountingBot(player_id, patience)
