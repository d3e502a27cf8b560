"""The numbers that a soldier of fps_arena should know, in words, from the rules that the engine plays by."""

from __future__ import annotations

from games.fps_arena.rules import weapons
from games.fps_arena.rules.parameters import Rules
from games.fps_arena.rules.weapons import NAMES, RIFLE, hit_chance

_DISTANCES = (2, 4, 7, 10, 14)
"""The distances in cells at which the table of weapons shows chances."""
_EXAMPLE = 7
"""The distance in cells at which the sentence on movement shows chances."""


def scenario(rules: Rules) -> str:
    """Returns the scenario of the prompts: what the game is, and its numbers."""
    return "\n".join([_GAME, *(f"- {line}" for line in _numbers(rules)), "", *_weapons(rules)])


_GAME = (
    "A shooter on a map of walls and low cover. A soldier sees what lies in its field of view and line of sight, "
    "hears shots and near steps, and remembers where enemies were. Modes: deathmatch (dm, each for itself) and team "
    "deathmatch (tdm): kills count; control: a zone is to be owned; elimination: the last team alive wins. Health, "
    "ammunition and weapons lie on the map. The tree is asked in every tick for each soldier, from the root. A "
    "soldier acts and moves in the same tick: `shoot`, `reload`, `switch_to`, `look_at` and `look_around` succeed at "
    "once, so that a sequence goes on to a move; moves are under way until they are there, and end the tick.\n\n"
    "Numbers (time in ticks, distance in cells):"
)


def _numbers(rules: Rules) -> list[str]:
    def chance(widening: float) -> str:
        return f"{100 * hit_chance(rules.weapons[RIFLE], _EXAMPLE, widening):.0f} %"

    own, enemy = rules.moving_spread, rules.target_spread
    said = [
        f"A match lasts {rules.ticks} ticks. A soldier has {rules.health} health, sees {rules.sight} cells far within "
        f"{rules.fov} degrees around its facing, hears shots up to {rules.shot_hearing} and steps up to "
        f"{rules.step_hearing} cells away, and remembers for {rules.memory_ticks} ticks"
        + ("; what a teammate sees, it knows too." if rules.radio else "."),
        f"A step to one of the 8 cells around takes {rules.move_ticks} ticks. It takes effect in the first one, after the "
        f"shots; in the others the soldier is in a step: whoever walks on and on is so in {walking(rules)}. In a tick a soldier turns by up to "
        f"{45 * rules.turn_rate} degrees: `shoot` turns it to the enemy, `look_at` to the place; a move without an act "
        "turns it to where it walks; without move and act it looks where it did.",
        f"A shot goes astray by up to its spread. While I am in a step, my own spread is {own:g} times as wide; while "
        f"the enemy is in one, {enemy:g} times. With a rifle at {_EXAMPLE} cells a shot hits with {chance(1)} if both "
        f"stand, {chance(enemy)} if the target moves, {chance(own)} if the shooter moves.",
        f"Low cover beside a soldier stops {100 * rules.cover:.0f} % of the hits that come over it from farther than "
        f"{rules.cover_distance} cells.",
        f"The dead return after {rules.respawn_ticks} ticks with a full {rules.start_weapon} and a pistol, and cannot "
        f"be hurt for {rules.protection_ticks} ticks or until they shoot; in elimination they do not return.",
        f"Health that lies on the map gives {rules.medkit}; what was picked up is there again after "
        f"{rules.pickup_ticks} ticks.",
        f"Control: the zone has a radius of {rules.zone_radius:g}. A team that is alone in it for {rules.capture_ticks} "
        "ticks owns it, and goes on owning it when it leaves; the owner scores 1 in each tick in which no enemy stands "
        "in it.",
    ]
    if rules.team_collision:
        said.append("Teammates block each other's way.")
    return said


def _weapons(rules: Rules) -> list[str]:
    head = ["weapon", "damage", "ticks a shot", "magazine", "reserve", "reload", "range"]
    head += [f"at {distance}" for distance in _DISTANCES]
    lines = [
        "Weapons; damage of a shot whose pellets all hit; the last columns are the mean damage a tick at these "
        "distances, both standing:",
        " | ".join(head),
    ]
    for name, kind in zip(NAMES, rules.weapons):
        full = kind.damage * kind.pellets
        cells = [name, full, kind.cooldown, kind.magazine, "any" if kind.reserve < 0 else kind.reserve]
        cells += [kind.reload, f"{kind.range:g}"]
        cells += [f"{full * hit_chance(kind, distance) / kind.cooldown:.1f}" for distance in _DISTANCES]
        lines.append(" | ".join(map(str, cells)))
    lines.append(f"Changing the weapon takes {rules.switch_ticks} ticks until it can fire.")
    return lines


def walking(rules: Rules) -> str:
    """Returns the share of ticks in which a soldier that takes step after step is in one, in words."""
    return f"{rules.move_ticks - 1} of {rules.move_ticks} ticks"


def effective(rules: Rules) -> str:
    """Returns the effective ranges of the weapons in words."""
    shown = (f"{name} {weapons.effective_range(kind):.1f}" for name, kind in zip(NAMES, rules.weapons))
    return ", ".join(shown)
