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
from policy_evolve.domains.example_match import example_match
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

EVENT_FIELDS = """\
- an: name of the policy
- op: name of the opponent in each match; with more than two players, all names by the players' numbers
- rs: score against the opponents in all matches, 1 for winning all, 0.5 for parity; with more than two players, a match \
has a result against each of them, by whose return is higher
- fr: final reward of each match, the policy's return
- why: how each match ended
- me: the number of the policy's player in each match
- all: the returns of all players of each match, by their numbers
- mv: the moves of each match by name, with the number of the player in front ("c" for chance); also what was hidden from \
players, both sides' cards for example
- at: of the first matches, where moves were left out, the position at some times, by the number of steps before it
- end: the last position of each match"""

_FOLLOWED = 2
"""Matches that are shown by positions too where moves do not fit: the first ones, which were lost if any was."""
_POSITIONS = (5, 2, 0)
"""Positions that they are shown by, the first number with which a log fits."""
_FEWEST_MOVES = 9
"""Moves of a match below which positions give way."""
_POSITION_CHARACTERS = 1_500


class AnyGame:
    """The domain of any game, see `domain.Domain`. A description is made from the rules that ship with the
    package, or from what the game's view says of itself; it has no hints.
    """

    fields = FIELDS
    event_fields = EVENT_FIELDS
    phrases = Phrases()
    opening_plies = 2
    random_policy = POLICIES / "random_any.py"
    interface = ViewInterface
    referee = None

    def information(
        self,
        game: pyspiel.Game,
        hints: bool = True,
        continuous: bool = False,
        starts: Sequence[str] = (),
        example: bool = False,
    ) -> str:
        game_type = game.get_type()
        has_rules = game_type.short_name in games.games_with_rules()
        rules, other = games.rules(game) if has_rules else "", ""
        if example and not has_rules:
            rules, other = _documented(game)
        hides = game_type.information != pyspiel.GameType.Information.PERFECT_INFORMATION
        return render(
            "information_any.j2",
            name=f"OpenSpiel's {game_type.long_name}, {game}",
            rules=rules.strip(),
            other=other,
            hides=hides,
            players=game.num_players(),
            at_once=game_type.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS,
            # Texts of rules end in the fields of the view.
            fields="" if has_rules else views.describe(game),
            remembers=hides and game_type.provides_information_state_string and not has_rules,
            example=example_match(game) if example else "",
            returns=(f"{game.min_utility():g}", f"{game.max_utility():g}"),
            total=None if game.utility_sum() is None else f"{game.utility_sum():g}",
        )

    def ending(self, state: pyspiel.State, seat: int) -> str:
        return "played to its end"

    def log(self, head: dict[str, Any], matches: Sequence[ShownMatch], characters: int) -> str:
        seats = [match.seat for match in matches]
        return _fitting_moves({**head, "me": seats}, [_named(match.course) for match in matches], characters)

    def events(self, head: dict[str, Any], matches: Sequence[ShownMatch], characters: int) -> str:
        head = {
            **head,
            "me": [match.seat for match in matches],
            "all": [[round(value, 3) for value in match.outcome.returns] for match in matches],
        }
        moves = [_named(match.course) for match in matches]
        ends = [_position(match.course[-1][0]) for match in matches]
        for number in _POSITIONS:
            keep = max(map(len, moves), default=0)
            while True:
                shown: dict[str, Any] = {**head, "mv": [_ends(match, keep) for match in moves]}
                if number and any(len(match) > keep for match in moves):
                    shown["at"] = [_positions(match, number) for match in matches[:_FOLLOWED]]
                text = _json({**shown, "end": ends})
                if len(text) <= characters:
                    return text
                keep //= 2
                if keep < _FEWEST_MOVES:
                    break
        return _fitting_moves(head, moves, characters)


def _documented(game: pyspiel.Game) -> tuple[str, str]:
    """The text of the rules that was written from OpenSpiel's documentation, and the game string that it is of where that is
    another one of the same game; both empty where there is none."""
    texts = games.documented_rules()
    named = str(game).removesuffix("()")
    if named in texts:
        return texts[named], ""
    other = next((known for known in texts if known.partition("(")[0] == game.get_type().short_name), "")
    return texts.get(other, ""), other


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _position(state: pyspiel.State) -> str:
    text = str(state).strip()
    return text if len(text) <= _POSITION_CHARACTERS else text[:_POSITION_CHARACTERS] + " ..."


def _positions(match: ShownMatch, number: int) -> dict[str, str]:
    """Some positions at equal distances, by the number of steps before them."""
    course = match.course
    places = sorted({len(course) * part // (number + 1) for part in range(1, number + 1)})
    return {str(place): _position(course[place][0]) for place in places}


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


def _ends(moves: Sequence[str], keep: int) -> list[str]:
    """The first moves, which deal the cards where there are any, and the last ones."""
    if len(moves) <= keep:
        return list(moves)
    first = keep // 3
    left_out = f"({len(moves) - keep} moves left out)"
    return [*moves[:first], left_out, *moves[len(moves) - keep + first :]]


def _fitting_moves(head: dict[str, Any], moves: Sequence[Sequence[str]], characters: int) -> str:
    keep = max((len(match) for match in moves), default=0)
    while True:
        shown = [
            list(match)
            if len(match) <= keep
            else [f"({len(match) - keep} moves left out)", *match[len(match) - keep :]]
            for match in moves
        ]
        text = _json({**head, "mv": shown})
        if len(text) <= characters or keep == 0:
            return text
        keep //= 2
