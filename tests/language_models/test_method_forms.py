"""Every answer of the form that a method asks for is one that the method's own parser reads."""

import dataclasses
import math

import pytest

import arena  # noqa: F401  (registers games and bots)
from arena.bots import llm_policy
from arena.registry.games import load_game
from bt_policies.trees.vocabularies import GAMES, vocabulary_of
from bt_policies.writing import forms, replies
from games.micro_rts.rules import engine, maps
from games.micro_rts.rules.unit_tables import RESOURCE
from games.micro_rts.rules.units import EMPTY
from games.seeing import views
from language_models import Completion
from language_models.grammars import to_gbnf
from mcdml.asking import prompting
from mcdml.asking.priors import Query, make_prior, named_action
from mcdml.asking.situations import situation
from skill_planner import familiarity
from skill_planner.domains.connect_four.domain import ConnectFourDomain
from skill_planner.domains.micro_rts.domain import MicroRTSDomain
from skill_planner.planning import parser, planner
from skill_planner.planning.planner import Variant

SIX = ("tic_tac_toe", "connect_four", "breakthrough", "leduc_poker", "backgammon", "gin_rummy")


def first_decision(game):
    state = load_game(game).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    return state


class Asked:
    """Keeps the requests, answers with a text."""

    name = "asked"

    def __init__(self, text="2"):
        self.requests, self._text = [], text

    def complete(self, request):
        self.requests.append(request)
        return [Completion(self._text, "stop", 1, 1, None, "m")] * request.n


def test_the_form_is_not_in_the_key():
    request = planner.request(ConnectFourDomain(), Variant(k=6), first_decision("connect_four"), 0, 1)
    assert request.form is not None and dataclasses.replace(request, form=None).key() == request.key()


@pytest.mark.parametrize("game", SIX)
def test_moves_by_name(game, texts_of_form):
    state = first_decision(game)
    player = state.current_player()
    legal = views.view(state, player).legal
    named = {llm_policy.action_of(text) for text in texts_of_form(llm_policy.form(legal))}
    assert None not in named and {views.action_from_name(state, name) for name in named} <= set(
        state.legal_actions()
    )
    assert to_gbnf(llm_policy.form(legal)).startswith('root ::= ("ACTION: " ')
    # Where the agent is not shown the legal actions, the form does not tell them either.
    assert all(
        llm_policy.action_of(text)
        for text in texts_of_form(llm_policy.form(None))
        if text[8:].strip("*_` \t\r\x0b\x0c")
    )
    assert legal[0] not in to_gbnf(llm_policy.form(None))


def test_llm_policy_asks_for_its_form():
    state = first_decision("connect_four")
    for legal, tokens in ((True, None), (False, 16)):
        model = Asked("ACTION: x3")
        bot = llm_policy.LlmPolicyBot(state.get_game(), 0, 3, model=model, show_legal=legal, max_tokens=tokens)
        assert bot.step(state) == 3
        [request] = model.requests
        assert request.form == llm_policy.form(views.view(state, 0).legal if legal else None)
        assert request.max_tokens == tokens


@pytest.mark.parametrize("game", ["tic_tac_toe", "text_adventure(layout_seed=1000)"])
def test_actions_by_number(game, texts_of_form):
    here = situation(first_decision(game), ())
    for request in (
        prompting.policy_request(here, ()),
        prompting.index_request(here, (), samples=2, temperature=1.0, top_logprobs=None),
    ):
        numbers = [named_action(text, here) for text in texts_of_form(request.form)]
        assert set(numbers) <= set(range(1, len(here.actions) + 1)) and len(set(numbers)) > 1
    assert prompting.index_request(here, (), samples=1, temperature=0.0, top_logprobs=20).form is None


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("revised", [False, True])
def test_trees(game, revised, texts_of_form):
    vocabulary = vocabulary_of(game)
    task = (
        next(word.name for word in vocabulary.actions.values() if not word.takes)
        if any(not word.takes for word in vocabulary.actions.values())
        else None
    )
    old = f"selector:\n  task: {task}\n" if revised and task else None
    to_gbnf(forms.tree_reply(vocabulary, old is not None))
    for text in texts_of_form(forms.tree_reply(vocabulary, old is not None)):
        reply = replies.read(text, vocabulary, old)
        assert reply.tree is not None or "found the same" in reply.fault, (text, reply.fault)
        assert reply.target is None and len(reply.think) == 1


@pytest.mark.parametrize("player", [0, 1])
def test_plans(player, texts_of_form):
    board = engine.State(maps.load("basesWorkers8x8"), 1)
    for domain, state in (
        (ConnectFourDomain(), first_decision("connect_four")),
        (MicroRTSDomain(load_game("micro_rts")), board),
    ):
        form = parser.form(domain, state, player)
        to_gbnf(form)
        seen = set()
        for text in texts_of_form(form):
            plan = parser.parse(text, domain, state, player)
            assert plan.steps and not plan.dropped, plan.dropped
            seen |= {step.skill.name for step in plan.steps}
        assert seen == {skill.name for skill in domain.skills}


def test_a_plan_without_fields_harvests_none():
    board = engine.State(maps.load("basesWorkers8x8"), 1)
    domain = MicroRTSDomain(load_game("micro_rts"))
    assert "[Harvest Mineral]" in to_gbnf(parser.form(domain, board, 0))
    for unit in [unit for unit in board.units.values() if unit.type == RESOURCE]:
        del board.units[unit.id]
        board.at[unit.cell] = EMPTY
    assert "[Harvest Mineral]" not in to_gbnf(parser.form(domain, board, 0))


def test_the_quiz(texts_of_form):
    model = Asked("45")
    familiarity.ask(model, familiarity.QUESTIONS[5:6])
    texts = texts_of_form(model.requests[0].form)
    assert "unknown" in texts and all(text == "unknown" or text.isdigit() for text in texts)


def test_priors_by_continuations():
    """Given that it is one of the valid actions: 1/2, 1/3 and 1/6 of .06, then the paper's softmax."""
    here = situation(first_decision("tic_tac_toe"), ())._replace(
        actions=("north", "east", "south"), numbers=(0, 1, 2)
    )
    prior = make_prior("continuations", temperature=1.0)
    request = prior.request(Query(here))
    assert request.continuations == here.actions and request.n == 3
    assert "Reply with the action only." in request.messages[-1].content
    shares = {"north": (0.3, 0.1), "east": (0.02,), "south": (0.01,)}
    completions = [
        Completion(
            text, "stop", 1, 1, [{"token": text, "logprob": math.log(p), "top": []} for p in shares[text]], "m"
        )
        for text in request.continuations
    ]
    reading = prior.read(Query(here), completions)
    assert reading.readable and reading.probabilities == pytest.approx([1 / 2, 1 / 3, 1 / 6])
