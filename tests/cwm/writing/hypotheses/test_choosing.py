"""Games chosen to tell programs apart: whether they do, against walks of whole small games."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cwm.trust import checks, trajectories
from cwm.writing.hypotheses.choosing import Effort, choose, information
from cwm.writing.hypotheses.oracle import GameOracle, RandomGames

HEAP = """
NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 10
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0
HEAP, MOST, LAST_WINS = {heap}, {most}, {last_wins}

def initial_state():
    return (HEAP, 0)

def current_player(state):
    return state[1] if state[0] else -4

def legal_actions(state):
    return list(range(min(MOST, state[0])))

def chance_outcomes(state):
    return []

def apply_action(state, action):
    return (state[0] - action - 1, 1 - state[1])

def returns(state):
    if state[0]:
        return [0.0, 0.0]
    first = (state[1] == 1) == LAST_WINS
    return [1.0, -1.0] if first else [-1.0, 1.0]

def action_name(state, action):
    return "take %d" % (action + 1)

def observation(state, player):
    return {{"heap": state[0]}}
"""
"""A heap of which players take 1 to MOST; whoever takes the last one wins, or loses."""

FEW = Effort(games=40, rounds=2, actions=20, shortenings=4)


def heaps() -> st.SearchStrategy[str]:
    return st.builds(
        lambda heap, most, last_wins: HEAP.format(heap=heap, most=most, last_wins=last_wins),
        st.integers(1, 5),
        st.integers(1, 5),
        st.booleans(),
    )


def every_play(source: str) -> dict[tuple[str, ...], tuple]:
    """All that a program says of each of its histories, by playing all of them in this process."""
    model: dict = {}
    exec(source, model)
    found, waiting = {}, [((), model["initial_state"]())]
    while waiting:
        names, state = waiting.pop()
        actions = model["legal_actions"](state) if model["current_player"](state) >= 0 else []
        found[names] = (model["current_player"](state), len(actions), state[0], tuple(model["returns"](state)))
        for action in actions:
            waiting.append(((*names, f"take {action + 1}"), model["apply_action"](state, action)))
    return found


def chosen_for(*sources: str, seed: int = 0, effort: Effort = FEW):
    with ExitStack() as stack:
        holders = [checks.Holder(source) for source in sources]
        for holder in holders:
            stack.callback(holder.close)
        return choose(holders, seed=seed, effort=effort)


@settings(max_examples=12, deadline=None)
@given(st.lists(heaps(), min_size=2, max_size=3))
def test_a_game_is_chosen_exactly_where_programs_differ_and_its_parts_are_those_that_differ_on_it(sources):
    plays = [every_play(source) for source in sources]
    chosen = chosen_for(*sources)
    if all(play == plays[0] for play in plays):
        assert chosen is None
        return
    prefixes = [chosen.names[:length] for length in range(len(chosen.names) + 1)]
    told = [tuple(play.get(prefix) for prefix in prefixes) for play in plays]
    # The last move may be there to show what is legal before it; then what it leads to does not count.
    assert len(chosen.parts) > 1
    assert set(chosen.parts) in (together(told), together([own[:-1] for own in told]))


def together(told):
    """The numbers of those that say the same."""
    groups = {}
    for number, own in enumerate(told):
        groups.setdefault(own, []).append(number)
    return {tuple(group) for group in groups.values()}


def test_the_shortest_game_is_found_where_it_is_known():
    """The first take of 3 is legal in one program alone: one state has to be seen, and one move made, to say so."""
    chosen = chosen_for(
        HEAP.format(heap=5, most=2, last_wins=True), HEAP.format(heap=5, most=3, last_wins=True)
    )
    assert len(chosen.names) == 1
    # Whether the last one wins shows at the end: taking all at once is the shortest way there.
    chosen = chosen_for(
        HEAP.format(heap=4, most=4, last_wins=True), HEAP.format(heap=4, most=4, last_wins=False)
    )
    assert chosen.names == ("take 4",)


def test_the_same_seed_chooses_the_same_game():
    sources = [HEAP.format(heap=5, most=2, last_wins=wins) for wins in (True, False)]
    assert chosen_for(*sources, seed=3) == chosen_for(*sources, seed=3)


def test_a_program_that_fails_is_told_from_one_that_does_not():
    good = HEAP.format(heap=4, most=2, last_wins=True)
    bad = good.replace("return (state[0] - action - 1, 1 - state[1])", "return 1 / 0")
    chosen = chosen_for(good, bad)
    assert len(chosen.names) == 1 and chosen.parts == ((0,), (1,))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if mine > other else 1", "if mine >= other else 1"),
        ("in _left(state[1 + player])]", "in _left(state[1 + player])][:3]"),
    ],
)
def test_choices_made_at_once_are_told_apart_and_asked_for(old, new):
    """Who gets the card at equal bids; and whether the highest card can be bid first, which shows in what is legal alone."""
    game = pyspiel.load_game("goofspiel(imp_info=True,num_cards=4)")
    right = (Path(__file__).parents[2] / "models" / "at_once" / "goofspiel.py").read_text()
    assert right.count(old) == 1
    holders = [checks.Holder(source) for source in (right, right.replace(old, new))]
    try:
        answer = GameOracle(game).play(choose(holders, effort=FEW).names)
        assert checks.check_game(holders[0], 0, answer)[1] is None
        assert checks.check_game(holders[1], 0, answer)[1] is not None
    finally:
        for holder in holders:
            holder.close()


@pytest.mark.parametrize(
    ("parts", "bits"),
    [([[0, 1]], 0.0), ([[0], [1]], 1.0), ([[0], [1], [2], [3]], 2.0), ([[0, 1, 2], [3]], 0.811278)],
)
def test_information_is_shannons(parts, bits):
    assert information(parts) == pytest.approx(bits, abs=1e-6)


# The oracle.


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker", "backgammon", "goofspiel(num_cards=4)"])
def test_the_oracle_plays_the_game_that_openspiel_plays(name):
    game = pyspiel.load_game(name)
    oracle = GameOracle(game)
    plies = 0
    for number, whole in enumerate(trajectories.collect(game, 3, 4), 1):
        names = whole.actions[: 3 + number]
        answer = oracle.play(names)
        plies += len(names)
        assert answer.actions == names
        for told, known in zip(answer.steps, whole.steps):
            assert (told.player, told.observations, told.returns) == (
                known.player,
                known.observations,
                known.returns,
            )
        for told, known in zip(answer.steps[:-1], whole.steps):
            assert (told.legal, told.chance, told.joint) == (known.legal, known.chance, known.joint)
        assert (oracle.queries, oracle.plies) == (number, plies)


def test_the_oracle_stops_where_a_move_cannot_be_made_and_shows_what_can():
    oracle = GameOracle(pyspiel.load_game("tic_tac_toe"))
    answer = oracle.play(["x(0,0)", "o(0,0)", "x(1,1)"])
    assert len(answer.actions) == 2 and answer.actions[0] == "x(0,0)"
    assert "o(0,0)" not in answer.steps[1].legal and answer.actions[1] in answer.steps[1].legal
    assert oracle.plies == 2


def test_the_oracle_ends_with_the_game():
    oracle = GameOracle(pyspiel.load_game("tic_tac_toe"))
    win = ["x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)", "x(0,2)"]
    answer = oracle.play([*win, "o(2,2)"])
    assert answer.actions == win and answer.steps[-1].returns == (1.0, -1.0)


def test_random_games_are_as_long_as_what_was_asked_for_and_never_follow_it():
    game = pyspiel.load_game("leduc_poker")
    asked = ["deal", "of", "no", "such", "names"]
    oracle, again, other = RandomGames(game, 0), RandomGames(game, 0), RandomGames(game, 1)
    games = [oracle.play(asked[: 1 + number % 5]).actions for number in range(30)]
    assert all(
        len(own) == 1 + number % 5 for number, own in enumerate(games)
    )  # no game of leduc_poker is shorter
    assert games == [again.play(asked[: 1 + number % 5]).actions for number in range(30)]
    assert games != [other.play(asked[: 1 + number % 5]).actions for number in range(30)]
    assert (oracle.queries, oracle.plies) == (30, sum(map(len, games)))
    assert len(set(map(tuple, games[4::5]))) > 3
