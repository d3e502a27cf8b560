"""Makes one table and one picture of matches (the paper's figures of play in our form).

    python -m benchmarks.figure2 --results=res/parity_*.json,res/random_*.json --plot=figure2.png
    python -m benchmarks.figure2 --db=matches.db --bot=cwm_ismcts --plot=hidden.png

Each of the results is a file that `arena.tournament --json=F` wrote; its first bot is the one looked at.
From databases of `arena.tournament --db=F` all matches of --bot are taken, whatever its parameters, with
forfeits apart and mean returns by seat; with --online the online accuracy is computed too, which takes a
while.
"""

from __future__ import annotations

import glob
import json

from benchmarks.support import stored_results
from cwm.trust import figures
from runs import cli, flags
from runs.tables import markdown_table

ORDER = ("gt_mcts", "gt_ismcts", "random", "cwm_mcts", "cwm_ismcts", "llm_policy")
"""The order of opponents: the yardsticks first, then random, then the language model; others after them."""


def _return_cell(seat: dict) -> str:
    if seat["return_low"] is None:
        return "-"
    other = f" / {seat['other_return']:.3f}" if "other_return" in seat else ""
    marked = "" if seat["return_reliable"] else "*"
    return f"{seat['mean_return']:.3f} ({seat['return_low']:.3f} to {seat['return_high']:.3f}){marked}{other}"


def _interval(own: dict) -> str:
    if own["wilson_low"] is None:
        return "-"
    # Results written before intervals were over blocks took matches for independent.
    old = " (old counting)" if "bootstrap_low" in own else ""
    return f"{own['wilson_low']:.3f}-{own['wilson_high']:.3f}{old}"


def _wdl(tally: dict) -> str:
    return "-".join(str(tally[key]) for key in ("wins", "draws", "losses"))


def _online(result: dict, what: str, count: str) -> str:
    accuracy = result.get(f"online_{what}_accuracy")
    return "-" if accuracy is None else f"{accuracy:.4f} of {result[count]}"


def rows(results: list[dict]) -> list[list[str]]:
    """Returns a row for each pair: game, opponent, W-D-L by seat, score with its interval over blocks, forfeits of both; of
    stored matches also the mean returns by seat, with the other one's behind a slash in a general-sum game.
    """
    stored = all(
        "mean_return" in seat for result in results for pair in result["pairs"] for seat in pair["by_seat"]
    )
    hero_name = results[0]["bots"][0].partition("(")[0]
    table = [
        [
            "game",
            hero_name,
            "opponent",
            "games (that count)",
            "W-D-L first",
            "W-D-L second",
            "score",
            "95 %",
            f"forfeits of {hero_name}",
            "of the opponent",
            "online accuracy",
        ]
    ]
    if stored:
        table[0] += ["online inference", "mean return first", "mean return second"]
    for result in results:
        hero, other = result["bots"]
        own, theirs = result["per_bot"][hero], result["per_bot"][other]
        table.append(
            [
                f"{result['game']} ({result['setting']})" if result.get("setting") else result["game"],
                hero.partition("(")[2].rstrip(")"),
                other,
                f"{own['matches']} ({own['unique_matches']})",
                *map(_wdl, own["by_seat"]),
                f"{own['score']:.3f}",
                _interval(own),
                "/".join(str(n) for n in own["forfeits"].values()),
                "/".join(str(n) for n in theirs["forfeits"].values()),
                _online(result, "transition", "online_transitions"),
            ]
        )
        if stored:
            table[-1] += [
                _online(result, "inference", "online_inferences"),
                *map(_return_cell, result["pairs"][0]["by_seat"]),
            ]
    return table


def _place(bot: str) -> int:
    name = bot.partition("(")[0]
    return ORDER.index(name) if name in ORDER else len(ORDER)


def _read(patterns: list[str]) -> list[dict]:
    """Returns the results of tournaments in the files that match."""
    paths = sorted(path for pattern in patterns for path in glob.glob(pattern))
    if not paths:
        raise ValueError(
            f"--results: no file matches {','.join(patterns)}; write them with "
            f"python -m arena.tournament --json=FILE"
        )
    results = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            results.append(json.load(file))
    return results


def _define_flags() -> None:
    flags.DEFINE_list("results", None, "Files, or patterns such as res/*.json.")
    flags.DEFINE_list("db", None, "Databases of matches, separated by commas.")
    flags.DEFINE_string("bot", "cwm_ismcts", "With --db: name of the bot looked at.")
    flags.DEFINE_bool(
        "online", False, "With --db: whether all moves are checked against the world models that played."
    )
    flags.plot("the results by seat")


def main() -> None:
    """Runs the command; see the module's docstring."""
    values = flags.FLAGS
    if values.plot:
        cli.check_output(values.plot, "plot")
    if bool(values.results) == bool(values.db):
        raise ValueError(
            "expected one of --results=FILE,... and --db=FILE,..., found "
            + ("both" if values.results else "neither")
        )
    if values.results:
        results = _read(values.results)
    else:
        results = [
            result
            for path in values.db
            for result in stored_results.read(path, values.bot, audit=values.online)
        ]
    results.sort(key=lambda result: (result["game"], _place(result["bots"][1]), result["bots"][1]))
    if values.plot:
        figures.results_by_seat(results, values.plot)
    print(markdown_table(rows(results)))
    print("\nforfeits: illegal/timeout/crash; * an interval that may cover less than 93 %")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
