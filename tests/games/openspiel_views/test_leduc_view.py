"""The Leduc view against OpenSpiel's information states, and case by case from the rules."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pyspiel
import pytest

import games
from games.seeing import views

VARIANTS = [
    "leduc_poker",
    "leduc_poker(suit_isomorphism=true)",
    "leduc_poker(action_mapping=true,suit_isomorphism=true,starting_player=1)",
    "leduc_poker(players=3,suit_isomorphism=true)",
]
BETS = ["fold", "call", "raise"]


def tree(state: pyspiel.State):
    yield state
    for action in state.legal_actions():
        yield from tree(state.child(action))


def play(parameters: str, *names: str) -> pyspiel.State:
    state = pyspiel.load_game("leduc_poker" + parameters).new_initial_state()
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    return state


def from_information_state(text: str, names: list[str]) -> dict:
    """Reads the view's data, but for the chips, out of OpenSpiel's string."""
    fields = dict(re.findall(r"\[(\w+):? ([^\]]*)\]", text))
    card, public = int(fields["Private"]), int(fields.get("Public", -1))
    return {
        "card": names[card] if card >= 0 else None,
        "public_card": names[public] if public >= 0 else None,
        "round": int(fields["Round"]),
        "bets": [[BETS[int(bet)] for bet in fields[f"Round{n}"].split()] for n in (1, 2)],
    }


@pytest.mark.parametrize("name", VARIANTS)
def test_every_state_shows_what_the_information_state_says_and_no_more(name):
    game = pyspiel.load_game(name)
    cards = views.view_of(game).terms(game)["cards"]
    shown = defaultdict(set)
    for number, state in enumerate(tree(game.new_initial_state())):
        if game.num_players() > 2 and number % 40:
            continue
        for player in range(game.num_players()):
            string = state.information_state_string(player)
            data = views.view(state, player).data
            chips = data.pop("chips")
            assert data == from_information_state(string, cards)
            if not state.is_terminal():
                assert f"[Pot: {sum(chips)}]" in string
            shown[player, string].add(json.dumps(chips))
    assert len(shown) > 1000
    assert all(len(same) == 1 for same in shown.values())


def test_what_is_noticed_follows_from_the_information_state():
    noticed = defaultdict(set)
    for state in tree(pyspiel.load_game("leduc_poker").new_initial_state()):
        for player in range(2):
            replayed, seen = state.get_game().new_initial_state(), []
            for action in state.history():
                seen.append(views.noticed(replayed, action, player))
                replayed.apply_action(action)
            string = state.information_state_string(player)
            noticed[player, len(seen), string].add(tuple(seen))
    assert all(len(same) == 1 for same in noticed.values())
    state = play("", "deal Js")
    assert views.noticed(state, 3, 1) == "deal Qh"
    assert views.noticed(state, 3, 0) is None


def test_a_showdown_by_hand():
    # Player 1 raises to 3 chips, player 0 raises to 5 chips, player 1 calls.
    state = play("", "deal Ks", "deal Jh", "call", "raise")
    assert views.view(state, 0).legal == ("fold", "call", "raise")
    state = play("", "deal Ks", "deal Jh", "call", "raise", "raise")
    assert views.view(state, 1).legal == ("fold", "call")  # two raises were made
    state = play("", "deal Ks", "deal Jh", "call", "raise", "raise", "call")
    assert views.chance_distribution(state) == pytest.approx(
        {f"deal {card}": 1 / 4 for card in ("Js", "Qs", "Qh", "Kh")}
    )
    state = play("", "deal Ks", "deal Jh", "call", "raise", "raise", "call", "deal Js")
    assert views.view(state, 0).legal == ("call", "raise")  # nothing to match
    state = play("", "deal Ks", "deal Jh", "call", "raise", "raise", "call", "deal Js", "raise", "call")
    assert views.view(state, 0).data == {
        "card": "Ks",
        "public_card": "Js",
        "round": 2,
        "bets": [["call", "raise", "raise", "call"], ["raise", "call"]],
        "chips": [9, 9],
    }
    assert state.returns() == [-9, 9]  # the pair of jacks beats the king


@pytest.mark.parametrize(
    "cards, returns",
    [
        (("Ks", "Qs", "Js"), [1, -1]),
        (("Qs", "Ks", "Js"), [-1, 1]),
        (("Qs", "Qh", "Js"), [0, 0]),
        (("Qs", "Ks", "Qh"), [1, -1]),
    ],
)
def test_hands(cards, returns):
    first, second, public = (f"deal {card}" for card in cards)
    state = play("", first, second, "call", "call", public, "call", "call")
    assert state.returns() == returns


def test_a_fold_by_hand():
    state = play("", "deal Js", "deal Ks", "raise", "raise", "fold")
    assert state.is_terminal()
    assert views.view(state, 1).data["chips"] == [3, 5]
    assert state.returns() == [-3, 3]


def test_three_players_by_hand():
    # Eight cards, tens to kings. Player 1 starts and raises, player 2 folds, player 0 calls.
    game = "(players=3,starting_player=1)"
    deal = ("deal Ts", "deal Qs", "deal Ks")
    state = play(game, *deal)
    assert state.current_player() == 1
    state = play(game, *deal, "raise", "fold", "call")
    assert state.is_chance_node()
    assert len(views.chance_distribution(state)) == 5
    state = play(game, *deal, "raise", "fold", "call", "deal Th", "call", "call")
    assert state.is_terminal()
    assert views.view(state, 2).data == {
        "card": "Ks",
        "public_card": "Th",
        "round": 2,
        "bets": [["raise", "fold", "call"], ["call", "call"]],
        "chips": [3, 3, 1],
    }
    assert state.returns() == [4, -3, -1]


def test_equal_hands_share_the_pot():
    # The queens of players 0 and 1 share 9 chips; the jack of player 2 loses 3.
    state = play(
        "(players=3)", "deal Qs", "deal Qh", "deal Js", "raise", "call", "call", "deal Ks",
        "call", "call", "call",
    )  # fmt: skip
    assert state.returns() == [1.5, 1.5, -3]


def test_mapped_actions_count_as_calls():
    state = play("(action_mapping=true)", "deal Js", "deal Ks", "fold")
    assert views.view(state, 1).legal == ("fold", "call", "raise")
    assert views.view(state, 1).data["bets"] == [["call"], []]
    state = play("(action_mapping=true)", "deal Js", "deal Ks", "raise", "raise", "raise")
    assert views.view(state, 1).data["bets"][0] == ["raise", "raise", "call"]


def test_cards_without_suits():
    state = play("(suit_isomorphism=true)", "deal K")
    assert views.chance_distribution(state) == pytest.approx(
        {"deal J": 2 / 5, "deal Q": 2 / 5, "deal K": 1 / 5}
    )
    assert views.view(state, 0).data["card"] == "K"


def test_parameters_reach_the_rules():
    three = " ".join(games.rules("leduc_poker(players=3,suit_isomorphism=true)").split())
    assert "with 8 cards: 4 ranks, from the lowest to the highest T, J, Q, K," in three
    assert "a card is named by its rank alone" in three
    assert "those of players who have folded are not dealt again" in three
    plain = " ".join(games.rules("leduc_poker").split())
    assert "Js, Jh, Qs, Qh, Ks, Kh. Suits do not matter" in plain
    assert "variant" not in plain
    assert "In this variant all three" in games.rules("leduc_poker(action_mapping=true)")
    assert "player 1 acts first" in games.rules("leduc_poker(starting_player=1)")
