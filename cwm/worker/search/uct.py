"""Monte-Carlo tree search (UCT) on a generated game, without any pyspiel object.

The rules are those of OpenSpiel's `MCTSBot` (`open_spiel/algorithms/mcts.cc` and its Python twin):
UCT selection with unvisited children first, random rollouts averaged at the leaf, chance nodes
sampled by their probabilities, MCTS-Solver backup of proven outcomes (max^n, so any number of
players), and the final choice by proven outcome, then visits, then total reward. A root with a
single action stops after its second simulation, as in C++. What differs is cost only: a child is
created, and the game stepped, when it is first visited; afterwards its state stays in the tree.

References: Kocsis and Szepesvari 2006, "Bandit based Monte-Carlo planning" (UCT); Winands,
Bjornsson and Saito 2008, "Monte-Carlo Tree Search Solver"; Sturtevant 2008, "An analysis of UCT in
multi-player games" (max^n).

This file is sent as source into a sealed worker and runs there beside the model, under CPython 3.9
or newer or under PyPy 3.9: standard library only, no relative imports. All randomness comes from
`random.Random(seed).random()`, whose numbers are the same in every Python; `shuffle`, `choice` and
`choices` are not, and are avoided.

A *model* is a module (or any object) with `NUM_PLAYERS`, `MIN_UTILITY`, `MAX_UTILITY`,
`current_player(state)` (a player, -1 for chance, -4 for terminal), `legal_actions(state)`,
`chance_outcomes(state)`, `apply_action(state, action)` and `returns(state)`; states are immutable.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from time import perf_counter
from typing import Any, Callable, Optional, Sequence, Tuple

__all__ = ["Node", "best_action", "root_statistics", "search"]

CHANCE = -1
TERMINAL = -4

Returns = Sequence[float]
"""One number per player."""

_UNLIMITED = 1 << 60
"""Stands for "no limit" where a limit is counted: no rollout or search can reach it."""


class Node:
    """A state in the search tree and its statistics in the search.

    Attributes:
      action: the action that led here from the parent; None at the root.
      player: the player from whose view `total` counts: the one who chose `action`, or for a
        chance outcome the last player to have chosen above it; at the root the player to move.
      state: the model's state, opaque.
      to_move: `current_player(state)`.
      visits: number of simulations that went through this node.
      total: sum over those simulations of the return of `player`.
      outcome: returns of all players where the node is terminal or proven, else None.
      actions: before the node is expanded None or the model's legal actions; in an expanded
        decision node the list of actions not tried yet; in a chance node all outcomes.
      children: None before the node is expanded; in a decision node the tried children in the
        order of their first visit; in a chance node one entry per outcome, None if not sampled yet.
      cumulative: in an expanded chance node the running sums of the probabilities, else None.
    """

    __slots__ = (
        "action",
        "player",
        "state",
        "to_move",
        "visits",
        "total",
        "outcome",
        "actions",
        "children",
        "cumulative",
    )

    def __init__(self, action: Optional[int], player: int, state: Any, to_move: Optional[int]):
        self.action = action
        self.player = player
        self.state = state
        self.to_move = to_move
        self.visits = 0
        self.total = 0.0
        self.outcome = None
        self.actions = None
        self.children = None
        self.cumulative = None

    def sort_key(self) -> Tuple[float, int, float]:
        """Orders siblings for the final choice, as OpenSpiel does.

        A proven win comes first; a proven draw counts like an unproven action and needs more visits
        than the others; a proven loss comes last, the longest resistance (most visits) first.
        """
        proven = 0.0 if self.outcome is None else self.outcome[self.player]
        return (proven, self.visits, self.total)


def search(
    model: Any,
    state: Any,
    *,
    simulations: Optional[int] = None,
    seconds: Optional[float] = None,
    uct_c: float = 2.0,
    rollouts: int = 1,
    value: Optional[Callable[[Any], Returns]] = None,
    solve: bool = True,
    max_rollout_length: Optional[int] = None,
    rollout: Optional[Callable[[Any, Callable[[], float]], Returns]] = None,
    seed: int = 0,
) -> Node:
    """Searches from `state` and returns the root of the tree, for `best_action` and friends.

    Args:
      model: the game, see the module's docstring.
      state: a state of the model in which a player is to move.
      simulations: number of simulations, at least 1; None for all that `seconds` allows. The
        search ends earlier when the root is proven, or after two when the root has one action.
      seconds: wall-clock budget in seconds, positive; None for no limit. The simulation that runs
        when it is used up is finished, and there is always one. The result then depends on the
        speed of the machine; without `seconds` the same seed gives the same tree, to the bit.
      uct_c: exploration constant: a child's worth is its mean return plus
        `uct_c * sqrt(log(parent visits) / child visits)`.
      rollouts: number of random rollouts whose returns are averaged at a leaf, at least 1.
      value: `value(state)` -> estimate of the final return of each player, or None. It takes the
        place of the rollout at a non-terminal leaf, or of its rest where `max_rollout_length` is
        given. Estimates are clamped to [MIN_UTILITY, MAX_UTILITY].
      solve: whether proven outcomes are backed up.
      max_rollout_length: number of plies, chance included, after which a rollout is cut; None for
        no limit, or for 0 with a `value`. A cut rollout counts `value(state)`, without a `value`
        the rewards so far, `returns(state)`.
      rollout: `rollout(state, rand)` -> the returns of one random game played on from `state`, or
        None. It takes the place of playing that game move by move, and must take the same numbers
        from `rand` in the same way (`cwm.writing.rewriting.rollouts` checks that), so that the tree stays the same. Not
        together with `value` or `max_rollout_length`.
      seed: integer seed of all randomness.

    Returns:
      The root, with one child for every legal action (visits 0 if never tried).

    Raises:
      ValueError: an argument is out of range, no player is to move in `state`, or the model breaks
        its contract (no legal action, probabilities that do not sum to 1, a return or value
        missing). Exceptions raised by the model's own functions pass through.
    """
    if simulations is None and seconds is None:
        raise ValueError(
            "search() got neither simulations nor seconds, expected at least one limit; "
            "pass for example simulations=1000"
        )
    if simulations is not None and simulations < 1:
        raise ValueError("simulations is %r, expected at least 1" % (simulations,))
    if seconds is not None and not seconds > 0:
        raise ValueError("seconds is %r, expected a positive number" % (seconds,))
    if rollouts < 1:
        raise ValueError("rollouts is %r, expected at least 1" % (rollouts,))
    if rollout is not None and (value is not None or max_rollout_length is not None):
        raise ValueError(
            "search() got a rollout function together with a value function or a "
            "max_rollout_length, expected it alone: it plays games to their end"
        )
    if max_rollout_length is None:
        max_rollout_length = _UNLIMITED if value is None else 0
    elif max_rollout_length < (1 if value is None else 0):
        raise ValueError(
            "max_rollout_length is %r, expected at least 1, or 0 with a value function" % (max_rollout_length,)
        )

    current_player = model.current_player
    apply_action = model.apply_action
    max_utility = model.MAX_UTILITY
    rand = random.Random(seed).random
    log = math.log
    sqrt = math.sqrt
    evaluator = _Evaluator(model, value, rollouts, max_rollout_length, rollout, rand)
    evaluate = evaluator.evaluate

    to_move = current_player(state)
    if to_move < 0:
        raise ValueError(
            "search() needs a state in which a player is to move, but current_player() "
            "of the root is %r (-1 is chance, -4 is terminal)" % (to_move,)
        )
    root = Node(None, to_move, state, to_move)
    _expand(root, model)

    limit = _UNLIMITED if simulations is None else simulations
    if len(root.actions) == 1:
        limit = min(limit, 2)
    deadline = None if seconds is None else perf_counter() + seconds

    done = 0
    while done < limit:
        node = root
        path = [root]
        # The first simulation evaluates the root itself.
        while done:
            to_move = node.to_move
            if to_move >= 0:
                if node.children is None:
                    _expand(node, model)
                actions = node.actions
                if actions:
                    # Taking a random one of the rest each time is a shuffle, paid for only as far
                    # as it is used; untried children come first, so they need no nodes.
                    index = int(rand() * len(actions))
                    action = actions[index]
                    actions[index] = actions[-1]
                    actions.pop()
                    state = apply_action(node.state, action)
                    child = Node(action, to_move, state, current_player(state))
                    node.children.append(child)
                    path.append(child)
                    break
                log_visits = log(node.visits)
                best = -math.inf
                for sibling in node.children:
                    outcome = sibling.outcome
                    if outcome is None:
                        visits = sibling.visits
                        worth = sibling.total / visits + uct_c * sqrt(log_visits / visits)
                    else:
                        worth = outcome[to_move]
                    if worth > best:
                        best = worth
                        child = sibling
            elif to_move == CHANCE:
                if node.children is None:
                    _expand(node, model)
                index = bisect_right(node.cumulative, rand())
                child = node.children[index]
                if child is None:
                    action = node.actions[index]
                    state = apply_action(node.state, action)
                    child = Node(action, node.player, state, current_player(state))
                    node.children[index] = child
                    path.append(child)
                    break
            else:
                break
            path.append(child)
            node = child

        leaf = path[-1]
        terminal = leaf.to_move == TERMINAL
        if terminal:
            if leaf.outcome is None:
                leaf.outcome = evaluator.final_returns(leaf.state)
            result = leaf.outcome
        else:
            result = evaluate(leaf)
        for node in path:
            node.visits += 1
            node.total += result[node.player]
        done += 1

        if terminal and solve:
            for index in range(len(path) - 2, -1, -1):
                if not _prove(path[index], max_utility):
                    break
            if root.outcome is not None:
                break
        if deadline is not None and perf_counter() >= deadline:
            break

    while root.actions:
        index = int(rand() * len(root.actions))
        root.children.append(Node(root.actions.pop(index), root.to_move, None, None))
    return root


def best_action(root: Node) -> int:
    """Returns the action to play: the best child of `root` by `Node.sort_key`.

    Of equal children the one visited first wins, so that after a single simulation, which looks at
    no child, the choice is a uniformly random one (as OpenSpiel's).
    """
    return max(root.children, key=Node.sort_key).action


def root_statistics(root: Node) -> list:
    """Returns the statistics of each legal action of the root, as JSON-able data.

    Returns:
      One dict per legal action, by ascending action: `action`; `visits`; `value`, the mean return
      of the player to move, None where there were no visits; `outcome`, the list of all players'
      returns where it is terminal or proven, else None.
    """
    return [
        {
            "action": child.action,
            "visits": child.visits,
            "value": child.total / child.visits if child.visits else None,
            "outcome": None if child.outcome is None else list(child.outcome),
        }
        for child in sorted(root.children, key=lambda child: child.action)
    ]


def _expand(node: Node, model: Any) -> None:
    """Prepares the children of a node that is neither terminal nor expanded."""
    if node.to_move >= 0:
        actions = model.legal_actions(node.state) if node.actions is None else node.actions
        if not actions:
            raise ValueError(_no_actions(node.to_move))
        node.actions = list(actions)
        node.children = []
        return
    outcomes = model.chance_outcomes(node.state)
    cumulative = []
    total = 0.0
    last = -1
    for index, (_, probability) in enumerate(outcomes):
        if probability < 0:
            raise ValueError("chance_outcomes() gave the probability %r, expected at least 0" % (probability,))
        if probability > 0:
            last = index
        total += probability
        cumulative.append(total)
    _check_sum(total)
    # Rounding may leave the sum below a random number; impossible outcomes must stay impossible.
    for index in range(last, len(cumulative)):
        cumulative[index] = 1.0
    node.actions = [action for action, _ in outcomes]
    node.cumulative = cumulative
    node.children = [None] * len(cumulative)


def _prove(node: Node, max_utility: float) -> bool:
    """Sets `node.outcome` if it follows from the children's; returns whether it does.

    A decision node takes its player's best proven child if all children are proven or that child
    gives `max_utility`; a chance node is proven only if all outcomes lead to the same returns.
    """
    children = node.children
    player = node.to_move
    if player == CHANCE:
        outcome = None if children[0] is None else children[0].outcome
        if outcome is None:
            return False
        for child in children:
            if child is None or child.outcome != outcome:
                return False
        node.outcome = outcome
        return True
    best = None
    all_proven = not node.actions
    for child in children:
        outcome = child.outcome
        if outcome is None:
            all_proven = False
        elif best is None or outcome[player] > best[player]:
            best = outcome
    if best is None or not (all_proven or best[player] == max_utility):
        return False
    node.outcome = best
    return True


class _Evaluator:
    """Estimates the returns of a leaf: by random rollouts, by a value function, or by both."""

    __slots__ = ("model", "value", "rollouts", "length", "rollout", "rand", "players")

    def __init__(
        self,
        model: Any,
        value: Optional[Callable[[Any], Returns]],
        rollouts: int,
        length: int,
        rollout: Optional[Callable],
        rand: Callable[[], float],
    ):
        self.model = model
        self.value = value
        self.rollouts = rollouts
        self.length = length
        self.rollout = rollout
        self.rand = rand
        self.players = model.NUM_PLAYERS

    def evaluate(self, leaf: Node) -> Returns:
        """Returns the estimated return of each player at a non-terminal, unexpanded leaf."""
        if self.length == 0:
            return self.estimate(leaf.state)
        if self.rollouts == 1:
            return self.one_rollout(leaf)
        players = range(self.players)
        total = [0.0] * self.players
        for _ in range(self.rollouts):
            result = self.one_rollout(leaf)
            for player in players:
                total[player] += result[player]
        return [sum_ / self.rollouts for sum_ in total]

    def one_rollout(self, leaf: Node) -> Returns:
        """Returns the value of one rollout from `leaf` for each player."""
        if self.rollout is not None:
            return self.rollout(leaf.state, self.rand)
        return self.end_value(self.play(leaf))

    def play(self, leaf: Node) -> Any:
        """Plays one random rollout from `leaf` and returns the state in which it ends."""
        model = self.model
        rand = self.rand
        if leaf.to_move >= 0:
            # Kept on the leaf: all its rollouts and its expansion need them.
            actions = leaf.actions
            if actions is None:
                actions = leaf.actions = model.legal_actions(leaf.state)
                if not actions:
                    raise ValueError(_no_actions(leaf.to_move))
            action = actions[int(rand() * len(actions))]
        else:
            action = sample(model.chance_outcomes(leaf.state), rand())
        return _rollout(
            model.apply_action(leaf.state, action),
            self.length - 1,
            model.current_player,
            model.legal_actions,
            model.chance_outcomes,
            model.apply_action,
            rand,
        )

    def end_value(self, state: Any) -> Returns:
        """Returns the value of a rollout's end for each player."""
        if self.value is None or self.model.current_player(state) == TERMINAL:
            return self.model.returns(state)
        return self.estimate(state)

    def estimate(self, state: Any) -> Returns:
        """Returns `value(state)`, checked and clamped to the utilities the game can have."""
        low = self.model.MIN_UTILITY
        high = self.model.MAX_UTILITY
        estimates = [float(estimate) for estimate in self.value(state)]
        if len(estimates) != self.players or any(map(math.isnan, estimates)):
            raise ValueError("value() returned %r, expected %d numbers" % (estimates, self.players))
        return [min(max(estimate, low), high) for estimate in estimates]

    def final_returns(self, state: Any) -> Returns:
        """Returns the returns of a terminal state as a tuple of floats."""
        result = tuple([float(number) for number in self.model.returns(state)])
        if len(result) != self.players or not all(map(math.isfinite, result)):
            raise ValueError(
                "returns() gave %r in a terminal state, expected %d finite numbers" % (result, self.players)
            )
        return result


def _rollout(
    state: Any,
    length: int,
    current_player: Callable,
    legal_actions: Callable,
    chance_outcomes: Callable,
    apply_action: Callable,
    rand: Callable[[], float],
) -> Any:
    """Plays at most `length` uniformly random plies from `state` and returns the last state."""
    try:
        for _ in range(length):
            player = current_player(state)
            if player >= 0:
                actions = legal_actions(state)
                # rand() is at most 1 - 2**-53, so that rounding cannot reach len(actions).
                state = apply_action(state, actions[int(rand() * len(actions))])
            elif player == CHANCE:
                state = apply_action(state, sample(chance_outcomes(state), rand()))
            elif player == TERMINAL:
                break
            else:
                raise ValueError(
                    "current_player() is %r in a rollout, expected a player, -1 for "
                    "chance or -4 for terminal" % (player,)
                )
    except IndexError:
        if player >= 0 and not actions:
            raise ValueError(_no_actions(player)) from None
        raise
    return state


def sample(outcomes: Sequence, number: float) -> int:
    """Returns the action of `outcomes`, (action, probability) pairs, at `number` in [0, 1)."""
    for action, probability in outcomes:
        number -= probability
        if number < 0:
            return action
    _check_sum(sum(map(_probability, outcomes)))
    # Rounding left the sum a little below 1: any outcome will do that is possible at all.
    return max(outcomes, key=_probability)[0]


def _probability(outcome: Tuple[int, float]) -> float:
    return outcome[1]


def _check_sum(total: float) -> None:
    if not abs(total - 1.0) < 1e-6:
        raise ValueError("the probabilities of chance_outcomes() sum to %r, expected 1" % (total,))


def _no_actions(player: int) -> str:
    return (
        "legal_actions() is empty in a state where player %r is to move, expected at least one "
        "action; a game that is over has current_player() -4" % (player,)
    )
