"""Pictures of the world-model method's results, as PNG files."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

COLUMNS = 3
"""Panels side by side."""
WIN, DRAW, LOSS = "#2a9d5c", "#b8bcc4", "#d1495b"


def _pyplot():
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot
    return pyplot


def _label(spec: str) -> str:
    """A bot's name without the parameters that are the same all over the picture."""
    name, _, parameters = spec.partition("(")
    kept = [p for p in parameters.rstrip(")").split(",") if p.startswith(("legal=", "value="))]
    return f"{name}({','.join(kept)})" if kept else name


def results_by_seat(results: Sequence[Mapping[str, Any]], path: str) -> None:
    """Wins, draws and losses of the first bot by seat against each other bot (the paper's figure 2).

    Args:
      results: of tournaments, as `arena.tournament.summarize` makes them; one panel for each game.
        Results of the same game are put into one panel.
      path: of the PNG file.
    """
    panels: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for result in results:
        hero = result["bots"][0]
        for pair in result["pairs"]:
            if hero in pair["bots"]:
                other = next(bot for bot in pair["bots"] if bot != hero)
                seats = pair["by_seat"]
                if pair["bots"][0] != hero:
                    seats = [{"wins": s["losses"], "draws": s["draws"], "losses": s["wins"]}
                             for s in reversed(seats)]
                panels.setdefault(result["game"], []).append((_label(other), seats))
    pyplot = _pyplot()
    rows = max(len(rows) for rows in panels.values())
    columns = min(len(panels), COLUMNS)
    lines = -(-len(panels) // columns)
    figure, axes = pyplot.subplots(lines, columns, squeeze=False,
                                   figsize=(4.2 * columns + 1.2, 0.7 + (0.6 + 0.6 * rows) * lines))
    for axis in axes.flat[len(panels):]:
        axis.axis("off")
    for axis, (game, opponents) in zip(axes.flat, panels.items()):
        for place, (other, seats) in enumerate(opponents):
            for seat, shift in ((0, -0.19), (1, 0.19)):
                tally = seats[seat]
                total = max(1, sum(tally.values()))
                left = 0.0
                for key, colour in (("wins", WIN), ("draws", DRAW), ("losses", LOSS)):
                    share = tally[key] / total
                    axis.barh(place + shift, share, 0.34, left, color=colour)
                    if share > 0.09:
                        axis.text(left + share / 2, place + shift, str(tally[key]), ha="center",
                                  va="center", fontsize=7.5, color="white" if key != "draws" else "black")
                    left += share
                axis.text(-0.015, place + shift, "1st" if seat == 0 else "2nd", ha="right",
                          va="center", fontsize=7, color="#555555")
        axis.set_yticks(range(len(opponents)), [other for other, _ in opponents])
        axis.tick_params(axis="y", pad=26, length=0, labelsize=8.5)
        axis.set_ylim(len(opponents) - 0.5, -0.5)
        axis.set_xlim(0, 1)
        axis.set_xticks([0, 0.5, 1], ["0", "½", "1"])
        axis.set_title(game, fontsize=10)
        for side in ("top", "right", "left"):
            axis.spines[side].set_visible(False)
    hero = results[0]["bots"][0].partition("(")[0]
    figure.legend([pyplot.Rectangle((0, 0), 1, 1, color=c) for c in (WIN, DRAW, LOSS)],
                  [f"{hero} wins", "draw", f"{hero} loses"], loc="lower center", ncols=3, frameon=False, fontsize=9)
    figure.suptitle(f"{hero} against ..., by seat", fontsize=11)
    figure.tight_layout(rect=(0, 0.3 / figure.get_figheight(), 1, 1))
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def accuracy_by_call(curves: Mapping[str, Sequence[Sequence[float]]], path: str) -> None:
    """Training transition accuracy of the best program so far, by calls (the paper's figure 6).

    Args:
      curves: for each label, the accuracies by call of each independent run. A run that ended keeps
        its last value.
      path: of the PNG file.
    """
    pyplot = _pyplot()
    figure, axis = pyplot.subplots(figsize=(8.6, 3.2))
    longest = max(len(run) for runs in curves.values() for run in runs)
    for number, (label, runs) in enumerate(curves.items()):
        colour = f"C{number}"
        best = []
        for run in runs:
            so_far = [max(run[:calls + 1]) for calls in range(len(run))]
            best.append(so_far + [so_far[-1]] * (longest - len(so_far)))
            axis.plot(range(1, longest + 1), best[-1], color=colour, alpha=0.25, linewidth=1)
        mean = [sum(column) / len(column) for column in zip(*best)]
        axis.plot(range(1, longest + 1), mean, color=colour, marker="o", label=f"{label} ({len(runs)})")
    axis.set_xlabel("calls of the language model")
    axis.set_ylabel("training transition accuracy")
    axis.set_xticks(range(1, longest + 1))
    axis.set_ylim(-0.03, 1.03)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8, title="mean of runs (number of runs)", title_fontsize=8, frameon=False,
                loc="upper left", bbox_to_anchor=(1.01, 1.0))
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
