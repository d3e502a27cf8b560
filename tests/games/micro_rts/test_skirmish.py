"""Fights by hand and at random: whom a fighter hits, where it does not go, and what a rehearsal makes of orders.

Damage and times are those of the first unit table: a worker hits 1, a light unit 2, a heavy one 4, each within 5 ticks;
a step takes a worker 10 ticks, a light unit 8, a heavy one 12.
"""

from __future__ import annotations

import random

import hypothesis
import pytest
from hypothesis import strategies

from games.micro_rts.bots import fighting, skirmish
from games.micro_rts.bots.random_biased import random_orders
from games.micro_rts.bots.turn import Turn
from games.micro_rts.rules import engine, maps, orders
from games.micro_rts.rules.orders import DOWN, LEFT, RIGHT, UP, attack, harvest, move, produce
from games.micro_rts.rules.unit_tables import BARRACKS
from tests.games.micro_rts import listed as listed_orders


def fight(ground: str, *units: str) -> engine.State:
    """A state with units as "Light 0 4 2 4": type, player, x, y, hit points."""
    lines = [f"unit {unit} 0" for unit in units]
    return engine.State(maps.parse("test", "\n".join([*ground.split(), "bank 0 0", *lines, ""])), 1)


def at(state: engine.State, x: int, y: int = 0):
    return state.unit_at(state.map.cell(x, y))


def improved(state: engine.State, meant: dict[int, orders.Order], player: int = 0) -> dict[int, orders.Order]:
    return dict(skirmish.improved(state, player, list(meant.items())))


# The base behind the wall holds the heavy unit where it is: no step brings it nearer.
HELD = ("..... ##### ###.#", "Base {own} 3 2 10", "Worker {own} 1 0 1", "Heavy {other} 3 0 4")


@pytest.mark.parametrize("player", [0, 1])
def test_nobody_walks_into_a_waiting_enemy_that_is_stronger(player):
    ground, *units = (text.format(own=player, other=1 - player) for text in HELD)
    state = fight(ground, *units)
    worker = at(state, 1)
    # To the right it is dead at 15, after a hit of one; to the left it comes back at 30 and lives through half of it.
    assert improved(state, {worker.id: move(RIGHT)}, player) == {worker.id: move(LEFT)}
    assert improved(state, {}, player) == {worker.id: move(LEFT)}


def test_who_dies_in_the_second_half_of_a_rehearsal_counts_as_well():
    state = fight("...... ###### ####.#", "Base 0 4 2 10", "Worker 0 1 0 1", "Heavy 1 4 0 4")
    worker = at(state, 1)
    # To the right it is dead at 25; to the left it is beside the heavy unit at 40.
    assert improved(state, {worker.id: move(RIGHT)}) == {worker.id: move(LEFT)}


@pytest.mark.parametrize("player", [0, 1])
def test_a_busy_enemy_is_hit_for_free(player):
    state = fight(
        "... ...",
        f"Worker {1 - player} 0 0 1",
        "Resource - 0 1 1",
        f"Worker {player} 1 0 1",
        f"Base {player} 2 1 9",
    )
    state.issue(1 - player, [(at(state, 0).id, harvest(DOWN))])
    state.advance(2)
    worker = at(state, 1)
    assert improved(state, {worker.id: move(RIGHT)}, player) == {worker.id: attack(0)}


def test_the_enemy_that_dies_is_hit_rather_than_the_one_that_does_not():
    state = fight("...", "Light 1 0 0 2", "Light 0 1 0 4", "Heavy 1 2 0 4")
    light = at(state, 1)
    # The heavy unit kills in any case; killing takes 2 x 0.7 from the enemy, hurting 2 x 0.3.
    assert improved(state, {light.id: attack(2)}) == {light.id: attack(0)}
    assert improved(state, {light.id: attack(0)}) == {light.id: attack(0)}


def test_two_who_mean_to_hit_the_same_enemy_share_two_between_them():
    state = fight(".. ..", "Worker 0 0 0 1", "Worker 0 1 1 1", "Worker 1 1 0 1", "Worker 1 0 1 1")
    meant = {at(state, 0).id: attack(1), at(state, 1, 1).id: attack(1)}
    assert {order.arg for order in improved(state, meant).values()} == {1, 2}


def test_a_harvest_beside_an_enemy_gives_way_to_the_hit():
    state = fight("... ...", "Resource - 0 0 1", "Worker 0 1 0 1", "Worker 1 2 0 1", "Base 0 1 1 9")
    assert improved(state, {at(state, 1).id: harvest(LEFT)}) == {at(state, 1).id: attack(2)}


