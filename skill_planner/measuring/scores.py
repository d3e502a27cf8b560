"""The measures of the Skill-RTS benchmark (the paper's section V-A), from match records.

Ratios are per tick, times 100: resources harvested (RHR) and spent (RUR), units produced (UPR). The combat
efficiency ratio (CER) is damage dealt by damage taken. Over several matches the first three are means, and
CER is the ratio of the sums; it is None where nothing was taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from arena.matches.match import load_match_game
from arena.matches.records import MatchRecord
from language_models.asking.call_notes import CallNotes


class Seat(NamedTuple):
    """The deeds of one player in one match.

    Attributes:
      points: +1 for a win, 0 for a draw, -1 for a loss.
      ticks: the length of the match.
      harvested, spent, produced, dealt, taken: resources, resources, units, hit points, hit points.
      plans: the number of plans asked for.
      valid, dropped: lines of their replies that were valid skills, and that were not.
      tokens: the number of tokens of prompts and replies; None where no reply said so.
      forfeit: the kind of its forfeit, or None.
    """

    points: int
    ticks: int
    harvested: int
    spent: int
    produced: int
    dealt: int
    taken: int
    plans: int = 0
    valid: int = 0
    dropped: int = 0
    tokens: int | None = None
    forfeit: str | None = None


def seats(record: MatchRecord) -> tuple[Seat, Seat]:
    """Returns both players' figures, from the moves of a match of `micro_rts` played again."""
    state = load_match_game(record.game, players=2).new_initial_state()
    for move in record.moves:
        state.apply_action(move.action)
    position = state.position()
    ticks = position.clock
    found = []
    for player in (0, 1):
        own, other = position.tally(player), position.tally(1 - player)
        returns = record.returns
        notes = [move.notes for move in record.moves if move.player == player and move.notes]
        plans = [note for note in notes if "plan" in note]
        counts = [CallNotes.from_notes(note).tokens for note in plans]
        tokens = [count for count in counts if count is not None]
        forfeit = record.forfeit
        found.append(
            Seat(
                points=(returns[player] > returns[1 - player]) - (returns[player] < returns[1 - player]),
                ticks=ticks,
                harvested=own.harvested,
                spent=own.spent,
                produced=own.produced,
                dealt=own.damage,
                taken=other.damage,
                plans=len(plans),
                valid=sum(len(note["plan"]) for note in plans),
                dropped=sum(len(note["dropped"]) for note in plans),
                tokens=sum(tokens) if tokens else None,
                forfeit=forfeit.kind if forfeit is not None and forfeit.player == player else None,
            )
        )
    return found[0], found[1]


def summary(played: Sequence[Seat]) -> dict[str, Any]:
    """Returns the measures over several matches; None where there is nothing to measure."""
    lines = sum(seat.valid + seat.dropped for seat in played)
    taken = sum(seat.taken for seat in played)
    tokens = [seat.tokens for seat in played if seat.tokens is not None]
    return {
        "matches": len(played),
        "score": sum(seat.points for seat in played),
        "wins": sum(seat.points > 0 for seat in played),
        "draws": sum(seat.points == 0 for seat in played),
        "losses": sum(seat.points < 0 for seat in played),
        "WR": _mean(seat.points > 0 for seat in played),
        "RHR": _mean(_rate(seat.harvested, seat.ticks) for seat in played),
        "RUR": _mean(_rate(seat.spent, seat.ticks) for seat in played),
        "UPR": _mean(_rate(seat.produced, seat.ticks) for seat in played),
        "CER": round(sum(seat.dealt for seat in played) / taken, 4) if taken else None,
        "ticks": _mean(seat.ticks for seat in played),
        "calls": sum(seat.plans for seat in played),
        "valid_skills": sum(seat.valid for seat in played),
        "dropped_lines": sum(seat.dropped for seat in played),
        "valid_skill_rate": round(sum(seat.valid for seat in played) / lines, 4) if lines else None,
        "tokens": sum(tokens) if tokens else None,
        "forfeits": sum(seat.forfeit is not None for seat in played),
    }


def _rate(amount: int, ticks: int) -> float:
    return 100 * amount / ticks if ticks else 0.0


def _mean(values: Iterable[float]) -> float | None:
    values = list(values)
    return round(sum(values) / len(values), 4) if values else None
