"""Logs of events: matches by hand on the simulator, and the search for the moment that decided one."""

from __future__ import annotations

import json

import pytest

from games.wrestle import physics
from games.wrestle.engine import Rules
from policy_evolve.domains import wrestle_events
from policy_evolve.domains.wrestle_decided import decided, fleeing
from policy_evolve.evolution import collector
from policy_evolve.evolution.prompting import Prompts
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.policies.policy import PolicyLimits
from policy_evolve.policies.program import Program

A, B = Program("a", "A"), Program("b", "B")


def _course(joint_of, start="standard", steps=500):
    """The worlds and the joint actions of a match whose actions follow from the world and the step."""
    world, worlds, course = physics.STARTS[start], [physics.STARTS[start]], []
    while not physics.is_over(world, steps):
        joint = [tuple(map(float, action)) for action in joint_of(world)]
        world = physics.step(world, joint)
        course.append(joint)
        worlds.append(world)
    return worlds, course


def _log(course, returns, start="", seats=(A, B), opening=0, characters=12_000):
    outcome = Outcome(returns, (), (), opening, None, None, course)
    return json.loads(
        collector.log("wrestle", A, [(Pairing(seats, 1, start), outcome)], characters=characters, events=True)
    )


def _backs_out(world):
    """Player 0 backs out of the ring, player 1 stands."""
    return (-100, 0), (0, 0)


def test_events_tell_a_match_from_its_start_to_its_end():
    worlds, course = _course(_backs_out)
    log = _log(course, (-1.0, 1.0))
    assert log["why"] == ["the policy touched the boundary"] and log["steps"] == [9] and log["ct"] == [0]
    rows = log["ev"][0]
    assert rows[0][:2] == [1, "start"] and rows[-1][:2] == [9, "end"]
    room, speed, outwards, energy, centre, other, force, turn = rows[0][2]
    assert (room, speed, outwards, energy) == (30, 0, 0, 1000)
    assert (centre, other, force, turn) == (0, 0, -100, 0) and rows[0][4] == 300
    assert any(what == "rim own" for _, what, *_ in rows)
    # Seen from the other side the same match has its sides exchanged.
    mirror = json.loads(
        collector.log(
            "wrestle",
            B,
            [(Pairing((A, B), 1), Outcome((-1.0, 1.0), (), (), 0, None, None, course))],
            events=True,
        )
    )
    assert mirror["ev"][0][0][2:4] == rows[0][2:4][::-1] and mirror["dec"][0]["who"] == "opponent"


def test_a_bounce_is_a_contact():
    """From the middle both drive ahead: they meet halfway and exchange their speeds."""
    worlds, course = _course(lambda world: ((200, 0), (200, 0)), "middle", 30)
    log = _log(course, (0.0, 0.0), "middle")
    assert log["ct"][0] >= 1 and any(what == "contact" for _, what, *_ in log["ev"][0])
    apart = next(row[4] for row in log["ev"][0] if row[1] == "contact")
    assert 40 <= apart < 65


def test_the_moment_is_the_last_at_which_the_loser_could_stay():
    """Who backs out at full force can brake until its speed needs more room than there is: after the moment no action saves
    it, and the action named does."""
    worlds, course = _course(_backs_out)
    moment = decided(worlds, course, 0, Rules())
    assert moment.played == (-100.0, 0.0) and 1 < moment.step < 9

    def ends(index, action):
        world = worlds[index]
        for number in range(40):
            own = action if number < moment.held else fleeing(world.discs[0])
            world = physics.step(world, (own, (0.0, 0.0)))
            if physics.is_out(world.discs[0]):
                return False
        return True

    assert ends(moment.step - 1, moment.saving)
    assert decided(worlds[moment.step :], course[moment.step :], 0, Rules()) is None
    log = _log(course, (-1.0, 1.0))
    assert log["dec"][0]["st"] == moment.step and log["dec"][0]["who"] == "own"
    assert log["dec"][0]["better"][:2] == [round(value) for value in moment.saving]


@pytest.mark.parametrize("start", physics.STARTS)
def test_who_flees_stays_in(start):
    worlds, _ = _course(lambda world: (fleeing(world.discs[0]), fleeing(world.discs[1])), start, 120)
    assert len(worlds) == 121 and physics.winner(worlds[-1]) < 0


def test_low_energy_and_fatigue_are_events():
    """The same disc in the middle of the ring, with ever less energy."""
    disc = physics.Disc(300.0, 350.0, 0.0, 0.0, 0.0, 1000.0)
    worlds = [
        physics.World((disc._replace(energy=energy), disc), step)
        for step, energy in enumerate((250.0, 199.0, 150.0, -1.0, -1.0, 1000.0))
    ]
    assert wrestle_events._of_one(worlds, 0, 4, 0) == [(1, "low"), (3, "fatigued")]


def test_turning_points_are_events():
    """Speeds on the right of the centre: outwards, hardly moving, inwards, outwards."""
    disc = physics.Disc(350.0, 350.0, 0.0, 0.0, 0.0, 1000.0)
    worlds = [
        physics.World((disc._replace(vx=speed), disc), step)
        for step, speed in enumerate((40.0, 5.0, -30.0, -10.0, 20.0))
    ]
    assert wrestle_events._of_one(worlds, 0, 4, 0) == [(2, "turn"), (4, "turn")]


@pytest.mark.parametrize("characters", [12_000, 4_000, 1_500])
def test_whole_matches_fit_their_budget(characters):
    """However little room there is, each match keeps its start or what stands for it, its end and what decided it."""
    played = []
    for seed in range(6):
        worlds, course = _course(
            lambda world: ((200 - 40 * (world.steps % 7), 5), (150, -5 + (world.steps + seed) % 3)),
            "middle",
            300,
        )
        winner = physics.winner(worlds[-1])
        returns = (0.0, 0.0) if winner < 0 else (1.0 - 2 * winner, 2.0 * winner - 1)
        played.append((Pairing((A, B), seed, "middle"), Outcome(returns, (), (), 0, None, None, course)))
    text = collector.log("wrestle", A, played, characters=characters, events=True)
    assert len(text) <= characters
    log = json.loads(text)
    for rows, steps in zip(log["ev"], log["steps"], strict=True):
        assert rows[-1][0] == steps
        assert [row[0] for row in rows] == sorted(row[0] for row in rows)


def test_the_fields_of_the_prompt_are_those_of_the_log():
    _, course = _course(_backs_out)
    named = {
        name.strip()
        for line in wrestle_events.EVENT_FIELDS.split("\n")
        for name in line[2:].split(":")[0].split(",")
    }
    assert _log(course, (-1.0, 1.0)).keys() <= named


def test_the_critic_sees_both_programs():
    prompts = Prompts("about", PolicyLimits(), 2)
    assert "OPPONENT" in prompts.reflect("SOURCE", "fields", "log", "OPPONENT")
    assert "both sides" not in prompts.reflect("SOURCE", "fields", "log")
