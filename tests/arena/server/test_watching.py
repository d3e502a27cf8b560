"""Tournaments that run in other processes are watched, stopped and taken up; what was there is shown again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request

import pytest

from arena.rating.rate import rate
from arena.server import watching
from arena.server.started import Runs, tournament
from arena.store.database import Database
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("stored") / "matches.db"
    play(Tournament.checked("tic_tac_toe", ["random", "mcts(simulations=10)"], num_games=10, seed=1), db=path)
    play(
        Tournament.checked("kuhn_poker(players=3)", ["random", "cfr(iterations=5)"], num_games=6, seed=1),
        db=path,
    )
    return path


def test_standings_are_those_of_the_ratings(stored):
    """Against the arena's own tables, which are tested against independent programs."""
    told = watching.look(stored)
    with Database(stored) as database:
        rated = {game["game"]: game for game in rate(database.results())["games"]}
    for table in told["tables"]:
        rows = {row["bot"]: row for row in table["rows"]}
        game = rated[table["game"]]
        if table["measure"] == "mean return":
            for bot, figure in game["mean_returns"]["bots"].items():
                assert rows[bot]["value"] == pytest.approx(figure["mean"])
        else:
            assert sum(row["value"] for row in rows.values()) == pytest.approx(1)
    assert told["matches"] == sum(table["matches"] for table in told["tables"])
    planned = {one["config"]["game"]: (one["matches"], one["planned"]) for one in told["experiments"]}
    assert planned["tic_tac_toe"] == (10, 10)
    assert planned["kuhn_poker(players=3)"][0] == planned["kuhn_poker(players=3)"][1]


def test_one_reader_reads_for_all(stored, monkeypatch):
    looks = []
    real = watching.look
    monkeypatch.setattr(watching, "look", lambda path: looks.append(1) or real(path))
    watch, heard = watching.Watch(stored), [threading.Event() for _ in range(50)]
    for event in heard:
        watch.listen(event.set)
    for event in heard:
        assert event.wait(60)
    assert len(looks) == 1
    for event in heard:
        watch.forget(event.set)
    assert json.loads(watch.news()[1])["matches"] == real(stored)["matches"]


def test_a_file_that_is_not_there_yet_is_waited_for(tmp_path):
    watch, heard = watching.Watch(tmp_path / "later.db"), threading.Event()
    watch.listen(heard.set)
    assert heard.wait(60) and "error" in json.loads(watch.news()[1])
    heard.clear()
    play(
        Tournament.checked("tic_tac_toe", ["random", "mcts(simulations=2)"], num_games=2, seed=1), db=watch.path
    )
    assert heard.wait(60)
    watch.forget(heard.set)


def test_viewers_are_told_as_matches_end(open_site, stored):
    site = open_site(databases={"stored": stored})
    with urllib.request.urlopen(f"{site.address}/api/watch/stored/events", timeout=60) as stream:
        lines = []
        while not any(line.startswith(b'data: {"matches"') for line in lines):
            lines.append(stream.readline())
        first = json.loads(lines[-1][6:])
        play(
            Tournament.checked("tic_tac_toe", ["random", "mcts(simulations=10)"], num_games=2, seed=77),
            db=stored,
        )
        while not lines[-1].startswith(b'data: {"matches"') or json.loads(lines[-1][6:]) == first:
            lines.append(stream.readline())
    assert json.loads(lines[-1][6:])["matches"] > first["matches"]
    shown = site.get("/api/watch/stored/matches")
    assert [match["id"] for match in shown] == sorted((match["id"] for match in shown), reverse=True)
    replay = site.get(f"/api/watch/stored/matches/{shown[0]['id']}")
    assert replay["seats"] == shown[0]["seats"] and len(replay["frames"]) == len(replay["steps"]) + 1


def test_a_match_is_saved_as_a_page_and_as_an_animation(open_site, stored):
    from io import BytesIO

    from PIL import Image

    site = open_site(databases={"stored": stored})
    for number in (1, 11):
        status, headers, page = site.ask("GET", f"/api/watch/stored/matches/{number}/page")
        assert status == 200 and b"<!DOCTYPE html>" in page and "attachment" in headers["content-disposition"]
        status, _, gif = site.ask("GET", f"/api/watch/stored/matches/{number}/gif")
        with Image.open(BytesIO(gif)) as image:
            frames = site.get(f"/api/watch/stored/matches/{number}")["frames"]
            assert status == 200 and image.format == "GIF" and 1 < image.n_frames <= len(frames)
    assert site.ask("GET", "/api/watch/stored/report")[0] == 200
    assert site.ask("GET", "/api/watch/stored/matches/999")[0] == 400


