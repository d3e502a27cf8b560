"""Any game of OpenSpiel: seen through its view, described by its rules, logged by the names of its moves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pyspiel

import games
from arena.matches.records import Move
from games.seeing import views
from policy_evolve.domains.domain import Phrases, ShownMatch, render
from policy_evolve.policies.interfaces import ViewInterface
from policy_evolve.policies.shipped import POLICIES

FIELDS = """\
- an: name of the policy
- op: name of the opponent in each match
- rs: score against the opponents in all matches, 1 for winning all, 0.5 for parity
- fr: final reward of each match, the policy's return
- why: how each match ended
- me: the number of the policy's player in each match
- mv: the moves of each match by name, with the number of the player in front ("c" for chance); the \
first ones are a random opening"""


class AnyGame:
    """The domain of any game, see `domain.Domain`. A description is made from the rules that ship with the
    package, or from what the game's view says of itself; it has no hints.
    """

    fields = event_fields = FIELDS
    phrases = Phrases()
    opening_plies = 2
    random_policy = POLICIES / "random_any.py"
    interface = ViewInterface
    referee = None

    def information(
        self, game: pyspiel.Game, hints: bool = True, continuous: bool = False, starts: Sequence[str] = ()
    ) -> str:
        has_rules = game.get_type().short_name in games.games_with_rules()
        rules = (
            games.rules(game)
            if has_rules
            else f"The game is OpenSpiel's {game.get_type().long_name}, {game}, for two players."
        )
        hides = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
        # Texts of rules end in the fields of the view.
        fields = "" if has_rules else views.describe(game)
        return render("information_any.j2", rules=rules.strip(), hides=hides, fields=fields)

    def ending(self, state: pyspiel.State, seat: int) -> str:
        return "played to its end"

    def log(self, head: dict[str, Any], matches: Sequence[ShownMatch], characters: int) -> str:
        seats = [match.seat for match in matches]
        return _fitting_moves({**head, "me": seats}, [_named(match.course) for match in matches], characters)

    events = log


def _named(course: Sequence[tuple[pyspiel.State, Sequence[Move]]]) -> list[str]:
    """Returns the moves by name; those made at once are one text."""
    return [
        ", ".join(
            f"{'c' if move.player < 0 else move.player}:{views.action_name(state, move.action, move.player)}"
            for move in moves
        )
        for state, moves in course
        if moves
    ]


def _fitting_moves(head: dict[str, Any], moves: Sequence[Sequence[str]], characters: int) -> str:
    keep = max((len(match) for match in moves), default=0)
    while True:
        shown = [
            list(match)
            if len(match) <= keep
            else [f"({len(match) - keep} moves left out)", *match[len(match) - keep :]]
            for match in moves
        ]
        text = json.dumps({**head, "mv": shown}, separators=(",", ":"), ensure_ascii=False)
        if len(text) <= characters or keep == 0:
            return text
        keep //= 2
