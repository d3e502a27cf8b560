"""The bot `code_policy`: a policy from a file."""

from __future__ import annotations

from collections.abc import Mapping

import pyspiel

from arena.registry.bots import register_bot
from policy_evolve.policies.code_policy_bot import CodePolicyBot
from policy_evolve.policies.policy import PolicyLimits, check_sandbox
from policy_evolve.policies.program import is_deterministic
from policy_evolve.policies.shipped import read_source


def _deterministic(parameters: Mapping[str, object]) -> bool:
    return is_deterministic(read_source(str(parameters["source"])))


@register_bot(
    "code_policy",
    summary="plays what a program answers, act(observation, memory) in a sealed worker",
    deterministic=_deterministic,
)
def _code_policy(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    source: str,
    move_seconds: float = 1.0,
    match_seconds: float = 60.0,
    memory_mb: int = 512,
    interpreter: str = "cpython",
) -> pyspiel.Bot:
    """Makes the bot `code_policy`; see `CodePolicyBot` and `PolicyLimits`. `source` is a file, or the name of
    a policy that ships.
    """
    check_sandbox(interpreter)
    return CodePolicyBot(
        game,
        player_id,
        seed,
        source=read_source(source),
        limits=PolicyLimits(move_seconds, match_seconds, memory_mb),
        interpreter=interpreter,
    )
