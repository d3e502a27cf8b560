from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pyspiel
import pytest

from arena import registry, tournament
from arena.executor import InlineExecutor, make_executor
from arena.match import Forfeit
from arena.records import record_from_json
from arena.tournament import Tournament, play, summarize

ROOT = Path(__file__).parents[2]


def _run(*arguments):
    return subprocess.run([sys.executable, "-m", "arena.tournament", *arguments], cwd=ROOT,
                          capture_output=True, text=True, timeout=100)


def _small(**changes):
    return Tournament.checked(**{"game": "tic_tac_toe", "bots": ["random", "mcts(simulations=4)"],
                                 "num_games": 4, "seed": 3, **changes})


@pytest.fixture
def scratch_bots(monkeypatch):
    """A registry with two deterministic bots and one that gives up, restored afterwards."""
    monkeypatch.setattr(registry, "_entries", dict(registry.bots()))

    class Fixed(pyspiel.Bot):
        def __init__(self, index):
            super().__init__()
            self._index = index

        def restart_at(self, state):
            pass

        def step(self, state):
            if self._index is None:
                raise Forfeit("timeout", "no time today")
            return state.legal_actions()[self._index]

    for name, index in (("lowest", 0), ("highest", -1), ("quitter", None)):
        registry.register_bot(name, summary="")(
            lambda game, player_id, seed, index=index: Fixed(index))


def test_schedule_is_a_mirrored_round_robin():
    bots = ("a", "b", "c")
    schedule = list(Tournament("g", bots, 6, 1).schedule())
    assert len(schedule) == 3 * 6 == len(set(schedule))
    for pair in itertools.permutations(bots, 2):
        assert sum(seats == pair for seats, _ in schedule) == 3
    for seats, seed in schedule:
        assert (seats[::-1], seed) in schedule
    assert len({seed for _, seed in schedule}) == 3   # all bots face the same openings
    # More games or bots only add to what was scheduled.
    assert set(schedule) < set(Tournament("g", bots + ("d",), 8, 1).schedule())
    assert not set(schedule) & set(Tournament("g", bots, 6, 2).schedule())


def test_result_does_not_depend_on_the_executor():
    wanted = _small(game="leduc_poker", bots=["random", "mcts(simulations=4,peek=true)"])
    inline = play(wanted)
    with make_executor("processes:2") as executor:
        spawned = play(wanted, executor=executor)
    assert [r.actions() for r in inline] == [r.actions() for r in spawned]
    assert summarize(wanted, inline) == summarize(wanted, spawned)


@pytest.mark.parametrize("spec", ["", "inlin", "processes", "processes:0", "processes:-1",
                                  "processes:two", "inline:2"])
def test_unknown_executors(spec):
    with pytest.raises(ValueError, match="expected inline or processes:N"):
        make_executor(spec)


def test_inline_executor_keeps_errors_for_the_caller():
    def fail():
        raise KeyError("x")

    future = InlineExecutor().submit(fail)
    assert future.done()
    assert isinstance(future.exception(), KeyError)


def test_workers_outlive_one_ctrl_c_and_not_two():
    with make_executor("processes:1") as executor:
        assert executor.submit(signal.raise_signal, signal.SIGINT).result() is None
        with pytest.raises(BrokenProcessPool):
            executor.submit(signal.raise_signal, signal.SIGINT).result()


def test_deterministic_bots_count_once(scratch_bots):
    wanted = _small(bots=["lowest", "highest"], num_games=20, opening_plies=0)
    result = summarize(wanted, play(wanted))
    assert (result["matches"], result["unique_matches"]) == (20, 2)
    assert result["pairs"][0]["unique_matches"] == 2
    assert result["per_bot"]["lowest"]["wins"] + result["per_bot"]["highest"]["wins"] <= 2
    opened = _small(bots=["lowest", "highest"], num_games=20, opening_plies=2)
    assert summarize(opened, play(opened))["unique_matches"] > 10


