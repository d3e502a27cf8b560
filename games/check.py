"""Tests whether the players of a game are shown what they cannot know.

    python -m games.check --game=leduc_poker
    python -m games.check --game=gin_rummy --num_games=40 --bots="ismcts(simulations=25)" --json=leaks.json
    python -m games.check --game=all --seconds=10 --output=leaks.csv

Random games are played. Two moments that a player cannot tell apart, since all its observations and own actions were
equal, or all its information states, must be equal to it in every other respect: strings, tensors,
legal actions, returns; a resampled state must tell it the same and must not depend on the true one; and a bot must
answer the same. `games.seeing.leaks.findings.grades` says what counts as a leak, and the table what was not
tested. With --game=all each game is tested in a process of its own, as many at a time as there are processors. The exit code is 1 where something was found.
"""

from __future__ import annotations

import concurrent.futures
import csv
import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pyspiel
from tqdm import tqdm

from arena.registry.bots import make_bot, resolve
from arena.registry.games import import_games, load_game, silenced_stderr
from arena.registry.specs import parse_spec, split_specs
from games.seeing.leaks import checking
from games.seeing.leaks.asking import MakeBot
from games.seeing.leaks.checking import CLEAN, NOTHING, UNTESTABLE, Effort, Report
from games.seeing.leaks.findings import DOUBT, FAULT, LEAK
from runs import cli, flags, tables

_FLAGS = flags.FLAGS
ALL = "all"
_VERDICTS = (LEAK, DOUBT, FAULT, CLEAN, UNTESTABLE, NOTHING)
_PATIENCE = 4.0
"""Times --seconds after which the process of a game is ended, and a minute more."""
_COLUMNS = ("game", "verdict", "reason", "games", "comparisons", "differing")


def _define_flags() -> None:
    effort = Effort()
    flags.game("such as leduc_poker, or all: every game that loads without parameters", required=True)
    flags.DEFINE_integer("num_games", effort.num_games, "Number of random games.", lower_bound=1)
    flags.DEFINE_integer("twins", effort.twins, "Twins of each random game.", lower_bound=0)
    flags.max_moves(effort.max_moves)
    flags.DEFINE_float("seconds", effort.seconds, "Time after which no further random game begins.", 0.1)
    flags.bots("which are to decide by what their player knows", default="")
    flags.seed("the random games, the resampled states and the bots", highest=2**30)
    flags.json("all checks with an example of each difference")
    flags.output("the table of verdicts (CSV)")


def _made(spec: str, game: pyspiel.Game, player: int, seed: int) -> pyspiel.Bot:
    return make_bot(spec, game, player, seed)


def _bots() -> tuple[dict[str, MakeBot], frozenset[str]]:
    """Returns the bots of --bots, and the names of those that are declared to peek."""
    specs = split_specs(_FLAGS.bots) if _FLAGS.bots else []
    made = {spec: functools.partial(_made, resolve(spec)) for spec in specs}
    return made, frozenset(spec for spec in specs if parse_spec(spec).parameters.get("peek") == "true")


def _effort() -> Effort:
    return Effort(
        num_games=_FLAGS.num_games, twins=_FLAGS.twins, max_moves=_FLAGS.max_moves, seconds=_FLAGS.seconds
    )


def _checked(name: str) -> Report:
    """Tests one game in this process."""
    game = load_game(name)
    bots, declared = _bots()
    for spec, make in bots.items():
        if checking.without_play(game.get_type()) is None:
            make(game, 0, 0)  # a bot that refuses the game says so before anything is played
    errors = os.fdopen(os.dup(2), "w")
    with errors, tqdm(total=_FLAGS.num_games, unit="game", desc=name, file=errors, leave=False) as bar:

        def progress(number: int) -> None:
            bar.update(number - bar.n)

        with silenced_stderr():
            return checking.check(
                game, _effort(), seed=_FLAGS.seed, bots=bots, declared=declared, progress=progress
            )


def _games() -> list[str]:
    import_games()
    return sorted(name for name, known in _types().items() if known.default_loadable)


