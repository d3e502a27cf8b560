"""The scenarios of ViZDoom that trees play; all ship with its package, with Freedoom's graphics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyspiel

from runs.suggestions import nearest


class Scenario(NamedTuple):
    """A scenario.

    Attributes:
      config: its file in ViZDoom's package.
      about: what it is about, for prompts.
      bots: number of scripted bots, which are ViZDoom's own; 0 where monsters are the enemies.
      moves: whether the player can walk.
      tics: the longest episode, of 35 tics a second.
    """

    config: str
    about: str
    bots: int
    moves: bool
    tics: int


SCENARIOS: Mapping[str, Scenario] = {
    "cig": Scenario(
        "cig.cfg",
        "Deathmatch against scripted bots, each for itself, with the rocket launcher, on a map of rooms; the dead return.",
        4,
        True,
        4200,
    ),
    "deathmatch": Scenario(
        "deathmatch.cfg",
        "An arena with weapons, ammunition and health, into which monsters come for as long as one lives.",
        0,
        True,
        4200,
    ),
    "deadly_corridor": Scenario(
        "deadly_corridor.cfg", "A corridor with monsters with guns on both sides.", 0, True, 2100
    ),
    "defend_the_center": Scenario(
        "defend_the_center.cfg",
        "The player stands in the middle of a round room with a pistol and 26 rounds and can only turn and shoot; monsters "
        "come from all sides.",
        0,
        False,
        2100,
    ),
    "defend_the_line": Scenario(
        "defend_the_line.cfg",
        "The player stands at one end of a room with a pistol and can only turn and shoot; monsters come from the other end.",
        0,
        False,
        2100,
    ),
}
"""Name -> scenario."""


def scenario_of(game: str) -> tuple[str, Scenario]:
    """Returns the name and the scenario of a game string such as `vizdoom(scenario=cig,bots=2,tics=700)`.

    Raises:
      ValueError: the scenario or a parameter is unknown, or a number is out of range.
    """
    given: dict[str, Any] = pyspiel.game_parameters_from_string(game)
    given.pop("name")
    name = given.pop("scenario", "cig")
    if name not in SCENARIOS:
        raise ValueError(f"vizdoom, scenario: unknown {name!r}; {nearest(name, SCENARIOS)}")
    scenario = SCENARIOS[name]
    for key, lowest, highest in (("bots", 0, 7), ("tics", 4, 100_000)):
        value = given.pop(key, getattr(scenario, key))
        if not isinstance(value, int) or not lowest <= value <= highest:
            raise ValueError(f"vizdoom, {key}: expected {lowest} to {highest}, found {value!r}")
        scenario = scenario._replace(**{key: value})
    if scenario.bots and not SCENARIOS[name].bots:
        raise ValueError(f"vizdoom, bots: {name} has none, found {scenario.bots}; use scenario=cig")
    for key in given:
        raise ValueError(f"vizdoom: unknown parameter {key!r}; {nearest(key, ['scenario', 'bots', 'tics'])}")
    return name, scenario
