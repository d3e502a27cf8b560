"""The commands that do one of several things, and their older names."""

from __future__ import annotations

import json

import pytest

from tests.runs import warm

GAME = "--game=fps_arena(ticks=20,size=32)"


@pytest.mark.parametrize(
    ("module", "arguments", "said"),
    [
        ("draw", ["--output=x.png"], "expected one of --tree, --team and --runs, found none"),
        (
            "draw",
            ["--output=x.png", "--tree=a", "--runs=b"],
            "expected one of --tree, --team and --runs, found",
        ),
        ("convert", ["--output=x.bt"], "expected one of --tree and --runs, found neither"),
        ("convert", ["--output=x.bt", "--tree=a", "--runs=b"], "expected one of --tree and --runs, found both"),
        ("evaluate", [], "expected one of --tree, --target and --runs, found none"),
        (
            "evaluate",
            ["--tree=a", "--target=.5"],
            "expected one of --tree, --target and --runs, found --tree and --target",
        ),
        ("evaluate", ["--target=.5", "--games=1"], "--games: expected 2 or more for --target, found 1"),
        ("train", ["networks"], "unexpected argument 'networks', expected tasks or judge or scheduler"),
        ("train", ["scheduler"], "--output is missing"),
        ("train", ["tasks"], "--task and --output are needed to train"),
        ("schedule", ["evaluate", "--metric=kills"], "--metric: expected one of score, time_between_kills"),
    ],
)
def test_a_command_that_does_one_of_several_things_wants_one(module, arguments, said):
    done = warm.run(f"bt_policies.{module}", *arguments)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("module", ["draw", "gallery"])
def test_a_team_is_drawn_under_both_names(tmp_path, module):
    picture = tmp_path / "games.png"
    done = warm.run(
        f"bt_policies.{module}", "--team=weak", GAME, "--columns=1", "--pixels=300", f"--output={picture}"
    )
    assert done.returncode == 0, done.stderr
    assert "the team in blue first" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("module", ["convert", "export_data"])
def test_a_run_becomes_training_data_under_both_names(tmp_path, module):
    run = tmp_path / "run"
    run.mkdir()
    kept = [
        {"prompt": "p", "answer": f"tree {reward}", "reward": reward, "metric": "score"}
        for reward in (0.2, None, 0.9)
    ]
    (run / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in kept))
    output = tmp_path / "sft.jsonl"
    done = warm.run(
        f"bt_policies.{module}", f"--runs={run}", "--format=sft", "--best=0.5", f"--output={output}"
    )
    assert done.returncode == 0, done.stderr
    (line,) = output.read_text().splitlines()
    assert json.loads(line)["messages"][1]["content"] == "tree 0.9"


@pytest.mark.parametrize("module", ["train", "train_tasks"])
def test_a_shipped_network_is_judged_under_both_names(tmp_path, module):
    output = tmp_path / "figures.json"
    done = warm.run(f"bt_policies.{module}", "judge", "--task=shoot", "--episodes=4", f"--json={output}")
    assert done.returncode == 0, done.stderr
    figures = json.loads(output.read_text())["shoot"]
    low, high = figures["difference"][1:]
    assert figures["episodes"] == 4 and low <= figures["neural"] - figures["rule"] <= high
