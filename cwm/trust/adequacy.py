"""Whether solving a world model solves the game: exploitability inside the model and in the ground truth.

A model may pass every test and still be the wrong place to learn a policy in. On a game small enough to be
walked whole this can be measured: NashConv of the uniform policy must be the same in both, and CFR that
runs inside the model must give a policy that is as hard to exploit in the ground truth as the one that CFR
finds there. A policy is carried over by what a player has seen and done (observations of the view, names of
the own actions), never through hidden state.

CFR: Zinkevich et al. 2007; NashConv: Lanctot et al. 2017. Both are OpenSpiel's, on its cached trees.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyspiel
from tqdm import tqdm

from games.seeing import views

MAX_HISTORIES = 200_000
"""Number of histories of the largest game that is walked whole; ferry has 75,206."""

TOLERANCE = 1e-9
"""Largest difference within which two exploitabilities count as equal."""

Table = Mapping[str, Sequence[tuple[int, float]]]
"""A policy: by information state string, the probability of each legal action."""


class Memories:
    """Numbers for the memories of players: equal histories of a player have equal numbers, in
    whichever game they were made. 0 is the empty history."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}

    def after(self, memory: int, step: object) -> int:
        """The number of the history `memory` and then `step`, JSON data."""
        key = (memory, json.dumps(step, sort_keys=True))
        return self._numbers.setdefault(key, len(self._numbers) + 1)


@dataclass
class InformationState:
    """One information state of a game.

    Attributes:
      names: its legal actions by name.
      memories: numbers of the histories of observations and own actions that lead to it; one, unless the
        game's information states forget something or its observations show something else.
    """

    names: dict[str, int]
    memories: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Tree:
    """A game that was walked whole.

    Attributes:
      game: OpenSpiel's cached tree of it, on which its algorithms are fast.
      histories: number of its histories, those that have ended included.
      states: its information states by their strings.
    """

    game: pyspiel.Game
    histories: int
    states: dict[str, InformationState]


def tree(game: pyspiel.Game, memories: Memories, max_histories: int = MAX_HISTORIES) -> Tree:
    """Walks a game in which players move in turn and chance is explicit.

    Args:
      game: the ground truth, or a model as `cwm(model=...)`.
      memories: shared by the games that are to be compared.
      max_histories: the most that are visited.

    Raises:
      ValueError: the game has more histories, no information states with names, or two actions of one name
        in one state.
      sandbox.SandboxError: the model failed.
    """
    kind = game.get_type()
    if (
        kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL
        or kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        or not kind.provides_information_state_string
    ):
        raise ValueError(
            f"{game} cannot be walked whole, expected a game in which players move in turn, "
            "with explicit chance and information state strings; choose another one"
        )
    players = range(game.num_players())
    states: dict[str, InformationState] = {}
    histories = 0
    pending = [(game.new_initial_state(), (0,) * len(players))]
    with tqdm(desc=f"walking {game}", unit=" histories", delay=3, leave=False, disable=None) as progress:
        while pending:
            state, before = pending.pop()
            histories += 1
            progress.update()
            if histories > max_histories:
                raise ValueError(
                    f"{game} has more than {max_histories:,} histories, expected at most so "
                    "many, as all are visited; choose a smaller game or a higher limit"
                )
            if state.is_terminal():
                continue
            seen = tuple(
                memories.after(before[player], views.view_of(game).data(state, player)) for player in players
            )
            by_name, mover = views.actions_by_name(state), state.current_player()
            if len(by_name) != len(state.legal_actions()):
                raise ValueError(
                    f"{game} has two actions of one name after {state.history()}, expected "
                    "different names, as policies are carried over by them; choose another game"
                )
            if mover >= 0:
                own = states.setdefault(state.information_state_string(mover), InformationState(by_name))
                own.memories.add(seen[mover])
            for name, action in by_name.items():
                after = tuple(
                    memories.after(memory, ["own", name]) if player == mover else memory
                    for player, memory in enumerate(seen)
                )
                pending.append((state.child(action), after))
    return Tree(pyspiel.load_game_as_cached_tree(kind.short_name, game.get_parameters()), histories, states)


def solve(game: pyspiel.Game, iterations: int) -> Table:
    """The average policy of `iterations` iterations of OpenSpiel's CFR."""
    solver = pyspiel.CFRSolver(game)
    for _ in tqdm(range(iterations), desc="CFR", delay=3, leave=False, disable=None):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy().policy_table()


