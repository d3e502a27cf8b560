"""The knowledge of a player as text and as tensors."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import pyspiel

from games.fps_arena.knowing.observation import Observation
from games.fps_arena.rules import terrain, weapons
from games.fps_arena.rules.engine import NOBODY, State
from games.fps_arena.rules.maps import PICKUP_KINDS
from games.fps_arena.rules.orders import DIRECTION_NAMES
from games.fps_arena.rules.parameters import MODES, Rules
from games.seeing.observers import pieces_of_tensor, require_no_recall, type_and_parameters

PICKUP_SIGNS = {"health": "+", "ammo": "=", "shotgun": "s", "sniper": "n"}

PLANES = (
    "wall",
    "low_cover",
    "in_view",
    "self",
    "allies",
    "enemies",
    "remembered",
    "noises",
    *PICKUP_KINDS,
    "zone",
)
"""The planes of the tensor, each of shape (size, size) as [y, x], zeros and ones; where something is
remembered or heard, 1 for now, falling to 0 where it is forgotten."""

_SCALARS = (
    "alive",
    "health",
    "magazine",
    "ammo",
    "reloading",
    "can_fire",
    "can_step",
    "protected",
    "respawn",
    "time_left",
    "ahead",
    "behind",
    "own_zone",
    "enemy_zone",
    "enemies_alive",
    "allies_alive",
)


_ONE_HOT = 28
"""The one-hot entries: facing (8), weapon (4), mode (4), weapons carried (4), direction of the last hit
(8).
"""


def _floor_rows(state: State) -> list[list[str]]:
    size = state.setting.rules.size
    heights = state.setting.arena.heights
    rows = [
        [".o#"[height] for height in heights[start : start + size]] for start in range(0, size * size, size)
    ]
    for spot in state.setting.arena.pickups:
        rows[spot.cell // size][spot.cell % size] = PICKUP_SIGNS[spot.kind]
    if state.setting.rules.mode == "control":
        for cell in state.setting.arena.zone:
            rows[cell // size][cell % size] = "z"
    return rows


def whole_map(state: State) -> str:
    """Returns the state for people: the map with the living players' numbers, and a line on each player."""
    size = state.setting.rules.size
    rows = _floor_rows(state)
    lines = [
        f"tick {state.tick}/{state.setting.rules.ticks}, scores {state.scores}"
        + (f", control point of {state.owner}" if state.owner != NOBODY else "")
    ]
    for one in state.soldiers:
        if one.health > 0:
            rows[one.cell // size][one.cell % size] = str(one.player)
        loaded = one.magazines[one.weapon]
        lines.append(
            f"player {one.player}, team {one.team}: ({one.cell % size}, {one.cell // size}) "
            f"facing {DIRECTION_NAMES[one.facing]}, health {one.health}, "
            f"{weapons.NAMES[one.weapon]} {loaded}+{one.reserves[one.weapon]}, kills "
            f"{one.tally.kills}, deaths {one.tally.deaths}"
        )
    return "\n".join(lines[:1] + ["".join(row) for row in rows] + lines[1:])


def known_rows(seen: Observation) -> list[str]:
    """Returns the map as a player knows it, one string a row, the top one first: `#` wall, `o` low cover, `.`
    floor in view, a blank for floor out of view, `z` the control point, `+` health, `=` ammunition, `s`
    shotgun, `n` sniper where they are thought to be, `?` a noise, `e` an enemy remembered, `E` one in view,
    `a` a living teammate, `@` oneself.
    """
    size, arena = seen.rules.size, seen.arena
    view = arena.view(seen.cell) if seen.alive else bytes(size * size)
    signs = [
        ("o#"[height - 1] if height else "." if byte >> seen.facing & 1 else " ")
        for height, byte in zip(arena.heights, view)
    ]
    if seen.rules.mode == "control":
        for cell in arena.zone:
            signs[cell] = "z"
    marks = [(one.cell, PICKUP_SIGNS[one.kind]) for one in seen.pickups if one.available]
    marks += [(arena.nearest_floor(one.cell), "?") for one in seen.noises]
    marks += [(one.cell, "e") for one in seen.remembered_enemies]
    marks += [(one.cell, "E") for one in seen.visible_enemies]
    marks += [(one.cell, "a") for one in seen.living_allies]
    marks += [(seen.cell, "@")] * seen.alive
    for cell, sign in marks:
        signs[cell] = sign
    return ["".join(signs[start : start + size]) for start in range(0, size * size, size)]


def text(seen: Observation) -> str:
    """Returns the knowledge of a player: a line on its soldier, one for each enemy, and the map."""
    lines = [
        f"tick {seen.tick}, {seen.ticks_left} left; player {seen.player} of team {seen.team}; scores "
        f"{list(seen.scores)}"
        + ("" if seen.zone_owner == NOBODY else f"; control point of team {seen.zone_owner}")
    ]
    if seen.alive:
        reserve = "any number" if seen.reserve < 0 else seen.reserve
        lines.append(
            f"({seen.x}, {seen.y}) facing {DIRECTION_NAMES[seen.facing]}, health {seen.health}, "
            f"{seen.weapon_name}: {seen.magazine} loaded, {reserve} in reserve"
            + (f", reloading for {seen.reloading}" if seen.reloading else "")
        )
    else:
        lines.append("dead" + (f", returns in {seen.respawn_in}" if seen.respawn_in >= 0 else " for good"))
    size = seen.rules.size
    for one in seen.visible_enemies:
        lines.append(
            f"enemy {one.player} in view at ({one.cell % size}, {one.cell // size}), health "
            f"{one.health}, {weapons.NAMES[one.weapon]}, chance to hit {one.hit_chance:.2f}"
        )
    for old in seen.remembered_enemies:
        lines.append(f"enemy {old.player} seen at ({old.cell % size}, {old.cell // size}), {old.age} ticks ago")
    if seen.hurt:
        lines.append(f"hit from the {DIRECTION_NAMES[seen.hurt.direction]}, {seen.hurt.age} ticks ago")
    return "\n".join(lines + known_rows(seen))


class Observable(Protocol):
    """The part of a state that an observer reads; see `game.FpsArenaState`."""

    def observation(self, player: int) -> Observation | None: ...


class Observer:
    """The knowledge of a player, as OpenSpiel's PyObserver (see `observation.py`).

    `dict` holds one array of shape (size, size) for each of `PLANES`, and `own`: 16 shares from 0 to 1
    (`alive`, health, loaded shots, ammunition, reloading, can fire, can step, protected, respawn, time
    left, ahead, behind, control point of the own team, of another, enemies alive, teammates alive), then
    one-hot the facing (8), the weapon in hand (4), the mode (4), the weapons carried (4, a share of their
    ammunition), and the direction of the last hit (8, 1 for now, falling to 0). `tensor` is the same
    memory, flat. All is 0 before the start.
    """

    def __init__(
        self, rules: Rules, iig_obs_type: pyspiel.IIGObservationType | None, params: dict[str, Any] | None
    ) -> None:
        """Raises ValueError for another observation than a player's own of the moment."""
        require_no_recall("fps_arena", *type_and_parameters(iig_obs_type, params))
        planes = {name: (rules.size, rules.size) for name in PLANES}
        self.tensor, self.dict = pieces_of_tensor({**planes, "own": (len(_SCALARS) + _ONE_HOT,)})

    def set_from(self, state: Observable, player: int) -> None:
        """Updates `tensor` and `dict` to the knowledge of `player`."""
        self.tensor.fill(0)
        seen = state.observation(player)
        if seen is None:
            return
        self._write_planes(seen)
        self._write_own(seen)

    def _write_planes(self, seen: Observation) -> None:
        planes = {name: self.dict[name].reshape(-1) for name in PLANES}
        heights = np.frombuffer(seen.arena.heights, np.uint8)
        planes["wall"][:] = heights == terrain.WALL
        planes["low_cover"][:] = heights == terrain.LOW
        if seen.alive:
            view = np.frombuffer(seen.arena.view(seen.cell), np.uint8)
            planes["in_view"][:] = view >> seen.facing & 1
            planes["self"][seen.cell] = 1
        if seen.rules.mode == "control":
            planes["zone"][list(seen.arena.zone)] = 1
        for ally in seen.living_allies:
            planes["allies"][ally.cell] = 1
        for one in seen.visible_enemies:
            planes["enemies"][one.cell] = 1
        for name, entries in (("remembered", seen.remembered_enemies), ("noises", seen.noises)):
            for entry in entries:
                planes[name][entry.cell] = max(planes[name][entry.cell], _fresh(seen, entry.age))
        for pickup in seen.pickups:
            planes[pickup.kind][pickup.cell] = pickup.available

    def _write_own(self, seen: Observation) -> None:
        rules, own = seen.rules, self.dict["own"]
        kind = rules.weapons[seen.weapon]
        enemies = rules.players - rules.players // rules.teams
        own[: len(_SCALARS)] = (
            seen.alive,
            seen.health / rules.health,
            max(0, seen.magazine) / kind.magazine,
            seen.ammo_share,
            seen.reloading / kind.reload,
            seen.can_fire,
            seen.can_step,
            seen.protected > 0,
            max(0, seen.respawn_in) / rules.respawn_ticks,
            seen.ticks_left / rules.ticks,
            seen.lead > 0,
            seen.lead < 0,
            seen.zone_owner == seen.team,
            seen.zone_owner not in (seen.team, NOBODY),
            seen.alive_enemies / enemies,
            seen.alive_allies / max(1, rules.players // rules.teams - 1),
        )
        one_hot = own[len(_SCALARS) :]
        one_hot[seen.facing] = one_hot[8 + seen.weapon] = 1
        one_hot[12 + MODES.index(rules.mode)] = 1
        one_hot[16:20] = [seen.ammo_of(weapon) for weapon in range(len(weapons.NAMES))]
        if seen.hurt:
            one_hot[20 + seen.hurt.direction] = _fresh(seen, seen.hurt.age)

    def string_from(self, state: Observable, player: int) -> str:
        """Returns the knowledge of `player` as a string, see `text`."""
        seen = state.observation(player)
        return f"player {player}, before the start" if seen is None else text(seen)


def _fresh(seen: Observation, age: int) -> float:
    return 1 - age / (seen.rules.memory_ticks + 1)
