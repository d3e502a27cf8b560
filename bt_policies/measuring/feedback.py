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
_SMALL = 0.005
"""The share of ticks from which on what came of them is told."""
_MOST_BRANCHES = 8


def _figure(name: str, value: float) -> str:
    return f"{100 * value:.0f} %" if METRICS[name].percent else f"{value:.2f}"


def overall(found: Evaluation, metrics: Sequence[str]) -> list[str]:
    """Returns sentences on the values reached, those of the rewards with intervals."""
    parts = []
    for name in dict.fromkeys((*metrics, *_SHOWN)):
        value = found.value(name) if name in found.figures[0] else None
        if value is None:
            continue
        said = f"{name} {_figure(name, value)}"
        if name in metrics and (interval := found.interval(name)):
            said += f" ({_figure(name, interval[0])} to {_figure(name, interval[1])})"
        parts.append(said)
    sentences = [f"Over {len(found.figures)} matches: {'; '.join(parts)}."]
    undecided = found.value("undecided")
    if undecided is not None and undecided > _RARE:
        sentences.append(
            f"In {100 * undecided:.1f} % of the decisions the whole tree failed and nothing "
            "was chosen: give it a last child that never fails."
        )
    return sentences


def patterns(
    found: Evaluation, metric: str, trials: Sequence[Trial], reference: tuple[str, Evaluation] | None = None
) -> list[str]:
    """Returns sentences on where a metric is high and where it is low: by the values of a game's parameters, and by
    opponent; beside it what a reference tree reaches there, and for the score what equal players would.

    Args:
      found: the evaluation of the tree.
      metric: the metric.
      trials: the trials that it played.
      reference: the name of another tree and its evaluation on the same trials; None for none.
    """
    sentences = []
    groups: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for index, trial in enumerate(trials):
        given = pyspiel.game_parameters_from_string(trial.game)
        for name in _GROUPS:
            if name in given:
                groups[name][str(given[name])].append(index)
        groups["opponent"][trial.opponent].append(index)
        if trial.family:
            groups["family"][trial.family].append(index)
        if domain_of(trial.game).seated:
            groups["side"][("first", "second")[trial.side]].append(index)
    for name, members in groups.items():
        parts = {value: _part(found, metric, indices) for value, indices in members.items()}
        ordered = sorted(((share, value) for value, share in parts.items() if share is not None), reverse=True)
        if len(ordered) > 1 and ordered[0][0] > ordered[-1][0]:
            listed = (
                f"{value} {_figure(metric, share)}{_beside(metric, trials, members[value], reference)}"
                for share, value in ordered
            )
            sentences.append(f"{metric} by {name}: {', '.join(listed)}.")
    return sentences


def _part(found: Evaluation, metric: str, indices: Sequence[int]) -> float | None:
    return Evaluation([found.figures[index] for index in indices]).value(metric)


def _beside(
    metric: str, trials: Sequence[Trial], indices: Sequence[int], reference: tuple[str, Evaluation] | None
) -> str:
    """Returns in parentheses what to compare a group's value with."""
    said = []
    if metric == "score":
        parities = [domain_of(trials[index].game).parity(trials[index].game) for index in indices]
        said.append(f"equal players {_figure(metric, sum(parities) / len(parities))}")
    if reference is not None and (value := _part(reference[1], metric, indices)) is not None:
        said.append(f"{reference[0]} {_figure(metric, value)}")
    return f" ({', '.join(said)})" if said else ""


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


def branches(tree: Tree, trace: Trace) -> list[str]:
    """Returns sentences on how often each branch decided the tick, what never happens in it, and what came of it.

    Args:
      tree: parsed from the text that the model will see.
      trace: the trace of the tree.
    """
    nodes = tree.nodes()
    parts, dead = [], []
    for number, node in _branches(tree):
        share = _fired(trace, number)
        parts.append(f"{_described(node)} {100 * share:.1f} %")
        if share <= _RARE:
            dead.append(f"{_described(node)}: {_why(node, number, nodes, trace)}")
    sentences = [f"Branches and the share of ticks that they decided: {'; '.join(parts)}."] if parts else []
    if dead:
        sentences.append(f"Hardly ever used: {'; '.join(dead)}.")
    sentences += _outcomes(nodes, trace)
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


def _outcomes(nodes: Sequence[Node], trace: Trace) -> list[str]:
    """Returns what came of the ticks that each task ended, where whoever played the tree credited it."""
    parts = []
    for number, amounts in sorted(trace.outcomes.items()):
        ticks = amounts.get("ticks", 0)
        if number < 0 or ticks <= _SMALL * trace.ticks:
            continue
        rates = (f"{name} {100 * amount / ticks:.3g}" for name, amount in amounts.items() if name != "ticks")
        parts.append(
            f"line {nodes[number].line} ({nodes[number].label}) {100 * ticks / trace.ticks:.1f} %: {', '.join(rates)}"
        )
    if not parts:
        return []
    return [
        "What came of the ticks that each task ended, as their share of all ticks, then for 100 of them the damage "
        f"dealt and taken, kills and deaths: {'; '.join(parts)}."
    ]


def _why(node: Node, number: int, nodes: Sequence[Node], trace: Trace) -> str:
    """Returns the reason that keeps a branch from deciding anything."""
    if sum(trace.counts[number]) <= _RARE * trace.ticks:
        return "it is hardly ever asked, as what stands above it nearly always decides"
    for offset, part in enumerate(node.walk()):
        failed, succeeded, running = trace.counts[number + offset]
        if not part.children and failed and succeeded + running <= _RARE * trace.ticks:
            return f"line {part.line} ({'no ' if part.negated else ''}{part.name}) nearly always fails"
    return "its parts hardly ever hold together"


def sentences(
    tree: Tree,
    found: Evaluation,
    trials: Sequence[Trial],
    metrics: Sequence[str],
    reference: tuple[str, Evaluation] | None = None,
) -> list[str]:
    """Returns the sentences of all the functions above.

    Args:
      tree: the tree that played.
      found: its evaluation; traced for sentences on its parts.
      trials: the trials that it played.
      metrics: the rewards.
      reference: see `patterns`.
    """
    said = overall(found, metrics)
    for metric in metrics:
        said += patterns(found, metric, trials, reference)
    if found.traces and found.traces[0].ticks:
        said += branches(tree, found.traces[0])
    return said
