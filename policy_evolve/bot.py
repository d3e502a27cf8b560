"""The bot `code_policy`: a policy from a file."""

from __future__ import annotations

from collections.abc import Mapping

import pyspiel

from arena.registry.bots import register_bot
from arena.registry.listings import register_listing
from policy_evolve.policies.code_policy_bot import CodePolicyBot
from policy_evolve.policies.policy import PolicyLimits, check_sandbox
from policy_evolve.policies.program import is_deterministic
from policy_evolve.policies.shipped import POLICIES, read_source


def shipped_policies() -> list[dict[str, object]]:
    """Every policy that ships: `name`, as `code_policy(source=...)` takes it, and `summary`."""
    return [
        {"name": path.stem, "summary": f"code policy {path.name}"} for path in sorted(POLICIES.glob("*.py"))
    ]


register_listing("policies", shipped_policies)


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
