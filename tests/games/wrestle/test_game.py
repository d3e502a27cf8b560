"""Wrestle as a pyspiel game, and its drawings."""

from __future__ import annotations

import io
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.observation import make_observation

import games
from games.seeing import pictures, views
from games.wrestle import physics
from games.wrestle.game import Grid
from tests.runs import warm

ROOT = Path(__file__).parents[3]
TRACE = Path(__file__).parent / "traces" / "16_slow_push_contact.jsonl.gz"


@pytest.mark.parametrize(
    "game",
    [
        "wrestle",
        "wrestle(force_levels=2,turn_levels=2,max_steps=20)",
        "wrestle(decay=0.98,permanent_fatigue=false,show_energy=false)",
    ],
)
def test_open_spiels_own_checks(game):
    pyspiel.random_sim_test(pyspiel.load_game(game), 1, True, False)


def test_returns_are_those_of_the_winner():
    game = pyspiel.load_game("wrestle")
    state = game.new_initial_state()
    back, stay = (views.action_from_name(state, f"force {force} turn 0", 0) for force in (-100, 0))
    while not state.is_terminal():
        state.apply_actions([stay, back])
    assert state.returns() == [1, -1] and state.world.steps == 9  # 1 + 2 + ... + 8 is more than 30
    state = pyspiel.load_game("wrestle(max_steps=4)").new_initial_state()
    for _ in range(4):
        assert not state.is_terminal()
        state.apply_actions([stay, stay])
    assert state.is_terminal() and state.returns() == [0, 0]


@given(st.integers(2, 40), st.integers(2, 40), st.floats(*physics.FORCE), st.floats(*physics.TURN))
@settings(deadline=None)
def test_the_nearest_action_is_nearest(force_levels, turn_levels, force, turn):
    grid = Grid(force_levels, turn_levels)
    found = grid.value(grid.nearest(force, turn))
    assert abs(found[0] - force) <= 150 / (force_levels - 1) + 1e-9
    assert abs(found[1] - turn) <= 30 / (turn_levels - 1) + 1e-9


def test_every_action_is_its_own_nearest():
    grid = Grid(13, 61)
    values = [grid.value(action) for action in range(13 * 61)]
    assert [grid.nearest(*value) for value in values] == list(range(13 * 61))
    assert values[0] == (-100, -30) and values[-1] == (200, 30) and (0, 0) in values


@pytest.mark.parametrize("parameters", ["force_levels=1", "turn_levels=1002", "decay=2.0", "max_steps=0"])
def test_parameters_out_of_range_are_refused(parameters):
    with pytest.raises(ValueError, match="wrestle: .* must be"):
        pyspiel.load_game(f"wrestle({parameters})")


def test_a_player_sees_neither_the_opponents_energy_nor_what_is_behind():
    state = pyspiel.load_game("wrestle").new_initial_state()
    seen = state.observation_string(0), state.observation_tensor(0)
    first, second = state.world.discs
    state.world = physics.World((first, second._replace(energy=3.0, vx=7.0, heading=12.0, x=310.0)), 0)
    assert (state.observation_string(0), state.observation_tensor(0)) == seen
    state.world = physics.World((first, second._replace(y=260.0)), 0)
    assert state.observation_string(0) != seen[0]


def test_the_observer_shows_what_the_view_shows():
    game = pyspiel.load_game("wrestle")
    state = game.new_initial_state()
    state.apply_actions([50, 70])
    for player in (0, 1):
        observation = make_observation(game, pyspiel.IIGObservationType(perfect_recall=False))
        observation.set_from(state, player)
        data = views.view(state, player).data
        codes = sum(code * plane for code, plane in zip((0, 1, 4, 8, 10), observation.dict["view"]))
        assert np.array_equal(codes, data["agent_obs"])
        assert observation.dict["speed"] * 100 == pytest.approx(data["speed"], abs=1e-4)
        assert observation.dict["id"][player] == 1 and data["id"] == f"team_{player}"
    with pytest.raises(ValueError, match="without perfect recall"):
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))


def test_views_and_rules():
    state = pyspiel.load_game("wrestle(show_speed=false)").new_initial_state()
    seen = views.view(state, 1)
    assert seen.data.keys() == {"agent_obs", "id", "energy"} and len(seen.legal) == 91
    assert "`speed`" not in games.rules(state.get_game())
    assert seen.text.splitlines()[2] == "4" * 40
    assert "a fatigued disc" not in seen.text
    text = " ".join(games.rules("wrestle(decay=0.5,permanent_fatigue=false,turn_levels=3)").split())
    assert "multiplied by 0.5" in text and "- turns: -30, 0, 30." in text and "until the next step" in text


def test_a_picture_shows_where_the_discs_are():
    state = pyspiel.load_game("wrestle").new_initial_state()
    drawn = pictures.picture_url(state)
    assert drawn.startswith("data:image/svg+xml")
    state.world = physics.World(tuple(disc._replace(x=disc.x + 30) for disc in state.world.discs), 1)
    assert pictures.picture_url(state) != drawn


@pytest.mark.parametrize(
    "flags, frames", [(["--output=a.png", "--step=3"], 1), (["--output=a.gif", "--every=20"], 4)]
)
def test_the_command_draws(tmp_path, flags, frames):
    image = pytest.importorskip("PIL.Image")
    done = subprocess.run(
        [sys.executable, "-m", "games.wrestle.draw", str(TRACE), *flags],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "MPLCONFIGDIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    path = tmp_path / flags[0].partition("=")[2]
    with image.open(io.BytesIO(path.read_bytes())) as drawn:
        assert getattr(drawn, "n_frames", 1) == frames
        assert drawn.size[0] == drawn.size[1] and len(drawn.convert("RGB").getcolors(1 << 20)) > 5


@pytest.mark.parametrize(
    "flags, said",
    [
        ([], "--output is missing"),
        (["--output=a.txt"], "ends in .png or .gif"),
        (["--output=a.png", "--step=99"], "expected 0 to 54"),
        (["--output=no/a.png"], "does not exist"),
    ],
)
def test_bad_input_to_the_drawing_is_one_sentence(tmp_path, flags, said):
    done = warm.run("games.wrestle.draw", TRACE, *flags, cwd=tmp_path)
    assert done.returncode == 2 and said in done.stderr and not list(tmp_path.iterdir())


def test_distances_in_the_start_position():
    """The rules: 150 from the centre, 30 from where a disc is out."""
    for disc in physics.START.discs:
        assert math.dist(disc[:2], physics.CENTRE) == 150 and not physics.is_out(disc)
        assert physics.is_out(disc._replace(x=480.0, y=350.0))
        assert not physics.is_out(disc._replace(x=479.999, y=350.0))
