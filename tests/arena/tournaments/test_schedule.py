"""Which matches are played: line-ups, seat orders, blocks."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict

import numpy as np
import pytest

from arena.matches.match import play_match
from arena.tournaments.schedule import Tournament, block_size

NAMES = "abcdefgh"


def tournament(players, bots, blocks, seed=7):
    return Tournament("g", tuple(NAMES[:bots]), blocks * block_size(players), seed, players=players)


def test_two_players_play_mirrored_pairs_from_the_seeds_of_earlier_versions():
    seeds = [int(np.random.SeedSequence([7, i]).generate_state(1, np.uint64)[0] >> 11) for i in (0, 1)]
    order = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]
    assert list(tournament(2, 3, 2).schedule()) == [(seats, seed) for seed in seeds for seats in order]


@pytest.mark.parametrize("players, size", [(2, 2), (3, 6), (4, 24), (5, 5), (6, 6), (7, 7)])
def test_in_a_block_each_bot_has_each_seat_equally_often(players, size):
    wanted = tournament(players, 7, 3)
    assert block_size(players) == size
    blocks = defaultdict(list)
    for seats, seed in wanted.schedule():
        blocks[frozenset(seats), seed].append(seats)
    assert len(blocks) == 3 * math.comb(7, players) and len({seed for _, seed in blocks}) == 3
    for (line_up, _), orders in blocks.items():
        assert len(orders) == len(set(orders)) == size and len(line_up) == players
        sat = Counter((bot, seat) for seats in orders for seat, bot in enumerate(seats))
        assert set(sat.values()) == {size // players} and len(sat) == players**2


@pytest.mark.parametrize("players, bots", [(3, 2), (4, 2), (4, 3), (6, 2), (6, 5)])
def test_fewer_bots_than_seats_sit_several_times(players, bots):
    wanted = tournament(players, bots, 2)
    line_ups = list(wanted.line_ups())
    assert len(line_ups) == len(set(map(tuple, map(sorted, line_ups)))) == math.comb(players - 1, bots - 1)
    assert all(set(line_up) == set(NAMES[:bots]) and len(line_up) == players for line_up in line_ups)
    schedule = list(wanted.schedule())
    assert len(schedule) == len(set(schedule))  # no match is asked for twice
    sat = defaultdict(Counter)
    for seats, seed in schedule:
        for seat, bot in enumerate(seats):
            sat[tuple(sorted(seats)), seed, bot][seat] += 1
    assert all(set(counts) == set(range(players)) for counts in sat.values())
    assert all(len(set(counts.values())) == 1 for counts in sat.values())
    assert "more than once" in wanted.description() and wanted.repeats_bots


def test_three_bots_in_four_seats_by_hand():
    wanted = tournament(4, 3, 1)
    assert list(wanted.line_ups()) == [("a", "b", "c", "a"), ("a", "b", "c", "b"), ("a", "b", "c", "c")]
    assert len(list(wanted.schedule())) == 3 * 12  # 4! / 2! orders each
    assert wanted.description() == (
        "3 line-ups of 4, each in 1 block of up to 24 matches with one deal in all seat orders; 3 bots for 4 "
        "seats: every line-up holds all of them, and some of them more than once"
    )


@pytest.mark.parametrize("players", [2, 3, 5])
def test_more_bots_games_and_another_order_of_bots_keep_the_matches(players):
    few = set(tournament(players, players, 2).schedule())
    assert few < set(tournament(players, players + 1, 2).schedule())
    assert few < set(tournament(players, players, 3).schedule())
    turned = Tournament("g", tuple(NAMES[:players][::-1]), 2 * block_size(players), 7, players=players)
    assert set(turned.schedule()) == few


def test_latin_squares_differ_from_block_to_block():
    orders = defaultdict(set)
    for seats, seed in tournament(6, 6, 8).schedule():
        orders[seed].add(seats)
    # Who moves after whom is the same within a square; over several it is not.
    followers = [frozenset((seats[0], seats[1]) for seats in square) for square in orders.values()]
    assert len(set(followers)) > 4


def test_a_block_is_one_deal():
    wanted = Tournament.checked(
        "kuhn_poker(players=3)",
        ["random", "uniform_random", "mcts(simulations=2)"],
        num_games=12,
        seed=1,
        opening_plies=0,
    )
    deals = defaultdict(set)
    for seats, seed in wanted.schedule():
        record = play_match(wanted.game, seats, seed, opening_plies=0)
        deals[seed].add(tuple(move.action for move in record.moves if move.player < 0))
    assert len(deals) == 2 and all(len(found) == 1 for found in deals.values())


@pytest.mark.parametrize("players, default", [(2, 20), (3, 60), (4, 240), (6, 60)])
def test_without_a_number_there_are_ten_blocks(players, default):
    bots = ["random", "uniform_random"]
    wanted = Tournament.checked(f"kuhn_poker(players={players})", bots, num_games=None, seed=0)
    assert wanted.num_games == default and wanted.players == players


def test_what_tells_tournaments_apart_in_a_file_is_as_it_was():
    assert tournament(3, 3, 1).config() == {
        "kind": "tournament",
        "game": "g",
        "seed": 7,
        "opening_plies": 0,
        "move_seconds": None,
    }


def test_every_order_of_three_is_there():
    seats = [seats for seats, _ in tournament(3, 3, 1).schedule()]
    assert seats == list(itertools.permutations("abc"))
