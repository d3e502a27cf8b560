from __future__ import annotations

import time

import numpy as np
import pyspiel
import pytest

from arena.matches.forfeit import Forfeit, forfeit_returns
from arena.matches.match import chance_outcome, load_match_game, opening_actions, play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from runs.seeds import bot_seed

CHANCE = pyspiel.PlayerId.CHANCE
GAMES = [
    "tic_tac_toe",
    "python_tic_tac_toe",
    "pig",
    "backgammon",
    "leduc_poker",
    "goofspiel",
    "matrix_rps",
    "oshi_zumo(horizon=20)",
    "kuhn_poker(players=3)",
]


class First(pyspiel.Bot):
    """Plays its first legal action; the methods under test are replaced one by one."""

    def __init__(self, player_id=0, step=None):
        super().__init__()
        self._player_id = player_id
        self._step = step

    def step(self, state):
        return self._step(state) if self._step else state.legal_actions(self._player_id)[0]


def _replayed(record):
    """The final state after the record's moves, applied by OpenSpiel alone."""
    state = load_game(record.game).new_initial_state()
    moves = list(record.moves)
    while moves:
        if state.is_simultaneous_node():
            joint = [
                moves.pop(0).action if state.legal_actions(p) else pyspiel.INVALID_ACTION
                for p in range(state.num_players())
            ]
            state.apply_actions(joint)
        else:
            move = moves.pop(0)
            assert move.player == state.current_player()
            state.apply_action_with_legality_check(move.action)
    return state


@pytest.mark.parametrize("game_string", GAMES)
def test_records_replay_to_their_returns(game_string):
    players = load_game(game_string).num_players()
    record = play_match(game_string, ["random"] * players, 5)
    state = _replayed(record)
    assert state.is_terminal()
    assert record.forfeit is None
    assert list(record.returns) == state.returns()
    assert record.seats == ("random",) * players


@pytest.mark.parametrize("game_string", ["connect_four", "leduc_poker", "goofspiel"])
def test_same_seed_same_match(game_string):
    first, again, other = (play_match(game_string, ["random", "random"], seed) for seed in (8, 8, 9))
    assert first.actions() == again.actions()
    assert first.actions() != other.actions()


@pytest.mark.parametrize("game_string", ["connect_four", "pig", "backgammon", "leduc_poker"])
def test_mirrored_matches_share_opening_and_dice(game_string):
    bots = ["mcts(simulations=2,peek=true)", "random"]
    for seed in range(5):
        one = play_match(game_string, bots, seed, opening_plies=2)
        two = play_match(game_string, bots[::-1], seed, opening_plies=2)
        assert one.opening == two.opening
        assert sum(move.player != CHANCE for move in one.opening) == 2
        # The k-th chance node takes the k-th number of one stream: so it must in both matches.
        for record in (one, two):
            uniforms = np.random.default_rng([seed, 1])
            state = load_game(game_string).new_initial_state()
            for move in record.moves:
                if move.player == CHANCE:
                    assert move.action == chance_outcome(state, uniforms.random())
                state.apply_action(move.action)


def test_dice_fall_alike_after_different_moves():
    rolls = []
    for action in (0, 1):  # pig: roll again, or hold
        record = play_match(
            "pig(horizon=12)", [First(0), First(1, lambda state, a=action: a)], 3, opening_plies=0
        )
        rolls.append([move.action for move in record.moves if move.player == CHANCE])
    shared = min(map(len, rolls))
    assert shared > 2
    assert rolls[0][:shared] == rolls[1][:shared]


def test_chance_outcome_inverts_the_cumulative_distribution():
    class Node:
        def chance_outcomes(self):
            return [(7, 0.25), (2, 0.5), (5, 0.0), (9, 0.25)]

    grid = (np.arange(1000) + 0.5) / 1000
    outcomes = [chance_outcome(Node(), u) for u in grid]
    assert outcomes == sorted(outcomes)
    assert [outcomes.count(a) for a in (2, 5, 7, 9)] == [500, 0, 250, 250]
    assert chance_outcome(Node(), np.nextafter(1, 0)) == 9


def test_openings_are_random_but_never_end_the_game():
    game = load_game("tic_tac_toe")
    for plies in (0, 2, 9, 30):
        lengths = set()
        for seed in range(60):
            state = game.new_initial_state()
            for move in opening_actions(game, seed, plies):
                state.apply_action_with_legality_check(move.action)
            assert not state.is_terminal()
            lengths.add(state.move_number())
        assert max(lengths) <= min(plies, 8)
        if plies < 5:
            assert lengths == {plies}
    # 9 x 8 openings of two plies: 400 draws miss 5 or more of them less than once in 1,000 runs.
    openings = {tuple(m.action for m in opening_actions(game, seed, 2)) for seed in range(400)}
    assert len(openings) > 67


def test_an_opening_ends_at_a_decision_with_its_chance_resolved():
    for seed in range(20):
        game = load_game("leduc_poker")
        state = game.new_initial_state()
        for move in opening_actions(game, seed, 3):
            assert move.player == state.current_player()
            state.apply_action(move.action)
        assert state.is_player_node()


