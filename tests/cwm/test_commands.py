"""The commands as a user runs them: in a process of their own, with bad input, and killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyspiel
import pytest

import spielwright_packages
from cwm.trust import trajectories

ENVIRONMENT = {"PYTHONPATH": str(Path(spielwright_packages.__file__).parent), "PATH": os.environ["PATH"]}
SMALL = ("--test_transitions=100", "--test_games=5", "--notime_interpreters")


def command(module, *flags, cwd, **options):
    return subprocess.run(
        [sys.executable, "-m", module, *flags],
        cwd=cwd,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=180,
        **options,
    )


def sentence(done):
    """The one sentence of a refusal: exit code 2, last line of stderr, no traceback."""
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stderr.strip().splitlines()[-1]


def synthesize(*flags, cwd):
    return command("cwm.synthesize", *flags, *SMALL, cwd=cwd)


def test_synthesize_and_verify_from_the_shipped_recordings(tmp_path):
    done = synthesize("--game=tic_tac_toe", "--llm=recorded", "--output_dir=m", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    written = json.loads((tmp_path / "m" / "manifest.json").read_text())
    for key in (
        "game",
        "method",
        "llm",
        "llm_calls",
        "train_transition_accuracy",
        "test_transition_accuracy",
        "test_transitions",
        "rungs",
    ):
        assert key in written
    done = command(
        "cwm.verify",
        "--model=m",
        "--game=tic_tac_toe",
        "--json=v.json",
        "--test_transitions=300",
        "--test_games=10",
        "--play_games=4",
        "--play_simulations=30",
        "--update",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    verdict = json.loads((tmp_path / "v.json").read_text())
    [played] = [row for row in verdict["rungs"] if row["rung"] == "heldout_play"]
    figures = played["figures"]
    assert (figures["games"], figures["simulations"], figures["forfeits"]["crash"]) == (4, 30, 0)
    low, high = figures["wilson"]
    assert low <= figures["score"] <= high and played["status"] == ("passed" if high >= 0.5 else "failed")
    assert verdict["test_transition_accuracy"] == 1.0 and verdict["test_transitions"] >= 300
    assert (
        json.loads((tmp_path / "m" / "manifest.json").read_text())["test_transitions"]
        == (verdict["test_transitions"])
    )


def test_verify_finds_a_planted_error(tmp_path):
    synthesize("--game=tic_tac_toe", "--output_dir=m", cwd=tmp_path)
    model = tmp_path / "m" / "model.py"
    model.write_text(model.read_text() + "\n\ndef returns(state):\n    return [0.0, 0.0]\n")
    done = command(
        "cwm.verify",
        "--model=m",
        "--game=tic_tac_toe",
        "--json=v.json",
        "--test_transitions=300",
        "--test_games=10",
        cwd=tmp_path,
    )
    assert done.returncode == 0
    assert 0.5 < json.loads((tmp_path / "v.json").read_text())["test_transition_accuracy"] < 1.0


def test_bad_input_is_one_sentence_each(tmp_path):
    (tmp_path / "rules.md").write_text("Rules.")
    (tmp_path / "bad.jsonl").write_text('{"players": 2, "steps": [{}, {}]}\n')
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "thesis.txt").write_text("important")
    cases = [
        (["--game=conect_four"], "unknown game 'conect_four'; did you mean connect_four"),
        ([], "nothing to learn from"),
        (["--rules=rules.md", "--trajectories=bad.jsonl"], "bad.jsonl, line 1, step 0: expected"),
        (["--rules=rules.md", "--trajectories=none.jsonl"], "none.jsonl"),
        (["--game=kuhn_poker"], "there must be a text rules/kuhn_poker.md"),
        (["--game=tic_tac_toe", "--seed=977"], "cwm synthesis of tic_tac_toe, run 977, call 1"),
        (["--game=tic_tac_toe", "--llm=spol:x"], "spool"),
        (["--game=tic_tac_toe", "--llm=recorded:none.jsonl"], "none.jsonl"),
        (["--game=tic_tac_toe", "--llm=gemini:gemini-x"], "GEMINI_API_KEY"),
        (["--game=tic_tac_toe", "--method=guess"], "method"),
    ]
    for flags, expected in cases:
        said = sentence(synthesize(*flags, f"--output_dir=out{len(flags)}{expected[:3]}", cwd=tmp_path))
        assert expected in said, said
    said = sentence(synthesize("--game=tic_tac_toe", "--output_dir=taken", cwd=tmp_path))
    assert "taken: exists and holds no synthesis run" in said
    assert [path.name for path in (tmp_path / "taken").iterdir()] == ["thesis.txt"]
    for path in tmp_path.glob("out*"):
        assert not (path / "manifest.json").exists() and not (path / "model.py").exists()
    for flags, expected in [
        (["--model=nowhere", "--game=tic_tac_toe"], "no such folder"),
        (["--model=taken", "--game=tic_tac_toe"], "model.py is missing"),
        (["--model=taken", "--game=tictactoe"], "did you mean"),
        (["--model=connect_four", "--game=connect_four"], "name one of 0, 1, 2"),
        (["--model=connect_four/0", "--game=tic_tac_toe"], "a model of connect_four"),
        (["--game=tic_tac_toe"], "--model is missing"),
        (
            ["--model=connect_four/0", "--game=connect_four", "--play_games=3"],
            "--play_games: expected an even number",
        ),
    ]:
        assert expected in sentence(command("cwm.verify", *flags, cwd=tmp_path))


def test_online_learning_by_command(tmp_path):
    flags = [
        "--game=tic_tac_toe",
        "--model=tic_tac_toe/0",
        "--calls=0",
        "--games=2",
        "--simulations=5",
        "--output_dir=kept",
    ]
    done = command("cwm.online", *flags, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "game 1: seat 1 got" in done.stderr and "on all 2 games the first model passes" in done.stdout
    more = command("cwm.online", *flags, "--games=3", cwd=tmp_path)
    assert "game 2: seat 0" in more.stderr and "game 1:" not in more.stderr
    said = sentence(command("cwm.online", *flags, "--model=connect_four/0", cwd=tmp_path))
    assert "is a model of connect_four, expected one of tic_tac_toe" in said


def own_game(folder):
    """Rules and recorded games of a game that OpenSpiel does not have."""
    game = pyspiel.load_game("tic_tac_toe")
    rows = [trajectory.to_json() for trajectory in trajectories.collect(game, 5, 2)]
    for row in rows:
        row["game"] = "noughts"
    (folder / "noughts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "noughts.md").write_text("Three in a row wins.")
    return ["--rules=noughts.md", "--trajectories=noughts.jsonl", "--llm=spool:chat", "--output_dir=noughts"]


def wait_for(path, pattern, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = sorted(path.glob(pattern))
        if found:
            return found[-1]
        time.sleep(0.05)
    raise AssertionError(f"no {pattern} in {path}")


def test_a_users_own_game_through_the_spool(tmp_path, answer, source_of):
    process = subprocess.Popen(
        [sys.executable, "-m", "cwm.synthesize", *own_game(tmp_path)],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        request = wait_for(tmp_path / "chat", "0001-*.request.md")
        assert "Three in a row wins." in request.read_text()
        draft = request.with_name("draft")
        draft.write_text(answer(source_of("tic_tac_toe")))
        draft.rename(request.with_name(request.name.replace(".request.md", ".answer.md")))
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    written = json.loads((tmp_path / "noughts" / "manifest.json").read_text())
    assert written["game"] == "noughts" and written["train_transition_accuracy"] == 1.0
    assert written["test_transition_accuracy"] is None
    game = pyspiel.load_game(f"cwm(model={tmp_path / 'noughts'})")
    assert game.new_initial_state().legal_actions() == list(range(9))


def test_a_synthesis_from_chosen_games(tmp_path, answer, source_of):
    """The games are chosen once and kept; a run goes on with them and with the same flags alone."""
    flags = ["--game=tic_tac_toe", "--trajectories=chosen", "--pool_games=10", "--output_dir=m"]
    assert "call 1" in sentence(synthesize(*flags, "--llm=recorded", cwd=tmp_path))
    kept = (tmp_path / "m" / "chosen.json").read_text()
    assert "chosen with pool_games 10" in sentence(synthesize(*flags, "--pool_games=11", cwd=tmp_path))
    process = subprocess.Popen(
        [sys.executable, "-m", "cwm.synthesize", *flags, *SMALL, "--llm=spool:chat"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        request = wait_for(tmp_path / "chat", "0001-*.request.md")
        draft = request.with_name("draft")
        draft.write_text(answer(source_of("tic_tac_toe")))
        draft.rename(request.with_name(request.name.replace(".request.md", ".answer.md")))
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    assert "chose 5 of 10 games" in errors and "playing a pool" not in errors
    written = json.loads((tmp_path / "m" / "manifest.json").read_text())
    assert written["trajectories"] == json.loads(kept)["figures"]
    assert written["trajectories"]["protocol"] == "chosen"
    assert (tmp_path / "m" / "chosen.json").read_text() == kept
    said = sentence(synthesize("--game=tic_tac_toe", "--disagree=m", "--output_dir=n", cwd=tmp_path))
    assert "--disagree: random and recorded games are not chosen" in said


def test_a_killed_synthesis_goes_on(tmp_path, answer, source_of):
    """Killed while it waits for the second answer, and at random moments of a replay."""
    flags = own_game(tmp_path)
    start = [sys.executable, "-m", "cwm.synthesize", *flags]
    first = subprocess.Popen(start, cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
    try:
        request = wait_for(tmp_path / "chat", "0001-*.request.md")
        request.with_name(request.name.replace("request", "answer")).write_text("no program here")
        wait_for(tmp_path / "chat", "0002-*.request.md")
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()
    second_request = wait_for(tmp_path / "chat", "0002-*.request.md")
    second_request.with_name(second_request.name.replace("request", "answer")).write_text(
        answer(source_of("tic_tac_toe"))
    )
    done = subprocess.run(start, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "going on after 1 attempt" in done.stderr
    assert len(list((tmp_path / "chat").glob("*.request.md"))) == 2
    attempts = (tmp_path / "noughts" / "attempts.jsonl").read_text().splitlines()
    assert [json.loads(line)["index"] for line in attempts] == [0, 1]


@pytest.mark.parametrize("moment", range(4))
def test_a_replay_killed_at_a_random_moment_ends_like_an_undisturbed_one(tmp_path, moment):
    rng = random.Random(moment)
    flags = ["--game=tic_tac_toe", "--seed=1", "--output_dir=m", *SMALL]
    process = subprocess.Popen(
        [sys.executable, "-m", "cwm.synthesize", *flags],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(rng.uniform(0.3, 4.0))
    process.send_signal(signal.SIGKILL)
    process.wait()
    if not (tmp_path / "m" / "manifest.json").exists():
        done = synthesize(*flags[:3], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    whole = synthesize(*flags[:2], "--output_dir=whole", cwd=tmp_path)
    assert whole.returncode == 0
    for name in ("model.py", "manifest.json"):
        assert (tmp_path / "m" / name).read_text() == (tmp_path / "whole" / name).read_text()
    assert not list((tmp_path / "m").glob(".*"))
