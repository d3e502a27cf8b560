"""Algorithm 1: equation 3, backup, dynamic pruning, memories, and how often the model is asked."""

from __future__ import annotations

import math

import numpy as np
import pyspiel
import pytest

from arena.registry.games import load_game
from language_models import Completion, LanguageModelError
from language_models.asking.client import Client
from language_models.asking.lockstep import result_of
from mcdml.agents.agents import SearchAgent
from mcdml.asking.priors import make_prior
from mcdml.asking.tally import SearchTally
from mcdml.search.search import Search
from mcdml.search.settings import Settings
from mcdml.search.tree import MeanValue, Node, SoftmaxValue


def q_of(decision):
    return {row.action: row.q for row in decision.rows}


def test_selection_is_equation_3(kit):
    node = Node(kit.trap().new_initial_state(), MeanValue)
    node.visits, node.taken, node.prior = 9, [4, 2, 0], np.array([0.5, 0.3, 0.2])
    for value, q in zip(node.values, (1.0, 1.2, 0.0)):
        value.add(q)
    # 1 + 2*.5*3/5 = 1.6; 1.2 + 2*.3*3/3 = 1.8; 0 + 2*.2*3/1 = 1.2. With c = 20: 7, 7.2, 12.
    rng = np.random.default_rng(0)
    assert node.select(2.0, rng) == 1
    assert node.select(20.0, rng) == 2
    assert node.select(0.0, rng) == 1


def test_ties_are_broken_at_random(kit):
    node = Node(kit.trap().new_initial_state(), MeanValue)
    node.visits, node.prior = 1, np.full(3, 1 / 3)
    rng = np.random.default_rng(0)
    assert {node.select(50.0, rng) for _ in range(60)} == {0, 1, 2}


def test_values_are_discounted_and_the_largest_q_is_played(kit):
    game = kit.TreeGame({"a": (1, "won"), "b": (0, {"c": (2, "won")})})
    decision, client = kit.searched(game.new_initial_state(), prior="uniform")
    assert q_of(decision) == pytest.approx({"a": 1.0, "b": 0.95 * 2})
    assert decision.name == "b" and decision.simulations == 100
    assert sum(row.visits for row in decision.rows) == 100
    shallow, _ = kit.searched(game.new_initial_state(), prior="uniform", min_depth=1, max_depth=1)
    assert q_of(shallow) == {"a": 1.0, "b": 0.0} and shallow.name == "a"


def test_dynamic_pruning_goes_deeper_while_the_chosen_q_is_zero(kit):
    game = kit.TreeGame({"go on": (0, kit.chain(11, 7)), "stop": (0, "won")})
    state = game.new_initial_state()
    found, _ = kit.searched(state, prior="uniform")
    assert found.depth == 30 and q_of(found)["go on"] == pytest.approx(7 * 0.95**11)
    fixed, _ = kit.searched(state, prior="uniform", max_depth=10)
    assert fixed.depth == 10 and set(q_of(fixed).values()) == {0.0}
    fine, _ = kit.searched(state, prior="uniform", depth_step=2)
    assert fine.depth == 12 and fine.name == "go on"
    losing = kit.TreeGame({"a": (-1, kit.chain(40, 0)), "b": (-2, kit.chain(40, 0))}).new_initial_state()
    losing, _ = kit.searched(losing, prior="uniform")
    assert losing.depth == 10 and losing.name == "a" and q_of(losing) == {"a": -1.0, "b": -2.0}
    near = kit.TreeGame({"a": (1, "won"), "b": (0, "won")}).new_initial_state()
    near, _ = kit.searched(near, prior="uniform")
    assert near.depth == 10


@pytest.mark.parametrize("returns", [[3.0], [0.0, 10.0, -5.0], [5000.0, 4990.0, -8000.0], [1.0, 1.0]])
def test_values(returns):
    mean, softmax = MeanValue(), SoftmaxValue()
    assert mean.q == softmax.q == 0.0
    for value in returns:
        mean.add(value)
        softmax.add(value)
    weights = [math.exp((value - max(returns)) / 10) for value in returns]
    assert mean.q == pytest.approx(sum(returns) / len(returns))
    assert softmax.q == pytest.approx(sum(w * v for w, v in zip(weights, returns)) / sum(weights))


