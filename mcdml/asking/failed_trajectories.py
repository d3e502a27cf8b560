"""The trajectories that are failures, and the part of one that is shown to the language model that reflects on
it.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyspiel

from mcdml.asking.situations import Situation, current, rules_of, trajectory


def failed(state: pyspiel.State, player: int) -> bool:
    """Returns whether a finished game is a failure of a player.

    A text game says so itself (its state's `failed()`); elsewhere it is a negative return, or one that is
    less than another player's.
    """
    own = getattr(state, "failed", None)
    if own is not None:
        return bool(own())
    returns = state.returns()
    return returns[player] < 0 or returns[player] < max(returns)


def end_of_trajectory(start: pyspiel.State, actions: Sequence[int], player: int, last: int) -> Situation:
    """Returns the end of a trajectory and its last decisions, as the player noticed them; nothing is left to
    choose.

    Args:
      start: the state where it begins.
      actions: all that happened since, outcomes of chance included.
      player: the player that watches.
      last: the number of decisions that are shown.
    """
    steps, end = trajectory(start, actions, player, last)
    game = start.get_game()
    return Situation(
        game.get_type().short_name,
        game.num_players(),
        player,
        current(end, player),
        steps,
        (),
        (),
        rules_of(game),
    )


def start_of_shown(start: pyspiel.State, actions: Sequence[int], last: int) -> tuple[int, ...]:
    """Returns the beginning of a trajectory, up to the state where its last decisions, those that `end_of_trajectory` shows,
    begin; empty where it has no more than these.

    Args:
      start: the state where it begins.
      actions: all that happened, outcomes of chance included; at least one decision.
      last: the number of decisions shown, at least 1.
    """
    state = start.clone()
    decisions = []
    for place, action in enumerate(actions):
        if not state.is_chance_node():
            decisions.append(place)
        state.apply_action(action)
    return tuple(actions[: decisions[-last:][0]])
