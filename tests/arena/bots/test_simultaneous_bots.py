"""Bots where players move at once: search, solvers and language models, none of which sees a pending move."""

from __future__ import annotations

import random
import statistics

import pyspiel
import pytest
from scipy.optimize import linprog

from arena.bots.llm_policy import LlmPolicyBot
from arena.bots.policies import exploitability
from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from games.seeing import pending_moves
from language_models import Completion

MP, RPS, PD = map(pyspiel.load_game, ("matrix_mp", "matrix_rps", "matrix_pd"))
# Paper beats rock and scissors beats paper by 1, rock beats scissors by 2. Skew-symmetric, so of value 0: against
# the mix (r, p, s) rock earns -p + 2s, paper r - s, scissors -2r + p; all are 0 at r = s, p = 2s.
BIASED = pyspiel.create_matrix_game(
    "biased",
    "biased",
    ["R", "P", "S"],
    ["R", "P", "S"],
    [[0, -1, 2], [1, 0, -1], [-2, 1, 0]],
    [[0, 1, -2], [-1, 0, 1], [2, -1, 0]],
)
# The row mixes (p, 1 - p) with 3p - 2(1 - p) = -p + (1 - p), p = 3/7; the column 4q - 1 = 1 - 3q, q = 2/7.
LOPSIDED = pyspiel.create_matrix_game(
    "lopsided", "lopsided", ["a", "b"], ["c", "d"], [[3, -1], [-2, 1]], [[-3, 1], [2, -1]]
)
GOOFSPIEL = "goofspiel(num_cards=3,points_order=descending)"
IN_TURN = "turn_based_simultaneous_game(game={})".format


@pytest.mark.parametrize(
    "game, player, mix",
    [
        (MP, 0, [1 / 2, 1 / 2]),
        (RPS, 1, [1 / 3, 1 / 3, 1 / 3]),
        (BIASED, 0, [1 / 4, 1 / 2, 1 / 4]),
        (BIASED, 1, [1 / 4, 1 / 2, 1 / 4]),
        (LOPSIDED, 0, [3 / 7, 4 / 7]),
        (LOPSIDED, 1, [2 / 7, 5 / 7]),
        (PD, 0, [0, 1]),  # to defect dominates
    ],
)
def test_regret_matching_converges_to_the_equilibrium(game, player, mix):
    bot = make_bot("smcts(simulations=20000)", game, player, 1)
    assert list(bot.policy(game.new_initial_state()).values()) == pytest.approx(mix, abs=0.03)


@pytest.mark.parametrize("game, mix", [(MP, [1 / 2, 1 / 2]), (RPS, [1 / 3] * 3)])
def test_decoupled_uct_finds_simple_equilibria(game, mix):
    bot = make_bot("smcts(simulations=10000,rule=uct)", game, 1, 1)
    assert list(bot.policy(game.new_initial_state()).values()) == pytest.approx(mix, abs=0.03)


class Searched(pyspiel.Bot):
    """The mix of a search at each state, searched once."""

    def __init__(self, bot, player):
        super().__init__()
        self._bot, self._player, self._found = bot, player, {}

    def provides_policy(self):
        return True

    def get_policy(self, state):
        key = tuple(state.history())
        if key not in self._found:
            self._found[key] = list(self._bot.policy(state).items())
        return self._found[key]


