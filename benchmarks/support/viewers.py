"""What those who watch a tournament over `spielwright serve` cost it, and how much rubbish the server refuses."""

from __future__ import annotations

import asyncio
import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from arena.store.database import Database
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament

GAME = "connect_four"
BOTS = ("mcts(simulations=100)", "mcts(simulations=50)")


@contextlib.contextmanager
def served(folder: Path, database: Path) -> Iterator[tuple[int, int]]:
    """Runs the server over a database; yields its port and process id."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arena.serve", "--port=0", f"--folder={folder}", f"--db={database}"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = process.stdout.readline().split()[0]
        yield int(address.rstrip("/").rpartition(":")[2]), process.pid
    finally:
        process.terminate()
        process.wait()


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _view(port: int, name: str, events: list[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"GET /api/watch/{name}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n".encode()
    )
    try:
        while line := await reader.readline():
            events[0] += line.startswith(b"event: standings")
    finally:
        writer.close()


async def _watched(port: int, name: str, viewers: int, playing: subprocess.Popen) -> int:
    events = [0]
    watching = [asyncio.ensure_future(_view(port, name, events)) for _ in range(viewers)]
    await asyncio.to_thread(playing.wait)
    for one in watching:
        one.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return events[0]


def viewers_cost(viewers: int, rounds: int, matches: int, folder: Path) -> dict[str, object]:
    """Plays equal tournaments in turn, watched by `viewers` and by nobody, with the server running in both.

    Returns:
      Seconds of each, `slower` (the ratio of medians, less 1), the standings that a viewer was told, and the
      processor time of the server as a share of the wall-clock time while it was watched.
    """
    database = folder / "watched.db"
    play(Tournament.checked(GAME, BOTS, num_games=2, seed=0), db=database)
    seconds: dict[str, list[float]] = {"alone": [], "watched": []}
    shares, told = [], 0
    with served(folder / "table", database) as (port, pid):
        time.sleep(15)  # what it prepares for the first visitor is done by then
        for number in range(2 * rounds):
            kind = ("alone", "watched")[number % 2]
            command = [sys.executable, "-m", "arena.tournament", f"--game={GAME}", f"--bots={','.join(BOTS)}"]
            command += [f"--num_games={matches}", f"--seed={100 + number}", f"--db={database}"]
            before, start = cpu_seconds(pid), time.perf_counter()
            playing = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            told += asyncio.run(_watched(port, "watched", viewers if kind == "watched" else 0, playing))
            seconds[kind].append(time.perf_counter() - start)
            if kind == "watched":
                shares.append((cpu_seconds(pid) - before) / seconds[kind][-1])
    with Database(database, must_exist=True) as stored:
        count = len(stored.match_ids())
    return {
        "viewers": viewers,
        "seconds": seconds,
        "slower": statistics.median(seconds["watched"]) / statistics.median(seconds["alone"]) - 1,
        "server_share": statistics.median(shares),
        "told_each": told / (viewers * rounds),
        "matches": count,
        "expected": 2 + 2 * rounds * matches,
    }


async def _shout(port: int, until: float, counts: dict[str, int]) -> None:
    rubbish = (
        b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n"
        "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}".encode(),
        f"GET /api/watch/..%2f..%2fetc/matches HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode(),
    )
    number = 0
    while time.perf_counter() < until:
        number += 1
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(rubbish[number % len(rubbish)])
            status = (await reader.readline())[9:10].decode("latin-1") or "closed"
            writer.close()
        except OSError:
            status = "closed"
        counts[status] = counts.get(status, 0) + 1


def rubbish_refused(seconds: float, shouters: int, folder: Path) -> dict[str, object]:
    """Sends rubbish as fast as it is answered; returns how many a second, and the answers by their first digit."""
    database = folder / "quiet.db"
    play(Tournament.checked("tic_tac_toe", ("random", "mcts(simulations=2)"), num_games=2, seed=0), db=database)
    counts: dict[str, int] = {}

    async def shout(port: int) -> None:
        until = time.perf_counter() + seconds
        await asyncio.gather(*(_shout(port, until, counts) for _ in range(shouters)))

    with served(folder / "quiet", database) as (port, _):
        time.sleep(15)
        asyncio.run(shout(port))
    return {"a_second": sum(counts.values()) / seconds, "answers": counts}