def test_forfeits_are_counted_apart(scratch_bots):
    wanted = _small(bots=["quitter", "random"])
    result = summarize(wanted, play(wanted))
    quitter, random = result["per_bot"]["quitter"], result["per_bot"]["random"]
    # Seeds that share an opening make identical matches, which count once.
    unique = result["unique_matches"]
    assert quitter["forfeits"] == {"illegal": 0, "timeout": unique, "crash": 0}
    assert random["forfeits"] == {"illegal": 0, "timeout": 0, "crash": 0}
    assert (random["wins"], random["wins_by_forfeit"]) == (unique, unique)


def test_a_second_run_plays_nothing_twice(tmp_path, monkeypatch):
    path = tmp_path / "m.jsonl"
    first = play(_small(), records_path=path)
    content = path.read_bytes()
    path.write_bytes(b"".join(content.splitlines(True)[:3]) + b'{"game":"tic')  # killed in line 4

    played = []
    original = tournament.play_match
    monkeypatch.setattr(tournament, "play_match",
                        lambda *a, **k: played.append(a) or original(*a, **k))
    seen = []
    again = play(_small(), records_path=path, observers=[seen.append])
    assert [(seats, seed) for _, seats, seed in played] == [(first[3].seats, first[3].seed)]
    assert [r.actions() for r in again] == [r.actions() for r in first]
    assert seen == again
    assert play(_small(), records_path=path) == again
    assert len(played) == 1
    more = play(_small(bots=["random", "mcts(simulations=4)", "mcts(simulations=3)"], num_games=6),
                records_path=path)
    assert len(played) == 1 + len(more) - len(again)


@pytest.mark.parametrize("change, part", [
    (dict(game="tic_tac_toe()"), "game"),
    (dict(opening_plies=1), "opening_plies"),
    (dict(move_seconds=9.0), "move_seconds"),
    (dict(seed=4), "not part of this tournament"),
    (dict(bots=["random", "mcts(simulations=5)"]), "not part of this tournament"),
    (dict(num_games=2), "not part of this tournament"),
])
def test_records_of_another_tournament_are_refused(tmp_path, change, part):
    path = tmp_path / "m.jsonl"
    play(_small(), records_path=path)
    content = path.read_bytes()
    with pytest.raises(ValueError, match=part) as caught:
        play(_small(**change), records_path=path)
    assert f"{path}, line " in str(caught.value)
    assert path.read_bytes() == content


def test_a_match_that_is_recorded_twice_is_refused(tmp_path):
    path = tmp_path / "m.jsonl"
    play(_small(), records_path=path)
    lines = path.read_bytes().splitlines(True)
    path.write_bytes(b"".join([*lines, lines[0]]))
    with pytest.raises(ValueError, match=r"line 5: a match that an earlier line holds"):
        play(_small(), records_path=path)


def test_extra_results_are_merged():
    wanted = _small()
    records = play(wanted)
    plain = summarize(wanted, records)
    assert summarize(wanted, records, {"accuracy": 1.0}) == {**plain, "accuracy": 1.0}
    with pytest.raises(ValueError, match="'seed' is a name of the result's own"):
        summarize(wanted, records, {"seed": 1})


@pytest.mark.parametrize("change, part", [
    (dict(num_games=3), "num_games: expected an even number"),
    (dict(num_games=0), "num_games"),
    (dict(seed=-1), "seed: expected 0 or more"),
    (dict(opening_plies=-1), "opening_plies"),
    (dict(move_seconds=0.0), "move_seconds"),
    (dict(game="kuhn_poker(players=3)"), "expected 2, one for each bot of a match, found 3"),
    (dict(bots=["random"]), "at least two"),
    (dict(bots=["random", " random()"]), "'random' is listed twice"),
    (dict(game="goofspiel"), "simultaneous"),
])
def test_bad_tournaments_are_refused_before_play(change, part):
    with pytest.raises(ValueError, match=part):
        _small(**change)


