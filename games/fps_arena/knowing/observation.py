"""The knowledge of one player at one tick: the interface of behaviour trees and scripts.

The fields hold only what the soldier sees, hears, remembers or is told, beside the map and the rules, which
everybody knows. They are computed when they are asked for, once a tick.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from games.fps_arena.knowing import routes
from games.fps_arena.knowing.entries import Ally, Hurt, Memory, Noise, Pickup, Sighting
from games.fps_arena.rules import legality, weapons
from games.fps_arena.rules.engine import NOBODY, State
from games.fps_arena.rules.maps import FAR
from games.fps_arena.rules.soldier import NEVER, can_reload


def _distance(entry: Any) -> tuple[float, int]:
    return entry.distance, entry.cell


class Observation:
    """The knowledge that `player` has of a state; `refresh` turns to another state of the same game.

    Attributes:
      player, team: the player that observes, and its team.
      rules, arena, codec: the rules, the map and the numbers of orders.
      tick: ticks played.
      alive, cell, facing, health, weapon: state of the own soldier; see `soldier.Soldier`.
    """

    __slots__ = (
        "_allies",
        "_me",
        "_noises",
        "_pickups",
        "_remembered",
        "_state",
        "_visible",
        "alive",
        "arena",
        "cell",
        "codec",
        "facing",
        "health",
        "player",
        "rules",
        "team",
        "tick",
        "weapon",
    )

    def __init__(self, state: State, player: int) -> None:
        setting = state.setting
        self.player, self.rules, self.arena = player, setting.rules, setting.arena
        self.codec = setting.codec
        self.team = setting.rules.team(player)
        self.refresh(state)

    def refresh(self, state: State) -> None:
        """Observes this state from now on."""
        self._state = state
        self._me = me = state.soldiers[self.player]
        self.tick = state.tick
        self.cell, self.facing, self.health, self.weapon = me.cell, me.facing, me.health, me.weapon
        self.alive = me.health > 0
        self._visible = self._remembered = self._allies = self._noises = self._pickups = None

    # The own soldier.

    @property
    def x(self) -> int:
        """Column, from 0 at the left."""
        return self.cell % self.rules.size

    @property
    def y(self) -> int:
        """Row, from 0 at the top."""
        return self.cell // self.rules.size

    @property
    def max_health(self) -> int:
        """Health of a fresh soldier."""
        return self.rules.health

    @property
    def ticks_left(self) -> int:
        """Ticks until the match ends."""
        return self.rules.ticks - self.tick

    @property
    def weapon_name(self) -> str:
        """Name of the weapon in hand."""
        return weapons.NAMES[self.weapon]

    @property
    def weapons(self) -> tuple[int, ...]:
        """Carried weapons, positions in `weapons.NAMES`."""
        return tuple(weapon for weapon, loaded in enumerate(self._me.magazines) if loaded >= 0)

    @property
    def magazine(self) -> int:
        """Shots that the weapon in hand is loaded with."""
        return self._me.magazines[self.weapon]

    @property
    def reserve(self) -> int:
        """Further shots for the weapon in hand; -1 for any number."""
        return self._me.reserves[self.weapon]

    @property
    def ammo_share(self) -> float:
        """Shots for the weapon in hand, loaded and in reserve, as a share of all that it can have."""
        return self.ammo_of(self.weapon)

    def ammo_of(self, weapon: int) -> float:
        """Returns the same share as `ammo_share` for any weapon; 0 if it is not carried."""
        kind, loaded = self.rules.weapons[weapon], self._me.magazines[weapon]
        if loaded < 0:
            return 0.0
        if kind.reserve < 0:
            return 1.0
        return (loaded + self._me.reserves[weapon]) / (kind.magazine + kind.reserve)

    @property
    def effective_range(self) -> float:
        """Distance at which half of the pellets hit while nobody moves; at most the range."""
        return weapons.effective_range(self.rules.weapons[self.weapon])

    @property
    def reloading(self) -> int:
        """Ticks until the reload is done, 0 for none."""
        return max(0, self._me.reload_at - self.tick)

    @property
    def can_fire(self) -> bool:
        """Whether the weapon in hand could fire now."""
        me = self._me
        return (
            self.alive
            and me.magazines[me.weapon] > 0
            and me.ready_at <= self.tick
            and me.reload_at <= self.tick
        )

    @property
    def can_reload(self) -> bool:
        """Whether the weapon in hand could be reloaded now."""
        return self.alive and can_reload(self._me, self.rules)

    @property
    def can_step(self) -> bool:
        """Whether the soldier could step now."""
        return self.alive and self._me.step_at <= self.tick

    @property
    def protected(self) -> int:
        """Ticks in which nothing hurts it yet."""
        return max(0, self._me.protected_until - self.tick) if self.alive else 0

    @property
    def respawn_in(self) -> int:
        """Ticks until the return of a dead soldier; 0 for a living one, -1 if it does not return."""
        if self.alive:
            return 0
        return -1 if self._me.returns_at == NEVER else self._me.returns_at - self.tick

    @property
    def lives(self) -> int:
        """Lives left, the present one included; 0 for any number."""
        return self._me.lives

    @property
    def hurt(self) -> Hurt | None:
        """The last hit taken in this life, unless it is forgotten."""
        direction, tick = self._me.hurt
        age = self.tick - tick
        return Hurt(direction, age) if age <= self.rules.memory_ticks else None

    # Others.

    @property
    def visible_enemies(self) -> tuple[Sighting, ...]:
        """Enemies in the own view, nearest first."""
        if self._visible is None:
            seen = [self._sight(player) for player in self._me.visible]
            self._visible = tuple(sorted(seen, key=_distance) if len(seen) > 1 else seen)
        return self._visible

    def _sight(self, player: int) -> Sighting:
        state, me = self._state, self._me
        enemy, setting = state.soldiers[player], state.setting
        squared = setting.squared(me.cell, enemy.cell)
        moving = enemy.step_at > state.tick
        covered = setting.covered(me.cell, enemy.cell)
        chance = setting.hit_chance(me.weapon, squared, me.step_at > state.tick, moving)
        return Sighting(
            player,
            enemy.cell,
            squared**0.5,
            enemy.health,
            enemy.facing,
            enemy.weapon,
            moving,
            covered,
            chance * (1 - self.rules.cover) if covered else chance,
        )

    @property
    def remembered_enemies(self) -> tuple[Memory, ...]:
        """Enemies that are not in view, newest first."""
        if self._remembered is None:
            me, tick = self._me, self.tick
            memory = self._state.memory(me)
            found = []
            for player in self._state.setting.enemies[self.player]:
                cell, seen = memory[player]
                if tick - seen <= self.rules.memory_ticks and player not in me.visible:
                    found.append(Memory(player, cell, self.euclid(cell), tick - seen))
            self._remembered = tuple(sorted(found, key=lambda one: (one.age, one.distance, one.player)))
        return self._remembered

    @property
    def known_enemies(self) -> tuple[Memory, ...]:
        """Enemies in view, nearest first, then those remembered, newest first."""
        return (
            tuple([Memory(one.player, one.cell, one.distance, 0) for one in self.visible_enemies])
            + self.remembered_enemies
        )

    @property
    def allies(self) -> tuple[Ally, ...]:
        """Teammates, nearest first."""
        if self._allies is None:
            found = []
            for player in self.rules.members(self.team):
                if player != self.player:
                    ally = self._state.soldiers[player]
                    found.append(Ally(player, ally.cell, self.euclid(ally.cell), ally.health, ally.health > 0))
            self._allies = tuple(sorted(found, key=_distance))
        return self._allies

    @property
    def living_allies(self) -> tuple[Ally, ...]:
        """Teammates that are alive, nearest first."""
        return tuple([ally for ally in self.allies if ally.alive])

    @property
    def visible_allies(self) -> tuple[Ally, ...]:
        """Living teammates in the own view, nearest first."""
        return tuple([ally for ally in self.allies if ally.alive and self.in_view(ally.cell)])

    @property
    def noises(self) -> tuple[Noise, ...]:
        """The last noise of each enemy that is not in view, newest first."""
        if self._noises is None:
            found = []
            for player, (cell, tick, shot) in enumerate(self._me.heard):
                age = self.tick - tick
                if age <= self.rules.memory_ticks and player not in self._me.visible:
                    found.append(Noise("shot" if shot else "step", cell, self.euclid(cell), age))
            self._noises = tuple(sorted(found, key=lambda one: (one.age, one.distance, one.cell)))
        return self._noises

    @property
    def pickups(self) -> tuple[Pickup, ...]:
        """All places of things to pick up, nearest first."""
        if self._pickups is None:
            found = [
                Pickup(number, spot.kind, spot.cell, self.distance(spot.cell), expected <= self.tick)
                for number, (spot, expected) in enumerate(zip(self.arena.pickups, self._me.expected))
            ]
            self._pickups = tuple(sorted(found, key=_distance))
        return self._pickups

    @property
    def alive_enemies(self) -> int:
        """Number of enemies that are alive; everybody is told."""
        soldiers = self._state.soldiers
        return sum(soldiers[player].health > 0 for player in self._state.setting.enemies[self.player])

    @property
    def alive_allies(self) -> int:
        """Number of teammates that are alive, the own soldier not counted."""
        return len(self.living_allies)

    # The objective.

    @property
    def objective(self) -> int | None:
        """A cell in the middle of the control point; None in other modes than `control`."""
        return self.arena.zone_centre if self.rules.mode == "control" else None

    @property
    def in_zone(self) -> bool:
        """Whether the soldier stands on the control point; False in other modes."""
        return self.rules.mode == "control" and self.alive and self.cell in self.arena.zone

    @property
    def zone_owner(self) -> int:
        """The team that owns the control point, -1 for nobody; everybody is told."""
        return self._state.owner

    @property
    def zone_contested(self) -> bool:
        """Whether an enemy in view stands on the control point."""
        return any(one.cell in self.arena.zone for one in self.visible_enemies)

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores by team."""
        return tuple(self._state.scores)

    @property
    def lead(self) -> int:
        """The own team's score less the best of the others'."""
        scores = self._state.scores
        return scores[self.team] - max(score for team, score in enumerate(scores) if team != self.team)

    # Ways and lines; cells outside the floor stand for the floor nearest to them.

    def euclid(self, cell: int) -> float:
        """Returns the distance as the crow flies, in cells."""
        return self._state.setting.squared(self.cell, cell) ** 0.5

    def distance(self, cell: int) -> int:
        """Returns the steps to walk."""
        steps = self.arena.field(cell).steps[self.cell]
        return steps if steps < FAR else -1

    def direction_to(self, cell: int) -> int:
        """Returns the direction, 0 to 7, of a cell."""
        return self._state.setting.towards(self.cell, cell)

    def in_view(self, cell: int) -> bool:
        """Returns whether the soldier sees the cell."""
        return bool(self.alive and self.arena.view(self.cell)[cell] >> self.facing & 1)

    def has_line(self, cell: int, other: int) -> bool:
        """Returns whether a soldier in one of the cells could see the other, if it looked there."""
        return self.arena.view(cell)[other] != 0

    def next_step_towards(self, cell: int) -> int:
        """Returns the move, 0 to 8, on a shortest way around soldiers that are in view and in the way; 0 when
        there.
        """
        return routes.towards(self.arena, self.cell, cell, self._obstacles())

    def next_step_away(self, cell: int) -> int:
        """Returns the move that leads farthest away from a cell, 0 if none does."""
        return routes.away(self.arena, self.cell, cell, self._obstacles())

    def cover_step(self, cell: int) -> int:
        """Returns the move towards the nearest place, up to 8 steps away, that a soldier in `cell` cannot see,
        or that low cover protects from there; 0 if it is here, or there is none.
        """
        goal = routes.cover(self._state.setting, self.cell, cell)
        return 0 if goal is None else self.next_step_towards(goal)

    def flank_step(self, cell: int) -> int:
        """Returns the move on a way to a cell that keeps out of sight from there for as long as it can."""
        return routes.flank(self._state.setting, self.cell, cell, self._obstacles())

    def random_cell(self, rng: random.Random) -> int:
        """Returns a floor cell of the map, all equally likely."""
        return rng.choice(self.arena.floor)

    def _obstacles(self) -> set[int]:
        blocked = {one.cell for one in self.visible_enemies}
        if self.rules.team_collision:
            blocked |= {ally.cell for ally in self.living_allies}
        return blocked

    # Orders.

    def legal_actions(self) -> list[int]:
        """Returns the orders that can be carried out, see `legality`."""
        return legality.legal_actions(self._state, self.player)

    def legal(self, action: int) -> int:
        """Returns the legal order with the effect of any order, see `legality.legal`."""
        return legality.legal(self._state, self.player, action)

    def as_dict(self) -> dict[str, Any]:
        """Returns all that the player knows but the map, JSON-able; see `view` for the meaning of the
        fields.
        """
        plain = (
            "tick",
            "ticks_left",
            "player",
            "team",
            "alive",
            "x",
            "y",
            "facing",
            "health",
            "weapon_name",
            "magazine",
            "reserve",
            "weapons",
            "reloading",
            "can_fire",
            "can_step",
            "protected",
            "respawn_in",
            "lives",
            "in_zone",
            "alive_enemies",
            "lead",
        )
        found: dict[str, Any] = {name: getattr(self, name) for name in plain}
        found["weapons"] = [weapons.NAMES[weapon] for weapon in self.weapons]
        found["scores"] = list(self.scores)
        found["zone_owner"] = None if self.zone_owner == NOBODY else self.zone_owner
        found["hurt"] = None if self.hurt is None else self.hurt._asdict()
        for name in ("visible_enemies", "remembered_enemies", "allies", "noises", "pickups"):
            found[name] = [self._entry(one) for one in getattr(self, name)]
        return found

    def _entry(self, one: NamedTuple) -> dict[str, Any]:
        """Returns the fields of an entry, its cell as x and y."""
        entry = one._asdict()
        cell = entry.pop("cell")
        if "weapon" in entry:
            entry["weapon"] = weapons.NAMES[entry["weapon"]]
        for name in ("distance", "hit_chance"):
            if name in entry:
                entry[name] = round(entry[name], 2)
        return {"x": cell % self.rules.size, "y": cell // self.rules.size, **entry}
