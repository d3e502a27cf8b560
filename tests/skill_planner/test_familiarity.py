"""The questions and answers: the paper's numbers, and how replies are read."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from skill_planner import familiarity
from tests.runs import warm


def test_answers_are_those_of_the_wikis():
    """MicroRTS's wiki (table of unit types) and StarCraft II's (liquipedia)."""
    assert [question.answer for question in familiarity.QUESTIONS] == [250, 4, 2, 80, 1, 45, 150, 400, 8, 125]


@pytest.mark.parametrize(
    "reply, right",
    [
        ("250", True),
        ("**250** time units", True),
        ("It takes 250.", True),
        ("250.0", True),
        ("2500", False),
        ("unknown", False),
        ("", False),
        ("200 or 250", False),
    ],
)
def test_replies_are_read_as_numbers(reply, right):
    assert familiarity.is_right(familiarity.QUESTIONS[0], reply) == right


def test_accuracy_by_game(stub):
    model = stub(lambda prompt: "45" if "SCV" in prompt else "4")
    answers = familiarity.ask(model)
    assert familiarity.accuracy(answers) == {"MicroRTS": 0.2, "StarCraft II": 0.2}
    assert len({request.key() for request in model.requests}) == 10
    assert all("250" not in request.messages[0].content for request in model.requests)


def test_a_recording_is_of_one_model(stub, monkeypatch, capsys):
    asked = []

    def make(spec, **options):
        asked.append((spec, options["record_to"]))
        return stub(lambda prompt: "unknown")

    monkeypatch.setattr(familiarity, "from_spec", make)
    given = SimpleNamespace(llm="gemini:one", json=None, record="answers.jsonl")
    monkeypatch.setattr(familiarity.flags, "FLAGS", given)
    familiarity.main()
    assert asked == [("gemini:one", "answers.jsonl")]
    table = capsys.readouterr().out.split()
    assert table[-3:] == ["gemini:one", "0%", "0%"]
    given.llm = "gemini:one,gemini:two"
    with pytest.raises(ValueError, match="--record: .* found 2 in --llm"):
        familiarity.main()


def test_the_command_keeps_the_answers(tmp_path):
    done = warm.run("skill_planner.familiarity", "--llm=recorded", f"--json={tmp_path / 'kept.json'}")
    assert done.returncode == 0, done.stderr
    (kept,) = json.loads((tmp_path / "kept.json").read_text()).values()
    assert [answer["game"] for answer in kept["answers"]] == [one.game for one in familiarity.QUESTIONS]
    for game, share in kept["accuracy"].items():
        right = [answer["right"] for answer in kept["answers"] if answer["game"] == game]
        assert share == sum(right) / len(right) and f"{share:.0%}" in done.stdout
