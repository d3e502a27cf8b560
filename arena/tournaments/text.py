"""The result of a tournament as plain text."""

from __future__ import annotations

from collections.abc import Mapping

from arena.rating.tables import game_text
from runs.tables import text_table


def _interval(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{low:.3f}-{high:.3f}"


def _wdl(tally: Mapping[str, int]) -> str:
    return f"{tally['wins']}-{tally['draws']}-{tally['losses']}"


def tournament_text(result: Mapping) -> str:
    """What the command prints: a heading; the standings, and the crosstable for three bots or more (with more
    than two players, what `arena.ratings` prints); and whatever else in the result is a number or a text of its own (such as an audit's figures)."""
    if "rating" in result:
        parts = [game_text(result["rating"]), f"seed: {result['seed']}"]
    else:
        parts = _between_two(result)
    parts += [
        f"{entry['bot']} forfeited {entry['matches']} of its matches ({entry['kind']}), first: "
        f"{entry['first_reason']}"
        for entry in result.get("forfeits", [])
    ]
    known = {
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
    more = [
        f"{name.replace('_', ' ')}: {value}"
        for name, value in result.items()
        if name not in known and isinstance(value, (int, float, str))
    ]
    if more:
        parts.append("\n".join(more))
    return "\n\n".join(parts)


def _between_two(result: Mapping) -> list[str]:
    """The tables of a tournament of two players."""
    parts = [
        f"{result['game']}: {result['matches']} matches, {result['unique_matches']} unique, "
        f"seed {result['seed']}",
        text_table(standings_rows(result)),
    ]
    return parts + [text_table(crosstable_rows(result))] if len(result["bots"]) > 2 else parts


def standings_rows(result: Mapping) -> list[list[str]]:
    """Rows for a table of the bots, best score first, from the result of a tournament.

    W-D-L are wins, draws and losses; forfeits are the bot's own, as illegal/timeout/crash.
    """
    rows = [
        [
            "bot",
            "matches",
            "unique",
            "score",
            "95% Wilson",
            "95% bootstrap",
            "W-D-L",
            "W-D-L first",
            "W-D-L second",
            "illegal/timeout/crash",
        ]
    ]
    ranked = sorted(result["per_bot"].items(), key=lambda item: -item[1]["score"])
    for bot, own in ranked:
        rows.append(
            [
                bot,
                str(own["matches"]),
                str(own["unique_matches"]),
                f"{own['score']:.3f}",
                _interval(own["wilson_low"], own["wilson_high"]),
                _interval(own["bootstrap_low"], own["bootstrap_high"]),
                _wdl(own),
                *map(_wdl, own["by_seat"]),
                "/".join(map(str, own["forfeits"].values())),
            ]
        )
    return rows


def crosstable_rows(result: Mapping) -> list[list[str]]:
    """Rows for a table of wins-draws-losses of each bot (row) against each other (column)."""
    names = result["bots"]
    against: dict[tuple[str, str], str] = {}
    for pair in result["pairs"]:
        first, second = pair["bots"]
        against[first, second] = _wdl(pair)
        against[second, first] = f"{pair['losses']}-{pair['draws']}-{pair['wins']}"
    return [
        ["W-D-L of the row", *names],
        *([row, *(against.get((row, column), "") for column in names)] for row in names),
    ]
