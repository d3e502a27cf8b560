"""The result of a tournament as plain text."""

from __future__ import annotations

from collections.abc import Mapping

from arena.rating.tables import MARK, MEANING, game_text, ranked_by
from runs.tables import text_table

_OWN = {
    "game",
    "players",
    "num_games",
    "line_ups",
    "block",
    "seed",
    "opening_plies",
    "move_seconds",
    "matches",
    "unique_matches",
}
"""Numbers and texts of a result that have a place of their own in the text."""


def _by_outcomes(result: Mapping) -> bool:
    """Whether wins, draws and losses are all that there is."""
    return result["ranked_by"]["figure"] == "elo"


def _interval(low: float | None, high: float | None, reliable: bool, exact: bool) -> str:
    if exact:
        return "exact"
    return "-" if low is None or high is None else f"{low:.3f} to {high:.3f}{'' if reliable else MARK}"


def _wdl(tally: Mapping[str, int]) -> str:
    return f"{tally['wins']}-{tally['draws']}-{tally['losses']}"


def _score(own: Mapping) -> list[str]:
    ends = own["wilson_low"], own["wilson_high"], own["reliable"], own["exact"]
    return [f"{own['score']:.3f}", _interval(*ends)]


def _mean(own: Mapping) -> list[str]:
    ends = own["return_low"], own["return_high"], own["return_reliable"], own["exact"]
    return [f"{own['mean_return']:.3f}", _interval(*ends)]


def tournament_text(result: Mapping) -> str:
    """Returns the text that the command prints: a heading; the standings, and the crosstable for three bots or more
    (with more than two players, the text of `arena.ratings`); and whatever else in the result is a number or a text
    of its own (such as an audit's figures)."""
    if "rating" in result:
        parts = [game_text(result["rating"]), f"seed: {result['seed']}"]
    else:
        parts = _between_two(result)
    parts += result.get("notes", [])
    parts += [
        f"{entry['bot']} forfeited {entry['matches']} of its matches ({entry['kind']}), first: "
        f"{entry['first_reason']}"
        for entry in result.get("forfeits", [])
    ]
    more = [
        f"{name.replace('_', ' ')}: {value}"
        for name, value in result.items()
        if name not in _OWN and isinstance(value, (int, float, str))
    ]
    if more:
        parts.append("\n".join(more))
    return "\n\n".join(parts)


def _between_two(result: Mapping) -> list[str]:
    """Returns the tables of a tournament of two players."""
    parts = [
        f"{result['game']}: {result['matches']} matches, of which {result['unique_matches']} count, "
        f"seed {result['seed']}; " + ranked_by(result).replace("by Elo", "by score"),
        # Elo itself needs a fit, which python -m arena.ratings makes; against all the same bots the scores
        # stand in its order.
        text_table(standings_rows(result)),
    ]
    if len(result["bots"]) > 2:
        parts.append(text_table(crosstable_rows(result)))
    if any(MARK in part for part in parts[1:]):
        parts.append(MEANING)
    return parts


def standings_rows(result: Mapping) -> list[list[str]]:
    """Rows for a table of the bots, best first, from the result of a tournament: by score, or by mean return
    where returns have sizes.

    W-D-L are wins, draws and losses; forfeits are the bot's own, as illegal/timeout/crash.
    """
    outcomes = _by_outcomes(result)
    forfeited = "illegal/timeout/crash"
    if outcomes:
        rows = [["bot", "matches", "count", "score", "95%", "W-D-L", "W-D-L first", "W-D-L second", forfeited]]
    else:
        rows = [["bot", "matches", "count", "mean return", "95%", forfeited]]
    key = "score" if outcomes else "mean_return"
    for bot, own in sorted(result["per_bot"].items(), key=lambda item: -item[1][key]):
        rows.append(
            [
                bot,
                str(own["matches"]),
                str(own["unique_matches"]),
                *(_score(own) if outcomes else _mean(own)),
                *([_wdl(own), *map(_wdl, own["by_seat"])] if outcomes else []),
                "/".join(map(str, own["forfeits"].values())),
            ]
        )
    return rows


def crosstable_rows(result: Mapping) -> list[list[str]]:
    """Rows for a table of each bot (row) against each other (column): wins-draws-losses, or mean returns
    where these have sizes."""
    names = result["bots"]
    against: dict[tuple[str, str], str] = {}
    outcomes = _by_outcomes(result)
    for pair in result["pairs"]:
        first, second = pair["bots"]
        if outcomes:
            against[first, second] = _wdl(pair)
            against[second, first] = f"{pair['losses']}-{pair['draws']}-{pair['wins']}"
        else:
            against[first, second] = " ".join(_mean(pair))
            against[second, first] = f"{pair['other_mean_return']:.3f}"
    return [
        ["W-D-L of the row" if outcomes else "mean return of the row", *names],
        *([row, *(against.get((row, column), "") for column in names)] for row in names),
    ]
