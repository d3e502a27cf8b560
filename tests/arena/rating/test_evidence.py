from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest

from arena.matches.match import play_match
from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.rating.evidence import deduplicate, deterministic_bots, evidence, fixed
from arena.rating.rate import rate
from arena.registry.bots import is_deterministic
from arena.store.results import Results, setting_of
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament

MINIMAX = "minimax(depth=1)"


def record(seats, actions=((0, 1),), seed=0, forfeit=None, game="g", opening=0, plies=0, seconds=None):
    moves = tuple(Move(player, action) for player, action in actions)
    return MatchRecord(game, tuple(seats), seed, plies, seconds, opening, moves, (1.0, -1.0), forfeit)


def test_repetitions_count_once_only_where_nothing_could_vary():
    plain, dealt = [(0, 1), (1, 2)], [(-1, 5), (0, 1)]

    def count(*records):
        return len(deduplicate(Results.from_records(records), ("a", "b")))

    assert count(*(record("ab", plain, seed) for seed in range(9))) == 1
    assert count(*(record("ba", plain, seed) for seed in range(2)), record("ab", plain)) == 2  # other seats
    assert count(*(record("ac", plain, seed) for seed in range(9))) == 9  # c is not deterministic
    assert count(*(record("ab", dealt, seed) for seed in range(9))) == 9  # fresh deals
    assert count(*(record("ab", plain, seed, opening=1, plies=1) for seed in range(9))) == 9  # drawn openings
    assert count(record("ab", plain), record("ab", plain, game="h")) == 2
    assert count(record("ab", plain), record("ab", plain, seconds=1.0)) == 2  # another experiment
    # One match that is stored twice is one, whoever played it.
    assert count(*(record("ac", plain, 7) for _ in range(3))) == 1


def test_the_first_of_each_set_stays_in_order():
    late, crash = ForfeitRecord(0, "timeout", "took 2 s"), ForfeitRecord(0, "crash", "took 2 s")
    records = [record("ca", seed=4, forfeit=late), record("ab", seed=1), record("ab", seed=2)]
    records += [record("ca", seed=4, forfeit=crash), record("ca", seed=4, forfeit=late)]
    results = Results.from_records(records)
    for found, wanted in zip(
        astuple(deduplicate(results, ("a", "b"))), astuple(results.where(np.array([0, 1, 3]))), strict=True
    ):
        np.testing.assert_array_equal(found, wanted)


def test_bots_that_contradict_their_declaration_count_as_random():
    records = [record("ab", [(0, seed % 2)], seed) for seed in range(6)] + [record("ba", seed=1)]
    same, names = fixed(Results.from_records(records), ("a", "b"))
    assert same.tolist() == [False] * 6 + [True] and names == ("a", "b")
    assert len(deduplicate(Results.from_records(records), ("a", "b"))) == 7


def test_who_is_deterministic():
    assert is_deterministic(MINIMAX) and is_deterministic("fixed_action_preference(actions=1:0)")
    assert not is_deterministic("random") and not is_deterministic("mcts(simulations=5)")
    # Of another's records: nobody here knows the bot, the parameter or the file.
    assert not is_deterministic("nobody_knows_it") and not is_deterministic("minimax(width=2)")
    assert not is_deterministic("code_policy(source=/nowhere/p.py)")
    results = Results.from_records([record(["random", MINIMAX])])
    assert deterministic_bots(results) == {MINIMAX}


def test_settings_in_words():
    assert setting_of(0, None) == ""
    assert setting_of(2, None) == "2 random opening plies"
    assert setting_of(1, 0.5, True) == "1 random opening ply, joint moves too, 0.5 s a move"


def test_two_random_bots_at_rock_paper_scissors_count_all_their_matches():
    # The first case: of 200 matches there are 9 courses only, of which 5 were taken for the evidence.
    wanted = Tournament.checked("matrix_rps", ["random", "uniform_random"], num_games=200, seed=1)
    records = play(wanted)
    assert len({(record.seats, record.course) for record in records}) <= 18
    (game,) = rate(Results.from_records(records))["games"]
    assert (game["matches"], game["unique_matches"], game["openings"]) == (200, 200, 100)
    own = game["standings"]["bots"]["random"]
    by_hand = sum(record.score(record.seats.index("random")) for record in records) / 200
    assert own["score"] == pytest.approx(by_hand)
    assert own["wilson_low"] < 0.5 < own["wilson_high"]


def test_a_small_search_counts_all_its_matches():
    # The issue: of 600 matches of mcts(simulations=5) at tic-tac-toe 252 were kept.
    wanted = Tournament.checked("tic_tac_toe", ["mcts(simulations=5)", MINIMAX], num_games=60, seed=1)
    results = Results.from_records(play(wanted))
    assert (
        len(deduplicate(results)) == 60 > len({(s, int(c)) for (s, _), c in zip(results.seats, results.course)})
    )


def test_deterministic_bots_are_exact():
    first = play_match("tic_tac_toe", [MINIMAX, "fixed_action_preference(actions=0:1:2:3:4:5:6:7:8)"], 1)
    records = [
        play_match("tic_tac_toe", seats, seed)
        for seed in range(5)
        for seats in (first.seats, first.seats[::-1])
    ]
    (game,) = rate(Results.from_records(records))["games"]
    assert game["unique_matches"] == 2
    own = game["standings"]["bots"][MINIMAX]
    by_hand = (records[0].score(0) + records[1].score(1)) / 2
    assert (own["score"], own["wilson_low"], own["wilson_high"]) == (by_hand, by_hand, by_hand)
    assert any(note.startswith("exact: deterministic bots") for note in game["notes"])


def test_other_openings_are_another_experiment():
    # The third case: nothing is merged, nothing dropped.
    bots = ["random", "mcts(simulations=5)"]
    records = [
        record
        for plies in (0, 2)
        for record in play(Tournament.checked("tic_tac_toe", bots, num_games=20, seed=1, opening_plies=plies))
    ]
    plain, opened = rate(Results.from_records(records))["games"]
    assert (plain["setting"], opened["setting"]) == ("", "2 random opening plies")
    assert plain["unique_matches"] == opened["unique_matches"] == 20
    for one, own in ((plain, records[:20]), (opened, records[20:])):
        (alone,) = rate(Results.from_records(own))["games"]
        assert alone == one


def test_evidence_is_of_its_own_bots_only():
    records = [record("ab", seed=1), record("cb", seed=1, game="h")]
    results = Results.from_records(records)
    found = evidence(results.where(results.game == 1), ())
    assert found.bots == ("b", "c") and found.games == ("h",)
