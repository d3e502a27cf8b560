"""What a report says of one game: the figures of `arena.ratings` laid out as charts and tables."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.bradley_terry import elo
from arena.ratings import rate
from arena.records import FORFEIT_KINDS
from arena.report_charts import Axis, number, path, seconds
from arena.report_costs import Cost
from arena.results import NO_SEAT, Results
from arena.statistics import deduplicate
from arena.tally import evidence

COLOURS = 8
"""Bots that get a colour of their own: the best."""
CHECKPOINTS = 40
"""Points of a curve over time."""
HEAT = 20
"""The classes of the heat map are 0, the worst, to this, the best."""

Figures = Mapping[str, object]


@dataclass(frozen=True)
class Line:
    """A bot in a table or chart: `colour` is a class of the style sheet, empty for none."""

    name: str
    colour: str


@dataclass(frozen=True)
class Rated(Line):
    """A line of the table of ratings. `low` and `high` are empty where there is no interval; places
    on the axis are percentages."""

    value: str
    low: str
    high: str
    at: float | None
    span: tuple[float, float] | None
    other: str
    other_low: str
    other_high: str
    matches: int


@dataclass(frozen=True)
class Ratings:
    """The table of ratings; `other` is the heading of a second figure, empty for none."""

    title: str
    meaning: str
    unit: str
    other: str
    axis: Axis
    lines: Sequence[Rated]


@dataclass(frozen=True)
class Cell:
    """A cell of the crosstable; `heat` is 0 to `HEAT`."""

    own: bool
    n: int = 0
    value: str = ""
    low: str = ""
    high: str = ""
    heat: int = 0


@dataclass(frozen=True)
class Crossed(Line):
    """A row of the crosstable."""

    cells: Sequence[Cell]


@dataclass(frozen=True)
class Crosstable:
    """The crosstable, best bot first."""

    meaning: str
    lines: Sequence[Crossed]


@dataclass(frozen=True)
class Curve(Line):
    """A bot's rating over time, as the `d` of an SVG path."""

    path: str


@dataclass(frozen=True)
class History:
    """Ratings over time; `along` says what the horizontal axis is."""

    title: str
    meaning: str
    along: str
    x: Axis
    y: Axis
    curves: Sequence[Curve]


@dataclass(frozen=True)
class Outcomes:
    """Wins, draws and losses."""

    won: int
    drawn: int
    lost: int

    @property
    def total(self) -> int:
        return self.won + self.drawn + self.lost

    def part(self, count: int) -> float:
        """`count` in percent of all."""
        return round(100 * count / self.total, 2)


@dataclass(frozen=True)
class Mean:
    """A mean return in one seat, of n matches."""

    value: str
    low: str
    high: str
    n: int


@dataclass(frozen=True)
class Seated(Line):
    """How a bot did by seat: `tallies` where a match is won or lost, else `means`."""

    tallies: Sequence[Outcomes]
    means: Sequence[Mean]


@dataclass(frozen=True)
class Forfeited(Line):
    """How many of its unique matches a bot forfeited, by kind."""

    counts: Sequence[int]
    matches: int


@dataclass(frozen=True)
class Spent(Line):
    """What a bot cost; `extras` stand under `extra_names`."""

    move: str
    slow: str
    match: str
    extra_names: Sequence[str]
    extras: Sequence[str]


@dataclass(frozen=True)
class Section:
    """What a report says of one game. Parts that the game or its matches cannot have are None or
    empty. `reasons` are those of the forfeits whose replays are in the report."""

    anchor: str
    game: str
    matches: int
    unique: int
    openings: int
    players: int
    utility: str
    notes: Sequence[str]
    ratings: Ratings | None = None
    crosstable: Crosstable | None = None
    history: History | None = None
    seats: Sequence[Seated] = ()
    forfeits: Sequence[Forfeited] = ()
    costs: Sequence[Spent] = ()
    reasons: Sequence[object] = ()


def _bounds(figure: Figures, low: str = "low", high: str = "high", digits: int = 3) -> tuple[str, str]:
    if figure[low] is None or figure[high] is None:
        return "", ""
    return number(figure[low], digits), number(figure[high], digits)


def _by_bot(rated: Figures, name: str) -> Mapping[str, Figures] | None:
    return rated[name].get("bots")


def _ranked(rated: Figures) -> list[str]:
    """The bots, best first; those without a rating last."""
    elos, means = _by_bot(rated, "elo"), _by_bot(rated, "mean_returns")

    def rank(bot: str) -> tuple[float, float]:
        rating = elos[bot]["rating"] if elos else None
        return (-math.inf if rating is None else rating), means[bot]["mean"]

    return sorted(rated["bots"], key=rank, reverse=True)