@pytest.mark.parametrize(
    "answer, kind, part",
    [
        (lambda state: 4, "illegal", "played 4, expected one of 8 legal actions: 0, 1, 2, 3, 5"),
        (lambda state: None, "illegal", "played None"),
        (lambda state: True, "illegal", "played True"),
        (lambda state: "0", "illegal", "played '0'"),
        (lambda state: 1 / 0, "crash", "ZeroDivisionError: division by zero"),
        (lambda state: state.apply_action(4), "crash", ""),
        (
            lambda state: (_ for _ in ()).throw(Forfeit("timeout", "the worker\nwas killed")),
            "timeout",
            "the worker was killed",
        ),
        (lambda state: (_ for _ in ()).throw(Forfeit("illegal", "half \ud83d")), "illegal", r"half \ud83d"),
    ],
)
def test_forfeits(answer, kind, part):
    def centre(state):
        return 4 if 4 in state.legal_actions() else state.legal_actions()[0]

    record = play_match("python_tic_tac_toe", [First(0, centre), First(1, answer)], 0, opening_plies=0)
    if kind != "crash" or part:
        assert (record.forfeit.player, record.forfeit.kind) == (1, kind)
        assert part in record.forfeit.reason
    else:  # what a bot does to its clone is nobody's business, but it returned no action
        assert record.forfeit.kind in ("crash", "illegal")
    assert "\n" not in record.forfeit.reason
    assert record.actions() == ((0, 4),)
    assert record.returns == (1.0, -1.0)


def test_numpy_integers_are_actions():
    record = play_match(
        "tic_tac_toe", [First(p, lambda s: np.int64(s.legal_actions()[-1])) for p in range(2)], 0
    )
    assert record.forfeit is None
    assert all(type(move.action) is int for move in record.moves)


def test_slow_moves_time_out():
    def slow(state):
        time.sleep(0.02)
        return state.legal_actions()[0]

    record = play_match("tic_tac_toe", [First(0), First(1, slow)], 0, opening_plies=0, move_seconds=0.01)
    assert (record.forfeit.player, record.forfeit.kind) == (1, "timeout")
    unlimited = play_match("tic_tac_toe", [First(0), First(1, slow)], 0, opening_plies=0)
    assert unlimited.forfeit is None
    assert all(move.seconds >= 0.02 for move in unlimited.moves if move.player == 1)


def test_a_bot_cannot_alter_the_match():
    def vandal(state):
        action = state.legal_actions()[0]
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
        return action

    for game_string in ("tic_tac_toe", "python_tic_tac_toe"):
        spoiled = play_match(game_string, [First(0, vandal), First(1, vandal)], 4)
        fair = play_match(game_string, [First(0), First(1)], 4)
        assert spoiled.actions() == fair.actions()


def test_ctrl_c_passes_through_a_bot_and_closes_the_others(monkeypatch):
    closed = []

    def interrupt(state):
        raise KeyboardInterrupt

    def made(spec, game, player_id, seed):
        bot = First(player_id, interrupt)
        bot.close = lambda: closed.append(player_id)
        return bot

    monkeypatch.setattr("arena.matches.match.make_bot", made)
    with pytest.raises(KeyboardInterrupt):
        play_match("tic_tac_toe", ["random", "random"], 0)
    assert sorted(closed) == [0, 1]


class Follower(pyspiel.Bot):
    """Keeps a state of its own from what it is told, and compares it whenever it moves."""

    def __init__(self, player_id, forced):
        super().__init__()
        self._player_id = player_id
        self._forced = forced
        self.compared = 0

    def restart_at(self, state):
        self._own = state.clone()

    def provides_force_action(self):
        return self._forced

    def force_action(self, state, action):
        self._follow(state, self._player_id, action)

    def inform_action(self, state, player_id, action):
        assert not (self._forced and player_id == self._player_id)
        self._follow(state, player_id, action)

    def inform_actions(self, state, actions):
        assert str(state) == str(self._own)
        self._own.apply_actions(actions)

    def _follow(self, state, player_id, action):
        assert str(state) == str(self._own)
        assert state.current_player() == player_id
        self._own.apply_action(action)

    def step(self, state):
        assert str(state) == str(self._own)
        self.compared += 1
        action = state.legal_actions(self._player_id)[-1]
        if not state.is_simultaneous_node():
            self._own.apply_action(action)
        return action


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("game_string", ["tic_tac_toe", "backgammon", "leduc_poker", "goofspiel"])
def test_bots_are_told_of_everything_before_it_happens(game_string, forced):
    bots = [Follower(0, forced), Follower(1, forced)]
    record = play_match(game_string, bots, 2)
    assert record.forfeit is None  # a failed comparison would be a crash
    assert bots[0].compared > 0 and bots[1].compared > 0


def test_bots_without_restart_at_are_restarted():
    class Restarted(First):
        restarts = 0

        def restart(self):
            self.restarts += 1

    bots = [Restarted(0), Restarted(1)]
    assert play_match("tic_tac_toe", bots, 0).forfeit is None
    assert [bot.restarts for bot in bots] == [1, 1]


