"""A policy from a file, and the figures of its evaluation as text."""

from __future__ import annotations

from collections.abc import Sequence

from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.registry import domain_of
from bt_policies.measuring.evaluation import Evaluation, Policy
from bt_policies.measuring.metrics import METRICS
from bt_policies.trees.dsl import format_tree
from bt_policies.trees.files import TEAM, find_tree, read_tree
from bt_policies.trees.teams import read_team
from bt_policies.trees.vocabularies import vocabulary_of
from runs.tables import text_table


def policy_of(name: str, game: str, memory: str | None, tasks: str) -> Policy:
    """Returns the policy in a file, a tree or a team's joint tree; or a script of the game, by its name.

    Raises:
      ValueError: there is no such file, or it holds none for the game.
    """
    if name in domain_of(game).scripts:
        return Policy((), script=name)
    path, vocabulary = find_tree(name), vocabulary_of(game)
    if path.suffix == TEAM:
        return Policy(tuple(format_tree(tree) for tree in read_team(path, vocabulary)), memory or "none", tasks)
    tree, own = read_tree(path, vocabulary, memory)
    return Policy((format_tree(tree),), own, tasks)


def shown(name: str, value: float | None) -> str:
    """Returns a figure of a metric as text, for tables and prompts."""
    if value is None:
        return "-"
    return f"{100 * value:.1f} %" if METRICS[name].percent else f"{value:.2f}"


def table(found: Evaluation) -> str:
    """Returns the figures of an evaluation, a metric in each row."""
    rows = [["metric", "value", "95 % interval"]]
    for name, entry in found.summary().items():
        ends = [shown(name, entry[end]) for end in ("low", "high")]
        interval = "-" if entry["low"] is None else " to ".join(ends)
        rows.append([name, shown(name, entry["value"]), interval])
    return text_table(rows)


def differences(found: Evaluation, baseline: Evaluation) -> str:
    """Returns a table of the differences between an evaluation and another one in the same games, a metric in
    each row.
    """
    rows = [["metric", "difference", "95 % interval"]]
    for name in found.summary():
        entry = found.difference(baseline, name)
        if entry is not None:
            gain, *ends = (None if end is None else shown(name, end) for end in entry)
            rows.append([name, gain, "-" if None in ends else " to ".join(ends)])
    return text_table(rows)


def by_family(
    found: Evaluation, listed: Sequence[Trial], baseline: Evaluation | None, metrics: Sequence[str]
) -> str:
    """Returns a table of metrics in the variants of each family, a family in each row, with the difference from a
    baseline in the same games where there is one.
    """
    rows = [["family", "games"]]
    for name in metrics:
        rows[0] += [name, *(["difference", "95 % interval"] if baseline else ["95 % interval"])]
    for family in dict.fromkeys(trial.family for trial in listed):
        members = [index for index, trial in enumerate(listed) if trial.family == family]
        own, other = (
            one and Evaluation([one.figures[index] for index in members]) for one in (found, baseline)
        )
        row = [family, str(len(members))]
        for name in metrics:
            row.append(shown(name, own.value(name)))
            low, high = own.interval(name) or (None, None)
            if other is not None:
                gain, low, high = own.difference(other, name) or (None, None, None)
                row.append(shown(name, gain))
            row.append("-" if None in (low, high) else f"{shown(name, low)} to {shown(name, high)}")
        rows.append(row)
    return text_table(rows)
