"""Wrestle, as PolicyEvolve has it.

The observation is the dictionary of the paper (`games.wrestle.engine.observation`), the answer `[force, turn]`, two
numbers within their bounds, played as the nearest action of the game's grid. In logs, steps in which all actions and
distances are about the same are merged into one entry; the more steps there are, the more counts as the same, until
the log fits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pyspiel

from games.wrestle import physics
from games.wrestle.engine import checked_action
from policy_evolve.domains.domain import Phrases, ShownMatch, render
from policy_evolve.domains.wrestle_batches import WrestleReferee
from policy_evolve.domains.wrestle_events import EVENT_FIELDS, fitting_events, told
from policy_evolve.matches.outcomes import Outcome
from policy_evolve.policies.shipped import POLICIES

_FORCE_TOLERANCE, _TURN_TOLERANCE, _DISTANCE_TOLERANCE = 10.0, 3.0, 2.0
_PIXEL = 5.0
_SERIES = ("st", "af", "aa", "of", "oa", "d2b", "d", "rw")

FIELDS = """\
- an: name of the policy
- op: name of the opponent in each match
- rs: score against the opponents in all matches, 1 for winning all, 0.5 for parity
- fr: final reward of each match: 1 won, 0 drawn, -1 lost
- why: how each match ended
The following have one list for each match, with one entry for each stretch of steps in which \
hardly anything changed:
- st: the last step of the stretch
- af: force applied by the policy, mean of the stretch
- aa: turn of the policy in degrees, mean of the stretch
- of, oa: the same of the opponent
- d2b: distance of the policy's and of the opponent's centre from the boundary at the end of the stretch, \
in pixels of the map (at 4 a disc is out)
- d: distance between the two centres, in pixels of the map (at 8 the discs touch)
- rw: step reward of the policy and of the opponent at the end of the stretch"""


class WrestleInterface:
    """The interface to wrestle, see `policy_evolve.policies.interfaces.Interface`."""

    function = "act_in_wrestle"

    def __init__(self, game: pyspiel.Game, player: int):
        del game
        self._player = player

    def pack(self, state: pyspiel.State) -> dict[str, Any]:
        return state.packed_observation(self._player)

    def action(self, state: pyspiel.State, answer: object) -> int:
        return state.grid.nearest(*checked_action(answer))


class Wrestle:
    """The domain of wrestle, see `domain.Domain`. The hints say what the boundary's colour is and what follows
    from the map's geometry (the seed's ablation).
    """

    fields = FIELDS
    event_fields = EVENT_FIELDS
    phrases = Phrases(
        " of both players",
        ": at the first call neither your place nor your heading is exactly the one of the start",
        " Make the opponents go out of bounds while you stay in bounds.",
    )
    opening_plies = 6
    random_policy = POLICIES / "random_wrestle.py"
    interface = WrestleInterface
    referee = WrestleReferee

    def information(
        self,
        game: pyspiel.Game,
        hints: bool = True,
        continuous: bool = False,
        starts: Sequence[str] = (),
        example: bool = False,
    ) -> str:
        return render(
            "information_wrestle.j2",
            rules=game.rules,
            hints=hints,
            continuous=continuous,
            starts=starts,
            forces=game.grid.force_levels,
            turns=game.grid.turn_levels,
        )

    def ending(self, state: pyspiel.State, seat: int) -> str:
        winner = physics.winner(state.world)
        if winner < 0:
            return "draw: nobody left the ring alone"
        return "the opponent touched the boundary" if winner == seat else "the policy touched the boundary"

    def log(self, head: dict[str, Any], matches: Sequence[ShownMatch], characters: int) -> str:
        rows = [_rows([state for state, _ in match.course], match.outcome, match.seat) for match in matches]
        return _fitting_numbers(head, rows, characters)

    def events(self, head: dict[str, Any], matches: Sequence[ShownMatch], characters: int) -> str:
        return fitting_events(head, [told(match) for match in matches], characters)


def _rows(states: Sequence[pyspiel.State], outcome: Outcome, seat: int) -> list[dict[str, Any]]:
    """Returns one row of numbers for each step, without the opening; `seat` is the policy's."""
    grid = states[0].grid
    rows = []
    for number in range(outcome.opening // 2, len(states) - 1):
        discs = states[number + 1].world.discs
        acted = [grid.value(outcome.actions[2 * number + player]) for player in (seat, 1 - seat)]
        away = [
            (physics.RING_RADIUS - _distance(discs[player], physics.CENTRE)) / _PIXEL
            for player in (seat, 1 - seat)
        ]
        returns = states[number + 1].returns()
        rows.append(
            {
                "st": number + 1,
                "af": acted[0][0],
                "aa": acted[0][1],
                "of": acted[1][0],
                "oa": acted[1][1],
                "d2b": away,
                "d": _distance(discs[0], discs[1]) / _PIXEL,
                "rw": [int(returns[seat]), int(returns[1 - seat])],
            }
        )
    return rows


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    return ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5


def merged(rows: Sequence[dict[str, Any]], slack: float) -> dict[str, list[Any]]:
    """Returns the rows as lists by field, stretches of about equal rows merged; `slack` scales what is
    equal.
    """
    stretches: list[list[dict[str, Any]]] = []
    for row in rows:
        first = stretches[-1][0] if stretches else None
        if (
            first is not None
            and row["rw"] == first["rw"]
            and all(
                abs(row[name] - first[name]) <= tolerance * slack
                for name, tolerance in (
                    ("af", _FORCE_TOLERANCE),
                    ("of", _FORCE_TOLERANCE),
                    ("aa", _TURN_TOLERANCE),
                    ("oa", _TURN_TOLERANCE),
                    ("d", _DISTANCE_TOLERANCE),
                )
            )
            and all(abs(a - b) <= _DISTANCE_TOLERANCE * slack for a, b in zip(row["d2b"], first["d2b"]))
        ):
            stretches[-1].append(row)
        else:
            stretches.append([row])
    log: dict[str, list[Any]] = {name: [] for name in _SERIES}
    for stretch in stretches:
        last = stretch[-1]
        log["st"].append(last["st"])
        for name in ("af", "aa", "of", "oa"):
            log[name].append(round(sum(row[name] for row in stretch) / len(stretch)))
        log["d2b"].append([round(value, 1) for value in last["d2b"]])
        log["d"].append(round(last["d"], 1))
        log["rw"].append(last["rw"])
    return log


def _fitting_numbers(head: dict[str, Any], rows: Sequence[Sequence[dict[str, Any]]], characters: int) -> str:
    slack = 1.0
    keep = max((len(match) for match in rows), default=0)
    while True:
        logs = [merged(match[-keep:] if keep else [], slack) for match in rows]
        named = {name: [one[name] for one in logs] for name in _SERIES}
        text = json.dumps({**head, **named}, separators=(",", ":"))
        if len(text) <= characters or keep == 0:
            return text
        # The bound of equality widens first; where actions jump in every step, only the ends are left.
        if slack < 8:
            slack *= 2
        else:
            keep //= 2
