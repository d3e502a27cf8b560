"""The texts of the rules: they render, follow the parameters, and document every field."""

from __future__ import annotations

import pyspiel
import pytest

import games
from games.seeing import views

NAMES = [
    "backgammon",
    "bargaining",
    "bargaining_twist",
    "caravan",
    "connect_four",
    "ferry",
    "fps_arena",
    "gen_chess",
    "gen_tic_tac_toe",
    "gin_rummy",
    "gin_twist",
    "hand_of_war",
    "leduc_poker",
    "leduc_twist",
    "micro_rts",
    "quadranto",
    "tic_tac_toe",
    "wrestle",
]


def test_the_games_that_have_rules():
    assert games.games_with_rules() == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_field_and_the_names_are_documented(name):
    text = games.rules(name)
    assert "{{" not in text and "{%" not in text
    state = pyspiel.load_game(name).new_initial_state()
    for field in views.view(state, 0).data:
        assert f"`{field}`" in text
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert "## Names of the actions" in text
    assert games.rules(state.get_game()) == text


def words(game: str) -> str:
    return " ".join(games.rules(game).split())


def test_parameters_reach_the_text():
    assert "board of 5 rows and 5 columns" in words("gen_tic_tac_toe(size=5,length=3)")
    assert "has 3 or more" in words("gen_tic_tac_toe(size=5,length=3)")
    assert "After 60 plies" in words("gen_chess(max_plies=60)")
    assert "order: nothing, cavalry, general, infantry, nothing." in words("gen_chess(start_row=.CGI.)")
    assert "towards row 1" in words("gen_chess")
    assert "towards row 1" not in words("gen_chess(mirror=false)")
    assert "board of 5 rows and 8 columns" in words("connect_four(rows=5,columns=8)")
    assert "| Heavy | 2 | 4 | 4 | 1 | 120 | 12 |" in words("micro_rts(unit_table=1)")
    assert "| Heavy | 3 | 8 | 0 to 6, each as likely | 1 |" in words("micro_rts(unit_table=3)")
    assert "a coin decides" in words("micro_rts(conflict_policy=2)")
    assert "both orders are cancelled" in words("micro_rts")
    assert "such as `for 7`" in words("micro_rts(any_orders=true)")
    assert "+3" in words("backgammon(scoring_type=full_scoring)")
    assert "+3" not in words("backgammon")
    assert "first 40 turns" in words("backgammon(max_player_turns=40)")
    assert "points 24, 23 and 22" in words("backgammon(hyper_backgammon=true)")


def test_parameters_of_the_twins_and_our_own_games_reach_the_text():
    assert "4 ranks, from the lowest to the highest ash, birch, cedar, elm" in words("leduc_twist")
    assert "A pair is the worst hand" in words("leduc_twist")
    assert "A pair is the best hand" in words("leduc_twist(pairs_lose=false)")
    assert "would be given" in words("bargaining_twist")
    assert "`keep 1 0 2`" in words("bargaining_twist(give=false)")
    assert "exactly 12 to that" in words("bargaining_twist")
    assert "runs may turn this corner" in words("gin_twist")
    assert "corner" not in words("gin_twist(corner=false)")
    assert "(gin), 40 more; if the own count is the greater one, 13 less" in words("gin_twist")
    assert "So the last one is certain" in words("ferry")
    assert "The other tiles are not used" in words("ferry(tiles=6)")
    assert "has had 3 turns" in words("ferry(turns=3)")
    assert "Chance deals 7 cards" in words("caravan(hand_size=7,rounds=5)")
    assert "5 turns each" in words("caravan(hand_size=7,rounds=5)")
    assert "Hand of war with 6 cards" in words("hand_of_war(ranks=3,copies=2,hand_size=1)")
    assert "After 9 moves" in words("quadranto(size=6,max_moves=9)")
    assert "Each of the 9 cells" in words("quadranto(size=6,max_moves=9)")


def test_a_game_without_rules_names_those_with():
    with pytest.raises(ValueError, match=r"rules/chess.md, got none; .* backgammon, .*connect_four"):
        games.rules("chess")
