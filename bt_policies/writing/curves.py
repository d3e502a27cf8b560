"""The course of searches as a picture (PORTAL, figure 4).

One panel for each run: every tree a faint dot, joined to the tree that it was made from; the best of each round so
far a solid dot with its 95 % interval.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runs import cli

_FAINT, _BEST = "#9db8d9", "#1f4e8c"


def read_state(folder: Path) -> dict[str, Any]:
    """Returns the record that a run wrote of its rounds.

    Raises:
      ValueError: there is none.
    """
    try:
        return json.loads((folder / "state.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(
            f"--runs: {folder / 'state.json'} cannot be read ({error}), expected the folder "
            "of a run of bt_policies.improve that has ended a round"
        ) from error


def draw(states: Sequence[dict[str, Any]], names: Sequence[str], path: Path) -> None:
    """Writes the PNG.

    Args:
      states: the states of each run.
      names: titles of the panels.
      path: the path of the file.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    figure, panels = pyplot.subplots(
        1, len(states), figsize=(5.2 * len(states), 4), sharey=True, squeeze=False, dpi=120
    )
    for axes, state, name in zip(panels[0], states, names):
        trees = {tree["tree"]: tree for tree in state["trees"]}
        for tree in trees.values():
            if tree["reward"] is None:
                continue
            axes.plot(tree["round"], 100 * tree["reward"], "o", color=_FAINT, markersize=5, alpha=0.7, zorder=2)
            parent = trees.get(tree["parent"])
            if parent is not None:
                axes.plot(
                    [parent["round"], tree["round"]],
                    [100 * parent["reward"], 100 * tree["reward"]],
                    color=_FAINT,
                    linewidth=0.8,
                    alpha=0.6,
                    zorder=1,
                )
        best = [(entry["round"], trees[entry["best"]]) for entry in state["rounds"]]
        values = [100 * tree["reward"] for _, tree in best]
        low, high = zip(*(tree["interval"] or (tree["reward"],) * 2 for _, tree in best))
        axes.errorbar(
            [number for number, _ in best],
            values,
            fmt="o-",
            color=_BEST,
            capsize=3,
            zorder=3,
            yerr=[
                [max(0.0, value - 100 * bound) for value, bound in zip(values, low)],
                [max(0.0, 100 * bound - value) for value, bound in zip(values, high)],
            ],
            label="best so far, 95 % interval",
        )
        axes.set_title(name)
        axes.set_xlabel("round")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(alpha=0.25)
        axes.legend(loc="lower right")
    panels[0][0].set_ylabel(f"{states[0]['metric'].replace('_', ' ')} above {states[0]['reference']}, points")
    figure.tight_layout()
    with cli.writing(path, binary=True) as file:
        figure.savefig(file, format="png", metadata={"Software": None})
    pyplot.close(figure)
