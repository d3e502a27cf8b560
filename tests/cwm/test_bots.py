"""The bots in matches: what they play, and how each kind of failure ends."""

from __future__ import annotations

import json
import shutil

import pyspiel
import pytest

from arena.bots.llm_policy import LlmPolicyBot
from arena.matches.forfeit import Unplayable
from arena.matches.match import play_match
from arena.registry.bots import make_bot
from cwm.contract import manifest
from cwm.trust import online_accuracy
from games.seeing import views
from language_models import Prices, RecordingMiss

OPTIONS = "simulations=30,value=false"


@pytest.fixture
def model_folder(tmp_path, source_of):
    def make(name="tic_tac_toe", change=lambda source: source):
        folder = tmp_path / "models" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.py").write_text(change(source_of(name)))
        (folder / "manifest.json").write_text(
            json.dumps(
                {
                    "rungs": [{"rung": r, "status": "passed", "figures": {}} for r in manifest.RUNGS],
                    "value_function": {"accepted": False},
                }
            )
        )
        return str(folder)

    return make


@pytest.mark.parametrize(
    "interpreter",
    [
        "cpython",
        pytest.param(
            "pypy",
            marks=pytest.mark.skipif(shutil.which("pypy3") is None, reason="there is no pypy3 on this machine"),
        ),
    ],
)
def test_cwm_mcts_finds_the_winning_move(model_folder, interpreter):
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for action in (3, 0, 3, 0, 3, 1):
        state.apply_action(action)
    bot = make_bot(
        f"cwm_mcts(model={model_folder('connect_four')},simulations=300,interpreter={interpreter})", game, 0, 5
    )
    assert bot.step(state) == 3
    assert bot.notes()["value"] == 1.0 and bot.notes()["interpreter"] == interpreter


@pytest.mark.parametrize(
    "interpreter, sentence",
    [
        ("pypy", "interpreter 'pypy' needs pypy3 on the PATH"),
        ("pypi", "expected auto, cpython, pypy, cython, native or a path, found 'pypi'"),
        ("/nowhere/python", "'/nowhere/python' is not an executable file"),
    ],
)
def test_an_interpreter_that_is_not_there_is_refused_before_a_match(
    model_folder, monkeypatch, tmp_path, interpreter, sentence
):
    folder = model_folder()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError) as caught:
        make_bot(f"cwm_mcts(model={folder},interpreter={interpreter})", pyspiel.load_game("tic_tac_toe"), 0, 0)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "name, hint",
    [("connect_four/9", "did you mean connect_four/"), ("conect_four", "did you mean connect_four?")],
)
def test_a_model_that_is_not_there_names_those_near_it(name, hint):
    with pytest.raises(ValueError) as caught:
        make_bot(f"cwm_mcts(model={name})", pyspiel.load_game("connect_four"), 0, 0)
    assert hint in str(caught.value)


def test_the_same_seed_plays_the_same_match(model_folder):
    seats = [f"cwm_mcts(model={model_folder()},{OPTIONS})", "random"]
    first, second, other = (play_match("tic_tac_toe", seats, seed, opening_plies=0) for seed in (3, 3, 4))
    assert first.actions() == second.actions() != other.actions()


@pytest.mark.skipif(shutil.which("pypy3") is None, reason="there is no pypy3 on this machine")
def test_interpreters_play_the_same_match(model_folder):
    games = [
        play_match(
            "connect_four",
            [f"cwm_mcts(model={model_folder('connect_four')},{OPTIONS},interpreter={name})", "random"],
            9,
        ).actions()
        for name in ("cpython", "pypy")
    ]
    assert games[0] == games[1]


def test_gt_mcts_is_openspiels_own_search():
    game = pyspiel.load_game("tic_tac_toe")
    state = game.new_initial_state()
    bot = make_bot("gt_mcts(simulations=50,rollouts=2)", game, 0, 11)
    own = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(2, 11),
        2.0,
        50,
        1000,
        True,
        11,
        False,
        pyspiel.ChildSelectionPolicy.UCT,
    )
    assert bot.step(state) == own.step(state)


