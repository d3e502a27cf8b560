"""The bargaining view against OpenSpiel's information states, and case by case from the rules."""

from __future__ import annotations

import random
import re

import pyspiel
import pytest

import games
from games.seeing import views

INSTANCE = "pool 1 2 3 values 8 1 0 and 4 0 2"  # OpenSpiel's first one


def play(parameters: str, *names: str) -> pyspiel.State:
    state = pyspiel.load_game("bargaining" + parameters).new_initial_state()
    for name in (INSTANCE, *names):
        state.apply_action(views.action_from_name(state, name))
    return state


def from_information_state(text: str) -> dict:
    """Reads the view's data out of OpenSpiel's string."""
    if text == "Initial chance node":
        return {"pool": None, "values": None, "offers": [], "agreed": False}
    numbers = [[int(n) for n in re.findall(r": (\d+)", line)] for line in text.splitlines()]
    pool, values, _, *offers = numbers
    return {"pool": pool, "values": values, "offers": offers, "agreed": "reached? 1" in text}


@pytest.mark.parametrize("parameters", ["", "(prob_end=0.3,max_num_instances=20)"])
def test_data_is_what_the_information_state_says(parameters):
    rng = random.Random(4)
    agreed = 0
    for number in range(40):
        state = pyspiel.load_game("bargaining" + parameters).new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            agree = number % 2 and len(state.history()) > 4 and state.agree_action() in legal
            state.apply_action(state.agree_action() if agree else rng.choice(legal))
            for player in range(2):
                # At its own chance nodes OpenSpiel's string says nothing.
                if not state.is_chance_node():
                    string = state.information_state_string(player)
                    assert views.view(state, player).data == from_information_state(string)
        agreed += views.view(state, 0).data["agreed"]
    assert 5 < agreed < 40


def test_outcomes_of_chance_are_openspiels_instances():
    game = pyspiel.load_game("bargaining(max_num_instances=100)")
    state = game.new_initial_state()
    expected = {}
    for instance in game.all_instances():
        pool, first, second = (" ".join(map(str, row)) for row in (instance.pool, *instance.values))
        expected[f"pool {pool} values {first} and {second}"] = 1 / 100
    assert views.chance_distribution(state) == pytest.approx(expected)
    assert next(iter(expected)) == INSTANCE
    assert views.noticed(state, 0, 0) == "pool 1 2 3 values 8 1 0"
    assert views.noticed(state, 0, 1) == "pool 1 2 3 values 4 0 2"


def test_an_agreement_by_hand():
    state = play("")
    # 0 or 1 books, 0 to 2 hats, 0 to 3 basketballs; nothing to agree to yet.
    assert len(views.view(state, 0).legal) == 2 * 3 * 4
    assert views.view(state, 0).legal[:4] == ("offer 0 0 0", "offer 1 0 0", "offer 0 1 0", "offer 1 1 0")
    state = play("", "offer 1 1 0")
    assert views.view(state, 1).data == {
        "pool": [1, 2, 3],
        "values": [4, 0, 2],
        "offers": [[1, 1, 0]],
        "agreed": False,
    }
    assert views.view(state, 1).legal[-1] == "agree"
    # Player 1 asks for the book and two basketballs; player 0 gets two hats and a basketball.
    state = play("", "offer 1 1 0", "offer 1 0 2", "agree")
    assert state.returns() == [2, 8]
    assert views.view(state, 0).data == {
        "pool": [1, 2, 3],
        "values": [8, 1, 0],
        "offers": [[1, 1, 0], [1, 0, 2]],
        "agreed": True,
    }
    assert play("", "offer 1 1 0", "agree").returns() == [9, 6]


def test_the_last_offer_ends_the_game():
    offers = ["offer 1 0 0"] * 9
    assert not play("", *offers).is_terminal()
    state = play("", *offers, "offer 0 0 3")
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert play("(max_turns=2)", "offer 0 0 0", "offer 0 0 0").is_terminal()


def test_the_discount_by_hand():
    discount = "(discount=0.5)"
    assert play(discount, "offer 1 2 0", "agree").returns() == [10, 6]
    # Three actions: once; four actions: twice.
    assert play(discount, "offer 1 2 0", "offer 0 0 3", "agree").returns() == [5, 3]
    assert play(discount, "offer 1 2 0", "offer 0 0 3", "offer 0 2 3", "agree").returns() == ([0.5, 1])


def test_the_end_by_chance():
    game = "(prob_end=0.25,discount=0.5)"
    assert play(game, "offer 1 2 0").current_player() == 1
    state = play(game, "offer 1 2 0", "offer 0 0 3")
    assert views.chance_distribution(state) == {"continue": 0.75, "end": 0.25}
    assert views.noticed(state, state.legal_actions()[1], 0) == "end"
    ended = play(game, "offer 1 2 0", "offer 0 0 3", "end")
    assert ended.is_terminal() and ended.returns() == [0, 0]
    assert not views.view(ended, 0).data["agreed"]
    going_on = play(game, "offer 1 2 0", "offer 0 0 3", "continue", "agree")
    assert going_on.returns() == [5, 3]


def test_parameters_reach_the_rules():
    text = games.rules("bargaining(max_num_instances=2,max_turns=4)")
    assert "There are 2 instances" in text and "As soon as 4 offers" in text
    assert "- 1 2 3: 810/402\n- 1 4 1: 412/220\n" in text
    assert "probability 0.25" in games.rules("bargaining(prob_end=0.25)")
    assert "by 0.9 to the power of n - 2" in games.rules("bargaining(discount=0.9)")
    assert "power" not in text and "continue" not in text
    ten = games.rules("bargaining")
    assert len(re.findall(r"\b[0-9X]{3}/[0-9X]{3}\b", ten)) == 1000
    assert "222/X00" in ten
