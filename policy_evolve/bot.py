"""The bot `code_policy`: a policy from a file."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import pyspiel

from arena.registry.bots import register_bot
from arena.registry.listings import register_listing
from arena.registry.written import Written, register_written
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


def _no_lines(game: str, text: str) -> list[int]:
    """Looks at a policy's text without running it.

    Raises:
      ValueError: it is no Python, or defines no `act`.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise ValueError(
            f"line {error.lineno}: expected Python, found {(error.text or '').strip()!r:.80} ({error.msg})"
        ) from None
    if not any(isinstance(node, ast.FunctionDef) and node.name == "act" for node in tree.body):
        raise ValueError("expected a program that defines act(observation, memory), found none")
    return []


register_written("code_policy", Written("source", ".py", read_source, _no_lines))


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
