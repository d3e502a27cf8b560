"""The curve over iterations against opponents never met, and the scripted wrestlers."""

from __future__ import annotations

import json

import pytest

from policy_evolve.held_out import SCRIPTED, measure, newest, table
from policy_evolve.policies.program import Program
from policy_evolve.policies.readability import readability
from policy_evolve.policies.shipped import read_source
from tests.policy_evolve.numbers import Numbers
from tests.runs import warm

OPPONENTS = [Program("low", "2"), Program("high", "5")]


def _policies(*numbers):
    return [
        (index, True, Program(f"p{index:03d}", f"{value}{' ' * index}"))
        for index, value in enumerate(numbers, 1)
    ]


def test_rank_correlation_by_hand():
    """Scores 0, .25, .5, 1 rise with the iteration; exchanging the first two gives 1 - 6 * 2 / (4 * 15) = .8."""
    rises = measure(_policies(1, 2, 3, 6), OPPONENTS, Numbers(), 4, 0)
    assert [row["score"] for row in rises["iterations"]] == [0.0, 0.25, 0.5, 1.0]
    assert rises["rank_correlation"] == pytest.approx(1.0) and rises["best"] == "p004"
    swapped = measure(_policies(2, 1, 3, 6), OPPONENTS, Numbers(), 4, 0)
    assert swapped["rank_correlation"] == pytest.approx(0.8)
    row = rises["iterations"][1]
    assert row["against"] == {"low": 0.5, "high": 0.0} and (row["wins"], row["draws"], row["losses"]) == (
        0,
        4,
        4,
    )
    assert "rank correlation of score and iteration: 1.00" in table(rises)
    flat = measure(_policies(3, 3, 3), OPPONENTS, Numbers(), 4, 0)
    assert flat["rank_correlation"] is None and "none" in table(flat)


def test_opponents_must_be_strangers():
    with pytest.raises(ValueError, match="opponents: expected none of the run's own policies, found low"):
        measure([(1, True, Program("p001", "2"))], OPPONENTS, Numbers(), 4, 0)
    with pytest.raises(ValueError, match="found none"):
        measure([], OPPONENTS, Numbers(), 4, 0)


def test_the_command_measures_each_iterations_policy(tmp_path):
    (tmp_path / "policies").mkdir()
    rows = []
    for number, cell in enumerate(("0", "len(observation['legal']) - 1", "99"), 1):
        (tmp_path / f"policies/p{number:03d}.py").write_text(
            f"def act(observation, memory):\n    return {cell}\n"
        )
        rows.append({"iteration": number, "policy": f"p{number:03d}", "promoted": number == 1, "fault": None})
    rows[2]["fault"] = "it does not run"
    (tmp_path / "state.json").write_text(json.dumps({"iterations": rows}))
    assert [(number, promoted) for number, promoted, _ in newest(tmp_path)] == [(1, True), (2, False)]
    done = warm.run(
        "policy_evolve.held_out",
        "--game=tic_tac_toe",
        f"--run={tmp_path}",
        "--opponents=gen_tic_tac_toe_written,random_any",
        "--matches=2",
        f"--json={tmp_path}/h.json",
        f"--plot={tmp_path}/h.png",
    )
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "h.json").read_text())
    assert [row["policy"] for row in found["iterations"]] == ["p001", "p002"]
    assert (tmp_path / "h.png").read_bytes().startswith(b"\x89PNG")
    bad = warm.run("policy_evolve.held_out", "--game=tic_tac_toe", f"--run={tmp_path}/none")
    assert bad.returncode == 2 and "state.json cannot be read" in bad.stderr


def test_scripted_wrestlers_are_readable_and_differ():
    found = [readability(read_source(name)) for name in SCRIPTED]
    assert len({read_source(name) for name in SCRIPTED}) == len(SCRIPTED)
    assert all(one.most_complex <= 12 and one.long_lines <= 0.05 for one in found)