def _ratings(rated: Figures, lines: Sequence[Line]) -> Ratings:
    elos, means = _by_bot(rated, "elo"), _by_bot(rated, "mean_returns")
    standings = _by_bot(rated, "standings")
    figures = {bot: (elos[bot]["rating"] if elos else means[bot]["mean"], elos[bot] if elos else means[bot])
               for bot in rated["bots"]}
    axis = Axis.over([value for own, figure in figures.values()
                      for value in (own, figure["low"], figure["high"])])
    digits = 1 if elos else 3
    made = []
    for line in lines:
        value, figure = figures[line.name]
        low, high = _bounds(figure, digits=digits)
        score = standings[line.name] if elos else None
        made.append(Rated(
            line.name, line.colour, "–" if value is None else number(value, digits), low, high,
            None if value is None else axis.at(value),
            (axis.at(figure["low"]), axis.at(figure["high"])) if low else None,
            number(score["score"]) if score else "",
            *(_bounds(score, "wilson_low", "wilson_high") if score else ("", "")),
            matches=means[line.name]["matches"]))
    if elos:
        return Ratings("Ratings", "Elo with 95 % bootstrap interval over openings, as number and bar; score "
                       "with Wilson's interval.", "Elo", "score", axis, made)
    return Ratings("Mean returns", "Mean return in utilities of the game, over all seats, with 95 % "
                   "bootstrap interval over openings.", "mean return", "", axis, made)


def _crosstable(rated: Figures, lines: Sequence[Line]) -> Crosstable | None:
    table = rated["crosstable"]
    if "absent" in table:
        return None
    scored = "score" in table
    value, low, high = ("score", "wilson_low", "wilson_high") if scored else (
        "mean_return", "mean_return_low", "mean_return_high")
    found = [entry for row in table[value] for entry in row if entry is not None]
    least, most = (0.0, 1.0) if scored else (min(found, default=0.0), max(found, default=1.0))
    place = {bot: index for index, bot in enumerate(rated["bots"])}

    def cell(row: str, column: str) -> Cell:
        i, j = place[row], place[column]
        if row == column or not table["matches"][i][j]:
            return Cell(row == column)
        figure = {name: table[name][i][j] for name in (value, low, high)}
        heat = round(HEAT * (figure[value] - least) / (most - least)) if most > least else HEAT // 2
        return Cell(False, table["matches"][i][j], number(figure[value]), *_bounds(figure, low, high), heat)

    return Crosstable(
        "Score of the row against the column with Wilson's 95 % interval, and unique matches." if scored
        else "Mean return of the row against the column with its 95 % bootstrap interval, and unique matches.",
        [Crossed(line.name, line.colour, [cell(line.name, other.name) for other in lines])
         for line in lines])


def _order(results: Results) -> tuple[Results, str]:
    """The matches in the order of time, and what that order is."""
    if np.isnan(results.ended).any():
        return results, "matches in the order in which they were stored"
    return results.where(np.argsort(results.ended, kind="stable")), "matches in the order in which they ended"


