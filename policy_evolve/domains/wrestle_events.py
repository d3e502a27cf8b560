"""Logs of wrestle matches as events: what happened from the start to the end, with the state of both sides at each.

Matches are told whole; where there is too little room, the moments at which nothing happened go first, then turning
points, then contacts. The moment at which a match was decided stands by itself, see `wrestle_decided`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from games.wrestle import physics
from policy_evolve.domains.domain import ShownMatch
from policy_evolve.domains.wrestle_decided import Controls, Moment, decided

EVENT_FIELDS = """\
- an: name of the policy
- op: name of the opponent in each match
- rs: score against the opponents in all matches, 1 for winning all, 0.5 for parity
- fr: final reward of each match: 1 won, 0 drawn, -1 lost
- why: how each match ended
- steps: the last step of each match
- ct: how often the discs bounced off each other in each match
- dec: for each match that was won or lost the last moment at which the loser could still have stayed in the ring, found by \
trying actions on the simulator while the opponent does what it did: st the step, who "own" (the policy lost) or "opponent", \
played its [force, turn] then, better one that would have saved it, held for so many steps before it flees to the centre; \
null where there is none
- ev: for each match the events in order, each [step, what, own, opponent, d], where d is the distance of the two centres in \
units (at 40 the discs touch), and own and opponent are the two players' [b, s, o, e, c, a, f, t]: \
b units until it is out, s speed, o the part of the speed that leads outwards (negative: inwards), e energy (-1: fatigued), \
c where the centre of the ring is seen from its heading in degrees (0 ahead, positive to the right, 180 behind), \
a the same for the other disc, f and t the force and the turn of this step
- what: start, decided (the moment of dec), contact (a bounce), rim (comes within 25 units of being out), turn (turns from outwards to inwards or back), \
low (energy falls below 200), fatigued, end, each with "own" or "opponent" where it is about one of them; "on": nothing \
particular, so that the way between is seen"""

_NEAR = 25.0
_LOW = 200.0
_RADIAL = 15.0
"""Speed outwards or inwards from which on a change between them is a turning point."""
_SAMPLES = 12
_RANKS = {"on": 0, "turn": 1, "contact": 2}
"""What goes first where there is too little room; all else stays."""


class Event(NamedTuple):
    """What happened in a step, by its index from 0."""

    index: int
    what: str

    @property
    def rank(self) -> int:
        return _RANKS.get(self.what.split()[0], 3)


class Told(NamedTuple):
    """A match as its log tells it."""

    steps: int
    contacts: int
    moment: Moment | None
    policy_lost: bool
    rows: list[tuple[int, list[Any]]]
    """The rank and the row of each event."""


def told(match: ShownMatch) -> Told:
    """Returns the events of a match."""
    states = [state for state, _ in match.course]
    worlds = [state.world for state in states]
    course = match.outcome.course
    if course is None:
        grid, actions = states[0].grid, match.outcome.actions
        course = [
            [grid.value(action) for action in actions[index : index + 2]]
            for index in range(0, len(actions) - 1, 2)
        ]
    first = match.outcome.opening // 2
    seat, last = match.seat, len(course) - 1
    winner = physics.winner(worlds[-1])
    moment = None
    if winner >= 0 and match.outcome.forfeit is None:
        moment = decided(worlds, course, 1 - winner, states[0].rules)
    bounces = [index for index in range(first, last + 1) if _bounced(worlds[index], worlds[index + 1])]
    events = _events(worlds, bounces, first, last, seat)
    if moment is not None:
        events.append(Event(moment.step - 1, "decided"))
    rows = [(event.rank, _row(event, worlds, course, seat)) for event in sorted(events)]
    return Told(last + 1, len(bounces), moment, winner == 1 - seat, rows)


def _events(
    worlds: Sequence[physics.World], bounces: Sequence[int], first: int, last: int, seat: int
) -> list[Event]:
    if last < first:
        return []
    events = {Event(first, "start"), Event(last, "end")}
    events |= {
        Event(index, "contact")
        for number, index in enumerate(bounces)
        if not number or index - bounces[number - 1] > 5
    }
    for player in (0, 1):
        who = "own" if player == seat else "opponent"
        events |= {Event(index, f"{what} {who}") for index, what in _of_one(worlds, first, last, player)}
    taken = {event.index for event in events}
    events |= {
        Event(index, "on")
        for index in (first + round((last - first) * part / _SAMPLES) for part in range(1, _SAMPLES))
        if index not in taken
    }
    return list(events)


def _of_one(worlds: Sequence[physics.World], first: int, last: int, player: int) -> list[tuple[int, str]]:
    found, heading_out = [], None
    for index in range(first, last + 1):
        before, disc = worlds[max(index - 1, first)].discs[player], worlds[index].discs[player]
        if room(disc) < _NEAR <= room(before):
            found.append((index, "rim"))
        if disc.energy < 0 <= before.energy:
            found.append((index, "fatigued"))
        elif 0 <= disc.energy < _LOW <= before.energy:
            found.append((index, "low"))
        radial = outwards(disc)
        if abs(radial) >= _RADIAL:
            if heading_out is not None and heading_out != (radial > 0):
                found.append((index, "turn"))
            heading_out = radial > 0
    return found


def room(disc: physics.Disc) -> float:
    """Returns how far a disc is from being out, in units."""
    return (
        physics.RING_RADIUS
        - physics.DISC_RADIUS
        - math.hypot(disc.x - physics.CENTRE[0], disc.y - physics.CENTRE[1])
    )


def outwards(disc: physics.Disc) -> float:
    """Returns the part of a disc's speed that leads away from the centre."""
    dx, dy = disc.x - physics.CENTRE[0], disc.y - physics.CENTRE[1]
    return (dx * disc.vx + dy * disc.vy) / (math.hypot(dx, dy) + 1e-9)


