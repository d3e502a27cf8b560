"""The prior by words, and prompts in an order by seed."""

from __future__ import annotations

import numpy as np
import pytest

from arena.registry.games import load_game
from language_models import Completion
from language_models.asking.client import Client
from language_models.asking.lockstep import result_of
from mcdml.agents.agents import PolicyAgent, SearchAgent
from mcdml.asking.asked import SHRINKAGE, Asked
from mcdml.asking.priors import Query, ReorderedPrior, make_prior
from mcdml.asking.situations import reordered, situation
from mcdml.search.settings import Settings


def test_before_the_first_answer_the_prior_by_words_is_uniform():
    assert Asked().prior(("go north", "drop hat")) == pytest.approx([0.5, 0.5])


def test_a_name_counts_for_itself_and_its_first_word_for_others():
    asked = Asked()
    asked.learn("one", ("go north", "drop hat"), np.array([0.9, 0.1]))
    north, south, hat, coat, wait = asked.prior(("go north", "go south", "drop hat", "drop coat", "wait"))
    assert north > south > wait > coat > hat
    # By hand: log(.9 * 2) with one answer for the verb, shrunk; "wait" has 0.
    verb = np.log(1.8) / (1 + SHRINKAGE)
    assert south / wait == pytest.approx(np.exp(verb * SHRINKAGE / SHRINKAGE))
    assert north / wait == pytest.approx(np.exp((np.log(1.8) + SHRINKAGE * verb) / (1 + SHRINKAGE)))


def test_a_request_counts_once():
    once, twice = Asked(), Asked()
    for asked, times in ((once, 1), (twice, 2)):
        for _ in range(times):
            asked.learn("one", ("go north", "drop hat"), np.array([0.9, 0.1]))
    names = ("go north", "wait")
    assert once.prior(names) == pytest.approx(twice.prior(names))


def test_an_order_by_seed_keeps_names_with_their_numbers_and_places():
    here = situation(load_game("text_adventure(layout_seed=3)").new_initial_state(), ())
    orders = set()
    for seed in range(20):
        there, places = reordered(here, seed)
        assert [here.actions[place] for place in places] == list(there.actions)
        assert dict(zip(there.actions, there.numbers)) == dict(zip(here.actions, here.numbers))
        assert reordered(here, seed)[0] == there
        orders.add(there.actions)
    assert len(orders) > 1


def test_a_prior_in_another_order_says_the_same_of_each_action(kit):
    query = Query(situation(load_game("text_adventure(layout_seed=3)").bottleneck_state(), ()))
    plain = make_prior("verbalized")
    stub = kit.Stub(kit.favouring("go down"))
    told = plain.read(query, stub.complete(plain.request(query))).probabilities
    assert told[query.situation.actions.index("go down")] == told.max() > 0.5
    for seed in range(5):
        other = ReorderedPrior(plain, seed)
        assert other.asks and other.remembers
        found = other.read(query, stub.complete(other.request(query))).probabilities
        assert found == pytest.approx(told)
    assert len({request.key() for request in stub.requests}) > 1


class Naming:
    """Answers every request by the number of the action with this name."""

    name = "naming"

    def __init__(self, action):
        self.action, self.prompts = action, []

    def complete(self, request):
        prompt = request.messages[-1].content
        self.prompts.append(prompt)
        [line] = [line for line in prompt.splitlines() if line.endswith(f". {self.action}")]
        return [Completion(line.partition(".")[0], "stop", 1, 1, None, "naming")]


def test_the_model_as_policy_plays_what_it_named_whatever_the_order():
    state = load_game("text_adventure(layout_seed=3)").bottleneck_state()
    prompts = set()
    for seed in range(10):
        model = Naming("go down")
        decision = result_of(PolicyAgent(seed, reorders=True).decide(state), Client(model))
        assert decision.name == "go down" and state.action_to_string(0, decision.action) == "go down"
        prompts.update(model.prompts)
    assert len(prompts) > 1


def test_where_nothing_may_be_asked_words_of_earlier_answers_lead_the_search(kit):
    """The limit is one request: below the root the prior by words takes over, and a node of equal Q is not played at random."""
    state = load_game("text_adventure(layout_seed=3)").bottleneck_state()
    visits = {}
    for unasked in ("uniform", "words"):
        settings = Settings(
            cross_trial=0, ask_limit=1, unasked=unasked, leaf="zero", scale="range", c_puct=2.0, choice="both"
        )
        agent = SearchAgent(0, 1, settings, make_prior("verbalized"))
        stub = kit.Stub(kit.favouring("go down"))
        visits[unasked] = result_of(agent.decide(state), Client(stub)).rows
        assert sum(stub.batches) == 1
    assert visits["uniform"] != visits["words"]


def test_of_equal_values_the_most_visited_is_played(kit):
    story = {"a": (0, {"x": (0, "won")}), "b": (0, {"x": (0, "won")}), "c": (0, {"x": (0, "won")})}
    played = {"both": set(), "value": set()}
    for choice, names in played.items():
        for seed in range(12):
            state = kit.TreeGame(story).new_initial_state()
            settings = Settings(
                cross_trial=0, leaf="zero", choice=choice, simulations_per_action=10, c_puct=2.0
            )
            agent = SearchAgent(0, seed, settings, make_prior("verbalized", temperature=5.0))
            names.add(result_of(agent.decide(state), Client(kit.Stub(kit.favouring("b")))).name)
    assert played["both"] == {"b"} and len(played["value"]) > 1