@pytest.mark.parametrize("order", [move(LEFT), move(RIGHT), orders.wait(), None])
def test_orders_five_steps_from_the_enemy_are_returned_as_they_are(order):
    state = fight("........", "Worker 0 1 0 1", "Heavy 1 6 0 4")
    listed = [(0, order)] if order else []
    assert skirmish.improved(state, 0, listed) == listed == ([(0, order)] if order else [])


def test_only_units_in_contact_get_other_orders():
    state = fight("...... ......", "Light 1 0 0 2", "Light 0 1 0 4", "Worker 0 5 1 1", "Base 0 2 1 9")
    far = at(state, 5, 1)
    given = improved(state, {at(state, 1).id: move(RIGHT), far.id: move(UP)})
    assert given == {at(state, 1).id: attack(0), far.id: move(UP)}


def test_busy_units_and_buildings_get_no_orders():
    state = fight("... ...", "Light 1 0 0 2", "Light 0 1 0 4", "Base 0 0 1 9")
    state.issue(0, [(at(state, 1).id, orders.wait(7))])
    state.advance(3)
    assert skirmish.improved(state, 0, []) == []


def test_a_cell_that_another_order_takes_is_no_way_out():
    ground, *units = (text.format(own=0, other=1) for text in HELD)
    state = fight(ground.replace("#####", ".####"), *units, "Worker 0 0 1 1")
    worker, other = at(state, 1), at(state, 0, 1)
    assert improved(state, {worker.id: move(RIGHT)})[worker.id] == move(LEFT)
    given = improved(state, {worker.id: move(RIGHT), other.id: move(UP)})
    assert given[worker.id] != move(LEFT) and given[other.id] == move(UP)


def test_in_a_brawl_all_hit_who_is_in_range_and_else_go_for_the_nearest():
    state = fight(
        "............ ............",
        "Light 0 0 0 4",
        "Light 1 1 0 3",
        "Worker 1 0 1 1",
        "Worker 0 5 0 1",
        "Worker 1 8 0 1",
        "Base 0 11 1 9",
    )
    listed = dict(skirmish.brawl(state, 0))
    # The weaker of two; three steps to the worker at (8, 0); a base cannot fight.
    assert listed == {0: attack(12), 3: move(RIGHT), 5: orders.wait(5)}
    assert dict(skirmish.brawl(state, 1)) == {1: attack(0), 2: attack(0), 4: move(LEFT)}


MAPS = ("melee4x4", "melee8x8", "basesWorkers4x4", "basesWorkers8x8", "twoFields6x6")


def reached(name: str, seed: int, ticks: int) -> engine.State:
    """The state after so many ticks of random play."""
    state, rng = engine.State(maps.load(name), 1), random.Random(seed)
    while state.clock < ticks and not state.over:
        for player in (0, 1):
            state.issue(player, random_orders(state, player, rng))
        state.advance()
    return state


def everything(state: engine.State):
    return (
        state.clock,
        list(state.units.items()),
        list(state.jobs.items()),
        list(state.banks),
        list(state.at),
        list(state.counts),
        state.over,
        state.tally(0),
        state.tally(1),
    )


@hypothesis.given(
    name=strategies.sampled_from(MAPS),
    seed=strategies.integers(0, 999),
    ticks=strategies.integers(0, 300),
    player=strategies.integers(0, 1),
    silent=strategies.booleans(),
)
@hypothesis.settings(deadline=None, max_examples=60)
def test_whatever_is_meant_the_orders_are_legal_and_no_two_go_to_one_cell(name, seed, ticks, player, silent):
    state = reached(name, seed, ticks)
    meant = [] if silent else random_orders(state, player, random.Random(seed))
    given, before = list(meant), everything(state)
    listed = skirmish.improved(state, player, meant)

    assert everything(state) == before and meant == given
    assert skirmish.improved(state.clone(), player, given) == listed

    listed_orders.check(state, player, listed)

    positions = state.map.positions
    for unit in state.free_units(player):
        (x, y), enemies = positions[unit.cell], (positions[enemy.cell] for enemy in state.units_of(1 - player))
        if all(abs(x - other_x) + abs(y - other_y) > 4 for other_x, other_y in enemies):
            assert dict(listed).get(unit.id) == dict(given).get(unit.id)


def test_random_play_reaches_fights_in_which_orders_are_improved():
    changed = 0
    for seed in range(10):
        state = reached("melee8x8", seed, 60)
        meant = random_orders(state, 0, random.Random(seed))
        changed += dict(skirmish.improved(state, 0, meant)) != dict(meant)
    assert changed >= 3


