"""The scripted soldiers of `fps_arena` as bots that the arena knows by name."""

from __future__ import annotations

import pyspiel

from arena.registry.bots import register_bot
from games.fps_arena.openspiel.controller_bot import ControllerBot
from games.fps_arena.play.scripted import STRENGTHS
from runs.suggestions import nearest


@register_bot("fps_scripted", summary="fps_arena: a script of one of three strengths: weak, medium, strong")
def _scripted(game: pyspiel.Game, player_id: int, seed: int, *, strength: str = "medium") -> pyspiel.Bot:
    if strength not in STRENGTHS:
        raise ValueError(f"fps_scripted: unknown strength {strength!r}; {nearest(strength, STRENGTHS)}")
    return ControllerBot(game, player_id, STRENGTHS[strength](), seed)
