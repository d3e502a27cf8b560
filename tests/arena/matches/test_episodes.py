"""The files in episodes/ were written by kaggle-environments 1.33.2 (random agents, agents that fail),
without their specification and observations; what is expected of them was read off by eye."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.matches.episodes import read_episode
from arena.matches.positions import check
from arena.matches.records import ForfeitRecord, Move

EPISODES = Path(__file__).parent / "episodes"


def load(name):
    return json.loads((EPISODES / f"{name}.json").read_text())


def test_a_finished_episode():
    record = read_episode(EPISODES / "connect_four.json")
    check(record)
    assert record.game == "connect_four(columns=7,egocentric_obs_tensor=False,rows=6,x_in_row=4)"
    assert record.seats == ("Red Team", "yellow") and record.returns == (-1.0, 1.0)
    assert record.actions()[:4] == ((0, 2), (1, 1), (0, 3), (1, 5)) and len(record.moves) == 30
    assert record.moves[0] == Move(0, 2, 0.0, {"thoughts": "any will do"})
    assert record.versions == {"kaggle_environments": "1.33.2"} and record.forfeit is None
    assert record.seed == read_episode(EPISODES / "connect_four.json").seed
    assert record.seed != read_episode(EPISODES / "goofspiel.json").seed


def test_agents_that_move_at_once():
    record = read_episode(EPISODES / "goofspiel.json")
    check(record)
    assert record.actions() == ((0, 1), (1, 0), (0, 3), (1, 1), (0, 2), (1, 3))
    assert record.returns == (7.0, 3.0) and record.seats == ("agent0", "agent1")


def test_an_opening_is_told_from_moves():
    record = read_episode(EPISODES / "tic_tac_toe_opening.json")
    check(record)
    assert record.opening == (Move(0, 4), Move(1, 0)) and record.opening_plies == 2
    assert record.moves[2].seconds == 0.0


@pytest.mark.parametrize(
    "name, player, kind, moves, returns",
    [
        ("goofspiel_illegal", 1, "illegal", 0, (10.0, 0.0)),
        ("backgammon_error", 0, "crash", 1, (-1.0, 1.0)),
        ("tic_tac_toe_crash", 1, "crash", 0, (1.0, -1.0)),
        ("tic_tac_toe_timeout", 1, "timeout", 3, (1.0, -1.0)),
    ],
)
def test_who_broke_off(name, player, kind, moves, returns):
    record = read_episode(EPISODES / f"{name}.json")
    check(record)
    assert (record.forfeit.player, record.forfeit.kind) == (player, kind)
    assert (len(record.moves), record.returns) == (moves, returns)


def test_what_a_forfeiter_submitted_and_said_is_kept():
    assert read_episode(EPISODES / "goofspiel_illegal.json").forfeit == ForfeitRecord(
        1,
        "illegal",
        "the environment ended with status DONE after the submission 999999",
        {"thoughts": "surely legal"},
    )


@pytest.mark.parametrize("name", ["connect_four", "goofspiel", "tic_tac_toe_opening", "backgammon_error"])
def test_an_episode_without_its_history_has_it_in_its_last_position(tmp_path, name):
    episode = load(name)
    del episode["info"]["actionHistory"]
    (tmp_path / "e.json").write_text(json.dumps(episode))
    assert read_episode(tmp_path / "e.json").actions() == read_episode(EPISODES / f"{name}.json").actions()


def changed(name, change):
    episode = load(name)
    change(episode)
    return episode


@pytest.mark.parametrize(
    "episode, part",
    [
        ([], "found something else"),
        ({}, "found something else"),
        (changed("connect_four", lambda e: e["steps"].pop()), "actions of agent|move 29|steps nothing"),
        (changed("connect_four", lambda e: e["info"]["actionHistory"].pop()), "more actions than the history"),
        (
            changed("connect_four", lambda e: e["info"]["actionHistory"].__setitem__(slice(0, 3), "312")),
            "move 0: the history holds action 3 of agent 0, but its steps 2",
        ),
        (changed("connect_four", lambda e: e.update(rewards=[1.0, -1.0])), "the rewards are"),
        (changed("tic_tac_toe_crash", lambda e: e.update(statuses=["ACTIVE", "ACTIVE"])), "not finished"),
        (
            changed("tic_tac_toe_crash", lambda e: e["steps"][-1][1].update(action={"submission": 0})),
            "does not show which agent",
        ),
        (
            changed("tic_tac_toe_crash", lambda e: e["info"].update(openSpielGameStringResolved="snakes()")),
            "unknown game 'snakes'",
        ),
    ],
)
def test_other_files_are_refused(tmp_path, episode, part):
    path = tmp_path / "e.json"
    path.write_text(json.dumps(episode))
    with pytest.raises(ValueError, match=part) as caught:
        read_episode(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2**16), st.integers(32, 126)), min_size=1, max_size=5))
def test_a_damaged_episode_gives_a_match_or_a_sentence(tmp_path_factory, changes):
    content = bytearray((EPISODES / "goofspiel.json").read_bytes())
    for place, value in changes:
        content[place % len(content)] = value
    path = tmp_path_factory.mktemp("e") / "e.json"
    path.write_bytes(content)
    try:
        read_episode(path)
    except ValueError as error:
        assert str(path) in str(error)
