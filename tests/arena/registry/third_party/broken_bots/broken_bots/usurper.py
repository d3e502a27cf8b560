"""Registers one bot, and then another under a name that is taken."""

from arena import register_bot


@register_bot("random", summary="would replace the suite's own bot")
@register_bot("heir", summary="is taken back, since its plug-in fails")
def _random(game, player_id, seed):
    raise AssertionError("never made")
