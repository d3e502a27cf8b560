"""Proven outcomes: against exhaustive search, and on chance nodes against hand-made trees."""

from __future__ import annotations

import functools
import itertools
import random
from types import SimpleNamespace

import pytest

from cwm.worker.search import uct


@functools.cache
def _minimax(cells: str, mover: str) -> int:
    """Value for x of a tic-tac-toe position, written as 9 characters, by exhaustive search."""
    for a, b, c in ("012", "345", "678", "036", "147", "258", "048", "246"):
        line = {cells[int(a)], cells[int(b)], cells[int(c)]}
        if len(line) == 1 and "." not in line:
            return 1 if line == {"x"} else -1
    if "." not in cells:
        return 0
    values = [
        _minimax(cells[:i] + mover + cells[i + 1 :], "o" if mover == "x" else "x")
        for i in range(9)
        if cells[i] == "."
    ]
    return max(values) if mover == "x" else min(values)


def _positions(model, plies: int) -> list:
    """All non-terminal states after `plies` moves, without repetitions, in a fixed order."""
    states = {model.initial_state()}
    for _ in range(plies):
        states = {
            model.apply_action(state, action) for state in states for action in model.legal_actions(state)
        }
        states = {state for state in states if model.current_player(state) >= 0}
    return sorted(states)


@pytest.mark.parametrize("plies", [4, 5, 6, 7, 8])
def test_tic_tac_toe_positions_are_proven_as_by_minimax(model, plies):
    game = model("tic_tac_toe")
    positions = _positions(game, plies)
    for number, state in enumerate(random.Random(plies).sample(positions, 30)):
        cells = "".join(game.observation(state, 0)["board"])
        mover = "xo"[game.current_player(state)]
        root = uct.search(game, state, simulations=20000, seed=number)
        value = _minimax(cells, mover)
        if len(root.children) > 1:
            assert root.outcome == (value, -value), cells
            assert root.visits < 20000
        best = uct.best_action(root)
        after = cells[:best] + mover + cells[best + 1 :]
        assert _minimax(after, "o" if mover == "x" else "x") == value, cells


def test_without_solve_nothing_but_terminal_nodes_has_an_outcome(model):
    game = model("tic_tac_toe")
    root = uct.search(game, game.initial_state(), simulations=3000, solve=False)
    assert root.visits == 3000
    pending = [root]
    while pending:
        node = pending.pop()
        assert (node.outcome is not None) == (node.to_move == -4) or node.visits == 0
        pending += node.children or []


def test_three_players_are_proven_to_a_max_n_outcome(model):
    game = model("three_heaps")

    @functools.cache
    def outcomes(state) -> frozenset:
        """All returns that backward induction can give, whichever way a player breaks ties."""
        player = game.current_player(state)
        if player == -4:
            return frozenset([tuple(game.returns(state))])
        below = [outcomes(game.apply_action(state, action)) for action in game.legal_actions(state)]
        floor = max(min(result[player] for result in results) for results in below)
        return frozenset(result for results in below for result in results if result[player] >= floor)

    for start in ((2, 1, 3), (3, 2, 1), (1, 4, 1)):
        state = (start, (0, 0, 0), 0)
        # The returns span 21, and exploration must match, or the search settles before the proof.
        root = uct.search(game, state, simulations=30000, uct_c=40.0, seed=1)
        assert root.outcome in outcomes(state)
        assert len(outcomes(state)) < len(set(map(tuple, _all_returns(game, state))))


def _all_returns(game, state):
    if game.current_player(state) == -4:
        return [game.returns(state)]
    return itertools.chain.from_iterable(
        _all_returns(game, game.apply_action(state, action)) for action in game.legal_actions(state)
    )


def _lottery(prizes_of_action):
    """One player picks an action, then chance picks one of its prizes, all equally likely."""

    def current_player(state):
        return 0 if state == () else -1 if len(state) == 1 else -4

    def returns(state):
        return [prizes_of_action[state[0]][state[1]]] if len(state) == 2 else [0.0]

    return SimpleNamespace(
        NUM_PLAYERS=1,
        MIN_UTILITY=-1.0,
        MAX_UTILITY=1.0,
        current_player=current_player,
        legal_actions=lambda state: list(range(len(prizes_of_action))),
        chance_outcomes=lambda state: [
            (i, 1 / len(prizes_of_action[state[0]])) for i in range(len(prizes_of_action[state[0]]))
        ],
        apply_action=lambda state, action: state + (action,),
        returns=returns,
    )


def test_chance_is_proven_only_where_all_outcomes_agree():
    game = _lottery([[0.5, 0.5, 0.5], [0.25, 0.75]])
    root = uct.search(game, (), simulations=500)
    proven, open_ = (next(c for c in root.children if c.action == action) for action in (0, 1))
    assert proven.outcome == (0.5,)
    assert open_.outcome is None
    assert root.outcome is None and root.visits == 500


def test_one_proven_maximum_is_enough_and_stops_the_search():
    game = _lottery([[1.0, 1.0], [-1.0, 0.75]])
    root = uct.search(game, (), simulations=500)
    assert root.outcome == (1.0,)
    assert root.visits < 500
    assert uct.best_action(root) == 0


def test_all_children_proven_takes_the_best():
    game = _lottery([[-0.5, -0.5], [0.25, 0.25], [0.0, 0.0]])
    root = uct.search(game, (), simulations=5000)
    assert root.outcome == (0.25,)
    assert root.visits < 5000
    assert uct.best_action(root) == 1


@pytest.mark.parametrize("seed", range(8))
def test_actions_not_tried_yet_keep_a_node_open(seed):
    prizes = [-1.0, 0.5, -1.0, 0.0]
    game = SimpleNamespace(
        NUM_PLAYERS=1,
        MIN_UTILITY=-1.0,
        MAX_UTILITY=1.0,
        legal_actions=lambda state: [0, 1, 2, 3],
        current_player=lambda state: 0 if state is None else -4,
        chance_outcomes=lambda state: [],
        apply_action=lambda state, action: action,
        returns=lambda state: [0.0 if state is None else prizes[state]],
    )
    root = uct.search(game, None, simulations=100, seed=seed)
    assert root.outcome == (0.5,)
    assert root.visits == 5  # the root itself, then each action once
    assert uct.best_action(root) == 1


def test_hardest_loss_is_chosen_among_losses_and_anything_before_a_loss():
    def child(action, visits, total, outcome):
        node = uct.Node(action, 1, None, None)
        node.visits, node.total, node.outcome = visits, total, outcome
        return node

    root = uct.Node(None, 1, None, 1)
    root.children = [child(0, 5, -5.0, (1.0, -1.0)), child(1, 9, -9.0, (1.0, -1.0))]
    assert uct.best_action(root) == 1
    root.children.append(child(2, 1, -1.0, None))
    assert uct.best_action(root) == 2
    root.children.append(child(3, 2, 0.0, (0.0, 0.0)))
    assert uct.best_action(root) == 3
    root.children.append(child(4, 1, 0.5, (-0.5, 0.5)))
    assert uct.best_action(root) == 4
