"""Small changes of a tree, played in the same matches as the tree itself: which of its parts help, and which harm.

There are five kinds: an action replaced, wherever it stands, by one that does nothing (`Vocabulary.neutral`); two
children of a selector in the other order; a number moved; a parameter replaced by another one of its type; a small
part left out. All changes play a few matches, and those that look best more. Differences are paired by match, so that
luck which both have is no part of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from bt_policies.measuring.gains import Gain
from bt_policies.trees.dsl import DECORATORS, MAX_TICKS, Node, Tree, TreeError, format_tree, parse
from bt_policies.trees.runtime import Trace
from bt_policies.trees.vocabulary import Number, Vocabulary, check

_FACTORS = (0.5, 1.5)
"""The factors by which a number is moved."""
_TICKS = Number(1, MAX_TICKS, "ticks")
_LARGEST = 8
"""The number of nodes of the largest part that is left out: what goes wrong without half a tree teaches little."""


@dataclass(frozen=True)
class Change:
    """A changed tree.

    Attributes:
      said: what differs, for a sentence; it names lines of the tree's text.
      text: the text of the changed tree.
      reach: the share of the tree's ticks that asked what is changed.
    """

    said: str
    text: str
    reach: float


@dataclass(frozen=True)
class Effect:
    """The difference that a change makes: the reward of the changed tree less that of the tree, with its interval."""

    change: Change
    gain: Gain


def changes(tree: Tree, vocabulary: Vocabulary, trace: Trace, most: int) -> list[Change]:
    """Returns changes of a tree: of each kind in turn the one that reaches most of its ticks, each text once.

    Args:
      tree: a tree of the vocabulary.
      vocabulary: the vocabulary of the game.
      trace: of the tree.
      most: how many.
    """
    asked = {
        id(node): sum(trace.counts[number]) / max(1, trace.ticks) for number, node in enumerate(tree.nodes())
    }
    kinds = [
        sorted((one for one in kind(tree, vocabulary, asked) if one.reach > 0), key=lambda one: -one.reach)
        for kind in (_neutralized, _reordered, _moved, _replaced, _shortened)
    ]
    texts, found = {format_tree(tree)}, []
    for in_turn in itertools.zip_longest(*kinds):
        for change in in_turn:
            if change is not None and change.text not in texts and _fits(change, vocabulary):
                texts.add(change.text)
                found.append(change)
    return found[:most]


def effects(
    found: Sequence[Change], play: Callable[[str, int], Gain], games: tuple[int, int], last: int
) -> list[Effect]:
    """Returns what the changes do, the best one first.

    Args:
      found: the changes.
      play: from trees' texts and a number of matches to their gains over the unchanged tree in the first ones.
      games: the numbers of matches that all play, and that the `last` play that look best in the first ones.
      last: see `games`.
    """

    def played(changes: Sequence[Change], count: int) -> list[Effect]:
        gains = play([change.text for change in changes], count)
        return sorted(map(Effect, changes, gains), key=lambda one: -one.gain.mean)

    first = played(found, games[0])
    return played([one.change for one in first[:last]], games[1]) + first[last:]


def sentences(found: Sequence[Effect], unit: Callable[[Gain], str]) -> list[str]:
    """Returns the effects as sentences for a prompt.

    Args:
      found: from `effects`.
      unit: a gain as text.
    """
    if not found:
        return []
    kinds = {"better": [], "worse": [], "neither": [], "none": []}
    for effect in found:
        low, high = effect.gain.interval
        kind = "better" if low > 0 else "worse" if high < 0 else "neither"
        kinds[kind if any(effect.gain.differences) else "none"].append(effect)
    said = [
        f"{len(found)} small changes of this tree were tried, one at a time, in the same matches as the tree; how much "
        "better (+) or worse (-) it became by each, with 95 % intervals:"
    ]
    for kind, verdict in (("better", "what is there now does harm"), ("worse", "what is there now helps")):
        said += [f"{one.change.said}: {unit(one.gain)}; {verdict}." for one in kinds[kind]]
    if kinds["neither"]:
        listed = "; ".join(f"{one.change.said} {100 * one.gain.mean:+.1f}" for one in kinds["neither"])
        said.append(f"No difference is shown by these, in points: {listed}.")
    if kinds["none"]:
        said.append(
            f"No match ended otherwise by these: {'; '.join(one.change.said for one in kinds['none'])}."
        )
    return said


def _fits(change: Change, vocabulary: Vocabulary) -> bool:
    try:
        check(parse(change.text), vocabulary)
    except TreeError:
        return False
    return True


def _changed(tree: Tree, put: Callable[[Node], Node | None]) -> str | None:
    """Returns the text with each node replaced by what `put` makes of it, None leaving it out; a composite without
    children goes too. None where nothing is left.
    """

    def walk(node: Node) -> Node | None:
        made = put(node)
        if made is None or made is not node or not node.children:
            return made
        children = tuple(child for child in map(walk, node.children) if child is not None)
        return replace(node, children=children) if children else None

    root = walk(tree.root)
    return None if root is None else format_tree(Tree(root, tree.end_comments))


def _lines(nodes: Sequence[Node]) -> str:
    numbers = [str(node.line) for node in nodes]
    return f"line {numbers[0]}" if len(numbers) == 1 else f"lines {', '.join(numbers)}"


def _neutralized(tree: Tree, vocabulary: Vocabulary, asked: dict[int, float]) -> Iterator[Change]:
    tasks = [node for node in tree.nodes() if node.kind == "task"]
    for name in dict.fromkeys(node.name for node in tasks):
        used = [node for node in tasks if node.name == name]
        for other in vocabulary.neutral:
            # The one that does nothing with the same keys.
            if other == name or not set(vocabulary.actions[other].writes) & set(
                vocabulary.actions[name].writes
            ):
                continue

            def put(node: Node, name: str = name, other: str = other) -> Node:
                return (
                    replace(node, name=other, parameter="")
                    if (node.kind, node.name) == ("task", name)
                    else node
                )

            text = _changed(tree, put)
            if text is not None:
                reach = sum(asked[id(node)] for node in used)
                yield Change(f"`{other}` in place of `{name}` on {_lines(used)}", text, reach)


def _in_place(tree: Tree, node: Node, made: Node | None, said: str, reach: float) -> Iterator[Change]:
    text = _changed(tree, lambda one: made if one is node else one)
    if text is not None:
        yield Change(said, text, reach)


def _reordered(tree: Tree, vocabulary: Vocabulary, asked: dict[int, float]) -> Iterator[Change]:
    for node in tree.nodes():
        for index in range(len(node.children) - 1 if node.kind == "selector" else 0):
            first, second = node.children[index : index + 2]
            order = (*node.children[:index], second, first, *node.children[index + 2 :])
            said = f"line {second.line} (`{second.label}`) before line {first.line} (`{first.label}`)"
            # Only where the second one is asked does the order matter.
            yield from _in_place(tree, node, replace(node, children=order), said, asked[id(second)])


def _moved(tree: Tree, vocabulary: Vocabulary, asked: dict[int, float]) -> Iterator[Change]:
    for node in tree.nodes():
        if node.kind in DECORATORS:
            number = _TICKS
        elif node.kind == "condition" and node.parameter:
            number = vocabulary.conditions[node.name].number
        else:
            continue
        for factor in _FACTORS:
            moved = f"{min(number.high, max(number.low, round(float(node.parameter) * factor))):g}"
            said = f"{moved} in place of {node.parameter} on line {node.line} (`{node.label}`)"
            yield from _in_place(tree, node, replace(node, parameter=moved), said, asked[id(node)])


def _replaced(tree: Tree, vocabulary: Vocabulary, asked: dict[int, float]) -> Iterator[Change]:
    for node in tree.nodes():
        if node.kind != "task" or not node.parameter:
            continue
        own = vocabulary.parameters[node.parameter]
        for other in vocabulary.parameters.values():
            if other.type == own.type and other is not own:
                said = f"`{other.name}` on line {node.line} (`{node.label}`)"
                yield from _in_place(tree, node, replace(node, parameter=other.name), said, asked[id(node)])


def _shortened(tree: Tree, vocabulary: Vocabulary, asked: dict[int, float]) -> Iterator[Change]:
    for node in tree.nodes()[1:]:
        if len(list(node.walk())) <= _LARGEST:
            below = " and all below it" if node.children else ""
            said = f"without line {node.line} (`{node.label}`){below}"
            yield from _in_place(tree, node, None, said, asked[id(node)])
