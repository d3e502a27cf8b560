"""The native players: facts known of the real ones, and what each promises."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pyspiel
import pytest

from arena.matches.match import play_match
from arena.registry.bots import bots, make_bot
from games.micro_rts.bots import evaluation
from games.micro_rts.bots.fighting import stays
from games.micro_rts.bots.naive_mcts import NaiveMcts
from games.micro_rts.bots.random_biased import RandomBiased, random_orders
from games.micro_rts.bots.rushes import BarracksRush, WorkerRush
from games.micro_rts.bots.turn import Turn
from games.micro_rts.bots.vanguard import PLANS, Plan, Vanguard
from games.micro_rts.java import recorded
from games.micro_rts.rules import engine, maps, orders
from games.micro_rts.rules.unit_tables import HEAVY, LIGHT, RANGED

TRACES = Path(__file__).parent / "traces"


def play(scripts, name: str = "basesWorkers8x8", table: int = 2, limit: int = 3000) -> engine.State:
    """One game on the bare engine; every order must be one of its unit's legal ones."""
    state = engine.State(maps.load(name), table)
    for script in scripts:
        script.restart()
    while not state.over and state.clock < limit:
        lists = [script.orders(state.clone(), player) for player, script in enumerate(scripts)]
        for player, listed in enumerate(lists):
            free = {unit.id: unit for unit in state.free_units(player)}
            assert len(dict(listed)) == len(listed)
            assert all(order in state.legal_orders(free[unit]) for unit, order in listed)
        for player, listed in enumerate(lists):
            state.issue(player, listed)
        state.advance_idle(limit)
    return state


def biased(seed: int) -> RandomBiased:
    return RandomBiased(random.Random(seed))


@pytest.mark.parametrize(
    "number, player, script, least",
    [
        ("04", 0, WorkerRush(), 1.0),
        ("01", 0, WorkerRush(), 1.0),
        ("07", 1, WorkerRush(), 1.0),
        ("19", 0, WorkerRush(), 0.8),
        ("04", 1, BarracksRush(LIGHT), 1.0),
        ("11", 1, BarracksRush(LIGHT), 0.9),
        ("15", 0, BarracksRush(HEAVY), 0.9),
        ("15", 1, BarracksRush(RANGED), 0.9),
        ("19", 1, BarracksRush(HEAVY), 0.9),
    ],
)
def test_rushes_order_what_the_real_ones_order_in_recorded_games(number, player, script, least):
    header, *ticks, _ = recorded.read_lines(next(TRACES.glob(f"{number}_*")))
    state = recorded.start_state(header, ticks[0])
    script.restart()
    same = total = 0
    for line in ticks:
        ids = dict(zip((fields[0] for fields in line["units"]), state.units))
        lists = [
            [(ids[unit], recorded.recorded_order(state, fields)) for unit, *fields in line[f"a{seat}"]]
            for seat in (0, 1)
        ]
        own = dict(script.orders(state.clone(), player))
        given = [(unit, order) for unit, order in lists[player] if order.kind != orders.WAIT]
        same += sum(own.get(unit) == order for unit, order in given)
        total += len(given)
        for seat in (0, 1):
            state.issue(seat, lists[seat])
        state.advance()
    assert same >= least * total > 0


@pytest.mark.parametrize("table", [1, 2])
@pytest.mark.parametrize("fighter", [LIGHT, HEAVY, RANGED])
def test_worker_rush_beats_the_other_rushes_on_the_small_map(table, fighter):
    first = play([WorkerRush(), BarracksRush(fighter)], table=table)
    second = play([BarracksRush(fighter), WorkerRush()], table=table)
    assert (first.winner, second.winner) == (0, 1)
    assert 185 <= first.clock <= 230 and 185 <= second.clock <= 240


def test_random_biased_loses_to_the_rushes():
    for rush in (WorkerRush(), BarracksRush(LIGHT), BarracksRush(HEAVY), BarracksRush(RANGED)):
        won = sum(play([rush, biased(seed)]).winner == 0 for seed in range(6))
        won += sum(play([biased(seed), rush]).winner == 1 for seed in range(6))
        assert won == 12 if isinstance(rush, WorkerRush) else won >= 9


