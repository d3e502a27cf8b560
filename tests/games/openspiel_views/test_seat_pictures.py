"""Pictures that each player has of a game: sound SVG, the own cards face up and the others' not."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import games
from arena.registry.games import load_game
from games.openspiel_views.board_images import position_image
from games.seeing.grids import CELL, grid_svg
from games.seeing.pictures import register_seat_picture, seat_picture_url

GAMES = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "kuhn_poker(players=5)",
    "leduc_poker",
    "leduc_poker(players=3)",
    "goofspiel(num_cards=5)",
    "goofspiel(imp_info=True,num_cards=5)",
    "liars_dice",
    "liars_dice(numdice=2)",
    "micro_rts(max_cycles=20)",
    "fps_arena(ticks=5)",
    "wrestle(max_steps=5)",
]


def drawn(state, player):
    url = seat_picture_url(state, player)
    return None if url is None else base64.b64decode(url.partition(",")[2]).decode()


def faces(text):
    """The texts on cards."""
    return re.findall(r'class="face[^>]*>([^<]+)<', text)


def random_states(game, seed=3):
    state, rng = game.new_initial_state(), np.random.default_rng(seed)
    while True:
        yield state
        if state.is_terminal():
            return
        if state.is_simultaneous_node():
            state.apply_actions(
                [int(rng.choice(state.legal_actions(p) or [-1])) for p in range(state.num_players())]
            )
        elif state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=np.array(chances) / sum(chances))))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))


@pytest.mark.parametrize("name", GAMES)
def test_every_position_is_drawn_for_everybody(name):
    game = load_game(name)
    for state in random_states(game):
        for player in (*range(game.num_players()), None):
            text = drawn(state, player)
            if text is not None:
                assert ET.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
                assert "script" not in text and "href" not in text
        if not state.is_chance_node():
            assert drawn(state, 0) is not None


def test_cards_lie_as_they_were_dealt():
    state = load_game("kuhn_poker").new_initial_state()
    state.apply_action(2)
    state.apply_action(0)
    assert (faces(drawn(state, 0)), faces(drawn(state, 1)), faces(drawn(state, None))) == (["K"], ["J"], [])
    state.apply_action(1)
    assert "2 in the pot" in drawn(state, 1) and "bet" in drawn(state, 1)
    state = load_game("leduc_poker").new_initial_state()
    for action in (0, 3, 1, 1, 4):  # Js and Qh, two calls, Ks
        state.apply_action(action)
    assert (faces(drawn(state, 0)), faces(drawn(state, 1))) == (["J♠", "K♠"], ["Q♥", "K♠"])
    assert faces(drawn(state, None)) == ["K♠"]


def test_dice_show_their_spots_to_their_owner():
    state = load_game("liars_dice").new_initial_state()
    state.apply_action(4)  # a five
    state.apply_action(1)  # a two
    assert [drawn(state, player).count('class="spot"') for player in (0, 1, None)] == [5, 2, 0]


def test_hands_of_a_game_that_hides_them_lie_face_down():
    state = load_game("goofspiel(imp_info=True,num_cards=3,points_order=descending)").new_initial_state()
    assert faces(drawn(state, 0)) == ["3", "1", "2", "3"] and faces(drawn(state, None)) == ["3"]


def test_a_grid_has_a_cell_for_each_run():
    made = ET.fromstring(grid_svg(["##.", "#a#"], {"#": "#000"}, {"a": ("disc", "#f00")}))
    cells = [one for one in made if one.get("fill") == "#000"]
    assert [(one.get("x"), one.get("width")) for one in cells] == [
        ("0", str(2 * CELL)),
        ("0", str(CELL)),
        (str(2 * CELL), str(CELL)),
    ]


def test_a_game_has_one_picture():
    with pytest.raises(ValueError, match="register each game once"):
        register_seat_picture("kuhn_poker", lambda state, player: None)
    assert games.register_seat_picture is register_seat_picture


@pytest.mark.parametrize(
    "name",
    [
        "connect_four",
        "chess",
        "hex(board_size=5)",
        "go(board_size=5)",
        "backgammon",
        "leduc_poker",
        "micro_rts(max_cycles=9)",
        "wrestle(max_steps=3)",
        "fps_arena(ticks=3)",
        "tic_tac_toe",
    ],
)
def test_animations_have_images_of_one_size(name):
    sizes = {
        position_image(state).size for number, state in enumerate(random_states(load_game(name))) if number < 9
    }
    assert len(sizes) == 1
