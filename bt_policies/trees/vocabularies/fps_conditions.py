"""Conditions of trees in fps_arena: what a soldier sees, hears and remembers, no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bt_policies.trees.vocabularies.fps_facts import effective
from bt_policies.trees.vocabularies.fps_senses import (
    CLOSE,
    NEAR,
    RECENT,
    Observation,
    living,
    new_weapon,
    pickup,
    steps_to,
    unchecked,
)
from bt_policies.trees.vocabulary import Condition, Number
from games.fps_arena.rules.parameters import MOST_PLAYERS, Rules
from games.fps_arena.rules.weapons import SHOTGUN, SNIPER

ZONE_MEMORY = 30
"""Ticks for which an enemy that was seen in the zone counts as being there."""
_PERCENT = Number(1, 100, "percent")
_CELLS = Number(1, 64, "cells")
_STEPS = Number(1, 100, "steps to walk")
_TICKS = Number(1, 600, "ticks")
_LEAD = Number(-50, 50, "points")


def _condition(name: str, meaning: str, test: Callable[[Observation], bool]) -> Condition:
    return Condition(name, meaning, lambda board: test(board.seen), ("seen",))


def _threshold(
    name: str, meaning: str, number: Number, test: Callable[[Observation, float], bool]
) -> Condition:
    return Condition(name, meaning, lambda board, value: test(board.seen, value), ("seen",), number)


def _nearer(found: Any, cells: float) -> bool:
    return any(one.distance <= cells for one in found)


def _younger(found: Any, ticks: float) -> bool:
    return any(one.age <= ticks for one in found)


def _within(seen: Observation, cell: int | None, steps: float) -> bool:
    return cell is not None and steps_to(seen, cell) <= steps


def _enemy_in_zone(seen: Observation) -> bool:
    known = (one for one in seen.known_enemies if one.age <= ZONE_MEMORY)
    return seen.objective is not None and any(one.cell in seen.arena.zone for one in known)


def conditions(rules: Rules) -> list[Condition]:
    """Returns the conditions, their meanings by these rules."""
    return [*_plain(rules), *_thresholds()]


def _plain(rules: Rules) -> list[Condition]:
    return [
        _condition("has_enemy_in_view", "", lambda o: bool(o.visible_enemies)),
        _condition("remembers_enemy", "at a place that I do not see now", lambda o: bool(unchecked(o))),
        _condition("hears_noise", "an enemy's shot or steps", lambda o: bool(o.noises)),
        _condition(
            "was_hit_recently",
            f"within the last {RECENT} ticks",
            lambda o: o.hurt is not None and o.hurt.age <= RECENT,
        ),
        _condition("is_hurt", "health below 60 %", lambda o: o.health < 0.6 * o.max_health),
        _condition("is_badly_hurt", "health below 30 %", lambda o: o.health < 0.3 * o.max_health),
        _condition(
            "enemy_is_close",
            f"one in view is within {CLOSE:g} cells",
            lambda o: bool(o.visible_enemies) and o.visible_enemies[0].distance <= CLOSE,
        ),
        _condition(
            "enemy_in_effective_range",
            f"the nearest in view is within the distance at which half of my shots hit while both stand ({effective(rules)})",
            lambda o: bool(o.visible_enemies) and o.visible_enemies[0].distance <= o.effective_range,
        ),
        _condition(
            "has_good_shot",
            "a shot at some enemy in view hits with at least 50 %",
            lambda o: any(enemy.hit_chance >= 0.5 for enemy in o.visible_enemies),
        ),
        _condition(
            "enemy_is_weak",
            "one in view has less than half of its health",
            lambda o: any(enemy.health < 0.5 * o.max_health for enemy in o.visible_enemies),
        ),
        _condition(
            "is_outnumbered",
            "more enemies in view than teammates in view and me",
            lambda o: len(o.visible_enemies) > len(o.visible_allies) + 1,
        ),
        _condition(
            "ally_is_near",
            f"a living teammate is within {NEAR:g} cells",
            lambda o: any(ally.distance <= NEAR for ally in living(o)),
        ),
        _condition("magazine_is_empty", "", lambda o: o.magazine == 0),
        _condition(
            "magazine_is_low",
            "a third or less is loaded",
            lambda o: 3 * o.magazine <= o.rules.weapons[o.weapon].magazine,
        ),
        _condition("ammunition_is_low", "less than a quarter, reserve included", lambda o: o.ammo_share < 0.25),
        _condition("is_reloading", "", lambda o: o.reloading > 0),
        _condition("carries_shotgun", "", lambda o: SHOTGUN in o.weapons),
        _condition("carries_sniper", "", lambda o: SNIPER in o.weapons),
        _condition("health_is_available", "as far as I know", lambda o: pickup(o, "health") is not None),
        _condition("ammunition_is_available", "", lambda o: pickup(o, "ammo") is not None),
        _condition("weapon_is_available", "one that I do not carry", lambda o: new_weapon(o) is not None),
        _condition("has_objective", "the mode has a zone to hold", lambda o: o.objective is not None),
        _condition("is_in_zone", "", lambda o: o.objective is not None and o.in_zone),
        _condition("team_owns_zone", "", lambda o: o.objective is not None and o.zone_owner == o.team),
        _condition("is_leading", "", lambda o: o.lead > 0),
        _condition("is_behind", "", lambda o: o.lead < 0),
        _condition("is_last_alive", "no teammate is alive", lambda o: not living(o)),
        Condition("one_in_three", "at random", lambda board: board.rng.random() < 1 / 3),
        _condition(
            "enemy_in_zone",
            f"one in view, or seen at most {ZONE_MEMORY} ticks ago, stands in it",
            _enemy_in_zone,
        ),
        _condition("is_protected", "nothing hurts me yet", lambda o: o.protected > 0),
        _condition("enemy_is_protected_by_cover", "the nearest in view is behind low cover", _nearest_covered),
    ]


def _nearest_covered(seen: Observation) -> bool:
    return bool(seen.visible_enemies) and seen.visible_enemies[0].covered


def _thresholds() -> list[Condition]:
    return [
        _threshold("health_below", "mine", _PERCENT, lambda o, n: 100 * o.health < n * o.max_health),
        _threshold(
            "enemy_health_below",
            "the weakest in view; percent of full health",
            _PERCENT,
            lambda o, n: any(100 * enemy.health < n * o.max_health for enemy in o.visible_enemies),
        ),
        _threshold(
            "hit_chance_at_least",
            "my chance to hit, best over the enemies in view, as we move and stand now",
            _PERCENT,
            lambda o, n: any(100 * enemy.hit_chance >= n for enemy in o.visible_enemies),
        ),
        _threshold("enemy_within", "the nearest in view", _CELLS, lambda o, n: _nearer(o.visible_enemies, n)),
        _threshold(
            "enemies_in_view_at_least",
            "",
            Number(1, MOST_PLAYERS - 1, "soldiers"),
            lambda o, n: len(o.visible_enemies) >= n,
        ),
        _threshold(
            "remembered_within",
            "an enemy that I remember where I do not see; as the crow flies",
            _CELLS,
            lambda o, n: _nearer(unchecked(o), n),
        ),
        _threshold(
            "seen_within_ticks",
            "the last sight of an enemy that I remember where I do not see is at most so old",
            _TICKS,
            lambda o, n: _younger(unchecked(o), n),
        ),
        _threshold(
            "heard_within_ticks", "the last noise is at most so old", _TICKS, lambda o, n: _younger(o.noises, n)
        ),
        _threshold("noise_within", "as the crow flies", _CELLS, lambda o, n: _nearer(o.noises, n)),
        _threshold(
            "hit_within_ticks",
            "I was hit at most so long ago",
            _TICKS,
            lambda o, n: o.hurt is not None and o.hurt.age <= n,
        ),
        _threshold(
            "magazine_below",
            "of the weapon in hand",
            _PERCENT,
            lambda o, n: 100 * o.magazine < n * o.rules.weapons[o.weapon].magazine,
        ),
        _threshold(
            "ammunition_below",
            "of the weapon in hand, reserve included",
            _PERCENT,
            lambda o, n: 100 * o.ammo_share < n,
        ),
        _threshold("health_within", "available", _STEPS, lambda o, n: _within(o, pickup(o, "health"), n)),
        _threshold("ammunition_within", "available", _STEPS, lambda o, n: _within(o, pickup(o, "ammo"), n)),
        _threshold(
            "weapon_within", "available, not carried", _STEPS, lambda o, n: _within(o, new_weapon(o), n)
        ),
        _threshold("zone_within", "", _STEPS, lambda o, n: _within(o, o.objective, n)),
        _threshold("ally_within", "a living teammate", _CELLS, lambda o, n: _nearer(living(o), n)),
        _threshold(
            "enemies_alive_at_most",
            "everybody is told",
            Number(0, MOST_PLAYERS - 1, "soldiers"),
            lambda o, n: o.alive_enemies <= n,
        ),
        _threshold("lead_at_least", "my team's score less the best other", _LEAD, lambda o, n: o.lead >= n),
        _threshold("ticks_left_below", "of the match", _TICKS, lambda o, n: o.ticks_left < n),
    ]
