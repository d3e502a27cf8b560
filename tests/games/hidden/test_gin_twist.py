"""gin_twist against OpenSpiel's gin_rummy move by move, and what the twist changes."""

from __future__ import annotations

import random
from collections import Counter

import pyspiel
import pytest

from games.hidden import posterior
from games.hidden.cards import mask_of
from games.hidden.gin import melds
from games.seeing import views

WORDS = {
    "draw upcard": "take shown", "draw stock": "take hidden", "pass": "skip", "done": "stop",
    "knock": "call", "discard": "drop", "meld": "show", "lay off": "add", "deal": "deal",
}  # fmt: skip
PHASES = {"first upcard": "first", "draw": "take", "discard": "drop", "knock": "show",
          "layoff": "add", "wall": "last"}  # fmt: skip


def card(name: str | None) -> str | None:
    return name and f"{'rbgw'['scdh'.index(name[1])]}{'A23456789TJQK'.index(name[0]) + 1}"


def cards(names: list[str] | None) -> list[str] | None:
    return names if names is None else [card(name) for name in names]


def renamed(name: str) -> str:
    verb = next(word for word in sorted(WORDS, key=len, reverse=True) if name.startswith(word))
    return " ".join([WORDS[verb], *cards(name.removeprefix(verb).split())])


def renamed_data(data: dict) -> dict:
    return {
        "phase": PHASES.get(data["phase"], data["phase"]),
        "hand": cards(data["hand"]),
        "deadwood": data["deadwood"],
        "shown": card(data["upcard"]),
        "previous": card(data["previous_upcard"]),
        "pile": cards(data["discard_pile"]),
        "stock": data["stock"],
        "skipped": data["passed"],
        "repeated": data["repeated_move"],
        "taken": data["upcards_drawn"],
        "caller": data["knocker"],
        "melds": [[cards(meld) for meld in row] for row in data["melds"]],
        "added": cards(data["layoffs"]),
        "adding_over": data["layoffs_over"],
        "opponent_hand": cards(data["opponent_hand"]),
        "opponent_deadwood": data["opponent_deadwood"],
    }


def eager(state: pyspiel.State, width: int, rng: random.Random) -> int:
    """Deals cards of few ranks, knocks at times, and goes on as long as one can."""
    legal = state.legal_actions()
    if state.is_chance_node():
        near = [card for card in legal if card % 13 < width]
        return rng.choice(near if near and rng.random() < 0.9 else legal)
    if 55 in legal and rng.random() < 0.5:
        return 55
    if 53 in legal and width == 13:
        return 53
    return rng.choice([a for a in legal if a != 54] or legal) if rng.random() < 0.8 else (rng.choice(legal))


def test_without_the_twist_games_go_as_openspiels():
    rng = random.Random(12)
    phases = Counter()
    for number in range(16):
        size = (10, 10, 7)[number % 3]
        width = (3, 5, 13, 4)[number % 4]
        state = pyspiel.load_game(
            f"gin_twist(corner=false,knock_card=10,gin_bonus=25,undercut_bonus=25,hand_size={size})"
        ).new_initial_state()
        truth = pyspiel.load_game(f"gin_rummy(hand_size={size})").new_initial_state()
        while True:
            assert state.current_player() == truth.current_player()
            assert state.returns() == truth.returns()
            dealt = len(truth.history())
            for player in range(2):
                expected = renamed_data(views.view(truth, player).data)
                if dealt < (player + 1) * size:
                    expected["hand"] = []
                assert views.view(state, player).data == expected
            phases[expected["phase"]] += 1
            if truth.is_terminal():
                break
            wanted = {renamed(name): a for name, a in views.actions_by_name(truth).items()}
            actions = views.actions_by_name(state)
            assert set(actions) == set(wanted)
            action = eager(truth, width, rng)
            name = next(name for name, number in wanted.items() if number == action)
            if truth.is_chance_node():
                chance = dict(truth.chance_outcomes())[action]
                assert views.chance_distribution(state)[name] == pytest.approx(chance)
            state.apply_action(actions[name])
            truth.apply_action(action)
    assert set(phases) >= {"deal", "first", "take", "drop", "show", "add", "last", "over"}


def test_the_count_of_eleven_cards_is_openspiels():
    """Many hands full of melds that overlap, where the order of the melds decides."""
    rng = random.Random(4)
    game, differ = pyspiel.load_game("gin_rummy"), 0
    for _ in range(120):
        low = rng.randrange(10)
        near = [c for c in range(52) if low <= c % 13 < low + 4]
        hand = rng.sample(near, 11)
        rest = [c for c in range(52) if c not in hand]
        state = game.new_initial_state()
        for dealt in [*hand[:10], *rest[:10], hand[10]]:
            state.apply_action(dealt)
        state.apply_action(52)
        mask = mask_of(hand)
        assert melds.deadwood(mask, False, True) == state.deadwood()[0]
        least = min(melds.deadwood(mask & ~(1 << c), False, False) for c in hand)
        differ += least != state.deadwood()[0]
    assert differ


def play(state: pyspiel.State, *names: str) -> pyspiel.State:
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    return state


def deal(first: str, second: str, shown: str, parameters: str = "") -> pyspiel.State:
    state = pyspiel.load_game("gin_twist" + parameters).new_initial_state()
    return play(state, *(f"deal {card}" for card in f"{first} {second} {shown}".split()))


