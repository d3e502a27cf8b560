from __future__ import annotations

import numpy as np
import pytest

from arena.rating.meta_games import alpha_rank, nash_averaging, payoffs
from arena.rating.tally import NoFigure

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])
CYCLE = np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])
LADDER = np.array([[0.5, 0.6, 0.9], [0.4, 0.5, 0.8], [0.1, 0.2, 0.5]])
"""Each bot beats those after it."""


def test_payoffs():
    scores = LADDER.copy()
    np.fill_diagonal(scores, np.nan)
    found = payoffs(scores, "abc")
    assert found == pytest.approx(np.array([[0, 0.2, 0.8], [-0.2, 0, 0.6], [-0.8, -0.6, 0]]))
    assert np.array_equal(found, -found.T)
    scores[0, 2] = scores[2, 0] = np.nan
    with pytest.raises(NoFigure, match="a and c have not met.*1 pairs are missing"):
        payoffs(scores, "abc")


def test_alpha_rank():
    pytest.importorskip("networkx", reason="alpha-rank needs networkx: pip install 'spielwright[ratings]'")
    # Two nodes of a symmetric cycle cannot differ; in the ladder only the first is never left. That
    # a cycle is uneven (as the paper's biased rock-paper-scissors) does not matter.
    assert alpha_rank(payoffs(ROCK_PAPER_SCISSORS, "rps")) == pytest.approx([1 / 3] * 3, abs=1e-6)
    uneven = np.array([[0.5, 0.2, 0.6], [0.8, 0.5, 0.1], [0.4, 0.9, 0.5]])
    assert alpha_rank(payoffs(uneven, "rps")) == pytest.approx([1 / 3] * 3, abs=1e-4)
    assert alpha_rank(payoffs(LADDER, "abc")) == pytest.approx([1, 0, 0], abs=1e-3)
    # A cycle that all beat a fourth bot: it has no mass, and they share theirs.
    above = np.full((4, 4), 0.9)
    above[:3, :3] = CYCLE
    above[3] = [0.1, 0.1, 0.1, 0.5]
    assert alpha_rank(payoffs(above, "abcd")) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-3)
    assert alpha_rank(np.zeros((1, 1))) == [1]


def test_nash_averaging():
    pytest.importorskip("cvxpy", reason="Nash averaging needs cvxpy: pip install 'spielwright[ratings]'")
    mixture, ratings = nash_averaging(payoffs(CYCLE, "abc"))
    assert mixture == pytest.approx([1 / 3] * 3, abs=1e-4)
    assert ratings == pytest.approx([0] * 3, abs=1e-4)
    # Balduzzi et al. 2018, section 4: a copy shares the mass, and nobody's rating moves.
    order = [0, 1, 2, 2]
    mixture, ratings = nash_averaging(payoffs(CYCLE[np.ix_(order, order)], "abcd"))
    assert mixture == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-4)
    assert ratings == pytest.approx([0] * 4, abs=1e-4)
    # The transitive case: all mass on the best, the others' ratings their payoffs against it.
    mixture, ratings = nash_averaging(payoffs(LADDER, "abc"))
    assert mixture == pytest.approx([1, 0, 0], abs=1e-4)
    assert ratings == pytest.approx([0, -0.2, -0.8], abs=1e-4)


@pytest.mark.parametrize(
    "rating, package, what",
    [(alpha_rank, "networkx", "alpha-rank"), (nash_averaging, "cvxpy", "Nash averaging")],
)
def test_a_missing_package_is_named(monkeypatch, rating, package, what):
    def missing(name):
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(
        ImportError,
        match=rf"^{what} needs the package {package}, which is not "
        r"installed; run pip install 'spielwright\[ratings\]'$",
    ):
        rating(payoffs(LADDER, "abc"))
