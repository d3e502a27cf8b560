"""The engine of ViZDoom in a process of its own: reads a JSON object a line, answers with one a line.

It is started as a script, and imports nothing of the suite: the engine writes files where it runs, and may take its
process along when it fails. The first line names the scenario, each further one what the player does:

    {"config": "cig.cfg", "map": "map01", "arguments": "-host 1 ...", "bots": 4, "seed": 7, "tics": 2100, "each": 4, "objects": false}
    {"turn": 12.5, "forward": 1, "right": 0, "attack": true, "weapon": 0}

`turn` is in degrees to the right, `weapon` a slot or 0. What is done lasts for `each` tics. The answer holds the player's
own `variables`, the `labels` in view (id, name, category, x, y), whether the episode is `over`, and, for measuring only,
`frags` of all players and, where the first line asks for `objects`, all things in the level.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

import vizdoom

VARIABLES = [
    "POSITION_X",
    "POSITION_Y",
    "ANGLE",
    "HEALTH",
    "SELECTED_WEAPON",
    "AMMO2",
    "AMMO3",
    "AMMO4",
    "AMMO5",
    "WEAPON2",
    "WEAPON3",
    "WEAPON4",
    "WEAPON5",
    "KILLCOUNT",
    "FRAGCOUNT",
    "DEATHCOUNT",
    "DAMAGECOUNT",
    "DAMAGE_TAKEN",
    "HITCOUNT",
    "PLAYER_NUMBER",
]
"""The player's own variables."""
SHOWN = ("Monster", "Player", "Gore", "Health", "Ammo", "Weapon")
"""Categories of labels that are passed on."""
_MOST_PLAYERS = 8
_FRAGS = [f"PLAYER{number}_FRAGCOUNT" for number in range(1, _MOST_PLAYERS + 1)]


def main() -> None:
    """Plays one episode."""
    told = json.loads(sys.stdin.readline())
    # The engine is a process too, which would hold the pipe open when this one is gone.
    out = os.fdopen(os.dup(1), "w")
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    game = vizdoom.DoomGame()
    game.load_config(os.path.join(vizdoom.scenarios_path, told["config"]))
    game.set_window_visible(False)
    game.set_sound_enabled(False)
    game.set_mode(vizdoom.Mode.PLAYER)
    game.set_screen_format(vizdoom.ScreenFormat.GRAY8)
    game.set_screen_resolution(vizdoom.ScreenResolution.RES_160X120)
    game.set_labels_buffer_enabled(True)
    game.set_objects_info_enabled(told["objects"])
    game.set_doom_map(told["map"])
    game.set_seed(told["seed"])
    game.set_episode_timeout(told["tics"])
    game.set_available_game_variables([getattr(vizdoom.GameVariable, name) for name in (*VARIABLES, *_FRAGS)])
    buttons = _buttons(game)
    if told["arguments"]:
        game.add_game_args(told["arguments"])
    game.init()
    for _ in range(told["bots"]):
        game.send_game_command("addbot")
    _answer(game, told, out)
    for line in sys.stdin:
        _do(game, buttons, json.loads(line), told["each"])
        _answer(game, told, out)
    game.close()


def _buttons(game: vizdoom.DoomGame) -> list[str]:
    """Sets the buttons: those of the scenario that are used here, and turning by any angle in place of left and right."""
    wanted = ("ATTACK", "MOVE_FORWARD", "MOVE_BACKWARD", "MOVE_RIGHT", "MOVE_LEFT")
    there = {button.name for button in game.get_available_buttons()}
    names = [name for name in wanted if name in there] + ["TURN_LEFT_RIGHT_DELTA"]
    if "SELECT_WEAPON2" in there:
        names += [f"SELECT_WEAPON{slot}" for slot in range(2, 6)]
    game.set_available_buttons([getattr(vizdoom.Button, name) for name in names])
    return names


def _do(game: vizdoom.DoomGame, names: list[str], order: dict[str, Any], tics: int) -> None:
    if game.is_episode_finished():
        return
    if game.is_player_dead():
        game.respawn_player()
        return
    pressed = {
        "ATTACK": order["attack"],
        "MOVE_FORWARD": order["forward"] > 0,
        "MOVE_BACKWARD": order["forward"] < 0,
        "MOVE_RIGHT": order["right"] > 0,
        "MOVE_LEFT": order["right"] < 0,
        "TURN_LEFT_RIGHT_DELTA": order["turn"],
        f"SELECT_WEAPON{order['weapon']}": order["weapon"] > 0,
    }
    values = [float(pressed.get(name, 0)) for name in names]
    # The turn is made once: with it in the first tic, and a shot after it.
    turning = [0.0 if name == "ATTACK" else value for name, value in zip(names, values)]
    game.make_action(turning, 1)
    if not game.is_episode_finished():
        holding = [0.0 if name == "TURN_LEFT_RIGHT_DELTA" else value for name, value in zip(names, values)]
        game.make_action(holding, tics - 1)


def _answer(game: vizdoom.DoomGame, told: dict[str, Any], out: TextIO) -> None:
    over = game.is_episode_finished()
    said: dict[str, Any] = {
        "over": over,
        "dead": game.is_player_dead(),
        "reward": game.get_total_reward(),
        "variables": {
            name: float(game.get_game_variable(getattr(vizdoom.GameVariable, name))) for name in VARIABLES
        },
        "frags": [float(game.get_game_variable(getattr(vizdoom.GameVariable, name))) for name in _FRAGS],
        "labels": [],
    }
    state = None if over else game.get_state()
    if state is not None:
        said["labels"] = [
            [
                label.object_id,
                label.object_name,
                label.object_category,
                label.object_position_x,
                label.object_position_y,
            ]
            for label in state.labels or ()
            if label.object_category in SHOWN
        ]
        if told["objects"]:
            said["objects"] = [[each.id, each.name, each.position_x, each.position_y] for each in state.objects]
    print(json.dumps(said), file=out, flush=True)


if __name__ == "__main__":
    main()
