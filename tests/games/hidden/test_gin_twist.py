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


def hands_seen(state: pyspiel.State) -> list[bool]:
    """Whether player 0 and player 1 see the other one's hand; a hand that is seen is the right one."""
    data = [views.view(state, player).data for player in range(2)]
    seen = [one["opponent_hand"] is not None for one in data]
    for player in range(2):
        if seen[player]:
            assert data[player]["opponent_hand"] == data[1 - player]["hand"]
            assert data[player]["opponent_deadwood"] == data[1 - player]["deadwood"]
        else:
            assert data[player]["opponent_deadwood"] is None
        tensor = state.get_game().make_py_observer()
        tensor.set_from(state, player)
        assert tensor.dict["opponent_hand"].any() == (seen[player] and bool(data[1 - player]["hand"]))
    return seen


def test_the_callers_hand_opens_with_the_call_and_the_others_after_the_callers_melds():
    state = deal(CORNERED, OTHER, "r9")
    assert hands_seen(state) == [False, False]
    play(state, "take shown")
    assert hands_seen(state) == [False, False]
    call = views.action_from_name(state, "call")
    held = sorted([*CORNERED.split(), "r9"], key=lambda card: ("rbgw".index(card[0]), int(card[1:])))
    told = ", ".join(["opponent: call", *(f"opponent has {card}" for card in held)])
    assert views.noticed(state, call, 1) == told and views.noticed(state, call, 0) == "call"
    play(state, "call")
    assert hands_seen(state) == [False, True]
    play(state, "drop g2", "show r12 r13 r1", "show b11 b12 b13 b1", "show r9 g9 w9")
    assert hands_seen(state) == [False, True]
    stop = views.action_from_name(state, "stop")
    assert views.noticed(state, stop, 0).startswith("stop, opponent has r2, opponent has r11")
    assert views.noticed(state, stop, 1) == "opponent: stop"
    play(state, "stop")
    assert views.view(state, 0).data["phase"] == "add" and hands_seen(state) == [True, True]
    play(state, "stop")
    assert state.is_terminal() and hands_seen(state) == [True, True]


def at_the_wall(last: str) -> pyspiel.State:
    """Player 0 to act after player 1 has drawn and dropped `last`, with two cards left in the stock."""
    state = deal(CORNERED, OTHER, "g5")
    play(state, "take shown", "drop g5")
    while (stock := views.view(state, 0).data["stock"]) > 2:
        assert views.view(state, 0).data["phase"] == "take"
        play(state, "take hidden")
        drawn = next(
            name for name in views.chance_distribution(state) if (name == f"deal {last}") == (stock == 3)
        )
        play(state, drawn, drawn.replace("deal", "drop"))
    return state


def test_the_wall_is_the_last_chance_to_call():
    state = at_the_wall("r9")
    data = views.view(state, 0).data
    assert (data["phase"], data["stock"], data["shown"]) == ("last", 2, "r9")
    assert state.current_player() == 0 and views.view(state, 0).legal == ("skip", "call")
    assert hands_seen(state) == [False, False]
    called = play(state.clone(), "call")
    data = views.view(called, 0).data
    assert (data["phase"], data["caller"], data["shown"]) == ("show", 0, None) and "r9" in data["hand"]
    assert hands_seen(called) == [False, True]
    play(called, "drop g2", "show r12 r13 r1", "show b11 b12 b13 b1", "show r9 g9 w9", "stop", "stop")
    assert called.is_terminal() and called.returns()[0] > 40
    play(state, "skip")
    assert state.is_terminal() and state.returns() == [0, 0] and hands_seen(state) == [False, False]


def test_at_the_wall_only_a_hand_that_may_call_has_a_choice():
    state = at_the_wall("w7")
    assert views.view(state, 0).data["phase"] == "last" and views.view(state, 0).legal == ("skip",)


@pytest.mark.parametrize("player", [0, 1])
def test_at_the_wall_the_other_hand_is_drawn_anew(player):
    state = at_the_wall("r9")
    hands = set()
    for seed in range(5):
        other = state.resample_from_infostate(player, random.Random(seed).random)
        assert views.view(other, player) == views.view(state, player)
        hands.add(tuple(other.seen(1 - player)["hand"]))
    assert len(hands) == 5


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


def test_nobody_may_call_without_a_card_to_drop():
    """Two runs up to the kings have none; gin_rummy lets their player knock and has no action then."""
    deals = [51 - card for card in (10, 11, 12, 36, 37, 0, 15, 30, 45, 20, 38)]
    state = pyspiel.load_game("gin_twist(corner=false,knock_card=10,hand_size=5)").new_initial_state()
    truth = pyspiel.load_game("gin_rummy(hand_size=5)").new_initial_state()
    for action in deals:
        state.apply_action(action)
        truth.apply_action(51 - action)
    state.apply_action(state.string_to_action("take shown"))
    truth.apply_action(52)
    assert {state.action_to_string(action).split()[0] for action in state.legal_actions()} == {"drop"}
    truth.apply_action(55)
    assert not truth.is_terminal() and not truth.legal_actions()
