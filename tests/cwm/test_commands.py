"""The commands as a user runs them: in a process of their own, with bad input, and killed."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyspiel
import pytest

import spielwright_packages
from cwm.contract import model_folders
from cwm.trust import trajectories
from tests.cwm.trust.test_inference import INFERENCE
from tests.runs import warm

ENVIRONMENT = {"PYTHONPATH": str(Path(spielwright_packages.__file__).parent), "PATH": os.environ["PATH"]}
SMALL = ("--test_transitions=100", "--test_games=5", "--notime_interpreters")


def command(module, *flags, cwd):
    return warm.run(module, *flags, cwd=cwd, env=ENVIRONMENT, timeout=180)


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
        "--search_games=2",
        "--exact_states=0",
        "--update",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    verdict = json.loads((tmp_path / "v.json").read_text())
    [played] = [row for row in verdict["rungs"] if row["rung"] == "heldout_play"]
    figures = played["figures"]
    assert (figures["games"], figures["simulations"], figures["forfeits"]["crash"]) == (4, 30, 0)
    low, high = figures["interval"]
    assert low <= figures["score"] <= high and played["status"] == ("passed" if high >= 0.5 else "failed")
    assert "held-out play: 4 matches, about" in done.stderr and "\r" not in done.stderr
    assert verdict["test_transition_accuracy"] == 1.0 and verdict["test_transitions"] >= 300
    assert (
        json.loads((tmp_path / "m" / "manifest.json").read_text())["test_transitions"]
        == (verdict["test_transitions"])
    )


def verify(*flags, cwd):
    small = ("--test_transitions=300", "--test_games=10", "--search_games=4", "--json=v.json")
    done = command("cwm.verify", *small, *flags, cwd=cwd)
    assert done.returncode in (0, 1), done.stderr
    rungs = json.loads((cwd / "v.json").read_text())["rungs"]
    return done, {row["rung"]: row for row in rungs}


def shipped(name, folder, source="", **content):
    """A copy of a shipped model, with `source` after its program and `content` in its manifest."""
    shutil.copytree(model_folders.resolve(name), folder)
    with (folder / "model.py").open("a") as file:
        file.write(source)
    row = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**row, **content}))
    return row


def test_verify_believes_no_manifest(tmp_path):
    """A doctored model: its manifest says that everything passed, and nobody wins in it."""
    said = shipped("tic_tac_toe/0", tmp_path / "m", "\n\ndef returns(state):\n    return [0.0, 0.0]\n")
    assert {row["status"] for row in said["rungs"]} == {"passed"}
    done, rungs = verify("--model=m", "--game=tic_tac_toe", cwd=tmp_path)
    assert done.returncode == 1
    accuracy = json.loads((tmp_path / "v.json").read_text())["test_transition_accuracy"]
    assert 0.5 < accuracy < 1.0
    failed = ["training_transitions", "heldout_transitions", "directed_transitions", "exact_equality"]
    assert [name for name, row in rungs.items() if row["status"] == "failed"] == failed
    for name in failed:
        assert rungs[name]["origin"] == "tested now"
        example = rungs[name]["counterexample"]
        # x wins with its third mark at the earliest, o with its third one move later.
        assert len(example["history"]) in (4, 5) and example["action"][0] in "xo"
        (difference,) = example["differences"]
        assert difference["where"] == "returns after the action" and difference["found"] == [0.0, 0.0]
        assert sorted(difference["expected"]) == [-1.0, 1.0]
        assert f"{name} failed; the smallest counterexample:" in done.stdout
        assert example["text"].splitlines()[0] in done.stdout
    assert rungs["contract"]["origin"] == rungs["random_play"]["origin"] == "tested now"
    play = rungs["heldout_play"]
    assert (play["status"], play["origin"]) == ("passed", "from the manifest, which has no date")
    assert "it is about another program or another game" in done.stdout


def test_verify_dates_what_it_writes_and_tests_inference(tmp_path):
    """A rung that was played for is kept with its date; for another program it does not count."""
    shipped("leduc_poker/0", tmp_path / "m", test_players=["nobody"], test_failure="it failed")
    flags = ("--model=m", "--game=leduc_poker", "--search_games=0", "--nocoverage", "--exact_states=0")
    done, rungs = verify(*flags, "--play_games=2", "--play_simulations=5", "--update", cwd=tmp_path)
    updated = json.loads((tmp_path / "m" / "manifest.json").read_text())
    assert updated["test_players"] == ["random", "ismcts(simulations=25)"] and "test_failure" not in updated
    inference = rungs["heldout_inference"]["figures"]
    assert updated["test_inferences"] == inference["tests"] > 100
    assert updated["test_inference_accuracy"] == inference["accuracy"] == 1.0
    assert json.loads((tmp_path / "v.json").read_text())["game"] == "leduc_poker"
    assert rungs["training_inference"]["origin"] == rungs["heldout_inference"]["origin"] == "tested now"
    assert rungs["training_inference"]["figures"] == {"tests": 29, "passed": 29, "games": 10}
    for name in ("directed_transitions", "exact_equality"):
        assert rungs[name]["origin"] != "tested now"
    assert rungs["heldout_play"]["figures"]["games"] == 2
    today = rungs["heldout_play"]["date"]
    _, again = verify(*flags, cwd=tmp_path)
    assert again["heldout_play"]["origin"] == f"from the manifest of {today}"
    model = tmp_path / "m" / "model.py"
    model.write_text(
        model.read_text().replace(
            "def resample_history(",
            "def resample_history(player, history, rand):\n    return []\n\n\ndef _old(",
            1,
        )
    )
    done, doctored = verify(*flags, cwd=tmp_path)
    assert done.returncode == 1 and doctored["heldout_play"]["origin"] == "not tried"
    assert doctored["training_transitions"]["status"] == "passed"
    for name in ("training_inference", "heldout_inference"):
        assert (doctored[name]["status"], doctored[name]["origin"]) == ("failed", "tested now")
        assert "resample_history gave the game: no actions" in doctored[name]["counterexample"]["text"]


def test_verify_refuses_other_parameters(tmp_path):
    """gen_tic_tac_toe is played on six times six cells, four in a row, where nothing else is said."""
    shipped("gen_tic_tac_toe/0", tmp_path / "small", game="gen_tic_tac_toe(size=5)")
    done = command("cwm.verify", "--model=small", "--game=gen_tic_tac_toe", cwd=tmp_path)
    said = sentence(done)
    assert "a model of gen_tic_tac_toe(size=5), so of gen_tic_tac_toe with size=5 and not size=6" in said
    shipped("gen_tic_tac_toe/0", tmp_path / "same", game="gen_tic_tac_toe(length=4)")
    flags = ("--model=same", "--game=gen_tic_tac_toe(size=6)", "--search_games=0", "--nocoverage")
    assert verify(*flags, cwd=tmp_path)[0].returncode == 0
    against = ("--model=same", "--against=small", "--game=gen_tic_tac_toe")
    assert "--against=small is a model of" in sentence(command("cwm.verify", *against, cwd=tmp_path))


def test_a_broken_contract_leaves_nothing_to_try(tmp_path):
    shipped("tic_tac_toe/0", tmp_path / "m", "\ndel apply_action\nimport os\n")
    done, rungs = verify("--model=m", "--game=tic_tac_toe", cwd=tmp_path)
    assert done.returncode == 1 and rungs.pop("contract")["status"] == "failed"
    assert {row["origin"] for row in rungs.values()} == {"not tried"}
    assert "the module 'os' cannot be imported here" in done.stdout


def one_roll(points):
    """A recorded game of one throw of a die, as a line of a file; the throw itself is left out."""
    start = {"player": 0, "observations": [0], "action": "roll"}
    return json.dumps({"players": 1, "steps": [start, {"player": -4, "observations": [points]}]}) + "\n"


def test_bad_input_is_one_sentence_each(tmp_path):
    (tmp_path / "rules.md").write_text("Rules.")
    (tmp_path / "bad.jsonl").write_text('{"players": 2, "steps": [{}, {}]}\n')
    (tmp_path / "binary.md").write_bytes(b"\x89PNG\x00")
    (tmp_path / "empty.md").write_text(" \n")
    (tmp_path / "latin.md").write_bytes("Zwei Züge.".encode("latin1"))
    (tmp_path / "names.md").write_text("One may `Roll`.")
    (tmp_path / "once.jsonl").write_text(one_roll(1))
    (tmp_path / "twice.jsonl").write_text("".join(map(one_roll, (1, 2))))
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "thesis.txt").write_text("important")
    cases = [
        (["--game=conect_four"], "unknown game 'conect_four'; did you mean connect_four"),
        ([], "nothing to learn from"),
        (["--rules=rules.md", "--trajectories=bad.jsonl"], "bad.jsonl, line 1, step 0: expected"),
        (["--rules=rules.md", "--trajectories=none.jsonl"], "none.jsonl"),
        (["--game=kuhn_poker"], "no text of the rules of kuhn_poker ships"),
        (
            ["--game=mfg_garnet", "--rules=none"],
            "is a mean-field game, expected one of players who move in turn or at once",
        ),
        (
            ["--game=oshi_zumo", "--rules=none", "--value_functions=2"],
            "players choose at once, and the search for that takes no value function",
        ),
        (["--game=hex", "--rules=binary.md"], "binary.md holds bytes that no text holds"),
        (["--game=hex", "--rules=empty.md"], "empty.md is empty"),
        (["--game=hex", "--rules=latin.md"], "latin.md is not in UTF-8 (line 1 holds the byte 0xfc)"),
        (
            ["--game=hex", "--rules=gone.md"],
            "gone.md cannot be read as a text file (No such file or directory)",
        ),
        (["--rules=names.md", "--trajectories=once.jsonl"], "but the rules write its name as 'Roll'"),
        (["--game=hex", "--trajectories=once.jsonl"], "no text of the rules of hex ships"),
        (
            ["--game=hex", "--rules=rules.md", "--trajectories=once.jsonl"],
            "games of 1 players, expected 2 as in hex",
        ),
        (["--rules=rules.md", "--trajectories=twice.jsonl"], "game 2 contradicts game 1 in step 1, after roll"),
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
        (
            ["--model=connect_four/0", "--game=connect_four", "--against=connect_four/1", "--search_games=0"],
            "--against: disagreements are looked for in games of search",
        ),
    ]:
        assert expected in sentence(command("cwm.verify", *flags, cwd=tmp_path))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\n", "r.md is empty"),
        (b"\x89PNG\x00", "r.md holds bytes that no text holds"),
        ("Züge".encode("latin1"), "r.md is not in UTF-8"),
    ],
    ids=["empty", "binary", "encoding"],
)
@pytest.mark.parametrize(
    ("module", "flags"),
    [
        ("cwm.value_functions", ["--model=connect_four/0", "--rules=r.md", "--llm=spool:chat"]),
        (
            "cwm.online",
            [
                "--game=connect_four",
                "--model=connect_four/0",
                "--rules=r.md",
                "--llm=spool:chat",
                "--output_dir=online",
            ],
        ),
        ("arena.tournament", ["--game=tic_tac_toe", "--bots=llm_policy(llm=spool:chat,rules=r.md),random"]),
    ],
    ids=["value_functions", "online", "llm_policy"],
)
def test_rules_that_are_no_text_are_refused_before_any_call(tmp_path, module, flags, content, said):
    (tmp_path / "r.md").write_bytes(content)
    refused = sentence(command(module, *flags, cwd=tmp_path))
    assert said in refused and refused.startswith("error: ")
    assert not list(tmp_path.glob("chat/*.request.*")) and not (tmp_path / "online").exists()


def test_a_dry_run_says_what_is_there_and_asks_nothing(tmp_path):
    done = synthesize("--game=tiny_hanabi", "--rules=none", "--llm=spool:chat", "--dry_run", cwd=tmp_path)
    assert done.returncode == 0 and "Traceback" not in done.stderr
    subjects = [line[2:18].strip() for line in done.stderr.splitlines() if line.startswith("  ")]
    assert subjects[0] == "game" and "test players" in subjects and "held-out test" in subjects
    assert "mccfr(iterations=1000)" in done.stderr and "spool:chat, at most 20 calls" in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert "--output_dir is missing" in sentence(synthesize("--game=tic_tac_toe", cwd=tmp_path))


def test_a_game_that_no_search_plays_through_the_spool(tmp_path, answer, source_of):
    """A wrong program of a game that cannot be resampled is tested, and cwm.verify tests it again."""
    flags = [
        "--game=tiny_hanabi",
        "--rules=none",
        "--llm=spool:chat",
        "--max_calls=1",
        "--output_dir=m",
        *SMALL,
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "cwm.synthesize", *flags],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        request = wait_for(tmp_path / "chat", "0001-*.request.md")
        text = request.read_text()
        assert "Nobody has written down the rules of this game." in text and "- `observation`: " in text
        draft = request.with_name("draft")
        draft.write_text(answer(source_of("leduc") + INFERENCE))
        draft.rename(request.with_name(request.name.replace(".request.md", ".answer.md")))
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 0 and "does not pass all training tests" in errors, errors
    written = json.loads((tmp_path / "m" / "manifest.json").read_text())
    assert written["test_players"][-1] == "mccfr(iterations=1000)" and written["test_transitions"] >= 100
    done, rungs = verify("--model=m", "--game=tiny_hanabi", "--search_seconds=5", cwd=tmp_path)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert rungs["heldout_transitions"]["origin"] == "tested now"
    played = command("cwm.verify", "--model=m", "--game=tiny_hanabi", "--play", cwd=tmp_path)
    said = sentence(played)  # before anything was tested
    assert (
        said.startswith("error: --play: the ground truth cannot be searched")
        and "held-out test" not in played.stderr
    )


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


REPLAYED = ("--game=tic_tac_toe", "--seed=1")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The folder of a replay that was not killed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert synthesize(*REPLAYED, "--output_dir=whole", cwd=folder).returncode == 0
    return folder / "whole"


@pytest.mark.parametrize("moment", range(2))
def test_a_replay_killed_at_a_random_moment_ends_like_an_undisturbed_one(tmp_path, undisturbed, moment):
    rng = random.Random(moment)
    flags = [*REPLAYED, "--output_dir=m"]
    process = subprocess.Popen(
        [sys.executable, "-m", "cwm.synthesize", *flags, *SMALL],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(rng.uniform(0.3, 4.0))
    process.send_signal(signal.SIGKILL)
    process.wait()
    if not (tmp_path / "m" / "manifest.json").exists():
        done = synthesize(*flags, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    for name in ("model.py", "manifest.json"):
        # Without the days of the tests, between which there may be a midnight.
        text, other = (
            re.sub(r'"date": "[\d-]+"', "", (folder / name).read_text())
            for folder in (tmp_path / "m", undisturbed)
        )
        assert text == other
    assert not list((tmp_path / "m").glob(".*"))