CORNERED = "r12 r13 r1 b11 b12 b13 b1 g9 w9 g2"
OTHER = "r11 r2 g7 b7 w4 w5 w6 g13 w11 b3"


def test_runs_turn_the_corner():
    state = deal(CORNERED, OTHER, "r9")
    play(state, "take shown")
    # Runs r12 to r1, b11 to b1 and the nines; the 2 is left out.
    assert views.view(state, 0).data["deadwood"] == 0
    play(state, "call")
    # Each card that leaves at most 7: the 2 only, or one of the ends of the run of four.
    assert set(views.view(state, 0).legal) == {"drop g2", "drop b11", "drop b1"}
    play(state, "drop b11")
    assert set(views.view(state, 0).legal) == {"show r9 g9 w9", "show r12 r13 r1", "show b12 b13 b1"}
    play(state, "show r12 r13 r1", "show b12 b13 b1", "show r9 g9 w9", "stop")
    # Around the corner, r2 fits behind the r1 and r11 before the r12; then r3 and r10 would.
    assert set(views.view(state, 1).legal) == {"stop", "add r2", "add r11"}
    assert views.view(state, 1).data["opponent_hand"] == ["g2"]
    play(state, "add r2", "add r11", "stop")
    assert set(views.view(state, 1).legal) == {"stop", "show w4 w5 w6"}
    play(state, "show w4 w5 w6", "stop")
    # 7 + 7 + 10 + 10 + 3 against 2.
    assert state.returns() == [35, -35]


def test_without_corners_they_do_not():
    state = deal(CORNERED, OTHER, "r9", "(corner=false)")
    play(state, "take shown")
    # The run b11 b12 b13 and the nines; left are r12, r1, b1, g2 and, left out, r13.
    assert views.view(state, 0).data["deadwood"] == 14
    assert "call" not in views.view(state, 0).legal


def test_bonuses():
    state = deal(CORNERED, OTHER, "r9")
    play(state, "take shown", "call", "drop g2", "show r12 r13 r1", "show b11 b12 b13 b1")
    play(state, "show r9 g9 w9", "stop")
    assert set(views.view(state, 1).legal) == {"stop", "show w4 w5 w6"}  # gin: no adding
    play(state, "stop")
    # 10 + 2 + 7 + 7 + 4 + 5 + 6 + 10 + 10 + 3, and 40.
    assert state.returns() == [104, -104]


@pytest.mark.parametrize("last, won", [("b5", -15), ("b7", 0), ("g8", 1)])
def test_the_other_one_may_have_less(last, won):
    # The caller has 1 + 2 + 4 = 7, the other one the last card.
    state = deal("r5 r6 r7 r8 b9 g9 w9 w1 w2 g4", f"b1 b2 b3 g10 g11 g12 w4 w5 w6 {last}", "r13")
    play(state, "take shown", "call", "drop r13", "show r5 r6 r7 r8", "show b9 g9 w9", "stop")
    play(state, "stop", "show b1 b2 b3", "show g10 g11 g12", "show w4 w5 w6", "stop")
    assert state.returns() == [won, -won]


def test_the_actions_are_numbered_as_the_rules_say():
    game = pyspiel.load_game("gin_twist")
    state = game.new_initial_state()
    names = [state.action_to_string(0, action) for action in range(game.num_distinct_actions())]
    assert names[:5] == ["take hidden", "take shown", "skip", "stop", "call"]
    # 65 sets, and 13 runs of each colour and length.
    assert names[5] == "show b1 g1 w1" and names[5 + 65] == "show r1 r2 r3"
    assert names[5 + 65 + 3 * 4 * 13] == "drop w13" and names[-1] == "add r1"
    assert len(set(names)) == len(names) == 5 + 65 + 156 + 104


def test_resampling_is_exact():
    """Against the filter over all positions, which small hands allow: calls depend on hidden cards."""
    game = pyspiel.load_game("gin_twist(hand_size=1,knock_card=3)")
    state = game.new_initial_state()
    play(state, "deal r9", "deal b2", "deal r13", "skip", "skip", "take hidden", "deal w5")
    play(state, "drop w5", "take hidden", "deal g8", "drop g8")
    exact = Counter()
    found = posterior.positions(game.rules, state.memory(0), 0, len(state.history()))
    for position, probability in found.items():
        exact[position.hands[1]] += probability
    rng = random.Random(2)
    drawn = Counter(state.resample_from_infostate(0, rng.random).position.hands[1] for _ in range(2500))
    low = [hand for hand in exact if melds.total(hand) <= 3]
    share = sum(exact[hand] for hand in low)
    assert set(drawn) <= set(exact) and len(exact) == 52 - 4
    assert sum(drawn[hand] for hand in low) / 2500 == pytest.approx(share, abs=0.02)
    # A hand with a low card could have called instead of dropping the 8.
    assert share < len(low) / len(exact) - 0.05


@pytest.mark.parametrize(
    "parameters, message",
    [
        ("(hand_size=11)", "hand_size must be from 1 to 10, got 11"),
        ("(knock_card=11)", "knock_card must be from 0 to 10, got 11"),
        ("(gin_bonus=-1)", "must be 0 or more, got -1 and 13"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game("gin_twist" + parameters)
