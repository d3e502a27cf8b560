"""Code policies: what they see, what their answers mean, and what their faults cost."""

from __future__ import annotations

import pyspiel
import pytest

from arena.matches.match import play_match
from arena.matches.positions import check
from arena.registry.games import load_game
from arena.tournaments.schedule import Tournament
from games.seeing import views
from games.wrestle import engine
from policy_evolve.domains.registry import domain_of
from policy_evolve.policies.policy import Policy, PolicyFailure
from sandbox import ProgramError

FIRST = "def act(observation, memory):\n    return 0\n"
STILL = "def act(observation, memory):\n    return [0, 0]\n"
CHASE = """
import math

def act(observation, memory):
    foe = 8 if observation["id"] == "team_0" else 10
    seen = [(i, j) for i, row in enumerate(observation["agent_obs"]) for j, code in enumerate(row)
            if code == foe]
    if not seen:
        return [60, 0]
    ahead = 157.5 - 5 * sum(i for i, _ in seen) / len(seen)
    right = 5 * sum(j for _, j in seen) / len(seen) - 97.5
    return [150, max(-30, min(30, math.degrees(math.atan2(right, ahead))))]
"""


@pytest.fixture
def bot(tmp_path):
    """Writes a policy and returns the spec of its bot."""

    def spec(source, **parameters):
        path = tmp_path / f"policy{len(list(tmp_path.iterdir()))}.py"
        path.write_text(source)
        given = "".join(f",{name}={value}" for name, value in parameters.items())
        return f"code_policy(source={path}{given})"

    return spec


@pytest.mark.parametrize(
    "game",
    [
        "tic_tac_toe",
        "leduc_poker",
        "goofspiel(num_cards=4)",
        "backgammon",
        "repeated_game(stage_game=matrix_rps(),num_repetitions=5)",
    ],
)
@pytest.mark.parametrize("answer", ["0", "observation['legal'][0]"])
def test_answers_are_indices_or_names(bot, game, answer):
    record = play_match(game, [bot(f"def act(observation, memory): return {answer}"), "random"], 3)
    assert record.forfeit is None
    check(record)
    state = load_game(game).new_initial_state()
    for number, move in enumerate(record.moves):
        if move.player == 0 and number >= record.opening_length:
            legal = views.actions_by_name(state, 0)
            assert move.action == next(iter(legal.values()))
        if state.is_simultaneous_node():
            if move.player == 1:
                state.apply_actions([record.moves[number - 1].action, move.action])
        else:
            state.apply_action(move.action)


def test_a_chasing_policy_beats_one_that_stands_still(bot):
    for seats, winner in ((CHASE, STILL), 0), ((STILL, CHASE), 1):
        record = play_match("wrestle", [bot(source) for source in seats], 0, opening_plies=0)
        assert record.forfeit is None and record.returns[winner] == 1
        check(record)
        first = record.moves[winner]
        assert first.notes["interpreter"] == "cpython" and len(first.notes["policy"]) == 12
        assert not record.moves[winner + 2].notes


def test_in_wrestle_a_policy_gets_the_dictionary_of_the_paper():
    game = load_game("wrestle")
    state = game.new_initial_state()
    state.apply_actions([50, 60])
    for player in (0, 1):
        seen = domain_of(game).interface(game, player)
        echo = Policy("def act(observation, memory): return observation", 0, seen.function)
        try:
            assert echo.answer(seen.pack(state)) == engine.observation(state.world, player)
        finally:
            echo.close()


def test_continuous_actions_become_the_nearest_of_the_grid():
    game = load_game("wrestle(force_levels=4,turn_levels=3)")
    state = game.new_initial_state()
    seen = domain_of(game).interface(game, 0)
    for answer, name in (
        ([40, 16], "force 0 turn 30"),
        ([51, -14.9], "force 100 turn 0"),
        ([[200], [-30]], "force 200 turn -30"),
    ):
        assert views.action_name(state, seen.action(state, answer), 0) == name


