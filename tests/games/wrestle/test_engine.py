"""The engine against recorded games of the real one, values by hand, and what physics keeps."""

from __future__ import annotations

import gzip
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.wrestle import physics, rendering
from games.wrestle.engine import Rules, Wrestle, checked_action, observation
from games.wrestle.physics import START, Disc, World
from games.wrestle.replay import compare
from games.wrestle.traces import read
from tests.runs import warm

TRACES = sorted((Path(__file__).parent / "traces").glob("*.jsonl.gz"))

coordinates = st.floats(-110, 110)
velocities = st.floats(-70, 70)
discs = st.builds(
    lambda x, y, vx, vy, heading, energy: Disc(300 + x, 350 + y, vx, vy, heading, energy),
    coordinates,
    coordinates,
    velocities,
    velocities,
    st.floats(-720, 720),
    st.floats(0, 1000),
)
forces = st.floats(*physics.FORCE)
turns = st.floats(*physics.TURN)


def test_there_are_recorded_games():
    assert len(TRACES) == 12


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name.partition(".")[0])
def test_recorded_games_of_the_real_engine(path):
    result = compare(read(path), tolerance=1e-9)
    assert result.first is None and result.steps > 30
    assert result.different_pixels < 0.002 * result.pixels


def test_recorded_views_differ_by_nothing_but_where_a_line_starts(monkeypatch):
    clipped, views = rendering._clipped, 0
    for frame in (frame for path in TRACES for frame in read(path)):
        for player, view in enumerate(frame.views or ()):
            views += 1
            found = set()
            for order in itertools.product((1, -1), repeat=2):
                turns = iter(order)
                monkeypatch.setattr(
                    rendering, "_clipped", lambda start, end, turns=turns: clipped(start, end)[:: next(turns)]
                )
                found.add(rendering.to_text(rendering.render(frame.world, player)))
            assert view in found
    assert views == 304


def _lines(path):
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def _written(tmp_path, lines):
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    "change, said",
    [
        (
            lambda lines: lines[20]["pos"][1].__setitem__(0, lines[20]["pos"][1][0] + 1e-6),
            "step 20: x of player 1",
        ),
        (lambda lines: lines[12]["energy"].__setitem__(0, 999.0), "step 12: energy of player 0"),
        (lambda lines: lines[9].__setitem__("winner", 1), "step 9: winner is -1, recorded 1"),
        (lambda lines: lines[-1].__setitem__("done", False), "done is True, recorded False"),
        (lambda lines: lines[-1].__setitem__("out", [False, False]), "out is "),
    ],
)
def test_a_changed_recording_is_noticed(tmp_path, change, said):
    lines = _lines(TRACES[-1])
    assert compare(read(_written(tmp_path, lines))).first is None
    change(lines)
    assert said in compare(read(_written(tmp_path, lines))).first


def test_the_command_says_by_its_exit_code_whether_games_agree(tmp_path):
    def run(*arguments):
        return warm.run("games.wrestle.replay", *arguments)

    done = run(TRACES[-1], TRACES[3])
    assert done.returncode == 0 and "2 of 2 games agree" in done.stdout, done.stderr
    lines = _lines(TRACES[3])
    lines[5]["vel"][0][1] += 0.5
    changed = run(_written(tmp_path, lines))
    assert changed.returncode == 1 and "step 5: vy of player 0" in changed.stdout
    lines[0]["obs"][0] = ["1" * 40] * 40
    assert run(_written(tmp_path, lines[:2])).returncode == 1  # pixels alone
    del lines[5]["theta"]
    broken = run(_written(tmp_path, lines))
    assert broken.returncode == 2 and "line 6: field 'theta' is missing" in broken.stderr
    assert run().returncode == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines.pop(7),
        lambda lines: lines[3].pop("act"),
        lambda lines: lines[3].__setitem__("pos", [[1, 2], [3, "x"]]),
        lambda lines: lines[0].__setitem__("obs", [["." * 39] * 40] * 2),
        lambda lines: lines[3].__setitem__("out", [0, 1]),
    ],
)
def test_malformed_recordings_are_named(tmp_path, change):
    lines = _lines(TRACES[3])
    change(lines)
    with pytest.raises(ValueError, match=r"game.jsonl, line \d+: .*expected a game of wrestle"):
        list(read(_written(tmp_path, lines)))


