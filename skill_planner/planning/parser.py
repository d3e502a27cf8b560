"""The post-processing function f of the paper's section IV-B: from a reply to a skill plan.

A plan is the lines `[SKILL NAME](PARAMETERS)` between the two markers, each with `when CONDITION: ` before it where
the domain knows conditions. Whatever is not a valid skill is dropped, and reported with the reason; no reply raises
an exception.
"""

from __future__ import annotations

import difflib
import re
from typing import Any

from language_models.grammars import Characters, Form, OneOf, Repeated, Sequence
from skill_planner.planning.skills import Domain, Dropped, Plan, Step

START, END = "START OF SKILL_PLAN", "END OF SKILL_PLAN"
ASKED_LINES = 20
"""Lines of a plan that the prompt asks for at most."""
MOST_LINES = 40
"""The number of lines of a plan that are looked at; 256 tokens hold about half as many."""
_SHOWN = 80

_START = re.compile(r"START\s+OF\s+SKILL[_ ]PLAN", re.IGNORECASE)
_END = re.compile(r"END\s+OF\s+SKILL[_ ]PLAN", re.IGNORECASE)
_IDLE = re.compile(r"[\s`*_#-]*")
_WHEN = re.compile(r"(?:[-*]|\d{1,3}[.)])?\s*when\s+([^\[\]]*?)\s*:\s*(?=\[)", re.IGNORECASE)
_LINE = re.compile(r"(?:[-*]|\d{1,3}[.)])?\s*\[([^\[\]]*)\]\s*\(((?:[^()]|\([^()]*\))*)\)")
_WORD = re.compile(r"[^\s,;()\"'`]+")


def parse(reply: str, domain: Domain, state: Any, player: int) -> Plan:
    """Returns the plan that a reply holds.

    The last start marker counts. Without one there is no plan; without an end marker behind it, as where
    the reply was cut off, the plan goes to the end of the reply. Both are reported as dropped lines of
    their own. Empty lines and code fences are nothing to report.
    """
    starts = list(_START.finditer(reply))
    if not starts:
        return Plan([], [Dropped(_clip(reply), f"the reply has no line {START}")])
    body = reply[starts[-1].end() :]
    end = _END.search(body)
    lines = [line.strip() for line in (body[: end.start()] if end else body).splitlines()]
    lines = [line for line in lines if not _IDLE.fullmatch(line)]
    plan = Plan([], [])
    skills = {_plain(skill.name): skill for skill in domain.skills}
    for line in lines[:MOST_LINES]:
        try:
            plan.steps.append(_step(line, skills, domain, state, player))
        except ValueError as error:
            plan.dropped.append(Dropped(_clip(line), str(error)))
    for line in lines[MOST_LINES:]:
        plan.dropped.append(Dropped(_clip(line), f"the plan has more than {MOST_LINES} lines"))
    if end is None:
        plan.dropped.append(Dropped(_clip(lines[-1]) if lines else "", f"the reply has no line {END}"))
    return plan


def form(domain: Domain, state: Any, player: int) -> Form:
    """The form of a plan: between its markers one line or several, each a skill with parameters that it can have.

    Skills that declare none, as those of a user's module may, take any text in brackets."""
    lines = []
    for skill in domain.skills:
        declared = getattr(skill, "form", None)
        parameters = Characters("^()\\n", 0, _SHOWN) if declared is None else declared(state, player)
        if parameters is not None:
            lines.append(Sequence(f"[{skill.name}](", parameters, ")\n"))
    line = OneOf(*lines)
    if domain.conditions is not None:
        line = OneOf(line, Sequence("when ", domain.conditions.form(), ": ", OneOf(*lines)))
    return Sequence(f"{START}\n", Repeated(line, 1, ASKED_LINES), END)


def _step(line: str, skills: dict[str, Any], domain: Domain, state: Any, player: int) -> Step:
    condition = None
    when = _WHEN.match(line) if domain.conditions is not None else None
    if when is not None:
        condition = domain.conditions.read(when[1].lower())
    found = _LINE.match(line, when.end() if when else 0)
    if found is None:
        raise ValueError("not of the form [SKILL NAME](PARAMETERS)")
    name, parameters = found.groups()
    skill = skills.get(_plain(name))
    if skill is None:
        close = difflib.get_close_matches(_plain(name), skills, n=1)
        meant = (
            f"did you mean [{skills[close[0]].name}]?"
            if close
            else ("expected one of " + ", ".join(f"[{skill.name}]" for skill in skills.values()))
        )
        raise ValueError(f"no such skill; {meant}")
    words = [word.lower() for word in _WORD.findall(parameters)]
    return Step(skill, skill.read(words, state, player), _clip(line), condition)


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").lower().split())


def _clip(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
