"""caravan case by case, from the rules."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict

import pyspiel
import pytest

from games.hidden.caravan import game as caravan
from games.hidden.caravan import table
from games.seeing import views

CARDS = [f"{good}{value}" for good in "amst" for value in range(1, 9)]


def play(state: pyspiel.State, *names: str) -> pyspiel.State:
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    return state


def deal(first: str, second: str, parameters: str = "") -> pyspiel.State:
    state = pyspiel.load_game("caravan" + parameters).new_initial_state()
    return play(state, *(f"deal {card}" for card in f"{first} {second}".split()))


def closable() -> pyspiel.State:
    """Player 0 to put a card, with a1 a3 a5 m2 s3 t4 m5 in hand; m5 was drawn last."""
    state = deal("a1 a3 m2 s3 t4 m8", "a5 a8 m6 s6 s7 t1")
    return play(state, "give m8", "give a5", "deal t8", "take store", "deal m5")


def lots_of(cards: list[str]) -> set[str]:
    """The lots of a hand by their definition, as names of actions without the verb."""
    found = set()
    for lot in itertools.combinations(cards, 3):
        goods = {card[0] for card in lot}
        low, middle, high = sorted(int(card[1]) for card in lot)
        load = len(goods) == 1 and middle - low > 1 and high - middle > 1
        string = len(goods) == 3 and middle == low + 1 and high == middle + 1
        if load or string:
            found.add(" ".join(sorted(lot, key=lambda card: card[1])))
    return found


def test_the_lots():
    named = {" ".join(caravan.card_names(lot)) for lot in table.LOTS}
    assert named == lots_of(CARDS)
    # By hand: 20 loads of each good (3 of 8, none next to each other); strings begin with 1 to 6.
    assert len(table.LOTS) == len(named) == 4 * 20 + 6 * 4 * 3 * 2


def test_gifts_are_secret_until_both_are_chosen():
    state = deal("a1 a3 m2 s3 t4 m8", "a5 a8 m6 s6 s7 t1")
    assert views.view(state, 0).legal == tuple(f"give {c}" for c in ["a1", "a3", "m2", "m8", "s3", "t4"])
    assert views.noticed(state, views.action_from_name(state, "give m8"), 1) == ("opponent has chosen a gift")
    play(state, "give m8")
    assert views.view(state, 0).data["given"] == "m8"
    assert len(views.view(state, 0).data["hand"]) == 6
    assert views.view(state, 1).data["received"] is None
    others = {state.resample_from_infostate(1, random.Random(s).random).position.gifts[0] for s in range(60)}
    assert len(others) > 10
    play(state, "give a5")
    assert state.is_chance_node()
    assert views.view(state, 0).data == {
        "phase": "open", "hand": ["a1", "a3", "a5", "m2", "s3", "t4"], "given": "m8", "received": "a5",
        "stall": None, "out": [], "store": 20, "turns": 0, "closer": None, "lots": [[], []],
        "joined": [[], []], "opponent_hand": None,
    }  # fmt: skip
    assert views.view(state, 1).data["hand"] == ["a8", "m6", "m8", "s6", "s7", "t1"]
    assert len(views.chance_distribution(state)) == 20


def test_taking_and_putting():
    state = deal("a1 a3 m2 s3 t4 m8", "a5 a8 m6 s6 s7 t1")
    play(state, "give m8", "give a5", "deal t8")
    assert state.current_player() == 0
    assert views.view(state, 0).legal == ("take stall", "take store")
    play(state, "take stall")
    assert views.view(state, 0).data["stall"] is None
    assert "put t8" in views.view(state, 0).legal
    play(state, "put s3", "take store", "deal a2", "put a2")
    data = views.view(state, 0).data
    assert (data["stall"], data["out"], data["store"], data["turns"]) == ("a2", ["s3"], 18, 2)
    assert views.view(state, 1).data["hand"] == ["a8", "m6", "m8", "s6", "s7", "t1"]


def test_a_close_by_hand():
    state = closable()
    assert views.view(state, 0).legal == (
        "close",
        "put a1",
        "put a3",
        "put a5",
        "put m2",
        "put m5",
        "put s3",
        "put t4",
    )
    play(state, "close")
    # Of the lots a1 a3 a5, a1 m2 s3, m2 a3 t4, m2 s3 t4, a3 t4 m5, s3 t4 a5 and s3 t4 m5, the third
    # and the sixth leave no other one.
    assert set(views.view(state, 0).legal) == {
        "lay a1 a3 a5",
        "lay a1 m2 s3",
        "lay m2 s3 t4",
        "lay a3 t4 m5",
        "lay s3 t4 m5",
    }
    play(state, "lay m2 s3 t4")
    assert views.view(state, 0).legal == ("lay a1 a3 a5",)
    play(state, "lay a1 a3 a5")
    # The string lacks an amber card with 1 or 5; the load takes the a8.
    assert state.current_player() == 1
    assert views.view(state, 1).legal == ("done", "join a8 to lot 2")
    play(state, "join a8 to lot 2")
    assert views.view(state, 1).legal == ("done",)
    play(state, "done")
    assert views.view(state, 1).data["phase"] == "own lots"
    assert views.view(state, 1).data["opponent_hand"] is None
    play(state, "done")
    # 2 + 4 and 1 + 5, less 5; against 6 + 6 + 7 + 1 + 8 lost; and the bonus.
    assert state.returns() == [7 + 28 + 5, -40]
    assert views.view(state, 1).data["opponent_hand"] == ["m5"]
    assert views.view(state, 1).data["joined"] == [[], ["a8"]]


def test_player_1_closes_and_player_0_lays_a_lot():
    state = deal("a1 a3 m2 s3 t4 m8", "a5 a6 m7 s7 s8 t6")
    play(state, "give m8", "give s8", "deal t8", "take store", "deal m5", "put t4", "take stall")
    # Player 1 has a5 a6 m7 m8 s7 t4 t6.
    assert views.view(state, 1).legal[0] == "close"
    play(state, "close")
    # The lots a5 t6 s7 and t6 s7 m8 would leave no other one.
    assert set(views.view(state, 1).legal) == {"lay a5 t6 m7", "lay a6 s7 m8"}
    play(state, "lay a5 t6 m7", "lay a6 s7 m8")
    assert views.view(state, 0).legal == ("done", "join s8 to lot 1")
    play(state, "join s8 to lot 1", "done")
    assert views.view(state, 0).legal == ("done", "lay a1 m2 s3")
    play(state, "lay a1 m2 s3", "done")
    # 5 + 7 and 6 + 8, less t4, is 22; 1 + 3, less a3 and m5, is -4.
    assert state.returns() == [-31, 31]


def test_a_string_of_four_is_complete_and_both_ends_take_cards():
    state = deal("m2 s3 a4 a1 a3 a7", "t1 t5 m6 s6 s8 t8")
    play(state, "give a7", "give s8", "deal s1", "take store", "deal a5", "close")
    play(state, "lay m2 s3 a4", "lay a1 a3 a5")
    # The string lacks tea: t1 and t5 fit; the load takes the a7.
    assert set(views.view(state, 1).legal) == {
        "done",
        "join t1 to lot 1",
        "join t5 to lot 1",
        "join a7 to lot 2",
    }
    play(state, "join t5 to lot 1")
    assert set(views.view(state, 1).legal) == {"done", "join a7 to lot 2"}
    assert views.view(state, 0).data["joined"] == [["t5"], []]
    play(state, "done", "done")
    # 2 + 4 and 1 + 5, less s8; against t1 m6 s6 t8 a7.
    assert state.returns() == [12 - 8 + 28 + 5, -37]


def test_the_penalty():
    """A closer with less: from a position, because such deals are long-winded."""
    rules = pyspiel.load_game("caravan").rules
    numbers = {card: number for number, card in enumerate(CARDS)}

    def hand(cards):
        return sum(1 << numbers[card] for card in cards.split())

    def lots(*names):
        return tuple(tuple(numbers[card] for card in name.split()) for name in names)

    over = table.Table(
        phase="over", hands=(hand("a8 m8"), hand("")), closer=0,
        lots=(lots("a1 a3 a5", "m1 m3 m5"), lots("a2 m3 t4")),
    )  # fmt: skip
    assert rules.returns(over) == [12 - 16 - 6 - 8, 18]
    equal = over._replace(hands=(hand("a6"), 0))
    assert rules.returns(equal) == [-8, 8]
    assert rules.returns(equal._replace(closer=1)) == [8, -8]


def test_the_end_without_a_close():
    state = deal("a1 a3 m2 s3 t4 m8", "a5 a8 m6 s6 s7 t1", "(rounds=1)")
    play(state, "give m8", "give a5", "deal t8", "take stall", "put t8", "take stall", "put t8")
    assert state.is_terminal() and state.returns() == [0, 0]
    assert views.view(state, 0).data["opponent_hand"] is None


def test_resampling_weighs_the_choices_of_the_closer():
    """The card that the closer keeps, by what the closer could have laid instead."""
    state = play(closable(), "close", "lay m2 s3 t4", "lay a1 a3 a5")
    laid = ["a1", "a3", "a5", "m2", "s3", "t4"]
    own_and_open = ["a8", "m6", "m8", "s6", "s7", "t1", "t8"]
    weights = {}
    for kept in set(CARDS) - set(laid) - set(own_and_open):
        hand = [*laid, kept]
        first = [lot for lot in lots_of(hand) if lots_of([c for c in hand if c not in lot.split()])]
        weights[kept] = 1 / len(first) / len(lots_of([*["a1", "a3", "a5"], kept]))
    exact = {card: weight / sum(weights.values()) for card, weight in weights.items()}
    rng = random.Random(8)
    drawn = Counter()
    for _ in range(700):
        hand = state.resample_from_infostate(1, rng.random).position.hands[0]
        drawn[CARDS[hand.bit_length() - 1]] += 1 / 700
    assert set(drawn) == set(exact)
    assert sum(abs(drawn[card] - exact[card]) for card in exact) / 2 < 0.08
    uniform = 1 / len(exact)
    assert sum(abs(uniform - exact[card]) for card in exact) / 2 > 0.1


def test_random_games_reach_every_phase():
    rng = random.Random(1)
    closed, seen = 0, defaultdict(int)
    for _ in range(40):
        state = pyspiel.load_game("caravan").new_initial_state()
        while not state.is_terminal():
            seen[views.view(state, 0).data["phase"]] += 1
            state.apply_action(rng.choice(state.legal_actions()))
        closed += views.view(state, 0).data["closer"] is not None
    assert set(seen) == set(table.PHASES) - {"over"}
    assert 2 < closed < 20


@pytest.mark.parametrize(
    "parameters, message",
    [
        ("(hand_size=4)", "hand_size must be from 5 to 8, got 4"),
        ("(rounds=9)", "rounds must be from 1 to 8 with hands of 6, got 9"),
        ("(hand_size=8,rounds=8)", "rounds must be from 1 to 7 with hands of 8"),
        ("(close_bonus=-1)", "must be 0 or more, got -1 and 8"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game("caravan" + parameters)
