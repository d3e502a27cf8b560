"""The bot `plap`: a language model plans, an executor acts."""

from __future__ import annotations

import pyspiel

from arena.registry.bots import register_bot
from language_models import from_spec
from skill_planner.domains.bots import domain_of, make
from skill_planner.planning.planner import PAPER, Variant


@register_bot("plap", summary="a language model plans with parameterized skills, an executor acts")
def _plap(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    llm: str = "recorded",
    k: int | None = None,
    shots: int = 2,
    tips: bool = True,
    feedback: bool = False,
    opponent_model: bool = False,
    coded_skills: str | None = None,
    skills: str = PAPER,
) -> pyspiel.Bot:
    """Makes the bot `plap`; see `Variant`. `llm` is a spec such as gemini:MODEL, `k` is the domain's by
    default (100 ticks in MicroRTS).
    """
    interval = domain_of(game).interval if k is None else k
    return make(
        game,
        player_id,
        seed,
        model=from_spec(llm),
        variant=Variant(shots, tips, feedback, opponent_model, interval, coded_skills, skills),
    )