def test_in_hidden_games_nothing_of_the_others_cards_is_sent():
    game = load_game("leduc_poker")
    packs = []
    for other in (2, 5):  # player 1's card
        state = game.new_initial_state()
        seen = domain_of(game).interface(game, 0)
        for action in (0, other, 1, 2):
            state.apply_action(action)
        while state.current_player() != 0:
            state.apply_action(state.legal_actions()[0])
        packs.append(seen.pack(state))
    assert packs[0] == packs[1]
    assert len(packs[0]["history"]) >= 2


def test_the_history_is_whole_though_only_news_is_sent():
    game = load_game("tic_tac_toe")
    seen = domain_of(game).interface(game, 0)
    echo = Policy("def act(observation, memory): return observation['history']", 0, seen.function)
    state = game.new_initial_state()
    packs, told = [], []
    for action in (4, 0, 8, 2, 1):
        if state.current_player() == 0:
            packs.append(seen.pack(state))
            told.append(echo.answer(packs[-1]))
        state.apply_action(action)
    echo.close()
    assert [len(pack["history"]) for pack in packs] == [0, 2, 2]
    assert told[-1] == ["x(1,1)", "o(0,0)", "x(2,2)", "o(0,2)"]


def test_memory_lasts_a_match(bot):
    count = bot(
        "def act(observation, memory):\n"
        "    memory['moves'] = memory.get('moves', 0) + 1\n"
        "    if memory['moves'] > 3: raise RuntimeError('a fourth move')\n"
        "    return 0\n"
    )
    for _ in range(2):  # the second match starts from nothing
        record = play_match("goofspiel(num_cards=3)", [count, "random"], 1, opening_plies=0)
        assert record.forfeit is None
    record = play_match("goofspiel(num_cards=6)", [count, "random"], 1, opening_plies=0)
    assert (record.forfeit.player, record.forfeit.kind) == (0, "crash")
    assert "RuntimeError: a fourth move at policy:3 in act" in record.forfeit.reason


def test_same_seed_same_random_numbers(bot):
    drawn = bot(
        "import random\nfirst = random.random()\n"
        "def act(observation, memory): return random.randrange(len(observation['legal']))"
    )
    one, again, other = (play_match("connect_four", [drawn, drawn], seed) for seed in (5, 5, 6))
    assert one.actions() == again.actions() != other.actions()
    seats = [
        [move.action for move in one.moves[one.opening_length :] if move.player == seat] for seat in (0, 1)
    ]
    assert seats[0] != seats[1]


_FAULTS = {
    "hangs": ("while True: pass", "timeout", "did not answer"),
    "swallows": (
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        "timeout",
        "did not answer",
    ),
    "forks": ("import os\n    while True: os.fork()", "crash", ""),
    "starts a thread": ("import _thread\n    _thread.start_new_thread(print, ())", "crash", ""),
    "reads a file": ("open('/etc/passwd').read()", "crash", ""),
    "fills memory": ("memory['x'] = [bytes(1 << 20) for _ in range(1 << 14)]", "crash", "MemoryError"),
    "leaves": ("raise SystemExit(0)", "crash", "SystemExit"),
    "kills itself": ("import os\n    os._exit(0)", "crash", "worker is gone"),
    "imports": ("import numpy", "crash", "no module named 'numpy' in the sandbox"),
    "answers nothing": ("return None", "illegal", "answered None"),
    "answers true": ("return True", "illegal", "answered True"),
    "answers an index too high": ("return 9", "illegal", "expected an index of legal, 0 to 8"),
    "answers a negative index": ("return -1", "illegal", "answered -1"),
    "answers an unknown name": ("return 'x(3,3)'", "illegal", "'x(3,3)'; the nearest are"),
    "answers an object": ("return object()", "illegal", "cannot be sent"),
    "answers a fraction": ("return 1.0", "illegal", "answered 1.0"),
}


