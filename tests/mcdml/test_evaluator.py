"""The evaluator in OpenSpiel's searches, and the bots made of it."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from arena.matches.forfeit import Unplayable
from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from games import rules
from language_models.asking.client import Client
from mcdml.asking.priors import make_prior
from mcdml.search.evaluator import LanguageModelEvaluator, near, read_values


def silent(prompt):
    """Names no action: every prior is uniform; and reflects in the same words."""
    return "No comment."


def moved(game, *actions):
    state = load_game(game).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def tree(node):
    return (
        node.action,
        node.prior,
        node.explore_count,
        node.total_reward,
        [tree(child) for child in node.children],
    )


@pytest.mark.parametrize(
    "game, actions",
    [("connect_four", (3, 3, 2)), ("gen_tic_tac_toe(size=3,length=3)", (4,)), ("pig(winscore=10)", ())],
)
@pytest.mark.parametrize("rule", [mcts.SearchNode.puct_value, mcts.SearchNode.uct_value])
def test_with_a_uniform_model_mcts_is_openspiels(game, actions, rule, kit):
    state = moved(game, *actions)

    def search(make_evaluator):
        rng = np.random.RandomState(7)
        evaluator = make_evaluator(rng)
        bot = mcts.MCTSBot(state.get_game(), 2.0, 120, evaluator, random_state=rng, child_selection_fn=rule)
        return tree(bot.mcts_search(state)), evaluator

    plain, _ = search(lambda rng: mcts.RandomRolloutEvaluator(2, rng))
    model = kit.Stub(silent)
    for prior in ("uniform", "verbalized"):

        def make_evaluator(rng, prior=prior):
            made = LanguageModelEvaluator(Client(model), make_prior(prior), n_rollouts=2, random_state=rng)
            made.restart(state)
            return made

        ours, evaluator = search(make_evaluator)
        assert ours == plain
    assert evaluator.tally.unreadable > 5 and len(set(model.keys())) == len(model.requests)


def test_with_a_uniform_model_ismcts_is_openspiels(kit):
    state = moved("leduc_poker", 0, 3)

    def policy(make_evaluator):
        rng = np.random.RandomState(3)
        bot = ismcts.ISMCTSBot(
            state.get_game(),
            make_evaluator(rng),
            2.0,
            200,
            random_state=rng,
            child_selection_policy=ismcts.ChildSelectionPolicy.PUCT,
            final_policy_type=ismcts.ISMCTSFinalPolicyType.NORMALIZED_VISITED_COUNT,
        )
        bot.set_resampler(lambda s, player: s.resample_from_infostate(player, rng.uniform))
        return sorted(bot.get_policy(state))

    plain = policy(lambda rng: mcts.RandomRolloutEvaluator(1, rng))
    ours = policy(
        lambda rng: LanguageModelEvaluator(Client(kit.Stub(silent)), make_prior("verbalized"), random_state=rng)
    )
    assert ours == plain


def test_a_world_model_is_shown_with_the_rules_of_its_game(kit):
    model = kit.Stub(kit.favouring("x(2,2)"))
    LanguageModelEvaluator(Client(model), make_prior("verbalized")).prior(moved("cwm(model=gen_tic_tac_toe/0)"))
    assert rules("gen_tic_tac_toe").strip() in model.requests[0].messages[-1].content


def test_the_prior_is_the_models(kit):
    state = moved("connect_four")
    evaluator = LanguageModelEvaluator(Client(kit.Stub(kit.favouring("x3"))), make_prior("verbalized"))
    prior = dict(evaluator.prior(state))
    assert list(prior) == list(range(7)) and max(prior, key=prior.get) == 3
    assert sum(prior.values()) == pytest.approx(1)
    dice = moved("pig(winscore=10)", 0)
    assert dice.is_chance_node() and evaluator.prior(dice) == dice.chance_outcomes()


def test_lost_rollouts_are_reflected_upon_and_shown(kit):
    state = moved("connect_four", 3, 3)
    number = iter(range(100))
    model = kit.Stub(lambda prompt: f"Lesson {next(number)}." if "one sentence" in prompt else "1")
    evaluator = LanguageModelEvaluator(
        Client(model), make_prior("verbalized"), cross_trial=2, random_state=np.random.RandomState(0)
    )
    for _ in range(30):
        evaluator.evaluate(state)
    assert evaluator.reflections == ()  # nobody's losses before restart
    evaluator.restart(state)
    for _ in range(30):
        evaluator.evaluate(state)
    assert evaluator.reflections == ("Lesson 0.", "Lesson 1.")
    evaluator.prior(state)
    assert "- Lesson 0.\n- Lesson 1." in model.requests[-1].messages[-1].content
    lost = next(r for r in model.requests if "reflection" in r.purpose).messages[-1].content
    assert len(re.findall(r"^> ", lost, re.MULTILINE)) == 5


def test_the_models_estimate_of_the_value(kit):
    state = moved("leduc_poker", 0, 3)
    model = kit.Stub(lambda prompt: '{"values": [0.5, -0.5]}')
    evaluator = LanguageModelEvaluator(Client(model), make_prior("uniform"), value="model")
    # Utilities of leduc_poker lie from -13 to 13.
    assert evaluator.evaluate(state) == pytest.approx([6.5, -6.5])
    assert evaluator.evaluate(state) == pytest.approx([6.5, -6.5]) and len(model.requests) == 1
    silenced = LanguageModelEvaluator(
        Client(kit.Stub(silent)), make_prior("uniform"), value="model", random_state=np.random.RandomState(1)
    )
    assert silenced.evaluate(state).sum() == 0 and silenced.tally.unreadable == 1


@pytest.mark.parametrize(
    "reply, values",
    [
        ('{"values": [1, -1]}', [1, -1]),
        ('ok {"values": [3, -0.25]}', [1, -0.25]),
        ('{"values": [1]}', None),
        ('{"values": [1, null]}', None),
        ('{"values": [1, NaN]}', None),
        ('{"values": 1}', None),
        ("1", None),
    ],
)
def test_read_values(reply, values):
    assert read_values(reply, 2) == values


def test_evaluators_out_of_range():
    for values, said in (
        ({"n_rollouts": 0}, "n_rollouts"),
        ({"value": "net"}, "rollouts or model"),
        ({"ask_depth": -1}, "ask_depth"),
        ({"cross_trial": -1}, "cross_trial"),
    ):
        with pytest.raises(ValueError, match=said):
            LanguageModelEvaluator(Client(None), make_prior("uniform"), **values)


def test_states_near_a_root():
    assert len(list(near([moved("tic_tac_toe")], 2))) == 1 + 9 + 72
    states = list(near([moved("leduc_poker")], 0))  # all deals of two cards out of six
    assert len(states) == 30 and not any(state.is_chance_node() for state in states)


@pytest.fixture
def shipped(monkeypatch, kit):
    """A model behind every spec."""

    def use(answer, calls=None):
        model = kit.Stub(answer, calls)
        monkeypatch.setattr("mcdml.asking.clients.from_spec", lambda spec, **options: model)
        return model

    return use


def test_asking_ahead_is_one_batch_for_a_move(shipped, kit):
    model = shipped(kit.favouring("x3"))
    state = moved("connect_four", 3, 3)
    bot = make_bot(
        "llm_mcts(simulations=60,ask_depth=2,prefetch_depth=1,cross_trial=0)", state.get_game(), 0, 1
    )
    bot.step(state)
    assert model.batches == [1 + 7]
    notes = bot.notes()
    assert notes["tally"]["calls"] == 8 and notes["tally"]["hits"] > 0
    assert sum(row["visits"] for row in notes["rows"]) == 59  # the first simulation only expands the root
    assert [row["action"] for row in notes["rows"]] == [f"x{column}" for column in range(7)]
    json.dumps(notes)


def test_no_peeking_at_the_other_card(shipped, kit):
    asked = []
    for other in (2, 3, 4, 5):
        model = shipped(kit.favouring("Raise"))
        state = moved("leduc_poker", 0, other)
        bot = make_bot("llm_ismcts(simulations=80,prefetch_depth=1)", state.get_game(), 0, 1)
        asked.append((bot.step(state), bot.notes()["rows"], model.keys()))
    assert all(found == asked[0] for found in asked)


@pytest.mark.parametrize(
    "game, bot",
    [
        ("connect_four", "llm_mcts(simulations=8,rollouts=1)"),
        ("gen_tic_tac_toe(size=3,length=3)", "llm_mcts(simulations=8,value=model)"),
        ("leduc_poker", "llm_ismcts(simulations=8)"),
        ("leduc_poker", "llm_ismcts(simulations=8,prior=uniform)"),
    ],
)
def test_the_bots_play_in_the_arena(game, bot, shipped, kit):
    shipped(kit.favouring("Raise", "x3", "o3"))
    records = [play_match(game, [bot, "random"], 5) for _ in range(2)]
    assert records[0].forfeit is None
    assert [move.action for move in records[0].moves] == [move.action for move in records[1].moves]


@pytest.mark.parametrize(
    "game, bot, said",
    [
        ("leduc_poker", "llm_mcts", "choose llm_ismcts"),
        ("connect_four", "llm_ismcts", "e.g. llm_mcts"),
        ("connect_four", "llm_mcts(simulations=1)", "at least 2"),
        ("matching_pennies_3p", "llm_mcts", "move at once; choose smcts"),
        ("text_adventure", "llm_mcts", "pays during play"),
        ("connect_four", "llm_mcts(prior=best)", "expected one of"),
        ("connect_four", "llm_mcts(prefetch_depth=-1)", "prefetch_depth"),
    ],
)
def test_bots_refuse(game, bot, said, shipped):
    shipped(silent)
    with pytest.raises(ValueError, match=said):
        make_bot(bot, load_game(game), 0, 1)


def test_a_failing_model_voids_the_match(shipped):
    shipped(silent, calls=0)
    for name in ("llm_mcts(simulations=5)", "mcdml", "mcdml_llm_policy", "reflection_agent"):
        bot = make_bot(name, load_game("connect_four"), 0, 1)
        with pytest.raises(Unplayable, match="the stub is tired"):
            bot.step(moved("connect_four"))
