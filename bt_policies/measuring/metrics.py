"""The metrics by which trees are measured. A metric is a ratio of two sums over matches, so that an interval
can resample matches; `reward` metrics lie in [0, 1], 1 being the best possible, and can steer a search.

`time_between_kills`, the metric of the paper's figure 4: the shortest time between kills that the rules
permit, as a share of the one played. Permitted is `E / cycle` kills a tick, E being the number of enemies
and `cycle` the ticks from an enemy's death until it can have been shot again: its return (`respawn_ticks`),
the protection after it (`protection_ticks`), and the time that one soldier needs to kill it with the weapon
that it starts with, every shot hitting. With limited lives no more than the enemies' lives can be taken.
100 % is thus a team that always meets every enemy the moment it can be hurt and never misses; with the
default rules and two enemies that is a kill every 22.5 ticks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Figures = dict[str, tuple[float, float]]
"""The figures of one match: metric -> (numerator, denominator)."""


@dataclass(frozen=True)
class Metric:
    """A metric.

    Attributes:
      meaning: for tables and prompts.
      reward: whether it lies in [0, 1], more being better.
      percent: whether it is shown in percent.
      lower: whether less is better.
    """

    meaning: str
    reward: bool = False
    percent: bool = False
    lower: bool = False


METRICS: Mapping[str, Metric] = {
    "time_between_kills": Metric(
        "shortest time between kills that the rules permit, as a share of the one played",
        reward=True,
        percent=True,
    ),
    "score": Metric("share of matches won, draws counting half", reward=True, percent=True),
    "kill_share": Metric("kills as a share of kills and deaths", reward=True, percent=True),
    "damage_share": Metric("damage dealt as a share of damage dealt and taken", reward=True, percent=True),
    "objective_share": Metric(
        "soldiers' ticks in the zone, as a share of all their ticks in matches about it",
        reward=True,
        percent=True,
    ),
    "accuracy": Metric("share of shots that hit", reward=True, percent=True),
    "alive_share": Metric("share of ticks that soldiers are alive", reward=True, percent=True),
    "ticks_between_kills": Metric("ticks played for each kill of the team", lower=True),
    "kills": Metric("kills of the team in a match"),
    "deaths": Metric("deaths of the team in a match", lower=True),
    "pickups": Metric("health, ammunition and weapons picked up by the team in a match"),
    "distance": Metric("steps walked in 100 ticks alive"),
    "undecided": Metric("share of decisions in which the tree chose nothing", percent=True, lower=True),
    "mean_return": Metric("mean of the game's return"),
    "decisions": Metric("decisions of the tree in a match"),
}
