"""Views of OpenSpiel's card games against OpenSpiel's own resampling: what may not be known."""

from __future__ import annotations

import random

import pyspiel
import pytest

from games.seeing import views

GAMES = {
    "leduc_poker": 60,
    "leduc_poker(players=3,suit_isomorphism=true)": 40,
    "bargaining": 40,
    # With prob_end, OpenSpiel's own resampling fails: it plays the instance at every chance node.
    "bargaining(max_turns=4,discount=0.9)": 40,
    "gin_rummy": 6,
    "gin_rummy(knock_card=10,hand_size=5)": 10,
}


def choose(state: pyspiel.State, rng: random.Random) -> int:
    """Random, but in gin rummy with melds in the deal, and a knock where there can be one."""
    legal = state.legal_actions()
    if "gin" in state.get_game().get_type().short_name:
        if 55 in legal:
            return 55
        if state.is_chance_node() and rng.random() < 0.8:
            legal = [card for card in legal if card % 13 < 5] or legal
    return rng.choice(legal)


@pytest.mark.parametrize("name", GAMES)
def test_no_view_changes_with_what_the_player_cannot_know(name):
    rng = random.Random(name)
    game = pyspiel.load_game(name)
    changed, phases = 0, set()
    for _ in range(GAMES[name]):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                phases.add(views.view(state, 0).data.get("phase"))
                for player in range(game.num_players()):
                    other = state.resample_from_infostate(player, rng.random)
                    changed += str(other) != str(state)
                    assert views.view(other, player) == views.view(state, player)
                    if other.history() != state.history():
                        assert heard(other, player) == heard(state, player)
            state.apply_action(choose(state, rng))
    assert changed > 30
    assert "gin" not in name or {"draw", "discard", "knock", "layoff"} <= phases


def heard(state: pyspiel.State, player: int) -> list[str | None]:
    """What the player has noticed of all steps."""
    replayed, found = state.get_game().new_initial_state(), []
    for action in state.history():
        found.append(views.noticed(replayed, action, player))
        replayed.apply_action(action)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_others_do_see_what_a_player_shows(name):
    """Resampling for one player must change what the other one sees: else the test above is void."""
    rng = random.Random(name)
    seen = set()
    while not seen >= {0, 1}:
        state = pyspiel.load_game(name).new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                for player in range(2):
                    other = state.resample_from_infostate(player, rng.random)
                    if views.view(other, 1 - player) != views.view(state, 1 - player):
                        seen.add(player)
            state.apply_action(choose(state, rng))


def test_only_one_mover_can_be_noticed():
    state = pyspiel.load_game("matrix_rps").new_initial_state()
    with pytest.raises(ValueError, match="noticed: one player or chance must be to move"):
        views.noticed(state, 0, 0)
    assert views.noticed(pyspiel.load_game("tic_tac_toe").new_initial_state(), 4, 1) == "x(1,1)"
    kuhn = pyspiel.load_game("kuhn_poker").new_initial_state()
    assert views.noticed(kuhn, 1, 0) is None
    for action in (0, 1):
        kuhn.apply_action(action)
    assert views.noticed(kuhn, 1, 0) == "Bet" and views.noticed(kuhn, 1, 1) is None
