"""The Trajectory Collector: logs of matches as JSON in the fields of PolicyEvolve, within a budget.

Wrestle. Steps in which all actions and distances are about the same are merged into one entry; the more
steps there are, the more counts as the same, until the log fits. Other games have a field `mv` in place of
the physical ones. Logs show whole matches, also what a player could not see: they are for after the match.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pyspiel

from arena.matches.match import load_match_game
from arena.matches.positions import positions
from arena.matches.records import Move
from games.seeing import views
from games.wrestle import physics
from policy_evolve.matches.evaluation import Outcome, Pairing, tally
from policy_evolve.policies.program import Program

LOG_CHARACTERS = 12_000
"""Of one log in a prompt; some 5,000 tokens of numbers."""
SHOWN_MATCHES = 6
_FORCE_TOLERANCE, _TURN_TOLERANCE, _DISTANCE_TOLERANCE = 10.0, 3.0, 2.0
_PIXEL = 5.0
_SERIES = ("st", "af", "aa", "of", "oa", "d2b", "d", "rw")

WRESTLE_FIELDS = """\
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

ANY_FIELDS = """\
- an: name of the policy
- op: name of the opponent in each match
- rs: score against the opponents in all matches, 1 for winning all, 0.5 for parity
- fr: final reward of each match, the policy's return
- why: how each match ended
- me: the number of the policy's player in each match
- mv: the moves of each match by name, with the number of the player in front ("c" for chance); the \
first ones are a random opening"""


def fields(game: pyspiel.Game) -> str:
    """What the fields of this game's logs mean, for a prompt."""
    return WRESTLE_FIELDS if game.get_type().short_name == "wrestle" else ANY_FIELDS


def _moves(outcome: Outcome) -> list[Move]:
    return [Move(player, action) for player, action in zip(outcome.players, outcome.actions)]


def _ending(outcome: Outcome, seat: int, decided: str) -> str:
    if outcome.forfeit is not None:
        loser, kind, reason = outcome.forfeit
        return f"{'the policy' if loser == seat else 'the opponent'} forfeited ({kind}): {reason}"
    return decided


def _wrestle_rows(states: Sequence[pyspiel.State], outcome: Outcome, seat: int) -> list[dict[str, Any]]:
    """One row of numbers for each step, without the opening; `seat` is the policy's."""
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
    """The rows as lists by field, stretches of about equal rows merged; `slack` scales what is equal."""
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


def _chosen(played: Sequence[tuple[Pairing, Outcome]], program: Program) -> list[tuple[Pairing, Outcome, int]]:
    """The matches to show, with the policy's seat: defeats first, opponents in turn."""
    seated = [(pairing, outcome, int(pairing.seats[0].digest != program.digest)) for pairing, outcome in played]
    met: dict[tuple[float, str], int] = {}
    keys = []
    for pairing, outcome, seat in seated:
        score, opponent = outcome.score(seat), pairing.seats[1 - seat].digest
        turn = met[score, opponent] = met.get((score, opponent), 0) + 1
        keys.append((turn, score))
    order = sorted(range(len(seated)), key=lambda index: keys[index])
    return [seated[index] for index in order[:SHOWN_MATCHES]]


def log(
    game_string: str,
    program: Program,
    played: Sequence[tuple[Pairing, Outcome]],
    characters: int = LOG_CHARACTERS,
) -> str:
    """The log of a policy's matches, JSON of at most `characters`.

    Args:
      game_string: of all matches.
      program: the policy.
      played: matches of it; up to `SHOWN_MATCHES` of them are shown, spread over opponents, with defeats
        before draws before victories; all of them count in `rs`.
      characters: enough for the ends of the matches at least.
    """
    game = load_match_game(game_string, 2)
    shown = _chosen(played, program)
    head: dict[str, Any] = {
        "an": program.name,
        "op": [pairing.seats[1 - seat].name for pairing, _, seat in shown],
        "rs": round(tally(played, program).score, 3),
        "fr": [round(outcome.returns[seat], 3) for _, outcome, seat in shown],
    }
    courses = [list(positions(game, _moves(outcome))) for _, outcome, _ in shown]
    if game.get_type().short_name == "wrestle":
        head["why"] = [
            _ending(outcome, seat, _wrestle_end(course[-1][0], seat))
            for (_, outcome, seat), course in zip(shown, courses)
        ]
        rows = [
            _wrestle_rows([state for state, _ in course], outcome, seat)
            for (_, outcome, seat), course in zip(shown, courses)
        ]
        return _fitting_numbers(head, rows, characters)
    head["why"] = [_ending(outcome, seat, "played to its end") for _, outcome, seat in shown]
    head["me"] = [seat for _, _, seat in shown]
    return _fitting_moves(head, [_named(course) for course in courses], characters)


def _wrestle_end(state: pyspiel.State, seat: int) -> str:
    winner = physics.winner(state.world)
    if winner < 0:
        return "draw: nobody left the ring alone"
    return "the opponent touched the boundary" if winner == seat else "the policy touched the boundary"


def _fitting_numbers(head: dict[str, Any], rows: Sequence[Sequence[dict[str, Any]]], characters: int) -> str:
    slack = 1.0
    keep = max((len(match) for match in rows), default=0)
    while True:
        logs = [merged(match[-keep:] if keep else [], slack) for match in rows]
        named = {name: [one[name] for one in logs] for name in _SERIES}
        text = json.dumps({**head, **named}, separators=(",", ":"))
        if len(text) <= characters or keep == 0:
            return text
        # What counts as equal widens first; where actions jump in every step, only the ends are left.
        if slack < 8:
            slack *= 2
        else:
            keep //= 2


def _named(course: Sequence[tuple[pyspiel.State, Sequence[Move]]]) -> list[str]:
    """The moves by name; those made at once are one text."""
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
