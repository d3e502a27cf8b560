"""hand_of_war case by case, from the rules."""

from __future__ import annotations

import pyspiel
import pytest

from games.seeing import views


def play(parameters: str, deal: str, *cards: str) -> pyspiel.State:
    """Draws the first cards as dealt, then plays and draws by turns, one letter each."""
    state = pyspiel.load_game("hand_of_war" + parameters).new_initial_state()
    for card in [*deal, *"".join(cards)]:
        verb = "draw" if state.is_chance_node() else "play"
        state.apply_action(views.action_from_name(state, f"{verb} {card}"))
    return state


def test_the_deal_is_from_all_cards_not_drawn():
    assert views.chance_distribution(play("", "")) == {
        "draw A": 1 / 4,
        "draw K": 1 / 4,
        "draw Q": 1 / 4,
        "draw J": 1 / 4,
    }
    assert views.chance_distribution(play("", "AAAA")) == {"draw K": 1 / 3, "draw Q": 1 / 3, "draw J": 1 / 3}
    assert views.chance_distribution(play("", "AAK")) == pytest.approx(
        {"draw A": 2 / 13, "draw K": 3 / 13, "draw Q": 4 / 13, "draw J": 4 / 13}
    )


def test_hands_are_picked_up_when_complete():
    state = play("", "JA")
    assert views.view(state, 0).data["hand"] == []
    assert views.view(state, 0).data["piles"] == [6, 8]
    state = play("", "JAKQ")
    assert views.view(state, 0).data["hand"] == ["A", "K", "J"]
    assert views.view(state, 1).data["hand"] == []
    # The order of the deal is never known.
    same = [play("", deal).information_state_string(0) for deal in ("JAKQ", "AJKA")]
    assert same[0] == same[1]


def test_the_higher_card_takes_both_and_leads():
    state = play("", "AKJQQK", "K")
    assert state.current_player() == 1
    assert views.view(state, 1).data == {
        "hand": ["K", "Q", "Q"],
        "piles": [5, 5],
        "leader": 0,
        "led": "K",
        "battles": [],
        "taken": [0, 0],
    }
    assert views.view(state, 1).legal == ("play K", "play Q")
    state = play("", "AKJQQK", "J", "Q")
    assert state.is_chance_node()
    assert views.view(state, 0).data == {
        "hand": ["A", "K"],
        "piles": [5, 5],
        "leader": 1,
        "led": None,
        "battles": [["J", "Q"]],
        "taken": [0, 2],
    }
    state = play("", "AKJQQK", "J", "Q", "A", "J")
    assert state.current_player() == 1
    assert views.view(state, 0).data["hand"] == ["A", "A", "K"]
    assert views.view(state, 1).data["hand"] == ["K", "Q", "J"]
    assert views.view(state, 0).data["piles"] == [4, 4]


def test_equal_cards_are_nobodys_and_the_leader_stays():
    state = play("", "AKJQQK", "J", "Q", "A", "J", "K", "K", "QQ")
    data = views.view(state, 0).data
    assert data["battles"] == [["J", "Q"], ["K", "K"]]
    assert (data["taken"], data["leader"], state.current_player()) == ([0, 2], 1, 1)


def test_six_battles():
    # 16 cards: each battle is followed by two draws until the piles are empty.
    state = play("", "AAAKKK", "AK", "AQ", "AK", "QQ", "AQ", "QJ", "AQ", "JJ", "QJ", "JK", "Q")
    assert not state.is_terminal()
    assert views.view(state, 0).data["piles"] == [0, 0]
    assert views.view(state, 1).data["hand"] == ["K", "K", "J"]
    assert state.returns() == [0, 0]
    state.apply_action(views.action_from_name(state, "play J"))
    assert state.is_terminal()
    data = views.view(state, 1).data
    assert data["hand"] == ["K", "K"]
    assert data["battles"] == [list(b) for b in ("AK", "AK", "AQ", "AQ", "QJ", "QJ")]
    assert data["taken"] == [12, 0]
    assert state.returns() == [1, -1]


def test_less_taken_loses_and_as_much_is_a_draw():
    small = "(ranks=2,copies=2,hand_size=1)"  # two aces and two kings, two battles
    assert play(small, "AA", "AA", "KK", "KK").returns() == [0, 0]
    assert play(small, "AK", "AK", "AK", "AK").returns() == [1, -1]
    assert play(small, "KA", "KA", "KA", "AK").returns() == [-1, 1]
    drawn = play(small, "KA", "KA", "AK", "KA")
    assert drawn.returns() == [0, 0]
    assert [views.view(drawn, p).data["taken"] for p in range(2)] == [[2, 2]] * 2


@pytest.mark.parametrize(
    "parameters, message",
    [
        ("(ranks=1)", "ranks must be from 2 to 13, got 1"),
        ("(ranks=3,copies=3)", "even number of cards, got 3 of 3 ranks"),
        ("(hand_size=8)", "hand_size must be from 1 to 7, got 8"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game("hand_of_war" + parameters)