def _history(results: Results, lines: Sequence[Line], elos: bool) -> History | None:
    """Ratings after growing parts of the matches; of the best bots only, to be readable."""
    ordered, along = _order(results)
    unique = deduplicate(ordered)
    if elos:
        unique = unique.where(unique.seats[:, 0] != unique.seats[:, 1])
    if len(unique) < 2 * CHECKPOINTS:
        return None
    ends = np.unique(np.linspace(len(unique) / CHECKPOINTS, len(unique), CHECKPOINTS).astype(int))
    bucket = np.searchsorted(ends, np.arange(len(unique)), side="right")
    count = len(unique.bots)
    if elos:
        figures = _elo_over_time(unique, bucket, len(ends), count)
    else:
        figures = _means_over_time(unique, bucket, len(ends), count)
    shown = [line for line in lines if line.colour]
    chosen = figures[:, [unique.bots.index(line.name) for line in shown]]
    x, y = Axis.over([0, *ends]), Axis.over(chosen[len(chosen) // 8:].ravel())
    x = Axis(0, float(ends[-1]), tuple((x.at(value) * x.high / ends[-1], text) for value, text in
                                       ((tick * x.high / 100, text) for tick, text in x.ticks)
                                       if value <= ends[-1]))
    curves = [Curve(line.name, line.colour, path(list(zip(ends.tolist(), chosen[:, column])), x, y))
              for column, line in enumerate(shown)]
    of = f" of the best {len(shown)} bots" if len(shown) < len(lines) else ""
    what = "Elo" if elos else "Mean return"
    return History(f"{what} over time{of}", f"{what} from all unique matches up to each point; the first "
                   "points rest on few matches, and the scale leaves out what they throw far off.",
                   f"Horizontally: {along}.", x, y, curves)


def _elo_over_time(unique: Results, bucket: np.ndarray, points: int, count: int) -> np.ndarray:
    wins, draws = np.zeros((2, points, count, count))
    (first, second), (own, other) = unique.seats[:, :2].T, unique.returns[:, :2].T
    np.add.at(wins, (bucket, np.where(own > other, first, second), np.where(own > other, second, first)),
              own != other)
    for a, b in ((first, second), (second, first)):
        np.add.at(draws, (bucket, a, b), own == other)
    return np.stack([elo(won, drawn, exact=False)
                     for won, drawn in zip(wins.cumsum(axis=0), draws.cumsum(axis=0))])


def _means_over_time(unique: Results, bucket: np.ndarray, points: int, count: int) -> np.ndarray:
    sums, seats = np.zeros((2, points, count))
    for bot, returns in zip(unique.seats.T, unique.returns.T):
        taken = bot != NO_SEAT
        np.add.at(sums, (bucket[taken], bot[taken]), returns[taken])
        np.add.at(seats, (bucket[taken], bot[taken]), 1)
    sums, seats = sums.cumsum(axis=0), seats.cumsum(axis=0)
    return np.divide(sums, seats, out=np.full(sums.shape, np.nan), where=seats > 0)


def _seats(rated: Figures, unique: Results, lines: Sequence[Line], scored: bool) -> list[Seated]:
    if not scored:
        means = _by_bot(rated, "mean_returns")
        return [Seated(line.name, line.colour, (), [
            Mean("–" if seat["mean"] is None else number(seat["mean"]), *_bounds(seat), seat["matches"])
            for seat in means[line.name]["by_seat"]]) for line in lines]
    made = []
    for line in lines:
        bot = unique.bots.index(line.name)
        tallies = []
        for seat in (0, 1):
            own = unique.returns[unique.seats[:, seat] == bot]
            difference = own[:, seat] - own[:, 1 - seat]
            tallies.append(Outcomes(*(int(part.sum()) for part in
                                      (difference > 0, difference == 0, difference < 0))))
        made.append(Seated(line.name, line.colour, tallies, ()))
    return made


def _forfeits(rated: Figures, lines: Sequence[Line]) -> list[Forfeited]:
    matches = _by_bot(rated, "mean_returns")
    made = [Forfeited(line.name, line.colour, [rated["forfeits"][line.name][kind] for kind in FORFEIT_KINDS],
                      matches[line.name]["matches"]) for line in lines]
    return [line for line in made if any(line.counts)]


_EXTRAS = {"simulations a move": ("simulations", "moves"), "model calls a match": ("model_calls", "matches"),
           "tokens a match": ("tokens", "matches"), "US$ a match": ("usd", "matches")}


def _costs(costs: Mapping[str, Cost], lines: Sequence[Line]) -> list[Spent]:
    known = [line for line in lines if line.name in costs and costs[line.name].moves]
    names = [name for name, (what, _) in _EXTRAS.items()
             if any(getattr(costs[line.name], what) is not None for line in known)]
    made = []
    for line in known:
        cost = costs[line.name]
        extras = []
        for name in names:
            total, per = (getattr(cost, part) for part in _EXTRAS[name])
            extras.append("–" if total is None else number(total / per))
        made.append(Spent(line.name, line.colour, seconds(cost.mean_seconds()), seconds(cost.slow_seconds()),
                          seconds(sum(cost.seconds) / cost.matches), names, extras))
    return made


def section(results: Results, game: str, anchor: str, *, seed: int, costs: Mapping[str, Cost],
            reasons: Sequence[object]) -> Section:
    """What a report says of `game`.

    Args:
      results: with at least one match of it.
      game: the game string.
      anchor: the section's id in the page.
      seed: of the bootstrap.
      costs: by bot.
      reasons: of forfeits.
    """
    own = results.where(results.game == results.games.index(game))
    try:
        rated, = rate(own, seed=seed)["games"]
    except ValueError as error:  # such as a game of a package that is not installed here
        unique = evidence(own)
        return Section(anchor, game, len(own), len(unique), len(np.unique(own.seed)), own.seats.shape[1],
                       "not rated", [f"There are no ratings: {error}"], reasons=reasons)
    lines = [Line(bot, f"s{rank}" if rank < COLOURS else "") for rank, bot in enumerate(_ranked(rated))] \
        if rated["bots"] else []
    common = (anchor, game, rated["matches"], rated["unique_matches"], rated["openings"], rated["players"],
              rated["utility"], [note[0].upper() + note[1:] + "." for note in rated["notes"]])
    if not lines:
        return Section(*common, reasons=reasons)
    elos = _by_bot(rated, "elo") is not None
    scored = "score" in rated["crosstable"]
    unique = evidence(own)
    if rated["players"] == 2:
        unique = unique.where(unique.seats[:, 0] != unique.seats[:, 1])
    return Section(
        *common, _ratings(rated, lines), _crosstable(rated, lines), _history(own, lines, elos),
        _seats(rated, unique, lines, scored), _forfeits(rated, lines), _costs(costs, lines), reasons)
