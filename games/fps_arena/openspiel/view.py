"""The view of `fps_arena` for prompts, trees and policies, and its picture."""

from __future__ import annotations

from typing import Any

from games.fps_arena.openspiel import observer
from games.fps_arena.openspiel.game import FpsArenaGame, FpsArenaState
from games.fps_arena.rules import weapons
from games.seeing.grids import grid_svg
from games.seeing.pictures import register_picture, register_seat_picture
from games.seeing.views import GameView, register_view

_FIELDS = """\
- `tick`, `ticks_left`: ticks played and left.
- `player`, `team`: the player's own numbers; `scores`: by team; `lead`: the own team's score less the \
best other one's.
- `alive`; `respawn_in`: ticks until a dead soldier returns, 0 for a living one, -1 for never; `lives`: \
left, 0 for any number; `protected`: ticks in which nothing hurts it.
- `x` (from 0 at the left), `y` (from 0 at the top); `facing`: a direction from 0 to 7, which are north, \
north-east, east, south-east, south, south-west, west, north-west; `health`.
- `weapon_name` in hand; `magazine`: loaded shots; `reserve`: further shots, -1 for any number; `weapons` \
carried; `reloading`: ticks until the reload is done, 0 for none; `can_fire`, `can_step`: whether now.
- `visible_enemies`: in view, nearest first, each with `player`, `x`, `y`, `distance` in cells, `health`, \
`facing`, `weapon`, `moving`, `covered` (by low cover, from here) and `hit_chance` of one pellet.
- `remembered_enemies`: not in view, newest first: `player`, `x`, `y`, `distance`, `age` in ticks.
- `allies`: teammates: `player`, `x`, `y`, `distance`, `health`, `alive`.
- `noises` of enemies out of view, newest first: `kind` (shot or step), `x`, `y` (roughly), `distance`, \
`age`.
- `hurt`: null, or `direction` and `age` of the last hit.
- `pickups`: nearest first: `index`, `kind` (health, ammo, shotgun, sniper), `x`, `y`, `distance` in \
steps, `available` as far as known.
- `alive_enemies`: how many. `in_zone`: whether on the control point; `zone_owner`: its team or null.
- `map`: the rows of the map as strings, the top row first: `#` wall, `o` low cover, `.` floor in view, a \
blank for floor out of view, `z` control point, `+` health, `=` ammunition, `s` shotgun, `n` sniper, `?` a \
noise, `e` an enemy remembered, `E` one in view, `a` a teammate, `@` oneself.
Before the start there is `player` only."""


class FpsArenaView(GameView):
    """The view of `fps_arena`: the soldier's knowledge as fields, and the map as it knows it."""

    def data(self, state: FpsArenaState, player: int) -> dict[str, Any]:
        """Returns the knowledge of `player`; see `describe`."""
        seen = state.observation(player)
        if seen is None:
            return {"player": player}
        return {**seen.as_dict(), "map": observer.known_rows(seen)}

    def text(self, state: FpsArenaState, player: int) -> str:
        """Returns the observation string, which holds all that the soldier remembers."""
        return state.observation_string(player)

    def describe(self, game: FpsArenaGame) -> str:
        """Returns the meaning of the fields."""
        return _FIELDS

    def terms(self, game: FpsArenaGame) -> dict[str, Any]:
        """Returns the number of teams, lives, and the weapons by name."""
        rules = game.rules
        return {
            "teams": rules.teams,
            "lives": rules.lives,
            "weapons": [
                {"name": name, **weapon._asdict()} for name, weapon in zip(weapons.NAMES, rules.weapons)
            ],
        }


def _picture(state: FpsArenaState) -> bytes:
    from games.fps_arena import drawing  # here, because Pillow takes long to import and few games are drawn

    return drawing.picture(state.rules, state.position)


_COLOURS = {"#": "#4a4038", " ": "#cfc9bc", "o": "#b39a74", "z": "#f6e2a4"}
_SIGNS = {
    "@": ("disc", "#1f5fa6"),
    "a": ("disc", "#6aa5dd"),
    "E": ("disc", "#cf3f32"),
    "e": ("ring", "#cf3f32"),
    "+": ("+", "#2c8f5b"),
    "=": ("=", "#6b7480"),
    "s": ("s", "#6b7480"),
    "n": ("n", "#6b7480"),
    "?": ("?", "#a87800"),
}


def _seat_picture(state: FpsArenaState, player: int | None) -> str | None:
    """The map as a soldier knows it; those who hold no seat are shown nothing."""
    seen = {} if player is None else FpsArenaView().data(state, player)
    if "map" not in seen:
        return None
    told = f"tick {seen['tick']}   health {seen['health']}   {seen['weapon_name']} {seen['magazine']}   scores {seen['scores']}"
    return grid_svg(seen["map"], _COLOURS, _SIGNS, caption=told)


register_view("fps_arena", FpsArenaView())
register_seat_picture("fps_arena", _seat_picture)
register_picture("fps_arena", _picture)