def test_a_fighter_is_worth_its_hit_points_times_its_damage_and_twice_that_from_afar():
    state = fight(
        "......", "Worker 0 0 0 1", "Light 0 1 0 3", "Heavy 0 2 0 4", "Ranged 0 3 0 1", "Base 0 4 0 9"
    )
    assert [fighting.strength(state, at(state, x)) for x in range(5)] == [1, 6, 16, 2, 0]


def test_damage_that_comes_is_that_of_own_hits_under_way_and_listed():
    state = fight(
        "... ...", "Light 0 0 0 4", "Worker 1 1 0 9", "Worker 0 2 0 1", "Worker 0 1 1 1", "Heavy 1 0 1 4"
    )
    state.issue(0, [(at(state, 0).id, attack(1))])
    state.issue(1, [(at(state, 0, 1).id, attack(0))])
    state.advance(2)
    turn = Turn(state, 0)
    assert (fighting.coming(turn, 1), fighting.coming(turn, 0)) == (2, 0)
    turn.give(at(state, 2), attack(1))
    assert fighting.coming(turn, 1) == 3


def struck(state: engine.State, x: int, y: int = 0, wanted: int = -1):
    turn = Turn(state, 0)
    hit = fighting.strike(turn, at(state, x, y), wanted)
    assert hit == bool(turn.listed)
    return turn.listed[0][1] if hit else None


def test_a_fighter_hits_who_dies_and_else_the_more_dangerous():
    assert struck(fight("...", "Heavy 1 0 0 4", "Light 0 1 0 4", "Worker 1 2 0 1"), 1) == attack(2)
    assert struck(fight("...", "Heavy 1 0 0 4", "Light 0 1 0 4", "Light 1 2 0 4"), 1) == attack(0)
    assert struck(fight("...", "Heavy 1 0 0 4", "Light 0 1 0 4", "Worker 1 2 0 1"), 1, wanted=5) == attack(0)
    assert struck(fight("...", "Heavy 1 0 0 4", "Light 0 2 0 4"), 2) is None


def test_a_fighter_does_not_hit_who_will_have_gone_or_be_dead():
    state = fight(
        "... ...", "Light 0 0 0 4", "Worker 1 1 0 1", "Heavy 1 0 1 4", "Worker 0 2 0 1", "Base 0 2 1 9"
    )
    assert struck(state, 0) == attack(1)
    state.issue(0, [(at(state, 2).id, attack(1))])
    assert struck(state, 0) == attack(3)
    state.issue(1, [(at(state, 1).id, move(DOWN))])
    state.advance(6)
    # Four ticks are left of the step, and a hit takes five.
    state._remove(at(state, 0, 1))
    assert struck(state, 0) is None


def outnumbered(state: engine.State, x: int, to: int) -> bool:
    return fighting.outnumbered(Turn(state, 0), at(state, x), state.map.cell(to, 0))


def test_a_step_into_the_reach_of_more_than_there_are_beside_is_outnumbered():
    assert outnumbered(fight("......", "Light 0 1 0 4", "Heavy 1 3 0 4"), 1, 2)
    # 4 x 2 against 4 x 2 is no more.
    assert not outnumbered(fight("......", "Light 0 1 0 4", "Light 1 3 0 4"), 1, 2)
    # Nobody can hit at two steps.
    assert not outnumbered(fight("......", "Light 0 1 0 4", "Heavy 1 4 0 4"), 1, 2)
    # 1 x 4 of a heavy unit that is hurt is less than 8.
    assert not outnumbered(fight("......", "Light 0 1 0 4", "Heavy 1 3 0 1"), 1, 2)


def test_friends_within_three_steps_stand_beside():
    near = fight("....... .......", "Light 0 1 0 4", "Light 0 0 1 4", "Heavy 1 3 0 4")
    assert not outnumbered(near, 1, 2)
    far = fight("........... ...........", "Light 0 5 0 4", "Light 0 3 1 4", "Heavy 1 7 0 4")
    assert outnumbered(far, 5, 6)


def test_a_busy_enemy_does_not_count_but_one_on_its_way_counts_where_it_goes():
    state = fight("......", "Worker 0 1 0 1", "Worker 1 3 0 1", "Worker 1 4 0 1", "Base 0 0 0 9")
    state.banks[1] = 5
    assert outnumbered(state, 1, 2)
    state.issue(1, [(at(state, 4).id, produce(RIGHT, BARRACKS))])
    assert not outnumbered(state, 1, 2)
    state = fight("......", "Worker 0 1 0 1", "Heavy 1 4 0 4")
    assert not outnumbered(state, 1, 2)
    state.issue(1, [(at(state, 4).id, move(LEFT))])
    assert outnumbered(state, 1, 2)