class Reference:
    """Algorithm 1 written down as the paper has it: recursive, and the prior is asked at every visit."""

    def __init__(self, prior_of, rng, c_puct, discount=0.95):
        self.prior_of, self.rng, self.c_puct, self.discount = prior_of, rng, c_puct, discount
        self.nodes, self.asked = {}, 0

    def prior(self, state):
        self.asked += 1
        return self.prior_of(state)

    def rollout(self, state, depth):
        if depth == 0 or state.is_terminal():
            return 0.0
        legal = state.legal_actions()
        state = state.child(legal[int(self.rng.integers(len(legal)))])
        return state.rewards()[0] + self.discount * self.rollout(state, depth - 1)

    def simulate(self, state, depth):
        if depth == 0 or state.is_terminal():
            return 0.0
        key = tuple(state.history())
        prior = self.prior(state)
        if key not in self.nodes:
            self.nodes[key] = {"n": 1, "na": [0] * len(prior), "q": [0.0] * len(prior)}
            return self.rollout(state, depth)
        node = self.nodes[key]
        scores = [
            q + self.c_puct * math.sqrt(node["n"]) * p / (1 + n)
            for q, p, n in zip(node["q"], prior, node["na"])
        ]
        best = [index for index, score in enumerate(scores) if score == max(scores)]
        index = best[0] if len(best) == 1 else best[int(self.rng.integers(len(best)))]
        child = state.child(state.legal_actions()[index])
        value = child.rewards()[0] + self.discount * self.simulate(child, depth - 1)
        node["n"] += 1
        node["na"][index] += 1
        node["q"][index] += (value - node["q"][index]) / node["na"][index]
        return value


def test_one_question_per_state_finds_what_a_question_at_every_visit_finds(kit):
    state = load_game("text_adventure(layout_seed=3)").bottleneck_state()
    model = kit.Stub(kit.favouring("take oil lamp", "light oil lamp", "go down"))
    decision, _ = kit.searched(state, model, cross_trial=0, seed=5, max_depth=10)

    def prior_of(state):
        actions = state.valid_actions()
        favourite = next(
            (actions.index(name) for name in ("take oil lamp", "light oil lamp", "go down") if name in actions),
            0,
        )
        weights = [
            math.exp(math.log(0.9) / 5) if index == favourite else math.exp(-10 / 5)
            for index in range(len(actions))
        ]
        return [weight / sum(weights) for weight in weights]

    reference = Reference(prior_of, np.random.default_rng(5), 50.0)
    reference.nodes[tuple(state.history())] = {"n": 1, "na": [0] * 7, "q": [0.0] * 7}
    for _ in range(50 * 7):
        reference.simulate(state, 10)
    root = reference.nodes[tuple(state.history())]
    assert [row.visits for row in decision.rows] == root["na"]
    assert [row.q for row in decision.rows] == pytest.approx(root["q"])
    assert decision.tally.visits == reference.asked
    assert len(set(model.keys())) == len(model.requests) == decision.tally.calls
    assert decision.tally.calls * 10 <= decision.tally.visits


def test_the_memory_of_a_failure_changes_the_decision(kit):
    state = kit.trap().new_initial_state()
    without, _ = kit.searched(state, kit.Stub(kit.learning), cross_trial=0)
    assert without.name == "go down" and without.reflections == ()
    model = kit.Stub(kit.learning)
    informed, _ = kit.searched(state, model)
    assert informed.name == "take lantern" and informed.reflections == ("Take the lantern first.",)
    priors = [{row.action: row.prior for row in decision.rows} for decision in (without, informed)]
    assert priors[0]["go down"] > priors[0]["take lantern"] and priors[1]["take lantern"] > priors[1]["go down"]
    reflected = [request for request in model.requests if "reflection" in request.purpose]
    assert 1 <= len(reflected) <= 3
    shown = reflected[0].messages[-1].content
    assert "> go down" in shown and "You have died." in shown


