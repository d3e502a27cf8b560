"""The form of an answer that holds a tree, from the vocabulary that the checker reads."""

from __future__ import annotations

from bt_policies.trees.dsl import COMPOSITES, INDENT, NEGATION
from bt_policies.trees.vocabulary import Vocabulary
from language_models.grammars import Characters, Form, Grammar, OneOf, Repeated, Rule, Sequence

LEVELS = 3
"""Of nodes below the root."""
CHILDREN = 4
"""The most children of a node: a whole tree fits into the tokens that local models answer with by default."""
CHOICES = 11
"""The most numbers that a local model chooses among behind a condition."""
THOUGHTS = 240
"""The most characters of reasoning."""


def tree_reply(vocabulary: Vocabulary, old: bool = False) -> Form:
    """Some reasoning and a whole tree, as `replies.read` reads it and `vocabulary.check` lets it pass.

    Args:
      vocabulary: of the game.
      old: whether a tree is revised; the answer then says first what it changes, which is everything.
    """
    rules = [("condition", _condition(vocabulary)), ("task", _task(vocabulary))]
    rules += [(f"level-{level}", _node(level)) for level in range(1, LEVELS + 1)]
    thoughts = Characters("^<`", 1, THOUGHTS)
    target = "Target: whole tree\n" if old else ""
    parts = ("<think>", thoughts, "</think>\n", target, "```bt\n", _composite(0), "```")
    return Grammar(Sequence(*parts), tuple(rules))


def _condition(vocabulary: Vocabulary) -> Form:
    """A condition, and a number out of its range where it takes one: `CHOICES` evenly spaced ones."""
    forms: list[Form] = []
    for word in vocabulary.conditions.values():
        if word.number is None:
            forms.append(word.name)
        else:
            span = word.number.high - word.number.low
            numbers = [round(word.number.low + span * step / (CHOICES - 1)) for step in range(CHOICES)]
            forms.append(Sequence(f"{word.name} ", OneOf(*map(str, dict.fromkeys(numbers)))))
    return OneOf(*forms)


def _task(vocabulary: Vocabulary) -> Form:
    """An action, and a parameter of its types where it takes one; what no parameter is left for is left out."""
    forms: list[Form] = []
    for action in vocabulary.actions.values():
        fitting = [word.name for word in vocabulary.parameters.values() if word.type in action.takes]
        if not action.takes:
            forms.append(action.name)
        elif fitting:
            forms.append(Sequence(f"{action.name} ", OneOf(*fitting)))
    return OneOf(*forms)


def _node(level: int) -> Form:
    blanks = " " * (INDENT * level)
    condition = Sequence(f"{blanks}condition: ", Rule("condition"), "\n")
    task = Sequence(f"{blanks}task: ", Rule("task"), "\n")
    denied = Sequence(f"{blanks}condition: {NEGATION}\n", condition)
    nodes = (condition, denied, task)
    return OneOf(*nodes) if level == LEVELS else OneOf(*nodes, _composite(level))


def _composite(level: int) -> Form:
    head = Sequence(" " * (INDENT * level), OneOf(*COMPOSITES), ":\n")
    return Sequence(head, Repeated(Rule(f"level-{level + 1}"), 1, CHILDREN))
