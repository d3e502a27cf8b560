"""Races of models against each other."""

from __future__ import annotations

import pytest

from cwm.worker import speed


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch):
    monkeypatch.setattr(speed, "WARM_UP_SECONDS", 0.01)
    monkeypatch.setattr(speed, "ROUND_SECONDS", 0.01)


def test_who_does_not_run_keeps_its_place_and_has_no_rate(source_of):
    sound = source_of("tic_tac_toe")
    broken = "def initial_state(:"
    found = speed.race(
        [
            (broken, "cpython", None),
            (sound, "cpython", None),
            (broken, "cpython", None),
            (sound, "cpython", None),
        ],
        rounds=1,
    )
    assert [rate is None for rate in found] == [True, False, True, False]
    assert found[1] > 0 and found[3] > 0