def test_a_reflection_renews_what_it_concerns_and_the_rest_when_visits_have_doubled(kit):
    """Whoever digs twice on the left dies. With one step shown the lesson concerns the state of that last choice, and below."""
    rest = {"dig": (0, "won"), "rest": (0, "won")}
    story = {
        "left": (0, {"dig": (0, {"dig": (0, "dead"), "rest": (0, rest)}), "rest": (0, rest)}),
        "right": (0, rest),
    }
    ways = {
        "": (),
        "left": (0,),
        "left dig": (0, 0),
        "left dig rest": (0, 0, 1),
        "left rest": (0, 1),
        "right": (1,),
    }

    def fresh(renewal, steps, visits=5):
        settings = Settings(renewal=renewal, reflected_steps=steps)
        search = Search(settings, make_prior("verbalized"), np.random.default_rng(0), 0, SearchTally())
        root = Node(kit.TreeGame(story).new_initial_state(), MeanValue)
        nodes = {}
        for name, way in ways.items():
            node = root
            for index in way:
                node, _ = search._child(node, index)
            nodes[name] = node
        for node in nodes.values():
            node.version, node.asked_at, node.visits = 0, 4, visits
        reflecting = search._reflect(root, (0, 0, 0))
        reflecting.send(None)
        with pytest.raises(StopIteration):
            reflecting.send([[Completion("Do not dig twice.", "stop", 1, 1, None, "stub")]])
        return {name for name, node in nodes.items() if search._is_fresh(node) and search._is_fresh(node)}

    assert fresh("all", 1) == set()
    assert fresh("concerned", 1) == {"", "left", "left rest", "right"}
    assert fresh("concerned", 2) == {"", "right"}
    assert fresh("concerned", 3) == fresh("concerned", 5) == set()
    assert fresh("concerned", 1, visits=8) == set()


@pytest.mark.parametrize("renewal", ["all", "concerned"])
def test_the_lesson_of_a_trap_is_heeded_whatever_is_renewed(kit, renewal):
    decision, _ = kit.searched(kit.trap().new_initial_state(), kit.Stub(kit.learning), renewal=renewal)
    assert decision.name == "take lantern"


def test_no_more_reflections_than_the_memory_holds(kit):
    number = iter(range(1000))

    def answer(prompt):
        if "one sentence of advice" in prompt:
            return f"Advice {next(number)}."
        return kit.favouring("go down", "wait")(prompt)

    for size in (1, 2, 3):
        decision, _ = kit.searched(kit.trap().new_initial_state(), kit.Stub(answer), cross_trial=size)
        assert len(decision.reflections) == size


def test_rehearsals_fill_the_memory_before_the_first_prior(kit):
    state = load_game("text_adventure(layout_seed=3)").bottleneck_state()
    plain = kit.Stub(lambda prompt: f"Advice {len(prompt)}." if "one sentence" in prompt else "1")
    kit.searched(state, plain, max_depth=10)
    model = kit.Stub(plain._answer)
    decision, _ = kit.searched(state, model, max_depth=10, rehearsals=200)
    assert model.batches[0] == 3 and len(decision.reflections) == 3  # all reflections in the first batch
    assert all("- Advice" in request.messages[-1].content for request in model.requests[3:])
    assert len(model.requests) < len(plain.requests)
    peaceful = kit.TreeGame({"a": (1, "won"), "b": (0, "won")}).new_initial_state()
    assert kit.searched(peaceful, kit.Stub(plain._answer), rehearsals=50)[0].reflections == ()


