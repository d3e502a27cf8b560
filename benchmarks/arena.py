"""Measures what the arena costs, how it scales, and whether it loses anything when it is killed.

    python -m benchmarks.arena --json=arena.json            # overhead and speed-up
    python -m benchmarks.arena --kills=50                   # a tournament of 500 matches, killed 50 times
    python -m benchmarks.arena --matches=1000000 --db=million.db
    python -m benchmarks.arena --viewers=50                 # a tournament watched over spielwright serve

Overhead: connect_four by `pyspiel.evaluate_bots`, which keeps nothing, by the arena in memory, and by
the arena into a database; with OpenSpiel's C++ random bots, and with bots that compute for 10 ms a
move. Speed-up: `processes:N` over `inline` with a search. Short matches: how many a second one process
can hand out and store. Contestants take turns, and each figure is the median of the rounds. The
synthetic database of `--matches` holds random actions of invented bots: it is for measuring size and
time, not for reading.
"""

from __future__ import annotations

import concurrent.futures
import functools
import json
import multiprocessing
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyspiel

from arena.matches.match import load_match_game
from arena.matches.records import FORFEIT_KINDS, ForfeitRecord, MatchRecord, Move
from arena.registry.bots import make_bot, register_bot
from arena.store.database import Database
from arena.tournaments.playing import play, play_key
from arena.tournaments.schedule import Tournament
from benchmarks.support.viewers import rubbish_refused, viewers_cost
from runs import cli, flags
from runs.executors import InlineExecutor, make_executor
from runs.played_once import play_batch
from runs.progress import Bar
from runs.seeds import bot_seed
from runs.tables import text_table

_FLAGS = flags.FLAGS
_WATCHED_MATCHES = 200
"""Matches of a tournament that is watched."""

GAME = "connect_four"
THINK_SECONDS = 0.010


class _Thinker(pyspiel.Bot):
    """A bot that computes for a given time, then plays at random."""

    def __init__(self, rng: np.random.Generator):
        super().__init__()
        self._rng = rng

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        end = time.perf_counter() + THINK_SECONDS
        legal = state.legal_actions()
        while time.perf_counter() < end:
            pass
        return legal[int(self._rng.integers(len(legal)))]


@register_bot("benchmark_random", summary="OpenSpiel's C++ random bot; copies are equal")
def _random(game: pyspiel.Game, player_id: int, seed: int, *, copy: int = 0) -> pyspiel.Bot:
    return pyspiel.make_uniform_random_bot(player_id, seed)


@register_bot("benchmark_thinker", summary="computes for 10 ms, then plays at random; copies are equal")
def _thinker(game: pyspiel.Game, player_id: int, seed: int, *, copy: int = 0) -> pyspiel.Bot:
    return _Thinker(np.random.default_rng(seed))


def _bare(tournament: Tournament) -> int:
    """Plays all matches by `evaluate_bots`; returns the number of moves."""
    moves = 0
    game = load_match_game(tournament.game, 2)
    for seats, seed in tournament.schedule():
        bots = [make_bot(spec, game, seat, bot_seed(seed, seat)) for seat, spec in enumerate(seats)]
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed % 2**31)
        moves += state.move_number()
    return moves