def test_command_prints_a_table_and_writes_json(tmp_path):
    target, records = tmp_path / "r.json", tmp_path / "m.jsonl"
    flags = ["--game=connect_four", "--bots=mcts(simulations=30,rollouts=1), random", "--seed=5",
             "--num_games=10"]
    done = _run(*flags, f"--json={target}", f"--records={records}", "--executor=processes:1")
    assert done.returncode == 0, done.stderr
    assert "mcts(simulations=30,rollouts=1)" in done.stdout
    assert "10/10" in done.stderr
    result = json.loads(target.read_text())
    strong = result["per_bot"]["mcts(simulations=30,rollouts=1)"]
    assert result["matches"] == 10 and len(records.read_text().splitlines()) == 10
    assert strong["wilson_low"] < strong["score"] < strong["wilson_high"] or strong["score"] == 1
    assert strong["score"] > 0.5
    before = target.read_bytes()
    assert _run(*flags, f"--json={target}").returncode == 0
    assert target.read_bytes() == before


@pytest.mark.parametrize("arguments, part", [
    ([], "--game is missing"),
    (["--game=tic_tac_toe"], "--bots is missing"),
    (["--game=tictactoe", "--bots=random,mcts"], "did you mean tic_tac_toe"),
    (["--game=tic_tac_toe", "--bots=random,mtcs"], "did you mean mcts"),
    (["--game=tic_tac_toe", "--bots=random,mcts(x"], "not closed"),
    (["--game=tic_tac_toe", "--bots=random,mcts", "--num_games=x"], "num_games"),
    (["--game=tic_tac_toe", "--bots=random,mcts", "--executor=gpu"], "executor"),
    (["--game=tic_tac_toe", "--bots=random,mcts", "--json=/nowhere/r.json"], "/nowhere"),
])
def test_bad_input_is_one_sentence_and_exit_code_2(arguments, part):
    done = _run(*arguments)
    assert done.returncode == 2, done.stderr
    assert part in done.stderr
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_worker_that_dies_is_reported_and_its_match_played_later(tmp_path):
    path = tmp_path / "m.jsonl"
    wanted = _small(game="connect_four", bots=["mcts(simulations=300)", "random"], num_games=40)
    killed = []

    def kill_once(record):
        for worker in multiprocessing.active_children() if not killed else ():
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    with pytest.raises(BrokenProcessPool), make_executor("processes:1") as executor:
        play(wanted, executor=executor, records_path=path, observers=[kill_once])
    assert killed and 1 <= path.read_bytes().count(b"\n") < 40
    assert [r.actions() for r in play(wanted, records_path=path)] == [
        r.actions() for r in play(wanted)]


@pytest.mark.parametrize("executor", ["inline", "processes:1"])
def test_ctrl_c_leaves_a_file_to_resume_from(tmp_path, executor):
    path = tmp_path / "m.jsonl"
    command = [sys.executable, "-m", "arena.tournament", "--game=connect_four",
               "--bots=mcts(simulations=300),random", "--num_games=1000", "--opening_plies=1",
               f"--records={path}", f"--executor={executor}"]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, text=True,
                               stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 60
        while not path.exists() or path.read_bytes().count(b"\n") < 3:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)   # as a terminal does
        stderr = process.communicate(timeout=60)[1]
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert "the same command plays the others" in stderr
    content = path.read_text()
    assert content.endswith("\n")
    kept = [record_from_json(line) for line in content.splitlines()]
    assert 3 <= len(kept) < 1000

    wanted = Tournament.checked("connect_four", ["mcts(simulations=300)", "random"],
                                num_games=2 * len(kept), seed=0, opening_plies=1)
    seen = []

    class Enough(Exception):
        pass

    def observe(record):
        seen.append(record)
        if len(seen) > len(kept):
            raise Enough

    with pytest.raises(Enough):
        play(wanted, records_path=path, observers=[observe])
    assert seen[:-1] == kept
    assert (seen[-1].seats, seen[-1].seed) not in {(r.seats, r.seed) for r in kept}
