"""Returns of matches with the luck taken out: AIVAT, on the tree of a small game.

A match between players of known and unknown policy is a sequence of draws and decisions. A draw is all that
chance and the players of known policy do until a player of unknown policy is to act, or the match ends; its
distribution is known. With a value function v of histories that does not depend on the match, the adjusted
returns are

    sum over the draws i of (E[v | before draw i] - E[v | what is seen after it]) + E[returns | the end],

where the last two terms are means over the histories that fit what the players of unknown policy have seen and
done, weighted by the chances of chance and of the known policies: the imaginary observations. Each difference
has mean 0 whatever v is and whatever the unknown policies are, so the mean is that of the returns themselves.
What remains is the spread of the unknown players' own decisions; where every policy is known, nothing does.

That a player of unknown policy decides by what it sees is assumed where histories that it cannot tell apart are
averaged. For a player that may see everything, each history stands by itself, which needs no such assumption.

Source: N. Burch, M. Schmid, M. Moravcik, D. Morrill and M. Bowling, AIVAT: a new variance reduction technique
for agent evaluation in imperfect information games, AAAI 2018 (arXiv 1612.06915). Other than there, successive
actions of chance and of known players are taken as one, and all histories are averaged that unknown players
cannot tell apart, where the paper averages over hands.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyspiel
from open_spiel.python.policy import TabularPolicy

from arena.matches.records import MatchRecord, Move

Policy = Mapping[str, Mapping[int, float]]
"""Information state -> action -> chance."""

_END = None
"""What is seen of a match that is over: its own moves were the last that a player of unknown policy saw."""


@dataclass(frozen=True, slots=True)
class Node:
    """A history of a game.

    Attributes:
      movers: who acts, in the order of the seats: several players that move at once, nobody at the end, and
        -1 for chance.
      seen: the information state of each mover; empty for chance.
      legal: the actions of each mover.
      chances: of the outcomes at a chance node, in the order of `legal[0]`.
      returns: by seat, at the end.
      children: the actions of all movers -> the number of the history after them.
    """

    movers: tuple[int, ...] = ()
    seen: tuple[str, ...] = ()
    legal: tuple[tuple[int, ...], ...] = ()
    chances: tuple[float, ...] = ()
    returns: tuple[float, ...] = ()
    children: dict[tuple[int, ...], int] = field(default_factory=dict)


def _node(state: pyspiel.State) -> Node:
    if state.is_terminal():
        return Node(returns=tuple(map(float, state.returns())))
    if state.is_chance_node():
        outcomes = [(action, chance) for action, chance in state.chance_outcomes() if chance > 0]
        actions, chances = zip(*outcomes)
        return Node((pyspiel.PlayerId.CHANCE,), (), (actions,), chances)
    if state.is_simultaneous_node():
        movers = tuple(player for player in range(state.num_players()) if state.legal_actions(player))
    else:
        movers = (state.current_player(),)
    return Node(
        movers,
        tuple(state.information_state_string(player) for player in movers),
        tuple(tuple(state.legal_actions(player)) for player in movers),
    )


def _child(state: pyspiel.State, node: Node, joint: tuple[int, ...]) -> pyspiel.State:
    if not state.is_simultaneous_node():
        return state.child(joint[0])
    # A player without a legal action gets 0, as in OpenSpiel's own policies.
    actions = [0] * state.num_players()
    for player, action in zip(node.movers, joint):
        actions[player] = action
    child = state.clone()
    child.apply_actions(actions)
    return child


def grow(game: pyspiel.Game) -> list[Node]:
    """Every history of a game with explicit chance and information state strings, the empty one first, and each
    after those that it goes on from."""
    nodes: list[Node] = []
    pending: list[tuple[pyspiel.State, dict, tuple[int, ...]]] = [(game.new_initial_state(), {}, ())]
    while pending:
        state, siblings, joint = pending.pop()
        siblings[joint] = len(nodes)
        node = _node(state)
        nodes.append(node)
        if node.movers:
            pending += [
                (_child(state, node, joint), node.children, joint) for joint in itertools.product(*node.legal)
            ]
    return nodes


def table(policy: TabularPolicy) -> Policy:
    """The same policy by information state alone."""
    return {
        key: {
            action: float(chance)
            for action, chance in enumerate(policy.action_probability_array[row])
            if chance
        }
        for key, row in policy.state_lookup.items()
    }


def _steps(
    node: Node, policies: Sequence[Policy | None], made: Mapping[int, int]
) -> Iterator[tuple[int, float]]:
    """(history, chance) after each joint action; `made` are the actions of those whose policy is not asked."""
    if node.chances:
        yield from ((node.children[action,], chance) for action, chance in zip(node.legal[0], node.chances))
        return
    options = [
        [(made[player], 1.0)] if player in made else list(policies[player][seen].items())
        for player, seen in zip(node.movers, node.seen)
    ]
    for parts in itertools.product(*options):
        yield node.children[tuple(action for action, _ in parts)], math.prod(chance for _, chance in parts)


def expected_returns(nodes: Sequence[Node], policies: Sequence[Policy]) -> np.ndarray:
    """(histories, players): the players' expected returns after each history, when all follow these policies."""
    values = np.zeros((len(nodes), len(policies)))
    for number in range(len(nodes) - 1, -1, -1):
        node = nodes[number]
        if not node.movers:
            values[number] = node.returns
            continue
        for child, chance in _steps(node, policies, {}):
            values[number] += chance * values[child]
    return values


