"""Every number of a game of `fps_arena`, in one immutable object."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from games.fps_arena.rules import weapons
from games.fps_arena.rules.weapons import Weapon

MODES = ("dm", "tdm", "control", "elimination")
MAP_KINDS = ("rooms", "corridors", "caves", "open")
MOST_PLAYERS = 8


@dataclass(frozen=True)
class Rules:
    """The parameters of the game, under the names that OpenSpiel's game string gives them; the weapons'
    are `rifle_damage` and the like, see `weapons.Weapon`.

    Attributes:
      players: number of soldiers, 2 to 8.
      teams: number of teams, a divisor of `players` from 2 on; 0 for the usual number of the mode (each for
        itself in `dm`, else 2). The team of a seat is seat % teams.
      mode: `dm` (deathmatch) and `tdm` (team deathmatch) count kills, `control` the ticks in which a
        team owns the control point, `elimination` the lives left.
      map, size, map_seed, symmetric: see `terrain.generate`; size is 16 to 64 cells to a side.
      ticks: length of a match, at least 1.
      ticks_per_decision: ticks for which each order stands.
      score_limit: a team that reaches it ends the match; 0 for none. Not in `elimination`.
      chance_seeds: number of outcomes of the draw at the start, from which all further chance follows.
      health: health points of a soldier at its start, and at most.
      sight: distance in cells up to which soldiers see.
      fov: field of view in degrees, 20 to 360, the facing in its middle.
      radio: whether what one soldier sees enters the memory of its whole team.
      memory_ticks: ticks after which enemies seen, noises and hits are forgotten.
      shot_hearing, step_hearing: distances in cells up to which shots and steps are heard.
      move_ticks: ticks that a step takes, diagonal or not.
      turn_rate: eighths of a turn that a soldier can make in a tick, 1 to 4.
      switch_ticks: ticks from the choice of another weapon until it can fire.
      moving_spread: factor on the spread while the shooter is in a step.
      target_spread: factor on the spread while the target is in a step.
      cover: share of the hits that low cover stops.
      cover_distance: low cover protects from shooters farther away than this, in cells of chess king's
        distance.
      team_collision: whether teammates block each other's way as enemies do.
      respawn_ticks: ticks from a death until the return.
      protection_ticks: ticks after a return in which nothing hurts, until the first own shot.
      lives: number of lives of each soldier; 0 for any number, but 1 in `elimination`.
      start_weapon: weapon carried at the start beside the pistol; `pistol` for nothing else.
      pickups: number of places where something can be picked up.
      pickup_ticks: ticks until a thing that was picked up is there again.
      medkit: health points that a pick-up gives.
      zone_radius: radius of the control point, in cells.
      capture_ticks: ticks that a team must be alone on the control point to own it.
      weapons: the weapons in the order of `weapons.NAMES`.
    """

    players: int = 4
    teams: int = 0
    mode: str = "tdm"
    map: str = "rooms"
    size: int = 32
    map_seed: int = 0
    symmetric: bool = True
    ticks: int = 600
    ticks_per_decision: int = 1
    score_limit: int = 0
    chance_seeds: int = 1000
    health: int = 100
    sight: int = 18
    fov: int = 120
    radio: bool = True
    memory_ticks: int = 100
    shot_hearing: int = 14
    step_hearing: int = 5
    move_ticks: int = 2
    turn_rate: int = 2
    switch_ticks: int = 3
    moving_spread: float = 1.5
    target_spread: float = 1.2
    cover: float = 0.6
    cover_distance: int = 2
    team_collision: bool = False
    respawn_ticks: int = 25
    protection_ticks: int = 8
    lives: int = 0
    start_weapon: str = "rifle"
    pickups: int = 8
    pickup_ticks: int = 120
    medkit: int = 50
    zone_radius: float = 3.0
    capture_ticks: int = 10
    weapons: tuple[Weapon, ...] = field(default=weapons.DEFAULTS)

    def __post_init__(self) -> None:
        for name, low, high in _BOUNDS:
            value = getattr(self, name)
            if not low <= value <= high:
                expected = f"from {low:g} to {high:g}" if math.isfinite(high) else f"{low:g} or more"
                raise ValueError(f"fps_arena: {name} must be {expected}, got {value!r}.")
        for name, known in (("mode", MODES), ("map", MAP_KINDS), ("start_weapon", weapons.NAMES)):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"fps_arena: {name} must be one of {', '.join(known)}, got {getattr(self, name)!r}."
                )
        if self.teams == 0:
            object.__setattr__(self, "teams", self.players if self.mode == "dm" else 2)
        if self.teams < 2 or self.players % self.teams:
            raise ValueError(
                f"fps_arena: teams must divide the {self.players} players into 2 or more of "
                f"equal size, got {self.teams}."
            )
        if self.mode == "dm" and self.teams != self.players:
            raise ValueError(
                f"fps_arena: in dm each of the {self.players} players is for itself, got "
                f"teams={self.teams}; use mode=tdm."
            )
        if self.lives == 0 and self.mode == "elimination":
            object.__setattr__(self, "lives", 1)
        for name, weapon in zip(weapons.NAMES, self.weapons, strict=True):
            _check_weapon(name, weapon)

    def __deepcopy__(self, memo: object) -> Rules:
        return self

    def team(self, player: int) -> int:
        """Returns the team of a seat."""
        return player % self.teams

    def members(self, team: int) -> range:
        """Returns the seats of a team."""
        return range(team, self.players, self.teams)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Rules:
        """Returns the rules that OpenSpiel's parameters name; what is missing has its default.

        Raises:
          ValueError: a name is unknown, or a value out of range.
        """
        unknown = parameters.keys() - PARAMETERS.keys()
        if unknown:
            raise ValueError(
                f"fps_arena: there is no parameter {min(unknown)!r}; there are {', '.join(PARAMETERS)}."
            )
        values = {**PARAMETERS, **parameters}
        for name, value in values.items():
            # Game strings say 3 where a fraction is meant; the other way round it is an error.
            if type(PARAMETERS[name]) is float and type(value) is int:
                values[name] = float(value)
            elif type(value) is not type(PARAMETERS[name]):
                raise ValueError(
                    f"fps_arena: {name} must be of type {type(PARAMETERS[name]).__name__}, got {value!r}."
                )
        kinds = tuple(
            Weapon(*(values.pop(f"{name}_{part}") for part in Weapon._fields)) for name in weapons.NAMES
        )
        return cls(**values, weapons=kinds)


_INFINITY = math.inf
_BOUNDS = (
    ("players", 2, MOST_PLAYERS),
    ("teams", 0, MOST_PLAYERS),
    ("size", 16, 64),
    ("map_seed", 0, _INFINITY),
    ("ticks", 1, _INFINITY),
    ("ticks_per_decision", 1, _INFINITY),
    ("score_limit", 0, _INFINITY),
    ("chance_seeds", 1, 1_000_000),
    ("health", 1, _INFINITY),
    ("sight", 1, 64),
    ("fov", 20, 360),
    ("memory_ticks", 0, _INFINITY),
    ("shot_hearing", 0, _INFINITY),
    ("step_hearing", 0, _INFINITY),
    ("move_ticks", 1, _INFINITY),
    ("turn_rate", 1, 4),
    ("switch_ticks", 0, _INFINITY),
    ("moving_spread", 1, 20),
    ("target_spread", 1, 20),
    ("cover", 0, 1),
    ("cover_distance", 0, _INFINITY),
    ("respawn_ticks", 1, _INFINITY),
    ("protection_ticks", 0, _INFINITY),
    ("lives", 0, _INFINITY),
    ("pickups", 0, 40),
    ("pickup_ticks", 1, _INFINITY),
    ("medkit", 1, _INFINITY),
    ("zone_radius", 0.5, 6),
    ("capture_ticks", 1, _INFINITY),
)


def _check_weapon(name: str, weapon: Weapon) -> None:
    bounds = {
        "damage": (0, _INFINITY),
        "pellets": (1, 50),
        "magazine": (1, _INFINITY),
        "reserve": (-1, _INFINITY),
        "cooldown": (1, _INFINITY),
        "reload": (1, _INFINITY),
        "range": (0.5, 100),
        "spread": (0, 89),
    }
    for part, (low, high) in bounds.items():
        value = getattr(weapon, part)
        if not low <= value <= high:
            expected = f"from {low:g} to {high:g}" if math.isfinite(high) else f"{low:g} or more"
            raise ValueError(f"fps_arena: {name}_{part} must be {expected}, got {value!r}.")


PARAMETERS: dict[str, Any] = {
    **{entry.name: entry.default for entry in fields(Rules) if entry.name != "weapons"},
    **{
        f"{name}_{part}": value
        for name, weapon in zip(weapons.NAMES, weapons.DEFAULTS)
        for part, value in weapon._asdict().items()
    },
}
"""OpenSpiel's parameters and their defaults."""
