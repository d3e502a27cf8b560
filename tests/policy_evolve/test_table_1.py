"""Kinds of policies against each other, by several samples of each."""

from __future__ import annotations

import json

import pytest

from policy_evolve.policies.program import Program
from policy_evolve.table_1 import groups_of, measure, met, table
from tests.policy_evolve.numbers import Numbers
from tests.runs import warm


def _kind(name, *numbers):
    return [Program(f"{name}_{index}", f"{number}{' ' * index}") for index, number in enumerate(numbers)]


def test_cells_by_hand():
    """Samples 1, 2, 3 against 2, 2: the second kind's samples take turns; won, drawn, lost, two matches each."""
    groups = {"first": _kind("first", 1, 2, 3), "second": [Program("s0", "2"), Program("s1", "2   ")]}
    (cell,) = measure(groups, Numbers(), 2, seed=0)
    assert (cell["row"], cell["column"]) == ("first", "second")
    assert (cell["wins"], cell["draws"], cell["losses"]) == (2, 2, 2)
    assert cell["win_rate"] == 0 and cell["samples"] == [1.0, 0.5, 0.0]
    assert cell["low"] < 0.5 < cell["high"]
    assert "2-2-2" in table([cell]) and "1.00 0.50 0.00" in table([cell])


def test_a_sample_does_not_meet_its_own_text():
    one = [Program("a", "1"), Program("b", "2")]
    other = [Program("c", "1"), Program("d", "3")]
    assert [(first.name, second.name) for first, second in met(one, other)] == [("b", "d")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("naive=a.py", "cannot be read|a.py"),
        ("naive", "found 'naive'"),
        ("naive=", "found 'naive='"),
        ("a=random_any;a=random_any", "found 'a=random_any'"),
        ("a=random_any", "at least two kinds, found 1"),
    ],
)
def test_groups_that_are_none_are_refused(text, said):
    with pytest.raises(ValueError, match=said):
        groups_of(text)


def test_the_command(tmp_path):
    first = "def act(observation, memory):\n    return 0\n"
    (tmp_path / "first.py").write_text(first)
    done = warm.run(
        "policy_evolve.table_1",
        "--game=tic_tac_toe",
        "--matches=4",
        f"--groups=random=random_any;first={tmp_path}/first.py",
        "--starts=",
        f"--matches_file={tmp_path}/m.jsonl",
        f"--json={tmp_path}/t.json",
    )
    assert done.returncode == 0, done.stderr
    (cell,) = json.loads((tmp_path / "t.json").read_text())["cells"]
    assert cell["wins"] + cell["draws"] + cell["losses"] == 4 and cell["forfeits"] == 0
