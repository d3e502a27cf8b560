"""Pictures of the world-model method's results, as PNG files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

COLUMNS = 3
"""Number of panels side by side."""
WIN, DRAW, LOSS = "#2a9d5c", "#b8bcc4", "#d1495b"
SEGMENTS = {
    "wins": ("{} wins", WIN, None),
    "wins_by_forfeit": ("the other one forfeits", WIN, "////"),
    "draws": ("draw", DRAW, None),
    "losses": ("{} loses", LOSS, None),
    "forfeits": ("{} forfeits", LOSS, "////"),
}
"""The segments of a bar, from the left: key in a tally by seat -> words, colour, hatching."""


def _pyplot():
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    return pyplot


def _label(spec: str) -> str:
    """A bot's name without the parameters that are the same all over the picture."""
    name, _, parameters = spec.partition("(")
    kept = [
        parameter
        for parameter in parameters.rstrip(")").split(",")
        if parameter.startswith(("legal=", "value=", "inference=", "ties="))
    ]
    return f"{name}({','.join(kept)})" if kept else name


def results_by_seat(results: Sequence[Mapping[str, Any]], path: str) -> None:
    """Wins, draws and losses of the first bot by seat against each other bot (the paper's figure 2, and
    its figure for games with hidden information).

    Args:
      results: those of tournaments, as `arena.tournaments.summary.summarize` makes them, or of stored matches, as
        `benchmarks.support.stored_results` does; one panel for each game. Results of the same game are put into
        one panel. A tally by seat that has `forfeits` and `wins_by_forfeit` shows them apart, and one that
        has `mean_return` shows it beside the bar with its interval, and where it has `other_return` (a
        general-sum game) that too.
      path: path of the PNG file.
    """
    panels = _panels(results)
    tallies = [seat for opponents in panels.values() for _, seats in opponents for seat in seats]
    pyplot = _pyplot()
    rows = max(len(rows) for rows in panels.values())
    columns = min(len(panels), COLUMNS)
    lines = -(-len(panels) // columns)
    wide = any(map(_return_text, tallies))
    width = 4.2 + 1.6 * wide
    figure, axes = pyplot.subplots(
        lines, columns, squeeze=False, figsize=(width * columns + 1.2, 0.7 + (0.6 + 0.6 * rows) * lines)
    )
    for axis in axes.flat[len(panels) :]:
        axis.axis("off")
    for axis, (game, opponents) in zip(axes.flat, panels.items()):
        _draw_panel(axis, game, opponents)
    hero = results[0]["bots"][0].partition("(")[0]
    shown = {key: look for key, look in SEGMENTS.items() if any(key in seat for seat in tallies)}
    figure.legend(
        [
            pyplot.Rectangle((0, 0), 1, 1, facecolor=colour, hatch=hatch, edgecolor="white")
            for _, colour, hatch in shown.values()
        ],
        [words.format(hero) for words, _, _ in shown.values()],
        loc="lower center",
        ncols=len(shown),
        frameon=False,
        fontsize=9,
    )
    returns = f"; on the right the mean return of {hero}" if wide else ""
    if any("other_return" in seat for seat in tallies):
        returns += ", then that of the other one where they do not add up to the same"
    figure.suptitle(f"{hero} against ..., by seat{returns}", fontsize=11)
    figure.tight_layout(rect=(0, 0.3 / figure.get_figheight(), 1, 1), w_pad=3 if wide else None)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def _panels(results: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[str, Sequence[Mapping[str, Any]]]]]:
    """The panels, game -> for each opponent of the first bot its label (with the first bot's own where there are
    several such) and the first bot's tally in each seat."""
    panels: dict[str, list[tuple[str, Sequence[Mapping[str, Any]]]]] = {}
    several = len({_label(result["bots"][0]) for result in results}) > 1
    for result in results:
        hero = result["bots"][0]
        which = f"\n{_label(hero)}" if several else ""
        for pair in result["pairs"]:
            if hero in pair["bots"]:
                other = next(bot for bot in pair["bots"] if bot != hero)
                seats = pair["by_seat"]
                if pair["bots"][0] != hero:
                    seats = [
                        {"wins": s["losses"], "draws": s["draws"], "losses": s["wins"]} for s in reversed(seats)
                    ]
                panels.setdefault(result["game"], []).append((_label(other) + which, seats))
    return panels


