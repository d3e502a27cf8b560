"""A picture of ratings: for each game the crosstable as a heat map, and the ratings with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from runs import cli

_NAME_LENGTH = 44
"""Characters of a bot's name that are shown."""
_ANNOTATED = 20
"""Most bots for which the cells of a heat map hold their numbers."""


def _pyplot():
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    return pyplot


def _short(name: str) -> str:
    if len(name) <= _NAME_LENGTH:
        return name
    half = (_NAME_LENGTH - 3) // 2
    return f"{name[:half]}...{name[-half:]}"


def _figures(game: Mapping) -> tuple[str, dict[str, Mapping[str, float | None]]]:
    """The ratings to show: a title, and value, low and high by bot."""
    if "bots" in game["elo"]:
        return "Elo, 95 %", {bot: {**own, "value": own["rating"]} for bot, own in game["elo"]["bots"].items()}
    return "mean return, 95 %", {
        bot: {**own, "value": own["mean"]} for bot, own in game["mean_returns"]["bots"].items()
    }


def _heat_map(axis, game: Mapping, ranked: list[str]) -> None:
    table = game["crosstable"]
    is_score = "score" in table
    places = [game["bots"].index(bot) for bot in ranked]
    cells = np.array(table["score" if is_score else "mean_return"], float)[np.ix_(places, places)]
    known = cells[~np.isnan(cells)]
    low, high = (0.0, 1.0) if is_score else (known.min(), known.max())
    image = axis.imshow(
        np.ma.masked_invalid(cells), cmap="RdBu" if is_score else "viridis", vmin=low, vmax=high, aspect="auto"
    )
    axis.set_facecolor("#e6e6e6")
    numbers = [str(number) for number in range(1, len(ranked) + 1)]
    axis.set_xticks(range(len(ranked)), numbers)
    axis.set_yticks(range(len(ranked)), [f"{_short(bot)}  {n}" for bot, n in zip(ranked, numbers)])
    axis.tick_params(length=0)
    axis.set_xlabel("against")
    axis.set_title("score of the row (win 1, draw 1/2)" if is_score else "mean return of the row", fontsize=10)
    axis.figure.colorbar(image, ax=axis, fraction=0.05, pad=0.02)
    if len(ranked) <= _ANNOTATED:
        for (row, column), value in np.ndenumerate(cells):
            if not np.isnan(value):
                shade = (value - low) / ((high - low) or 1.0)
                dark = not 0.2 < shade < 0.8 if is_score else shade < 0.5
                axis.text(
                    column,
                    row,
                    f"{value:.2f}",
                    ha="center",
                    va="center",
                    fontsize=7.5,
                    color="white" if dark else "black",
                )


def _ratings(axis, ranked: list[str], title: str, figures: Mapping, labels: list[str]) -> None:
    for place, bot in enumerate(ranked):
        value, low, high = (figures[bot][key] for key in ("value", "low", "high"))
        if value is None:
            continue
        if low is not None and high is not None:
            axis.plot([low, high], [place, place], color="#26547c", linewidth=2)
        axis.plot([value], [place], "o", color="#26547c", markersize=5)
    axis.set_yticks(range(len(ranked)), labels)
    axis.set_ylim(len(ranked) - 0.5, -0.5)
    axis.grid(axis="x", color="#dddddd")
    axis.set_axisbelow(True)
    axis.set_title(title, fontsize=10)
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)
    axis.tick_params(axis="y", length=0)


def draw(ratings: Mapping, path: str | Path) -> None:
    """Writes the picture, as a whole or not at all.

    Args:
      ratings: those from `arena.rating.rate.rate`, with at least one game in which bots met.
      path: path of the PNG file.

    Raises:
      ValueError: no two bots have met in any game.
      OSError: the file cannot be written.
    """
    games = [game for game in ratings["games"] if "bots" in game["mean_returns"]]
    if not games:
        raise ValueError("nothing to draw: expected a game in which two bots have met, found none")
    pyplot = _pyplot()
    heights = [1.6 + 0.3 * max(3, len(game["bots"])) for game in games]
    widest = max(len(game["bots"]) for game in games)
    letters = max(len(_short(bot)) for game in games for bot in game["bots"])
    figure = pyplot.figure(figsize=(6.5 + 0.42 * widest + 0.08 * letters, sum(heights)), layout="constrained")
    for game, part in zip(games, np.atleast_1d(figure.subfigures(len(games), 1, height_ratios=heights))):
        part.suptitle(f"{game['game']}: {game['unique_matches']} matches", fontsize=11)
        title, figures = _figures(game)
        ranked = sorted(
            game["bots"], key=lambda bot: (figures[bot]["value"] is None, -(figures[bot]["value"] or 0.0), bot)
        )
        if "absent" in game["crosstable"]:
            _ratings(part.subplots(), ranked, title, figures, [_short(bot) for bot in ranked])
            continue
        heat, axis = part.subplots(1, 2, width_ratios=[1.5 + 0.42 * len(ranked), 4])
        _heat_map(heat, game, ranked)
        _ratings(axis, ranked, title, figures, [str(number + 1) for number in range(len(ranked))])
    try:
        with cli.writing(path) as file:
            figure.savefig(file.buffer, dpi=130, format="png")
    finally:
        pyplot.close(figure)
