"""The ratings of `arena.ratings` as plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runs.tables import text_table

_WIDE = 6
"""Most bots for which the cells of a crosstable hold their intervals too."""

_NAMES = {
    "standings": "scores",
    "crosstable": "crosstable",
    "elo": "Elo",
    "bradley_terry": "Bradley-Terry",
    "alpha_rank": "alpha-rank",
    "nash_averaging": "Nash averaging",
    "mean_returns": "mean returns",
    "plackett_luce": "Plackett-Luce",
}


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"  # without -0.0


MARK = "*"
"""The sign after an interval that is not reliable."""
MEANING = f"{MARK} unreliable: this interval may cover less than 93 % of the time (docs/statistics.md)"


def _interval(low: float | None, high: float | None, digits: int, reliable: bool = True) -> str:
    if low is None or high is None:
        return "-"
    return f"[{_number(low, digits)}, {_number(high, digits)}]{'' if reliable else MARK}"


def ranked_by(game: Mapping) -> str:
    """The figure by which the bots of a game are ranked, and the reason, as a sentence without its full stop."""
    return f"ranked by {game['ranked_by']['name']}, as {game['ranked_by']['why']}"


def ranking(game: Mapping) -> tuple[Mapping[str, Mapping], str]:
    """The figures by which the bots of a game are ranked, and the name of the value among them."""
    if "bots" in game["elo"]:
        return game["elo"]["bots"], "rating"
    return game["mean_returns"]["bots"], "mean"


def _best_first(bots: Sequence[str], keys: Mapping[str, float | None]) -> list[str]:
    return sorted(bots, key=lambda bot: (keys[bot] is None, -(keys[bot] or 0.0), bot))


def _standings(game: Mapping, ranked: Sequence[str]) -> str:
    rows = [["bot", "matches", "score", "95%", "W-D-L", "illegal/timeout/crash"]]
    for bot in ranked:
        own = game["standings"]["bots"][bot]
        rows.append(
            [
                bot,
                str(own["matches"]),
                _number(own["score"], 3),
                _interval(own["wilson_low"], own["wilson_high"], 3, own["reliable"]),
                f"{own['wins']}-{own['draws']}-{own['losses']}",
                "/".join(map(str, game["forfeits"][bot].values())),
            ]
        )
    return text_table(rows)


def _ratings(game: Mapping, ranked: Sequence[str]) -> str:
    rows = [["bot"], *([bot] for bot in ranked)]

    def add(figure: str, *columns: tuple[str, str | None, int]) -> None:
        for title, key, digits in columns if "bots" in game.get(figure, {}) else ():
            rows[0].append(title)
            for row, bot in zip(rows[1:], ranked):
                own = game[figure]["bots"][bot]
                row.append(
                    _number(own[key], digits)
                    if key
                    else _interval(own["low"], own["high"], digits, own["reliable"])
                )

    add("elo", ("Elo", "rating", 0), ("95%", None, 0))
    add("bradley_terry", ("Bradley-Terry", "strength", 2), ("95%", None, 2))
    add("alpha_rank", ("alpha-rank", "mass", 3))
    add("nash_averaging", ("Nash mass", "mass", 3), ("Nash rating", "rating", 3))
    add("plackett_luce", ("Plackett-Luce", "strength", 2), ("95%", None, 2))
    return text_table(rows) if len(rows[0]) > 1 else ""


def _mean_returns(game: Mapping, ranked: Sequence[str]) -> str:
    seats = range(game["players"])
    rows = [
        [
            "bot",
            "matches",
            "mean return",
            "95%",
            *(title for seat in seats for title in (f"seat {seat}", "95%")),
        ]
    ]
    for bot in ranked:
        own = game["mean_returns"]["bots"][bot]
        rows.append(
            [
                bot,
                str(own["matches"]),
                _number(own["mean"], 3),
                _interval(own["low"], own["high"], 3, own["reliable"]),
                *(
                    cell
                    for seat in own["by_seat"]
                    for cell in (
                        _number(seat["mean"], 3),
                        _interval(seat["low"], seat["high"], 3, seat["reliable"]),
                    )
                ),
            ]
        )
    return text_table(rows)


def _crosstable(game: Mapping, ranked: Sequence[str]) -> str:
    table = game["crosstable"]
    figure, low, high = (
        ("score", "wilson_low", "wilson_high")
        if "score" in table
        else ("mean_return", "mean_return_low", "mean_return_high")
    )
    reliable = table[f"{figure}_reliable"]
    places = [game["bots"].index(bot) for bot in ranked]

    def cell(row: int, column: int) -> str:
        if table[figure][row][column] is None:
            return ""
        text = _number(table[figure][row][column], 3)
        bounds = table[low][row][column], table[high][row][column]
        return f"{text} {_interval(*bounds, 3, reliable[row][column])}" if len(places) <= _WIDE else text

    title = f"{figure.replace('_', ' ')} of the row{', 95%' if len(places) <= _WIDE else ''}"
    return text_table(
        [
            [title, *(str(number) for number in range(1, len(places) + 1))],
            *(
                [f"{number} {bot}", *(cell(row, column) for column in places)]
                for number, (bot, row) in enumerate(zip(ranked, places), start=1)
            ),
        ]
    )


def game_text(game: Mapping) -> str:
    """The ratings of one game, from the result of `arena.rating.rate.rate`."""
    played = f" with {game['setting']}" if game["setting"] else ""
    parts = [
        f"{game['game']}{played}: {game['players']} players, {game['utility']}, {game['matches']} matches, "
        f"of which {game['unique_matches']} count, in {game['openings']} blocks; {ranked_by(game)}"
    ]
    if "bots" in game["mean_returns"]:
        figures, key = ranking(game)
        ranked = _best_first(game["bots"], {bot: own[key] for bot, own in figures.items()})
        if "bots" in game["standings"]:
            parts += [_standings(game, ranked), _ratings(game, ranked)]
            parts.append(_mean_returns(game, ranked))
        else:
            parts += [_mean_returns(game, ranked), _ratings(game, ranked)]
        if "bots" in game["alpha_rank"] or "bots" in game["nash_averaging"]:
            parts.append(
                "no coverage is claimed for alpha-rank and Nash averaging, which take means for the truth"
            )
        if "absent" not in game["crosstable"]:
            parts.append(_crosstable(game, ranked))
        if any(MARK in part for part in parts):
            parts.append(MEANING)
    reasons: dict[str, list[str]] = {}
    for figure, name in _NAMES.items():
        if "absent" in game.get(figure, {}):
            reasons.setdefault(game[figure]["absent"], []).append(name)
    parts += [f"no {' or '.join(names)}: {why}" for why, names in reasons.items()]
    parts += [f"note: {note}" for note in game["notes"]]
    return "\n\n".join(part for part in parts if part)


def _mean_text(mean: Mapping) -> str:
    bots = mean["bots"]
    rows = [
        ["bot", "score", "95%"],
        *(
            [
                bot,
                _number(bots[bot]["score"], 3),
                _interval(bots[bot]["low"], bots[bot]["high"], 3, bots[bot]["reliable"]),
            ]
            for bot in _best_first(list(bots), {bot: own["score"] for bot, own in bots.items()})
        ),
    ]
    parts = [
        f"mean score over {len(mean['games'])} games ({', '.join(mean['games'])})",
        text_table(rows) if bots else "no bot plays in all of them",
    ]
    if mean["left_out"]:
        parts.append(f"note: not in all of these games: {', '.join(mean['left_out'])}")
    return "\n\n".join(parts)


def ratings_text(ratings: Mapping) -> str:
    """The text that the command prints, best bots first, from the result of `arena.rating.rate.rate`."""
    parts = [game_text(game) for game in ratings["games"]]
    if ratings["mean_over_games"] is not None:
        parts.append(_mean_text(ratings["mean_over_games"]))
    return "\n\n\n".join(parts)


def _luck_table(game: Mapping, ranked: Sequence[str]) -> str:
    rows = [["bot", "policy", "mean return", "luck-adjusted", "95%", "variance, raw to adjusted"]]
    for bot in ranked:
        own = game["mean_returns"]["bots"][bot]
        exact = own["low"] == own["high"] and own["low"] is not None
        ratio = own["variance_ratio"]
        rows.append(
            [
                bot,
                "known" if bot in game["known"] else "may peek" if bot in game["may_peek"] else "unknown",
                _number(own["raw"]["mean"], 3),
                _number(own["mean"], 3),
                "exact" if exact else _interval(own["low"], own["high"], 3, own["reliable"]),
                "-" if ratio is None or exact else f"{ratio:.1f} to 1",
            ]
        )
    return text_table(rows)


def luck_text(found: Sequence[Mapping]) -> str:
    """What `arena.rating.luck.adjusting.luck_adjusted` returns as plain text, best bots first."""
    sections = []
    for game in found:
        name = f"{game['game']}{' with ' + game['setting'] if game['setting'] else ''}"
        if "absent" in game:
            sections.append(f"{name}: no luck-adjusted mean returns, as {game['absent']}")
            continue
        means = game["mean_returns"]["bots"]
        ranked = _best_first(game["bots"], {bot: own["mean"] for bot, own in means.items()})
        values = f"; bots of unknown policy are valued as {game['baseline']}" if game["unknown"] else ""
        parts = [
            f"{name}: mean returns, luck-adjusted by {game['method']}{values}",
            _luck_table(game, ranked),
            *([_crosstable(game, ranked)] if "crosstable" in game else []),
            *(f"note: {note}" for note in game["notes"]),
        ]
        if any(MARK in part for part in parts[1:]):
            parts.append(MEANING)
        sections.append("\n\n".join(parts))
    return "\n\n\n".join(sections)