def _bounced(before: physics.World, after: physics.World) -> bool:
    """Whether the discs came so close in a step, and then went apart, that they touched."""
    one, other = before.discs
    nx, ny = one.x - other.x, one.y - other.y
    approach = nx * (one.vx - other.vx) + ny * (one.vy - other.vy)
    if approach >= 0:
        return False
    new, new_other = after.discs
    mx, my = new.x - new_other.x, new.y - new_other.y
    parting = mx * (new.vx - new_other.vx) + my * (new.vy - new_other.vy)
    return parting > 0 and math.hypot(mx, my) < 2 * physics.DISC_RADIUS + 25


def _bearing(disc: physics.Disc, x: float, y: float) -> int:
    angle = math.degrees(math.atan2(y - disc.y, x - disc.x)) - disc.heading
    return round((angle + 180) % 360 - 180)


def _side(world: physics.World, player: int, action: Controls) -> list[int]:
    disc, other = world.discs[player], world.discs[1 - player]
    return [
        round(room(disc)),
        round(math.hypot(disc.vx, disc.vy)),
        round(outwards(disc)),
        round(disc.energy),
        _bearing(disc, *physics.CENTRE),
        _bearing(disc, other.x, other.y),
        round(action[0]),
        round(action[1]),
    ]


def _row(
    event: Event, worlds: Sequence[physics.World], course: Sequence[Sequence[Controls]], seat: int
) -> list[Any]:
    world, joint = worlds[event.index], course[event.index]
    one, other = world.discs
    apart = round(math.hypot(one.x - other.x, one.y - other.y))
    sides = [_side(world, player, joint[player]) for player in (seat, 1 - seat)]
    return [event.index + 1, event.what, *sides, apart]


def _moment(match: Told) -> dict[str, Any] | None:
    if match.moment is None:
        return None
    return {
        "st": match.moment.step,
        "who": "own" if match.policy_lost else "opponent",
        "played": [round(value) for value in match.moment.played],
        "better": [*(round(value) for value in match.moment.saving), match.moment.held],
    }


def fitting_events(head: dict[str, Any], matches: Sequence[Told], characters: int) -> str:
    """Returns the JSON of a log of at most `characters`, if the head and the events that always stay leave room."""
    fields = {
        **head,
        "steps": [match.steps for match in matches],
        "ct": [match.contacts for match in matches],
        "dec": [_moment(match) for match in matches],
    }
    for least in range(4):
        kept = [[item for item in match.rows if item[0] >= least] for match in matches]
        for part in (1, 2, 4):
            shown = [_thinned(rows, least, part) for rows in kept]
            text = json.dumps({**fields, "ev": shown}, separators=(",", ":"))
            if len(text) <= characters:
                return text
    while len(text) > characters and any(len(rows) > 2 for rows in shown):
        shown = [rows[:1] + rows[-max(len(rows) // 2, 1) :] if len(rows) > 2 else rows for rows in shown]
        text = json.dumps({**fields, "ev": shown}, separators=(",", ":"))
    return text


def _thinned(rows: Sequence[tuple[int, list[Any]]], least: int, part: int) -> list[list[Any]]:
    """Returns the rows without all but each `part`-th of those of the least rank."""
    low = 0
    kept = []
    for rank, row in rows:
        if rank == least and rank < 3:
            low += 1
            if part > 1 and low % part:
                continue
        kept.append(row)
    return kept