def test_in_trial_memory_is_the_step_before(kit):
    game = kit.trap()
    state = game.new_initial_state()
    state.apply_action(state.valid_actions().index("take lantern"))
    for steps, shown in ((0, False), (1, True)):
        model = kit.Stub(kit.favouring("light lantern"))
        kit.searched(state, model, in_trial=steps)
        prompt = model.requests[0].messages[-1].content
        assert ("It begins." in prompt) == ("> take lantern" in prompt) == shown
        assert "You take lantern.\nPlace take lantern\nYou carry nothing." in prompt
        assert "Score" not in prompt and "Moves" not in prompt


def test_a_single_action_is_played_without_a_question(kit):
    decision, client = kit.searched(kit.TreeGame(kit.chain(3, 5)).new_initial_state(), kit.Stub(str))
    assert decision.name == "go on" and decision.rows == () and client.tally.calls == 0


@pytest.mark.parametrize(
    "settings",
    [{"wave": 4}, {"wave": 16, "prefetch_depth": 1}, {"ask_after": 3}, {"ask_depth": 1}, {"q": "softmax"}],
)
def test_every_option_keeps_the_number_of_simulations(kit, settings):
    state = load_game("text_adventure(layout_seed=3)").bottleneck_state()
    model = kit.Stub(kit.favouring("go down"))
    decision, _ = kit.searched(state, model, max_depth=10, **settings)
    assert sum(row.visits for row in decision.rows) == decision.simulations == 350
    if "wave" in settings and "prefetch_depth" not in settings:
        assert 1 < max(model.batches) <= 4
    if "ask_depth" in settings:  # the root only, once for each state of the memory, and three reflections
        assert len(model.requests) <= 4 + 3


def test_asking_ahead_finds_the_same_in_fewer_batches(kit):
    state = load_game("text_adventure(layout_seed=3,death=5)").bottleneck_state()
    plain, ahead = kit.Stub(kit.favouring("go down")), kit.Stub(kit.favouring("go down"))
    first, _ = kit.searched(state, plain)
    second, _ = kit.searched(state, ahead, prefetch_depth=2)
    assert first.rows == second.rows and first.reflections == second.reflections
    assert len(ahead.batches) * 2 < len(plain.batches)
    limited = kit.Stub(kit.favouring("go down"))
    kit.searched(state, limited, prefetch_depth=2, prefetch_limit=5)
    assert max(limited.batches) == 5


@pytest.mark.parametrize("scale", ["rewards", "range"])
def test_in_units_of_the_range_points_may_be_worth_anything(kit, scale):
    """The same story with a thousand times the points is searched alike only where c_puct is in units of the range."""

    def story(worth):
        later = {"go on": (3 * worth, "won"), "turn back": (-worth, "dead")}
        return {
            "wait": (worth, {"wait": (0, "won"), "look": (worth, "won")}),
            "walk": (0, later),
            "sit": (0, "won"),
        }

    visits = []
    for worth in (1, 1000):
        state = kit.TreeGame(story(worth)).new_initial_state()
        decision, _ = kit.searched(state, prior="uniform", c_puct=2.0, scale=scale)
        visits.append([row.visits for row in decision.rows])
    assert (visits[0] == visits[1]) == (scale == "range")


def test_rollouts_that_die_speak_against_what_is_tried_most_and_no_leaf_of_zero_does(kit):
    """A way of four steps pays 1 at its end; beside each step lies a death of -5, in which random play mostly ends."""
    way: object = (1, "won")
    for _ in range(4):
        way = (0, {"on": way, "left": (-5, "dead"), "right": (-5, "dead")})
    state = kit.TreeGame({"go": way, "stay": (0, "won")}).new_initial_state()
    model = kit.Stub(kit.favouring("go", "on"))
    options = {
        "simulations_per_action": 10,
        "c_puct": 1.0,
        "scale": "range",
        "cross_trial": 0,
        "temperature": 1.0,
    }
    q = [
        q_of(kit.searched(state, model, seed=seed, leaf=leaf, **options)[0])["go"]
        for leaf in ("rollout", "zero")
        for seed in range(5)
    ]
    assert max(q[:5]) < 0.0 < min(q[5:])


