"""The course of searches as a picture (PORTAL, figure 4).

One panel for each run: every tree a faint dot, joined to the tree that it was made from; the best of each round so
far a solid dot with its 95 % interval. Where its trees played fresh games (`bt_policies.evaluate --runs`), the best of each
round stands there too with what it reached in these, which chose nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runs import cli

_FAINT, _BEST, _FRESH = "#9db8d9", "#1f4e8c", "#c2410c"
_BESIDE = 0.08
"""The distance of two lines' dots of one round."""


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


def read_fresh(path: Path, names: Sequence[str]) -> list[dict[str, Any]]:
    """Returns what `bt_policies.evaluate --runs --json` wrote of each run, in the order of their names.

    Raises:
      ValueError: the file cannot be read, or says nothing of a run.
    """
    try:
        found = {one["run"]: one for one in json.loads(path.read_text("utf-8"))}
        return [found[name] for name in names]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"--fresh: {path} cannot be read ({error!r}), expected what bt_policies.evaluate --runs={','.join(names)} "
            "--json=F wrote"
        ) from error


def draw(
    states: Sequence[dict[str, Any]], names: Sequence[str], path: Path, fresh: Sequence[dict[str, Any]] = ()
) -> None:
    """Writes the PNG.

    Args:
      states: the states of each run.
      names: titles of the panels.
      path: the path of the file.
      fresh: what the trees of each run reached in fresh games (`read_fresh`); none for none.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    figure, panels = pyplot.subplots(
        1, len(states), figsize=(5.2 * len(states), 4), sharey=True, squeeze=False, dpi=120
    )
    for index, (axes, state, name) in enumerate(zip(panels[0], states, names)):
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
        points = [(tree["reward"], *(tree["interval"] or (tree["reward"],) * 2)) for _, tree in best]
        _line(axes, [number for number, _ in best], points, _BEST, "best so far, 95 % interval")
        if fresh:
            known = {one["tree"]: (one["fresh"], *one["interval"]) for one in fresh[index]["trees"]}
            shifted = [number + _BESIDE for number, _ in best]
            _line(
                axes,
                shifted,
                [known[tree["tree"]] for _, tree in best],
                _FRESH,
                "the same trees in fresh games",
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


def _line(
    axes: Any, rounds: Sequence[float], points: Sequence[tuple[float, float, float]], color: str, label: str
) -> None:
    """Draws values with the ends of their intervals, all as shares, in hundredths."""
    axes.errorbar(
        rounds,
        [100 * value for value, _, _ in points],
        fmt="o-",
        color=color,
        capsize=3,
        zorder=3,
        yerr=[
            [100 * max(0.0, value - low) for value, low, _ in points],
            [100 * max(0.0, high - value) for value, _, high in points],
        ],
        label=label,
    )