def test_random_biased_prefers_attack_harvest_and_delivery():
    state = engine.State(
        maps.parse(
            "test",
            """
        ...
        bank 0 0
        unit Worker 0 1 0 1 0
        unit Worker 1 0 0 1 0
    """,
        )
    )
    rng = random.Random(1)
    kinds = Counter(random_orders(state, 0, rng)[0][1].kind for _ in range(7000))
    # One attack at five times the weight of one move and one wait.
    for kind, share in ((orders.ATTACK, 5 / 7), (orders.MOVE, 1 / 7), (orders.WAIT, 1 / 7)):
        assert kinds[kind] / 7000 == pytest.approx(share, abs=0.02)


def test_naive_mcts_loses_to_worker_rush_and_repeats_itself():
    ends = []
    for _ in range(2):
        search = NaiveMcts(random.Random(3), iterations=10)
        state = play([search, WorkerRush()], limit=600)
        ends.append((state.winner, state.clock, list(state.units.values())))
    assert ends[0] == ends[1] and ends[0][0] == 1


@pytest.mark.parametrize("player", [0, 1])
def test_naive_mcts_finds_the_blow_that_wins(player):
    state = engine.State(
        maps.parse(
            "test",
            f"""
        ....
        ....
        bank 0 0
        unit Worker {player} 0 0 1 0
        unit Base {1 - player} 1 0 1 0
    """,
        )
    )
    # Only a blow at once falls within the horizon.
    search = NaiveMcts(random.Random(0), iterations=60, horizon=6)
    assert search.orders(state, player) == [(0, orders.attack(1))]


def test_naive_mcts_goes_where_it_can_strike_and_two_do_not_go_to_one_cell():
    near = "....\n....\nbank 0 0\nunit Worker 0 0 0 1 0\nunit Base 1 2 0 1 0\n"
    # A step to the right, 10 ticks, and then a blow, 5 ticks: nothing else wins within the horizon.
    search = NaiveMcts(random.Random(0), iterations=200, horizon=16)
    assert search.orders(engine.State(maps.parse("test", near), 1), 0) == [(0, orders.move(orders.RIGHT))]
    # Both would have to go to the one free cell.
    narrow = "...\nunit Worker 0 0 0 1 0\nunit Worker 0 2 0 1 0\n"
    state = engine.State(maps.parse("test", narrow), 1)
    for seed in range(20):
        listed = NaiveMcts(random.Random(seed), iterations=1).orders(state, 0)
        assert sum(order.kind == orders.MOVE for _, order in listed) <= 1


@pytest.mark.parametrize(
    "options, problem",
    [
        ({}, "either iterations or milliseconds, found neither"),
        ({"iterations": 5, "seconds": 1.0}, "found both"),
        ({"iterations": 0}, "iterations: expected more than 0"),
        ({"seconds": -1.0}, "milliseconds: expected more than 0"),
        ({"iterations": 5, "e_l": 2.0}, "e_l: expected 0"),
    ],
)
def test_naive_mcts_refuses_impossible_options(options, problem):
    with pytest.raises(ValueError, match=problem):
        NaiveMcts(random.Random(0), **options)


def test_naive_mcts_keeps_to_its_time():
    search = NaiveMcts(random.Random(0), seconds=0.02)
    state = engine.State(maps.load("basesWorkers8x8"))
    assert search.orders(state, 0)


@pytest.mark.parametrize("opponent", [WorkerRush(), BarracksRush(LIGHT)])
def test_vanguard_beats_the_rushes_on_the_small_map(opponent):
    assert play([Vanguard(), opponent]).winner == 0
    assert play([opponent, Vanguard()]).winner == 1


@pytest.mark.parametrize(
    "name", ["basesWorkers4x4", "ford8x8", "melee8x8", "TwoBasesBarracks16x16", "maze12x12"]
)
def test_plans_order_nothing_illegal(name):
    for number, settings in enumerate(PLANS):
        play([Plan(settings), biased(number)], name, limit=250)


def test_who_moves_away_before_the_blow_falls_does_not_stay():
    state = engine.State(maps.parse("test", "...\n...\nunit Light 0 0 0 4 0\nunit Worker 1 1 0 1 0\n"))
    light, worker = state.units[0], state.units[1]
    state.issue(0, [(0, orders.move(orders.DOWN))])
    # The light arrives in 8 ticks, an attack takes 5.
    assert stays(state, light, 5) and stays(state, worker, 5)
    state.advance(3)
    assert not stays(state, light, 5) and stays(state, light, 4)


