"""Compares kinds of policies by several samples of each (table 1 of the paper: five of each, 100 matches a pair).

    python -m policy_evolve.table_1 --game=wrestle --matches=100 --starts=standard --executor=processes:2 \\
        --groups="random=random_wrestle;naive=B/naive.py,B/naive_2.py;best_of_n=B/best_of_n.py;evolved=E0/best.py,E1/best.py"

Sample i of one kind meets sample i of the other; where a kind has fewer, its samples take turns. A cell has the column's wins,
draws and losses against the row, its win rate as in the paper (wins less losses, by matches), its score with the 95 % interval
over mirrored pairs of matches, given these samples, and the scores of the single pairs of samples: what another answer to the same
prompt would change is seen from these alone. With `--matches_file` a comparison that was stopped goes on.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any

from arena.rating.intervals import score_interval
from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.evaluation import Evaluator, evaluating, mirrored, tally, unique
from policy_evolve.policies.program import Program
from policy_evolve.policies.shipped import read_source
from runs import cli, flags
from runs.executors import make_executor
from runs.tables import text_table

_FLAGS = flags.FLAGS
Groups = Mapping[str, Sequence[Program]]


def groups_of(text: str) -> dict[str, list[Program]]:
    """Reads kinds and their samples, `kind=file,file;kind=file`; a sample is named by its kind and number.

    Raises:
      ValueError: the text is not of this form, has fewer than two kinds, or a policy cannot be read.
    """
    found: dict[str, list[Program]] = {}
    for part in text.split(";"):
        kind, equals, files = part.strip().partition("=")
        names = [name.strip() for name in files.split(",") if name.strip()]
        if not equals or not kind or not names or kind in found:
            raise ValueError(
                f"--groups: expected kinds of different names with files of policies, as in naive=a.py,b.py;evolved=c.py, "
                f"found {part.strip()!r}"
            )
        found[kind] = [Program(f"{kind}_{number}", read_source(name)) for number, name in enumerate(names)]
    if len(found) < 2:
        raise ValueError(f"--groups: expected at least two kinds, found {len(found)}")
    return found


def met(one: Sequence[Program], other: Sequence[Program]) -> list[tuple[Program, Program]]:
    """The pairs of samples that meet; two of the same text do not."""
    count = max(len(one), len(other))
    pairs = [(one[index % len(one)], other[index % len(other)]) for index in range(count)]
    return [(first, second) for first, second in pairs if first.digest != second.digest]


def measure(groups: Groups, evaluator: Evaluator, matches: int, seed: int) -> list[dict[str, Any]]:
    """Plays each two kinds.

    Args:
      groups: by kind its samples.
      evaluator: plays the matches.
      matches: of each pair of samples, even.
      seed: of the openings.

    Returns:
      for each two kinds `row`, `column`, the column's tally and `win_rate`, and `samples`, the score of each pair of samples.
    """
    starts = evaluator.rules.starts
    cells = []
    for number, (row, column) in enumerate(itertools.combinations(groups, 2)):
        pairs = met(groups[row], groups[column])
        if not pairs:
            continue
        games = [
            mirrored(one, other, matches, (seed, number, index), starts)
            for index, (one, other) in enumerate(pairs)
        ]
        cells.append((row, column, pairs, games))
    flat = [game for *_, games in cells for own in games for game in own]
    outcomes = iter(evaluator.play(flat))
    found = []
    for row, column, pairs, games in cells:
        results, blocks, scores = [], [], []
        for index, ((_, other), own) in enumerate(zip(pairs, games, strict=True)):
            played = [(game, next(outcomes)) for game in own]
            results.append(tally(played, other))
            for game, outcome in unique(played):
                blocks.append(f"{index} {game.seed}")
                scores.append(outcome.score(int(game.seats[0].digest != other.digest)))
        mean = sum(scores) / len(scores)
        low, high = score_interval(blocks, scores)
        found.append(
            {
                "row": row,
                "column": column,
                "wins": sum(result.wins for result in results),
                "draws": sum(result.draws for result in results),
                "losses": sum(result.losses for result in results),
                "forfeits": sum(result.forfeits for result in results),
                "win_rate": 2 * mean - 1,
                "score": mean,
                "low": low,
                "high": high,
                "samples": [round(result.score, 4) for result in results],
            }
        )
    return found


def table(cells: Sequence[Mapping[str, Any]]) -> str:
    """The cells as a table of text, a row for each two kinds."""
    rows = [["column", "against", "wins-draws-losses", "win rate", "score (95 %)", "by sample"]]
    for cell in cells:
        rows.append(
            [
                cell["column"],
                cell["row"],
                f"{cell['wins']}-{cell['draws']}-{cell['losses']}",
                f"{cell['win_rate']:+.2f}",
                f"{cell['score']:.3f} ({cell['low']:.3f}-{cell['high']:.3f})",
                " ".join(f"{score:.2f}" for score in cell["samples"]),
            ]
        )
    return text_table(rows)


def main() -> None:
    """Runs the command; see the module's docstring."""
    groups = groups_of(_FLAGS.groups)
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    kept = cli.check_output(_FLAGS.matches_file, "matches_file") if _FLAGS.matches_file else None
    settings = Settings(
        game=_FLAGS.game, matches=_FLAGS.matches, batch=_FLAGS.batch, starts=tuple(_FLAGS.starts)
    )
    players = settings.match_rules().players
    if players != 2:
        raise ValueError(
            f"--game: expected one for two players, found {_FLAGS.game} for {players}; policy_evolve.compare takes any number"
        )
    with (
        make_executor(_FLAGS.executor) as executor,
        evaluating(settings.match_rules(), kept, executor) as evaluator,
    ):
        cells = measure(groups, evaluator, settings.matches, _FLAGS.seed)
    if output is not None:
        result = {"game": _FLAGS.game, "matches": settings.matches, "seed": _FLAGS.seed, "cells": cells}
        cli.write_text(output, json.dumps(result, indent=1) + "\n")
    print(table(cells))


def _define_flags() -> None:
    flags.game("of a game for two players", required=True)
    flags.DEFINE_string(
        "groups", None, "Kinds and files of their samples, as in naive=a.py,b.py;evolved=c.py.", required=True
    )
    flags.pair_matches("matches", 100, "samples")
    flags.seed("the openings")
    flags.DEFINE_integer(
        "batch", -1, "Matches that two workers play side by side; -1 for what suits the game.", lower_bound=-1
    )
    flags.DEFINE_list("starts", ["standard"], "Positions that matches start from in turn; in batches only.")
    flags.executor()
    flags.DEFINE_string(
        "matches_file", None, "File that keeps the matches, so that they need not be played again."
    )
    flags.json()


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
