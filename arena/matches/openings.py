"""The opening of a match and its chance outcomes: both follow from the match's seed.

Duplicate play. All chance of a match comes from one stream of uniform numbers made from the match's
seed: the k-th chance node takes the k-th number, through the inverse of the cumulative distribution
over the outcomes in ascending order. The opening comes from a second stream. Two matches with equal
seeds and swapped seats therefore begin alike, and the k-th roll or deal falls alike for as long as
the two games stay alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyspiel

from arena.matches.chance import Dice, chance_outcome
from arena.matches.records import Move
from runs.seeds import OPENING_STREAM

_JOINT_TRIALS = 20
"""Number of joint moves to draw in search of one after which the game goes on."""


def _settled(state: pyspiel.State, dice: Dice, rolled: int) -> tuple[list[int], bool]:
    """The chance outcomes from `state` to the next decision, and whether the game ends before."""
    state = state.clone()
    outcomes = []
    while state.is_chance_node():
        outcomes.append(chance_outcome(state, dice[rolled + len(outcomes)]))
        state.apply_action(outcomes[-1])
    return outcomes, state.is_terminal()


def _candidates(state: pyspiel.State, rng: np.random.Generator) -> Iterator[list[Move]]:
    """Decisions to try, in a random order: all there are, or some of those that players make at once."""
    if not state.is_simultaneous_node():
        for action in rng.permutation(state.legal_actions()).tolist():
            yield [Move(state.current_player(), action)]
        return
    legal = {player: state.legal_actions(player) for player in range(state.num_players())}
    for _ in range(_JOINT_TRIALS):
        yield [
            Move(player, actions[rng.integers(len(actions))]) for player, actions in legal.items() if actions
        ]


def _apply(state: pyspiel.State, decision: Sequence[Move]) -> None:
    if state.is_simultaneous_node():
        joint = [pyspiel.INVALID_ACTION] * state.num_players()
        for move in decision:
            joint[move.player] = move.action
        state.apply_actions(joint)
    else:
        state.apply_action(decision[0].action)


def opening_actions(game: pyspiel.Game, seed: int, plies: int, joint: bool = False) -> list[Move]:
    """A random opening: `plies` decisions, each uniform among the moves after which the game goes
    on, with the chance outcomes before, between and after them.

    It is shorter where every move would end the game, or players move at once, and always stops where a
    player is to decide. `plies` of 0 is an empty opening.

    With `joint` it goes on where players move at once: each of them draws a move, which together are one
    decision and stand in the order of the players. It then ends before one of which every try ends the
    game. It is not the default, as there are bots that must have made all of their moves themselves.

    Args:
      game: any game with explicit chance outcomes.
      seed: the match's seed, in [0, 2**63).
      plies: number of decisions, at least 0.
      joint: whether it goes on where players move at once, see above.
    """
    if plies == 0:
        return []
    rng = np.random.default_rng([seed, OPENING_STREAM])
    dice = Dice(seed)
    state = game.new_initial_state()
    moves: list[Move] = []
    rolled = 0

    def advance(outcomes: list[int]) -> None:
        for outcome in outcomes:
            moves.append(Move(pyspiel.PlayerId.CHANCE, outcome))
            state.apply_action(outcome)

    outcomes, _ = _settled(state, dice, rolled)
    rolled += len(outcomes)
    advance(outcomes)
    for _ in range(plies):
        if state.is_terminal() or (state.is_simultaneous_node() and not joint):
            break
        for decision in _candidates(state, rng):
            after = state.clone()
            _apply(after, decision)
            outcomes, over = _settled(after, dice, rolled)
            if not over:
                break
        else:
            break
        moves += decision
        _apply(state, decision)
        rolled += len(outcomes)
        advance(outcomes)
    return moves
