"""Trees changed as asked while a match runs, and mixtures for a wanted difficulty."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.registry.bots import make_bot
from arena.registry.games import load_game
from bt_policies.measuring import difficulty
from bt_policies.measuring.difficulty import fitting_trees, play_mixture
from bt_policies.measuring.evaluation import trials
from bt_policies.trees.dsl import parse
from bt_policies.trees.files import read_tree, to_json
from bt_policies.trees.mixtures import Mixture, Part, read_mixture, shares
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.writing.generation import develop
from games.fps_arena.rules import orders
from language_models import Completion, Recorder
from language_models.asking.session import Session
from runs import cli
from runs.executors import InlineExecutor

FPS = "fps_arena(players=2,size=16,ticks=80,mode=dm,map=open)"
WORDS = vocabulary_of("fps_arena")
STANDS = "selector:\n  task: hold_position\n"
ROOT = Path(__file__).parents[2]


class Developer:
    """Answers in turn."""

    name = "developer"

    def __init__(self, *answers):
        self.answers, self.prompts = list(answers), []

    def complete(self, request):
        self.prompts.append(request.messages[0].content)
        return [Completion(self.answers.pop(0), "stop", 1, 1, None, "stub")]

    def complete_batch(self, requests):
        return [self.complete(request) for request in requests]


WALKS = "<think>line 2</think>\nTarget: line 2\n```bt\ntask: patrol\n```\n"


def test_a_running_match_takes_up_what_was_asked_for(tmp_path):
    path = tmp_path / "live.bt"
    path.write_text(STANDS)
    game = load_game(FPS)
    state = game.new_initial_state()
    state.apply_action(0)
    bots = [make_bot(f"bt(tree={path},watch=true)", game, 0, 0), make_bot("fps_scripted", game, 1, 0)]
    for bot in bots:
        bot.restart_at(state)
    codec, moves = orders.Codec(2), []
    for tick in range(40):
        if tick == 20:
            model = Developer(WALKS)
            written = develop(path.read_text(), "walk about", WORDS, Session(model, 0))
            cli.write_text(path, written.tree)
            assert "walk about" in model.prompts[0] and "2   task: hold_position" in model.prompts[0]
        actions = [bot.step(state) for bot in bots]
        moves.append(codec.moves_of[actions[0]])
        state.apply_actions(actions)
    assert not any(moves[:20]) and moves[20] and path.read_text() == "selector:\n  task: patrol\n"


def test_faults_are_shown_and_what_cannot_be_used_is_not_written():
    bad = WALKS.replace("patrol", "patroll")
    model = Developer(bad, WALKS)
    assert develop(STANDS, "walk", WORDS, Session(model, 0)).tree == "selector:\n  task: patrol\n"
    assert "patroll" in model.prompts[1] and "expected an action" in model.prompts[1]
    assert develop(STANDS, "walk", WORDS, Session(Developer(bad, bad), 0), repairs=1).tree is None
    with pytest.raises(ValueError, match="expected what is to change"):
        develop(STANDS, " ", WORDS, Session(Developer(), 0))


def _command(*words):
    return subprocess.run(
        [sys.executable, "-m", "bt_policies.develop", *words], capture_output=True, text=True, cwd=ROOT
    )


def test_the_command_changes_the_file_and_keeps_its_memory(tmp_path):
    path, recording = tmp_path / "live.json", tmp_path / "r.jsonl"
    path.write_text(to_json(parse(STANDS), "fps_arena", "sequences"))
    develop(STANDS, "walk", WORDS, Session(Recorder(Developer(WALKS), recording, note=""), 0))
    words = [f"--tree={path}", "--ask=walk", f"--llm=recorded:{recording}"]
    done = _command(*words)
    assert done.returncode == 0, done.stderr
    assert read_tree(path, WORDS) == (parse("selector:\n  task: patrol\n"), "sequences")
    assert "-  task: hold_position\n+  task: patrol" in done.stderr
    assert json.loads(done.stdout)["target"] == 2


def test_the_command_numbers_the_answers_that_it_could_not_use(tmp_path):
    path, recording = tmp_path / "live.bt", tmp_path / "r.jsonl"
    path.write_text(STANDS)
    bad = WALKS.replace("patrol", "patroll")
    develop(STANDS, "walk", WORDS, Session(Recorder(Developer(bad, WALKS), recording, note=""), 0))
    done = _command(f"--tree={path}", "--ask=walk", f"--llm=recorded:{recording}")
    assert done.returncode == 0 and path.read_text() == "selector:\n  task: patrol\n"
    assert [line.split(":")[0] for line in done.stderr.splitlines() if line.startswith("answer")] == [
        "answer 1"
    ]


def test_a_joint_tree_is_refused_by_the_command():
    done = _command("--tree=fps_team", "--ask=x", "--llm=recorded")
    assert done.returncode == 2 and "joint tree" in done.stderr and "Traceback" not in done.stderr


@given(st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1), min_size=1), st.floats(0, 1))
def test_shares_reach_every_target_between_the_worst_and_the_best(scores, target):
    found = shares(scores, target)
    assert sum(found.values()) == pytest.approx(1) and len(found) <= 2
    reached = sum(scores[name] * share for name, share in found.items())
    assert reached == pytest.approx(min(max(target, min(scores.values())), max(scores.values())), abs=1e-6)


def test_shares_by_hand():
    scores = {"a": 0.1, "b": 0.4, "c": 0.8}
    assert shares(scores, 0.5) == {"b": pytest.approx(0.75), "c": pytest.approx(0.25)}
    assert shares(scores, 0.4) == {"b": 1.0} and shares(scores, 0.9) == {"c": 1.0}
    with pytest.raises(ValueError, match="from 0 to 1"):
        shares(scores, 1.5)


def _mixture():
    return Mixture("fps_arena", (Part("a", STANDS, 0.25), Part("b", "task: patrol\n", 0.75)))


def test_mixtures_draw_by_their_shares_and_come_back(tmp_path):
    mixture, path = _mixture(), tmp_path / "m.json"
    drawn = [mixture.draw(seed).name for seed in range(2000)]
    assert drawn.count("a") / 2000 == pytest.approx(0.25, abs=0.04)
    path.write_text(mixture.to_json())
    assert read_mixture(path, "fps_arena") == mixture
    game = load_game(FPS)
    make_bot(f"bt_mixture(file={path})", game, 0, 0)
    for change in (
        {"version": 2},
        {"game": "micro_rts"},
        {"parts": []},
        {"parts": 3},
        {"parts": [{"name": "a", "share": 0.5, "tree": STANDS}]},
        {"parts": [{"name": "a", "share": 1, "tree": "task: fly\n"}]},
    ):
        path.write_text(json.dumps(json.loads(mixture.to_json()) | change))
        with pytest.raises(ValueError, match="mixture .*m.json"):
            read_mixture(path, "fps_arena")


def test_a_mixtures_matches_are_those_of_its_trees():
    listed = trials(FPS, 6, 0)
    mixture = _mixture()
    found = play_mixture(mixture, listed, InlineExecutor())
    alone = difficulty.measure({part.name: part.tree for part in mixture.parts}, listed, InlineExecutor())
    assert found.figures == [
        alone[mixture.draw(trial.seed).name].figures[index] for index, trial in enumerate(listed)
    ]


def test_trees_of_other_games_are_left_out(tmp_path):
    (tmp_path / "drop.bt").write_text("task: drop centre_column\n")
    with pytest.raises(ValueError, match="found none among 1 files"):
        fitting_trees(tmp_path, WORDS)
    (tmp_path / "stand.bt").write_text(STANDS)
    assert fitting_trees(tmp_path, WORDS) == {"stand": STANDS}


@pytest.mark.parametrize("module", ["bt_policies.evaluate", "bt_policies.difficulty"])
def test_the_command_writes_a_mixture(tmp_path, module):
    (tmp_path / "stand.bt").write_text(STANDS)
    (tmp_path / "walk.bt").write_text("task: patrol\n")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            module,
            f"--trees={tmp_path}",
            f"--game={FPS}",
            "--games=3",
            "--opponent=weak",
            "--target=0.3",
            f"--output={tmp_path / 'm.json'}",
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert "target 30.0 %" in done.stdout
    assert read_mixture(tmp_path / "m.json", "fps_arena").parts
