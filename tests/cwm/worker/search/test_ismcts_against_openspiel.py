"""`ismcts.search` against OpenSpiel's two IS-MCTS bots: number for number, and on average."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts as spiel_ismcts
from open_spiel.python.algorithms import mcts

from cwm.worker.search import ismcts

POSITIONS = [
    ("kuhn_poker", (0, 2)),
    ("kuhn_poker", (1, 0, 1)),
    ("kuhn_poker", (1, 2, 0, 1)),
    ("kuhn_poker(players=3)", (1, 3, 0)),
    ("kuhn_poker(players=3)", (2, 0, 1, 0, 1)),
    ("leduc_poker", (3, 0)),
    ("leduc_poker", (0, 4, 1, 2)),
    ("leduc_poker", (5, 1, 2)),
    ("leduc_poker", (3, 4, 1, 1, 2)),
    ("leduc_poker", (1, 4, 1, 2, 1, 5, 2)),
]


class TruthModel:
    """An OpenSpiel game behind the functions that a search calls; a state is its history."""

    def __init__(self, name: str):
        self.game = pyspiel.load_game(name)
        self.NUM_PLAYERS = self.game.num_players()
        self._states = {(): self.game.new_initial_state()}

    def truth(self, state):
        if state not in self._states:
            self._states[state] = self.truth(state[:-1]).child(state[-1])
        return self._states[state]

    def current_player(self, state):
        return int(self.truth(state).current_player())

    def legal_actions(self, state):
        return self.truth(state).legal_actions()

    def chance_outcomes(self, state):
        return self.truth(state).chance_outcomes()

    def apply_action(self, state, action):
        return state + (action,)

    def returns(self, state):
        return self.truth(state).returns()

    def information_state(self, state, player):
        return self.truth(state).information_state_string(player)


class Position:
    """A history in OpenSpiel's game and in a model of it, and the states that fit what is known."""

    def __init__(self, name, history, model_fixture):
        self.truth_model = TruthModel(name)
        self.uct_c = UCT_C[name.partition("(")[0]]
        self.truth = self.truth_model.truth(history)
        self.player = self.truth.current_player()
        self.histories = self._fitting()
        if name == "leduc_poker":
            self.model = model_fixture("leduc")
            self.states = []
            for fitting in self.histories:
                state = self.model.initial_state()
                for action in fitting:
                    state = self.model.apply_action(state, action)
                self.states.append(state)
        else:
            self.model, self.states = self.truth_model, self.histories

    def _fitting(self):
        """All histories that the player cannot tell from the position's, in a fixed order.

        They are equally likely: cards are dealt uniformly, and the search knows of no strategy.
        """
        wanted = self.truth.information_state_string(self.player)
        length = len(self.truth.history())
        found, pending = [], [()]
        while pending:
            history = pending.pop()
            state = self.truth_model.truth(history)
            if len(history) == length:
                if (
                    state.current_player() == self.player
                    and state.information_state_string(self.player) == wanted
                ):
                    found.append(history)
            elif not state.is_terminal():
                pending += [history + (action,) for action in state.legal_actions()]
        return sorted(found)

    def uniform(self, rng):
        return self.states[int(rng() * len(self.states))]


@pytest.fixture
def position(model):
    return lambda name, history: Position(name, history, model)


class ConstantRandom:
    """In place of numpy's RandomState: every draw falls on the same `fraction` of what is offered."""

    def __init__(self, fraction: float):
        self.fraction = fraction

    def choice(self, items, p=None):
        if p is None:
            return items[int(self.fraction * len(items))]
        return items[int(np.searchsorted(np.cumsum(p), self.fraction, side="right"))]

    def randint(self, length):
        return int(self.fraction * length)

    def shuffle(self, items):
        """The order in which drawing without replacement takes items."""
        rest, order = list(items), []
        while rest:
            order.append(rest.pop(int(self.fraction * len(rest))))
        items[:] = order


def _in_turn(items):
    """A sampler that gives the items one after the other, for ever."""
    calls = []

    def sample(*_):
        calls.append(None)
        return items[(len(calls) - 1) % len(items)]

    return sample


