from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from arena.matches.match import play_match
from arena.store import claims as claims_module
from arena.store.claims import LEASE_SECONDS, Claims, place, started
from arena.store.database import Database

KEYS = [(("random", "random"), seed) for seed in range(4)]


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "m.db") as opened:
        yield opened


@pytest.fixture
def experiment(database):
    return database.experiment({})


def leave_a_claim(database, experiment, place_, pid, started_, heartbeat):
    """As an owner that did not come to give it back."""
    with database.transaction() as run:
        owner = run(
            "INSERT INTO owner (place, pid, started, heartbeat) VALUES (?, ?, ?, ?)",
            (place_, pid, started_, heartbeat),
        ).lastrowid
        run(
            "INSERT INTO claim VALUES (?, ?, ?, ?, ?)",
            (*database.row_key(experiment, "tic_tac_toe", KEYS[0]), owner),
        )


def test_two_players_share_the_matches(database, experiment):
    with (
        Claims(database, experiment, "tic_tac_toe") as one,
        Database(database.path) as again,
        Claims(again, experiment, "tic_tac_toe") as two,
    ):
        assert one.take(KEYS[:2]).mine == KEYS[:2]
        taken = two.take(KEYS)
        assert (taken.mine, taken.others, taken.stored) == (KEYS[2:], KEYS[:2], {})
        assert two.owners(KEYS[:2]) == [f"process {os.getpid()} on {os.uname().nodename}"]
        number = database.add(experiment, play_match("tic_tac_toe", *KEYS[0]))
        taken = two.take(KEYS[:2])
        assert (taken.mine, taken.others, taken.stored) == ([], KEYS[1:2], {KEYS[0]: number})
        assert one.take(KEYS[1:2]).mine == KEYS[1:2]  # one's own, again
        with Claims(database, database.experiment({"other": 1}), "tic_tac_toe") as elsewhere:
            assert elsewhere.take(KEYS).mine == KEYS
    with Claims(database, experiment, "tic_tac_toe") as later:
        assert later.take(KEYS).mine == KEYS[1:]  # all given back


def test_whose_claims_hold(database, experiment):
    process = subprocess.Popen([sys.executable, "-c", "pass"], stdout=subprocess.PIPE)
    process.stdout.read()  # at its end the process is dead, but not waited for: a zombie
    deadline = time.monotonic() + 10
    while started(process.pid) is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    now = time.time()
    mine = place(), os.getpid(), started(os.getpid())
    for owner, holds in [
        ((*mine, now), True),
        ((*mine, now - 10 * LEASE_SECONDS), True),  # silent, but visibly alive
        ((mine[0], mine[1], "1", now), False),  # another process had this pid
        ((mine[0], process.pid, started(process.pid) or "1", now), False),
        ((mine[0], 2**22 + 1, "1", now), False),  # above any pid
        (("elsewhere boot ns", 1, "1", now - LEASE_SECONDS / 2), True),
        (("elsewhere boot ns", 1, "1", now - 2 * LEASE_SECONDS), False),
    ]:
        leave_a_claim(database, experiment, *owner)
        with Claims(database, experiment, "tic_tac_toe") as claims:
            with database.transaction() as run:
                # The dead are forgotten as soon as anybody begins to play.
                assert run("SELECT count(*) FROM owner").fetchone() == (1 + holds,), owner
            taken = claims.take(KEYS[:1])
            assert (taken.others == KEYS[:1], taken.mine == KEYS[:1]) == (holds, not holds), owner
        with database.transaction() as run:
            run("DELETE FROM claim")
            assert run("SELECT count(*) FROM owner").fetchone() == (int(holds),)
            run("DELETE FROM owner")
    process.wait()


def test_an_owner_that_dies_later_loses_its_claims(database, experiment):
    with Claims(database, experiment, "tic_tac_toe") as claims:
        leave_a_claim(database, experiment, place(), 2**22 + 1, "1", time.time())
        assert claims.take(KEYS).mine == KEYS
        with database.transaction() as run:
            assert run("SELECT count(*) FROM owner").fetchone() == (1,)


def test_living_owners_renew_their_lease(database, experiment, monkeypatch):
    monkeypatch.setattr(claims_module, "RENEW_SECONDS", 0.02)
    with Claims(database, experiment, "tic_tac_toe"):
        seen = set()
        deadline = time.monotonic() + 10
        while len(seen) < 3 and time.monotonic() < deadline:
            with database.transaction() as run:
                seen.add(run("SELECT heartbeat FROM owner").fetchone()[0])
    assert len(seen) >= 3
