"""The gin rummy view against what OpenSpiel draws, and scripted games from the rules."""

from __future__ import annotations

import random
import re

import pyspiel
import pytest

import games
from games.seeing import views

PHASES = {"FirstUpcard": "first upcard", "GameOver": "over"}


def cards(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def from_drawing(drawing: str, player: int) -> dict:
    """Reads out of OpenSpiel's observation string what it has of the view's data."""

    def field(name):
        return re.search(rf"{name}: ?(\S*)", drawing)[1]

    halves = drawing.split("Stock size")
    own = halves[player]
    melds = []
    for half in halves:
        found = re.search(r"Layed melds:(.*)", half)
        melds.append([cards(meld) for meld in found[1].split()] if found else [])
    hand = re.findall(r"\S\S", "".join(re.findall(r"^\|(.*)\|$", own, re.MULTILINE)))
    layoffs = re.search(r"Layoffs: (\S+)", drawing)
    upcard, previous = field("Upcard"), field("Prev upcard")
    phase = field("Phase")
    return {
        "phase": PHASES.get(phase, phase.lower()),
        "hand": hand,
        "deadwood": int(re.search(r"Deadwood=(\d+)", drawing)[1]),
        "upcard": None if upcard == "XX" else upcard,
        "previous_upcard": None if previous == "XX" else previous,
        "discard_pile": cards(field("Discard pile")),
        "stock": int(field("Stock size")),
        "repeated_move": field("Repeated move") == "1",
        "knock_card": int(field("Knock card")),
        "melds": melds,
        "layoffs": cards(layoffs[1]) if layoffs else [],
    }


def eager(state: pyspiel.State, rng: random.Random) -> int:
    """Deals few ranks, so that melds come up; lowers the deadwood, knocks, lays down and off."""
    legal = state.legal_actions()
    if state.is_chance_node():
        near = [card for card in legal if card % 13 < 6]
        return rng.choice(near if near and rng.random() < 0.9 else legal)
    if rng.random() < 0.3:
        return rng.choice(legal)
    if views.view(state, 0).data["phase"] == "discard":
        player = state.current_player()
        return min(legal, key=lambda a: (a != 55, state.child(a).deadwood()[player]))
    return rng.choice([action for action in legal if action != 54] or legal)


@pytest.mark.parametrize("parameters", ["", "(oklahoma=true,hand_size=7)"])
def test_data_is_what_openspiel_draws(parameters):
    rng = random.Random(6)
    phases = set()
    for _ in range(12):
        state = pyspiel.load_game("gin_rummy" + parameters).new_initial_state()
        while True:
            for player in range(2):
                data = views.view(state, player).data
                phases.add(data["phase"])
                expected = from_drawing(state.observation_string(player), player)
                if data["knocker"] is not None:
                    # After a knock at the wall OpenSpiel's number is late.
                    del expected["deadwood"]
                assert {field: data[field] for field in expected} == expected
            if state.is_terminal():
                break
            state.apply_action(eager(state, rng))
    assert {"deal", "first upcard", "draw", "discard", "knock", "layoff", "over"} <= phases


def deal(first: str, second: str, upcard: str, parameters: str = "") -> pyspiel.State:
    """Deals the hands, given by cards with spaces between, and turns the upcard."""
    state = pyspiel.load_game("gin_rummy" + parameters).new_initial_state()
    return play(state, *(f"deal {card}" for card in f"{first} {second} {upcard}".split()))


def play(state: pyspiel.State, *names: str) -> pyspiel.State:
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    return state


MELDED = "5s 6s 7s 8s 9c 9d 9h"


def test_a_knock_by_hand():
    state = deal(f"{MELDED} Ac 2d 3h", "Ts 4s 9s Kc Kd Kh Qc Qd Jh 2c", "7h")
    assert views.view(state, 0).legal == ("draw upcard", "pass")
    play(state, "pass")
    assert views.view(state, 1).legal == ("draw upcard", "pass")
    play(state, "pass")
    assert views.view(state, 0).legal == ("draw stock",)
    play(state, "draw stock")
    chances = views.chance_distribution(state)
    assert len(chances) == 31 and chances["deal 4c"] == pytest.approx(1 / 31)
    assert views.noticed(state, 16, 0) == "deal 4c" and views.noticed(state, 16, 1) is None
    play(state, "deal 4c")
    # Outside the run and the set: A, 2, 3 and, left out, 4.
    assert views.view(state, 0).data == {
        "phase": "discard",
        "hand": ["5s", "6s", "7s", "8s", "Ac", "4c", "9c", "2d", "9d", "3h", "9h"],
        "deadwood": 6, "upcard": None, "previous_upcard": "7h", "discard_pile": ["7h"],
        "stock": 30, "passed": [True, True], "repeated_move": False, "upcards_drawn": 0,
        "knock_card": 10, "knocker": None, "melds": [[], []], "layoffs": [],
        "layoffs_over": False, "opponent_hand": None, "opponent_deadwood": None,
    }  # fmt: skip
    assert len(views.view(state, 0).legal) == 12
    play(state, "knock")
    # Without the 8s or the 5s the run has three cards, and 1 + 2 + 3 + 4 = 10 is still enough.
    assert views.view(state, 0).legal == tuple(
        f"discard {card}" for card in ("5s", "8s", "Ac", "4c", "2d", "3h")
    )
    seen = views.view(state, 1).data
    assert (seen["opponent_hand"][0], len(seen["opponent_hand"])) == ("5s", 11)
    assert views.view(state, 0).data["opponent_hand"] is None
    play(state, "discard 4c")
    assert views.view(state, 0).data["discard_pile"] == ["7h", "4c"]
    # A run of three would leave 6 and the other card of the run.
    assert views.view(state, 0).legal == ("meld 9c 9d 9h", "meld 5s 6s 7s 8s")
    play(state, "meld 9c 9d 9h")
    assert views.view(state, 0).legal == ("meld 5s 6s 7s 8s",)
    play(state, "meld 5s 6s 7s 8s")
    assert views.view(state, 0).legal == ("done",)
    play(state, "done")
    # The 9s fits the set and the run; the Ts only once the 9s has been laid off.
    assert views.view(state, 1).legal == ("lay off 4s", "lay off 9s", "done")
    assert views.view(state, 0).data["opponent_deadwood"] == 85
    play(state, "lay off 9s")
    assert views.view(state, 1).legal == ("lay off 4s", "lay off Ts", "done")
    play(state, "lay off Ts", "lay off 4s")
    assert views.view(state, 1).legal == ("done",)
    play(state, "done")
    assert views.view(state, 1).legal == ("done", "meld Kc Kd Kh")
    play(state, "meld Kc Kd Kh", "done")
    assert state.is_terminal()
    assert state.returns() == [26, -26]  # queens, jack and 2 against A, 2 and 3
    assert views.view(state, 1).data["layoffs"] == ["9s", "Ts", "4s"]
    assert views.view(state, 0).data["melds"] == [
        [["9c", "9d", "9h"], ["5s", "6s", "7s", "8s"]],
        [["Kc", "Kd", "Kh"]],
    ]


@pytest.mark.parametrize("last, won", [("4h", -26), ("5h", 0), ("6h", 1)])
def test_undercuts_by_hand(last, won):
    # The knocker has 1 + 4 + 5 = 10; the other one 1 + 2 + 2 and the last card.
    state = deal(f"{MELDED} Ac 4d 5d", f"2c 3c 4c Th Jh Qh Ad 2d 2h {last}", "Kc")
    play(state, "draw upcard", "knock", "discard Kc", "meld 9c 9d 9h", "meld 5s 6s 7s 8s", "done")
    play(state, "done", "meld 2c 3c 4c", "meld Th Jh Qh", "done")
    assert state.returns() == [won, -won]


def test_gin_by_hand():
    state = deal(f"{MELDED} Ac 2c 3c", "9s 4s Kc Kh Qc Qd Qh Jh 2d Th", "Kd")
    play(state, "pass", "draw upcard", "discard Kd", "draw upcard", "knock", "discard Kd")
    play(state, "meld 9c 9d 9h", "meld 5s 6s 7s 8s", "meld Ac 2c 3c", "done")
    # No laying off; sets and runs of queens overlap.
    legal = ("done", "meld Qc Qd Qh", "meld Th Jh Qh", "meld Jh Qh Kh", "meld Th Jh Qh Kh")
    assert views.view(state, 1).legal == legal
    assert views.view(state, 1).data["layoffs_over"]
    play(state, "meld Th Jh Qh Kh", "done")
    # 9 + 4 + 10 + 10 + 10 + 2, and the bonus.
    assert state.returns() == [70, -70]


def test_the_wall_by_hand():
    state = deal("Ks Js 9s 7s Ac 3c 5h 7d 9h 2d", "5s 6s 4c Jc 9c 9d Ad 3h Qh 8h", "Tc")
    play(state, "pass", "pass")
    for _ in range(29):  # 31 cards are in the stock
        play(state, "draw stock")
        card = list(views.chance_distribution(state))[-1].split()[1]
        play(state, f"deal {card}", f"discard {card}")
    assert state.current_player() == 1
    assert views.view(state, 1).data["phase"] == "wall"
    assert views.view(state, 1).data["stock"] == 2
    assert views.view(state, 1).legal == ("pass",)
    assert len(views.view(state, 1).data["discard_pile"]) == 29
    play(state, "pass")
    assert state.is_terminal() and state.returns() == [0, 0]
    assert views.view(state, 0).data["opponent_hand"] is None


def test_a_knock_at_the_wall_by_hand():
    first, second = "Ks Js 9s 7s Ac 3c 5h 7d 2d Kd", "5c 6c 7c 9c 9d 9h As 2h 3d Kh"
    state = deal(first, second, "Tc")
    play(state, "pass", "pass")
    others = [name.split()[1] for name in views.chance_distribution(play(state, "draw stock"))]
    others.remove("4d")
    for number, card in enumerate([*others[:28], "4d"]):
        play(state, f"deal {card}", f"discard {card}")
        if number < 28:
            play(state, "draw stock")
    assert views.view(state, 1).legal == ("pass", "knock")
    play(state, "knock")
    # A, 2, 3 and 4 together are 10: only the king can go.
    assert views.view(state, 1).legal == ("discard Kh",)
    assert views.view(state, 1).data["deadwood"] == 5 + 6 + 7 + 27 + 1 + 2 + 3 + 10 + 4
    assert views.view(state, 0).data["deadwood"] == 10 + 10 + 9 + 7 + 1 + 3 + 5 + 7 + 2 + 10
    assert views.view(state, 0).data["upcard"] is None


def test_repeated_moves_end_the_game():
    state = deal(f"{MELDED} Ac 4d 5d", "2c 3c 4c Th Jh Qh Ad 2d 2h 3h", "Kc")
    play(state, "draw upcard", "discard Kc")
    assert views.view(state, 1).data["repeated_move"]
    other = play(state.clone(), "draw upcard", "discard Th", "draw upcard", "discard Th")
    assert not other.is_terminal() and views.view(other, 0).data["repeated_move"]
    play(state, "draw upcard", "discard Kc")
    assert state.is_terminal() and state.returns() == [0, 0]


def test_the_fiftieth_upcard_ends_the_game():
    state = deal("Ks Js 9s 7s Ac 3c 5h 7d 9h 2d", "5s 6s 4c Jc 9c 9d Ad 3h Qh 8h", "Tc")
    for number in range(50):
        play(state, "draw upcard")
        assert views.view(state, 0).data["upcards_drawn"] == number
        upcard = views.view(state, 0).data["previous_upcard"]
        dropped = next(n for n in views.actions_by_name(state) if n != f"discard {upcard}")
        play(state, dropped)
    play(state, "draw upcard")
    assert state.is_terminal() and state.returns() == [0, 0]
    data = views.view(state, 0).data
    assert data["upcards_drawn"] == 50 and len(data["hand"]) == 10
    assert f"discard {data['upcard']}" == dropped


OTHERS = "Ts Jc 9d 8d 7c Th Jh 9s Kc 6h"


@pytest.mark.parametrize(
    "hand, drawn, deadwood",
    [
        # As 2s 3s, 4s 4c 4h and 2c 2d 2h count 24 and leave two aces, one of which is left out. The
        # sets of aces, twos and fours count 23 and would leave only the 3s.
        ("As 2s 3s 4s Ac 2c 4c 2d Ah 2h", "4h", 1),
        # The fives and the run from 4 to 6 both count 15. The set comes first and leaves 4 and 6.
        ("4s 5s 6s 5c 5d Ac Ad 2h 2d 3c", "3h", 4 + 1 + 1 + 2 + 2 + 3 + 3),
    ],
)
def test_the_count_of_eleven_cards_by_hand(hand, drawn, deadwood):
    state = deal(hand, OTHERS, drawn)
    play(state, "draw upcard")
    assert views.view(state, 0).data["deadwood"] == deadwood


def test_oklahoma():
    hands = f"{MELDED} Ac 4d 5d", "2c 3c 4c Th Jh Qh Ad 2d 2h 3h"
    assert views.view(deal(*hands, "Kc", "(oklahoma=true)"), 0).data["knock_card"] == 10
    assert views.view(deal(*hands, "6d", "(oklahoma=true)"), 0).data["knock_card"] == 6
    assert views.view(deal(*hands, "Ah", "(oklahoma=true)"), 0).data["knock_card"] == 0


def test_parameters_reach_the_rules():
    text = games.rules("gin_rummy(knock_card=7,undercut_bonus=13,gin_bonus=40,hand_size=9)")
    words = " ".join(text.split())
    for fact in (
        "at most 7, the knock card",
        "(gin), 40 more",
        "13 less",
        "Chance deals 9 cards",
        "With 10 cards, that is",
    ):
        assert fact in words
    assert "Oklahoma" not in words
    assert "but 0 if the upcard is an A" in games.rules("gin_rummy(oklahoma=true)")