def test_steps_by_hand():
    """Force 100 for a step of .1 is a velocity of 10, which moves the disc by 1 in the step after."""
    world = physics.step(START, [(100, 0), (0, 30)])
    assert world.discs[0][:2] == (300, 200)
    assert world.discs[0][2:] == pytest.approx((0, 10, 90, 1000))
    assert world.discs[1] == Disc(300, 500, 0, 0, -60, 1000)
    world = physics.step(world, [(0, 0), (0, 0)])
    assert world.discs[0][:4] == pytest.approx((300, 201, 0, 10)) and world.steps == 2


def test_energy_by_hand():
    """200 of force at 100 of speed spends 400 a unit of time and 200 come back: 20 less a step."""
    fast = Disc(300, 350, 100, 0, 0, 1000)
    still = Disc(300, 200, 0, 0, 0, 900)
    world = physics.step(World((fast, still), 0), [(200, 0), (200, 0)])
    assert world.discs[0].energy == pytest.approx(980)
    assert world.discs[0].vx == pytest.approx(100)
    assert world.discs[1].energy == pytest.approx(900 - (200 * 20 / 50 - 200) * 0.1)
    tired = physics.step(World((fast._replace(energy=19.0), still), 0), [(200, 0), (0, 0)]).discs[0]
    assert tired.energy == -1


def test_fatigue_is_permanent_or_lasts_one_step():
    tired = World((Disc(300, 350, 10, 0, 0, -1), START.discs[1]), 0)
    for permanent in (True, False):
        world = physics.step(tired, [(200, 30), (0, 0)], permanent_fatigue=permanent)
        assert world.discs[0][:5] == pytest.approx((301, 350, 10, 0, 0))
        assert world.discs[0].energy == (-1 if permanent else 19)
        after = physics.step(world, [(200, 30), (0, 0)], permanent_fatigue=permanent).discs[0]
        assert after.heading == (0 if permanent else 30)


def test_decay_slows_down_what_coasts():
    world = World((Disc(300, 350, 50, 0, 0, 1000), START.discs[1]), 0)
    for _ in range(3):
        world = physics.step(world, [(0, 0), (0, 0)], decay=0.98)
    assert world.discs[0].vx == pytest.approx(50 * 0.98**3)
    assert world.discs[0].x == pytest.approx(300 + 5 * (1 + 0.98 + 0.98**2))


def test_head_on_discs_exchange_their_velocities():
    world = World((Disc(280, 350, 30, 0, 0, 1000), Disc(321, 350, -10, 0, 0, 1000)), 0)
    world = physics.step(world, [(0, 0), (0, 0)])
    # They touch after .025: 280.75 and 320.75; the rest of the step is .075.
    assert world.discs[0][:4] == pytest.approx((280.75 - 0.75, 350, -10, 0))
    assert world.discs[1][:4] == pytest.approx((320.75 + 2.25, 350, 30, 0))


def test_sliding_along_one_another_ends():
    touching = World((Disc(280, 350, 0, 50, 0, 1000), Disc(320, 350, 0, -50, 0, 1000)), 0)
    world = physics.step(touching, [(0, 0), (0, 0)])
    assert world.discs[0][:4] == (280, 355, 0, 50)


