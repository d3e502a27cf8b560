"""Words for ViZDoom: those of fps_arena, as far as a player there can know what they ask for (`bt_policies.doom`).

The words have the names that they have in fps_arena, so that trees go from one game to the other. A word that ViZDoom does
not answer from labels in view and own variables stands in `UNANSWERED`: its condition never holds, its task or parameter
always fails, and a prompt does not offer it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bt_policies.doom.scenarios import SCENARIOS, scenario_of
from bt_policies.doom.view import WEAPONS
from bt_policies.trees.vocabularies import fps_arena
from bt_policies.trees.vocabularies.fps_actions import actions
from bt_policies.trees.vocabularies.fps_conditions import conditions
from bt_policies.trees.vocabularies.fps_parameters import parameters
from bt_policies.trees.vocabulary import FAILURE, Vocabulary, declare
from games.fps_arena.rules.parameters import Rules
from games.fps_arena.rules.weapons import NAMES, effective_range

_HEALTH = "a label does not tell health"
_MAP = "a player has no map"
_SOUND = "sounds are no labels"
_OTHERS = "others' scores and lives are no variables of one's own"

UNANSWERED: Mapping[str, str] = {
    "enemy_is_weak": _HEALTH,
    "enemy_health_below": _HEALTH,
    "weakest_enemy_in_view": _HEALTH,
    "quickest_kill_in_view": _HEALTH,
    "enemy_is_protected_by_cover": _MAP,
    "take_cover_from": _MAP,
    "flank": _MAP,
    "hears_noise": _SOUND,
    "heard_within_ticks": _SOUND,
    "noise_within": _SOUND,
    "latest_noise": _SOUND,
    "is_leading": _OTHERS,
    "is_behind": _OTHERS,
    "lead_at_least": _OTHERS,
    "enemies_alive_at_most": _OTHERS,
    "is_protected": "no variable tells it",
}
"""Word -> the reason why it is not answered."""
_WHERE = ", ".join(f"{name} {effective_range(weapon):.1f}" for name, weapon in zip(NAMES, WEAPONS))
_MEANINGS = {
    "enemy_in_effective_range": f"the nearest in view is within the distance at which half of my shots hit ({_WHERE})",
    "magazine_is_empty": "no round for the weapon in hand",
    "magazine_is_low": "rounds for the weapon in hand: a third or less of what I can carry",
    "magazine_below": "rounds for the weapon in hand, of what I can carry",
    "is_reloading": "never: nothing is reloaded",
    "reload": "fails: nothing is reloaded",
    "hit_chance_at_least": "my chance to hit, best over the enemies in view, by distance and weapon",
    "shoot": "turns to the enemy and fires; fails without rounds",
    "strafe_around": "steps sideways, to and fro, for as long as it is asked",
    "keep_range_to": "walks nearer or away, to between half and all of the distance at which half of my shots hit; stands there",
    "hold_position": "stands still",
    "rifle": "the chaingun",
    "sniper": "the rocket launcher",
    "pistol": "",
    "is_last_alive": "always: I have no teammates",
}


def vocabulary(game: str) -> Vocabulary:
    """Returns the words for a game string, with the scenario in the prompt's sentences.

    Raises:
      ValueError: the game string is of no scenario.
    """
    _, scenario = scenario_of(game)
    about = (
        f"The 3D shooter ViZDoom. {scenario.about} A player sees what is in its view of 90 degrees and remembers where enemies "
        "were. The tree is asked about nine times a second, from the root; that is a tick, and a cell is two players wide. "
        "A step to one of the 8 cells around takes about two ticks. There are no teammates, no zone and no map."
    )
    return replace(VOCABULARY, scenario=about)


def unanswered(game: str) -> Mapping[str, str]:
    """Returns the words that a game string does not answer, with the reasons."""
    _, scenario = scenario_of(game)
    return UNANSWERED if scenario.moves else {**UNANSWERED, **dict.fromkeys(_WALKS, "the player cannot walk")}


_WALKS = ("move_to", "retreat_from", "strafe_around", "keep_range_to", "follow", "patrol")


def _said(word: Any) -> Any:
    return replace(word, meaning=_MEANINGS.get(word.name, word.meaning))


def _mute(word: Any, **never: Any) -> Any:
    return replace(word, **never) if word.name in UNANSWERED else word


VOCABULARY = declare(
    game="vizdoom",
    scenario=f"The 3D shooter ViZDoom ({', '.join(SCENARIOS)}).",
    tactics="Win by what the scenario counts: kill often without dying. Shoot what is in view, chase what is remembered, fetch "
    "health when hurt, and search where nothing is known.",
    types=fps_arena.VOCABULARY.types,
    keys=fps_arena.VOCABULARY.keys,
    conditions=[_mute(_said(word), test=lambda board, number=0: False) for word in conditions(Rules())],
    actions=[_mute(_said(word), act=lambda board, value: FAILURE) for word in actions(Rules())],
    parameters=[_mute(_said(word), find=lambda board: None) for word in parameters()],
    neutral=("hold_position",),
)
"""All words; those that are not answered never hold."""
