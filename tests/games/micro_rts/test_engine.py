"""Rules of the engine, case by case and under random lists of orders."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.micro_rts.rules import engine, legal, maps, orders
from games.micro_rts.rules.java_random import JavaRandom
from games.micro_rts.rules.orders import DOWN, LEFT, RIGHT, UP
from games.micro_rts.rules.unit_tables import (
    BARRACKS,
    BASE,
    HEAVY,
    LIGHT,
    NAMES,
    RANGED,
    RESOURCE,
    TABLES,
    WORKER,
)


def start(text: str, table: int = 2, policy: int = 1, seed: int = 0) -> engine.State:
    return engine.State(
        maps.parse("test", text), table, policy, coins=JavaRandom(seed), damages=JavaRandom(seed)
    )


def at(state: engine.State, x: int, y: int) -> engine.Unit:
    return state.unit_at(state.map.cell(x, y))


def give(state: engine.State, player: int, *listed: tuple[int, int, orders.Order]) -> None:
    """Issues orders to the units on cells (x, y)."""
    state.issue(player, [(at(state, x, y).id, order) for x, y, order in listed])


THREE = """
.....
.....
.....
bank 5 5
unit Worker 0 1 0 1 0
unit Worker 0 2 1 1 0
unit Worker 0 3 0 1 0
unit Worker 1 0 2 1 0
"""


def test_two_orders_for_a_cell_cancel_each_other_and_the_third_gets_it():
    state = start(THREE)
    give(state, 0, (1, 0, orders.move(RIGHT)), (3, 0, orders.move(LEFT)), (2, 1, orders.move(UP)))
    assert [job.order for job in state.jobs.values()] == [orders.wait(10), orders.wait(10), orders.move(UP)]
    third = at(state, 2, 1).id
    state.advance(10)
    assert at(state, 2, 0).id == third and at(state, 2, 1) is None


@pytest.mark.parametrize("clashes, moved", [(0, (1, 0)), (1, (3, 0))])
def test_policy_alternate_cancels_the_new_one_first_and_the_old_one_next(clashes, moved):
    state = start(THREE, policy=engine.ALTERNATE)
    for _ in range(clashes):
        give(state, 0, (1, 0, orders.move(DOWN)), (2, 1, orders.move(LEFT)))
        state.advance(10)
        state = _back(state)
    give(state, 0, (1, 0, orders.move(RIGHT)), (3, 0, orders.move(LEFT)))
    mover = at(state, *moved).id
    state.advance(10)
    assert at(state, 2, 0).id == mover and at(state, *moved) is None


def _back(state: engine.State) -> engine.State:
    """Walks the worker that won the first clash back to (1, 0)."""
    give(state, 0, (1, 1, orders.move(UP)))
    state.advance(10)
    return state


def test_policy_coin_draws_below_two():
    class Coin:
        def __init__(self, side):
            self.side = side

        def below(self, bound):
            assert bound == 2
            return self.side

    for side, moves, waits in ((0, (1, 0), (3, 0)), (1, (3, 0), (1, 0))):
        state = engine.State(maps.parse("test", THREE), policy=engine.COIN, coins=Coin(side))
        give(state, 0, (1, 0, orders.move(RIGHT)), (3, 0, orders.move(LEFT)))
        mover, waiter = at(state, *moves).id, at(state, *waits).id
        state.advance(10)
        assert at(state, 2, 0).id == mover and at(state, *waits).id == waiter and at(state, *moves) is None


def test_a_clash_with_an_earlier_job_costs_one_tick():
    state = start(THREE)
    give(state, 0, (1, 0, orders.move(RIGHT)))
    state.advance()
    give(state, 0, (3, 0, orders.move(LEFT)))
    assert state.jobs[at(state, 3, 0).id].due == state.clock + 1
    assert state.jobs[at(state, 1, 0).id].order == orders.move(RIGHT)


def test_player_0_comes_first_and_both_lose_a_race():
    state = start("""
        ...
        bank 0 0
        unit Worker 0 0 0 1 0
        unit Worker 1 2 0 1 0
    """)
    give(state, 0, (0, 0, orders.move(RIGHT)))
    give(state, 1, (2, 0, orders.move(LEFT)))
    assert [job.order.kind for job in state.jobs.values()] == [orders.WAIT, orders.WAIT]
    assert list(state.jobs) == [0, 1]


@pytest.mark.parametrize(
    "table, order, ticks",
    [
        (1, orders.produce(DOWN, BASE), 250),
        (2, orders.produce(DOWN, BASE), 200),
        (3, orders.produce(DOWN, BASE), 10),
        (1, orders.produce(DOWN, BARRACKS), 200),
        (2, orders.produce(DOWN, BARRACKS), 100),
        (2, orders.produce(DOWN, HEAVY), 120),
        (2, orders.move(UP), 10),
        (2, orders.harvest(RIGHT), 20),
        (2, orders.deliver(RIGHT), 10),
        (2, orders.attack(2), 5),
        (2, orders.attack(-1), 5),
    ],
)
def test_a_refused_order_becomes_a_wait_of_its_own_length(table, order, ticks):
    state = start(THREE.replace("bank 5 5", "bank 0 0"), table)
    give(state, 0, (1, 0, order))
    job = state.jobs[at(state, 1, 0).id]
    assert (job.order, job.due, job.cell) == (orders.wait(ticks), ticks, -1)


@pytest.mark.parametrize("ticks", [-1, 0, 1])
def test_waits_below_one_tick_take_one(ticks):
    state = start(THREE)
    give(state, 0, (1, 0, orders.wait(ticks)))
    state.advance()
    assert not state.jobs


BARRACK_PAIR = """
.....
.....
bank 5 0
unit Barracks 0 0 0 4 0
unit Barracks 0 2 0 4 0
unit Barracks 0 4 0 4 0
unit Worker 1 0 1 1 0
"""


def test_money_clashes_in_pairs_only_and_may_go_below_zero():
    # Two lights cost 4 of 5; a third one clashes with neither, and all three are made for 6.
    state = start(BARRACK_PAIR)
    give(
        state,
        0,
        (0, 0, orders.produce(RIGHT, LIGHT)),
        (2, 0, orders.produce(DOWN, LIGHT)),
        (4, 0, orders.produce(DOWN, LIGHT)),
    )
    state.advance(79)
    assert state.banks == [5, 0]
    state.advance()
    assert state.banks == [-1, 0]
    assert [NAMES[unit.type] for unit in state.units.values()][-3:] == ["Light"] * 3
    assert state.tally(0) == (0, 6, 3, 0)


def test_two_heavies_for_five_clash():
    state = start(BARRACK_PAIR)
    give(state, 0, (0, 0, orders.produce(RIGHT, HEAVY)), (2, 0, orders.produce(DOWN, HEAVY)))
    assert {job.order for job in state.jobs.values()} == {orders.wait(120)}


DUEL = """
...
...
bank 0 0
unit Worker 0 0 0 1 0
unit Worker 1 1 0 1 0
unit Worker 1 2 1 1 0
"""


def test_who_is_killed_still_strikes_in_the_same_tick():
    state = start(DUEL)
    give(state, 0, (0, 0, orders.attack(1)))
    give(state, 1, (1, 0, orders.attack(0)))
    state.advance(5)
    assert at(state, 0, 0) is None and at(state, 1, 0) is None
    assert (state.over, state.winner) == (True, 1)
    assert state.tally(0).damage == state.tally(1).damage == 1


def test_who_leaves_before_the_blow_is_missed_and_who_leaves_after_it_is_not():
    for first, hit in ((0, True), (1, False)):
        state = start(DUEL.replace("Worker 1 1 0 1 0", "Light 1 1 0 4 0"))
        # The light moves in 8 ticks, the worker strikes in 5: both are due at tick 8.
        if first:
            give(state, 1, (1, 0, orders.move(DOWN)))
            state.advance(3)
            give(state, 0, (0, 0, orders.attack(1)))
        else:
            give(state, 0, (0, 0, orders.wait(3)))
            give(state, 1, (1, 0, orders.move(DOWN)))
            state.advance(2)
            give(state, 0, (0, 0, orders.attack(1)))  # replaces the wait and keeps its place
            state.advance(1)
        state.advance(8 - state.clock)
        light = at(state, 1, 1)
        assert light.type == LIGHT
        # Blows fall at tick 8 and 7; only the earlier one finds the light.
        assert light.hp == (3 if hit else 4)


def test_a_killed_producer_that_is_not_due_is_not_charged():
    state = start("""
        ..
        ..
        bank 5 0
        unit Barracks 0 0 0 1 0
        unit Worker 0 1 1 1 0
        unit Light 1 1 0 4 0
    """)
    give(state, 0, (0, 0, orders.produce(DOWN, LIGHT)))
    give(state, 1, (1, 0, orders.attack(0)))
    state.advance(100)
    assert state.banks == [5, 0] and not state.jobs and at(state, 0, 0) is None


def test_a_late_harvest_hits_the_unit_that_moved_in():
    state = start("""
        ....
        ....
        bank 0 0
        unit Resource - 1 0 1 1
        unit Worker 0 0 0 1 0
        unit Worker 0 2 0 1 0
        unit Light 0 1 1 4 0
        unit Worker 1 3 1 1 0
    """)
    give(state, 0, (0, 0, orders.harvest(RIGHT)))
    state.advance(10)
    give(state, 0, (2, 0, orders.harvest(LEFT)))
    state.advance(10)
    give(state, 0, (1, 1, orders.move(UP)))
    state.advance(8)
    assert at(state, 1, 0).type == LIGHT
    state.advance(2)
    assert at(state, 1, 0) is None and at(state, 2, 0).carried == 1


def test_delivering_takes_the_move_time_and_fills_the_bank():
    state = start("""
        ...
        bank 0 0
        unit Base 0 0 0 10 0
        unit Worker 0 1 0 1 1
        unit Worker 1 2 0 1 0
    """)
    give(state, 0, (1, 0, orders.deliver(LEFT)))
    state.advance(9)
    assert state.banks == [0, 0]
    state.advance()
    assert state.banks == [1, 0] and at(state, 1, 0).carried == 0


def test_orders_for_others_units_and_for_none_are_refused_whole():
    state = start(DUEL)
    for unit_id in (1, 99):
        with pytest.raises(ValueError, match=f"orders of player 0 at tick 0: unit {unit_id} "):
            state.issue(0, [(0, orders.wait()), (unit_id, orders.wait())])
    assert not state.jobs


def test_a_map_with_one_player_is_over_after_the_first_tick():
    state = start("...\nunit Base 1 0 0 10 0\n")
    assert not state.over
    state.advance_idle(100)
    assert (state.over, state.winner, state.clock) == (True, 1, 1)
    state = start("...\nunit Resource - 0 0 1 5\n")
    state.advance(50)
    assert (state.over, state.winner, state.clock) == (True, -1, 1)


def test_idle_ticks_are_skipped_up_to_the_next_decision():
    state = start(THREE)
    everybody = {
        player: [(unit.id, orders.wait(30 + unit.id)) for unit in state.units_of(player)] for player in (0, 1)
    }
    for player in (0, 1):
        state.issue(player, everybody[player])
    other = state.clone()
    state.advance_idle(1000)
    assert state.clock == 30 and state.anybody_free and len(state.free_units(0)) == 1
    other.advance_idle(25)
    assert other.clock == 25 and not other.anybody_free


@pytest.mark.parametrize("table", [0, 4])
def test_unknown_tables_policies_and_missing_chance_are_refused(table):
    board = maps.load("basesWorkers4x4")
    with pytest.raises(ValueError, match="unit table: expected 1, 2 or 3"):
        engine.State(board, table)
    with pytest.raises(ValueError, match="conflict policy: expected 1, 2 or 3"):
        engine.State(board, 2, table)
    with pytest.raises(ValueError, match="pass coins"):
        engine.State(board, 2, engine.COIN)
    with pytest.raises(ValueError, match="pass damages"):
        engine.State(board, 3)


ANY_ORDER = st.one_of(
    st.integers(-1, 30).map(orders.wait),
    st.integers(0, 3).map(orders.move),
    st.integers(0, 3).map(orders.harvest),
    st.integers(0, 3).map(orders.deliver),
    st.integers(-1, 63).map(orders.attack),
    st.builds(orders.produce, st.integers(0, 3), st.integers(0, 6)),
)


def check(state: engine.State) -> None:
    """What holds in any state."""
    places = [unit.cell for unit in state.units.values()]
    assert len(set(places)) == len(places)
    assert [state.at[cell] for cell in places] == list(state.units)
    assert sum(value >= 0 for value in state.at) == len(places)
    assert state.at[-1] == engine.WALL
    assert not any(state.map.walls[cell] for cell in places)
    assert all(unit.hp > 0 and (unit.type != RESOURCE or unit.carried > 0) for unit in state.units.values())
    assert state.counts == [len(state.units_of(player)) for player in (0, 1)]
    assert set(state.jobs) <= {unit.id for unit in state.units.values() if unit.player >= 0}
    assert all(job.due > state.clock for job in state.jobs.values()) or state.over
    claims = [job.cell for job in state.jobs.values() if job.cell >= 0]
    assert len(set(claims)) == len(claims)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    table=st.sampled_from(sorted(TABLES)),
    policy=st.integers(1, 3),
    name=st.sampled_from(["melee8x8", "basesWorkers8x8", "ford8x8"]),
    illegal=st.floats(0, 1),
    data=st.data(),
)
def test_whatever_is_ordered_the_state_stays_sound(seed, table, policy, name, illegal, data):
    rng = random.Random(seed)
    state = engine.State(maps.load(name), table, policy, coins=JavaRandom(seed), damages=JavaRandom(seed))
    odd = data.draw(st.lists(ANY_ORDER, min_size=20, max_size=20))
    worth = sum(state.banks) + sum(unit.carried for unit in state.units.values())
    while not state.over and state.clock < 300:
        for player in (0, 1):
            listed = []
            for unit in state.units_of(player):
                allowed = state.legal_orders(unit)
                assert all(legal.is_legal(state, unit, order) for order in allowed)
                trial = rng.choice(odd)
                assert legal.is_legal(state, unit, trial) == (trial in allowed or trial.kind == orders.WAIT)
                if unit.id not in state.jobs or rng.random() < 0.05:
                    listed.append((unit.id, trial if rng.random() < illegal else rng.choice(allowed)))
            rng.shuffle(listed)
            state.issue(player, listed)
        twin = state.clone()
        state.advance_idle(300)
        while twin.clock < state.clock:
            twin.advance()
        assert (twin.units, twin.jobs, twin.banks, twin.over) == (
            state.units,
            state.jobs,
            state.banks,
            state.over,
        )
        check(state)
        # Resources come from fields alone; what is spent, or dies with its bearer, is gone.
        left = sum(state.banks) + sum(unit.carried for unit in state.units.values())
        spent = state.tally(0).spent + state.tally(1).spent
        assert left + spent <= worth


def test_ranged_units_shoot_over_walls_within_three_cells():
    state = start("""
        .#....
        ......
        bank 0 0
        unit Ranged 0 0 0 1 0
        unit Worker 1 3 0 1 0
        unit Worker 1 2 1 1 0
        unit Worker 1 4 0 1 0
        unit Worker 1 3 1 1 0
    """)
    targets = [order.arg for order in state.legal_orders(at(state, 0, 0)) if order.kind == orders.ATTACK]
    # In the order of the unit list; (3, 1) is the square root of 10 away, (4, 0) is 4.
    assert targets == [state.map.cell(3, 0), state.map.cell(2, 1)]
    assert state.kind(at(state, 0, 0)).type == RANGED


def test_no_clone_shares_anything_that_changes():
    state = engine.State(maps.load("basesWorkers8x8"))
    clone = state.clone()
    give(state, 0, (2, 1, orders.produce(UP, WORKER)), (1, 1, orders.move(UP)))
    state.advance(60)
    assert clone.clock == 0 and not clone.jobs and len(clone.units) == 6 and clone.banks == [5, 5]
    assert clone.at != state.at and clone.tally(0) == (0, 0, 0, 0)