@given(discs, discs)
@settings(max_examples=200, deadline=None)
def test_coasting_discs_keep_momentum_and_energy(first, second):
    assume(math.dist(first[:2], second[:2]) > 41)
    world = physics.step(World((first, second), 0), [(0, 0), (0, 0)])
    assume(all(math.hypot(disc.vx, disc.vy) < 99 for disc in world.discs))  # not cut
    for axis in ("vx", "vy"):
        assert sum(getattr(disc, axis) for disc in world.discs) == pytest.approx(
            getattr(first, axis) + getattr(second, axis), abs=1e-9
        )
    assert sum(disc.vx**2 + disc.vy**2 for disc in world.discs) == pytest.approx(
        sum(disc.vx**2 + disc.vy**2 for disc in (first, second)), abs=1e-7
    )


def _turned(world):
    """The world after a half-turn about the centre that swaps the players."""
    return World(
        tuple(
            Disc(600 - d.x, 700 - d.y, -d.vx, -d.vy, d.heading + 180, d.energy) for d in reversed(world.discs)
        ),
        world.steps,
    )


@given(discs, discs, forces, turns, forces, turns)
@settings(max_examples=200, deadline=None)
def test_the_game_is_symmetric(first, second, force, turn, other_force, other_turn):
    assume(math.dist(first[:2], second[:2]) > 40.001)
    world, actions = World((first, second), 3), [(force, turn), (other_force, other_turn)]
    there = _turned(physics.step(world, actions))
    back = physics.step(_turned(world), actions[::-1])
    assume(all(min(abs(math.hypot(d.vx, d.vy) - 100), d.energy + 1) > 1e-6 for d in there.discs))
    for ours, other in zip(there.discs, back.discs):
        assert ours == pytest.approx(other, abs=1e-5)


def _brute_force(world, player):
    """Circles and discs of a view pixel by pixel; None where a line of the cross may be."""
    own, other = world.discs[player], world.discs[1 - player]
    angle = math.radians(own.heading)
    pixels = []
    for row in range(40):
        for column in range(40):
            ahead, left = 157.5 - 5 * row, 97.5 - 5 * column
            x = own.x + ahead * math.cos(angle) + left * math.sin(angle)
            y = own.y + ahead * math.sin(angle) - left * math.cos(angle)
            away = math.hypot(x - 300, y - 350)
            on_cross = min(abs(x - 300), abs(y - 350)) < 8 and max(abs(x - 300), abs(y - 350)) < 168
            if math.hypot(ahead, left) <= 20:
                code = (10, 8)[player]
            elif math.hypot(x - other.x, y - other.y) <= 20:
                code = (8, 10)[player]
            elif on_cross:
                code = None
            else:
                code = 1 if abs(away - 200) <= 2.5 else 4 if abs(away - 50) <= 2.5 else 0
            edge = min(
                abs(abs(away - 200) - 2.5),
                abs(abs(away - 50) - 2.5),
                abs(math.hypot(x - other.x, y - other.y) - 20),
            )
            pixels.append(None if edge < 1e-6 else code)
    return pixels


@pytest.mark.parametrize(("x", "y", "shown"), [(195, 245, True), (193, 243, False)])
def test_the_ring_in_the_middle_is_left_out_where_it_is_far_from_the_point_ahead(x, y, shown):
    # The ring's radius is 50, so it is far from 100 sqrt 2 + 50 = 191.4 on; the point 80 ahead is 190.2 or 192.9 from its centre.
    own = Disc(x, y, 0, 0, 154, 1000)
    point = x + 80 * math.cos(math.radians(154)), y + 80 * math.sin(math.radians(154))
    assert (math.dist(point, physics.CENTRE) < 191.4) == shown
    world = World((Disc(400, 450, 0, 0, 0, 1000), own), 0)
    corner = [row * 40 + column for row in range(36, 40) for column in (0, 1)]
    beneath, view = _brute_force(world, 1), rendering.render(world, 1)
    assert any(beneath[at] == 4 for at in corner)
    assert any(view[at] == 4 for at in corner) == shown


