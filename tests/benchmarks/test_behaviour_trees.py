"""The benchmark compares like with like, on a tree of the size that it names."""

import pytest

from benchmarks import behaviour_trees
from bt_policies.trees.dsl import parse


def test_all_contestants_decide_alike_in_every_situation():
    pytest.importorskip("py_trees", reason="needs the package py_trees")
    assert len(parse(behaviour_trees.TREE).nodes()) == 13
    chosen = behaviour_trees.decisions(behaviour_trees.contestants())
    assert set(map(tuple, chosen.values())) == {tuple(chosen["py_trees"])}
    # Every branch fires in some situation.
    assert set(chosen["py_trees"]) == {"take_cover", "shoot", "reload", "patrol"}


def test_figures_are_in_proportion():
    pytest.importorskip("py_trees", reason="needs the package py_trees")
    found = behaviour_trees.measure(rounds=3, seconds=0.02)
    assert found["times_py_trees"]["py_trees"] == 1.0
    assert found["microseconds"]["bt_policies"] < found["microseconds"]["py_trees"] / 5
    assert all(len(rounds) == 3 for rounds in found["rounds"].values())
