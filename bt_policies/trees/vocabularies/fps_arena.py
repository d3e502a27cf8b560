"""Words for fps_arena: what a soldier sees, hears and remembers (`games.fps_arena` Observation), no
more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyspiel

from bt_policies.trees.player import TreePlayer
from bt_policies.trees.vocabularies.fps_actions import ACTIONS
from bt_policies.trees.vocabulary import Condition, Key, Parameter, declare
from games.fps_arena.openspiel.controller_bot import ControllerBot
from games.fps_arena.rules import orders
from games.fps_arena.rules.weapons import NAMES, PISTOL, RIFLE, SHOTGUN, SNIPER

_BESIDE, _CLOSE, _NEAR, _RECENT = 1.5, 4.0, 6.0, 12

Observation = Any
"""`games.fps_arena.knowing.observation.Observation`; the words below say which of its fields they need."""


def _condition(name: str, meaning: str, test: Callable[[Observation], bool]) -> Condition:
    return Condition(name, meaning, lambda board: test(board.seen), ("seen",))


def _parameter(name: str, kind: str, meaning: str, find: Callable[[Observation], Any]) -> Parameter:
    return Parameter(name, kind, meaning, lambda board: find(board.seen), ("seen",))


def _random(name: str, kind: str, meaning: str, choices: Callable[[Observation], Sequence[Any]]) -> Parameter:
    def find(board: Any) -> Any:
        found = choices(board.seen)
        return board.rng.choice(found) if found else None

    return Parameter(name, kind, meaning, find, ("seen",))


def _pickup(seen: Observation, *kinds: str) -> int | None:
    return next(
        (each.cell for each in seen.pickups if each.kind in kinds and each.available and each.distance >= 0),
        None,
    )


def _unchecked(seen: Observation) -> list[Any]:
    """Returns remembered enemies at places that are not in view now: there they may still be."""
    return [
        enemy for enemy in seen.remembered_enemies if enemy.distance > _BESIDE and not seen.in_view(enemy.cell)
    ]


def _new_weapon(seen: Observation) -> int | None:
    return _pickup(seen, *(NAMES[kind] for kind in (SHOTGUN, SNIPER) if kind not in seen.weapons))


def _cell(found: Any) -> int | None:
    return None if found is None else found.cell


def _best(found: Sequence[Any], key: Callable[[Any], Any]) -> Any:
    return min(found, key=key, default=None)


def _living(seen: Observation) -> list[Any]:
    return [ally for ally in seen.allies if ally.alive]


def _best_weapon(seen: Observation) -> int:
    """Returns the carried weapon for the distance of the nearest known enemy: shotgun near, sniper far, else
    rifle.
    """
    known = seen.known_enemies
    distance = known[0].distance if known else _NEAR
    wanted = (RIFLE, SHOTGUN)
    if distance <= _CLOSE:
        wanted = (SHOTGUN, RIFLE)
    elif distance > 2 * _NEAR:
        wanted = (SNIPER, RIFLE)
    return next((weapon for weapon in (*wanted, SNIPER, SHOTGUN) if weapon in seen.weapons), PISTOL)


VOCABULARY = declare(
    game="fps_arena",
    scenario="A first-person shooter on a map of walls and low cover. A soldier sees what lies in its "
    "field of view and line of sight, hears shots and near steps, and remembers where enemies "
    "were. Modes: deathmatch and team deathmatch (kills count), control (hold the zone), "
    "elimination (last team alive). The dead return later, except in elimination. Health, "
    "ammunition and weapons lie on the map. The tree is asked in every tick for each soldier, "
    "from the root. A soldier acts and moves in the same tick: `shoot`, `reload`, `switch_to`, "
    "`look_at` and `look_around` succeed at once, so that a sequence goes on to a move; moves are "
    "under way until they are there, and end the tick.",
    tactics="Find enemies fast and kill them often without dying: shoot what is in view, chase what is "
    "remembered, reload in time, fetch health when hurt, and search the map where nothing is "
    "known.",
    types={
        "enemy": "an enemy in view",
        "location": "a place",
        "ally": "a living teammate",
        "weapon": "a weapon",
    },
    keys=(
        Key("seen", "the soldier's observation"),
        Key("move", "the step chosen, 0 to stay", orders.STAY, each_tick=True),
        Key("act", "the act chosen, `orders.GO` for none", orders.GO, each_tick=True),
        Key("patrol", "the place that a patrol goes to"),
    ),
    conditions=[
        _condition("has_enemy_in_view", "", lambda o: bool(o.visible_enemies)),
        _condition("remembers_enemy", "at a place that I do not see now", lambda o: bool(_unchecked(o))),
        _condition("hears_noise", "an enemy's shot or steps", lambda o: bool(o.noises)),
        _condition(
            "was_hit_recently",
            "within the last 12 ticks",
            lambda o: o.hurt is not None and o.hurt.age <= _RECENT,
        ),
        _condition("is_hurt", "health below 60 %", lambda o: o.health < 0.6 * o.max_health),
        _condition("is_badly_hurt", "health below 30 %", lambda o: o.health < 0.3 * o.max_health),
        _condition(
            "enemy_is_close",
            "one in view is within 4 cells",
            lambda o: bool(o.visible_enemies) and o.visible_enemies[0].distance <= _CLOSE,
        ),
        _condition(
            "enemy_in_effective_range",
            "the nearest in view is",
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
            "a living teammate is within 6 cells",
            lambda o: any(ally.distance <= _NEAR for ally in _living(o)),
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
        _condition("health_is_available", "as far as I know", lambda o: _pickup(o, "health") is not None),
        _condition("ammunition_is_available", "", lambda o: _pickup(o, "ammo") is not None),
        _condition("weapon_is_available", "one that I do not carry", lambda o: _new_weapon(o) is not None),
        _condition("has_objective", "the mode has a zone to hold", lambda o: o.objective is not None),
        _condition("is_in_zone", "", lambda o: o.objective is not None and o.in_zone),
        _condition("team_owns_zone", "", lambda o: o.objective is not None and o.zone_owner == o.team),
        _condition("is_leading", "", lambda o: o.lead > 0),
        _condition("is_behind", "", lambda o: o.lead < 0),
        _condition("is_last_alive", "no teammate is alive", lambda o: not _living(o)),
        Condition("one_in_three", "at random", lambda board: board.rng.random() < 1 / 3),
    ],
    actions=ACTIONS,
    parameters=[
        _parameter(
            "nearest_enemy_in_view", "enemy", "", lambda o: o.visible_enemies[0] if o.visible_enemies else None
        ),
        _parameter(
            "weakest_enemy_in_view",
            "enemy",
            "the one with the least health",
            lambda o: _best(o.visible_enemies, lambda enemy: enemy.health),
        ),
        _parameter(
            "easiest_enemy_in_view",
            "enemy",
            "the one that I hit most probably",
            lambda o: _best(o.visible_enemies, lambda enemy: -enemy.hit_chance),
        ),
        _random("random_enemy_in_view", "enemy", "any", lambda o: o.visible_enemies),
        _parameter(
            "nearest_enemy_location",
            "location",
            "in view, or remembered at a place that I do not see",
            lambda o: _cell(_best((*o.visible_enemies, *_unchecked(o)), lambda enemy: enemy.distance)),
        ),
        _parameter(
            "last_seen_enemy_location",
            "location",
            "remembered, at a place that I do not see",
            lambda o: next((enemy.cell for enemy in _unchecked(o)), None),
        ),
        _random(
            "random_enemy_location",
            "location",
            "any of these",
            lambda o: [enemy.cell for enemy in (*o.visible_enemies, *_unchecked(o))],
        ),
        _parameter(
            "latest_noise",
            "location",
            "about where the last noise came from",
            lambda o: _cell(o.noises[0] if o.noises else None),
        ),
        _parameter("nearest_health", "location", "available", lambda o: _pickup(o, "health")),
        _parameter("nearest_ammunition", "location", "available", lambda o: _pickup(o, "ammo")),
        _parameter("nearest_weapon", "location", "available, not carried", _new_weapon),
        _parameter("zone", "location", "the middle of the zone", lambda o: o.objective),
        _parameter(
            "nearest_ally_location",
            "location",
            "",
            lambda o: _cell(_best(_living(o), lambda ally: ally.distance)),
        ),
        _parameter("nearest_ally", "ally", "", lambda o: _best(_living(o), lambda ally: ally.distance)),
        _parameter(
            "weakest_ally",
            "ally",
            "the one with the least health",
            lambda o: _best(_living(o), lambda ally: ally.health),
        ),
        _parameter(
            "first_ally",
            "ally",
            "lowest number: the same leader for all",
            lambda o: _best([ally for ally in _living(o) if ally.player < o.player], lambda ally: ally.player),
        ),
        _parameter("pistol", "weapon", "never runs out", lambda o: PISTOL),
        _parameter("rifle", "weapon", "middle distances", lambda o: RIFLE),
        _parameter("shotgun", "weapon", "up to about 4 cells", lambda o: SHOTGUN),
        _parameter("sniper", "weapon", "far, slow", lambda o: SNIPER),
        _parameter("best_weapon", "weapon", "the carried one for the enemy's distance", _best_weapon),
    ],
)


class TreeController:
    """A tree as a controller of `games.fps_arena.play.match.play`.

    Attributes:
      decisions, undecided: those of the last match: ticks in which the tree was asked, and in which it failed.

    Args:
      make_player: from a seed to a `player.TreePlayer`; asked anew at the start of each match.
    """

    def __init__(self, make_player: Callable[[int], TreePlayer]):
        self._make_player = make_player
        self.decisions = self.undecided = 0

    def start(self, rules: Any, arena: Any, player: int, seed: int) -> None:
        self._player = self._make_player(seed)
        self.decisions = self.undecided = 0

    def act(self, observation: Observation) -> int:
        """Returns the order that the tree chooses for this tick; to stay and look ahead where it chooses
        none.
        """
        board = self._player.board
        self.decisions += 1
        if not self._player.tick(observation):
            self.undecided += 1
        return observation.codec.order(board.move, board.act)


def member_of(game: pyspiel.Game, player_id: int) -> int:
    """Returns the place of a seat in its team, from 0."""
    return player_id // game.rules.teams


def make_bot(
    game: pyspiel.Game, player_id: int, seed: int, make_player: Callable[[int], TreePlayer]
) -> pyspiel.Bot:
    """Returns the bot of a tree."""
    return ControllerBot(game, player_id, TreeController(make_player), seed)
