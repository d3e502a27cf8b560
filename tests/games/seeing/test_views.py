"""Views of all games that OpenSpiel loads: they can be had, they name actions, they do not leak."""

from __future__ import annotations

import doctest
import json
import random

import pyspiel
import pytest

import games
from games import gen_chess, gen_tic_tac_toe
from games.hidden import ferry, hand_of_war, quadranto
from games.hidden.caravan import game as caravan
from games.seeing import rulebook, views

# crossword has no numbered actions, only structs, so it has no legal actions to ask for.
LOADABLE = sorted(
    game_type.short_name
    for game_type in pyspiel.registered_games()
    if game_type.default_loadable
    and game_type.short_name != "crossword"
    and not game_type.short_name.startswith("python_")  # registered only where something has imported them
)
# Bridge can resample too, but takes a second for four moves.
CAN_RESAMPLE = [
    "bargaining",
    "blackjack",
    "euchre",
    "gin_rummy",
    "hearts",
    "kuhn_poker",
    "leduc_poker",
    "oh_hell",
    "universal_poker",
]


def random_step(state: pyspiel.State, rng: random.Random) -> bool:
    """Takes one random step; returns False where there is none."""
    if state.is_mean_field_node():
        support = state.distribution_support()
        if not support:
            return False
        state.update_distribution([1 / len(support)] * len(support))
    elif state.is_simultaneous_node():
        # An action of a player who has none is ignored, but one must be given.
        choices = [state.legal_actions(p) or [0] for p in range(state.num_players())]
        state.apply_actions([rng.choice(actions) for actions in choices])
    else:
        state.apply_action(rng.choice(state.legal_actions()))
    return True


@pytest.mark.parametrize("name", LOADABLE)
def test_every_game_can_be_viewed(name):
    game = pyspiel.load_game(name)
    rng = random.Random(name)
    state = game.new_initial_state()
    assert views.describe(game)
    for _ in range(15):
        for player in range(game.num_players()):
            seen = views.view(state, player)
            assert json.loads(json.dumps(seen.data)) == seen.data
            assert isinstance(seen.text, str)
            assert seen.to_move == state.current_player()
            check_legal(state, player, seen)
        if state.is_terminal():
            return
        if state.is_chance_node():
            assert sum(views.chance_distribution(state).values()) == pytest.approx(1, abs=1e-6)
        if not random_step(state, rng):
            return


def check_legal(state, player, seen):
    if state.is_simultaneous_node():
        actions = state.legal_actions(player)
    elif state.current_player() == player:
        actions = state.legal_actions()
    else:
        actions = []
    assert len(set(seen.legal)) == len(seen.legal)
    named = [views.action_from_name(state, label, player) for label in seen.legal]
    assert named == sorted(named)
    assert set(named) <= set(actions)
    for action in actions:
        assert views.action_name(state, action, player) in seen.legal


@pytest.mark.parametrize("name", CAN_RESAMPLE)
def test_a_view_shows_nothing_that_the_player_cannot_know(name):
    rng = random.Random(7)
    changed = decisions = 0
    while decisions < 60:
        state = pyspiel.load_game(name).new_initial_state()
        while not state.is_terminal() and decisions < 60:
            if not state.is_chance_node() and not in_hearts_pass(state):
                player = state.current_player()
                other = state.resample_from_infostate(player, rng.random)
                decisions += 1
                changed += str(other) != str(state)
                assert views.view(state, player) == views.view(other, player)
            random_step(state, rng)
    assert changed > 5


def in_hearts_pass(state: pyspiel.State) -> bool:
    """OpenSpiel resamples hearts wrongly here: who has passed cards already keeps all 13."""
    if state.get_game().get_type().short_name != "hearts":
        return False
    return json.loads(state.to_struct().to_json())["phase"] == "Pass"


def test_boards_are_drawn_top_row_first():
    state = pyspiel.load_game("connect_four").new_initial_state()
    for action in (3, 3, 0):
        state.apply_action(action)
    empty = "." * 7
    expected = [empty, empty, empty, empty, "...o...", "x..x..."]
    assert views.view(state, 0).data == views.view(state, 1).data == {"board": expected}

    state = pyspiel.load_game("gen_tic_tac_toe(size=4,length=3)").new_initial_state()
    state.apply_action(1)
    state.apply_action(14)
    assert views.view(state, 0).data == {"board": [".x..", "....", "....", "..o."]}

    state = pyspiel.load_game("gen_chess").new_initial_state()
    state.apply_action(views.action_from_name(state, "a1-a4"))
    assert views.view(state, 1).data == {"board": ["cigic", "C....", ".....", ".....", ".IGIC"], "plies": 1}


def test_who_is_not_to_move_has_no_legal_actions():
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    assert len(views.view(state, 0).legal) == 9
    assert views.view(state, 1).legal == ()
    assert views.actions_by_name(state, 1) == {}
    for action in (0, 3, 1, 4, 2):
        state.apply_action(action)
    assert views.view(state, 1).to_move == -4
    assert views.actions_by_name(state) == {}


def test_simultaneous_moves_belong_to_a_player():
    state = pyspiel.load_game("matrix_rps").new_initial_state()
    assert views.view(state, 1).to_move == -2
    assert views.view(state, 1).legal == ("Rock", "Paper", "Scissors")
    assert views.action_from_name(state, "Paper", 1) == 1
    with pytest.raises(ValueError, match="give `player`"):
        views.actions_by_name(state)


def test_unknown_names_are_answered_with_the_nearest():
    state = pyspiel.load_game("gen_chess").new_initial_state()
    assert views.action_from_name(state, " c1-c2\n") == 2 * 25 + 7
    with pytest.raises(ValueError, match=r"gen_chess: .* got 'c1-c3'; the nearest are .*'c1-c2'"):
        views.action_from_name(state, "c1-c3")


def test_only_existing_players_have_views_and_only_chance_a_distribution():
    state = pyspiel.load_game("kuhn_poker").new_initial_state()
    with pytest.raises(ValueError, match="from 0 to 1, got 2"):
        views.view(state, 2)
    state.apply_action(0)
    state.apply_action(1)
    with pytest.raises(ValueError, match="chance .* must be to move, got 0"):
        views.chance_distribution(state)


def test_actions_of_one_name_stand_for_each_other(monkeypatch):
    class Parity(views.GameView):
        def action_names(self, state, player, actions):
            return ["odd" if action % 2 else "even" for action in actions]

    monkeypatch.setattr(views, "_VIEWS", {})
    views.register_view("tic_tac_toe", Parity())
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    state.apply_action(0)
    assert views.actions_by_name(state) == {"odd": 1, "even": 2}
    assert views.view(state, 1).legal == ("odd", "even")


def test_a_game_has_one_view(monkeypatch):
    class First(views.GameView):
        pass

    monkeypatch.setattr(views, "_VIEWS", {})
    views.register_view("chess", First())
    views.register_view("chess", First())  # as a module does that is imported again
    with pytest.raises(ValueError, match="'chess' has the view First already, got GameView"):
        views.register_view("chess", views.GameView())


MODULES = [
    games, caravan, ferry, gen_chess, gen_tic_tac_toe, hand_of_war, quadranto, rulebook, views
]  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_doctests(module):
    assert doctest.testmod(module).failed == 0
