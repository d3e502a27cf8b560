"""The backgammon view against what OpenSpiel draws and says."""

from __future__ import annotations

import itertools
import random
import re
from collections import defaultdict

import pyspiel
import pytest

from games.seeing import views


def random_states(parameters: str, num_games: int, seed: int):
    """Yields every state of random games, half of them played by eager movers who bear off."""
    rng = random.Random(seed)
    game = pyspiel.load_game("backgammon" + parameters)
    for number in range(num_games):
        state = game.new_initial_state()
        while not state.is_terminal():
            yield state
            legal = state.legal_actions()
            if number % 2 and not state.is_chance_node():
                off = [a for a in legal if "Off" in state.action_to_string(a)]
                far = [a for a in legal if "24/" not in state.action_to_string(a)]
                legal = off or far or legal
            state.apply_action(rng.choice(legal))
        yield state


def from_drawing(drawing: str) -> dict:
    """Reads the view's data out of OpenSpiel's drawing of the board."""
    lines = drawing.splitlines()
    points = []
    for position in range(24):
        if position < 12:
            column = 12 - position if position >= 6 else 13 - position
            stack = [lines[row][column] for row in range(11, 6, -1)]
        else:
            column = position - 11 if position < 18 else position - 10
            stack = [lines[row][column] for row in range(1, 6)]
        number = "".join(c for c in stack if c.isdigit())
        letters = [c for c in stack if c in "xo"]
        if len(number) == 2 and position < 12:
            number = number[::-1]
        count = int(number) if number else len(letters)
        points.append(count if "x" in letters else -count)
    dice = re.search(r"Dice: (\d*)", drawing)[1]
    bar = re.search(r"Bar: ?([xo]*)", drawing)[1]
    x_off, o_off = re.search(r"X: (\d+), O: (\d+)", drawing).groups()
    return {
        "points": points,
        "bar": {"x": bar.count("x"), "o": bar.count("o")},
        "off": {"x": int(x_off), "o": int(o_off)},
        "dice": [int(die) for die in dice],
        "second_half_of_double": "Extra turn: 1" in drawing,
    }


@pytest.mark.parametrize("parameters", ["", "(hyper_backgammon=true)"])
def test_data_is_what_openspiel_draws(parameters):
    seen = defaultdict(int)
    for state in random_states(parameters, 10, 1):
        data = views.view(state, 0).data
        assert data == from_drawing(str(state))
        assert data == views.view(state, 1).data
        seen["high stack"] += max(map(abs, data["points"])) > 5
        seen["bar"] += sum(data["bar"].values()) > 0
        seen["half"] += data["second_half_of_double"]
    assert seen["bar"] and seen["half"]
    assert parameters or seen["high stack"]


def from_openspiel_name(name: str) -> str:
    """Writes OpenSpiel's `43 - 24/22*/20` or `13/8(2)` as separate, sorted checker moves."""
    value = {"Bar": 25, "Off": 0}
    moves, passes = [], 0
    for part in name.replace("*", "").split(" - ")[-1].split():
        if part == "Pass":
            passes += 1
            continue
        times = 2 if part.endswith("(2)") else 1
        stops = part.removesuffix("(2)").split("/")
        moves += list(itertools.pairwise(stops)) * times
    moves.sort(key=lambda move: [value.get(s) if s in value else int(s) for s in move])
    return " ".join([f"{a}/{b}" for a, b in reversed(moves)] + ["Pass"] * passes)


def test_names_say_what_openspiel_says():
    kinds = defaultdict(int)
    for state in random_states("", 10, 2):
        if state.current_player() < 0:
            continue
        for action in state.legal_actions():
            ours = views.action_name(state, action)
            assert ours == from_openspiel_name(state.action_to_string(action))
            kinds[re.sub(r"\d+", "", ours)] += 1
    assert {"/ /", "Bar/ /", "/Off /Off", "/ Pass", "Pass", "Bar/ Pass"} <= set(kinds)


def test_equal_names_have_equal_effects():
    shared = 0
    for state in random_states("", 6, 3):
        if state.current_player() < 0:
            continue
        results = defaultdict(set)
        names = views.action_names(state, state.legal_actions())
        for name, action in zip(names, state.legal_actions()):
            results[name].add(str(state.child(action)))
        assert all(len(drawings) == 1 for drawings in results.values())
        shared += len(names) > len(results)
    assert shared > 100


def test_chance():
    state = pyspiel.load_game("backgammon").new_initial_state()
    first = views.chance_distribution(state)
    assert len(first) == 30
    assert first["x starts 2-1"] == first["o starts 6-5"] == pytest.approx(1 / 30)
    for name in ("o starts 6-5", "x starts 6-5"):
        started = state.clone()
        started.apply_action(views.action_from_name(started, name))
        assert started.current_player() == "xo".index(name[0])
        assert views.view(started, 0).data["dice"] == [5, 6]
    started.apply_action(started.legal_actions()[0])
    later = views.chance_distribution(started)
    assert len(later) == 21
    assert later["2-1"] == pytest.approx(2 / 36)
    assert later["3-3"] == pytest.approx(1 / 36)


@pytest.mark.parametrize("starter", "xo")
def test_the_same_play_has_the_same_name_for_both_players(starter):
    state = pyspiel.load_game("backgammon").new_initial_state()
    state.apply_action(views.action_from_name(state, f"{starter} starts 3-1"))
    # The start is symmetric, and 8/5 6/5 ("making the five point") is the book's opening play.
    assert "8/5 6/5" in views.actions_by_name(state)
    state.apply_action(views.action_from_name(state, "8/5 6/5"))
    points = views.view(state, 0).data["points"]
    five_point = points[24 - 5] if starter == "x" else -points[5 - 1]
    assert five_point == 2