@dataclass(frozen=True, slots=True)
class _Seen:
    """The histories (number -> chance) that fit what has been seen, their mean value, and the draws after the
    decisions that may follow."""

    histories: dict[int, float]
    mean: np.ndarray
    after: dict[tuple[int, ...], _Draw] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Draw:
    """The mean value before it is drawn, and what may be seen after it."""

    mean: np.ndarray
    seen: dict[object, _Seen]


class Adjustment:
    """Adjusts the returns of matches of one line-up in one order of the seats.

    Args:
      nodes: from `grow`.
      policies: by seat; None where the policy is unknown.
      values: (histories, players), fixed before any of the matches is looked at, such as
        `expected_returns`. The value of a history that ends the game must be its returns.
      all_seeing: seats of unknown policy that may decide by what is hidden from them.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        policies: Sequence[Policy | None],
        values: np.ndarray,
        all_seeing: Collection[int] = (),
    ):
        self._nodes = nodes
        self._policies = policies
        self._values = values
        self._all_seeing = all_seeing
        self._starts: dict[int, _Draw] = {}

    def _unknown(self, number: int) -> list[int]:
        """The places, among those who act, of players of unknown policy."""
        movers = self._nodes[number].movers
        return [place for place, player in enumerate(movers) if player >= 0 and self._policies[player] is None]

    def _key(self, number: int, unknown: Sequence[int]) -> tuple:
        node = self._nodes[number]
        # What a player may do is among what it sees.
        return tuple(
            (node.movers[place], number if node.movers[place] in self._all_seeing else node.seen[place], legal)
            for place in unknown
            for legal in [node.legal[place]]
        )

    def _draw(self, histories: Mapping[int, float]) -> _Draw:
        pending = list(histories.items())
        groups: dict[object, dict[int, float]] = {}
        while pending:
            number, weight = pending.pop()
            unknown = self._unknown(number)
            if unknown or not self._nodes[number].movers:
                key = self._key(number, unknown) if unknown else _END
                groups.setdefault(key, {})[number] = weight
                continue
            pending += [
                (child, weight * chance)
                for child, chance in _steps(self._nodes[number], self._policies, {})
                if chance
            ]
        seen = {key: _Seen(group, self._mean(group)) for key, group in groups.items()}
        return _Draw(self._mean({n: weight for group in groups.values() for n, weight in group.items()}), seen)

    def _mean(self, histories: Mapping[int, float]) -> np.ndarray:
        weights = np.fromiter(histories.values(), float, len(histories))
        return weights @ self._values[list(histories)] / weights.sum()

    def _after(self, seen: _Seen, actions: tuple[int, ...]) -> _Draw:
        """The draw after the players of unknown policy took these actions."""
        if actions not in seen.after:
            histories: dict[int, float] = {}
            for number, weight in seen.histories.items():
                node = self._nodes[number]
                made = {node.movers[place]: action for place, action in zip(self._unknown(number), actions)}
                for child, chance in _steps(node, self._policies, made):
                    histories[child] = weight * chance
            seen.after[actions] = self._draw(histories)
        return seen.after[actions]

    def _start(self, number: int) -> _Draw:
        if number not in self._starts:
            self._starts[number] = self._draw({number: 1.0})
        return self._starts[number]

    def adjusted(self, record: MatchRecord) -> np.ndarray:
        """(players,) adjusted returns of a match.

        A random opening, with the chance in it, is taken as given: luck is what comes after it. A match that was
        forfeited keeps its own returns and is adjusted for the draws before.

        Raises:
          ValueError: the game does not allow a move, or a known policy never makes it.
        """
        total = np.zeros(len(record.seats))
        number, place = self._opened(record)
        draw = self._start(number)
        while True:
            node, unknown = self._nodes[number], self._unknown(number)
            if not node.movers:
                _check_returns(node, record)
                return total + draw.mean
            if unknown:
                seen = draw.seen[self._key(number, unknown)]
                total += draw.mean - seen.mean
            if place == len(record.moves):
                return total + record.returns
            after, further = self._moved(number, record.moves, place)
            if unknown:
                draw = self._after(seen, tuple(record.moves[place + one].action for one in unknown))
            self._check_known(node, record, place)
            number, place = after, further

    def _opened(self, record: MatchRecord) -> tuple[int, int]:
        """The history after the opening, and the place after it."""
        number, place = 0, 0
        while place < record.opening_length:
            number, place = self._moved(number, record.moves, place)
        return number, place

    def _moved(self, number: int, moves: Sequence[Move], place: int) -> tuple[int, int]:
        """The history after the joint action at `moves[place]`, and the place after it."""
        node = self._nodes[number]
        made = moves[place : place + len(node.movers)]
        joint = tuple(move.action for move in made)
        if tuple(move.player for move in made) != node.movers or joint not in node.children:
            raise ValueError(
                f"move {place}: expected a legal action of {', '.join(map(str, node.movers)) or 'nobody'}, found "
                f"{joint} of {', '.join(str(move.player) for move in made)}; the game is another one than when "
                "the match was played"
            )
        return node.children[joint], place + len(made)

    def _check_known(self, node: Node, record: MatchRecord, place: int) -> None:
        for player, seen, move in zip(node.movers, node.seen, record.moves[place:]):
            policy = self._policies[player]
            if policy is not None and move.action not in policy[seen]:
                raise ValueError(
                    f"move {place} of {record.seats[player]}: action {move.action}, expected one that its policy "
                    "makes; it was another bot when the match was played, so rate the match without luck "
                    "adjustment"
                )

    def bounds(self, forfeit: tuple[float, float] | None = None) -> tuple[float, float]:
        """The least and the greatest adjusted return that a match may have, from the openings of those adjusted so
        far.

        Args:
          forfeit: the bounds of the returns of a forfeited match; None where none is.
        """
        low, high = math.inf, -math.inf
        pending = [(draw, np.zeros(self._values.shape[1])) for draw in self._starts.values()]
        while pending:
            draw, total = pending.pop()
            for key, seen in draw.seen.items():
                if key is _END:
                    ends = total + draw.mean
                    low, high = min(low, ends.min()), max(high, ends.max())
                    continue
                reached = total + draw.mean - seen.mean
                if forfeit is not None:
                    low, high = min(low, reached.min() + forfeit[0]), max(high, reached.max() + forfeit[1])
                legal = [allowed for _, _, allowed in key]
                pending += [(self._after(seen, actions), reached) for actions in itertools.product(*legal)]
        return float(low), float(high)


def _check_returns(node: Node, record: MatchRecord) -> None:
    if record.returns != node.returns:
        raise ValueError(
            f"returns are {list(record.returns)}, expected {list(node.returns)}; the game is another one than when "
            "the match was played"
        )