def test_notes_of_a_move_that_did_not_count_are_kept():
    def gives_up(state):
        raise Forfeit("illegal", "no idea", {"reply": "Resign."})

    def played_by(step, notes):
        bot = First(0, step)
        bot.notes = notes
        return play_match("tic_tac_toe", [bot, First(1)], 0, opening_plies=0).forfeit

    assert played_by(gives_up, lambda: {"stale": True}).notes == {"reply": "Resign."}
    assert played_by(lambda state: 99, lambda: {"reply": "99"}).notes == {"reply": "99"}
    broken = played_by(lambda state: 99, lambda: 1 / 0)
    assert (broken.kind, broken.notes) == ("illegal", None)
    assert played_by(lambda state: 1 / 0, lambda: {"stale": True}).notes is None
    assert played_by(lambda state: (_ for _ in ()).throw(Forfeit("illegal", "", [1])), dict).kind == "crash"


def test_a_record_says_when_the_match_ended():
    before = time.time()
    assert before <= play_match("tic_tac_toe", ["random", "random"], 0).ended <= time.time()


def test_only_games_without_python_are_loaded_once():
    assert load_match_game("connect_four", 2) is load_match_game("connect_four", 2)
    for name in (
        "python_tic_tac_toe",
        "turn_based_simultaneous_game(game=python_iterated_prisoners_dilemma())",
    ):
        assert load_match_game(name, 2) is not load_match_game(name, 2)
    with pytest.raises(ValueError, match="expected 3"):
        load_match_game("connect_four", 3)


def test_notes_are_kept_and_must_be_json():
    bot = First(0)
    bot.notes = lambda: {"depth": 3, "line": (1, 2)}
    record = play_match("tic_tac_toe", [bot, First(1)], 0)
    for move in record.moves[record.opening_length :]:
        assert move.notes == ({"depth": 3, "line": [1, 2]} if move.player == 0 else None)
    for bad in (lambda: {"x": object()}, lambda: {"x": float("nan")}, lambda: "text"):
        bot.notes = bad
        record = play_match("tic_tac_toe", [bot, First(1)], 0)
        assert (record.forfeit.player, record.forfeit.kind) == (0, "crash")


@pytest.mark.parametrize(
    "game_string, returns",
    [
        ("kuhn_poker", (-2, 2)),
        ("kuhn_poker(players=3)", (-2, 1, 1)),  # zero-sum: the others share
        ("matrix_sh", (0, 2)),  # general-sum: stag hunt pays 0 to 2
        ("bargaining", (0, 10)),
    ],
)
def test_returns_after_a_forfeit(game_string, returns):
    assert forfeit_returns(load_game(game_string), 0) == returns


class _Endless(pyspiel.State):
    """One player's turn for ever; `options` are its legal actions."""

    def __init__(self, game, options):
        super().__init__(game)
        self._options = options

    def current_player(self):
        return 0

    def _legal_actions(self, player):
        return list(self._options)

    def _apply_action(self, action):
        pass

    def _action_to_string(self, player, action):
        return str(action)

    def is_terminal(self):
        return False

    def returns(self):
        return [0.0, 0.0]

    def __str__(self):
        return "endless"


def _endless_game(name, options):
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=2,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=6,
    )

    class Endless(pyspiel.Game):
        def __init__(self, params=None):
            super().__init__(game_type, info, params or {})

        def new_initial_state(self):
            return _Endless(self, options)

    pyspiel.register_game(game_type, Endless)
    return name


@pytest.mark.parametrize("options, part", [((0, 1), "goes on after 6 decisions"), ((), "no legal action")])
def test_broken_games_are_named_and_blamed_on_no_bot(options, part):
    name = _endless_game(f"arena_test_endless_{len(options)}", options)
    with pytest.raises(ValueError, match=part):
        play_match(name, [First(0), First(1)], 0, opening_plies=0)


@pytest.mark.parametrize(
    "arguments, part",
    [
        (dict(seed=-1), "seed of a match"),
        (dict(seed=2**63), "seed of a match"),
        (dict(opening_plies=-1), "opening_plies"),
        (dict(move_seconds=0), "move_seconds"),
        (dict(seats=["random"]), "expected 1, one for each bot of a match, found 2"),
        (dict(seats=["random", "randm"]), "did you mean random"),
        (dict(game_string="negotiation"), "samples its chance outcomes"),
        (dict(game_string="mfg_garnet", seats=["random"]), "mean-field"),
    ],
)
def test_bad_arguments(arguments, part):
    valid = dict(game_string="tic_tac_toe", seats=["random", "random"], seed=0)
    with pytest.raises(ValueError, match=part):
        play_match(**{**valid, **arguments})


def test_unknown_kind_of_forfeit():
    with pytest.raises(ValueError, match="illegal, timeout, crash"):
        Forfeit("bored", "")


def test_bots_of_a_match_get_different_seeds_that_fit_a_c_int():
    seeds = [bot_seed(seed, seat) for seed in (0, 1, 2**62) for seat in (0, 1)]
    assert len(set(seeds)) == 6
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert make_bot("random", load_game("tic_tac_toe"), 0, seeds[0])
