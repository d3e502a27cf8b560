"""Pictures and animations, by the pixels that must be there."""

from __future__ import annotations

import io
import subprocess

import pytest
from PIL import Image

from arena.matches.match import play_match
from arena.store.database import Database
from games.micro_rts import drawing
from games.micro_rts.rules import engine, maps, orders
from tests.runs import warm


def test_a_picture_shows_walls_units_and_jobs():
    state = engine.State(
        maps.parse(
            "test",
            """
        ...#
        ....
        bank 0 0
        unit Resource - 0 0 1 9
        unit Base 0 1 0 10 0
        unit Worker 1 1 1 1 0
    """,
        )
    )
    before = Image.open(io.BytesIO(drawing.png(state)))
    assert before.size == (4 * 40 + 1, 2 * 40 + 1 + 24)
    wall, field, base, nothing = ((3 * 40 + 20, 44), (10, 34), (40 + 12, 44), (2 * 40 + 20, 44))
    colours = [before.getpixel(at) for at in (wall, field, base, nothing)]
    assert colours == [(74, 64, 56), (60, 176, 67), (217, 217, 217), (244, 241, 234)]
    # Rims: blue for player 0, red for player 1.
    assert before.getpixel((40 + 5, 44)) == (31, 95, 208)
    state.issue(1, [(2, orders.attack(1))])
    after = Image.open(io.BytesIO(drawing.png(state)))
    assert after.getpixel((60, 24 + 40)) == (255, 0, 0)


def test_an_animation_has_a_frame_for_each_position(tmp_path):
    state = engine.State(maps.load("basesWorkers4x4"))
    states = [state.clone()]
    for direction in (orders.DOWN, orders.UP):
        worker = state.units_of(0)[1]
        state.issue(0, [(worker.id, orders.move(direction))])
        state.advance(10)
        states.append(state.clone())
    path = tmp_path / "game.gif"
    drawing.save_animation(states, path)
    with Image.open(path) as made:
        assert made.n_frames == 3
    assert [file.name for file in tmp_path.iterdir()] == ["game.gif"]
    with pytest.raises(ValueError, match="at least one image"):
        drawing.save_animation([], path)


def test_the_command_draws_a_match(tmp_path):
    output = tmp_path / "game.gif"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return warm.run("games.micro_rts.animate", *arguments)

    bots = "--bots=micro_rts_worker_rush,micro_rts_light_rush"
    made = run(bots, f"--output={output}", "--every=20")
    assert made.returncode == 0 and "205 ticks, returns +1 and -1" in made.stdout
    with Image.open(output) as animation:
        assert 8 <= animation.n_frames <= 13
    refused = run(bots, f"--output={tmp_path}/game.txt")
    assert refused.returncode == 2 and "ends in .gif or .png" in refused.stderr


def test_the_command_draws_a_kept_match(tmp_path):
    record = play_match("micro_rts(max_cycles=60)", ["random", "random"], 3)
    with Database(tmp_path / "m.db") as database:
        number = database.add(database.experiment({}), record)
    output = tmp_path / "kept.gif"
    made = warm.run(
        "games.micro_rts.animate",
        f"--db={tmp_path / 'm.db'}",
        f"--match={number}",
        f"--output={output}",
        "--every=20",
    )
    assert made.returncode == 0 and "60 ticks, returns +0 and +0" in made.stdout, made.stderr
    refused = warm.run("games.micro_rts.animate", f"--output={output}")
    assert refused.returncode == 2 and "two bots, or a kept match" in refused.stderr
