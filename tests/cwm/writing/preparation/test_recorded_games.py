"""Recorded games that no program could learn: one sentence each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.registry.games import load_game
from cwm.trust.trajectories import Trajectory, collect, from_names
from cwm.writing.preparation import recorded_games

GAME = load_game("tic_tac_toe")
OPENING = ["x(1,1)", "o(0,0)", "x(0,1)", "o(2,1)", "x(1,0)", "o(0,2)", "x(1,2)"]


def two():
    """The same opening twice; the second game goes on in another way."""
    return [from_names(GAME, OPENING), from_names(GAME, [*OPENING[:5], "o(2,2)", "x(1,2)"])]


def changed(game, index, **facts):
    steps = list(game.steps)
    steps[index] = replace(steps[index], **facts)
    return Trajectory(game.game, game.num_players, tuple(steps))


def refusal(games, **options):
    with pytest.raises(ValueError) as caught:
        recorded_games.check("g.jsonl", games, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_games_that_fit_together_are_taken():
    recorded_games.check("g.jsonl", two(), rules="Cells are named.", game=GAME)
    recorded_games.check("g.jsonl", list(collect(load_game("kuhn_poker"), 20, 0)))


@pytest.mark.parametrize(
    "facts, expected",
    [
        ({"observations": ({"board": ["xxx"]},) * 2}, "the observations are"),
        ({"player": 1}, "the player to act is 1, expected 0 as there"),
        ({"legal": ("x(0,1)",)}, "the legal actions are"),
        ({"returns": (1.0, -1.0)}, "the returns are [1.0, -1.0], expected [0.0, 0.0]"),
    ],
)
def test_games_that_contradict_each_other_are_refused(facts, expected):
    first, second = two()
    said = refusal([first, changed(second, 2, **facts)])
    assert "game 2 contradicts game 1 in step 2, after x(1,1), o(0,0)" in said and expected in said


def test_dice_that_nobody_recorded_contradict():
    """Two games of pig without their rolls: after the same action other things are seen."""
    said = refusal([bare(4), bare(5)])
    assert "game 2 contradicts game 1 in step 1, after roll" in said and "chance step (player -1)" in said


def bare(points):
    game = from_names(GAME, [])
    step = replace(game.steps[0], observations=({"points": 0},) * 2, action="roll", legal=("roll",))
    end = replace(game.steps[0], player=-4, observations=({"points": points},) * 2, legal=None)
    return Trajectory("pig", 2, (step, end))


def test_with_a_closed_deck_nobody_knows_what_was_dealt():
    recorded_games.check("g.jsonl", [bare(4), bare(5)], closed=True)


def test_different_games_in_one_file_are_refused():
    first, second = two()
    assert "games of 2 and 3 players" in refusal([first, Trajectory("tic_tac_toe", 3, second.steps)])
    assert "games of a and b, expected games of one name" in refusal(
        [Trajectory("a", 2, first.steps), Trajectory("b", 2, second.steps)]
    )


def test_names_are_those_of_the_rules():
    game = bare(0)
    recorded_games.check("g.jsonl", [game], rules="Players roll a die.")
    assert "no word of its actions' names, such as 'roll', stands in the rules" in refusal(
        [game], rules="Ein Würfel."
    )
    taken = changed(game, 0, action="Take 2 from heap 3", legal=("Take 2 from heap 3",))
    said = refusal([taken], rules="`take 1 from heap 1` takes a stone.")
    assert "'Take 2 from heap 3', but the rules write its name as 'take # from heap #'" in said
    recorded_games.check("g.jsonl", [taken], rules="`Take 1 from heap 1` takes a stone.")


def test_names_and_states_are_those_of_the_game():
    first, _ = two()
    said = refusal([changed(first, 1, action="o(9,9)")], game=GAME)
    assert "the actions of game 1 cannot be played in tic_tac_toe" in said and "'o(9,9)'" in said
    said = refusal([changed(first, 7, returns=(0.0, 0.0))], game=GAME)
    assert "game 1 contradicts tic_tac_toe in step 7: the returns are [0.0, 0.0], expected [1.0, -1.0]" in said
    assert "expected 3 as in" in refusal([first], game=load_game("dou_dizhu"))
