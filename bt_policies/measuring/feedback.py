"""Figures turned into sentences for reflexion (PORTAL, section 3.4): patterns and trends, overall and by
branch.

A branch is a child of the root or, where a branch is large, its largest part; sentences name its line in
the tree's text. `fired` means that it succeeded or was under way, and so decided the tick.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pyspiel

from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.registry import domain_of
from bt_policies.measuring.evaluation import Evaluation
from bt_policies.measuring.metrics import METRICS
from bt_policies.trees.dsl import Node, Tree
from bt_policies.trees.runtime import Trace

_SHOWN = (
    "time_between_kills",
    "score",
    "kill_share",
    "accuracy",
    "alive_share",
    "objective_share",
    "pickups",
    "distance",
    "mean_return",
)
"""Metrics that feedback gives beside the reward, where a game has them."""
_GROUPS = ("mode", "map")
_RARE = 0.001
_MOST_BRANCHES = 8
_CHANGE = 0.02
"""Differences of up to this share of the earlier value are no trend."""


def _figure(name: str, value: float) -> str:
    return f"{100 * value:.0f} %" if METRICS[name].percent else f"{value:.2f}"


def overall(found: Evaluation, metric: str, before: Evaluation | None = None) -> list[str]:
    """Returns sentences on the values reached, with intervals, and on their change from an earlier tree's
    figures.
    """
    parts = []
    for name in dict.fromkeys((metric, *_SHOWN)):
        value = found.value(name) if name in found.figures[0] else None
        if value is None:
            continue
        said = f"{name} {_figure(name, value)}"
        if name == metric and (interval := found.interval(name)):
            said += f" ({_figure(name, interval[0])} to {_figure(name, interval[1])})"
        earlier = before.value(name) if before is not None else None
        if earlier is not None and abs(value - earlier) > _CHANGE * abs(earlier):
            better = (value > earlier) != METRICS[name].lower
            said += (
                f" [{'better' if better else 'worse'} than the tree that it was made from: "
                f"{_figure(name, earlier)}]"
            )
        parts.append(said)
    sentences = [f"Over {len(found.figures)} matches: {'; '.join(parts)}."]
    undecided = found.value("undecided")
    if undecided is not None and undecided > _RARE:
        sentences.append(
            f"In {100 * undecided:.1f} % of the decisions the whole tree failed and nothing "
            "was chosen: give it a last child that never fails."
        )
    return sentences


def patterns(found: Evaluation, metric: str, trials: Sequence[Trial]) -> list[str]:
    """Returns sentences on where the reward is high and where it is low: by the values of a game's parameters,
    and by opponent.
    """
    sentences = []
    groups: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for index, trial in enumerate(trials):
        given = pyspiel.game_parameters_from_string(trial.game)
        for name in _GROUPS:
            if name in given:
                groups[name][str(given[name])].append(index)
        groups["opponent"][trial.opponent].append(index)
        if domain_of(trial.game).seated:
            groups["side"][("first", "second")[trial.side]].append(index)
    for name, members in groups.items():
        parts = {
            value: Evaluation([found.figures[index] for index in indices]).value(metric)
            for value, indices in members.items()
        }
        ordered = sorted(((share, value) for value, share in parts.items() if share is not None), reverse=True)
        if len(ordered) > 1 and ordered[0][0] > ordered[-1][0]:
            sentences.append(
                f"By {name}: "
                + ", ".join(f"{value} {_figure(metric, share)}" for share, value in ordered)
                + "."
            )
    return sentences


def _branches(tree: Tree) -> list[tuple[int, Node]]:
    """Returns (number, node) of the parts that are spoken of, in the order of the lines."""
    numbers = {id(node): number for number, node in enumerate(tree.nodes())}
    parts = list(tree.root.children)
    while parts:
        largest = max(parts, key=lambda node: len(list(node.walk())))
        inner = [child for child in largest.children if child.children]
        if largest.kind != "selector" and len(inner) == 1 and inner[0].kind == "selector":
            inner = list(inner[0].children)
        elif largest.kind == "selector":
            inner = list(largest.children)
        else:
            break
        if len(parts) - 1 + len(inner) > _MOST_BRANCHES:
            break
        at = parts.index(largest)
        parts[at : at + 1] = inner
    return [(numbers[id(node)], node) for node in parts]


def _described(node: Node) -> str:
    last = [leaf.label for leaf in node.walk() if leaf.kind == "task"]
    return f"line {node.line} ({node.label}" + (f" ... {last[-1]})" if node.children and last else ")")


def _fired(trace: Trace, number: int) -> float:
    return (trace.counts[number][1] + trace.counts[number][2]) / max(1, trace.ticks)


def branches(tree: Tree, trace: Trace, before: tuple[Tree, Trace] | None = None) -> list[str]:
    """Returns sentences on how often each branch decided the tick, what never happens in it, and what has
    changed.

    Args:
      tree: parsed from the text that the model will see.
      trace: the trace of the tree.
      before: the tree that it was made from, and its trace.
    """
    nodes = tree.nodes()
    earlier = {} if before is None else _unchanged(nodes, *before)
    parts, dead = [], []
    for number, node in _branches(tree):
        share = _fired(trace, number)
        said = f"{_described(node)} {100 * share:.1f} %"
        known = earlier.get(_text(node))
        if known is not None and abs(known - share) > 0.01:
            said += f" (before: {100 * known:.1f} %)"
        parts.append(said)
        if share <= _RARE:
            dead.append(f"{_described(node)}: {_why(node, number, nodes, trace)}")
    sentences = [f"Branches and the share of ticks that they decided: {'; '.join(parts)}."] if parts else []
    if dead:
        sentences.append(f"Hardly ever used: {'; '.join(dead)}.")
    failing = [
        f"line {node.line} ({node.label})"
        for number, node in enumerate(nodes)
        if node.kind == "task"
        and sum(trace.counts[number]) > _RARE * trace.ticks
        and trace.counts[number][0] > 0.95 * sum(trace.counts[number])
    ]
    if failing:
        sentences.append(f"Tasks that are asked but nearly always fail: {', '.join(failing)}.")
    return sentences


def _unchanged(nodes: Sequence[Node], tree: Tree, trace: Trace) -> dict[tuple[object, ...], float]:
    """Returns by their texts how often parts fired in the earlier tree; those that either tree says twice are
    left out.
    """
    olds = [_text(node) for node in tree.nodes()]
    news = [_text(node) for node in nodes]
    return {
        text: _fired(trace, number)
        for number, text in enumerate(olds)
        if olds.count(text) == 1 and news.count(text) == 1
    }


def _why(node: Node, number: int, nodes: Sequence[Node], trace: Trace) -> str:
    """Returns the reason that keeps a branch from deciding anything."""
    if sum(trace.counts[number]) <= _RARE * trace.ticks:
        return "it is hardly ever asked, as what stands above it nearly always decides"
    for offset, part in enumerate(node.walk()):
        failed, succeeded, running = trace.counts[number + offset]
        if not part.children and failed and succeeded + running <= _RARE * trace.ticks:
            return f"line {part.line} ({'no ' if part.negated else ''}{part.name}) nearly always fails"
    return "its parts hardly ever hold together"


def _text(node: Node) -> tuple[object, ...]:
    """Returns the text of a node, wherever it stands and whatever comments it has."""
    return node.kind, node.name, node.parameter, node.negated, tuple(_text(child) for child in node.children)


def sentences(
    tree: Tree,
    found: Evaluation,
    trials: Sequence[Trial],
    metric: str,
    before: tuple[Tree, Evaluation] | None = None,
) -> list[str]:
    """Returns the sentences of all the functions above.

    Args:
      tree: the tree that played; one with a trace.
      found: its evaluation, traced.
      trials: the trials that it played.
      metric: the reward.
      before: the tree that it was made from, and its evaluation on the same trials.
    """
    earlier = None if before is None else before[1]
    said = overall(found, metric, earlier) + patterns(found, metric, trials)
    if found.traces and found.traces[0].ticks:
        traced = before is not None and bool(earlier.traces)
        said += branches(tree, found.traces[0], (before[0], earlier.traces[0]) if traced else None)
    return said
