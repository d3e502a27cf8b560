"""Counts of a match, by player and by team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.fps_arena.rules.engine import State
from games.fps_arena.rules.soldier import Tally


def metrics(state: State) -> dict[str, Any]:
    """Counts the events of a match up to now, JSON-able.

    Returns:
      `ticks`, the ticks played; `players` and `teams`, a list of dicts each, by number, in which the numbers
      of a team are the sums over its players unless said otherwise: `team` (for a player); `score` (that of
      the team); `kills`, `deaths`; `kill_ticks`, in order; `time_between_kills`, ticks played for each kill,
      None without one; `shots`, `hits` (shots of which at least one pellet hit), `accuracy`, hits for each
      shot, None without one; `damage_dealt`, `damage_taken`, in health points; `objective_ticks`, ticks alive
      on the control point; `captures` of it (for a team the most of one player); `pickups`, by "health",
      "ammo" and "weapon"; `distance`, steps; `alive_ticks`.
    """
    players = [
        {"team": soldier.team, "score": state.scores[soldier.team], **_summary([soldier.tally], state)}
        for soldier in state.soldiers
    ]
    teams = []
    for team, score in enumerate(state.scores):
        tallies = [soldier.tally for soldier in state.soldiers if soldier.team == team]
        teams.append({"score": score, **_summary(tallies, state)})
    return {"ticks": state.tick, "players": players, "teams": teams}


def _summary(tallies: Sequence[Tally], state: State) -> dict[str, Any]:
    def total(name: str) -> int:
        return sum(getattr(tally, name) for tally in tallies)

    kills, shots, hits = total("kills"), total("shots"), total("hits")
    return {
        "kills": kills,
        "deaths": total("deaths"),
        "kill_ticks": sorted(tick for tally in tallies for tick in tally.kill_ticks),
        "time_between_kills": state.tick / kills if kills else None,
        "shots": shots,
        "hits": hits,
        "accuracy": hits / shots if shots else None,
        "damage_dealt": round(total("damage_dealt"), 1),
        "damage_taken": round(total("damage_taken"), 1),
        "objective_ticks": total("objective_ticks"),
        "captures": max(tally.captures for tally in tallies),
        "pickups": {"health": total("health"), "ammo": total("ammo"), "weapon": total("weapon")},
        "distance": total("distance"),
        "alive_ticks": total("alive_ticks"),
    }
