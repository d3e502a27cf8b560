"""Tells which games of OpenSpiel a world model can be written of: the door of cwm.synthesize, for each of them.

    python -m benchmarks.any_game --output=docs/results/tables/any_game.csv

Every game that OpenSpiel loads without parameters is looked at in a process of its own, without rules and without
any call. A row says yes, with the way the game is seen, the test players and the time of a full held-out test, or no,
with the sentence that a user reads. A process that dies, or takes longer than --limit, is a defect; then the exit
code is 1.
"""

from __future__ import annotations

import csv
import io
import multiprocessing
import subprocess
import sys
from multiprocessing.connection import Connection

from tqdm import tqdm

from arena.registry.games import load_game
from cwm.writing.preparation.preparing import Wish, prepare
from runs import cli, flags

_FLAGS = flags.FLAGS
COLUMNS = ("game", "verdict", "view", "test_players", "held_out_test", "sentence")
DEFECT = "defect"


def names() -> list[str]:
    """The short names of the games that OpenSpiel itself has and loads without parameters."""
    code = "import pyspiel; print(*(g.short_name for g in pyspiel.registered_games() if g.default_loadable))"
    # Asked in a process that has not registered the games of this suite.
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def looked_at(name: str, seconds: float) -> dict[str, str]:
    """One row of the table.

    Args:
      name: a game string.
      seconds: time to spend on timing each test player.
    """
    try:
        game = load_game(name)
    except ValueError as error:
        return _row(name, "no", sentence=str(error))
    found, _ = prepare(Wish(game, rules="none", number=2, seconds=seconds))
    texts = {finding.subject: finding.text for finding in found.findings}
    if found.refusal is not None:
        return _row(name, "no", sentence=found.refusal)
    return _row(
        name,
        "yes",
        view=texts["view"],
        test_players=texts["test players"],
        held_out_test=texts["held-out test"],
    )


def _row(name: str, verdict: str, **texts: str) -> dict[str, str]:
    return {**dict.fromkeys(COLUMNS, ""), "game": name, "verdict": verdict, **texts}


def _send(connection: Connection, name: str, seconds: float) -> None:
    connection.send(looked_at(name, seconds))


def apart(name: str, seconds: float, limit: float) -> dict[str, str]:
    """The same row, made in a process of its own, which may die or go on for ever.

    Args:
      name: a game string.
      seconds: time to spend on timing each test player.
      limit: seconds after which the process is ended.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, name, seconds))
    process.start()
    there.close()
    try:
        if not here.poll(limit):
            return _row(name, DEFECT, sentence=f"took longer than {limit:g} s")
        row = here.recv()
        process.join(limit)
        return row
    except EOFError:
        process.join()
        return _row(name, DEFECT, sentence=f"the process ended with {process.exitcode}")
    finally:
        process.kill()
        process.join()
        here.close()


def _define_flags() -> None:
    flags.DEFINE_string("output", None, "CSV file for the table.")
    flags.DEFINE_list("games", [], "Games by name; all of OpenSpiel's by default.")
    flags.DEFINE_float("seconds", 0.3, "Seconds for timing each test player.", lower_bound=0.0)
    flags.DEFINE_float("limit", 120.0, "Seconds after which a game is a defect.", lower_bound=1.0)


def main() -> None:
    if _FLAGS.output:
        cli.check_output(_FLAGS.output, "output")
    rows = [apart(name, _FLAGS.seconds, _FLAGS.limit) for name in tqdm(_FLAGS.games or names(), unit="game")]
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    if _FLAGS.output:
        cli.write_text(_FLAGS.output, file.getvalue())
    else:
        print(file.getvalue(), end="")
    counts = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in ("yes", "no", DEFECT)}
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()), file=sys.stderr)
    if counts[DEFECT]:
        sys.exit(1)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
