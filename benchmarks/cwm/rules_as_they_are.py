"""Learns eight games from rules as they are: told as a person would, with one rule false, or not at all.

    python -m benchmarks.cwm.rules_as_they_are --plan
    python -m benchmarks.cwm.rules_as_they_are --llm=spool:chat --record=rules.jsonl --json=rules.json
    python -m benchmarks.cwm.rules_as_they_are --llm=recorded:rules.jsonl --json=rules.json

Every cell is a game, a text and a seed; in each the same first answer goes to every refiner: the conversation and the tree
search of the paper, and hypothesis search, which may ask the game itself for short games. All runs go side by side, and
requests that do not depend on each other are out at the same time. Stopped at any moment and started again with the same
flags it goes on from --record; --store keeps verdicts, so that this is quick.

In games with hidden information, too, programs are tested by whole games and write no functions of inference: it is the
rules that are measured. Tables: calls and transitions (with the oracle's plies) until a program has an accuracy of 1 on
held-out games, accuracy by calls, paired differences of the refiners with intervals over games, and what stays wrong with
how often it comes up. Among --refiners, `hypotheses_without_oracle` says what the games asked for are worth, and
`hypotheses_random_games` what as many plies of random games are worth in their place. --json holds all of it, with the
sentences of the rules that were called false.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.cwm import measuring
from benchmarks.cwm.cells import TEXTS, Cell, Store, lesson_of
from benchmarks.cwm.planted import GAMES
from benchmarks.cwm.side_by_side import REFINERS, Run, played
from cwm.writing.synthesis import METHODS
from language_models import from_spec
from runs import cli, flags
from runs.tables import text_table

_FLAGS = flags.FLAGS


def runs_of(games: Sequence[str], texts: Sequence[str], refiners: Sequence[str], seeds: int) -> list[Run]:
    """All runs, those of one cell together.

    Raises:
      ValueError: a name is none of those there are.
    """
    for flag, given, known in (
        ("games", games, GAMES),
        ("texts", texts, TEXTS),
        ("refiners", refiners, REFINERS),
    ):
        for name in given:
            if name not in known:
                raise ValueError(f"--{flag}: expected names out of {', '.join(known)}, found {name!r}")
    return [
        Run(Cell(game, text, seed), refiner)
        for game in games
        for text in texts
        for seed in range(seeds)
        for refiner in refiners
    ]


def plan(runs: Sequence[Run], max_calls: int) -> str:
    """What will be asked, as a table and a sentence."""
    cells = list(dict.fromkeys(run.cell for run in runs))
    store = Store()
    rows = [["game, text", "cells", "runs", "first requests", "requests at most", "characters of the first"]]
    for game, text in dict.fromkeys((cell.game, cell.text) for cell in cells):
        own = [cell for cell in cells if (cell.game, cell.text) == (game, text)]
        refiners = sum(run.cell in own for run in runs)
        size = len(lesson_of(own[0], store).first_prompt())
        most = len(own) + refiners * (max_calls - 1)
        rows.append([f"{game}, {text}", str(len(own)), str(refiners), str(len(own)), f"{most:,}", f"{size:,}"])
    most = len(cells) + len(runs) * (max_calls - 1)
    return (
        f"{text_table(rows)}\n\n{len(cells)} cells, {len(runs)} runs: {len(cells)} requests go out first, at most "
        f"{len(runs)} in each later round, {most:,} in all"
    )


def tables(found: Sequence[measuring.Measured]) -> str:
    """All tables as text."""
    rng = np.random.default_rng(0)
    parts = [
        measuring.by_text(found),
        measuring.by_refiner(found, rng),
        measuring.by_calls(found, rng),
        measuring.differences(found, rng),
        measuring.what_stays_wrong(found),
    ]
    return "\n\n".join(text_table(rows) for rows in parts if len(rows) > 1)


def _define_flags() -> None:
    flags.DEFINE_list("games", list(GAMES), "Games by name.")
    flags.DEFINE_list("texts", list(TEXTS[:3]), f"Texts of the rules, out of {', '.join(TEXTS)}.")
    flags.DEFINE_list("refiners", list(METHODS), f"Refiners, out of {', '.join(REFINERS)}.")
    flags.DEFINE_integer("seeds", 3, "Number of independent runs of each cell.", lower_bound=1)
    flags.max_calls(20)
    flags.llm()
    flags.DEFINE_integer(
        "batch",
        1,
        "Most requests that go out in one batch, never two about one game; 1 for each by itself.",
        lower_bound=1,
    )
    flags.budget()
    flags.record(resumes=True)
    flags.DEFINE_string("store", None, "JSON Lines file in which verdicts are kept, so that going on is quick.")
    for name, what, default in (("test_transitions", "transitions", 3_000), ("test_games", "games", 50)):
        flags.DEFINE_integer(name, default, f"Least number of held-out {what} of each game.", lower_bound=1)
    flags.DEFINE_bool("plan", False, "Whether to end after the table of what would be asked.")
    flags.json("all runs", resumes=False)


def main() -> None:
    """The command; see the module's docstring."""
    F = _FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    runs = runs_of(F.games, F.texts, F.refiners, F.seeds)
    print(plan(runs, F.max_calls), file=sys.stdout if F.plan else sys.stderr, flush=True)
    if F.plan:
        return
    model = from_spec(
        F.llm, budget=F.budget, record_to=F.record, note="rules as they are", resume=F.record is not None
    )
    store = Store(F.store)
    ended = played(runs, model, max_calls=F.max_calls, store=store, batch=F.batch, progress=_say)
    found = measuring.measured(ended, F.max_calls, F.test_transitions, F.test_games, store)
    if output is not None:
        rows = {"llm": model.name, "max_calls": F.max_calls, "runs": [one.to_json() for one in found]}
        cli.write_text(output, json.dumps(rows, indent=1) + "\n")
    print(tables(found))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
