"""The view of OpenSpiel's backgammon: counts of checkers, and one name for each play.

OpenSpiel has several actions for one and the same play (checkers moved in either order), and its
action strings begin with the action's number. Here a play is named by what happens: its checker
moves, sorted, each `start/end` in the mover's own numbering of the points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyspiel

from games.seeing.views import GameView

_NUM_POINTS = 24
_BAR, _OFF = 25, 0  # As the mover counts, with the points 24 to 1 between them.

# OpenSpiel numbers an action digit1 * 26 + digit0, plus 676 if the lower die moves first. A digit
# is where a checker starts: its position 0 to 23, or one of these two.
_BASE = 26
_BAR_DIGIT, _PASS_DIGIT = 24, 25

# OpenSpiel's tensor, from the point of view of the player asked for: four numbers for each position
# of the player's checkers, the same for the opponent's, (bar, off, to move) of each, two dice.
_OWN, _OPPONENT = 0, 4 * _NUM_POINTS
_OWN_BAR, _OPPONENT_BAR = 8 * _NUM_POINTS, 8 * _NUM_POINTS + 3
_DICE = 8 * _NUM_POINTS + 6


class BackgammonView(GameView):
    """The view of backgammon with any of OpenSpiel's parameters."""

    def data(self, state: pyspiel.State, player: int) -> dict[str, Any]:
        """Returns points, bar, off, dice and whether a double is half played; both see the same."""
        tensor = state.observation_tensor(0)
        x_counts, o_counts = _counts(tensor, _OWN), _counts(tensor, _OPPONENT)
        return {
            "points": [x - o for x, o in zip(x_counts, o_counts)],
            "bar": {"x": int(tensor[_OWN_BAR]), "o": int(tensor[_OPPONENT_BAR])},
            "off": {"x": int(tensor[_OWN_BAR + 1]), "o": int(tensor[_OPPONENT_BAR + 1])},
            "dice": _dice(tensor),
            # The tensor leaves this out.
            "second_half_of_double": "\nExtra turn: 1\n" in state.observation_string(player),
        }

    def action_names(self, state: pyspiel.State, player: int, actions: Sequence[int]) -> list[str]:
        """Returns e.g. `24/22 13/8` for plays, and `3-1` or `x starts 3-1` for rolls."""
        if player == pyspiel.PlayerId.CHANCE:
            return [_roll_name(state.action_to_string(player, action)) for action in actions]
        dice = _dice(state.observation_tensor(player))
        return [_play_name(player, action, dice) for action in actions]

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of the five fields."""
        return (
            "- `points`: 24 whole numbers, one for each point; a positive number counts checkers "
            "of x, a negative one checkers of o, 0 is an empty point. The first number is x's "
            "24-point, which is o's 1-point; the last one is x's 1-point, which is o's 24-point.\n"
            "- `bar`: `x` and `o`: how many checkers each has on the bar.\n"
            "- `off`: `x` and `o`: how many checkers each has borne off.\n"
            "- `dice`: the two numbers rolled, the lower first, while a play is due; empty while "
            "a roll is due.\n"
            "- `second_half_of_double`: true from the first to the second play of a double, and "
            "else false."
        )


def _counts(tensor: Sequence[float], start: int) -> list[int]:
    # Per position: flags for exactly 1, 2 and 3 checkers, then how many more than 3 there are.
    counts = []
    for at in range(start, start + 4 * _NUM_POINTS, 4):
        one, two, three, more = tensor[at : at + 4]
        counts.append(int(one + 2 * two + 3 * three + (more + 3 if more else 0)))
    return counts


def _dice(tensor: Sequence[float]) -> list[int]:
    return [int(die) for die in tensor[_DICE : _DICE + 2] if die]


def _play_name(player: int, action: int, dice: Sequence[int]) -> str:
    low, high = dice
    lower_first, digits = divmod(action, _BASE * _BASE)
    second, first = divmod(digits, _BASE)
    order = (low, high) if lower_first else (high, low)
    moves = []
    for digit, die in zip((first, second), order):
        if digit != _PASS_DIGIT:
            start = _own_point(player, digit)
            moves.append((start, max(start - die, _OFF)))
    if not moves:
        return "Pass"
    names = [f"{_place(start)}/{_place(end)}" for start, end in sorted(moves, reverse=True)]
    return " ".join(names + ["Pass"] * (2 - len(names)))


def _own_point(player: int, digit: int) -> int:
    if digit == _BAR_DIGIT:
        return _BAR
    return _NUM_POINTS - digit if player == 0 else digit + 1


def _place(point: int) -> str:
    return {_BAR: "Bar", _OFF: "Off"}.get(point, str(point))


def _roll_name(openspiel_name: str) -> str:
    """Names `... O starts, (roll: 31)` as `o starts 3-1`, and `... (roll: 13)` as `3-1`."""
    roll = openspiel_name.split("roll: ")[1].rstrip(")")
    high, low = sorted(roll, reverse=True)
    for starter in ("X", "O"):
        if f" {starter} starts" in openspiel_name:
            return f"{starter.lower()} starts {high}-{low}"
    return f"{high}-{low}"