BROKEN = {
    "hangs": (
        lambda s: s.replace(
            "def apply_action(state, action):", "def apply_action(state, action):\n    while True: pass"
        ),
        "timeout",
    ),
    "raises": (
        lambda s: s.replace(
            "def apply_action(state, action):", "def apply_action(state, action):\n    raise KeyError(1)"
        ),
        "crash",
    ),
    "eats memory": (
        lambda s: s.replace(
            "def apply_action(state, action):", "def apply_action(state, action):\n    'a' * (100 << 30)"
        ),
        "crash",
    ),
    "does not load": (lambda s: s + "\n1 / 0\n", "crash"),
    "knows no such action": (
        lambda s: s.replace(
            "def action_name(state, action):", "def action_name(state, action):\n    return 'q'"
        ),
        "illegal",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_model_costs_its_player_the_match_and_nothing_else(model_folder, monkeypatch, fault):
    monkeypatch.setattr("cwm.play.mcts_bot.MIN_SEARCH_SECONDS", 1.0)
    monkeypatch.setattr("cwm.play.mcts_bot.SECONDS_PER_SIMULATION", 0.01)
    monkeypatch.setattr("cwm.play.mcts_bot.FOLLOW_SECONDS", 1.0)
    monkeypatch.setattr("cwm.play.mcts_bot.MIN_SEARCH_SECONDS", 0.0)
    change, kind = BROKEN[fault]
    folder = model_folder(change=change)
    record = play_match("tic_tac_toe", [f"cwm_mcts(model={folder},{OPTIONS})", "random"], 1)
    assert (record.forfeit.player, record.forfeit.kind) == (0, kind), record.forfeit
    assert record.returns == (-1.0, 1.0) and "\n" not in record.forfeit.reason
    assert play_match("tic_tac_toe", ["random", "random"], 1).forfeit is None


def test_games_with_hidden_information_are_refused(model_folder):
    with pytest.raises(ValueError, match="perfect information"):
        make_bot(f"cwm_mcts(model={model_folder()})", pyspiel.load_game("kuhn_poker"), 0, 1)


def test_online_accuracy_is_one_for_a_right_model_and_less_for_a_wrong_one(model_folder):
    right = [
        play_match("tic_tac_toe", [f"cwm_mcts(model={model_folder()},{OPTIONS})", "random"], seed)
        for seed in range(4)
    ]
    verdict = online_accuracy.audit(right)
    assert verdict["online_transition_accuracy"] == 1.0
    assert verdict["online_transitions"] == sum(len(record.moves) for record in right)
    model_folder(
        change=lambda s: s.replace(
            "def returns(state):", "def returns(state):\n    return (0.0, 0.0)\n\n\ndef _old(state):"
        )
    )
    assert online_accuracy.audit(right)["online_transition_accuracy"] < 1.0
    assert (
        online_accuracy.audit([play_match("tic_tac_toe", ["random", "random"], 1)])[
            "online_transition_accuracy"
        ]
        is None
    )


def policy_bot(model, legal=True, player=0):
    return LlmPolicyBot(pyspiel.load_game("tic_tac_toe"), player, 5, model=model, show_legal=legal)


def test_llm_policy_shows_the_legal_moves_or_not(scripted):
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    state.apply_action(4)
    shown = policy_bot(scripted(), True, 1).request(state).messages[0].content
    hidden = policy_bot(scripted(), False, 1).request(state).messages[0].content
    names = views.view(state, 1).legal
    assert ", ".join(names) in shown and "Your legal actions" not in hidden
    assert "x(1,1)" in hidden and '{"board":["...",".x.","..."]}' in hidden


def against_random(model):
    random = make_bot("random", pyspiel.load_game("tic_tac_toe"), 1, 0)
    return play_match("tic_tac_toe", [policy_bot(model), random], 0, opening_plies=0)


@pytest.mark.parametrize("answer", ["ACTION: x(9,9)", "I resign."])
def test_llm_policy_forfeits(scripted, answer):
    record = against_random(scripted(answer))
    assert (record.forfeit.player, record.forfeit.kind) == (0, "illegal")


def test_llm_policy_without_an_answer_voids_the_match(scripted):
    with pytest.raises(Unplayable, match="cannot play as player 0: the script is over"):
        against_random(scripted())


def test_llm_policy_plays_what_the_answer_says(scripted):
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    bot = policy_bot(scripted("The middle.\nACTION: x(1,1)"))
    assert bot.step(state) == 4
    assert bot.notes() == {
        "request": bot.request(state).key(),
        "prompt": bot.request(state).messages[0].content,
        "model_calls": 1,
        "language_model": "scripted",
        "reply": "The middle.\nACTION: x(1,1)",
        "action": "x(1,1)",
        "prompt_tokens": 10,
        "completion_tokens": 20,
        "usd": None,
    }


def test_llm_policy_notes_what_a_move_cost(scripted):
    game = pyspiel.load_game("tic_tac_toe")
    bot = LlmPolicyBot(
        game,
        0,
        5,
        model=scripted("ACTION: x(1,1)"),
        show_legal=True,
        prices=Prices(prompt=1000.0, completion=50_000.0),
    )
    bot.step(game.new_initial_state())
    assert bot.notes()["usd"] == pytest.approx(10 * 0.001 + 20 * 0.05)
    with pytest.raises(ValueError, match="both prompt_price and completion_price"):
        make_bot("llm_policy(prompt_price=1)", game, 0, 1)
    assert make_bot("llm_policy(prompt_price=1,completion_price=2)", game, 0, 1) is not None


def test_the_prompt_and_answer_behind_a_forfeit_are_kept(scripted):
    model = scripted("ACTION: x(9,9)")
    record = against_random(model)
    notes = record.forfeit.notes
    assert notes["prompt"] == model.requests[0].messages[0].content and notes["model_calls"] == 1
    assert notes["reply"] == "ACTION: x(9,9)" and record.moves == ()


def test_a_match_that_was_not_recorded_says_so():
    from language_models import from_spec

    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    with pytest.raises(RecordingMiss, match="llm_policy in tic_tac_toe"):
        from_spec("recorded").complete(policy_bot(None).request(state))
