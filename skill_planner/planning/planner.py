"""The skill planner of the paper's sections IV-A and IV-B: prompt, request, plan.

Templates lie in `prompts/`. A changed prompt no longer matches the recordings that ship with the suite, so
a change here means recording again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from language_models import Request
from language_models.asking.questions import Question
from language_models.asking.templates import Templates
from skill_planner.planning import parser
from skill_planner.planning.skills import Domain, Dropped

MAX_TOKENS = 256
INTERVAL = 100
"""The paper's k: game steps from one plan to the next."""
PAPER = "paper"
"""The name of the library of skills that the paper has."""

_TEMPLATES = Templates("skill_planner.planning")


def render(template: str, **fields: Any) -> str:
    """Returns a template of `prompts/` with its fields filled in."""
    return _TEMPLATES.render(template, **fields).strip()


class Past(NamedTuple):
    """What a player remembers of its last plan.

    Attributes:
      state: the state that the plan was made for; None before the first one.
      lines: its valid lines.
      dropped: the lines of the reply that were no valid skills.
    """

    state: Any = None
    lines: Sequence[str] = ()
    dropped: Sequence[Dropped] = ()


class Variant(NamedTuple):
    """The way in which the planner is prompted.

    Attributes:
      shots: examples shown, from 0 (zero-shot) on.
      tips: whether an expert's tips are shown.
      feedback: whether the dropped lines of the last reply are shown, and what has come of it where the domain has
        words for that.
      opponent_model: whether the prompt says what the opponent has done and what that suggests.
      k: game steps from one plan to the next.
      coded_skills: file of a module with further skills (see `coded`), or None.
      skills: the library of skills, one of those that the domain has (MicroRTS: paper, squads).
    """

    shots: int = 2
    tips: bool = True
    feedback: bool = False
    opponent_model: bool = False
    k: int = INTERVAL
    coded_skills: str | None = None
    skills: str = PAPER

    def label(self) -> str:
        """Returns a name for tables: "zero", "few+tips", ..."""
        parts = ["few" if self.shots else "zero"]
        parts += [
            name
            for name, is_on in (
                ("tips", self.tips),
                ("feedback", self.feedback),
                ("opponent", self.opponent_model),
                ("coded", self.coded_skills),
                (self.skills, self.skills != PAPER),
            )
            if is_on
        ]
        return "+".join(parts)

    def check(self, domain: Domain) -> None:
        """Raises ValueError where a value is out of range for this game."""
        if not 0 <= self.shots <= len(domain.examples):
            raise ValueError(
                f"shots: expected 0 to {len(domain.examples)}, the number of examples of "
                f"{domain.name}, found {self.shots}"
            )
        if self.k < 1:
            raise ValueError(f"k: expected an interval of 1 or more {domain.unit_of_time}, found {self.k}")


def prompt(domain: Domain, variant: Variant, state: Any, player: int, past: Past = Past()) -> str:
    """Returns the prompt, D_t of equation (1)."""
    report = ""
    if variant.feedback and past.state is not None:
        report = domain.report(past.state, state, player)
    return render(
        "plan.j2",
        instruction=domain.instruction(),
        manual=domain.manual(),
        skills=domain.skills,
        conditions=domain.conditions and domain.conditions.description,
        start=parser.START,
        end=parser.END,
        sample=domain.sample_plan(),
        k=variant.k,
        unit_of_time=domain.unit_of_time,
        examples=domain.examples[: variant.shots],
        tips=domain.tips if variant.tips else (),
        situation=domain.situation(state, player),
        opponent=domain.opponent(state, player) if variant.opponent_model else "",
        report=report,
        last_plan=past.lines,
        dropped=past.dropped if variant.feedback else (),
        closing=domain.closing(state, player),
    )


def request(
    domain: Domain, variant: Variant, state: Any, player: int, seed: int, past: Past = Past()
) -> Request:
    """Returns the request to the language model at a state. `seed` tells independent matches apart in the
    recordings.
    """
    return Question.of(
        prompt(domain, variant, state, player, past),
        f"plap {variant.label()} in {domain.name}, {domain.unit_of_time} {domain.clock(state)}",
        temperature=0.0,
        max_tokens=MAX_TOKENS,
        seed=seed,
        form=parser.form(domain, state, player),
    ).request
