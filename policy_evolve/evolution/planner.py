"""The Policy Planner: new policies from nothing, from the best ones, or from an attempt and its reflection;
and the debug module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from language_models import program_of
from language_models.asking.questions import Checked, Question, Reply
from language_models.asking.repairs import ask_with_repairs
from language_models.asking.session import Session
from policy_evolve.evolution.prompting import Prompts
from policy_evolve.evolution.smoke_run import Trials
from policy_evolve.policies.program import Program

NO_PROGRAM = "The answer holds no block that starts with ```python and ends with ```."


@dataclass(frozen=True)
class Written:
    """The planner's result: `program` is the last one written, None where no answer held any; `fault` is what
    is still wrong with it, None if it runs; `debugged` counts the calls of the debug module.
    """

    program: Program | None
    fault: str | None
    debugged: int


def write(
    name: str, prompt: str, purpose: str, session: Session, prompts: Prompts, trials: Trials, max_debug: int
) -> Written:
    """Asks for a policy, and for corrections until it runs or `max_debug` of them have been asked for."""
    return write_together({name: (prompt, purpose)}, session, prompts, trials, max_debug)[name]


def write_together(
    asked: Mapping[str, tuple[str, str]], session: Session, prompts: Prompts, trials: Trials, max_debug: int
) -> dict[str, Written]:
    """Asks for several policies, the questions going out together, and for corrections as `write` does.

    Args:
      asked: the prompt and the purpose of each, by the policies' names.
    """

    def draft_of(name: str, prompt: str, purpose: str) -> Callable[[Sequence[Reply]], Question]:
        def check(text: str) -> Checked[Program | None]:
            source = program_of(text)
            if source is None:
                return Checked(None, NO_PROGRAM)
            program = Program(name, source)
            return Checked(program, trials.fault(program))

        def draft(replies: Sequence[Reply[Program | None]]) -> Question[Program | None]:
            if not replies:
                return Question.of(prompt, purpose, check)
            last = replies[-1]
            source = None if last.value is None else last.value.source
            return Question.of(
                prompts.debug(last.fault, source, last.text), f"{purpose}, debug {len(replies)}", check
            )

        return draft

    drafts = [draft_of(name, *question) for name, question in asked.items()]
    replied = ask_with_repairs(session.ask_together, drafts, max_debug + 1)
    return {
        name: Written(replies[-1].value, replies[-1].fault, len(replies) - 1)
        for name, replies in zip(asked, replied, strict=True)
    }
