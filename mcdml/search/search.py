"""The paper's algorithm 1: one planning episode, from a root state to the action that is played.

The search is a generator that yields an `Ask` wherever it needs the language model, see `language_models.asking.lockstep`. A
node's prior is asked when an action is first selected there, and again only when the cross-trial memory has
changed since; the authors' scheme asks at every visit, which gives the same numbers (`SearchTally.visits` counts
what that would cost).
"""

from __future__ import annotations

import collections
import math
from collections.abc import Sequence

import numpy as np
import pyspiel

from games.seeing import views
from language_models import Request
from language_models.asking.client import Ask
from language_models.asking.lockstep import Asking
from mcdml.asking.asked import Asked
from mcdml.asking.failed_trajectories import end_of_trajectory, failed, start_of_shown
from mcdml.asking.memory import CrossTrial
from mcdml.asking.priors import Prior, Query
from mcdml.asking.situations import Step, observed, situation, steps_before
from mcdml.asking.tally import SearchTally
from mcdml.search.decision import Decision, Row
from mcdml.search.settings import Settings
from mcdml.search.tree import VALUES, Node, apply, choose_highest


class _Walk:
    """One simulation under way: the node where it stands, and the edges behind it."""

    __slots__ = ("node", "path")

    def __init__(self, root: Node):
        self.node = root
        self.path: list[tuple[Node, int, list[float]]] = []  # node, index of the action, rewards