def _root(node):
    """What OpenSpiel's Python bot knows of its root, by action."""
    return {
        int(action): (int(child.visits), float(child.return_sum)) for action, child in node.child_info.items()
    }


def _own_root(root):
    return {edge.action: (edge.visits, edge.total) for edge in root.edges if edge.visits}


@pytest.mark.parametrize("fraction", [0.0, 0.37, 0.61, 0.99])
@pytest.mark.parametrize("rollouts, uct_c", [(1, 2.0), (3, 0.7), (2, 0.0)])
@pytest.mark.parametrize("name, history", POSITIONS)
def test_root_is_number_for_number_that_of_openspiel(
    position, monkeypatch, name, history, rollouts, uct_c, fraction
):
    at = position(name, history)
    random_state = ConstantRandom(fraction)
    bot = spiel_ismcts.ISMCTSBot(
        at.truth_model.game,
        mcts.RandomRolloutEvaluator(rollouts, random_state),
        uct_c,
        120,
        random_state=random_state,
    )
    worlds = _in_turn(at.histories)
    bot.set_resampler(lambda state, player: at.truth_model.truth(worlds()).clone())
    bot.run_search(at.truth)

    monkeypatch.setattr(
        ismcts, "random", SimpleNamespace(Random=lambda seed: SimpleNamespace(random=lambda: fraction))
    )
    root = ismcts.search(
        at.model, _in_turn(at.states), at.player, simulations=120, uct_c=uct_c, rollouts=rollouts
    )
    assert _own_root(root) == _root(bot._root_node)
    assert root.visits == bot._root_node.total_visits


class ForgetfulGame:
    """Two players, six plies of actions; a player sees the own last action only, and may do what
    depends on the whole history: so the states of one information state differ in legal actions.

    It is at once a model (a state is a history) and, through `Spiel`, what OpenSpiel's bot needs.
    """

    NUM_PLAYERS = 2
    PLIES = 6

    def current_player(self, state):
        return len(state) % 2 if len(state) < self.PLIES else -4

    def legal_actions(self, state):
        if not state:
            return [0, 1, 2]
        return [action for action in range(4) if (sum(state) + action) % 3 or action == state[-1]]

    def chance_outcomes(self, state):
        return []

    def apply_action(self, state, action):
        return state + (action,)

    def returns(self, state):
        worth = float(sum(action * (index + 1) for index, action in enumerate(state)) % 7)
        return [worth, -worth]

    def information_state(self, state, player):
        return (len(state) >= 2, state[-2:-1])


class Spiel:
    """A state of `ForgetfulGame` with the methods of a pyspiel state that the bot calls."""

    def __init__(self, game, state):
        self.game, self.state = game, state

    def get_game(self):
        return SimpleNamespace(
            get_type=lambda: SimpleNamespace(
                dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
                information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            )
        )

    def clone(self):
        return Spiel(self.game, self.state)

    def is_terminal(self):
        return self.game.current_player(self.state) == -4

    def is_chance_node(self):
        return False

    def current_player(self):
        return self.game.current_player(self.state)

    def legal_actions(self, player=None):
        return self.game.legal_actions(self.state)

    def apply_action(self, action):
        self.state = self.state + (action,)

    def returns(self):
        return self.game.returns(self.state)

    def information_state_string(self):
        return str(self.game.information_state(self.state, self.current_player()))


@pytest.mark.parametrize("fraction", [0.0, 0.999])  # the orders of expansion agree at the ends only
def test_differing_legal_actions_are_treated_as_openspiel_does(monkeypatch, fraction):
    game, random_state = ForgetfulGame(), ConstantRandom(fraction)
    bot = spiel_ismcts.ISMCTSBot(
        pyspiel.load_game("kuhn_poker"),
        mcts.RandomRolloutEvaluator(1, random_state),
        2.0,
        500,
        random_state=random_state,
        allow_inconsistent_action_sets=True,
    )
    bot.set_resampler(lambda state, player: Spiel(game, ()))
    bot.run_search(Spiel(game, ()))
    monkeypatch.setattr(
        ismcts, "random", SimpleNamespace(Random=lambda seed: SimpleNamespace(random=lambda: fraction))
    )
    root = ismcts.search(game, lambda rng: (), 0, simulations=500)
    assert _own_root(root) == _root(bot._root_node)


