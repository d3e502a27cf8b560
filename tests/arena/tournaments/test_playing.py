"""Tournaments that are stopped, killed, shared and resumed."""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.matches.match import play_match
from arena.store.claims import Claims
from arena.store.database import Database
from arena.tournaments import playing
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import summarize
from runs.executors import InlineExecutor, make_executor
from runs.worker_pool import WorkerDied

ROOT = Path(__file__).parents[3]


def small(**changes):
    return Tournament.checked(
        **{
            "game": "tic_tac_toe",
            "bots": ["random", "mcts(simulations=4)"],
            "num_games": 4,
            "seed": 3,
            **changes,
        }
    )


def start(path, executor, *flags):
    return subprocess.Popen(
        [sys.executable, "-m", "arena.tournament", f"--db={path}", f"--executor={executor}", *flags],
        cwd=ROOT,
        start_new_session=True,
        text=True,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def as_json(tournament):
    """What the command writes after playing it without a disturbance."""
    return json.dumps(summarize(tournament, play(tournament)), indent=2) + "\n"


def count(path):
    """Matches in a database that another process is writing, 0 where there is none yet."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT count(*) FROM match").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


def wait_for_matches(process, path, wanted):
    deadline = time.monotonic() + 60
    while count(path) < wanted and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture
def played(monkeypatch):
    """The (seats, seed) of matches that are played in this process, in order."""
    keys = []

    def spy(game, seats, seed, **rest):
        keys.append((tuple(seats), seed))
        return play_match(game, seats, seed, **rest)

    monkeypatch.setattr(playing, "play_match", spy)
    return keys


def test_a_second_run_plays_nothing_twice(tmp_path, played):
    path = tmp_path / "m.db"

    class Enough(Exception):
        pass

    def stop(record):
        if len(played) == 3:
            raise Enough

    with pytest.raises(Enough):
        play(small(), db=path, observers=[stop])
    seen = []
    first = play(small(), db=path, observers=[seen.append])
    assert played == list(small().schedule())  # each once, the last one in the second run
    assert seen == list(first)
    assert list(play(small(), db=path)) == seen and len(played) == 4
    more = small(bots=["random", "mcts(simulations=4)", "mcts(simulations=3)"], num_games=6)
    assert len(play(more, db=path)) == 18 == len(played) == len(set(played))
    assert list(play(small(num_games=2), db=path)) == seen[:2] and len(played) == 18


def test_records_in_the_file_are_those_in_memory(tmp_path):
    stored, kept = play(small(), db=tmp_path / "m.db"), play(small())
    assert len(stored) == len(kept)
    assert [r.actions() for r in stored] == [r.actions() for r in kept]
    assert stored[-1].actions() == kept[-1].actions()
    assert [r.actions() for r in stored[1:3]] == [r.actions() for r in kept[1:3]]
    assert summarize(small(), stored) == summarize(small(), kept)
    columns = stored[::-1].results()
    assert [(columns.bots[a], columns.bots[b], seed) for (a, b), seed in zip(columns.seats, columns.seed)] == [
        (*r.seats, r.seed) for r in kept[::-1]
    ]
    assert columns.course.tolist() == [r.course for r in kept[::-1]]


@pytest.mark.parametrize(
    "change", [dict(game="connect_four"), dict(opening_plies=1), dict(move_seconds=9.0), dict(seed=4)]
)
def test_tournaments_that_share_a_file_do_not_mix(tmp_path, played, change):
    alone = [r.actions() for r in play(small(**change))]
    play(small(), db=tmp_path / "m.db")
    del played[:]
    assert [r.actions() for r in play(small(**change), db=tmp_path / "m.db")] == alone
    assert len(played) == 4
    with Database(tmp_path / "m.db") as database:
        assert [e.matches for e in database.experiments()] == [4, 4]


def test_a_tournament_outlives_the_death_of_a_worker(tmp_path):
    wanted = small(game="connect_four", bots=["mcts(simulations=300)", "random"], num_games=20)
    killed = []

    def kill_once(record):
        for worker in multiprocessing.active_children() if not killed else ():
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    with make_executor("processes:2") as executor:
        records = play(wanted, executor=executor, db=tmp_path / "m.db", observers=[kill_once])
    assert killed
    assert [r.actions() for r in records] == [r.actions() for r in play(wanted)]


class Fatal(concurrent.futures.ThreadPoolExecutor):
    """Some matches end their processes."""

    workers = 1
    deaths = (WorkerDied,)

    def __init__(self, keys):
        super().__init__(1)
        self._fatal = set(keys)

    def submit(self, fn, play_one, keys):
        if not self._fatal & set(keys):
            return super().submit(fn, play_one, keys)
        future = concurrent.futures.Future()
        future.set_exception(WorkerDied("exit code -9"))
        return future


def test_a_match_that_kills_its_workers_is_named_and_the_others_are_played(tmp_path, played):
    wanted = small(num_games=200)
    fatal = list(wanted.schedule())[150]  # among others in its task by then
    with pytest.raises(ChildProcessError) as caught:
        play(wanted, executor=Fatal([fatal]), db=tmp_path / "m.db")
    assert all(part in str(caught.value) for part in (*fatal[0], str(fatal[1]), "exit code -9"))
    assert len(played) == count(tmp_path / "m.db") == 199
    assert len(play(wanted, db=tmp_path / "m.db")) == 200 == len(played)

    with pytest.raises(ChildProcessError, match="and 4 more"):
        play(wanted, executor=Fatal(wanted.schedule()))
    assert len(played) == 200


def test_an_executor_that_gives_up_is_an_error():
    class Gone(InlineExecutor):
        def submit(self, fn, *args, **kwargs):
            future = concurrent.futures.Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    with pytest.raises(ConnectionError, match="gave up the match of random and mcts.*with seed"):
        play(small(), executor=Gone())


def test_a_process_waits_for_the_matches_of_a_living_one(tmp_path):
    path, wanted = tmp_path / "m.db", small(num_games=6)
    keys = list(wanted.schedule())
    with Database(path) as database:
        experiment = database.experiment(wanted.config())
        with Claims(database, experiment, wanted.game) as claims:
            assert claims.take(keys[1:4]).mine == keys[1:4]
            other = start(
                path,
                "inline",
                "--game=tic_tac_toe",
                "--bots=random,mcts(simulations=4)",
                "--num_games=6",
                "--seed=3",
                f"--json={tmp_path / 'r.json'}",
            )
            try:
                wait_for_matches(other, path, 3)
                time.sleep(0.7)  # longer than it takes to look again
                assert count(path) == 3 and other.poll() is None
                for seats, seed in keys[1:3]:
                    database.add(experiment, play_match(wanted.game, seats, seed))
            except BaseException:
                other.kill()
                raise
        # The third claim is given back, and played by the other process.
        stdout, stderr = other.communicate(timeout=60)
    assert other.returncode == 0, stderr
    assert f"Waiting for 3 matches that are being played by process {os.getpid()} on " in stderr
    assert count(path) == 6
    assert (tmp_path / "r.json").read_text() == as_json(wanted)


@pytest.mark.parametrize("executor", ["inline", "processes:1"])
def test_ctrl_c_leaves_a_file_to_resume_from(tmp_path, executor):
    path = tmp_path / "m.db"
    process = start(
        path,
        executor,
        "--game=connect_four",
        "--bots=mcts(simulations=300),random",
        "--num_games=1000",
        "--opening_plies=1",
    )
    try:
        wait_for_matches(process, path, 3)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        stderr = process.communicate(timeout=60)[1]
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert "the same command plays the others" in stderr
    with Database(path, must_exist=True) as database:
        assert 3 <= len(database.match_ids()) < 1000
        assert all(record.moves for record in database.records())
        with database.transaction() as run:
            assert run("SELECT count(*) FROM claim").fetchone() == (0,)
            assert run("SELECT count(*) FROM owner").fetchone() == (0,)


def search(simulations):
    """A search that plays hidden games the same every time: OpenSpiel's IS-MCTS in C++ does not."""
    return f"mcts(simulations={simulations},peek=true,solve=false)"


@pytest.mark.parametrize(
    "game, bots, num_games, matches",
    [
        ("connect_four", ["mcts(simulations=40)", "mcts(simulations=20)"], 120, 120),
        ("leduc_poker(players=3)", [search(200), search(100), "random"], 120, 120),
        # Three bots in four seats: three line-ups with twelve different seat orders each.
        ("kuhn_poker(players=4)", [search(2000), search(1000), "random"], 96, 144),
        ("kuhn_poker(players=6)", [*map(search, (900, 800, 700, 600)), "random", "uniform_random"], 120, 120),
    ],
    ids=["2 players", "3 players", "4 players", "6 players"],
)
def test_killed_again_and_again_a_tournament_plays_each_match_once(tmp_path, game, bots, num_games, matches):
    path, rng = tmp_path / "m.db", random.Random(5)
    flags = [f"--game={game}", f"--bots={','.join(bots)}", f"--num_games={num_games}", "--seed=1"]
    kills = 0
    for executor in ["inline", "processes:2", "inline", "processes:2", "inline"]:
        process = start(path, executor, *flags)
        wait_for_matches(process, path, count(path) + rng.randrange(8))
        time.sleep(rng.random() / 50)
        kills += process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert kills == 5 and 0 < count(path) < matches
    last = start(path, "inline", *flags, f"--json={tmp_path / 'r.json'}")
    assert last.wait(timeout=60) == 0, last.communicate()
    wanted = Tournament.checked(game, bots, num_games=num_games, seed=1)
    with Database(path, must_exist=True) as database:
        assert len(database.match_ids()) == matches
        [experiment] = database.experiments()
        assert set(database.stored(experiment.id, game)) == set(wanted.schedule())
    assert (tmp_path / "r.json").read_text() == as_json(wanted)


def test_a_game_by_another_writing_of_its_name_is_the_same(tmp_path, played):
    first = [r.actions() for r in play(small(), db=tmp_path / "m.db")]
    del played[:]
    assert [r.actions() for r in play(small(game="tic_tac_toe()"), db=tmp_path / "m.db")] == first
    assert played == []
