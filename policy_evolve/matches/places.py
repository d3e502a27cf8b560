"""What the arena says of policies in matches of more than two players: mean returns, and strengths by places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.rating.rate import rate
from arena.store.results import Results
from policy_evolve.matches.evaluation import unique
from policy_evolve.matches.outcomes import Outcome, Pairing


def standings(played: Sequence[tuple[Pairing, Outcome]], game: str, seed: int) -> dict[str, dict[str, Any]]:
    """Returns of each policy by name `mean_return` and `plackett_luce`, as `arena.ratings` gives them, each with its 95 %
    interval over blocks in `low` and `high`; a strength is None where the matches do not give one.

    Args:
      played: matches of more than two players.
      game: their game string.
      seed: of the bootstrap.
    """
    records = [_record(pairing, outcome, game) for pairing, outcome in unique(played)]
    (rated,) = rate(Results.from_records(records), seed=seed)["games"]
    returns, strengths = rated["mean_returns"]["bots"], rated["plackett_luce"].get("bots", {})
    return {
        name: {
            "mean_return": {part: own[part] for part in ("mean", "low", "high")},
            "plackett_luce": strengths.get(name),
        }
        for name, own in returns.items()
    }


def _record(pairing: Pairing, outcome: Outcome, game: str) -> MatchRecord:
    return MatchRecord(
        game=game,
        seats=tuple(program.name for program in pairing.seats),
        seed=pairing.seed,
        opening_plies=0,
        move_seconds=None,
        opening_length=outcome.opening,
        moves=tuple(Move(player, action) for player, action in zip(outcome.players, outcome.actions)),
        returns=outcome.returns,
        forfeit=outcome.forfeit and ForfeitRecord(*outcome.forfeit),
    )
