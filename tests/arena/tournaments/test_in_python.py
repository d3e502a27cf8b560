"""`spielwright.play_tournament` and `spielwright.rate`, with specs and with live objects."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.policy import UniformRandomPolicy

import spielwright
from arena.bots.policies import exploitability
from arena.matches.match import play_match
from arena.registry.bots import bots as registered
from arena.store.database import Database

KUHN = pyspiel.load_game("kuhn_poker")


class Lowest(pyspiel.Bot):
    """Plays its lowest action in whatever seat, and counts how often it was closed."""

    def __init__(self):
        super().__init__()
        self.closed = 0

    def restart_at(self, state):
        pass

    def step(self, state):
        return state.legal_actions()[0]

    def notes(self):
        return {"lowest": True}

    def close(self):
        self.closed += 1


def test_specs_play_as_the_command_does(tmp_path):
    path = tmp_path / "m.db"
    played = spielwright.play_tournament("tic_tac_toe", ["random", "mcts(simulations=4)"], 6, 3, db=path)
    assert len(played.records) == 6 and played.table().startswith("tic_tac_toe: 6 matches")
    assert played.to_json()["num_games"] == 6
    columns = played.columns()
    assert set(map(len, columns.values())) == {6}
    assert columns["bot_0"][:2] == ["random", "mcts(simulations=4)"]
    for row, record in enumerate(played.records):
        assert (columns["return_0"][row], columns["return_1"][row]) == record.returns
        assert (columns["seed"][row], columns["moves"][row]) == (record.seed, len(record.moves))
    with Database(path) as database:
        assert len(database.match_ids()) == 6
    assert spielwright.rate(path).to_json() == played.rate().to_json() == spielwright.rate(played).to_json()


def test_ratings_come_as_columns():
    rated = spielwright.play_tournament("tic_tac_toe", ["random", "mcts(simulations=20)"], 20).rate()
    columns = rated.columns()
    assert sorted(columns["bot"]) == ["mcts(simulations=20)", "random"]
    own = rated.to_json()["games"][0]["mean_returns"]["bots"]
    assert columns["mean_returns_mean"] == [own[bot]["mean"] for bot in columns["bot"]]
    assert "mcts" in rated.table()


@pytest.mark.parametrize("installed", [True, False])
def test_data_frames_are_pandas_or_a_sentence(monkeypatch, installed):
    class Frames:
        @staticmethod
        def DataFrame(columns):
            return "frame", columns

    monkeypatch.setitem(sys.modules, "pandas", Frames if installed else None)
    played = spielwright.play_tournament("tic_tac_toe", ["random", "uniform_random"], 2)
    if installed:
        assert played.data_frame() == ("frame", played.columns())
        assert played.rate().data_frame()[0] == "frame"
    else:
        with pytest.raises(ImportError, match=r"pip install pandas, or use columns\(\)"):
            played.data_frame()


def test_live_objects_take_part_and_leave_no_trace():
    before = set(registered())
    lowest, policy = Lowest(), UniformRandomPolicy(KUHN)
    seats = [UniformRandomBot(seat, np.random.RandomState(0)) for seat in range(2)]
    played = spielwright.play_tournament(
        "kuhn_poker", {"low": lowest, "policy": policy, "pair": seats, "class": Lowest, "": "random"}, 4
    )
    assert played.to_json()["bots"] == ["low", "policy", "pair", "class", "random"]
    assert not any(record.forfeit for record in played.records)
    assert lowest.closed == 0 and set(registered()) == before
    noted = {move.notes["lowest"] for record in played.records for move in record.moves if move.notes}
    assert noted == {True}


def test_live_objects_are_called_as_their_class():
    played = spielwright.play_tournament("tic_tac_toe", [Lowest(), Lowest(), Lowest, "random"], 2)
    assert played.to_json()["bots"] == ["Lowest", "Lowest-2", "Lowest-3", "random"]


def test_a_bot_of_one_seat_is_refused_before_play():
    one = UniformRandomBot(0, np.random.RandomState(0))
    with pytest.raises(ValueError, match="was made for player 0 and cannot play as player 1; give a list"):
        spielwright.play_tournament("kuhn_poker", [one, "random"], 2)
    with pytest.raises(ValueError, match="expected one bot for each of the 2 seats of kuhn_poker.*found 1"):
        spielwright.play_tournament("kuhn_poker", [[one], "random"], 2)


def test_live_objects_stay_in_this_process():
    with pytest.raises(ValueError, match="live bots play in this process only, expected inline"):
        spielwright.play_tournament("tic_tac_toe", [Lowest(), "random"], 2, executor="processes:2")


def test_policies_play_matches():
    solver = pyspiel.CFRSolver(KUHN)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    record = play_match("kuhn_poker", [solver.average_policy(), UniformRandomPolicy(KUHN)], 0, opening_plies=0)
    assert record.forfeit is None
    rps = pyspiel.load_game("matrix_rps")
    key = rps.new_initial_state().information_state_string(1)
    paper = pyspiel.PartialTabularPolicy({key: [(0, 0.0), (1, 1.0), (2, 0.0)]})
    record = play_match("matrix_rps", [UniformRandomPolicy(rps), paper], 0, opening_plies=0)
    assert record.forfeit is None and record.actions()[1] == (1, 1)


def test_exploitability_takes_policies_and_bots():
    # Uniform play of Kuhn poker: its best responses gain 1/2 and 5/12 (hand-computed from the 12 information states).
    for policy in (UniformRandomPolicy(KUHN), pyspiel.UniformRandomPolicy(KUHN), "random"):
        assert exploitability(policy, KUHN).nash_conv == pytest.approx(11 / 12)


def test_other_names_are_still_errors():
    with pytest.raises(AttributeError, match="no attribute 'play_tournement'"):
        importlib.import_module("spielwright").play_tournement  # noqa: B018
