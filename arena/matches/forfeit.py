"""Forfeits: the ways in which a bot gives up a match, and its returns then; and matches that are void.

A forfeit is a bot's own doing and its match counts. What is missing around a bot (a recording or an answer in
it, a key, a model that can be reached, an interpreter, an optional package) is nobody's play: the match is
void, is stored nowhere, and the run ends with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import pyspiel

from arena.matches.records import FORFEIT_KINDS
from language_models import LanguageModelError
from runs.played_once import Unplayable

_REASON_LENGTH = 500
"""Characters of a forfeit's reason that are kept."""


class Forfeit(Exception):
    """Raised by a bot that gives up: `kind` is one of `FORFEIT_KINDS`, `reason` is one line, `notes`
    are JSON-able facts about the move that it could not make."""

    def __init__(self, kind: str, reason: str, notes: Mapping[str, object] | None = None):
        if kind not in FORFEIT_KINDS:
            raise ValueError(f"kind of a forfeit: expected one of {', '.join(FORFEIT_KINDS)}, found {kind!r}")
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.notes = None if notes is None else json_copy(notes)


VOIDING = (Unplayable, LanguageModelError, ImportError)
"""Exceptions that void a match instead of losing it: they tell a missing thing, not the play of a bot."""


def forfeit_returns(game: pyspiel.Game, player: int) -> tuple[float, ...]:
    """Returns by seat after `player` forfeits: for it the game's lowest utility.

    In a game of two the other gets the highest utility. Among more, the others share equally what
    makes the sum right in a constant-sum game, and get the highest utility each in any other.
    """
    players = game.num_players()
    others = game.max_utility()
    total = game.utility_sum()
    if players > 2 and total is not None:
        others = (total - game.min_utility()) / (players - 1)
    return tuple(game.min_utility() if seat == player else others for seat in range(players))


def one_line(reason: str) -> str:
    # A bot may quote half a character, which no file holds.
    text = " ".join(reason.encode("utf-8", "backslashreplace").decode("utf-8").split())
    return text if len(text) <= _REASON_LENGTH else text[:_REASON_LENGTH].rpartition(" ")[0] + " ..."


def json_copy(notes: object) -> dict[str, object]:
    if not isinstance(notes, dict):
        raise TypeError(f"notes() returned {type(notes).__name__}, expected a dict")
    return json.loads(json.dumps(notes, allow_nan=False))
