"""Matches of games whose players move at once: openings, forfeits, records, replays."""

from __future__ import annotations

from dataclasses import replace

import pyspiel
import pytest

from arena.matches.forfeit import Forfeit
from arena.matches.match import opening_actions, play_match
from arena.matches.positions import check, transcript
from arena.matches.records import record_from_json
from arena.page.replays import replay
from arena.registry.games import load_game
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament

GAMES = [
    "goofspiel(num_cards=5)",
    "oshi_zumo(horizon=20)",
    "wrestle(max_steps=12)",
    "repeated_game(stage_game=matrix_rps(),num_repetitions=6)",
]


class Scripted(pyspiel.Bot):
    """Plays its first legal action, unless `answer` says what to do with the state."""

    def __init__(self, player_id, answer=None):
        super().__init__()
        self._player_id = player_id
        self._answer = answer
        self.asked = []
        self.told = []

    def restart_at(self, state):
        pass

    def step(self, state):
        self.asked.append((state.history(), len(self.told)))
        return self._answer(state) if self._answer else state.legal_actions(self._player_id)[0]

    def inform_actions(self, state, actions):
        self.told.append(list(actions))


def _gives_up(kind):
    def answer(state):
        raise Forfeit(kind, f"a {kind} of mine")

    return answer


@pytest.mark.parametrize("game_string", GAMES)
def test_matches_begin_with_openings_that_mirrored_ones_share(game_string):
    one = play_match(game_string, ["random", Scripted(1)], 11, opening_plies=2, joint_openings=True)
    two = play_match(game_string, [Scripted(0), "random"], 11, opening_plies=2, joint_openings=True)
    assert one.opening == two.opening
    assert [sum(move.player == seat for move in one.opening) for seat in (0, 1)] == [2, 2]


@pytest.mark.parametrize("game_string", GAMES)
def test_openings_differ_and_never_end_the_game(game_string):
    game = load_game(game_string)
    found = set()
    for seed in range(30):
        record = play_match(
            game_string,
            [Scripted(0, _gives_up("crash")), Scripted(1)],
            seed,
            opening_plies=3,
            joint_openings=True,
        )
        assert record.forfeit is not None  # a player was asked, so the game had not ended
        assert list(record.moves) == opening_actions(game, seed, 3, True)
        found.add(tuple(move.action for move in record.opening if move.player >= 0))
    assert len(found) > 3


def test_openings_of_moves_made_at_once_have_to_be_asked_for():
    game = load_game("wrestle")
    assert opening_actions(game, 1, 2) == [] and len(opening_actions(game, 1, 2, True)) == 4
    assert play_match("wrestle(max_steps=5)", ["random", "random"], 1, opening_plies=2).opening_length == 0


def test_a_single_joint_decision_is_left_to_the_players():
    assert opening_actions(load_game("matrix_rps"), 1, 2, True) == []


def test_tournaments_have_such_openings_and_say_so(tmp_path):
    plain = Tournament.checked("wrestle(max_steps=5)", ["random", "uniform_random"], num_games=2, seed=0)
    plain = replace(plain, opening_plies=2)
    assert "joint_openings" not in plain.config()
    asked = replace(plain, joint_openings=True)
    assert asked.config() == {**plain.config(), "joint_openings": True}
    assert all(record.opening_length == 4 for record in play(asked, db=tmp_path / "m.db"))
    assert all(record.opening_length == 0 for record in play(plain))


@pytest.mark.parametrize("game_string", GAMES)
def test_records_can_be_checked_replayed_and_reported(game_string):
    record = play_match(game_string, ["random", "random"], 4, opening_plies=2, joint_openings=True)
    check(record)
    assert record_from_json(record.to_json()) == record
    assert f"returns: {list(record.returns)}" in list(transcript(record))
    shown = replay(record)
    assert len(shown["frames"]) == len(shown["steps"]) + 1
    assert shown["opening"] >= 2


def test_all_are_asked_from_the_same_state_and_told_afterwards():
    bots = [Scripted(0), Scripted(1)]
    play_match("goofspiel(num_cards=4)", bots, 0, opening_plies=1, joint_openings=True)
    assert bots[0].asked == bots[1].asked and len(bots[0].asked) > 1
    assert bots[0].told == bots[1].told and len(bots[0].told) == len(bots[0].asked) + 1


def test_a_forfeit_is_that_of_the_seat_which_broke_off():
    for seat in (0, 1):
        bots = [Scripted(0), Scripted(1)]
        bots[seat] = Scripted(seat, lambda state: 99)
        record = play_match(
            "goofspiel(num_cards=4,points_order=descending)", bots, 0, opening_plies=1, joint_openings=True
        )
        assert (record.forfeit.player, record.forfeit.kind) == (seat, "illegal")
        assert len(bots[1 - seat].asked) == 1  # the other one was asked all the same
        assert record.returns == ((-1, 1) if seat == 0 else (1, -1))
        assert len(record.moves) == record.opening_length == 2
        check(record)


def test_of_forfeits_in_one_step_the_lowest_seat_bears_its_own():
    record = play_match(
        "goofspiel(num_cards=4)", [Scripted(0, _gives_up("timeout")), Scripted(1, _gives_up("crash"))], 0
    )
    assert (record.forfeit.player, record.forfeit.kind) == (0, "timeout")
    assert record.forfeit.reason == (
        "a timeout of mine; in the same step player 1 forfeited too (crash): a crash of mine"
    )
    assert record.returns == (-1, 1)
    check(record)
