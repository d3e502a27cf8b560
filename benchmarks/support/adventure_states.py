"""States of text adventures by a planner that knows the world: how far it is to the most points, and what leads there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyspiel

from arena.registry.games import load_game

_MOST_MOVES = 400


def moves_left(state: pyspiel.State) -> int | None:
    """The number of moves in which the planner gets the most points from here; None where it finds no way."""
    state = state.clone()
    for moves in range(_MOST_MOVES):
        if state.score() == state.max_score():
            return moves
        named = None if state.is_terminal() else state.engine.advice(state.snapshot)
        if named not in state.valid_actions():  # it does not put down what it needs later
            return None
        state.apply_action(state.string_to_action(named))
    return None


def right_actions(state: pyspiel.State) -> np.ndarray:
    """For each valid action whether the planner needs no more moves than without it.

    Raises:
      ValueError: the planner does not get the most points from here.
    """
    left = moves_left(state)
    if left is None:
        raise ValueError("the most points cannot be got from this state, so no action is right")
    found = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        then = moves_left(after)
        found.append(then is not None and then < left)
    return np.array(found)


def states_of(layout: int, size: str, count: int, detour: int) -> Iterator[pyspiel.State]:
    """States of one adventure, at equal distances on the planner's way; every other one lies up to `detour` random
    moves away from it. Those in which nothing can be chosen, or all is lost, are left out."""
    game = load_game(f"text_adventure(layout_seed={layout},size={size},max_moves={_MOST_MOVES})")
    rng = np.random.default_rng(layout)
    way = [game.new_initial_state()]
    while way[-1].score() < way[-1].max_score():
        state = way[-1].clone()
        state.apply_action(state.string_to_action(state.engine.advice(state.snapshot)))
        way.append(state)
    for number in range(count):
        state = way[int((number + rng.random()) * (len(way) - 1) / count)].clone()
        for _ in range(int(rng.integers(1, detour + 1)) if number % 2 and detour else 0):
            after = state.clone()
            after.apply_action(int(rng.choice(state.legal_actions())))
            if after.is_terminal() or moves_left(after) is None:
                break
            state = after
        if len(state.legal_actions()) > 1 and moves_left(state):
            yield state