def _return_text(tally: Mapping[str, Any]) -> str:
    """The mean return with its interval, and the other bot's where it has one of its own."""
    if tally.get("return_low") is None:
        return ""
    other = f", {tally['other_return']:+.2f}" if "other_return" in tally else ""
    return f"{tally['mean_return']:+.2f} ({tally['return_low']:+.2f} to {tally['return_high']:+.2f}){other}"


def _draw_panel(axis: Any, game: str, opponents: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]) -> None:
    """Draws one game: two bars for each opponent."""
    for place, (_, seats) in enumerate(opponents):
        for seat, shift in ((0, -0.19), (1, 0.19)):
            tally = seats[seat]
            total = max(1, sum(tally.get(key, 0) for key in SEGMENTS))
            left = 0.0
            for key, (_, colour, hatch) in SEGMENTS.items():
                share = tally.get(key, 0) / total
                axis.barh(
                    place + shift,
                    share,
                    0.34,
                    left,
                    color=colour,
                    hatch=hatch,
                    edgecolor="white" if hatch else None,
                    linewidth=0,
                )
                if share > 0.09:
                    axis.text(
                        left + share / 2,
                        place + shift,
                        str(tally[key]),
                        ha="center",
                        va="center",
                        fontsize=7.5,
                        color="white" if key != "draws" else "black",
                        bbox={"facecolor": colour, "linewidth": 0, "pad": 0.8} if hatch else None,
                    )
                left += share
            axis.text(
                -0.015,
                place + shift,
                "1st" if seat == 0 else "2nd",
                ha="right",
                va="center",
                fontsize=7,
                color="#555555",
            )
            axis.text(1.02, place + shift, _return_text(tally), ha="left", va="center", fontsize=7)
    axis.set_yticks(range(len(opponents)), [other for other, _ in opponents])
    axis.tick_params(axis="y", pad=26, length=0, labelsize=8.5)
    axis.set_ylim(len(opponents) - 0.5, -0.5)
    axis.set_xlim(0, 1)
    axis.set_xticks([0, 0.5, 1], ["0", "½", "1"])
    axis.set_title(game, fontsize=10)
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)


def accuracy_by_call(curves: Mapping[str, Sequence[Sequence[float]]], path: str) -> None:
    """Training transition accuracy of the best program so far, by calls (the paper's figure 6).

    Args:
      curves: by label, the accuracies by call of each independent run. A run that ended keeps
        its last value.
      path: path of the PNG file.
    """
    pyplot = _pyplot()
    figure, axis = pyplot.subplots(figsize=(8.6, 3.2))
    longest = max(len(run) for runs in curves.values() for run in runs)
    for number, (label, runs) in enumerate(curves.items()):
        colour = f"C{number}"
        best = []
        for run in runs:
            so_far = [max(run[: calls + 1]) for calls in range(len(run))]
            best.append(so_far + [so_far[-1]] * (longest - len(so_far)))
            axis.plot(range(1, longest + 1), best[-1], color=colour, alpha=0.25, linewidth=1)
        mean = [sum(column) / len(column) for column in zip(*best)]
        axis.plot(range(1, longest + 1), mean, color=colour, marker="o", label=f"{label} ({len(runs)})")
    axis.set_xlabel("calls of the language model")
    axis.set_ylabel("training transition accuracy")
    axis.set_xticks(range(1, longest + 1))
    axis.set_ylim(-0.03, 1.03)
    axis.grid(alpha=0.3)
    axis.legend(
        fontsize=8,
        title="mean of runs (number of runs)",
        title_fontsize=8,
        frameon=False,
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
    )
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
