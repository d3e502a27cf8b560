"""Recorded games: written, read back, and every malformed line named."""

from __future__ import annotations

import copy
import json

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cwm.trust import trajectories
from games.seeing import views


def collect(name, count=2, seed=3):
    return list(trajectories.collect(pyspiel.load_game(name), count, seed))


@pytest.mark.parametrize("name", ["tic_tac_toe", "backgammon", "kuhn_poker", "leduc_poker"])
def test_written_games_read_back_equal(tmp_path, name):
    games = collect(name)
    path = str(tmp_path / "games.jsonl")
    trajectories.write(path, games)
    assert trajectories.read(path) == games


def test_steps_say_what_the_game_says():
    game = pyspiel.load_game("backgammon")
    (recorded,) = trajectories.collect(game, 1, 5)
    state = game.new_initial_state()
    for step in recorded.steps:
        assert step.player == state.current_player()
        assert list(step.observations) == [views.view(state, p).data for p in range(2)]
        if step.player >= 0:
            assert set(step.legal) == set(views.actions_by_name(state))
        elif step.player == trajectories.CHANCE:
            assert sum(step.chance.values()) == pytest.approx(1.0)
        if step.action is not None:
            state.apply_action(views.action_from_name(state, step.action))
    assert state.is_terminal() and recorded.steps[-1].returns == tuple(state.returns())


def test_a_game_depends_on_seed_and_number_alone():
    assert collect("connect_four", 3)[2] == collect("connect_four", 5)[2]
    assert collect("connect_four", 1, 1) != collect("connect_four", 1, 2)


def valid_row():
    return collect("tic_tac_toe", 1)[0].to_json()


@pytest.mark.parametrize(
    "change, expected",
    [
        (lambda row: row.pop("players"), "players: a positive integer"),
        (lambda row: row.update(steps=[]), "a list of at least two"),
        (lambda row: row["steps"][2].update(player=7), "step 2: expected player: 0 .. 1"),
        (lambda row: row["steps"][1].pop("action"), "step 1: expected action: a name"),
        (lambda row: row["steps"][1].update(action="x(9,9)"), "among the legal ones"),
        (lambda row: row["steps"][0].update(observations=[1]), "observations: a list of 2"),
        (lambda row: row["steps"][0].update(returns=["a", 2]), "returns: a list of 2 finite numbers"),
        (lambda row: row["steps"][-1].update(player=0), "player -4 at the last step"),
        (lambda row: row["steps"][3].update(extra=1), "only the fields"),
    ],
)
def test_a_malformed_line_is_one_sentence_with_its_place(tmp_path, change, expected):
    row = valid_row()
    change(row)
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(valid_row()) + "\n" + json.dumps(row) + "\n")
    with pytest.raises(trajectories.TrajectoryError) as caught:
        trajectories.read(str(path))
    message = str(caught.value)
    assert "line 2" in message and expected in message and "\n" not in message


@pytest.mark.parametrize(
    "content, expected",
    [
        (b"", "holds no game"),
        (b"{", "not JSON"),
        (b"[1]", "an object with game"),
        (b"\xff\xfe", "cannot be read as a text file"),
    ],
)
def test_a_file_that_is_something_else(tmp_path, content, expected):
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    with pytest.raises(trajectories.TrajectoryError, match=expected):
        trajectories.read(str(path))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None)
@given(
    step=st.integers(0, 5),
    name=st.sampled_from(["player", "observations", "returns", "action", "legal", "chance"]),
    junk=JUNK,
)
def test_mutated_lines_are_read_or_refused_never_worse(tmp_path_factory, step, name, junk):
    row = copy.deepcopy(ROW)
    row["steps"][step][name] = junk
    path = tmp_path_factory.mktemp("mutated") / "games.jsonl"
    path.write_text(json.dumps(row))
    try:
        games = trajectories.read(str(path))
    except trajectories.TrajectoryError:
        return
    assert len(games) == 1


ROW = valid_row()
