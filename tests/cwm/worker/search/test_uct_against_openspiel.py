"""`uct.search` against OpenSpiel's two MCTS bots: node for node, and on average over seeds."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

from cwm.worker.search import uct

CONNECT_FOUR_MIDDLE = (3, 3, 2, 4, 3, 1, 1, 3)
CONNECT_FOUR_OPEN_THREE = (3, 3, 2, 2)  # the player to move wins by 1 or 4
PIG_LATE = (0, 5, 0, 5, 0, 3, 1, 0, 5, 0, 5, 1, 0, 5, 0, 2, 1, 0, 2)  # scores 16 12 9, turn total 3
PIG_MUST_STOP = (0, 5, 0, 5, 0, 5, 0, 5)


class ConstantRandom:
    """In place of numpy's RandomState: every draw falls on the same `fraction` of what is offered."""

    def __init__(self, fraction: float):
        self.fraction = fraction

    def choice(self, items, p=None):
        if p is None:
            return items[int(self.fraction * len(items))]
        return items[int(np.searchsorted(np.cumsum(p), self.fraction, side="right"))]

    def shuffle(self, items):
        """The order in which drawing without replacement, the last filling the gap, takes items."""
        rest, order = list(items), []
        while rest:
            index = int(self.fraction * len(rest))
            order.append(rest[index])
            rest[index] = rest[-1]
            rest.pop()
        items[:] = order


def _tree(node) -> dict:
    """A tree of this package as nested dicts by action, without children never visited."""
    return {
        "visits": node.visits,
        "total": node.total,
        "outcome": None if node.outcome is None else list(node.outcome),
        "children": {
            child.action: _tree(child) for child in node.children or () if child is not None and child.visits
        },
    }


def _spiel_tree(node) -> dict:
    """The same of an OpenSpiel tree."""
    return {
        "visits": node.explore_count,
        "total": float(node.total_reward),
        "outcome": None if node.outcome is None else list(map(float, node.outcome)),
        "children": {child.action: _spiel_tree(child) for child in node.children if child.explore_count},
    }


@pytest.mark.parametrize("fraction", [0.0, 0.35, 0.6, 0.99])
@pytest.mark.parametrize(
    "rollouts, max_length, solve, uct_c", [(1, None, True, 2.0), (3, None, False, 0.7), (2, 5, True, 1.0)]
)
@pytest.mark.parametrize(
    "name, actions",
    [
        ("tic_tac_toe", ()),
        ("tic_tac_toe", (4, 0, 8)),
        ("connect_four", CONNECT_FOUR_MIDDLE),
        ("pig", ()),
        ("pig", (0, 2, 0, 3)),
        ("pig", PIG_LATE),
    ],
)
def test_tree_is_node_for_node_that_of_openspiel(
    pair, monkeypatch, name, actions, rollouts, max_length, solve, uct_c, fraction
):
    both = pair(name, actions)
    random_state = ConstantRandom(fraction)
    evaluator = mcts.RandomRolloutEvaluator(rollouts, random_state, max_length)
    bot = mcts.MCTSBot(both.game, uct_c, 150, evaluator, solve=solve, random_state=random_state)
    expected = bot.mcts_search(both.truth)

    monkeypatch.setattr(
        uct, "random", SimpleNamespace(Random=lambda seed: SimpleNamespace(random=lambda: fraction))
    )
    root = uct.search(
        both.model,
        both.state,
        simulations=150,
        uct_c=uct_c,
        rollouts=rollouts,
        solve=solve,
        max_rollout_length=max_length,
    )

    assert _tree(root) == _spiel_tree(expected)
    assert uct.best_action(root) == expected.best_child().action


def _cpp_shares(both, seed, uct_c=2.0):
    bot = pyspiel.MCTSBot(
        both.game, pyspiel.RandomRolloutEvaluator(1, seed), uct_c, 120, 100, False, seed, False
    )
    return _spiel_shares(bot.mcts_search(both.truth))


def _python_shares(both, seed):
    random_state = np.random.RandomState(seed)
    bot = mcts.MCTSBot(
        both.game,
        2.0,
        120,
        mcts.RandomRolloutEvaluator(1, random_state),
        solve=False,
        random_state=random_state,
    )
    return _spiel_shares(bot.mcts_search(both.truth))


def _spiel_shares(root):
    """Each action's share of the visits, by ascending action, then the root's value."""
    children = sorted(root.children, key=lambda child: child.action)
    return [child.explore_count / root.explore_count for child in children] + [
        root.total_reward / root.explore_count
    ]


def _own_shares(both, seed):
    root = uct.search(both.model, both.state, simulations=120, solve=False, seed=seed)
    return [row["visits"] / root.visits for row in uct.root_statistics(root)] + [root.total / root.visits]


def _standard_errors_apart(both, reference, seeds) -> float:
    """The largest difference of means, in standard errors, over all shares and the root's value."""
    own = np.array([_own_shares(both, seed) for seed in range(150)])
    other = np.array([reference(both, seed) for seed in range(1000, 1000 + seeds)])
    error = np.sqrt(own.var(axis=0, ddof=1) / len(own) + other.var(axis=0, ddof=1) / len(other))
    return float(np.max(np.abs(own.mean(axis=0) - other.mean(axis=0)) / error))


@pytest.mark.parametrize("reference, seeds", [(_cpp_shares, 150), (_python_shares, 30)])
@pytest.mark.parametrize(
    "name, actions",
    [
        ("tic_tac_toe", (4, 1)),
        ("connect_four", CONNECT_FOUR_MIDDLE),
        ("connect_four", CONNECT_FOUR_OPEN_THREE),
        ("pig", (0, 5, 0, 5)),
        ("pig", PIG_LATE),
    ],
)
def test_visit_shares_and_root_value_agree_within_noise(pair, name, actions, reference, seeds):
    # 4.5 standard errors: by chance in about one of 100,000 comparisons; and the seeds are fixed.
    assert _standard_errors_apart(pair(name, actions), reference, seeds) < 4.5


def test_the_noise_test_can_fail(pair):
    apart = _standard_errors_apart(
        pair("pig", PIG_LATE), lambda both, seed: _cpp_shares(both, seed, uct_c=1.6), 150
    )
    assert apart > 4.5


def test_single_action_root_stops_as_soon_as_cpp_does(pair):
    both = pair("pig", PIG_MUST_STOP)
    assert both.truth.legal_actions() == [1]
    bot = pyspiel.MCTSBot(both.game, pyspiel.RandomRolloutEvaluator(1, 0), 2.0, 100, 100, False, 0, False)
    root = uct.search(both.model, both.state, simulations=100, solve=False)
    assert root.visits == bot.mcts_search(both.truth).explore_count
    assert uct.best_action(root) == 1