def _seconds(contestants: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Returns the wall-clock seconds of each contestant in each round; they take turns."""
    for contestant in contestants.values():  # a round that does not count: first calls are slower
        contestant()
    found: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, contestant in contestants.items():
            start = time.perf_counter()
            contestant()
            found[name].append(time.perf_counter() - start)
    return found


def overhead(bot: str, matches: int, rounds: int, folder: Path) -> dict[str, object]:
    """Returns the milliseconds for each match and move of bare OpenSpiel and of the arena, and what it
    adds.
    """
    tournament = Tournament.checked(GAME, [bot, f"{bot}(copy=1)"], num_games=matches, seed=1, opening_plies=0)
    files = (folder / f"{bot}{number}.db" for number in range(10**6))
    # Bots get the same seeds and no opening, so that all play the same matches.
    moves = _bare(tournament)
    seconds = _seconds(
        {
            "evaluate_bots": lambda: _bare(tournament),
            "arena": lambda: play(tournament),
            "arena --db": lambda: play(tournament, db=next(files)),
        },
        rounds,
    )
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    bare = medians["evaluate_bots"]
    return {
        "bot": bot,
        "matches": matches,
        "moves": moves,
        "rounds": rounds,
        "seconds": seconds,
        "ms_per_match": {name: 1e3 * value / matches for name, value in medians.items()},
        "added_us_per_move": {name: 1e6 * (value - bare) / moves for name, value in medians.items()},
        "added_percent": {name: 100 * (value / bare - 1) for name, value in medians.items()},
    }


def speed_up(workers: int, rounds: int) -> dict[str, object]:
    """Returns `processes:N` over `inline`, with the pool warm: what a long tournament sees.

    `halves` is the same work cut into N tasks beforehand and played by N processes that nobody
    coordinates: what the machine gives while others use it too.
    """
    tournament = Tournament.checked(
        GAME, ["mcts(simulations=300)", "mcts(simulations=200)"], num_games=60, seed=1
    )
    start = time.perf_counter()
    keys = list(tournament.schedule())

    def halves() -> None:
        for future in [
            plain.submit(
                play_batch, functools.partial(play_key, game=GAME, opening_plies=2), keys[part::workers]
            )
            for part in range(workers)
        ]:
            future.result()

    with (
        make_executor(f"processes:{workers}") as pool,
        concurrent.futures.ProcessPoolExecutor(
            workers, mp_context=multiprocessing.get_context("spawn")
        ) as plain,
    ):
        play(
            Tournament.checked(GAME, ["random", "mcts(simulations=2)"], num_games=2 * workers, seed=1),
            executor=pool,
        )
        started = time.perf_counter() - start
        seconds = _seconds(
            {
                "inline": lambda: play(tournament),
                f"processes:{workers}": lambda: play(tournament, executor=pool),
                "halves": halves,
            },
            rounds,
        )
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    return {
        "workers": workers,
        "cores": os.cpu_count(),
        "rounds": rounds,
        "seconds": seconds,
        "start_seconds": started,
        "speed_up": medians["inline"] / medians[f"processes:{workers}"],
        "speed_up_of_halves": medians["inline"] / medians["halves"],
    }


def short_matches(workers: int, rounds: int, folder: Path) -> dict[str, object]:
    """Returns the matches a second into a database where play itself takes next to nothing: the most that one
    process can hand out, take back and store, by executor. Dask's is a cluster on this machine.
    """
    tournament = Tournament.checked("tic_tac_toe", ["random", "mcts(simulations=2)"], num_games=1000, seed=1)
    files = (folder / f"short{number}.db" for number in range(10**6))
    with ExitStack() as stack:
        executors = {
            "inline": InlineExecutor(),
            f"processes:{workers}": stack.enter_context(make_executor(f"processes:{workers}")),
        }
        try:
            import distributed
        except ImportError:
            print("dask: not installed, left out", file=sys.stderr)
        else:
            cluster = stack.enter_context(
                distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0")
            )
            executors["dask"] = stack.enter_context(make_executor(f"dask:{cluster.scheduler_address}"))
        seconds = _seconds(
            {
                name: functools.partial(_play_into, tournament, executor, files)
                for name, executor in executors.items()
            },
            rounds,
        )
    return {
        "matches": 1000,
        "rounds": rounds,
        "seconds": seconds,
        "matches_per_second": {name: 1000 / statistics.median(values) for name, values in seconds.items()},
    }


def _play_into(tournament: Tournament, executor: concurrent.futures.Executor, files: Iterator[Path]) -> None:
    play(tournament, executor=executor, db=next(files))


def _count(path: Path) -> int:
    try:
        connection = sqlite3.connect(path)
        try:
            return connection.execute("SELECT count(*) FROM match").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.OperationalError:  # the tables are not there yet
        return 0


def killed_tournament(kills: int, seed: int, folder: Path) -> dict[str, object]:
    """Returns the results of a tournament of 500 matches that is killed (SIGKILL, all its processes) at random
    moments, in turn with one process and with two workers, resumed each time, and compared with one that was
    not disturbed. Only kills while it ran count.
    """
    rng = random.Random(seed)
    flags_ = [
        "--game=connect_four",
        "--bots=mcts(simulations=200),mcts(simulations=100)",
        "--num_games=500",
        f"--seed={seed}",
    ]
    command = [sys.executable, "-m", "arena.tournament", *flags_]
    path = folder / "killed.db"
    start = time.monotonic()
    subprocess.run(
        [*command, f"--db={folder / 'whole.db'}", f"--json={folder / 'whole.json'}"],
        check=True,
        capture_output=True,
    )
    whole = time.monotonic() - start
    done = in_play = 0
    bar = Bar(total=kills, unit="kill")
    while done < kills:
        executor = ("inline", "processes:2")[done % 2]
        before = _count(path)
        process = subprocess.Popen(
            [*command, f"--db={path}", f"--executor={executor}"],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # Half of the moments are anywhere, loading and starting workers included; half are soon after
        # a match has ended, so that play is hit too.
        if done // 2 % 2:
            while _count(path) == before and process.poll() is None:
                time.sleep(0.002)
            time.sleep(rng.random() * 2 * whole / kills)
        else:
            time.sleep(rng.random() * 1.2)
        if process.poll() is not None:
            raise RuntimeError(
                f"the tournament was over after {done} kills, expected {kills}; it held {_count(path)} matches"
            )
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        in_play += _count(path) > before
        done += 1
        bar.update()
    bar.close()
    kept = _count(path)
    subprocess.run(
        [*command, f"--db={path}", f"--json={folder / 'killed.json'}"], check=True, capture_output=True
    )
    with Database(path, must_exist=True) as database, Database(folder / "whole.db") as undisturbed:
        records = {(r.seats, r.seed): r.actions() for r in database.records()}
        same_moves = records == {(r.seats, r.seed): r.actions() for r in undisturbed.records()}
        stored = len(database.match_ids())
        rest = (
            sqlite3.connect(path)
            .execute("SELECT (SELECT count(*) FROM claim), (SELECT count(*) FROM owner)")
            .fetchone()
        )
        check = sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0]
    same = (folder / "killed.json").read_bytes() == (folder / "whole.json").read_bytes()
    return {
        "kills": kills,
        "undisturbed_seconds": whole,
        "kills_after_new_matches": in_play,
        "matches_before_the_last_run": kept,
        "matches": stored,
        "same_moves": same_moves,
        "same_result_json": same,
        "claims_left": rest[0],
        "owners_left": rest[1],
        "integrity_check": check,
    }


def _synthetic(count: int, seed: int) -> Iterator[MatchRecord]:
    rng = random.Random(seed)
    bots = [f"bot{number}(simulations={2 ** (number % 10)})" for number in range(20)]
    for number in range(count):
        if number % 2 == 0:
            first, second = rng.sample(bots, 2)
            match_seed = rng.getrandbits(53)
        else:
            first, second = second, first
        length = rng.randint(20, 40)
        moves = tuple(
            Move(n % 2, rng.randrange(7), None if n < 2 else rng.randrange(10_000) / 1e6) for n in range(length)
        )
        forfeit = (
            ForfeitRecord(length % 2, rng.choice(FORFEIT_KINDS), "played 9, expected another action")
            if rng.random() < 0.01
            else None
        )
        value = rng.choice((1.0, 1.0, 0.0, -1.0)) if forfeit is None else 1.0 - 2.0 * (length % 2 == 0)
        yield MatchRecord(
            GAME,
            (first, second),
            match_seed,
            2,
            None,
            2,
            moves,
            (value, -value),
            forfeit,
            {"python": "3.11", "open_spiel": "2.0"},
            1.7e9 + number,
        )


_READ = """
import json, re, sys, time
from pathlib import Path
from arena.store.database import Database

def peak_mib():   # not getrusage, which remembers the process that started this one
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

start, cpu, before = time.perf_counter(), time.process_time(), peak_mib()
with Database(sys.argv[1], must_exist=True) as database:
    results = database.results()
print(json.dumps({"matches": len(results), "seconds": time.perf_counter() - start,
                  "cpu_seconds": time.process_time() - cpu, "rss_mib_before": before,
                  "peak_rss_mib": peak_mib()}))
"""


def synthetic_database(count: int, seed: int, path: Path) -> dict[str, object]:
    """Returns the size, and the time to write and to read the columns that ratings need, the latter in a
    process of its own for its memory.
    """
    start, cpu = time.perf_counter(), time.process_time()
    with Database(path) as database:
        added = database.add_all(
            database.experiment({"kind": "synthetic", "seed": seed}),
            Bar(_synthetic(count, seed), total=count, unit="match"),
        )
    written, cpu = time.perf_counter() - start, time.process_time() - cpu
    reading = json.loads(
        subprocess.run([sys.executable, "-c", _READ, path], check=True, capture_output=True, text=True).stdout
    )
    return {
        "added": added,
        "bytes": path.stat().st_size,
        "bytes_per_match": path.stat().st_size / count,
        "write_seconds": written,
        "write_cpu_seconds": cpu,
        "results": reading,
    }


def _print_overhead(figures: dict) -> None:
    rows = [[f"{figures['bot']}, {figures['matches']} matches", "ms a match", "added us a move", "added"]]
    for name, value in figures["ms_per_match"].items():
        rows.append(
            [
                name,
                f"{value:.3f}",
                f"{figures['added_us_per_move'][name]:.1f}",
                f"{figures['added_percent'][name]:.1f} %",
            ]
        )
    print(text_table(rows) + "\n")


def _define_flags() -> None:
    flags.DEFINE_integer("rounds", 5, "Rounds of each measurement.", lower_bound=1)
    flags.DEFINE_integer("workers", 2, "Processes of the speed-up.", lower_bound=1)
    flags.DEFINE_integer("kills", 0, "Number of times that a tournament of 500 matches is killed instead.")
    flags.DEFINE_integer("matches", 0, "Number of matches of a synthetic database that is made instead.")
    flags.DEFINE_integer("viewers", 0, "Number of viewers of a tournament whose cost is measured instead.")
    flags.DEFINE_string("db", None, "File that keeps the synthetic database.")
    flags.seed("the moments of the kills, or of the synthetic matches", default=1)
    flags.json("the figures")


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if _FLAGS.kills:
            figures: dict = {"kills": killed_tournament(_FLAGS.kills, _FLAGS.seed, folder)}
            print(json.dumps(figures["kills"], indent=2))
        elif _FLAGS.viewers:
            figures = {
                "viewers": viewers_cost(_FLAGS.viewers, _FLAGS.rounds, _WATCHED_MATCHES, folder),
                "rubbish": rubbish_refused(10.0, 16, folder),
            }
            print(json.dumps(figures, indent=2))
        elif _FLAGS.matches:
            path = cli.check_output(_FLAGS.db, "db") if _FLAGS.db else folder / "synthetic.db"
            figures = {"synthetic": synthetic_database(_FLAGS.matches, _FLAGS.seed, path)}
            print(json.dumps(figures["synthetic"], indent=2))
        else:
            figures = {
                "overhead": [
                    overhead("benchmark_random", 400, _FLAGS.rounds, folder),
                    overhead("benchmark_thinker", 10, _FLAGS.rounds, folder),
                ],
                "speed_up": speed_up(_FLAGS.workers, _FLAGS.rounds),
                "short_matches": short_matches(_FLAGS.workers, _FLAGS.rounds, folder),
            }
            for measured in figures["overhead"]:
                _print_overhead(measured)
            print(
                f"processes:{_FLAGS.workers} over inline on {os.cpu_count()} cores: "
                f"{figures['speed_up']['speed_up']:.2f} times as fast; the machine gives "
                f"{figures['speed_up']['speed_up_of_halves']:.2f}"
            )
            for name, rate in figures["short_matches"]["matches_per_second"].items():
                print(f"{name}: {rate:.0f} short matches a second")
    if output:
        cli.write_text(output, json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
