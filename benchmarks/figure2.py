"""Command: one table and one picture of tournament results (the paper's figure 2 in our form).

    python -m benchmarks.figure2 --results=res/parity_*.json,res/random_*.json --plot=figure2.png

Each result is a file that `arena.tournament --json=F` wrote; its first bot is the one looked at.
"""
from __future__ import annotations

import glob
import json

from absl import flags

from arena import cli
from arena.tables import markdown_table
from cwm import figures


def rows(results: list[dict]) -> list[list[str]]:
    """A row for each pair: game, opponent, W-D-L by seat, score with interval, forfeits of both."""
    table = [["game", "cwm_mcts", "opponent", "games (unique)", "W-D-L first", "W-D-L second", "score",
              "95% Wilson", "95% over pairs", "forfeits of cwm_mcts", "of the opponent", "online accuracy"]]
    for result in results:
        hero, other = result["bots"]
        own, theirs = result["per_bot"][hero], result["per_bot"][other]
        seats = ["-".join(str(s[k]) for k in ("wins", "draws", "losses")) for s in own["by_seat"]]
        online = result.get("online_transition_accuracy")
        low, high = own["bootstrap_low"], own["bootstrap_high"]
        table.append([
            result["game"], hero.partition("(")[2].rstrip(")"), other, f"{own['matches']} ({own['unique_matches']})", *seats,
            f"{own['score']:.3f}", f"{own['wilson_low']:.3f}-{own['wilson_high']:.3f}",
            f"{low:.3f}-{high:.3f}", "/".join(str(n) for n in own["forfeits"].values()),
            "/".join(str(n) for n in theirs["forfeits"].values()),
            "-" if online is None else f"{online:.4f} of {result['online_transitions']}"])
    return table


def _place(bot: str) -> int:
    """The yardstick first, then random, then the language model."""
    name = bot.partition("(")[0]
    return ("gt_mcts", "random", "cwm_mcts", "llm_policy").index(name)


def main() -> None:
    plot = flags.FLAGS.plot
    if plot:
        cli.check_output(plot, "plot")
    paths = sorted(path for pattern in flags.FLAGS.results for path in glob.glob(pattern))
    if not paths:
        raise ValueError(f"--results: no file matches {','.join(flags.FLAGS.results)}; write them with "
                         f"python -m arena.tournament --json=FILE")
    results = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            results.append(json.load(file))
    results.sort(key=lambda result: (result["game"], _place(result["bots"][1]), result["bots"][1]))
    if plot:
        figures.results_by_seat(results, plot)
    print(markdown_table(rows(results)))
    print("\nforfeits: illegal/timeout/crash")


if __name__ == "__main__":
    flags.DEFINE_list("results", None, "Files, or patterns such as res/*.json.", required=True)
    flags.DEFINE_string("plot", None, "PNG file.")
    cli.run(main)
