"""What trees are measured by. A metric is a ratio of two sums over matches, so that an interval can
resample matches; `reward` metrics lie in [0, 1], 1 being the best possible, and can steer a search.

`time_between_kills`, the metric of the paper's figure 4: the shortest time between kills that the rules
permit, as a share of the one played. Permitted is `E / cycle` kills a tick, E being the number of enemies
and `cycle` the ticks from an enemy's death until it can have been shot again: its return (`respawn_ticks`),
the protection after it (`protection_ticks`), and the time that one soldier needs to kill it with the weapon
that it starts with, every shot hitting. With limited lives no more than the enemies' lives can be taken.
100 % is thus a team that always meets every enemy the moment it can be hurt and never misses; with the
default rules and two enemies that is a kill every 22.5 ticks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runs.suggestions import nearest

Figures = dict[str, tuple[float, float]]
"""Of one match: metric -> (numerator, denominator)."""


@dataclass(frozen=True)
class Metric:
    """A metric.

    Attributes:
      meaning: for tables and prompts.
      reward: whether it lies in [0, 1], more being better.
      percent: whether it is shown in percent.
      game: short name, None for every game but fps_arena.
      lower: whether less is better.
    """

    meaning: str
    game: str | None = "fps_arena"
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
    "mean_return": Metric("mean of the game's return", game=None),
    "decisions": Metric("decisions of the tree in a match", game=None),
}


def known(name: str, game: str) -> bool:
    """Whether matches of a game are measured by this metric; `score` and `undecided` serve every game."""
    metric = METRICS.get(name)
    return metric is not None and (
        name in ("score", "undecided") or (metric.game == game) or (metric.game is None and game != "fps_arena")
    )


def check_reward(name: str, game: str) -> None:
    """Raises ValueError, in one sentence, where a metric cannot steer a search in a game."""
    usable = [each for each in METRICS if known(each, game) and METRICS[each].reward]
    if name not in usable:
        raise ValueError(f"metric {name!r} cannot be a reward in {game}; {nearest(name, usable)}")


def fps_figures(match: Any, team: int, undecided: int, decisions: int) -> Figures:
    """The figures of one match of fps_arena (`games.fps_arena.play.match.Match`) for a team.

    Args:
      match: that was played.
      team: number.
      undecided, decisions: of its trees.
    """
    rules, played = match.rules, match.metrics()
    own, ticks = played["teams"][team], played["ticks"]
    members = len(rules.members(team))
    enemies = rules.players - members
    best = most_kills(rules, enemies, ticks)
    others = max(score for number, score in enumerate(match.scores) if number != team)
    score = 1.0 if own["score"] > others else 0.5 if own["score"] == others else 0.0
    zone = (own["objective_ticks"], ticks * members) if rules.mode == "control" else (0, 0)
    return {
        "time_between_kills": (min(1.0, own["kills"] / best), 1),
        "score": (score, 1),
        "kill_share": (own["kills"], own["kills"] + own["deaths"]),
        "damage_share": (own["damage_dealt"], own["damage_dealt"] + own["damage_taken"]),
        "objective_share": zone,
        "accuracy": (own["hits"], own["shots"]),
        "alive_share": (own["alive_ticks"], ticks * members),
        "ticks_between_kills": (ticks, own["kills"]),
        "kills": (own["kills"], 1),
        "deaths": (own["deaths"], 1),
        "pickups": (sum(own["pickups"].values()), 1),
        "distance": (100 * own["distance"], own["alive_ticks"]),
        "undecided": (undecided, decisions),
    }


def most_kills(rules: Any, enemies: int, ticks: int) -> float:
    """The most kills that the rules permit a team in so many ticks; see the module's docstring.

    Args:
      rules: `games.fps_arena.rules.parameters.Rules`.
      enemies: how many soldiers it fights against, at least 1.
      ticks: played, at least 1.
    """
    from games.fps_arena.rules.weapons import NAMES

    weapon = rules.weapons[NAMES.index(rules.start_weapon)]
    shots = math.ceil(rules.health / max(1, weapon.damage * weapon.pellets))
    cycle = rules.respawn_ticks + rules.protection_ticks + shots * weapon.cooldown
    permitted = enemies * ticks / cycle
    return min(permitted, enemies * rules.lives) if rules.lives else permitted
