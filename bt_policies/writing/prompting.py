"""The prompts of PORTAL (appendix A). Templates lie in `bt_policies/writing/prompts/`.

A changed prompt no longer matches recordings made with it, so a change here means recording again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bt_policies.trees.vocabulary import Vocabulary
from language_models.asking.templates import Templates

_TEMPLATES = Templates("bt_policies.writing")

STYLES = (
    "",
    "Play aggressively: seek fights and press on.",
    "Play cautiously: fight only with an advantage, and break off what goes badly.",
    "Play for the objective: everything else matters only as far as it serves it.",
    "Play as a team: stay near each other, support each other, strike at the same time.",
    "Play unpredictably: vary places, targets and timing.",
)
"""Variations of the tactics, for trees that differ (PORTAL, section 5, diversity); the first one is
none."""


@dataclass(frozen=True)
class History:
    """An answer that could not be used, and why."""

    tree: str
    message: str


def render(template: str, **fields: object) -> str:
    """Returns a template, filled."""
    return _TEMPLATES.render(template, **fields).strip() + "\n"


def _format(vocabulary: Vocabulary) -> str:
    """Returns the language's description; the example has the form of listing 1, in words of the game."""
    condition, other = list(vocabulary.conditions)[:2]
    tasks = [
        f"{action.name} {parameter}".strip()
        for action in list(vocabulary.actions.values())
        for parameter in [
            next((word.name for word in vocabulary.parameters.values() if word.type in action.takes), "")
        ]
    ]
    example = (
        f"selector:\n  sequence:\n    condition: {condition}\n    task: {tasks[0]}\n  sequence:\n"
        f"    condition: no\n    condition: {other}\n    task: {tasks[1]}\n  task: {tasks[-1]}"
    )
    numbered = next((word for word in vocabulary.conditions.values() if word.number), None)
    number = f"{numbered.name} {(numbered.number.low + numbered.number.high) / 2:.0f}" if numbered else ""
    return render("format.j2", example=example, numbers=number, forms=vocabulary.forms).strip()


def _numbered(tree: str) -> str:
    """Returns the lines of a tree's text behind their numbers."""
    lines = tree.rstrip("\n").split("\n")
    width = len(str(len(lines)))
    return "\n".join(f"{number:>{width}} {line}" for number, line in enumerate(lines, start=1))


def generate(
    vocabulary: Vocabulary, tactics: str = "", history: History | None = None, roles: Sequence[str] = ()
) -> str:
    """Returns the prompt for a new tree.

    Args:
      vocabulary: the vocabulary of the game.
      tactics: the tactics asked for; empty for the game's own.
      history: the last answer and its faults.
      roles: the roles of a team's members in turn, for a joint tree; none for a tree of one.
    """
    return render(
        "generate.j2",
        roles=tuple(roles),
        scenario=vocabulary.scenario,
        nodes=vocabulary.describe(),
        history=history,
        tactics=tactics or vocabulary.tactics,
        format=_format(vocabulary),
    )


def revise(
    vocabulary: Vocabulary,
    tree: str,
    aim: str,
    sentences: Sequence[str],
    analysis: Sequence[str] = (),
    history: History | None = None,
) -> str:
    """Returns the prompt for an improvement of a tree.

    Args:
      vocabulary: the vocabulary of the game.
      tree: its text.
      aim: the reward, in words.
      sentences: the measurements, see `feedback`.
      analysis: the observations, see `vision`.
      history: the last answer and its faults.
    """
    return render(
        "revise.j2",
        scenario=vocabulary.scenario,
        nodes=vocabulary.describe(),
        format=_format(vocabulary),
        numbered=_numbered(tree),
        aim=aim,
        sentences=sentences,
        analysis=analysis,
        history=history,
    )


def develop(vocabulary: Vocabulary, tree: str, ask: str, history: History | None = None) -> str:
    """Returns the prompt for a change that a designer asks for.

    Args:
      vocabulary: the vocabulary of the game.
      tree: its text.
      ask: the change, in plain words.
      history: the last answer and its faults.
    """
    return render(
        "develop.j2",
        scenario=vocabulary.scenario,
        nodes=vocabulary.describe(),
        format=_format(vocabulary),
        numbered=_numbered(tree),
        ask=ask.strip(),
        history=history,
    )
