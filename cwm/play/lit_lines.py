"""The lines of a world model's program that a move ran, for whoever looks into a bot's head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cwm.trust import checks
from cwm.trust.verification.probes import with_probes

LONGEST = 1_000
"""Most moves of a history that is replayed for it."""


def lines_of(source: str, names: Sequence[str]) -> list[int]:
    """The lines, from 1, that ran when the last of these moves was made and the state after it was looked at.

    The program's copy with probes runs in a sealed worker of its own; what it tells is the program's claim.

    Args:
      source: text of the program.
      names: the names of all moves from the start, chance's included; those of players who choose at once joined as
        `cwm.trust.moves.joint_name` does.

    Returns:
      The lines; none where the program cannot be given probes, fails, or the history is longer than `LONGEST`.
    """
    return _run(source, lambda holder: list(names))


def lines_seen(source: str, player: int, pairs: Sequence[Sequence[Any]], name: str, seed: int) -> list[int]:
    """The same for a player who does not see everything: in one game, drawn by the program itself, that fits what the player
    has seen.

    Args:
      source: text of the program.
      player: the player.
      pairs: its history up to the move, as the inference functions take it.
      name: the name of the player's move.
      seed: seed of the draw.
    """

    def drawn(holder: checks.Holder) -> list[str]:
        games = holder.call("hidden_driver.sampled_names", player, list(pairs), seed, 1)
        return [*games[0], name] if isinstance(games, list) and games else []

    return _run(source, drawn)


def _run(source: str, names_by: Callable[[checks.Holder], list[str]]) -> list[int]:
    try:
        probed = with_probes(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    holder = checks.Holder(probed.source)
    try:
        names = names_by(holder)
        if not 0 < len(names) <= LONGEST:
            return []
        hits = holder.call("coverage_driver.last_move", names)
    finally:
        holder.close()
    if not isinstance(hits, str) or len(hits) != probed.size:
        return []
    return sorted({line for block, hit in zip(probed.blocks, hits) if hit == "1" for line in block.lines})
