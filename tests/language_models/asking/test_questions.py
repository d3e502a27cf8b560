"""Questions with their checks, sessions that number them, repairs, and conversations."""

from __future__ import annotations

import functools
import json

import pytest

from language_models import Completion, Image, Message
from language_models.asking.conversation import Conversation
from language_models.asking.questions import Checked, Question, Reply, ask, ask_together, parsed_by
from language_models.asking.repairs import ask_with_repairs
from language_models.asking.session import CALLS_PER_RUN, LAST_RUN, Session


def test_a_question_is_one_user_message_and_its_reply_is_checked(kit):
    picture = Image(b"png")
    question = Question.of("7", "sum", parsed_by(int), images=[picture], temperature=0.0, seed=3)
    request = question.request
    assert request.messages == (Message("user", "7", (picture,)),) and question.prompt == "7"
    assert (request.purpose, request.temperature, request.seed, request.n) == ("sum", 0.0, 3, 1)
    reply = ask(kit.OneByOne(), question)
    assert (reply.request, reply.text, reply.value, reply.fault) == (request, "7", 7, None)
    assert question.with_seed(5).request.seed == 5 and question.with_seed(5).check is question.check


def test_what_a_parser_refuses_is_the_fault(kit):
    one, other = ask_together(kit.Batched(), [Question.of(text, "sum", parsed_by(int)) for text in ("7", "x")])
    assert (one.value, one.fault) == (7, None)
    assert other.value is None and "'X'" in other.fault and other.text == "X"


def test_replies_are_in_the_order_of_the_questions(kit):
    questions = [Question.of(str(number), "p") for number in range(20)]
    for model in (kit.OneByOne(), kit.Batched()):
        assert [reply.text for reply in ask_together(model, questions)] == [str(n) for n in range(20)]


def test_equal_prompts_are_different_samples_and_known_ones_are_not_asked_again(kit, tmp_path):
    path = tmp_path / "calls.jsonl"
    questions = [Question.of("p", "tree 1"), Question.of("p", "tree 2")]
    model = kit.Batched()
    session = Session.kept(path, model, 3)
    first = session.ask_together(questions)
    assert [request.seed for request in model.requests] == [3 * CALLS_PER_RUN, 3 * CALLS_PER_RUN + 1]
    session.reply_to("q", "one more")
    assert model.requests[-1].seed == 3 * CALLS_PER_RUN + 2 and session.made == 3
    again = kit.Batched()
    assert Session.kept(path, again, 3).ask_together(questions) == first and again.requests == []
    assert len(path.read_text().splitlines()) == 3
    Session.kept(path, again, 4).ask_together(questions)
    assert len(again.requests) == 2


@pytest.mark.parametrize("strict", [True, False])
def test_files_of_earlier_versions_are_read(kit, tmp_path, strict):
    """As `calls.jsonl` was written before there were sessions."""
    path, seen = tmp_path / "calls.jsonl", kit.OneByOne()
    Session(seen, 2).reply_to("p", "policy p001, initial")
    row = {
        "key": seen.requests[0].key(),
        "purpose": "policy p001, initial",
        "reply": "kept",
        "model": "m",
        "prompt_tokens": None,
        "completion_tokens": 4,
    }
    path.write_text(json.dumps(row) + "\n")
    session = Session.kept(path, kit.OneByOne(fail_at=0), 2, strict=strict)
    assert session.reply_to("p", "policy p001, initial") == "kept"


def test_seeds_and_numbers_of_questions_have_a_limit(kit, monkeypatch):
    for seed in (-1, LAST_RUN + 1):
        with pytest.raises(ValueError, match="seed of a run: expected 0 to"):
            Session(kit.OneByOne(), seed)
    session = Session(kit.OneByOne(), LAST_RUN)
    session.made = CALLS_PER_RUN - 1
    session.reply_to("p", "the last one")
    with pytest.raises(ValueError, match="at most 100000 calls"):
        session.reply_to("p", "one too many")


class Counting:
    """Answers a prompt `text:n` with `n` and asks for less each time; keeps the batches."""

    name = "counting"

    def __init__(self):
        self.batches = []

    def complete_batch(self, requests):
        self.batches.append([request.messages[0].content for request in requests])
        return [
            [Completion(text.partition(":")[2], "stop", 1, 1, None, self.name)] for text in self.batches[-1]
        ]

    def complete(self, request):
        return self.complete_batch([request])[0]


def countdown(name, start):
    """Passes when the reply is 0; each repair asks for one less and shows the fault."""

    def check(text):
        return Checked(int(text), None if text == "0" else f"{text} is not 0")

    def draft(replies: list[Reply[int]]):
        if not replies:
            return Question.of(f"{name}:{start}", name, check)
        assert replies[-1].fault == f"{replies[-1].value} is not 0"
        return Question.of(f"{name}:{replies[-1].value - 1}", f"{name}, repair {len(replies)}", check)

    return draft


def test_what_fails_its_check_is_asked_again_together_with_the_others_that_do():
    model = Counting()
    drafts = [countdown("a", 1), countdown("b", 0), countdown("c", 9)]
    a, b, c = ask_with_repairs(functools.partial(ask_together, model), drafts, most=3)
    assert model.batches == [["a:1", "b:0", "c:9"], ["a:0", "c:8"], ["c:7"]]
    assert [reply.value for reply in a] == [1, 0] and a[-1].fault is None
    assert [reply.value for reply in b] == [0]
    assert [reply.fault for reply in c] == ["9 is not 0", "8 is not 0", "7 is not 0"]
    assert c[1].request.purpose == "c, repair 1"


def test_repairs_of_a_killed_run_go_on_where_they_were(tmp_path):
    path = tmp_path / "calls.jsonl"

    def run(model, most):
        return ask_with_repairs(Session.kept(path, model, 1).ask_together, [countdown("a", 3)], most)

    run(Counting(), 2)
    model = Counting()
    assert [reply.value for reply in run(model, 4)[0]] == [3, 2, 1, 0]
    assert model.batches == [["a:1"], ["a:0"]]


def test_nothing_to_repair_asks_nothing():
    model = Counting()
    assert ask_with_repairs(functools.partial(ask_together, model), [], most=3) == [] and model.batches == []


def test_a_conversation_ends_with_the_user(kit):
    said = Conversation.begun("Write.").continued("Here.", "It fails.").continued("Now?", "It still fails.")
    assert [message.role for message in said.messages] == ["user", "assistant", "user", "assistant", "user"]
    assert said.messages[-1].content == "It still fails."
    assert ask(kit.OneByOne(), Question(kit.request("x").__class__(said.messages))).text == "IT STILL FAILS."
