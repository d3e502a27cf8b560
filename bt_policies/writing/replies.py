"""The answer of a language model: its reasoning, by tags, and its tree."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bt_policies.trees import teams
from bt_policies.trees.dsl import Fault, TreeError, format_tree, parse, replace_subtree
from bt_policies.trees.vocabulary import Vocabulary, check

_TAGS = re.compile(
    r"<(think|reflection)>(.*?)(?:</\1>|(?=<(?:think|reflection)>)|(?=^Target:)|\Z)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_BLOCK = re.compile(r"^[ \t]*```[ \t]*(?:bt|dsl|text|yaml)?[ \t]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
_TARGET = re.compile(r"^\W*target\W*(?:line\s+(\d+)|(whole\s+tree))", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class TreeReply:
    """One answer.

    Attributes:
      think, reflection: the texts between these tags, in order.
      tree: the formatted whole tree, checked; None where the answer holds none that can be used.
      target: the line of the old tree that was revised; None for a whole tree.
      fault: why there is no tree, as the repair prompt says it; empty where there is one.
      block: the text of the block as it was answered; empty where there is none.
    """

    think: tuple[str, ...]
    reflection: tuple[str, ...]
    tree: str | None
    target: int | None
    fault: str
    block: str


def read(reply: str, vocabulary: Vocabulary, old: str | None = None, joint: bool = False) -> TreeReply:
    """Reads an answer.

    Args:
      reply: the answer's text.
      vocabulary: the vocabulary that the tree must be of.
      old: the text of the tree that is revised; None where a new one is written.
      joint: whether the tree is a team's (`bt_policies.trees.teams`); new ones only.
    """
    told = {"think": [], "reflection": []}
    for tag, text in _TAGS.findall(reply):
        # A tag that is never closed must not swallow the tree.
        told[tag.lower()].append(_BLOCK.sub("", text).strip())
    rest = re.sub(r"<(think|reflection)>.*?</\1>", "", reply, flags=re.DOTALL | re.IGNORECASE)
    blocks = _BLOCK.findall(rest)
    think, reflection = tuple(told["think"]), tuple(told["reflection"])
    if not blocks:
        return TreeReply(
            think,
            reflection,
            None,
            None,
            "The answer holds no tree: expected one block that starts with ```bt and ends with ```.",
            "",
        )
    block, target = blocks[-1], None
    if old is not None:
        found = _TARGET.search(rest)
        if found is None:
            return TreeReply(
                think,
                reflection,
                None,
                None,
                "The answer does not say what it changes: expected "
                "a line "
                "'Target: line N' or 'Target: whole tree' before the block.",
                block,
            )
        target = int(found[1]) if found[1] else None
    try:
        tree = _joint(block, vocabulary) if joint else _tree(block, vocabulary, old, target)
    except ValueError as error:
        faults = error.faults if isinstance(error, TreeError) else [error]
        message = "\n".join(f"- {fault}" for fault in faults)
        return TreeReply(think, reflection, None, target, message, block)
    return TreeReply(think, reflection, tree, target, "", block)


def given(tree: str) -> TreeReply:
    """Returns the reply that stands for a tree that nobody was asked for."""
    return TreeReply((), (), tree, None, "", "")


def _joint(block: str, vocabulary: Vocabulary) -> str:
    """Returns the text of a joint tree; raises TreeError where it is none."""
    new = parse(block, joint=True)
    teams.split(new, vocabulary)
    return format_tree(new)


def _tree(block: str, vocabulary: Vocabulary, old: str | None, target: int | None) -> str:
    """Returns the new tree's text.

    Raises:
      ValueError: it is none (`TreeError`), the target is no node of the old tree, or nothing has changed.
    """
    new = parse(block, part=target is not None)
    check(new, vocabulary)
    if old is None or target is None:
        text = format_tree(new)
    else:
        text = replace_subtree(old, target, block)
        parse(text)
    if old is not None and parse(text) == parse(old):
        raise TreeError([Fault(1, 1, "expected a tree that differs from the old one, found the same")])
    return text
