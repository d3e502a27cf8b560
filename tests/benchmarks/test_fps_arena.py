"""The benchmarks of fps_arena measure one and the same match, and count points as they say."""

from __future__ import annotations

import pytest

from benchmarks.games import fps_arena, fps_strengths
from games.fps_arena.play import match
from games.fps_arena.rules.parameters import Rules


@pytest.mark.parametrize("players", [2, 4])
def test_all_contestants_play_the_same_match(players):
    recorded = fps_arena.recording(players, 7, 150)
    ends = {name: match.frame(play(recorded)) for name, play in fps_arena.CONTESTANTS.items()}
    assert len(set(ends.values())) == 1 and ends["engine"].tick == 150


def test_rates_are_of_the_matches_that_were_played(monkeypatch):
    class Played:
        tick = 50

    monkeypatch.setattr(fps_arena, "CONTESTANTS", {"slow": lambda recorded: Played})
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr(fps_arena.time, "perf_counter", lambda: next(clock))
    processor = iter(range(1000))
    monkeypatch.setattr(fps_arena.time, "process_time", lambda: next(processor))
    recorded = fps_arena.Recording(Rules(players=4), 0, [])
    # Three matches of 50 ticks in 2 s a round, 1 s of it computing.
    assert fps_arena.measure([recorded] * 3, 2) == {
        "slow": {
            "ticks_per_second": 75,
            "ticks_per_cpu_second": 150,
            "us_per_player_tick": pytest.approx(1e6 / 600),
        }
    }


def test_points_of_equals_are_shared_and_of_the_better_are_its():
    rules = Rules(mode="dm", map="open", size=20, ticks=200)
    # The same soldiers in the same seats: both matches of a pair are one match, seen from both sides.
    assert sum(fps_strengths.points("medium", "medium", rules, 3)) == pytest.approx(1)
    assert sum(fps_strengths.points("medium", "weak", rules, 3)) > 1
    assert fps_strengths.interval([[1.0, 1.0]] * 10) == pytest.approx(
        (10 / (10 + 2.262157**2), 1.0)
    )  # 10 pairs
    low, high = fps_strengths.interval([[1.0, 0.5], [0.0, 0.5]] * 20)
    assert low < 0.5 < high