def test_the_most_visited_action_is_played_where_that_is_wished(kit):
    game = kit.TreeGame({"a": (0, "won"), "b": (1, "won")})
    model = kit.Stub(kit.favouring("a"))
    options = {"simulations_per_action": 10, "c_puct": 50.0, "temperature": 5.0}
    by_value, _ = kit.searched(game.new_initial_state(), model, **options)
    by_visits, _ = kit.searched(game.new_initial_state(), model, choice="visits", **options)
    visits = {row.action: row.visits for row in by_visits.rows}
    assert visits["a"] > visits["b"] > 0 and (by_value.name, by_visits.name) == ("b", "a")


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_a_decision_asks_for_no_more_priors_than_its_limit(kit, limit):
    model = kit.Stub(kit.favouring("take lantern"))
    decision, client = kit.searched(kit.trap().new_initial_state(), model, cross_trial=0, ask_limit=limit)
    assert client.tally.calls == limit and decision.simulations == 150
    if not limit:
        assert {row.prior for row in decision.rows} == {1 / 3}


def test_what_was_asked_in_an_earlier_decision_does_not_count_against_the_limit(kit):
    model = kit.Stub(kit.favouring("take lantern", "light lantern"))
    agent = SearchAgent(0, 1, Settings(cross_trial=0, ask_limit=1), make_prior("verbalized"))
    client, state = Client(model), kit.trap().new_initial_state()
    result_of(agent.decide(state), client)
    assert client.tally.calls == 1
    result_of(agent.decide(state), client)  # the root's is known, so another one may be asked for
    assert client.tally.calls == 2


def test_the_seed_decides(kit):
    state = load_game("text_adventure(layout_seed=3)").bottleneck_state()
    rows = [kit.searched(state, prior="uniform", seed=seed)[0].rows for seed in (1, 1, 2)]
    assert rows[0] == rows[1] != rows[2]


def test_games_of_two_players_and_of_chance(kit):
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    won, _ = kit.searched(state, kit.Stub(kit.favouring("x(1,2)")), c_puct=2.0)
    assert won.name == "x(0,2)" and q_of(won)["x(0,2)"] == 1.0
    state.apply_action(8)  # now o must play there
    kept, _ = kit.searched(state, prior="uniform", c_puct=2.0, player=1)
    assert kept.name == "o(1,2)"  # it wins at once
    pig = load_game("pig(winscore=8)").new_initial_state()
    decision, _ = kit.searched(pig, prior="uniform", c_puct=2.0)
    assert decision.name in ("roll", "stop") and sum(row.visits for row in decision.rows) == 100


def test_an_unreadable_answer_is_the_uniform_prior_and_counted(kit):
    state = kit.trap().new_initial_state()
    decision, client = kit.searched(state, kit.Stub(lambda prompt: "I would rather not say."), cross_trial=0)
    plain, _ = kit.searched(state, prior="uniform", cross_trial=0)
    assert decision.rows == plain.rows
    assert decision.tally.unreadable == decision.tally.calls > 0


def test_a_model_without_logprobs_is_named(kit):
    with pytest.raises(LanguageModelError, match="stub gave no log-probabilities.*prior=verbalized"):
        kit.searched(kit.trap().new_initial_state(), kit.Stub(kit.favouring("go down")), prior="logprobs")


@pytest.mark.parametrize(
    "values, said",
    [
        ({"simulations_per_action": 0}, "simulations_per_action: expected at least 1, found 0"),
        ({"max_depth": 9}, "max_depth: expected at least 10, found 9"),
        ({"discount": 1.5}, "discount: expected at most 1"),
        ({"q": "max"}, "expected one of mean, softmax"),
        ({"scale": "score"}, "scale: expected one of rewards, range, found 'score'"),
        ({"c_puct": float("nan")}, "c_puct"),
        ({"ask_depth": -1}, "ask_depth"),
        ({"wave": 0}, "wave"),
    ],
)
def test_settings_out_of_range(values, said):
    with pytest.raises(ValueError, match=said):
        Settings(**values)