def _alone(name: str, folder: Path) -> dict:
    """Tests one game in a process of its own, and returns its report as JSON."""
    file = folder / f"{name}.json"
    words = [
        f"--{flag}={getattr(_FLAGS, flag)}" for flag in ("num_games", "twins", "max_moves", "seconds", "seed")
    ]
    command = [sys.executable, "-m", "games.check", f"--game={name}", f"--json={file}", *words]
    seconds = _PATIENCE * _FLAGS.seconds + 60
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return Report(name, UNTESTABLE, f"no result within {seconds:g} seconds").to_json()
    if not file.exists():
        said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return Report(name, UNTESTABLE, said.removeprefix("error: ")).to_json()
    return json.loads(file.read_text("utf-8"))[0]


def _all() -> list[dict]:
    if _FLAGS.bots:
        raise ValueError("--bots: expected one game with bots, found --game=all; name the game")
    names, found = _games(), []
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers,
        tqdm(total=len(names), unit="game") as bar,
    ):
        for report in workers.map(functools.partial(_verdict, folder=Path(folder)), names):
            found.append(report)
            bar.update()
            bar.write(f"{report['game']}: {report['verdict']}: {report['reason']}")
    return found


def _verdict(name: str, folder: Path) -> dict:
    """Returns the report of one game as JSON, without a process where its type says enough."""
    reason = checking.without_play(_types()[name])
    return Report(name, NOTHING, reason).to_json() if reason else {**_alone(name, folder), "game": name}


@functools.cache
def _types() -> dict[str, pyspiel.GameType]:
    return {known.short_name: known for known in pyspiel.registered_games()}


def _table_row(report: dict) -> list[str]:
    checks = report["checks"]
    counts = [sum(check[key] for check in checks if check["grade"] in grades) for key, grades in _COUNTED]
    return [report["game"], report["verdict"], report["reason"], *map(str, (report["games"], *counts))]


_COUNTED: tuple[tuple[str, Sequence[str | None]], ...] = (
    ("pairs", (None, "note", *_VERDICTS)),
    ("differing", (LEAK, DOUBT, FAULT)),
)


def _verdict_table(reports: Iterable[dict]) -> list[list[str]]:
    return [list(_COLUMNS), *map(_table_row, reports)]


def _print_report(report: Report) -> None:
    rows = [["check", "beyond", "pairs", "differ", "to act", "grade"]]
    for row, grade in report.rows:
        counts = [str(row.pairs), str(row.differing), str(row.acting)]
        rows.append([row.tested, row.reference, *counts, grade or ("-" if row.pairs else "not tested")])
    if report.rows:
        print(tables.text_table(rows))
    for row, grade in report.rows:
        if grade and row.example:
            print(f"\n{grade}: {row.tested} ({row.reference}){'; ' if row.remark else ''}{row.remark}")
            print("  " + "\n  ".join(row.example.lines()))
    if report.untested:
        print("\nnot tested: " + "; ".join(report.untested))
    played = f" ({report.games} random games)" if report.games else ""
    print(f"\n{report.game}: {report.verdict}: {report.reason}{played}")


def _save(reports: list[dict], write_json: Callable[[str], None] | None, table: Path | None) -> None:
    if write_json is not None:
        write_json(json.dumps(reports, indent=1))
    if table is not None:
        with cli.writing(table) as file:
            csv.writer(file, lineterminator="\n").writerows(_verdict_table(reports))


def main() -> None:
    """Runs the command."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    table = cli.check_output(_FLAGS.output, "output") if _FLAGS.output else None
    write_json = functools.partial(cli.write_text, output) if output else None
    if _FLAGS.game == ALL:
        reports = _all()
        counts = {verdict: sum(one["verdict"] == verdict for one in reports) for verdict in _VERDICTS}
        print(f"{len(reports)} games: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    else:
        report = _checked(_FLAGS.game)
        _print_report(report)
        reports = [report.to_json()]
    _save(reports, write_json, table)
    if any(one["verdict"] in (LEAK, DOUBT, FAULT) for one in reports):
        sys.exit(1)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
