"""The part of a report about one game: the figures of `arena.ratings` laid out as charts and tables."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence

from arena.matches.records import FORFEIT_KINDS
from arena.page.charts import Axis, number, path, score, seconds
from arena.page.costs import Cost
from arena.page.page import (
    Cell,
    Crossed,
    Crosstable,
    Curve,
    Forfeited,
    Further,
    History,
    Line,
    Mean,
    Outcomes,
    Rated,
    Ratings,
    Reason,
    Seated,
    Section,
    Spent,
)
from arena.page.several import with_strengths
from arena.rating.tables import MARK, MEANING, ranked_by, ranking
from arena.store.results import Results

COLOURS = 8
"""Number of bots, the best ones, that get a colour of their own and a curve over time."""
HEAT = 20
"""The classes of the heat map are 0, the worst, to this, the best."""
_FEWEST = 40
"""Number of matches that count below which there is no curve over time."""

Figures = Mapping[str, object]


def bounds(
    figure: Figures, low: str = "low", high: str = "high", written: Callable[[float], str] = number
) -> tuple[str, str]:
    """The ends of an interval as texts, the second one marked where it is not reliable; empty where there is
    none."""
    if figure[low] is None or figure[high] is None:
        return "", ""
    mark = "" if figure.get("reliable", True) else MARK
    return written(figure[low]), written(figure[high]) + mark


def _whole(value: float) -> str:
    return number(round(value))


def _figure(value: float | None, written: Callable[[float], str] = number) -> str:
    return "–" if value is None else written(value)


def lines(rated: Figures) -> list[Line]:
    """The bots of a game, best first, those without a rating last."""
    figures, value = ranking(rated)
    ranked = sorted(
        rated["bots"], key=lambda bot: (figures[bot][value] is None, -(figures[bot][value] or 0.0), bot)
    )
    return [Line(bot, f"s{rank}" if rank < COLOURS else "") for rank, bot in enumerate(ranked)]


def _ratings(rated: Figures, ranked: Sequence[Line]) -> Ratings:
    figures, name = ranking(rated)
    matches = rated["mean_returns"]["bots"]
    elo = name == "rating"
    by = ranked_by(rated)
    by = by[0].upper() + by[1:]
    written = _whole if elo else number
    axis = Axis.over([own[key] for own in figures.values() for key in (name, "low", "high")])
    made = []
    for line in ranked:
        own = figures[line.name]
        low, high = bounds(own, written=written)
        scored = rated["standings"]["bots"][line.name] if elo else None
        made.append(
            Rated(
                line.name,
                line.colour,
                _figure(own[name], written),
                low,
                high,
                None if own[name] is None else axis.at(own[name]),
                (axis.at(own["low"]), axis.at(own["high"])) if low else None,
                score(scored["score"]) if scored else "",
                *(bounds(scored, "wilson_low", "wilson_high", score) if scored else ("", "")),
                matches[line.name]["matches"],
            )
        )
    if elo:
        return Ratings(
            "Ratings",
            f"{by}. Elo with the bootstrap interval over blocks, as number and bar; score with Wilson's interval, "
            f"whose design effect is that of blocks. {MEANING}.",
            "Elo",
            "score",
            axis,
            made,
        )
    return Ratings(
        "Mean returns",
        f"{by}. Mean return over all seats, in utilities of the game, with its interval over blocks. {MEANING}.",
        "mean return",
        "",
        axis,
        made,
    )


_FURTHER = (
    ("Bradley-Terry", "bradley_terry", "strength"),
    ("alpha-rank", "alpha_rank", "mass"),
    ("Nash mass", "nash_averaging", "mass"),
    ("Nash rating", "nash_averaging", "rating"),
)


def _further(rated: Figures, ranked: Sequence[Line]) -> Further | None:
    """Ratings beside the one that ranks."""
    columns = [column for column in _FURTHER if "bots" in rated[column[1]]]
    if not columns:
        return None
    rows = [
        (
            line,
            [
                (_figure(own[key]), *(bounds(own) if "low" in own else ("", "")))
                for _, figure, key in columns
                for own in [rated[figure]["bots"][line.name]]
            ],
        )
        for line in ranked
    ]
    absent = [
        f"{title}: {rated[figure]['absent']}." for title, figure, _ in _FURTHER[:3] if "absent" in rated[figure]
    ]
    return Further([title for title, _, _ in columns], rows, absent)


def _crosstable(rated: Figures, ranked: Sequence[Line]) -> Crosstable | None:
    table = rated["crosstable"]
    if "absent" in table:
        return None
    scored = "score" in table
    value, low, high = (
        ("score", "wilson_low", "wilson_high")
        if scored
        else ("mean_return", "mean_return_low", "mean_return_high")
    )
    found = [entry for row in table[value] for entry in row if entry is not None]
    least, most = (0.0, 1.0) if scored else (min(found, default=0.0), max(found, default=1.0))
    written = functools.partial(score, decimals=2) if scored else number
    place = {bot: index for index, bot in enumerate(rated["bots"])}

    def cell(row: str, column: str) -> Cell:
        i, j = place[row], place[column]
        if row == column or not table["matches"][i][j]:
            return Cell(row == column)
        figure = {name: table[name][i][j] for name in (value, low, high)}
        figure["reliable"] = table[f"{value}_reliable"][i][j]
        heat = round(HEAT * (figure[value] - least) / (most - least)) if most > least else HEAT // 2
        return Cell(
            False, table["matches"][i][j], written(figure[value]), *bounds(figure, low, high, written), heat
        )

    return Crosstable(
        "Score of the row against the column with Wilson's interval, and n matches that count."
        if scored
        else "Mean return of the row against the column with its interval over blocks, and n matches that count.",
        [Crossed(line.name, line.colour, [cell(line.name, other.name) for other in ranked]) for line in ranked],
    )


def _history(past: Figures, ranked: Sequence[Line]) -> History | None:
    """Curves of the best bots only, to be readable."""
    ends = past["matches"]
    if ends[-1] < _FEWEST:
        return None
    shown = [line for line in ranked if line.colour]
    figures = {
        line.name: [math.nan if value is None else value for value in past["bots"][line.name]] for line in shown
    }
    x = Axis.up_to(ends[-1])
    # The scale ignores the first part, in which a few matches throw ratings far off.
    y = Axis.over([value for curve in figures.values() for value in curve[len(ends) // 10 :]])
    curves = [Curve(line.name, line.colour, path(list(zip(ends, figures[line.name])), x, y)) for line in shown]
    what = "Elo" if past["figure"] == "elo" else "Mean return"
    of = f" of the best {len(shown)} bots" if len(shown) < len(ranked) else ""
    known = past["ended"][-1] is not None
    order = "" if known else ", those of which nobody noted the time last, by seed"
    return History(
        f"{what} over time{of}",
        f"{what} from all matches that count up to each point. "
        f"Horizontally: matches, in the order in which they ended{order}.",
        x,
        y,
        curves,
    )


def _seats(rated: Figures, unique: Results, ranked: Sequence[Line]) -> list[Seated]:
    if "bots" not in rated["standings"]:
        return [
            Seated(
                line.name,
                line.colour,
                (),
                [
                    Mean(_figure(seat["mean"]), *bounds(seat), seat["matches"])
                    for seat in rated["mean_returns"]["bots"][line.name]["by_seat"]
                ],
            )
            for line in ranked
        ]
    made = []
    for line in ranked:
        bot = unique.bots.index(line.name)
        tallies = []
        for seat in (0, 1):
            returns = unique.returns[unique.seats[:, seat] == bot]
            ahead = returns[:, seat] - returns[:, 1 - seat]
            tallies.append(Outcomes(*(int(part.sum()) for part in (ahead > 0, ahead == 0, ahead < 0))))
        made.append(Seated(line.name, line.colour, tallies, ()))
    return made


def _forfeits(rated: Figures, ranked: Sequence[Line]) -> list[Forfeited]:
    matches = rated["mean_returns"]["bots"]
    made = [
        Forfeited(
            line.name,
            line.colour,
            [rated["forfeits"][line.name][kind] for kind in FORFEIT_KINDS],
            matches[line.name]["matches"],
        )
        for line in ranked
    ]
    return [line for line in made if any(line.counts)]


_EXTRAS = {
    "simulations a move": ("simulations", "moves"),
    "model calls a match": ("model_calls", "matches"),
    "tokens a match": ("tokens", "matches"),
    "US$ a match": ("usd", "matches"),
}


def _costs(costs: Mapping[str, Cost], ranked: Sequence[Line]) -> list[Spent]:
    known = [line for line in ranked if line.name in costs and costs[line.name].moves]
    names = [
        name
        for name, (what, _) in _EXTRAS.items()
        if any(getattr(costs[line.name], what) is not None for line in known)
    ]
    made = []
    for line in known:
        cost = costs[line.name]
        extras = []
        for name in names:
            total, per = (getattr(cost, part) for part in _EXTRAS[name])
            extras.append("–" if total is None else number(total / per))
        made.append(
            Spent(
                line.name,
                line.colour,
                seconds(cost.mean_seconds()),
                seconds(cost.slow_seconds()),
                seconds(sum(cost.seconds) / cost.matches),
                names,
                extras,
            )
        )
    return made


def section(
    anchor: str,
    rated: Figures,
    past: Figures | None,
    unique: Results | None,
    *,
    costs: Mapping[str, Cost],
    reasons: Sequence[Reason],
) -> Section:
    """The part of a report about one game.

    Args:
      anchor: the section's id in the page.
      rated: the game's figures by `arena.rating.rate.rate`.
      past: its figures by `arena.rating.rate.over_time`; None if no two bots met.
      unique: the game's matches as `arena.rating.evidence.evidence` gives them, those of a bot against itself
        left out; None if no two bots met.
      costs: costs by bot.
      reasons: those of the game's forfeits whose replays are in the report.
    """
    common = (
        anchor,
        f"{rated['game']}, {rated['setting']}" if rated["setting"] else rated["game"],
        rated["matches"],
        rated["unique_matches"],
        rated["openings"],
        rated["players"],
        rated["utility"],
        [f"{note[0].upper()}{note[1:]}." for note in rated["notes"]],
    )
    if unique is None or past is None:
        return Section(*common, reasons=reasons)
    ranked = lines(rated)
    return Section(
        *common,
        with_strengths(_ratings(rated, ranked), rated) if "plackett_luce" in rated else _ratings(rated, ranked),
        _further(rated, ranked),
        _crosstable(rated, ranked),
        _history(past, ranked),
        _seats(rated, unique, ranked),
        _forfeits(rated, ranked),
        _costs(costs, ranked),
        reasons,
    )