SIMULATIONS = 120
UCT_C = {"kuhn_poker": 2.0, "leduc_poker": 10.0}
"""In the order of the utilities: with little exploration visits are all or nothing, and noisy."""


def _features(visits, values):
    """Each action's share of the visits, then which action has the highest mean return."""
    total = sum(visits)
    return [count / total for count in visits] + [float(value == max(values)) for value in values]


def _cpp(at, seed, factor=1.0):
    policies = []
    for final in (
        pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
        pyspiel.ISMCTSFinalPolicyType.MAX_VALUE,
    ):
        bot = pyspiel.ISMCTSBot(
            seed,
            pyspiel.RandomRolloutEvaluator(1, seed),
            factor * at.uct_c,
            SIMULATIONS,
            -1,
            final,
            False,
            False,
        )
        policies += [probability for _, probability in sorted(bot.get_policy(at.truth))]
    return policies


def _own(at, seed):
    rows = ismcts.root_statistics(
        ismcts.search(at.model, at.uniform, at.player, simulations=SIMULATIONS, uct_c=at.uct_c, seed=seed)
    )
    return _features([row["visits"] for row in rows], [row["value"] for row in rows])


def _python_values(at, seed):
    random_state = np.random.RandomState(seed)
    bot = spiel_ismcts.ISMCTSBot(
        at.truth_model.game,
        mcts.RandomRolloutEvaluator(1, random_state),
        at.uct_c,
        SIMULATIONS,
        random_state=random_state,
    )
    bot.set_resampler(
        lambda state, player: at.truth_model.truth(
            at.histories[random_state.randint(len(at.histories))]
        ).clone()
    )
    bot.run_search(at.truth)
    children = sorted(bot._root_node.child_info.items())
    return [child.visits / bot._root_node.total_visits for _, child in children] + [
        child.value() for _, child in children
    ]


def _own_values(at, seed):
    rows = ismcts.root_statistics(
        ismcts.search(at.model, at.uniform, at.player, simulations=SIMULATIONS, uct_c=at.uct_c, seed=seed)
    )
    return [row["visits"] / (SIMULATIONS - 1) for row in rows] + [row["value"] for row in rows]


def _standard_errors_apart(at, own, reference, seeds) -> float:
    """The largest difference of means, in standard errors, over all features."""
    ours = np.array([own(at, seed) for seed in range(seeds)])
    theirs = np.array([reference(at, seed) for seed in range(1000, 1000 + seeds)])
    error = np.sqrt((ours.var(axis=0, ddof=1) + theirs.var(axis=0, ddof=1)) / seeds)
    return float(np.max(np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) / np.maximum(error, 1e-9)))


@pytest.mark.parametrize("name, history", POSITIONS)
def test_visit_shares_and_best_values_agree_with_cpp_within_noise(position, name, history):
    # 4.5 standard errors: by chance in about one of 100,000 comparisons; and the seeds are fixed.
    assert _standard_errors_apart(position(name, history), _own, _cpp, 400) < 4.5


@pytest.mark.parametrize("name, history", POSITIONS[1::2])
def test_visit_shares_and_values_agree_with_python_within_noise(position, name, history):
    assert _standard_errors_apart(position(name, history), _own_values, _python_values, 60) < 4.5


@pytest.mark.parametrize(
    "name, history",
    [("kuhn_poker(players=3)", (2, 0, 1, 0, 1)), ("leduc_poker", (0, 4, 1, 2)), ("leduc_poker", (5, 1, 2))],
)
def test_the_noise_test_can_fail(position, name, history):
    apart = _standard_errors_apart(
        position(name, history), _own, lambda at, seed: _cpp(at, seed, factor=0.5), 400
    )
    assert apart > 4.5
