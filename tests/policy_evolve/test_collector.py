"""Logs of matches: their fields by hand, merging, and the budget; and prompts."""

from __future__ import annotations

import json

import pyspiel
import pytest

from games.wrestle.game import Grid
from policy_evolve.domains import wrestle
from policy_evolve.domains.registry import domain_of
from policy_evolve.evolution import collector, prompting
from policy_evolve.matches.evaluation import Outcome, Pairing
from policy_evolve.policies.policy import PolicyLimits
from policy_evolve.policies.program import Program

A, B = Program("a", "A"), Program("b", "B")
GRID = Grid(7, 13)


def _wrestle(*actions, seed=0, seats=(A, B), opening=0, forfeit=None):
    """A match of these joint actions, ((force, turn), (force, turn)) each."""
    chosen = [GRID.nearest(*action) for joint in actions for action in joint]
    state = pyspiel.load_game("wrestle").new_initial_state()
    for index in range(0, len(chosen), 2):
        state.apply_actions(chosen[index : index + 2])
    returns = tuple(state.returns()) if forfeit is None else (1.0, -1.0)
    return Pairing(seats, seed), Outcome(returns, (0, 1) * len(actions), tuple(chosen), opening, forfeit)


def test_fields_by_hand():
    """Player 0 backs out: 1 + 2 + ... + 8 = 36 units in nine steps, of the 30 there are; b stands still."""
    played = [_wrestle(*[((-100, 0), (0, 5))] * 9)]
    log = json.loads(collector.log("wrestle", A, played))
    assert (log["an"], log["op"], log["rs"], log["fr"]) == ("a", ["b"], 0.0, [-1.0])
    assert log["why"] == ["the policy touched the boundary"]
    assert log["st"][0][-1] == 9 and log["d2b"][0][-1] == [round((50 - 36) / 5, 1), 10.0]
    assert log["d"][0][-1] == round((300 + 36) / 5, 1)
    assert set(log["af"][0]) == {-100} and set(log["oa"][0]) == {5} and log["rw"][0][-1] == [-1, 1]
    assert len(log["st"][0]) < 9  # steps alike are merged
    assert log.keys() == {
        line[2:].split(":")[0]
        for line in wrestle.FIELDS.split("\n")
        if line.startswith("- ") and "," not in line.split(":")[0]
    } | {"of", "oa"}
    other = json.loads(collector.log("wrestle", B, played))
    assert other["fr"] == [1.0] and set(other["of"][0]) == {-100}
    assert other["why"] == ["the opponent touched the boundary"] and other["d2b"][0][-1][0] == 10.0


def test_the_opening_is_left_out_and_forfeits_are_said():
    joint = [((200, 30), (0, 0))] * 2 + [((0, 0), (50, -5))] * 2
    played = [_wrestle(*joint, opening=4, forfeit=(1, "crash", "Oops: x"))]
    log = json.loads(collector.log("wrestle", B, played))
    assert log["st"][0][-1] == 4 and set(log["of"][0]) == {0} and set(log["af"][0]) == {50}
    assert log["why"] == ["the policy forfeited (crash): Oops: x"] and log["fr"] == [-1.0]


def test_merging_keeps_the_ends_and_the_means():
    rows = [
        {"st": step, "af": force, "aa": 0.0, "of": 0.0, "oa": 0.0, "d2b": [9.0, 9.0], "d": 30.0, "rw": [0, 0]}
        for step, force in enumerate((50, 58, 54, 100, 100), start=1)
    ]
    log = wrestle.merged(rows, 1.0)
    assert (log["st"], log["af"]) == ([3, 5], [54, 100])
    assert wrestle.merged(rows, 8.0)["st"] == [5]
    assert wrestle.merged([], 1.0)["st"] == []


@pytest.mark.parametrize("characters", [12_000, 3_000])
def test_logs_fit_their_budget(characters):
    joint = [
        ((force, turn), (turn, -turn))
        for force, turn in [((37 * step) % 300 - 100, (17 * step) % 60 - 30) for step in range(25)]
    ]
    played = [_wrestle(*joint, seed=seed) for seed in range(6)]
    text = collector.log("wrestle", A, played, characters=characters)
    assert len(text) <= characters
    ends = [steps[-1] for steps in json.loads(text)["st"]]
    assert ends == [25] * 6


def test_defeats_are_shown_first_and_opponents_in_turn():
    c = Program("c", "C")
    played = [
        (Pairing((A, other), seed), Outcome((value, -value), (0, 1), (seed, 0), 0, None))
        for seed, (other, value) in enumerate([(B, 1)] * 5 + [(c, 1)] * 2 + [(B, -1)] * 2 + [(c, 0)])
    ]
    shown = [
        (pairing.seats[1].name, outcome.returns[0]) for pairing, outcome, _ in collector._chosen(played, A)
    ]
    assert shown == [("b", -1), ("c", 0), ("b", 1), ("c", 1), ("b", -1), ("b", 1)]


def test_other_games_are_shown_by_their_moves():
    outcome = Outcome((-1.0, 1.0), (-1, -1, 0, 1), (1, 2, 0, 1), 0, (0, "timeout", "slow"))
    played = [(Pairing((A, B), 1), outcome)]
    log = json.loads(collector.log("kuhn_poker", A, played))
    assert log["mv"] == [["c:Deal:1", "c:Deal:2", "0:Pass", "1:Bet"]] and log["me"] == [0]
    assert log["why"] == ["the policy forfeited (timeout): slow"]
    both = [(Pairing((B, A), 1), Outcome((0.0, 0.0), (0, 1), (1, 1), 0, None))]
    named = json.loads(collector.log("matrix_rps", A, both))
    assert named["mv"] == [["0:Paper, 1:Paper"]] and named["me"] == [1]


@pytest.mark.parametrize("game", ["wrestle", "connect_four", "kuhn_poker", "leduc_poker", "goofspiel"])
def test_prompts_are_whole(game):
    about = domain_of(game).information(pyspiel.load_game(game))
    prompts = prompting.Prompts(about, PolicyLimits(), 2, domain_of(game).phrases)
    for text in (
        prompts.naive(),
        prompts.cot(),
        prompts.initial([], ""),
        prompts.explain("SOURCE"),
        prompts.initial([prompting.Seed("p001", "SOURCE", "It waits.", 1300)], "MEMORY"),
        prompts.iterate("SOURCE", 0.4, reflection="BAD"),
        prompts.debug("FAULT", None, "REPLY"),
        prompts.reflect("SOURCE", domain_of(game).fields, "LOG"),
    ):
        assert "{{" not in text and "{%" not in text and "None" not in text
        assert about.strip() in text


def test_hints_can_be_left_out():
    game = pyspiel.load_game("wrestle")
    with_hints, without = wrestle.Wrestle().information(game), wrestle.Wrestle().information(game, hints=False)
    assert "green" in with_hints and "green" not in without and "# Hints" not in without
    assert "`agent_obs`" in without and "-30 to 30" in without


def test_the_description_follows_the_games_parameters():
    text = wrestle.Wrestle().information(
        pyspiel.load_game(
            "wrestle(decay=0.98,permanent_fatigue=false,show_energy=false,force_levels=31,max_steps=90)"
        )
    )
    assert "0.98" in text and "in the next step" in text and "31 forces" in text and "90 steps" in text
    assert "`energy`" not in text
