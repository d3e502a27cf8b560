"""A picture of the search at a bottleneck: Q, prior and visits of each action, without and with memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from mcdml.search.decision import Decision

LABELS = {"no_cross_trial": "without reflections", "mcdml": "with reflections"}
COLOURS = {"no_cross_trial": "#b0b0b0", "mcdml": "#1f6f8b"}
PANELS = (("q", "Q"), ("prior", "prior"), ("visits", "visits"))


def plot(found: Mapping[str, Mapping[str, Sequence[Decision]]], path: Path) -> None:
    """Draws a row of three panels for each game; bars are means over the runs, points the runs.

    Args:
      found: by game and arm, the decisions in the order of the runs; all rows of a game name the same
        actions.
      path: the path of a PNG file.
    """
    actions = [len(next(iter(arms.values()))[0].rows) for arms in found.values()]
    figure = Figure(figsize=(12, 1.2 + 0.45 * sum(actions) + 0.6 * len(actions)), layout="constrained")
    axes = figure.subplots(len(found), len(PANELS), sharey="row", squeeze=False, height_ratios=actions)
    for row, (game, arms) in zip(axes, found.items(), strict=True):
        names = [entry.action for entry in next(iter(arms.values()))[0].rows]
        for axis, (field, title) in zip(row, PANELS, strict=True):
            for offset, arm in ((-0.2, "no_cross_trial"), (0.2, "mcdml")):
                runs = [[getattr(entry, field) for entry in decision.rows] for decision in arms[arm]]
                places = [place + offset for place in range(len(names))]
                means = [sum(values) / len(values) for values in zip(*runs)]
                axis.barh(places, means, height=0.36, color=COLOURS[arm], label=LABELS[arm])
                for values in runs if len(runs) > 1 else []:
                    axis.plot(values, places, linestyle="none", marker=".", markersize=4, color="black")
            axis.set_title(title if axis is not row[0] else f"{game}\n{title}", fontsize=9)
            axis.grid(axis="x", alpha=0.3)
            axis.set_yticks(range(len(names)), names, fontsize=8)
        row[0].invert_yaxis()
    axes[0][-1].legend(fontsize=8, loc="best")
    figure.savefig(path, dpi=130, format="png")
