"""The data that fill the template of a report: texts, places in percent, and numbers of matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.page.charts import Axis
from arena.rating.adversaries import Adversary


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
class Further:
    """Ratings beside the first: columns, rows of (value, low, high), and why others are absent."""

    titles: Sequence[str]
    rows: Sequence[tuple[Line, Sequence[tuple[str, str, str]]]]
    absent: Sequence[str]


@dataclass(frozen=True)
class Cell:
    """A cell of the crosstable: the bot against itself (`own`), or n matches with a value and its
    interval; `heat` is 0 to 20."""

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
    """Ratings over time."""

    title: str
    meaning: str
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
    """A bot's results by seat: `tallies` where a match is won or lost, else `means`."""

    tallies: Sequence[Outcomes]
    means: Sequence[Mean]


@dataclass(frozen=True)
class Forfeited(Line):
    """The number of its unique matches that a bot forfeited, by kind."""

    counts: Sequence[int]
    matches: int


@dataclass(frozen=True)
class Spent(Line):
    """The costs of a bot; `extras` stand under `extra_names`."""

    move: str
    slow: str
    match: str
    extra_names: Sequence[str]
    extras: Sequence[str]


@dataclass(frozen=True)
class Reason:
    """The reason for which a match whose replay is in the page was forfeited."""

    match: int
    game: str
    bot: str
    kind: str
    reason: str


@dataclass(frozen=True)
class Section:
    """The part of a report about one game. Parts that the game or its matches cannot have are None or
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
    further: Further | None = None
    crosstable: Crosstable | None = None
    history: History | None = None
    seats: Sequence[Seated] = ()
    forfeits: Sequence[Forfeited] = ()
    costs: Sequence[Spent] = ()
    reasons: Sequence[Reason] = ()


@dataclass(frozen=True)
class Overall:
    """Mean scores over several games; `left_out` are the bots that do not play in all."""

    games: Sequence[str]
    left_out: Sequence[str]
    rows: Sequence[tuple[str, str, str, str]]


@dataclass(frozen=True)
class MatrixCell:
    """A method in a game: the place of its best bot (such as "2 of 9"), that bot and its rating; or, with
    an empty place, why it does not play there."""

    place: str
    bot: str
    note: str


@dataclass(frozen=True)
class Matrix:
    """Methods in games; a cell of each row for each game."""

    games: Sequence[str]
    rows: Sequence[tuple[str, Sequence[MatrixCell]]]


@dataclass(frozen=True)
class Replay:
    """A match in the page: its id in the database, its entry in a list, and the rest as
    `report_replays.packed` makes it."""

    id: int
    summary: dict[str, object]
    data: str


@dataclass(frozen=True)
class Broken:
    """A match that does not follow from its game."""

    id: int
    game: str
    reason: str


@dataclass(frozen=True)
class Played:
    """An experiment; `config` as names and texts, times in words."""

    id: int
    config: Sequence[tuple[str, str]]
    matches: int
    first: str
    last: str


@dataclass(frozen=True)
class Page:
    """The data that fill the template of the page."""

    title: str
    source: str
    seed: int
    matches: int
    unique: int
    forfeits: int
    bots: int
    period: str
    sections: Sequence[Section]
    overall: Overall | None
    cost_basis: str
    replays: Sequence[Replay]
    replays_note: str
    broken: Sequence[Broken]
    experiments: Sequence[Played]
    bot_matches: Sequence[tuple[str, int]]
    versions: Sequence[tuple[str, str]]
    matrix: Matrix | None = None
    adversaries: Sequence[Adversary] = ()
