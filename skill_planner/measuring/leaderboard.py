"""Tables and pictures of the benchmark: scores and levels (figure 7), matchup (figure 8), table II."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from arena.matches.records import MatchRecord
from arena.rating.intervals import return_interval, score_interval
from runs.tables import text_table
from skill_planner.measuring import scores
from skill_planner.measuring.contests import Contest, Contestant
from skill_planner.measuring.scores import Seat

_MEASURES = ("RHR", "RUR", "UPR", "CER")
_LEVEL, _BAR = "#8a8f98", "#2a6f97"


def summarize(
    schedule: Sequence[Contest],
    records: Sequence[MatchRecord],
    models: Sequence[Contestant],
    bots: Sequence[Contestant],
    rounds: int,
) -> dict[str, Any]:
    """Returns the result as JSON-able data.

    Returns:
      `contestants`: name -> `scores.summary` of its matches against the opponents, with `WR_low` and `WR_high`,
      the 95 % interval of the win rate over blocks, the matches with one seed (`arena.rating.intervals`);
      `figure_score`, the mean over opponents and maps of the points in `rounds` matches; and `against`:
      opponent -> summary. `levels`: opponent -> the same score against the other opponents. `matchup`: BLUE -> RED
      -> points of BLUE; `leaderboard`: rows of table II, best first; both without a matchup empty. `differences`: the
      score (1, 0.5, 0) of the first model less that of each other one in the same matches (opponent, opening, side),
      mean and 95 % interval over openings, for each map and for all.
      `matches`: each match with its players' figures.
    """
    played = [scores.seats(record) for record in records]
    entries = list(zip(schedule, played, strict=True))

    def of(contestant: Contestant, kind: str, other: Contestant | None = None) -> list[tuple[int, Seat]]:
        """By match its seed and what the contestant did."""
        return [
            (contest.seed, seats[player])
            for contest, seats in entries
            for player in (0, 1)
            if contest.kind == kind
            and contest.seats[player] == contestant
            and (other is None or contest.seats[1 - player] == other)
        ]

    def per_round(own: Sequence[tuple[int, Seat]]) -> float | None:
        return round(rounds * sum(seat.points for _, seat in own) / len(own), 4) if own else None

    contestants = {}
    for model in models:
        against = of(model, "baseline")
        if against:
            contestants[model.name] = {
                **_summary(against),
                "figure_score": per_round(against),
                "against": {bot.name: _summary(of(model, "baseline", bot)) for bot in bots},
            }
    boards: dict[str, dict[str, int]] = {}
    rows = []
    for model in models:
        fought = of(model, "matchup")
        if fought:
            rows.append({"model": model.name, **_summary(fought)})
            boards[model.name] = {
                other.name: sum(
                    seats[0].points
                    for contest, seats in entries
                    if contest.kind == "matchup" and contest.seats == (model, other)
                )
                for other in models
                if other != model
            }
    return {
        "contestants": contestants,
        "levels": {bot.name: per_round(of(bot, "level")) for bot in bots if of(bot, "level")},
        "matchup": boards,
        "leaderboard": sorted(rows, key=lambda row: -row["score"]),
        "differences": [found for other in models[1:] for found in _differences(entries, models[0], other)],
        "matches": [
            _match(contest, record, seats)
            for contest, record, (_, seats) in zip(schedule, records, entries, strict=True)
        ],
    }


def _differences(
    entries: Sequence[tuple[Contest, tuple[Seat, Seat]]], first: Contestant, other: Contestant
) -> list[dict[str, Any]]:
    """Returns the paired differences of two models' scores by map, and of all matches where there are several maps."""
    points: dict[tuple[Any, ...], dict[Contestant, int]] = {}
    for contest, seats in entries:
        if contest.kind == "baseline":
            player = int(contest.seats[0].variant is None)
            match = contest.map, contest.seats[1 - player].spec, contest.seed, player
            points.setdefault(match, {})[contest.seats[player]] = seats[player].points
    pairs = {match: own for match, own in points.items() if first in own and other in own}
    maps = list(dict.fromkeys(match[0] for match in pairs))
    found = []
    for board in [*maps, None] if len(maps) > 1 else maps:
        matches = [match for match in pairs if board in (match[0], None)]
        blocks = [f"{match[:3]}" for match in matches]
        values = [(pairs[match][first] - pairs[match][other]) / 2 for match in matches]
        low, high = return_interval(blocks, values, -1.0, 1.0)
        found.append(
            {
                "first": first.name,
                "other": other.name,
                "map": board or "all",
                "matches": len(matches),
                "difference": fmean(values),
                "low": low,
                "high": high,
            }
        )
    return found


