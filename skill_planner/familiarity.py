"""Asks how familiar a language model is with MicroRTS, beside StarCraft II.

    python -m skill_planner.familiarity --llm=gemini:gemini-2.5-flash --json=familiarity.json

Five questions each, those of the paper's appendix VII-B, asked without any help (section V-C, figure 6).
The answers for MicroRTS are those of its original unit table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from arena.registry.specs import split_specs
from games.micro_rts.rules.unit_tables import BARRACKS, BASE, LIGHT, ORIGINAL, RANGED, TABLES
from language_models import LanguageModel, from_spec
from language_models.asking.questions import Question, ask_together
from language_models.grammars import Characters, Grammar, OneOf
from runs import cli, flags
from runs.tables import text_table
from skill_planner.planning.planner import MAX_TOKENS, render


class QuizQuestion(NamedTuple):
    """A question about a game whose answer is a number."""

    game: str
    text: str
    answer: int


_TABLE = TABLES[ORIGINAL]
QUESTIONS = (
    QuizQuestion(
        "MicroRTS", "How many time units does it take to build the Base in MicroRTS?", _TABLE[BASE].build_time
    ),
    QuizQuestion("MicroRTS", "How many hit points does the Barracks have in MicroRTS?", _TABLE[BARRACKS].hp),
    QuizQuestion(
        "MicroRTS", "How many resources does it cost to build the Light in MicroRTS?", _TABLE[LIGHT].cost
    ),
    QuizQuestion(
        "MicroRTS", "How many time units does it take to build the Light in MicroRTS?", _TABLE[LIGHT].build_time
    ),
    QuizQuestion(
        "MicroRTS", "How much damage does the attack of the Ranged do in MicroRTS?", _TABLE[RANGED].damage[0]
    ),
    QuizQuestion("StarCraft II", "How many hit points does the Terran SCV have in StarCraft II (SC2)?", 45),
    QuizQuestion("StarCraft II", "How many hit points does the Zerg Viper have in StarCraft II (SC2)?", 150),
    QuizQuestion("StarCraft II", "How many hit points does the Terran Thor have in StarCraft II (SC2)?", 400),
    QuizQuestion(
        "StarCraft II", "How many transport slots does the Medivac dropship have in StarCraft II (SC2)?", 8
    ),
    QuizQuestion(
        "StarCraft II",
        "How many minerals does it cost to produce a Stalker of the Protoss in StarCraft II (SC2)?",
        125,
    ),
)


def is_right(question: QuizQuestion, reply: str) -> bool:
    """Returns whether the reply's only number, or the first of several, is the answer."""
    found = re.search(r"-?\d+(?:,\d{3})*(?:\.\d+)?", reply)
    return found is not None and float(found[0].replace(",", "")) == question.answer


def ask(model: LanguageModel, questions: Sequence[QuizQuestion] = QUESTIONS) -> list[dict[str, Any]]:
    """Asks each question by itself; returns `game`, `question`, `answer`, `reply`, `right` of each.

    Raises:
      LanguageModelError: the model failed.
    """
    asked = [
        Question.of(
            render("question.j2", question=question.text),
            f"familiarity with {question.game}",
            temperature=0.0,
            max_tokens=MAX_TOKENS,
            form=OneOf("unknown", Grammar(Characters("0-9", 1, 6), ())),
        )
        for question in questions
    ]
    return [
        {
            "game": question.game,
            "question": question.text,
            "answer": question.answer,
            "reply": reply.text,
            "right": is_right(question, reply.text),
        }
        for question, reply in zip(questions, ask_together(model, asked), strict=True)
    ]


def accuracy(answers: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Returns the share of right answers by game."""
    games = dict.fromkeys(entry["game"] for entry in answers)
    return {
        game: sum(entry["right"] for entry in answers if entry["game"] == game)
        / sum(entry["game"] == game for entry in answers)
        for game in games
    }


def _define_flags() -> None:
    flags.llm(several=True)
    flags.json("the answers")
    flags.record()


def main() -> None:
    """Runs the command; see the module's docstring."""
    F = flags.FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    specs = split_specs(F.llm)
    if F.record and len(specs) > 1:
        raise ValueError(
            f"--record: a file holds the answers of one model, found {len(specs)} in --llm; run them one by one"
        )
    models = [from_spec(spec, record_to=F.record, note="familiarity with MicroRTS") for spec in specs]
    results = {}
    for spec, model in zip(specs, models):
        answers = ask(model)
        results[model.name if spec == "auto" else spec] = {"accuracy": accuracy(answers), "answers": answers}
    games = list(dict.fromkeys(question.game for question in QUESTIONS))
    if output:
        cli.write_text(output, json.dumps(results, indent=2, allow_nan=False) + "\n")
    print(
        text_table(
            [
                ["model", *games],
                *(
                    [spec, *(f"{result['accuracy'][game]:.0%}" for game in games)]
                    for spec, result in results.items()
                ),
            ]
        )
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