def test_a_run_is_stopped_and_taken_up_and_no_match_is_played_twice(tmp_path):
    runs = Runs(tmp_path)
    run = runs.add(
        tournament("connect_four", ["mcts(simulations=400)", "random"], num_games=40, seed=3, opening_plies=0)
    )

    def stored_matches():
        if not run.database.exists():
            return 0
        try:
            return watching.look(run.database)["matches"]
        except (ValueError, OSError):  # it is just being made
            return 0

    until(lambda: stored_matches() >= 2)
    run.stop()
    until(lambda: not run.running())
    count = stored_matches()
    assert 2 <= count < 40
    assert "Traceback" not in run.log()
    [again] = Runs(tmp_path).all()  # as a server that is started again finds it
    assert again.told()["running"] is False and again.asked == run.asked
    again.resume()
    assert again.running()
    until(lambda: not again.running())
    assert stored_matches() == 40, again.log()


def until(true):
    deadline = time.monotonic() + 180
    while not (found := true()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
    return found


def test_a_server_that_was_killed_shows_what_was_there(tmp_path):
    """kill -9 of the real command while a match and a tournament run."""

    def serve():
        process = subprocess.Popen(
            [sys.executable, "-m", "arena.serve", "--port=0", f"--folder={tmp_path / 'table'}"],
            stdout=subprocess.PIPE,
            text=True,
        )
        return process, process.stdout.readline().split()[0].rstrip("/")

    def get(address, path):
        with urllib.request.urlopen(address + path, timeout=120) as answer:
            return json.loads(answer.read())

    def post(address, path, value, key=""):
        headers = {"Content-Type": "application/json", "X-Key": key}
        wanted = urllib.request.Request(address + path, json.dumps(value).encode(), headers)
        with urllib.request.urlopen(wanted, timeout=120) as answer:
            return json.loads(answer.read())

    process, address = serve()
    try:
        made = post(address, "/api/tables", {"game": "tic_tac_toe", "seats": ["human", "random"]})
        run = post(
            address,
            "/api/runs",
            {"game": "connect_four", "bots": ["mcts(simulations=300)", "random"], "num_games": 200},
        )
        events = urllib.request.Request(
            f"{address}/api/tables/{made['id']}/events", headers={"X-Key": made["keys"]["0"]}
        )
        with urllib.request.urlopen(events, timeout=120) as stream:
            first = read_frame(stream)
            post(
                address,
                f"/api/tables/{made['id']}/move",
                {"number": 0, "name": first["legal"][4]},
                made["keys"]["0"],
            )
            while not first["legal"] or first["made"] < 2:
                first = read_frame(stream)
    finally:
        process.kill()
        process.wait()
    process, address = serve()
    try:
        home = get(address, "/api/home")
        assert [(table["id"], table["state"]) for table in home["tables"]] == [(made["id"], "playing")]
        assert [one["id"] for one in home["runs"]] == [run["id"]]
        with urllib.request.urlopen(
            urllib.request.Request(
                f"{address}/api/tables/{made['id']}/events", headers={"X-Key": made["keys"]["0"]}
            ),
            timeout=120,
        ) as stream:
            again = read_frame(stream)
            while again["made"] < 2:
                again = read_frame(stream)
        assert (again["text"], again["legal"]) == (first["text"], first["legal"])
        # The tournament's process outlives the server, and can be stopped by the next one.
        assert home["runs"][0]["running"] is True
        post(address, f"/api/runs/{run['id']}/stop", {})
        until(lambda: not get(address, "/api/home")["runs"][0]["running"])
    finally:
        for one in Runs(tmp_path / "table" / "runs").all():
            one.stop()
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(60) in (0, 130)


def read_frame(stream):
    while not (line := stream.readline()).startswith(b"data: {"):
        assert line, "the stream has ended"
    return json.loads(line[6:])
