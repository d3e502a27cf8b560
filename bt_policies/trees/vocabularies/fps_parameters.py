"""Parameters of tasks in fps_arena: enemies, places, teammates and weapons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bt_policies.trees.vocabularies.fps_senses import (
    CLOSE,
    NEAR,
    Observation,
    best,
    best_weapon,
    cell_of,
    living,
    new_weapon,
    pickup,
    strongest_weapon,
    unchecked,
)
from bt_policies.trees.vocabulary import Parameter
from games.fps_arena.rules.weapons import PISTOL, RIFLE, SHOTGUN, SNIPER

LEAST_CHANCE = 0.05
"""The least chance of a hit that a comparison of enemies counts with."""


def _parameter(name: str, kind: str, meaning: str, find: Callable[[Observation], Any]) -> Parameter:
    return Parameter(name, kind, meaning, lambda board: find(board.seen), ("seen",))


def _random(name: str, kind: str, meaning: str, choices: Callable[[Observation], Sequence[Any]]) -> Parameter:
    def find(board: Any) -> Any:
        found = choices(board.seen)
        return board.rng.choice(found) if found else None

    return Parameter(name, kind, meaning, find, ("seen",))


def parameters() -> list[Parameter]:
    """Returns the parameters of all types."""
    return [
        _parameter(
            "nearest_enemy_in_view", "enemy", "", lambda o: o.visible_enemies[0] if o.visible_enemies else None
        ),
        _parameter(
            "weakest_enemy_in_view",
            "enemy",
            "the one with the least health",
            lambda o: best(o.visible_enemies, lambda enemy: enemy.health),
        ),
        _parameter(
            "easiest_enemy_in_view",
            "enemy",
            "the one that I hit most probably",
            lambda o: best(o.visible_enemies, lambda enemy: -enemy.hit_chance),
        ),
        _parameter(
            "quickest_kill_in_view",
            "enemy",
            "the one that I kill soonest: least health for its chance to be hit",
            lambda o: best(o.visible_enemies, lambda enemy: enemy.health / max(enemy.hit_chance, LEAST_CHANCE)),
        ),
        _random("random_enemy_in_view", "enemy", "any", lambda o: o.visible_enemies),
        _parameter(
            "nearest_enemy_location",
            "location",
            "in view, or remembered at a place that I do not see",
            lambda o: cell_of(best((*o.visible_enemies, *unchecked(o)), lambda enemy: enemy.distance)),
        ),
        _parameter(
            "last_seen_enemy_location",
            "location",
            "remembered, at a place that I do not see",
            lambda o: next((enemy.cell for enemy in unchecked(o)), None),
        ),
        _random(
            "random_enemy_location",
            "location",
            "any of these",
            lambda o: [enemy.cell for enemy in (*o.visible_enemies, *unchecked(o))],
        ),
        _parameter(
            "latest_noise",
            "location",
            "about where the last noise came from",
            lambda o: cell_of(o.noises[0] if o.noises else None),
        ),
        _parameter("nearest_health", "location", "available", lambda o: pickup(o, "health")),
        _parameter("nearest_ammunition", "location", "available", lambda o: pickup(o, "ammo")),
        _parameter("nearest_weapon", "location", "available, not carried", new_weapon),
        _parameter("zone", "location", "the middle of the zone", lambda o: o.objective),
        _parameter(
            "nearest_ally_location",
            "location",
            "",
            lambda o: cell_of(best(living(o), lambda ally: ally.distance)),
        ),
        _parameter("nearest_ally", "ally", "", lambda o: best(living(o), lambda ally: ally.distance)),
        _parameter(
            "weakest_ally",
            "ally",
            "the one with the least health",
            lambda o: best(living(o), lambda ally: ally.health),
        ),
        _parameter(
            "first_ally",
            "ally",
            "lowest number: the same leader for all",
            lambda o: best([ally for ally in living(o) if ally.player < o.player], lambda ally: ally.player),
        ),
        _parameter("pistol", "weapon", "never runs out", lambda o: PISTOL),
        _parameter("rifle", "weapon", "", lambda o: RIFLE),
        _parameter("shotgun", "weapon", "", lambda o: SHOTGUN),
        _parameter("sniper", "weapon", "", lambda o: SNIPER),
        _parameter(
            "best_weapon",
            "weapon",
            f"carried, by the distance of the nearest known enemy: up to {CLOSE:g} cells the shotgun, beyond "
            f"{2 * NEAR:g} the sniper, else the rifle",
            best_weapon,
        ),
        _parameter(
            "strongest_weapon",
            "weapon",
            "carried, with rounds left: the most damage a tick at the distance of the nearest known enemy; the one in "
            "hand unless another does half as much again",
            strongest_weapon,
        ),
    ]
