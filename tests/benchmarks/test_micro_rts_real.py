"""The benchmarks that put the real MicroRTS engine beside ours."""

from __future__ import annotations

import os

import pyspiel
import pytest

from benchmarks.games import micro_rts, micro_rts_real
from benchmarks.games.micro_rts_real import Result
from benchmarks.support import micro_rts_java
from games.micro_rts.java import jvm
from games.micro_rts.java.real_script import RealScript

needs_java = pytest.mark.skipif(
    jvm.jpype is None or jvm.JAR_VARIABLE not in os.environ,
    reason="needs JPype1 and, in MICRORTS_JAR, the path of microrts.jar of gym-microrts 0.4.3",
)


@pytest.fixture
def game() -> pyspiel.Game:
    return pyspiel.load_game("micro_rts", {"max_cycles": 600})


def test_a_cell_counts_for_player_0():
    assert (
        micro_rts_real.cell([Result(0, 0, 100), Result(1, -1, 300), Result(2, 1, 90), Result(3, 1, 110)])
        == "1-1-2 105"
    )


def test_openings_differ_and_repeat(game):
    seats = ("micro_rts_worker_rush", "micro_rts_light_rush")
    results = [micro_rts_real.play(game, seats, opening, 100, 1) for opening in (0, 1, 2, 1, 0)]
    assert results[1] == results[3] and results[0] == results[4]
    assert results[0].winner == 0
    assert len({result.ticks for result in results}) > 1


def test_both_seats_are_played(game):
    bots = ("micro_rts_light_rush", "micro_rts_worker_rush")
    figures = micro_rts_real.duel(game, bots, 1, 100, 0)
    assert {name: results[0].winner for name, results in figures.items()} == {
        "micro_rts_light_rush first": 1,
        "micro_rts_worker_rush first": 0,
    }


@needs_java
def test_a_bot_does_not_deviate_from_itself(game, monkeypatch):
    monkeypatch.setattr(micro_rts_real, "OWN_SCRIPTS", {"LightRush": lambda: RealScript("LightRush")})
    asked, same, first = micro_rts_real.shadowed(game, ("LightRush", "WorkerRush"), 1, 100, 0)
    assert asked == same > 0 and first == ""


@needs_java
def test_a_bot_deviates_from_another(game, monkeypatch):
    monkeypatch.setattr(micro_rts_real, "OWN_SCRIPTS", {"LightRush": lambda: RealScript("WorkerRush")})
    asked, same, first = micro_rts_real.shadowed(game, ("LightRush", "WorkerRush"), 0, 100, 0)
    # At once, as one trains a worker and the other saves for barracks.
    assert same < asked and first.startswith("opening 0, tick 0: real ") and "ours Base at (2, 1)" in first


@needs_java
@pytest.mark.parametrize("name", micro_rts.MAPS)
def test_the_real_rows_play_one_and_the_same_game(name):
    rows = micro_rts_java.contestants(None, 400)
    assert len(rows) in (2, 4)
    played = {label: [play(name, seed) for seed in (1, 2)] for label, play in rows.items()}
    assert len({tuple(results) for results in played.values()}) == 1, played