def value_of(state):
    """The value of a zero-sum state without chance for player 0: at each node the linear program of the matrix of
    the values below (von Neumann; maximise v with x A >= v)."""
    if state.is_terminal():
        return state.returns()[0]
    rows, columns = state.legal_actions(0), state.legal_actions(1)
    below = []
    for row in rows:
        below.append([])
        for column in columns:
            child = state.clone()
            child.apply_actions([row, column])
            below[-1].append(value_of(child))
    solved = linprog(
        [0.0] * len(rows) + [-1.0],
        A_ub=[[-below[row][column] for row in range(len(rows))] + [1.0] for column in range(len(columns))],
        b_ub=[0.0] * len(columns),
        A_eq=[[1.0] * len(rows) + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * len(rows) + [(None, None)],
    )
    return -solved.fun


def test_the_linear_program_of_openspiel_gives_the_same_value():
    pytest.importorskip("cvxpy")
    pytest.importorskip("ecos", reason="OpenSpiel's linear programs name the solver ECOS: pip install ecos")
    from open_spiel.python.algorithms import sequence_form_lp

    game = load_game(GOOFSPIEL)
    value, *_ = sequence_form_lp.solve_zero_sum_game(pyspiel.convert_to_turn_based(game))
    assert value == pytest.approx(value_of(game.new_initial_state()), abs=1e-6)


def test_search_in_goofspiel_comes_near_the_value_of_the_linear_program():
    game = load_game(GOOFSPIEL)
    value = value_of(game.new_initial_state())
    other = -value
    assert value == pytest.approx(0, abs=1e-9)
    assert value_of(LOPSIDED.new_initial_state()) == pytest.approx(1 / 7)
    bots = [Searched(make_bot("smcts(simulations=3000)", game, player, player), player) for player in range(2)]
    own = exploitability(bots, game)
    assert own.best_response_values == pytest.approx((value, other), abs=0.05)
    assert exploitability("random", game).best_response_values[0] > 0.5  # what a poor policy loses


@pytest.mark.parametrize("rule", ["uct", "regret_matching"])
@pytest.mark.parametrize(
    "game", ["goofspiel(num_cards=5)", "oshi_zumo(horizon=20)", "markov_soccer(horizon=50)", "matrix_rps"]
)
def test_search_plays_games_of_all_kinds_and_repeats_itself(game, rule):
    spec = f"smcts(simulations=20,rollouts=2,rule={rule})"
    one, again = (play_match(game, [spec, "random"], 5, opening_plies=0) for _ in range(2))
    assert one.forfeit is None and one.actions() == again.actions()
    own = [move for move in one.moves if move.player == 0]
    assert all(move.notes["simulations"] == 20 for move in own)
    assert all(sum(move.notes["policy"].values()) == pytest.approx(1, abs=0.01) for move in own)


def test_search_beats_random_play():
    returns = [
        play_match(
            "goofspiel(num_cards=5)", ["smcts(simulations=100)", "random"], seed, opening_plies=0
        ).returns[0]
        for seed in range(100)
    ]
    assert statistics.mean(returns) > 1.96 * statistics.stdev(returns) / 10


@pytest.mark.parametrize(
    "spec, game, said",
    [
        ("smcts", "tic_tac_toe", "in tic_tac_toe.* they move in turn; choose mcts"),
        ("smcts", "goofspiel(num_cards=3,imp_info=True)", "hides a part of it from the players"),
        ("smcts(rule=ucb)", "matrix_rps", "expected uct or regret_matching, found 'ucb'"),
        ("smcts(simulations=0)", "matrix_rps", "'simulations': expected at least 1, found 0"),
        ("smcts(exploration=2)", "matrix_rps", "'exploration': expected 0 to 1, found 2.0"),
        ("cfr", "repeated_game(stage_game=matrix_rps(),num_repetitions=3)", "information states have names"),
        ("mcts", IN_TURN("goofspiel(num_cards=4,imp_info=True)"), "does not resample it"),
    ],
)
def test_what_cannot_be_played_is_refused(spec, game, said):
    with pytest.raises(ValueError, match=said):
        make_bot(spec, load_game(game), 0, 0)


def test_solvers_find_equilibria():
    for spec in ("cfr(iterations=300)", "cfr_plus(iterations=100)", "mccfr(iterations=5000)"):
        own = exploitability(spec, load_game(GOOFSPIEL))
        assert own.nash_conv < 0.02 and own.values == pytest.approx((0, 0), abs=0.01), spec
    state = PD.new_initial_state()
    assert dict(make_bot("cfr(iterations=300)", PD, 1, 0).get_policy(state))[1] > 0.99


def test_solvers_play_where_not_everybody_has_a_move_and_where_cards_are_drawn():
    for game in (
        "oshi_zumo(horizon=4,coins=4)",
        "goofspiel(num_cards=3)",
        "goofspiel(num_cards=3,imp_info=True)",
    ):
        for seats in (["cfr(iterations=20)", "random"], ["random", "mccfr(iterations=200)"]):
            assert play_match(game, seats, 3, opening_plies=0).forfeit is None


def pending_states(game_string, walks=5):
    """Pairs of states with one pending move each that differ in nothing else."""
    game = load_game(game_string)
    rng = random.Random(0)
    for _ in range(walks):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
                continue
            legal = state.legal_actions()
            if state.current_player() == 0 and len(legal) > 1:
                yield game, state.child(legal[0]), state.child(legal[-1])
            state.apply_action(rng.choice(legal))


CONVERTED = [IN_TURN(game) for game in ("matrix_mp()", "goofspiel(num_cards=4)", "oshi_zumo(horizon=10)")]


@pytest.mark.parametrize("game_string", CONVERTED)
def test_information_states_hide_the_pending_move(game_string):
    for _, one, other in pending_states(game_string):
        assert pending_moves.pending(one) == 1
        assert one.information_state_string(1) == other.information_state_string(1)
        assert one.observation_string(1) == other.observation_string(1)


def test_a_state_of_moves_at_once_is_found_in_the_converted_game():
    """After two rounds of goofspiel, what the second player knows there is what it knew here."""
    game = load_game("goofspiel(num_cards=4,points_order=descending)")
    converted = pyspiel.convert_to_turn_based(game)
    state = game.new_initial_state()
    for joint in ([3, 0], [1, 2]):
        state.apply_actions(joint)
    first = pending_moves.turn_based_state(converted, state, 0)
    assert (first.current_player(), first.history()) == (0, [3, 0, 1, 2])
    second = pending_moves.turn_based_state(converted, state, 1)
    assert (second.current_player(), second.history()[:4]) == (1, [3, 0, 1, 2])
    assert second.legal_actions() == state.legal_actions(1) == [1, 3]
    assert state.information_state_string(1) in second.information_state_string(1)


@pytest.mark.parametrize("game_string", CONVERTED)
@pytest.mark.parametrize("spec", ["mcts", "mcts({},peek=true)", "ismcts", "gt_mcts", "cfr(iterations=3)"])
def test_no_bot_sees_the_pending_move(game_string, spec):
    if spec == "cfr(iterations=3)" and "horizon" in game_string:
        pytest.skip("too large a tree")
    spec = spec.format("simulations=20") if "{" in spec or "(" in spec else f"{spec}(simulations=20)"
    for game, one, other in pending_states(game_string, walks=2):
        first, second = (make_bot(spec, game, 1, 3).step(state) for state in (one, other))
        assert first == second


@pytest.mark.parametrize(
    "spec", ["mcts(simulations=50)", "mcts(simulations=50,peek=true)", "ismcts(simulations=50)"]
)
def test_matching_pennies_against_uniform_play_is_a_fair_game(spec):
    returns = [
        play_match(IN_TURN("matrix_mp()"), ["random", spec], seed, opening_plies=0).returns[1]
        for seed in range(400)
    ]
    assert (
        abs(statistics.mean(returns)) < 1.96 / 400**0.5
    )  # the returns are -1 and 1; a search that peeks has 1


def test_resampled_moves_are_uniform_and_the_rest_stays():
    game = load_game(IN_TURN("goofspiel(num_cards=4,points_order=descending)"))
    state = game.new_initial_state()
    for action in (0, 1, 2):  # both players' cards, then the first one's, which is pending
        state.apply_action(action)
    draw = random.Random(1).random
    drawn = [pending_moves.resampled(state, 1, draw).history() for _ in range(300)]
    assert {tuple(history[:2]) for history in drawn} == {(0, 1)}
    counts = [sum(history[2] == card for history in drawn) for card in range(4)]
    assert counts[0] == 0 and all(70 < count < 130 for count in counts[1:])  # card 0 has been played
    before = game.new_initial_state()
    assert pending_moves.resampled(before, 0, draw).history() == []


class Scripted:
    name = "scripted"

    def __init__(self, answer):
        self.answer, self.prompts = answer, []

    def complete(self, request):
        self.prompts.append(request.messages[0].content)
        return [Completion(self.answer, "stop", 1, 1, None, "scripted")]


def test_a_language_model_plays_at_once():
    model = Scripted("ACTION: Paper")
    record = play_match(
        "matrix_rps", [LlmPolicyBot(RPS, 0, 0, model=model, show_legal=True), "random"], 0, opening_plies=0
    )
    assert record.forfeit is None and record.actions()[0] == (0, 1)
    [prompt] = model.prompts
    assert "Choose your next action. The other players choose theirs at the same time" in prompt
    assert "Rock, Paper, Scissors" in prompt


def test_a_language_model_is_not_shown_a_pending_move():
    for game, one, other in pending_states(IN_TURN("goofspiel(num_cards=4)"), walks=2):
        prompts = []
        for state in (one, other):
            bot = LlmPolicyBot(game, 1, 0, model=Scripted(""), show_legal=True)
            prompts.append(bot.request(state).messages[0].content)
        assert prompts[0] == prompts[1] and "at the same time" not in prompts[0]