@pytest.mark.parametrize("fault", _FAULTS)
def test_faults_cost_the_match_and_nothing_else(bot, fault):
    body, kind, part = _FAULTS[fault]
    faulty = bot(f"def act(observation, memory):\n    {body}\n", move_seconds=0.5, memory_mb=256)
    for seat in (0, 1):
        bots = [bot(FIRST), bot(FIRST)]
        bots[seat] = faulty
        record = play_match("tic_tac_toe", bots, 0, opening_plies=0)
        assert (record.forfeit.player, record.forfeit.kind) == (seat, kind), record.forfeit
        if seat == 0:
            assert part in record.forfeit.reason
        assert record.returns[seat] == -1 and "\n" not in record.forfeit.reason
    assert play_match("tic_tac_toe", [bot(FIRST), bot(FIRST)], 0).forfeit is None


@pytest.mark.parametrize(
    "source, part",
    [
        ("def act(observation, memory:", "SyntaxError"),
        ("x = 1 / 0", "ZeroDivisionError: division by zero at policy:1"),
        ("def play(observation): return 0", "does not define the function act"),
        ("while True: pass", "load did not answer"),
    ],
)
def test_a_policy_that_does_not_start_forfeits(bot, source, part, monkeypatch):
    monkeypatch.setattr("policy_evolve.policies.policy._START_SECONDS", 1.0)
    record = play_match("tic_tac_toe", [bot(FIRST), bot(source)], 0)
    assert record.forfeit.player == 1 and part in record.forfeit.reason
    assert record.forfeit.kind == ("timeout" if "while" in source else "crash")


@pytest.mark.parametrize(
    "answer, part",
    [
        ("[201, 0]", "force must be from -100 to 200, got 201.0"),
        ("[0, -31]", "turn must be"),
        ("[0]", "two numbers"),
        ("[float('nan'), 0]", "cannot be sent"),
    ],
)
def test_actions_out_of_bounds_are_illegal(bot, answer, part):
    record = play_match("wrestle", [bot(STILL), bot(f"def act(observation, memory): return {answer}")], 0)
    assert (record.forfeit.player, record.forfeit.kind) == (1, "illegal")
    assert part in record.forfeit.reason


def test_a_match_has_a_time_limit_of_its_own(bot):
    slow = bot(
        "import time\ndef act(observation, memory):\n    time.sleep(0.1)\n    return [0, 0]",
        move_seconds=5.0,
        match_seconds=0.35,
    )
    record = play_match("wrestle", [bot(STILL), slow], 0, opening_plies=0)
    assert (record.forfeit.player, record.forfeit.kind) == (1, "timeout")
    assert 1 <= len(record.moves) / 2 <= 3


def test_failures_carry_the_traceback_through_the_policy():
    policy = Policy(
        "def act(observation, memory):\n    return helper(0)\n\ndef helper(x):\n    return 1 // x\n",
        0,
        "act_on_view",
    )
    with pytest.raises(PolicyFailure) as caught:
        policy.answer({"history": []})
    policy.close()
    assert isinstance(caught.value.error, ProgramError)
    assert [line for line in caught.value.error.traceback_lines if line.startswith("policy")] == [
        "policy:2 in act: return helper(0)",
        "policy:5 in helper: return 1 // x",
    ]


def test_it_plays_under_open_spiels_own_loop(bot):
    from arena.registry.bots import make_bot

    game = load_game("connect_four")
    bots = [make_bot(bot(FIRST), game, seat, 1) for seat in (0, 1)]
    for _ in range(2):
        assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 3) == [1, -1]
    for one in bots:
        one.close()


@pytest.mark.parametrize(
    "parameters, part",
    [
        (dict(move_seconds=0.0), "move_seconds of a policy"),
        (dict(match_seconds=-1.0), "match_seconds"),
        (dict(memory_mb=1), "memory_mb of a policy: expected 64"),
        (dict(interpreter="/no/python"), "cannot run in the sandbox with interpreter '/no/python'"),
    ],
)
def test_bad_parameters_are_refused_before_play(bot, parameters, part):
    with pytest.raises(ValueError, match=part):
        Tournament.checked("tic_tac_toe", [bot(FIRST, **parameters), "random"], num_games=2, seed=0)


def test_a_missing_file_is_refused_before_play(tmp_path):
    with pytest.raises(ValueError, match="none.py': expected a file of Python"):
        Tournament.checked(
            "tic_tac_toe", [f"code_policy(source={tmp_path}/none.py)", "random"], num_games=2, seed=0
        )
