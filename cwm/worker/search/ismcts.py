"""Information-set Monte-Carlo tree search on a generated game, without any pyspiel object.

The rules are those of OpenSpiel's `ISMCTSBot` (`open_spiel/algorithms/is_mcts.cc` and its Python
twin): every simulation starts from a state drawn anew from those that fit what the searching player
knows; a node belongs to an information state of the player to move, not to a state; its untried
actions come first, in random order, then UCT, ties broken at random; a new information state is
judged by random rollouts; chance is sampled. The first simulation only makes the root, as there.
Where the legal actions differ between states of one information state, only those of the state at
hand are considered, as with `allow_inconsistent_action_sets=true`; where they do not, both settings
of OpenSpiel's are the same. Where players choose at once (-2), each of them chooses by the edges of its own
information state, so that none knows what another one does, and the leaf is judged where one of these is new.

Reference: Cowling, Powley and Whitehouse 2012, "Information Set Monte Carlo Tree Search" (the
variant with a single tree, SO-ISMCTS, but a node for each information state of every player).

This file is sent as source into a sealed worker and runs there beside the model, under CPython 3.9
or newer or under PyPy 3.9: standard library only, no relative imports, nothing shared with
`uct.py`. All randomness comes from `random.Random(seed).random()`, whose numbers are the same in
every Python; `shuffle`, `choice` and `choices` are not, and are avoided.

A *model* is a module (or any object) with `NUM_PLAYERS`, `current_player(state)` (a player, -1 for
chance, -4 for terminal), `legal_actions(state)`, `chance_outcomes(state)`,
`apply_action(state, action)` and `returns(state)`; states are immutable. Where `current_player` gives -2 it has
`player_legal_actions(state, player)` and `apply_actions(state, actions)` besides.
"""

from __future__ import annotations

import math
import random
from time import perf_counter
from typing import Any, Callable, Hashable, Optional, Sequence, Tuple

__all__ = ["Edge", "Node", "best_action", "root_statistics", "search"]

CHANCE = -1
SIMULTANEOUS = -2
TERMINAL = -4
INVALID_ACTION = -1

TIE_TOLERANCE = 1e-5
"""Actions whose worth is less than this below the best are as good as the best, as in OpenSpiel."""

_UNLIMITED = 1 << 60
"""Stands for "no limit" where simulations are counted: no search can reach it."""


class Edge:
    """An action at an information state and its statistics in the search.

    Attributes:
      action: the action.
      player: the player that chooses it, and whose return `total` counts.
      visits: number of simulations that took it.
      total: sum over those simulations of the return of `player`.
    """

    __slots__ = ("action", "player", "visits", "total")

    def __init__(self, action: int, player: int):
        self.action = action
        self.player = player
        self.visits = 0
        self.total = 0.0

    def sort_key(self) -> Tuple[int, float]:
        """Orders actions for the final choice: visits, then total return."""
        return (self.visits, self.total)


class Node:
    """An information state in the search tree.

    Attributes:
      player: the player to move, whose information it is.
      visits: number of simulations that took one of its actions.
      edges: the tried actions, in the order of their first visit; in the root that `search` returns
        all legal actions.
      settled: the legal actions, if they are known to be exactly those of `edges`, else None.
    """

    __slots__ = ("player", "visits", "edges", "settled")

    def __init__(self, player: int):
        self.player = player
        self.visits = 0
        self.edges = []
        self.settled = None


