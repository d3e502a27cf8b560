"""The models that know nothing: answers drawn at random, and one answer to everything."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from arena.registry.games import load_game
from language_models import LanguageModelError, Message, Request, from_spec
from language_models.backends.null import Constant, Random, drawn, value
from language_models.grammars import Grammar, Json, OneOf, Repeated, Rule, Sequence
from language_models.scoring import can_score, score

MOVE = Sequence("ACTION: ", OneOf("north", "east", "south"))


def request(text="x", **fields):
    return Request((Message("user", text),), **fields)


def test_answers_have_the_form_and_each_alternative_is_equally_likely():
    texts = Counter(Random(3).complete(request(str(number), form=MOVE))[0].text for number in range(3000))
    assert set(texts) == {"ACTION: north", "ACTION: east", "ACTION: south"}
    assert stats.chisquare(list(texts.values())).pvalue > 1e-4


def test_a_request_is_answered_alike_and_other_seeds_and_samples_differently():
    asked = request(form=Repeated(OneOf("a", "b"), 30, 30), n=2)
    first, second = (completion.text for completion in Random(1).complete(asked))
    assert [first, second] == [completion.text for completion in from_spec("random:1").complete(asked)]
    assert len({first, second, Random(2).complete(asked)[0].text}) == 3


def test_a_grammar_that_holds_itself_comes_to_an_end():
    nested = Grammar(Rule("list"), (("list", Sequence("(", Repeated(Rule("list"), 0, 1), ")")),))
    for seed in range(50):
        text = Random(seed).complete(request(form=nested))[0].text
        assert re.fullmatch(r"\(+\)+", text) and text.count("(") == text.count(")")
    with pytest.raises(ValueError, match="no rule 'nothing'"):
        Random().complete(request(form=Rule("nothing")))


SCHEMA = {
    "type": "object",
    "required": ["numbers", "name", "kind", "sure", "none", "either"],
    "properties": {
        "numbers": {
            "type": "array",
            "minItems": 1,
            "maxItems": 3,
            "items": {"type": "integer", "minimum": 2, "exclusiveMaximum": 5},
        },
        "name": {"type": "string", "minLength": 2, "maxLength": 4},
        "kind": {"enum": ["a", 7]},
        "sure": {"type": "number", "minimum": 0.25, "maximum": 0.5},
        "none": {"type": "null"},
        "either": {"anyOf": [{"const": 1}, {"type": ["boolean"]}]},
        "left": {"type": "integer", "maximum": -3},
    },
}


def test_values_keep_to_their_schema():
    seen, lefts = set(), 0
    for seed in range(300):
        found = json.loads(Random(seed).complete(request(json_schema=SCHEMA))[0].text)
        lefts += "left" in found
        assert 1 <= len(found["numbers"]) <= 3 and set(found["numbers"]) <= {2, 3, 4}
        assert 2 <= len(found["name"]) <= 4 and found["kind"] in ("a", 7) and found["none"] is None
        assert 0.25 <= found["sure"] <= 0.5 and found["either"] in (1, True, False)
        assert found.get("left", -3) <= -3
        seen |= set(found["numbers"])
    assert seen == {2, 3, 4} and 100 < lefts < 200
    assert drawn(Json({"const": [1]}), None) == "[1]"
    with pytest.raises(ValueError, match="has no type"):
        value({"description": "anything"}, None)


def test_continuations_are_scored_at_random_or_alike(tmp_path):
    file = tmp_path / "answer.txt"
    file.write_text("fold\n")
    texts = ["fold", "call", "raise"]
    for model, alike in ((Random(), False), (Constant(str(file)), True)):
        assert can_score(model)
        logs = [scored.logprob for scored in score(model, request(), texts)]
        assert (len(set(logs)) == 1) == alike and max(logs) <= 0
        assert logs == [scored.logprob for scored in score(model, request(), texts)]


def test_one_answer_to_everything(tmp_path):
    file = tmp_path / "answer.txt"
    file.write_text("ACTION: x3\n")
    model = from_spec(f"constant:{file}")
    assert [c.text for c in model.complete(request("a", n=2)) + model.complete(request("b"))] == [
        "ACTION: x3"
    ] * 3
    file.write_text("")
    for path, words in ((file, "is empty"), (tmp_path / "none.txt", "cannot be read")):
        with pytest.raises(LanguageModelError, match=words):
            from_spec(f"constant:{path}")


def test_a_request_of_any_text_is_refused():
    with pytest.raises(
        LanguageModelError, match="draws answers of a given form, and the request for 'story' leaves any"
    ):
        Random().complete(request(purpose="story"))


@pytest.mark.parametrize(
    "game, bot",
    [
        ("tic_tac_toe", "llm_policy(llm=random)"),
        ("connect_four", "plap(llm=random:5)"),
        (
            "text_adventure(layout_seed=1)",
            "mcdml(llm=random,simulations_per_action=1,min_depth=2,max_depth=2,cross_trial=0)",
        ),
        (
            "text_adventure(layout_seed=1)",
            "mcdml(llm=random,prior=continuations,simulations_per_action=1,min_depth=2,max_depth=2,cross_trial=0)",
        ),
    ],
)
def test_methods_play_with_it(game, bot):
    from arena.registry.bots import make_bot

    loaded = load_game(game)
    state, seat = loaded.new_initial_state(), make_bot(bot, loaded, 0, 7)
    rng = np.random.default_rng(0)
    for _ in range(2):
        state.apply_action(seat.step(state))
        while not state.is_terminal() and state.current_player() != 0:
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert len(state.history()) >= 2