def test_a_turn_accounts_for_cells_and_money():
    state = engine.State(
        maps.parse(
            "test",
            """
        ...
        ...
        bank 1 0
        unit Base 0 0 0 10 0
        unit Base 0 2 0 10 0
        unit Worker 1 0 1 1 0
        unit Worker 0 2 1 1 0
    """,
        )
    )
    turn = Turn(state, 0)
    left, right = turn.free(state.units[0].type)
    assert turn.train(left, 3) and turn.claimed == {1} and turn.money == 0
    assert not turn.train(right, 3)
    way = turn.way_beside(state.units[3], [state.units[2]])
    assert (way.direction, way.length) == (orders.LEFT, 1)
    turn.give(state.units[3], orders.move(orders.LEFT))
    assert not turn.can_enter(4) and turn.free() == [right]


@pytest.mark.parametrize(
    "ground, worker, others, site",
    [
        ("...\n...\n...", (1, 1), [], (0, 0)),
        ("...\n...\n...", (1, 1), [(0, 0)], (1, 0)),  # row by row, corners or not
        ("...\n...\n...", (1, 1), [(0, 0), (1, 0), (2, 0), (0, 1)], (2, 1)),
        ("...\n...\n...", (0, 0), [], (1, 0)),
        ("...\n...\n...", (0, 0), [(1, 0), (0, 1), (1, 1)], (2, 0)),  # nothing is free at a distance of one
        ("....", (0, 0), [(1, 0), (2, 0)], (3, 0)),
        ("....", (0, 0), [(1, 0), (2, 0), (3, 0)], None),
    ],
)
def test_the_first_free_cell_of_the_smallest_square_is_the_site(ground, worker, others, site):
    units = "".join(f"unit Worker 0 {x} {y} 1 0\n" for x, y in [worker, *others])
    state = engine.State(maps.parse("test", f"{ground}\n{units}"))
    found = Turn(state, 0).site(state.units[0])
    assert (None if found is None else state.map.positions[found]) == site


def test_advantage_is_a_share_of_material_and_one_for_a_win():
    state = engine.State(maps.parse("test", "...\nbank 1 0\nunit Light 0 0 0 1 0\nunit Worker 1 2 0 1 1\n"))
    # 20 for the bank, 40 * 2 * sqrt(1/4) for the light; 40 for the worker, 10 for what it carries.
    assert evaluation.material(state, 0) == pytest.approx(60)
    assert evaluation.material(state, 1) == pytest.approx(50)
    assert evaluation.advantage(state, 0) == pytest.approx(10 / 110) == -evaluation.advantage(state, 1)
    alone = engine.State(maps.parse("test", "...\nunit Light 0 0 0 1 0\n"))
    alone.advance()
    assert (evaluation.advantage(alone, 0), evaluation.advantage(alone, 1)) == (1, -1)


def test_the_arena_plays_them_by_name():
    names = sorted(name for name in bots() if name.startswith("micro_rts_"))
    assert names == [
        f"micro_rts_{name}"
        for name in (
            "heavy_rush",
            "light_rush",
            "naive_mcts",
            "random_biased",
            "ranged_rush",
            "real",
            "vanguard",
            "worker_rush",
        )
    ]
    record = play_match("micro_rts", ["micro_rts_worker_rush", "micro_rts_light_rush"], seed=1, opening_plies=0)
    expected = play([WorkerRush(), BarracksRush(LIGHT)])
    assert record.forfeit is None and record.returns == (1.0, -1.0)
    state = pyspiel.load_game("micro_rts").new_initial_state()
    for move in record.moves:
        state.apply_action(move.action)
    assert state.position().units == expected.units and state.position().clock == expected.clock


@pytest.mark.parametrize(
    "name",
    [
        "micro_rts_naive_mcts(iterations=3)",
        "micro_rts_vanguard",
        "micro_rts_random_biased",
        "micro_rts_ranged_rush",
        "micro_rts_heavy_rush",
    ],
)
def test_openings_of_the_arena_fit_them(name):
    record = play_match("micro_rts(max_cycles=80)", [name, name], seed=5, opening_plies=15)
    assert record.forfeit is None and record.opening_length == 15


def test_they_refuse_other_games():
    with pytest.raises(ValueError, match="plays micro_rts only"):
        make_bot("micro_rts_worker_rush", pyspiel.load_game("tic_tac_toe"), 0, 1)
