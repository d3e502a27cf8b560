"""The costs of a bot's matches: time, simulations, calls of language models, tokens, money.

The wall time of a move is in every record. The rest is what bots say in their notes: `simulations` of the
search for the move, and the calls of a language model as `language_models.asking.call_notes` names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from arena.matches.records import MatchRecord
from language_models.asking.call_notes import CallNotes, number


@dataclass
class Cost:
    """The costs of one bot in the matches of one game.

    Attributes:
      matches: number of seats that it had in them.
      seconds: wall time of each of its moves.
      simulations, model_calls, tokens, usd: sums; None where no move has any.
    """

    matches: int = 0
    seconds: list[float] = field(default_factory=list)
    simulations: float | None = None
    model_calls: float | None = None
    tokens: float | None = None
    usd: float | None = None

    @property
    def moves(self) -> int:
        """The number of moves that the bot chose, openings not counted."""
        return len(self.seconds)

    def mean_seconds(self) -> float | None:
        """The mean time per move, in seconds; None without moves."""
        return float(np.mean(self.seconds)) if self.seconds else None

    def slow_seconds(self) -> float | None:
        """The 95th percentile of the time per move, in seconds; None without moves."""
        return float(np.quantile(self.seconds, 0.95)) if self.seconds else None

    def _note(self, notes: Mapping[str, object]) -> None:
        asked = CallNotes.from_notes(notes)
        found = {
            "simulations": number(notes.get("simulations")),
            "model_calls": asked.model_calls,
            "tokens": asked.tokens,
            "usd": asked.usd,
        }
        for name, value in found.items():
            if value is not None:
                setattr(self, name, (getattr(self, name) or 0.0) + value)


def costs(records: Iterable[MatchRecord]) -> dict[str, dict[str, Cost]]:
    """The costs by game and by bot, in the order of first appearance."""
    found: dict[str, dict[str, Cost]] = {}
    for record in records:
        by_bot = found.setdefault(record.game, {})
        for bot in record.seats:
            by_bot.setdefault(bot, Cost()).matches += 1
        for move in record.moves:
            if move.player >= 0 and move.seconds is not None:
                cost = by_bot[record.seats[move.player]]
                cost.seconds.append(move.seconds)
                cost._note(move.notes or {})
        if record.forfeit is not None and record.forfeit.notes:
            # The move that was not made cost as much, but is not one of those that were searched.
            by_bot[record.seats[record.forfeit.player]]._note({**record.forfeit.notes, "simulations": None})
    return found