class Search:
    """A search for one player of a game.

    Args:
      settings: see `Settings`.
      prior: over the valid actions.
      rng: breaks ties, plays rollouts, draws chance.
      player: whose failures are reflected upon.
      tally: counts what is asked.
      asked: what was asked before in the game, which counts no more against `ask_limit`; grows by what this search asks.
    """

    def __init__(
        self,
        settings: Settings,
        prior: Prior,
        rng: np.random.Generator,
        player: int,
        tally: SearchTally,
        asked: Asked | None = None,
    ):
        self._settings, self._prior, self._rng = settings, prior, rng
        self._player, self._tally = player, tally
        self._memory = CrossTrial(settings.cross_trial if prior.remembers else 0)
        self._failures: set[tuple[int, ...]] = set()
        # For each reflection the version of the memory and the way from the root to where its steps begin.
        self._concerned: list[tuple[int, tuple[int, ...]]] = []
        self._asked = Asked() if asked is None else asked
        self._new = 0
        self._steps: tuple[Step, ...] = ()
        self._lowest, self._highest = math.inf, -math.inf

    def decide(self, state: pyspiel.State) -> Asking[Decision]:
        """Returns the action to play (algorithm 1, procedure Search). With one valid action nothing
        is searched or asked.

        Raises:
          ValueError: there is no valid action.
        """
        settings = self._settings
        root = Node(state, VALUES[settings.q])
        if not root.numbers:
            raise ValueError(f"mcdml: expected a state of {state.get_game()} with a valid action, found none")
        if len(root.numbers) == 1:
            return Decision(root.numbers[0], root.names[0], tally=self._tally)
        self._steps = steps_before(state, settings.in_trial)
        depth = settings.min_depth
        yield from self._rehearse(root, depth)
        while True:
            root = Node(state, VALUES[settings.q])
            root.visits = 1
            self._lowest, self._highest = math.inf, -math.inf
            simulations = settings.simulations_per_action * len(root.numbers)
            yield from self._grow(root, depth, simulations)
            best = self._best(root)
            if root.values[best].q != 0 or depth >= settings.max_depth:
                break
            depth = min(depth + settings.depth_step, settings.max_depth)
        rows = tuple(
            Row(*row)
            for row in zip(root.names, (value.q for value in root.values), root.prior.tolist(), root.taken)
        )
        return Decision(
            root.numbers[best],
            root.names[best],
            rows,
            depth,
            simulations,
            self._memory.reflections,
            self._tally,
        )

    def _best(self, root: Node) -> int:
        """Returns the index of the action that is played; of equal ones one at random."""
        tried = [index for index, value in enumerate(root.values) if value.count]
        scores = {
            "value": lambda index: (root.values[index].q,),
            "visits": lambda index: (root.taken[index], root.values[index].q),
            "both": lambda index: (root.values[index].q, root.taken[index]),
        }
        return tried[choose_highest([scores[self._settings.choice](index) for index in tried], self._rng)]

    def _rehearse(self, root: Node, depth: int) -> Asking[None]:
        """Fills the memory from rollouts before the search; all reflections are asked at once."""
        requests = []
        for _ in range(self._settings.rehearsals):
            if self._memory.full:
                break
            state, actions, _ = self._rollout(root, depth)
            if state.is_terminal() and failed(state, self._player):
                request = self._reflection(root, actions)
                requests += [] if request is None else [request]
        if requests:
            answers = yield Ask(requests, self._tally)
            for completions in answers:
                self._memory.add(completions)

    def _grow(self, root: Node, depth: int, simulations: int) -> Asking[None]:
        """Runs all simulations; those that wait for priors are asked for together, `wave` at a time."""
        yield from self._prefetch(root)
        ready: collections.deque[_Walk] = collections.deque()
        waiting: list[_Walk] = []
        started = 0
        while started < simulations or ready or waiting:
            if not ready and (started == simulations or len(waiting) >= self._settings.wave):
                yield from self._ask([walk.node for walk in waiting])
                ready.extend(waiting)
                waiting = []
                continue
            if ready:
                walk = ready.popleft()
            else:
                walk = _Walk(root)
                started += 1
            if not self._select(walk, depth):
                waiting.append(walk)
                continue
            failure = self._evaluate(walk, depth)
            if failure is not None:
                yield from self._reflect(root, failure)

    def _select(self, walk: _Walk, depth: int) -> bool:
        """Leads a walk down to a new node or an end; False where it must wait for a prior."""
        node = walk.node
        while not node.is_terminal and node.visits and node.depth < depth:
            if not self._has_prior(node):
                walk.node = node
                return False
            self._tally.visits += 1
            index = node.select(self._settings.c_puct * self._unit(), self._rng)
            node.visits += 1
            node.taken[index] += 1
            child, rewards = self._child(node, index)
            walk.path.append((node, index, rewards))
            node = child
        walk.node = node
        return True

    def _unit(self) -> float:
        """Returns the unit of c_puct: as Q divided by its range would, c_puct times the range weighs prior and Q."""
        if self._settings.scale == "rewards" or not self._highest > self._lowest:
            return 1.0
        return self._highest - self._lowest

    def _child(self, node: Node, index: int) -> tuple[Node, list[float]]:
        """Returns the node to which an action leads, and the rewards on the way."""
        if (index, ()) in node.children:
            return node.children[index, ()]
        state = node.state.clone()
        rewards, outcomes = apply(state, node.numbers[index], self._rng)
        key = index, outcomes
        if key not in node.children:
            came = (node.numbers[index], *outcomes)
            node.children[key] = Node(state, VALUES[self._settings.q], node, came), rewards
        return node.children[key]

    def _evaluate(self, walk: _Walk, depth: int) -> tuple[int, ...] | None:
        """Carries out expansion, simulation and backup at the end of a walk; returns the actions since the
        root if they ended in a failure.
        """
        node = walk.node
        state, actions = node.state, ()
        value = [0.0] * state.num_players()
        if not node.is_terminal and node.depth < depth:
            node.visits = 1
            self._tally.visits += 1
            if self._settings.leaf == "rollout":
                state, actions, value = self._rollout(node, depth)
        for parent, index, rewards in reversed(walk.path):
            value = [reward + self._settings.discount * later for reward, later in zip(rewards, value)]
            parent.values[index].add(value[parent.player])
            self._lowest = min(self._lowest, parent.values[index].q)
            self._highest = max(self._highest, parent.values[index].q)
        if self._memory.full or not state.is_terminal() or not failed(state, self._player):
            return None
        return node.actions() + actions

    def _rollout(self, node: Node, depth: int) -> tuple[pyspiel.State, tuple[int, ...], list[float]]:
        """Plays valid actions at random down to `depth`; returns where that ended, all that happened, and
        each player's discounted rewards."""
        state = node.state.clone()
        actions: list[int] = []
        value = [0.0] * state.num_players()
        factor = 1.0
        for _ in range(depth - node.depth):
            legal = [] if state.is_terminal() else state.legal_actions()
            if not legal:
                break
            action = legal[int(self._rng.integers(len(legal)))]
            rewards, outcomes = apply(state, action, self._rng)
            actions += [action, *outcomes]
            value = [sofar + factor * reward for sofar, reward in zip(value, rewards)]
            factor *= self._settings.discount
        return state, tuple(actions), value

    def _has_prior(self, node: Node) -> bool:
        """Returns whether a node's prior is that of the present memory; if nothing must be asked, makes it
        so.
        """
        if self._is_fresh(node):
            return True
        if node.visits >= self._settings.ask_after and self._asks(node):
            if self._may_ask(node):
                return False
            # As good as asked: the limit stays reached.
            node.version, node.asked_at = self._memory.version, node.visits
        if node.prior is None:
            by_words = self._settings.unasked == "words"
            node.prior = (
                self._asked.prior(node.names) if by_words else self._prior.unasked(node.state, node.names)
            )
        return True

    def _is_fresh(self, node: Node) -> bool:
        """Returns whether a node's prior need not be asked anew for what was learnt since."""
        newest = self._memory.version
        if node.version == newest:
            return True
        if self._settings.renewal == "all" or node.version < 0 or node.visits >= 2 * node.asked_at:
            return False
        if node.spared < newest:
            way, since = node.actions(), max(node.version, node.spared)
            if any(version > since and way[: len(begin)] == begin for version, begin in self._concerned):
                return False
            node.spared = newest
        return True

    def _asks(self, node: Node) -> bool:
        too_deep = self._settings.ask_depth is not None and node.depth >= self._settings.ask_depth
        return self._prior.asks and len(node.names) > 1 and not too_deep

    def _may_ask(self, node: Node) -> bool:
        """Returns whether a node's request was made before in this game, or is one more that this decision may make."""
        limit = self._settings.ask_limit
        if limit is None:
            return True
        key = self._prior.request(self._query(node)).key()
        if key not in self._asked.keys and self._new < limit:
            self._asked.keys.add(key)
            self._new += 1
        return key in self._asked.keys

    def _query(self, node: Node) -> Query:
        steps: list[Step] = []
        below = node
        while below.parent is not None and len(steps) < self._settings.in_trial:
            before = below.parent.state
            steps.insert(
                0, Step(observed(before, node.player), views.noticed(before, below.came[0], node.player))
            )
            below = below.parent
        missing = self._settings.in_trial - len(steps)
        earlier = self._steps[-missing:] if missing else ()
        return Query(situation(node.state, (*earlier, *steps)), self._memory.reflections)

    def _ask(self, nodes: Sequence[Node]) -> Asking[None]:
        """Asks for the priors of nodes."""
        queries = [(node, self._query(node)) for node in dict.fromkeys(nodes)]
        yield from self._read([(node, query, self._prior.request(query)) for node, query in queries])

    def _read(self, asked: Sequence[tuple[Node, Query, Request]]) -> Asking[None]:
        answers = yield Ask([request for _, _, request in asked], self._tally)
        for (node, query, request), completions in zip(asked, answers, strict=True):
            reading = self._prior.read(query, completions)
            self._tally.unreadable += not reading.readable
            node.prior, node.version, node.asked_at = reading.probabilities, self._memory.version, node.visits
            if completions is not None and reading.readable:
                self._asked.learn(request.key(), node.names, reading.probabilities)

    def _prefetch(self, root: Node) -> Asking[None]:
        """Asks for the priors of the states near the root, breadth first."""
        settings = self._settings
        if not settings.prefetch_depth or not self._prior.asks:
            return
        asked: list[tuple[Node, Query, Request]] = []
        distinct: set[str] = set()
        level = [root]
        for depth in range(settings.prefetch_depth + 1):
            for node in level:
                if self._is_fresh(node) or not self._asks(node) or not self._may_ask(node):
                    continue
                query = self._query(node)
                request = self._prior.request(query)
                if request.key() not in distinct and len(distinct) == settings.prefetch_limit:
                    break
                distinct.add(request.key())
                asked.append((node, query, request))
            if depth < settings.prefetch_depth and len(distinct) < settings.prefetch_limit:
                level = [self._child(node, index)[0] for node in level for index in range(len(node.names))]
            else:
                break
        if asked:
            yield from self._read(asked)

    def _reflect(self, root: Node, failure: tuple[int, ...]) -> Asking[None]:
        """Has the model reflect upon a failed trajectory, if it is a new one and there is room."""
        request = self._reflection(root, failure)
        if request is None:
            return
        before = self._memory.version
        [completions] = yield Ask([request], self._tally)
        self._memory.add(completions)
        if self._memory.version != before:
            begin = start_of_shown(root.state, failure, self._settings.reflected_steps)
            self._concerned.append((self._memory.version, begin))
            yield from self._prefetch(root)

    def _reflection(self, root: Node, failure: tuple[int, ...]) -> Request | None:
        """Returns the request about a failed trajectory; None where nothing is to be asked."""
        if failure in self._failures:
            return None
        self._failures.add(failure)
        return self._memory.request(
            end_of_trajectory(root.state, failure, self._player, self._settings.reflected_steps)
        )