@given(discs, discs, st.sampled_from((0, 1)))
@settings(max_examples=40, deadline=None)
def test_views_show_what_lies_under_each_pixel(first, second, player):
    world = World((first, second), 0)
    own, other = world.discs[player], world.discs[1 - player]
    angle = math.radians(own.heading)
    culling = own.x + 80 * math.cos(angle), own.y + 80 * math.sin(angle)
    # What is farther than 100 sqrt 2 from that point the engine leaves out: the opponent, and the ring in the middle.
    assume(math.dist(culling, other[:2]) < 161 and math.dist(culling, physics.CENTRE) < 191)
    found = rendering.render(world, player)
    expected = _brute_force(world, player)
    # The lone false boundary pixel of a line that only touches the view stands for itself.
    wrong = [at for at, code in enumerate(expected) if code is not None and code != found[at]]
    assert not wrong or (len(wrong) <= 2 and all(found[at] == 1 for at in wrong))


def test_the_view_at_the_start():
    view = Wrestle().observation(0)["agent_obs"]
    assert view[2] == [4] * 40  # the cross' horizontal line, 150 ahead
    assert sum(row.count(10) for row in view) == 52
    assert view[36][0] == view[36][39] == 1  # the ring behind both sides
    assert all(code != 8 for row in view for code in row)  # the opponent is too far away


def test_views_pass_through_text():
    rows = observation(START, 1)["agent_obs"]
    text = rendering.to_text(bytearray(code for row in rows for code in row))
    assert len(text) == 1600 and rendering.to_rows(text) == rows


def test_a_match_by_itself():
    match = Wrestle()
    with pytest.raises(ValueError, match="two actions"):
        match.step([[0, 0]])
    [first, second] = match.observations()
    assert first["controlled_player_index"] == 0 and second["obs"]["id"] == "team_1"
    assert first["obs"]["energy"] == 1000.0 and first["obs"]["speed"] == [0.0, 0.0]
    outcome = match.step([[[-100], [0]], [0, 0]])  # backwards, in the platform's form
    while not outcome.done:
        outcome = match.step([[-100, 0], [0, 0]])
    assert outcome == ((0.0, 100.0), True, 1) and match.world.steps == 9  # 1 + 2 + ... + 8 is more than 30
    with pytest.raises(ValueError, match="must not be over"):
        match.step([[0, 0], [0, 0]])
    match.reset()
    assert match.world == START


def test_a_match_without_a_winner_ends_after_max_steps():
    match = Wrestle(Rules(max_steps=3, show_energy=False, show_speed=False))
    outcomes = [match.step([[0, 1], [0, 1]]) for _ in range(3)]
    assert [outcome.done for outcome in outcomes] == [False, False, True] and outcomes[-1].winner == -1
    assert match.observation(0).keys() == {"agent_obs", "id"}


def test_both_out_at_once_is_a_draw():
    world = World((Disc(479, 350, 50, 0, 0, 1000), Disc(121, 350, -50, 0, 0, 1000)), 0)
    world = physics.step(world, [(0, 0), (0, 0)])
    assert physics.is_over(world) and physics.winner(world) == -1


def test_actions_may_be_arrays_as_on_the_platform():
    assert checked_action(np.array([[150.0], [-3.0]])) == checked_action([[150], [-3]]) == (150, -3)
    assert checked_action((np.float32(7), np.float64(2))) == (7, 2)


@pytest.mark.parametrize(
    "action",
    [
        [201, 0],
        [0, -30.5],
        [float("nan"), 0],
        [0, float("inf")],
        [1],
        [1, 2, 3],
        "ab",
        None,
        [[1, 2], 3],
        [True, 0],
        ["1", 0],
        {"force": 1},
        [10**400, 0],
        [[], 0],
    ],
)
def test_malformed_actions_are_refused(action):
    with pytest.raises(ValueError, match="wrestle: (an action|force|turn) must be"):
        checked_action(action)


@pytest.mark.parametrize("rules", [dict(decay=1.1), dict(max_steps=0), dict(decay=float("nan"))])
def test_malformed_rules_are_refused(rules):
    with pytest.raises(ValueError, match="must be"):
        Rules(**rules)