@dataclass(frozen=True)
class Carried:
    """A policy of a model as a policy of the ground truth.

    Attributes:
      table: the policy for every information state of the ground truth.
      unmatched: information states of the ground truth that the model does not know, or in which its
        policy plays no legal action; there the policy is uniform.
      ambiguous: those in which the model's policy depends on something that the player has not seen; there
        it is the mean.
    """

    table: Table
    unmatched: int
    ambiguous: int


def carry_over(table: Table, model: Tree, truth: Tree) -> Carried:
    """Takes a policy over from a model to the ground truth; see the module's docstring.

    Raises:
      ValueError: the ground truth's observations tell more than its own information states do.
    """
    known: dict[int, list[dict[str, float]]] = defaultdict(list)
    for key, own in model.states.items():
        chances = dict(table[key])
        for memory in own.memories:
            known[memory].append({name: chances[action] for name, action in own.names.items()})
    carried, unmatched, ambiguous = {}, 0, 0
    for key, own in truth.states.items():
        if len(own.memories) > 1:
            raise ValueError(
                f"the view of the ground truth shows different things in one information "
                f"state, {key!r}, expected the same; correct the view"
            )
        found = known[next(iter(own.memories))]
        ambiguous += len(found) > 1
        weights = {
            action: sum(chances.get(name, 0.0) for chances in found) for name, action in own.names.items()
        }
        total = sum(weights.values())
        if not total:
            unmatched += 1
            weights, total = dict.fromkeys(weights, 1.0), len(weights)
        carried[key] = [(action, weight / total) for action, weight in weights.items()]
    return Carried(carried, unmatched, ambiguous)


@dataclass(frozen=True)
class Adequacy:
    """NashConv, in utilities, of policies in the model and in the ground truth.

    Attributes:
      histories, truth_histories: number of histories of the model and of the ground truth.
      infostates, truth_infostates: number of their information states.
      uniform, truth_uniform: NashConv of the uniform policy in the model, and in the ground truth.
      iterations: number of iterations of CFR.
      cfr_inside: NashConv, in the model, of CFR's average policy in the model.
      cfr_carried: NashConv, in the ground truth, of the same policy carried over.
      cfr_truth: NashConv, in the ground truth, of CFR's average policy in the ground truth.
      unmatched, ambiguous: see `Carried`.
      equal: whether nothing was unmatched or ambiguous, and each of these figures is the ground truth's.
    """

    histories: int
    truth_histories: int
    infostates: int
    truth_infostates: int
    uniform: float
    truth_uniform: float
    iterations: int
    cfr_inside: float
    cfr_carried: float
    cfr_truth: float
    unmatched: int
    ambiguous: int
    equal: bool


class Yardstick:
    """The ground truth, walked and solved once for all models of it.

    Args:
      game: the ground truth.
      iterations: number of iterations of CFR, in the ground truth and in each model.
      max_histories: see `tree`.

    Raises:
      ValueError: as in `tree`.
    """

    def __init__(self, game: pyspiel.Game, iterations: int, max_histories: int = MAX_HISTORIES):
        self._memories = Memories()
        self._max_histories = max_histories
        self._iterations = iterations
        self._truth = tree(game, self._memories, max_histories)
        self._uniform = _uniform_nash_conv(self._truth)
        self._cfr = _nash_conv(self._truth, solve(self._truth.game, iterations))

    def measure(self, model: pyspiel.Game) -> Adequacy:
        """Measures one model beside the ground truth.

        Args:
          model: the model as `cwm(model=...)`.

        Raises:
          ValueError: as in `tree` and `carry_over`.
          sandbox.SandboxError: the model failed.
        """
        own = tree(model, self._memories, self._max_histories)
        uniform = _uniform_nash_conv(own)
        policy = solve(own.game, self._iterations)
        inside = _nash_conv(own, policy)
        carried = carry_over(policy, own, self._truth)
        outside = _nash_conv(self._truth, carried.table)
        same = abs(uniform - self._uniform) <= TOLERANCE and all(
            abs(value - self._cfr) <= TOLERANCE for value in (inside, outside)
        )
        return Adequacy(
            own.histories,
            self._truth.histories,
            len(own.states),
            len(self._truth.states),
            uniform,
            self._uniform,
            self._iterations,
            inside,
            outside,
            self._cfr,
            carried.unmatched,
            carried.ambiguous,
            same and not carried.unmatched and not carried.ambiguous,
        )


def _nash_conv(where: Tree, table: Table) -> float:
    return pyspiel.nash_conv(where.game, dict(table))


def _uniform_nash_conv(where: Tree) -> float:
    return _nash_conv(where, pyspiel.UniformRandomPolicy(where.game).policy_table())
