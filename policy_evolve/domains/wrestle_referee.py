"""The referee of batches of wrestle matches: physics and views of many matches at once.

Its text is loaded, behind those of `games.wrestle.physics` and `rendering`, into a worker of its own that holds nothing
else: so PyPy can run it, and no policy is in the process that decides matches. Python 3.9, standard library only.
"""

from __future__ import annotations

from typing import Any

import physics  # loaded before this module, as the next one
import rendering

_CLOSE = 2 * physics.DISC_RADIUS + 8.0
"""Distance of two centres in units below which discs count as in contact: the discs move at most 20 units in a step."""
_PUSHES = 100.0
"""Force from which on a step counts as a push."""

_rules: dict[str, Any] = {}
_matches: dict[int, _Match] = {}


class _Match:
    """One match: its world, and sums over its steps by which a player's style is told."""

    def __init__(self, world: Any):
        self.world = world
        self.pushes = [0, 0]
        self.away = [0.0, 0.0]
        self.contacts = 0
        self.acted = 0

    def step(self, actions: list[list[float]]) -> None:
        self.world = physics.step(self.world, actions, _rules["decay"], _rules["permanent_fatigue"])
        one, other = self.world.discs
        self.contacts += (one.x - other.x) ** 2 + (one.y - other.y) ** 2 < _CLOSE**2
        self.acted += 1
        for player, disc in enumerate((one, other)):
            self.pushes[player] += actions[player][0] >= _PUSHES
            self.away[player] += ((disc.x - physics.CENTRE[0]) ** 2 + (disc.y - physics.CENTRE[1]) ** 2) ** 0.5

    def ended(self) -> dict[str, Any]:
        steps = max(self.acted, 1)
        return {
            "winner": physics.winner(self.world),
            "steps": self.world.steps,
            "pushes": [count / steps for count in self.pushes],
            "away": [total / steps / physics.RING_RADIUS for total in self.away],
            "contact": self.contacts / steps,
        }


def begin(rules: dict[str, Any], matches: list[tuple[str, list[list[list[float]]]]]) -> list[dict[str, Any]]:
    """Sets up matches, each a start by name and the joint actions of its opening; returns their first `_report`."""
    _rules.update(rules)
    _matches.clear()
    for slot, (start, opening) in enumerate(matches):
        world = physics.STARTS[start]
        for actions in opening:
            world = physics.step(world, actions, _rules["decay"], _rules["permanent_fatigue"])
        _matches[slot] = _Match(world)
    return [_report(slot) for slot in range(len(matches))]


def advance(moves: list[tuple[int, list[list[float]]]]) -> list[dict[str, Any]]:
    """Makes a step in each of the matches named by slot; returns their `_report` in that order."""
    for slot, actions in moves:
        _matches[slot].step(actions)
    return [_report(slot) for slot, _ in moves]


def _report(slot: int) -> dict[str, Any]:
    """What a match is at: `seen`, the packed observation of each player, or `ended`."""
    match = _matches[slot]
    if physics.is_over(match.world, _rules["max_steps"]):
        return {"ended": match.ended()}
    return {"seen": [_packed(match.world, player) for player in (0, 1)]}


def _packed(world: Any, player: int) -> dict[str, Any]:
    """The same as `games.wrestle.engine.packed_observation`."""
    disc = world.discs[player]
    seen: dict[str, Any] = {
        "agent_obs": rendering.to_text(rendering.render(world, player)),
        "id": "team_%d" % player,
    }
    if _rules["show_energy"]:
        seen["energy"] = disc.energy
    if _rules["show_speed"]:
        seen["speed"] = [disc.vx, disc.vy]
    return seen
