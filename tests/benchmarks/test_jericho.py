"""The benchmark of MC-DML on Jericho's stories, without a story: its arms, and its tables of known figures."""

from __future__ import annotations

import pytest

from arena.registry.games import load_game
from benchmarks.games import jericho
from benchmarks.support.side_by_side import Played
from mcdml.agents.episodes import agent_of

ZORK, OTHER = "jericho(rom=roms/zork1.z5,max_moves=50)", "jericho(rom=roms/unheard.z5)"


def played(game, arm, seed, score, requests=0, curve=((0, 0.0),)):
    return Played(game, seed, arm, [score], requests, 10 * requests, requests, 0, 3.0, list(curve))


def test_every_arm_is_a_bot_that_there_is_and_only_those_that_ask_have_a_model():
    arms = jericho.contestants(jericho.ARMS, "simulations_per_action=5", "continuations", 2, 50)
    game = load_game("text_adventure(layout_seed=1)")
    for name, arm in arms.items():
        agent_of(arm.bot, game, seed=0)
        assert arm.lanes == (2 if name in ("alone", "random") else 1)
    assert [name for name, arm in arms.items() if "ask_limit=2" in arm.bot] == [
        "mcdml",
        "search",
        "neither",
        "static",
        "uniform",
    ]
    with pytest.raises(ValueError, match="--arms: unknown arm 'mcdlm'; did you mean mcdml"):
        jericho.contestants(["mcdlm"], "c_puct=1", "verbalized", 2, 50)


def test_points_stand_beside_those_of_the_paper():
    found = [
        played(game, arm, seed, score)
        for game in (ZORK, OTHER)
        for arm, scores in (("search", (0.1, 0.3)), ("alone", (0.0, 0.1)))
        for seed, score in enumerate(scores)
    ]
    header, zork, other = jericho.by_story(found, {ZORK: 350.0, OTHER: 10.0})
    assert zork == ["zork1", "350", "70.0 [35, 105]", "17.5 [0, 35]", "48.66 ± 1.89", "0"]
    assert other == ["unheard", "10", "2.0 [1, 3]", "0.5 [0, 1]", "", ""] and len(header) == len(zork)


def test_costs_are_of_one_move_and_the_curve_is_of_what_was_asked_by_then():
    curve = [(2, 0.1), (4, 0.3), (5, 0.2)]
    found = [played(ZORK, "search", 0, 0.2, 5, curve), played(ZORK, "random", 0, 0.0, 0, [(0, 0.0)] * 3)]
    assert jericho.costs(found)[1:] == [
        ["zork1", "search", "1.7", "16.7", "1.7", "1.0"],
        ["zork1", "random", "0.0", "0.0", "0.0", "1.0"],
    ]
    assert jericho.curve_rows(found, [1, 2, 4, 9])[1:] == [["search", "0.000", "0.100", "0.300", "0.200"]]
