from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

distributed = pytest.importorskip("distributed", reason="needs pip install 'spielwright[dask]'")

from arena.store.database import Database  # noqa: E402
from arena.tournaments.playing import play  # noqa: E402
from arena.tournaments.schedule import Tournament  # noqa: E402
from arena.tournaments.summary import summarize  # noqa: E402
from runs.executors import make_executor  # noqa: E402
from runs.versions import versions  # noqa: E402

ROOT = Path(__file__).parents[2]


def cluster(workers, threads):
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=threads, processes=True, dashboard_address=":0", host="127.0.0.1"
    )


@pytest.fixture(scope="module")
def address():
    with cluster(2, 1) as running:
        yield running.scheduler_address


@pytest.fixture(scope="module")
def wanted():
    return Tournament.checked("connect_four", ["mcts(simulations=60)", "random"], num_games=20, seed=2)


def test_a_cluster_plays_the_same_tournament(address, wanted, tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "arena.tournament",
            "--game=connect_four",
            "--seed=2",
            "--num_games=20",
            "--bots=mcts(simulations=60),random",
            f"--db={tmp_path / 'm.db'}",
            f"--executor=dask:{address}",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    records = play(wanted, db=tmp_path / "m.db", executor=Unused())
    inline = play(wanted)
    assert [r.actions() for r in records] == [r.actions() for r in inline]
    assert summarize(wanted, records) == summarize(wanted, inline)


def test_a_cluster_plays_games_of_three(address, tmp_path):
    wanted = Tournament.checked(
        "kuhn_poker(players=3)",
        ["random", "uniform_random", "mcts(simulations=5,peek=true)"],
        num_games=60,
        seed=2,
    )
    with make_executor(f"dask:{address}") as executor:
        records = play(wanted, executor=executor, db=tmp_path / "m.db")
    assert [r.actions() for r in records] == [r.actions() for r in play(wanted)]
    assert [(r.seats, r.seed) for r in records] == list(wanted.schedule())


class Unused:
    """Everything has been played already."""


def test_a_worker_that_dies_loses_no_match(address, wanted, tmp_path):
    killed = []

    def kill_one(record):
        if not killed:
            with distributed.Client(address, set_as_default=False) as client:
                killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)

    with make_executor(f"dask:{address}") as executor:
        assert executor.workers == 2
        play(wanted, executor=executor, db=tmp_path / "m.db", observers=[kill_one])
    assert killed
    with Database(tmp_path / "m.db") as database:
        assert len(database.match_ids()) == 20


def test_several_threads_in_a_worker_are_refused():
    with cluster(1, 2) as running, pytest.raises(ValueError, match="--nthreads=1"):
        make_executor(f"dask:{running.scheduler_address}")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_nobody_answers(address, monkeypatch):
    monkeypatch.setattr("runs.dask_cluster.CONNECT_SECONDS", 1)
    with pytest.raises(ConnectionError, match="no Dask scheduler answers at"):
        make_executor(f"dask:{address}")


class FakeClient:
    """Workers as they might be elsewhere."""

    def __init__(self, workers, imported=None, found=None):
        self.workers = workers
        self.outcomes = {"import_module": imported, "versions": found}

    def nthreads(self):
        return dict.fromkeys(self.workers, 1)

    def run(self, function, *arguments, **options):
        return dict.fromkeys(self.workers, self.outcomes[function.__name__])


@pytest.mark.parametrize(
    "client, part",
    [
        (FakeClient([]), "has no workers"),
        (
            FakeClient(["tcp://w"], ModuleNotFoundError("No module named 'arena'")),
            "tcp://w cannot import arena.matches.match .*No module named 'arena'",
        ),
        (
            FakeClient(["tcp://w"], None, {**versions(), "open_spiel": "1.0"}),
            f"tcp://w has open_spiel 1.0, expected {versions()['open_spiel']}",
        ),
        (FakeClient(["tcp://w"], None, {**versions(), "python": "3.99.1"}), "has python 3.99, expected 3"),
    ],
)
def test_unfit_workers_are_named(client, part):
    from runs.dask_cluster import _check_workers

    with pytest.raises(ValueError, match=part):
        _check_workers(client, "tcp://s")


def test_a_missing_dask_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "runs.dask_cluster", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'spielwright\[dask\]'"):
        make_executor("dask:tcp://127.0.0.1:9")