def search(
    model: Any,
    sample: Callable[[Callable[[], float]], Any],
    player: int,
    *,
    simulations: Optional[int] = None,
    seconds: Optional[float] = None,
    uct_c: float = 2.0,
    rollouts: int = 1,
    value: Optional[Callable[[Any], Sequence[float]]] = None,
    seed: int = 0,
    information_state: Optional[Callable[[Any, int], Hashable]] = None,
) -> Node:
    """Searches from the knowledge of `player` and returns the root of the tree, for `best_action` and friends.

    Args:
      model: the game, see the module's docstring.
      sample: `sample(rng)` -> a state of the model in which `player` is to move, alone or at once with others, drawn from those
        that fit what the player knows; `rng()` gives random numbers in [0, 1), and is the only
        randomness it may use. All that it gives must be one information state of the player. The
        search learns nothing else of the true state, so it peeks only if `sample` does.
      player: the player that searches, 0 to NUM_PLAYERS - 1.
      simulations: number of simulations, at least 1; None for all that `seconds` allows. The
        first one makes the root and tries no action, so the visits add up to one less. There are
        none where the player has a single legal action.
      seconds: wall-clock budget in seconds, positive; None for no limit. The simulation that runs
        when it is used up is finished, and there is always one that tries an action unless
        `simulations` is 1. The result then depends on the speed of the machine; without `seconds`
        the same seed gives the same tree, to the bit.
      uct_c: exploration constant, in the units of the game's returns: an action's worth is its mean
        return plus `uct_c * sqrt(log(node visits) / action visits)`.
      rollouts: number of random rollouts whose returns are averaged at a new node, at least 1.
      value: `value(state)` -> estimate of the final return of each player, in place of the rollouts at
        a new node; None for rollouts. It is given the sampled state, so it may know more than the
        player, but only of what was sampled.
      seed: integer seed of all randomness.
      information_state: `information_state(state, player)` -> hashable key, equal for two states
        exactly if the player, who is to move, cannot tell them apart; None for the model's own
        function of that name.

    Returns:
      The root, with one edge for every legal action (visits 0 if never tried).

    Raises:
      ValueError: an argument is out of range, a sampled state is not `player`'s to move or not of
        the same information state (or legal actions) as the first, there is no `information_state`,
        or the model breaks its contract (no legal action, probabilities that do not sum to 1, wrong
        returns). Exceptions raised by the model's own functions or by `sample` pass through.
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
    players = model.NUM_PLAYERS
    if not 0 <= player < players:
        raise ValueError("player is %r, expected 0 to NUM_PLAYERS - 1 = %d" % (player, players - 1))
    if information_state is None:
        information_state = getattr(model, "information_state", None)
        if information_state is None:
            raise ValueError(
                "the model defines no information_state(state, player), which "
                "information-set search needs; pass it as information_state="
            )

    current_player = model.current_player
    legal_actions = model.legal_actions
    chance_outcomes = model.chance_outcomes
    apply_action = model.apply_action
    returns = model.returns
    rand = random.Random(seed).random
    estimate = _Evaluator(model, value, rollouts, rand).estimate
    log = math.log
    sqrt = math.sqrt

    limit = _UNLIMITED if simulations is None else simulations
    deadline = None if seconds is None else perf_counter() + seconds

    state = sample(rand)
    root_actions = _own_actions(model, state, player)
    root = Node(player)
    root_key = information_state(state, player)
    if not root_actions:
        raise ValueError(_no_actions(player))
    if len(root_actions) == 1:
        limit = 1
    # One table for each player: keys of different players may be equal.
    nodes = [{} for _ in range(players)]
    nodes[player][root_key] = root

    # OpenSpiel's first simulation ends at the new root: its rollout is counted nowhere, so there
    # is none here.
    done = 1
    while done < limit:
        state = sample(rand)
        to_move = current_player(state)
        if to_move not in (player, SIMULTANEOUS):
            raise ValueError(_not_to_move(to_move, player))
        if information_state(state, player) != root_key:
            raise ValueError(
                "sample() gave a state whose information_state() for player %r is %r, "
                "but the first one's is %r: all samples must be what the player cannot "
                "tell apart" % (player, information_state(state, player), root_key)
            )
        node = root
        path = []
        while True:
            if to_move == SIMULTANEOUS:
                if not path and _own_actions(model, state, player) != root_actions:
                    raise ValueError(_other_actions(_own_actions(model, state, player), root_actions, player))
                chosen = _choose_at_once(model, state, nodes, information_state, not path, uct_c, rand)
                if chosen is None:
                    result = estimate(state)
                    break
                path += chosen
                state = _apply_at_once(model, state, chosen)
            else:
                actions = legal_actions(state)
                if actions == node.settled:
                    log_visits = log(node.visits)
                    best = second = -math.inf
                    for candidate in node.edges:
                        visits = candidate.visits
                        worth = candidate.total / visits + uct_c * sqrt(log_visits / visits)
                        if worth > best:
                            second = best
                            best = worth
                            edge = candidate
                        elif worth > second:
                            second = worth
                    # "Not greater" rather than "less": what is not a number must come here, too.
                    if not best - second > TIE_TOLERANCE:
                        edge = _choose(node.edges, uct_c, rand)
                else:
                    if not path and list(actions) != root_actions:
                        raise ValueError(_other_actions(actions, root_actions, player))
                    edge = _expand_or_choose(node, actions, uct_c, rand)
                # Counted on the way down, because a player who forgets may meet the node again.
                node.visits += 1
                edge.visits += 1
                path.append(edge)
                state = apply_action(state, edge.action)
            to_move = current_player(state)
            while to_move == CHANCE:
                state = apply_action(state, _sample(chance_outcomes(state), rand()))
                to_move = current_player(state)
            if to_move == SIMULTANEOUS:
                continue
            if to_move < 0:
                if to_move != TERMINAL:
                    raise ValueError(_unknown_player(to_move))
                result = returns(state)
                break
            key = information_state(state, to_move)
            node = nodes[to_move].get(key)
            if node is None:
                nodes[to_move][key] = Node(to_move)
                result = estimate(state)
                break
        if len(result) != players:
            raise ValueError(_wrong_returns(result, players))
        for edge in path:
            edge.total += result[edge.player]
        done += 1
        if deadline is not None and perf_counter() >= deadline:
            break

    for edge in root.edges:
        if not math.isfinite(edge.total):
            raise ValueError(_not_finite(edge))
    tried = {edge.action for edge in root.edges}
    rest = [action for action in root_actions if action not in tried]
    while rest:
        root.edges.append(Edge(rest.pop(int(rand() * len(rest))), player))
    return root


def best_action(root: Node) -> int:
    """Returns the action to play: the most visited one, of several the one with most total return.

    Of those still equal the one tried first wins, so that after a single simulation, which tries no
    action, the choice is a uniformly random one.
    """
    return max(root.edges, key=Edge.sort_key).action


def root_statistics(root: Node) -> list:
    """Returns the statistics of each legal action of the root, as JSON-able data.

    Returns:
      One dict per legal action, by ascending action: `action`; `visits`; `value`, the mean return
      of the player to move, None where there were no visits.
    """
    return [
        {
            "action": edge.action,
            "visits": edge.visits,
            "value": edge.total / edge.visits if edge.visits else None,
        }
        for edge in sorted(root.edges, key=lambda edge: edge.action)
    ]


def _expand_or_choose(node: Node, actions: Sequence[int], uct_c: float, rand: Callable[[], float]) -> Edge:
    """Returns the edge of a random untried one of `actions`, or of the best where all are tried."""
    edges = node.edges
    tried = [edge.action for edge in edges]
    fresh = [action for action in actions if action not in tried] if tried else actions
    if not fresh:
        if not actions:
            raise ValueError(_no_actions(node.player))
        return _choose([edge for edge in edges if edge.action in actions], uct_c, rand)
    edge = Edge(fresh[int(rand() * len(fresh))], node.player)
    edges.append(edge)
    node.settled = actions if len(fresh) == 1 and len(edges) == len(actions) else None
    return edge


def _choose(edges: Sequence[Edge], uct_c: float, rand: Callable[[], float]) -> Edge:
    """Returns the edge of highest worth by UCT among `edges`, a random one of several."""
    log_visits = math.log(sum([edge.visits for edge in edges]))
    worths = [edge.total / edge.visits + uct_c * math.sqrt(log_visits / edge.visits) for edge in edges]
    best = max(worths) - TIE_TOLERANCE
    candidates = [edge for edge, worth in zip(edges, worths) if worth > best]
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise ValueError(_not_finite(max(edges, key=lambda edge: not math.isfinite(edge.total))))
    return candidates[int(rand() * len(candidates))]


class _Evaluator:
    """Estimates the returns of a state: by a value function, or by random rollouts."""

    __slots__ = ("model", "value", "rollouts", "rand")

    def __init__(self, model: Any, value: Optional[Callable], rollouts: int, rand: Callable[[], float]):
        self.model = model
        self.value = value
        self.rollouts = rollouts
        self.rand = rand

    def estimate(self, state: Any) -> Sequence[float]:
        """Returns the estimated return of each player."""
        if self.value is not None:
            return [float(amount) for amount in self.value(state)]
        result = _rollout(self.model, state, self.rand)
        if self.rollouts == 1:
            return result
        total = list(result)
        for _ in range(self.rollouts - 1):
            result = _rollout(self.model, state, self.rand)
            for seat in range(len(total)):
                total[seat] += result[seat]
        return [amount / self.rollouts for amount in total]


def _rollout(model: Any, state: Any, rand: Callable[[], float]) -> Sequence[float]:
    """Plays uniformly random plies from `state` to the end and returns the returns."""
    current_player = model.current_player
    legal_actions = model.legal_actions
    chance_outcomes = model.chance_outcomes
    apply_action = model.apply_action
    try:
        while True:
            player = current_player(state)
            if player >= 0:
                actions = legal_actions(state)
                # rand() is at most 1 - 2**-53, so that rounding cannot reach len(actions).
                state = apply_action(state, actions[int(rand() * len(actions))])
            elif player == CHANCE:
                state = apply_action(state, _sample(chance_outcomes(state), rand()))
            elif player == SIMULTANEOUS:
                state = _random_at_once(model, state, rand)
            elif player == TERMINAL:
                return model.returns(state)
            else:
                raise ValueError(_unknown_player(player))
    except IndexError:
        if player >= 0 and not actions:
            raise ValueError(_no_actions(player)) from None
        raise


def _own_actions(model: Any, state: Any, player: int) -> list:
    """Returns the actions of the searching player in a sampled state."""
    mover = model.current_player(state)
    if mover == SIMULTANEOUS:
        actions = list(model.player_legal_actions(state, player))
    else:
        actions = list(model.legal_actions(state)) if mover == player else []
        if mover == player and not actions:
            raise ValueError(_no_actions(player))
    if not actions:
        raise ValueError(_not_to_move(mover, player))
    return actions


def _choose_at_once(
    model: Any,
    state: Any,
    nodes: Sequence[dict],
    information_state: Callable,
    at_root: bool,
    uct_c: float,
    rand: Callable[[], float],
) -> Optional[list]:
    """Returns an edge for each player who chooses in `state`, in order; None where the information state of one of them
    is new, unless the state is the searching player's own: there all that is asked is what the player does."""
    chosen = []
    fresh = False
    for player in range(model.NUM_PLAYERS):
        actions = model.player_legal_actions(state, player)
        if actions:
            key = information_state(state, player)
            node = nodes[player].get(key)
            if node is None:
                node = nodes[player][key] = Node(player)
                fresh = True
            chosen.append((node, actions))
    if not chosen:
        raise ValueError(
            "player_legal_actions() is empty for every player in a state where current_player() is -2, expected at "
            "least one who chooses"
        )
    if fresh and not at_root:
        return None
    edges = []
    for node, actions in chosen:
        edge = _expand_or_choose(node, actions, uct_c, rand)
        node.visits += 1
        edge.visits += 1
        edges.append(edge)
    return edges