def _summary(own: Sequence[tuple[int, Seat]]) -> dict[str, Any]:
    seeds, seats = [seed for seed, _ in own], [seat for _, seat in own]
    low, high = score_interval(seeds, [seat.points > 0 for seat in seats]) if own else (None, None)
    return {**scores.summary(seats), "WR_low": low, "WR_high": high}


def _match(contest: Contest, record: MatchRecord, seats: tuple[Seat, Seat]) -> dict[str, Any]:
    forfeit = record.forfeit
    return {
        "kind": contest.kind,
        "blue": contest.seats[0].name,
        "red": contest.seats[1].name,
        "map": contest.map,
        "round": contest.round + 1,
        "seed": contest.seed,
        "reason": forfeit and forfeit.reason,
        "players": [seat._asdict() for seat in seats],
    }


def text(result: dict[str, Any]) -> str:
    """Returns the result as tables for a terminal."""
    blocks = []
    if result["contestants"]:
        opponents = list(next(iter(result["contestants"].values()))["against"])
        rows = [
            [
                "contestant",
                "score",
                *map(_short, opponents),
                "WR (95 %)",
                *_MEASURES,
                "valid",
                "calls",
                "s/call",
            ]
        ]
        for name, own in result["contestants"].items():
            rows.append(
                [
                    name,
                    _shown(own["figure_score"]),
                    *(
                        f"{entry['wins']}-{entry['draws']}-{entry['losses']}"
                        for entry in own["against"].values()
                    ),
                    _rate(own),
                    *(_shown(own[key]) for key in (*_MEASURES, "valid_skill_rate")),
                    str(own["calls"]),
                    _shown(result.get("costs", {}).get(name, {}).get("seconds_per_request")),
                ]
            )
        blocks.append(text_table(rows))
    if result["differences"]:
        rows = [
            [
                row["other"],
                row["map"],
                str(row["matches"]),
                f"{row['difference']:+.2f} [{row['low']:+.2f}, {row['high']:+.2f}]",
            ]
            for row in result["differences"]
        ]
        first = result["differences"][0]["first"]
        blocks.append(text_table([[f"{first} less", "map", "matches", "score (95 %)"], *rows]))
    if result["levels"]:
        blocks.append(
            text_table(
                [
                    ["level of", "score"],
                    *([_short(name), _shown(level)] for name, level in result["levels"].items()),
                ]
            )
        )
    if result["matchup"]:
        names = list(result["matchup"])
        blocks.append(
            text_table(
                [
                    ["BLUE \\ RED", *names],
                    *(
                        [blue, *("-" if red == blue else f"{result['matchup'][blue][red]:+d}" for red in names)]
                        for blue in names
                    ),
                ]
            )
        )
        blocks.append(
            text_table(
                [
                    ["model", "score", "WR (95 %)", *_MEASURES],
                    *(
                        [row["model"], str(row["score"]), _rate(row), *(_shown(row[key]) for key in _MEASURES)]
                        for row in result["leaderboard"]
                    ),
                ]
            )
        )
    return "\n\n".join(blocks)


def plot(result: dict[str, Any], path: str) -> None:
    """Draws a bar for each contestant's score, the opponents' own levels as dashed lines (figure 7), as
    PNG.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    names = list(result["contestants"])
    values = [result["contestants"][name]["figure_score"] for name in names]
    figure, axis = pyplot.subplots(figsize=(3.5 + 1.3 * max(1, len(names)), 4.5))
    axis.bar(names, values, color=_BAR, width=0.6, zorder=2)
    for name, level in result["levels"].items():
        axis.axhline(level, color=_LEVEL, linestyle="--", linewidth=1, zorder=1)
        axis.annotate(
            _short(name),
            (1.01, level),
            xycoords=("axes fraction", "data"),
            fontsize=8,
            va="center",
            color=_LEVEL,
        )
    limit = result["settings"]["rounds"] if "settings" in result else max(map(abs, values), default=1)
    axis.set_ylim(-1.1 * limit, 1.1 * limit)
    axis.axhline(0, color="black", linewidth=0.6)
    axis.set_ylabel("mean score against an opponent")
    axis.tick_params(axis="x", labelrotation=20)
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def _short(spec: str) -> str:
    return spec.partition("(")[0].removeprefix("micro_rts_")


def _rate(own: dict[str, Any]) -> str:
    """The win rate with its interval."""
    if own["WR"] is None:
        return "-"
    return f"{own['WR']:.2f} ({own['WR_low']:.2f}-{own['WR_high']:.2f})"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
