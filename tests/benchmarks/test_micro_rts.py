"""The speed benchmark of MicroRTS measures one and the same game."""

from __future__ import annotations

import pytest

from benchmarks.games import micro_rts


@pytest.mark.parametrize("name", micro_rts.MAPS)
def test_all_contestants_play_the_same_game(name):
    played = {contestant: play(name, 7) for contestant, play in micro_rts.CONTESTANTS.items()}
    assert len(set(played.values())) == 1, played


def test_rates_are_of_the_games_that_were_played(monkeypatch):
    monkeypatch.setattr(micro_rts, "CONTESTANTS", {"slow": lambda name, seed: (100, 10 * seed)})
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr(micro_rts.time, "perf_counter", lambda: next(clock))
    processor = iter(range(1000))
    monkeypatch.setattr(micro_rts.time, "process_time", lambda: next(processor))
    measured = micro_rts.measure("any", count=3, rounds=2, seed=1)
    # Three games of 100 ticks in 2 s a round, 1 s of it computing; 10 + 20 + 30 and 40 + 50 + 60 decisions.
    assert measured == {
        "slow": {"ticks_per_second": 150, "decisions_per_second": (30 + 75) / 2, "ticks_per_cpu_second": 300}
    }