def _apply_at_once(model: Any, state: Any, edges: Sequence[Edge]) -> Any:
    actions = [INVALID_ACTION] * model.NUM_PLAYERS
    for edge in edges:
        actions[edge.player] = edge.action
    return model.apply_actions(state, tuple(actions))


def _random_at_once(model: Any, state: Any, rand: Callable[[], float]) -> Any:
    actions = []
    for player in range(model.NUM_PLAYERS):
        own = model.player_legal_actions(state, player)
        actions.append(own[int(rand() * len(own))] if own else INVALID_ACTION)
    return model.apply_actions(state, tuple(actions))


def _sample(outcomes: Sequence, number: float) -> int:
    """Returns the action of `outcomes`, (action, probability) pairs, at `number` in [0, 1)."""
    for action, probability in outcomes:
        number -= probability
        if number < 0:
            return action
    total = sum([probability for _, probability in outcomes])
    if not abs(total - 1.0) < 1e-6:
        raise ValueError("the probabilities of chance_outcomes() sum to %r, expected 1" % (total,))
    # Rounding left the sum a little below 1: any outcome will do that is possible at all.
    return max(outcomes, key=lambda outcome: outcome[1])[0]


def _other_actions(actions: Sequence[int], first: Sequence[int], player: int) -> str:
    return (
        "sample() gave a state with the legal actions %r, but the first "
        "one's are %r: player %r must know the own legal actions" % (list(actions), list(first), player)
    )


def _not_to_move(mover: int, player: int) -> str:
    return (
        "sample() gave a state in which current_player() is %r, expected the searching player "
        "%r (-1 is chance, -4 is terminal)" % (mover, player)
    )


def _no_actions(player: int) -> str:
    return (
        "legal_actions() is empty in a state where player %r is to move, expected at least one "
        "action; a game that is over has current_player() -4" % (player,)
    )


def _unknown_player(player: int) -> str:
    return "current_player() is %r in a simulation, expected a player, -1 for chance or -4 for terminal" % (
        player,
    )


def _wrong_returns(result: Sequence[float], players: int) -> str:
    return "returns() gave %r, expected %d finite numbers" % (list(result), players)


def _not_finite(edge: Edge) -> str:
    return "the returns of player %r after action %r add up to %r, expected finite numbers of returns()" % (
        edge.player,
        edge.action,
        edge.total,
    )
