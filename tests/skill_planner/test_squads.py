"""Each skill for squads in the engine, in positions made by hand, with times from the first unit table.

A move takes a worker or ranged unit 10 ticks, a light one 8, a heavy one 12; a hit takes 5; harvesting takes 20, a
delivery 10; a worker is made in 50, barracks in 200.
"""

from __future__ import annotations

import pytest

from games.micro_rts.rules.orders import (
    ATTACK,
    DOWN,
    LEFT,
    MOVE,
    PRODUCE,
    RIGHT,
    UP,
    attack,
    harvest,
    move,
    produce,
)
from games.micro_rts.rules.unit_tables import BARRACKS, HEAVY, LIGHT, WORKER


def row(length: int, *units: str, bank: int = 0) -> str:
    """One row of cells, and units as "Light 0 4 4": type, player, x, hit points (and what it carries)."""
    lines = [
        f"unit {kind} {player} {x} 0 {hp} {''.join(more) or 0}"
        for kind, player, x, hp, *more in map(str.split, units)
    ]
    return "\n".join(["." * length, f"bank {bank} 0", *lines, ""])


def ordered(play, ticks: int = 1) -> dict[int, object]:
    """The order of each unit in the first of these ticks in which it gets one."""
    start = play.state.clock
    play.run(ticks)
    given = {}
    for tick, unit, order in play.issued:
        if tick >= start:
            given.setdefault(unit, order)
    return given


def kill(play, unit) -> None:
    play.state._remove(play.state.units[unit.id])


FIELD = """
......
......
......
bank 0 0
unit Resource - 0 0 1 20
unit Base 0 3 0 10 0
unit Worker 0 2 0 1 0
unit Worker 0 3 1 1 0
unit Worker 0 3 2 1 0
unit Base 1 5 2 10 0
"""


def test_a_harvester_brings_what_it_takes_to_the_base(commanded):
    play = commanded(FIELD, "[Harvest](1)")
    # One step, 20 to harvest, one step back, and the delivery.
    assert play.run(49).state.banks[0] == 0
    assert play.run(1).state.banks[0] == 1


def test_harvesters_are_the_nearest_and_never_more_than_their_number(commanded):
    play = commanded(FIELD, "[Harvest](2)")
    near, middle, far = (play.at(*cell) for cell in ((2, 0), (3, 1), (3, 2)))
    assert ordered(play, 200).keys() == {near.id, middle.id}


def test_another_worker_takes_the_place_of_a_harvester_that_dies(commanded):
    play = commanded(FIELD, "[Harvest](2)")
    near, middle, far = (play.at(*cell) for cell in ((2, 0), (3, 1), (3, 2)))
    play.run(55)
    kill(play, near)
    assert ordered(play, 60).keys() == {middle.id, far.id}
    kill(play, middle)
    kill(play, far)
    assert ordered(play, 60) == {}


def test_a_worker_that_carries_is_a_harvester_before_one_beside_the_field(commanded):
    play = commanded(FIELD.replace("Worker 0 3 2 1 0", "Worker 0 3 2 1 1"), "[Harvest](1)")
    # The one beside the field stands where harvesters go between field and base, and steps aside.
    assert ordered(play) == {play.at(3, 2).id: move(RIGHT), play.at(2, 0).id: move(DOWN)}


def test_nobody_lingers_between_base_and_field_while_workers_harvest(commanded):
    """The guards' place is beside the base, and half of it is the harvesters' way."""
    text = (
        FIELD.replace("Resource - 0 0 1 20", "Resource - 0 0 1 90")
        + "unit Light 0 1 0 4 0\nunit Heavy 0 2 1 4 0\n"
    )
    play = commanded(text, "[Harvest](1)", "[Guard](all, home)").run(100)
    way = {(1, 0), (2, 0)}
    for _ in range(200):
        assert not way & {play.where(unit.id) for unit in play.state.units_of(0) if unit.type in (LIGHT, HEAVY)}
        play.run(1)
    assert play.state.banks[0] >= 5
    # With nobody at work there is no way to keep free.
    idle = commanded(text, "[Guard](all, home)")
    assert ordered(idle, 50) == {}


@pytest.mark.parametrize(
    "gone, direction",
    [("nothing", LEFT), ("unit Base 0 3 0 10 0\n", RIGHT), ("unit Resource - 0 0 1 20\n", RIGHT)],
)
def test_without_a_base_or_a_field_the_workers_are_free_for_the_next_line(commanded, gone, direction):
    play = commanded(FIELD.replace(gone, ""), "[Harvest](3)", "[Attack](worker, nearest)")
    assert ordered(play)[play.at(3, 2).id] == move(direction)


def test_a_harvester_hits_an_enemy_beside_it_first(commanded):
    text = (
        "...\n...\nunit Resource - 0 0 1 9\nunit Worker 0 1 0 1 0\nunit Base 0 2 0 9 0\nunit Worker 1 1 1 1 0\n"
    )
    play = commanded(text, "[Harvest](1)")
    worker, cell = play.at(1, 0), play.at(1, 1).cell
    assert ordered(play) == {worker.id: attack(cell)}
    assert ordered(play, 5)[worker.id] == harvest(LEFT)


MAKERS = """
......
......
......
bank {bank} 0
unit Base 0 2 1 10 0
unit Barracks 0 2 2 4 0
unit Worker 0 0 0 1 0
unit Base 1 5 1 10 0
"""


def test_train_makes_units_until_there_are_enough_and_replaces_them(commanded):
    play = commanded(MAKERS.format(bank=9), "[Train](worker, 3)")
    made = [play.run(ticks).state.tally(0).produced for ticks in (50, 50, 200)]
    assert made == [1, 2, 2]
    kill(play, play.at(0, 0))
    assert play.run(51).state.tally(0).produced == 3


def test_train_counts_units_in_the_making(commanded):
    play = commanded(MAKERS.format(bank=9) + "unit Base 0 0 2 10 0\n", "[Train](worker, 2)")
    assert [order.kind for order in ordered(play, 60).values()] == [PRODUCE]
    play = commanded(MAKERS.format(bank=9) + "unit Base 0 0 2 10 0\n", "[Train](worker, 3)")
    assert [order.kind for order in ordered(play).values()] == [PRODUCE, PRODUCE]


def test_two_lines_of_one_type_make_no_more_than_the_greater_number(commanded):
    barracks = "".join(f"unit Barracks 0 {x} 0 4 0\n" for x in range(5))
    text = f"......\n......\nbank 20 0\n{barracks}unit Base 1 5 1 10 0\n"
    assert len(ordered(commanded(text, "[Train](light, 3)", "[Train](light, 2)"))) == 3


def test_a_maker_without_room_leaves_it_to_another(commanded):
    text = ".#....\n#.....\nbank 5 0\nunit Base 0 0 0 10 0\nunit Base 0 3 0 10 0\nunit Base 1 5 1 10 0\n"
    play = commanded(text, "[Train](worker, 1)")
    assert ordered(play).keys() == {play.at(3, 0).id}


@pytest.mark.parametrize("x, side", [(5, RIGHT), (0, LEFT)])
def test_units_are_made_on_the_side_of_the_enemy(commanded, x, side):
    text = f"......\n......\n......\nbank 9 0\nunit Base 0 2 1 10 0\nunit Base 1 {x} 1 10 0\n"
    play = commanded(text, "[Train](worker, 1)")
    assert ordered(play) == {play.at(2, 1).id: produce(side, WORKER)}


def test_train_without_the_money_keeps_it_from_the_lines_below(commanded):
    soldier, worker = "[Train](light, 1)", "[Train](worker, 9)"
    assert ordered(commanded(MAKERS.format(bank=1), soldier, worker), 60) == {}
    play = commanded(MAKERS.format(bank=1), worker, soldier)
    assert {order.type for order in ordered(play, 60).values()} == {WORKER}
    play = commanded(MAKERS.format(bank=3), soldier, worker)
    assert {order.type for order in ordered(play).values()} == {WORKER, LIGHT}


def test_train_with_enough_units_keeps_no_money(commanded):
    play = commanded(
        MAKERS.format(bank=1) + "unit Light 0 0 2 4 0\n", "[Train](light, 1)", "[Train](worker, 9)"
    )
    assert {order.type for order in ordered(play).values()} == {WORKER}


# Beside the base is (1, 0), beside the field (3, 0): only (2, 0) is in nobody's way.
SITE = """
.....
####.
bank 5 0
unit Base 0 0 0 10 0
unit Worker 0 3 0 1 0
unit Resource - 4 0 1 9
unit Base 1 4 1 10 0
"""


@pytest.mark.parametrize("line", ["[Build](barracks, 1)", "[Build](barracks, 1, (0, 0))"])
def test_build_without_a_place_or_on_a_taken_one_takes_a_cell_beside_neither_field_nor_building(
    commanded, line
):
    play = commanded(SITE, line)
    assert ordered(play, 200) == {play.at(3, 0).id: produce(LEFT, BARRACKS)}
    assert play.at(2, 0).type == BARRACKS and play.state.banks[0] == 0


def test_build_takes_any_free_cell_where_all_are_in_the_way(commanded):
    text = "...\n##.\nbank 5 0\nunit Base 0 0 0 10 0\nunit Worker 0 2 0 1 0\nunit Barracks 1 2 1 4 0\n"
    play = commanded(text, "[Build](barracks, 1)")
    assert ordered(play) == {play.at(2, 0).id: produce(LEFT, BARRACKS)}


PLACE = """
........
........
bank {bank} 0
unit Base 0 0 1 10 0
unit Worker 0 0 0 1 0
unit Worker 0 3 0 1 0
unit Base 1 7 1 10 0
"""


def test_build_goes_to_the_place_given_and_builds_there(commanded):
    play = commanded(PLACE.format(bank=5), "[Build](barracks, 1, (6, 0))")
    play.run(20 + 200)
    assert play.at(6, 0).type == BARRACKS and play.where(play.issued[0][1]) == (5, 0)


def test_only_the_nearest_worker_goes_to_build(commanded):
    play = commanded(PLACE.format(bank=5), "[Build](barracks, 1, (6, 0))")
    builder = play.at(3, 0)
    assert ordered(play, 60).keys() == {builder.id}


def test_the_builder_is_no_harvester_of_a_line_below(commanded):
    text = PLACE.format(bank=5) + "unit Resource - 3 1 1 9\n"
    play = commanded(text, "[Build](barracks, 1, (6, 0))", "[Harvest](1)")
    builder, other = play.at(3, 0), play.at(0, 0)
    assert ordered(play) == {builder.id: move(RIGHT), other.id: move(RIGHT)}


def test_build_takes_no_worker_from_a_line_above(commanded):
    guard, build = "[Guard](worker, base)", "[Build](barracks, 1, (1, 0))"
    text = "......\n......\nbank 5 0\nunit Base 0 0 1 10 0\nunit Worker 0 0 0 1 0\nunit Base 1 5 1 10 0\n"
    assert ordered(commanded(text, guard, build), 30) == {}
    play = commanded(text, build, guard)
    assert ordered(play) == {play.at(0, 0).id: produce(RIGHT, BARRACKS)}


def test_build_without_the_money_keeps_it_from_the_lines_below_and_leaves_the_workers(commanded):
    play = commanded(
        PLACE.format(bank=4), "[Build](barracks, 1)", "[Train](worker, 9)", "[Attack](worker, base)"
    )
    assert {order.kind for order in ordered(play).values()} == {MOVE}
    assert len(play.issued) == 2


def test_build_counts_what_stands_or_is_begun_and_builds_again_what_falls(commanded):
    play = commanded(PLACE.format(bank=15), "[Build](barracks, 1, (4, 0))", "[Build](barracks, 1, (1, 0))")
    assert [order.kind for order in ordered(play, 250).values()] == [PRODUCE]
    kill(play, play.at(4, 0))
    assert [order.kind for order in ordered(play, 250).values()] == [PRODUCE]


# Three steps to the worker at its minerals, two to the other.
TARGETS = row(8, "Worker 1 1 1", "Light 0 4 4", "Worker 1 6 1") + "unit Resource - 0 0 1 9\n"


@pytest.mark.parametrize(
    "target, direction",
    [
        ("nearest", RIGHT),
        ("harvesters", LEFT),
        ("worker", RIGHT),
        ("heavy", RIGHT),  # there is none
        ("(1, 0)", LEFT),
        ("(2, 0)", LEFT),  # beside it
        ("(7, 0)", RIGHT),
        ("(3, 0)", RIGHT),  # nobody is beside it
    ],
)
def test_attack_goes_for_the_nearest_of_its_target_or_else_of_all(commanded, target, direction):
    play = commanded(TARGETS, f"[Attack](light, {target})")
    assert ordered(play) == {play.at(4, 0).id: move(direction)}


def test_a_worker_with_a_load_is_a_harvester(commanded):
    text = row(8, "Worker 1 1 1 1", "Light 0 4 4", "Worker 1 6 1")
    play = commanded(text, "[Attack](light, harvesters)")
    assert ordered(play) == {play.at(4, 0).id: move(LEFT)}


def test_attack_goes_for_a_type_of_building_past_nearer_units(commanded):
    play = commanded(row(8, "Barracks 1 0 4", "Light 0 4 4", "Worker 1 6 1"), "[Attack](light, barracks)")
    assert ordered(play) == {play.at(4, 0).id: move(LEFT)}


@pytest.mark.parametrize("target, x", [("base", 0), ("worker", 2), ("nearest", 2)])
def test_of_enemies_in_range_attack_hits_the_wanted_one_or_one_that_dies(commanded, target, x):
    play = commanded(row(3, "Base 1 0 10", "Light 0 1 4", "Worker 1 2 1"), f"[Attack](light, {target})")
    assert ordered(play) == {play.at(1, 0).id: attack(x)}


def test_boldly_steps_within_reach_of_a_stronger_enemy_and_otherwise_does_not(commanded):
    text = row(5, "Worker 0 1 1", "Heavy 1 3 4")
    assert ordered(commanded(text, "[Attack](worker, nearest)"), 30) == {}
    play = commanded(text, "[Attack](worker, nearest, boldly)")
    assert ordered(play) == {play.at(1, 0).id: move(RIGHT)}


def test_attack_steps_within_reach_of_an_enemy_that_is_no_stronger(commanded):
    play = commanded(row(5, "Light 0 1 4", "Light 1 3 4"), "[Attack](light, nearest)")
    assert ordered(play) == {play.at(1, 0).id: move(RIGHT)}


AROUND = "\n".join(["." * 9] * 7) + "\nunit Light 0 0 3 4 0\nunit Heavy 1 4 3 4 0\n"


def nearest_pass(play, ticks: int) -> int:
    """The fewest steps between the light unit at (0, 3) and the heavy one at (4, 3) in so many ticks."""
    light, found = play.at(0, 3), 99
    for _ in range(ticks):
        x, y = play.run(1).where(light.id)
        found = min(found, abs(x - 4) + abs(y - 3))
    return found


@pytest.mark.parametrize(
    "units, target",
    [
        ("unit Base 1 8 3 2 0\n", "base"),
        (
            "unit Base 1 8 3 2 0\nunit Heavy 1 7 3 4 0\n",
            "base",
        ),  # only its last cell is within reach of that one
        ("unit Worker 1 8 3 1 0\nunit Resource - 8 4 1 9\n", "harvesters"),
    ],
)
def test_flank_keeps_out_of_the_reach_of_fighters_that_attack_walks_past(commanded, units, target):
    # Three steps up, eight to the right and two or three down again, and a hit of two.
    play = commanded(AROUND + units, f"[Flank](light, {target})")
    assert nearest_pass(play, 13 * 8 + 6) >= 3 and play.at(8, 3) is None
    play = commanded(AROUND + units, f"[Attack](light, {target}, boldly)")
    assert nearest_pass(play, 60) <= 2


def test_flank_goes_straight_where_there_is_no_way_around(commanded):
    text = "###....\n.......\nunit Light 0 0 1 4 0\nunit Heavy 1 3 0 4 0\nunit Base 1 6 0 10 0\n"
    play = commanded(text, "[Flank](light, base)")
    assert ordered(play) == {play.at(0, 1).id: move(RIGHT)}


@pytest.mark.parametrize(
    "intruder, steps, meets",
    [(3, "", True), (4, "", False), (4, ", 4", True), (5, ", 4", False), (3, ", 2", False)],
)
def test_guard_meets_an_intruder_within_its_steps_and_not_beyond(commanded, intruder, steps, meets):
    text = row(9, "Base 0 0 10", "Light 0 1 4", f"Worker 1 {intruder} 1")
    play = commanded(text, f"[Guard](light, base{steps})")
    assert ordered(play) == ({play.at(1, 0).id: move(RIGHT)} if meets else {})


def test_guard_returns_to_within_two_steps_of_the_building_and_to_the_cell_itself(commanded):
    for place, x in (("base", 2), ("home", 2), ("(3, 0)", 3), ("(0, 0)", 1)):
        play = commanded(row(9, "Base 0 0 10", "Light 0 5 4", "Base 1 8 10"), f"[Guard](light, {place})")
        guard = play.at(5, 0)
        assert play.run(100).where(guard.id) == (x, 0)


def test_guard_covers_a_building_under_construction(commanded):
    text = row(12, "Base 0 0 10", "Light 0 1 4", "Worker 0 6 1", "Base 1 11 10", bank=5)
    play = commanded(text, "[Guard](light, barracks)")
    light, worker = play.at(1, 0), play.at(6, 0)
    assert ordered(play, 20) == {}
    play.state.issue(0, [(worker.id, produce(LEFT, BARRACKS))])
    assert play.run(60).where(light.id) == (3, 0)


RETREAT = row(9, "Base 0 0 10", "Light 0 5 2", "Heavy 1 7 4")


def test_the_hurt_leave_the_reach_of_fighters_and_go_home(commanded):
    play = commanded(RETREAT, "[Retreat](light, 2)")
    light = play.at(5, 0)
    # The heavy unit threatens two steps around it, its range and a step.
    assert play.run(8).where(light.id) == (4, 0)
    assert play.run(60).where(light.id) == (2, 0)


def test_those_with_more_hit_points_do_not_retreat_but_follow_the_next_line(commanded):
    play = commanded(RETREAT, "[Retreat](light, 1)")
    assert ordered(play, 60) == {}
    text = "........\n........\nunit Base 0 0 0 10 0\nunit Light 0 5 0 2 0\nunit Light 0 5 1 3 0\nunit Heavy 1 7 0 4 0\n"
    play = commanded(text, "[Retreat](all, 2)", "[Attack](all, nearest, boldly)")
    hurt, sound = play.at(5, 0), play.at(5, 1)
    assert ordered(play) == {hurt.id: move(LEFT), sound.id: move(RIGHT)}


def test_the_hurt_who_cannot_leave_hit(commanded):
    play = commanded(row(3, "Light 0 0 1", "Heavy 1 1 4"), "[Retreat](light, 1)")
    assert ordered(play) == {play.at(0, 0).id: attack(1)}


@pytest.mark.parametrize(
    "enemy, order",
    [
        ("Heavy 1 5 4", move(LEFT)),
        ("Light 1 5 4", move(LEFT)),
        ("Heavy 1 6 4", attack(6)),  # three steps away
        ("Worker 1 5 1", attack(5)),  # the hit ends the danger
        ("Ranged 1 5 1", attack(5)),  # it hits from afar as well
        ("Base 1 5 9", attack(5)),
        ("Light 1 7 4", move(RIGHT)),  # out of range
    ],
)
def test_kite_steps_back_from_who_would_reach_it_and_else_hits(commanded, enemy, order):
    play = commanded(row(8, "Ranged 0 3 1", enemy), "[Kite](ranged, nearest)")
    assert ordered(play) == {play.at(3, 0).id: order}


def test_kite_steps_back_from_two_of_which_one_hit_ends_only_one(commanded):
    text = ".......\n.......\nunit Ranged 0 3 0 1 0\nunit Worker 1 5 0 1 0\nunit Worker 1 4 1 1 0\n"
    play = commanded(text, "[Kite](ranged, nearest)")
    assert ordered(play) == {play.at(3, 0).id: move(LEFT)}


def test_kite_with_its_back_to_the_wall_hits(commanded):
    play = commanded(row(4, "Ranged 0 0 1", "Heavy 1 2 4"), "[Kite](ranged, nearest)")
    assert ordered(play) == {play.at(0, 0).id: attack(2)}


def test_attack_does_not_step_back_where_kite_does(commanded):
    play = commanded(row(8, "Ranged 0 3 1", "Heavy 1 5 4"), "[Attack](ranged, nearest)")
    assert ordered(play) == {play.at(3, 0).id: attack(5)}


@pytest.mark.parametrize("skill", ["Attack", "Flank", "Kite"])
def test_all_members_hit_but_not_all_the_same_one(commanded, skill):
    text = "..\n..\nunit Light 0 0 0 4 0\nunit Light 0 1 1 4 0\nunit Light 1 1 0 2 0\nunit Light 1 0 1 2 0\n"
    given = ordered(commanded(text, f"[{skill}](all, nearest)"))
    assert {order.kind for order in given.values()} == {ATTACK} and {order.arg for order in given.values()} == {
        1,
        2,
    }


def test_whoever_no_line_commands_hits_an_enemy_in_range(commanded):
    play = commanded("..\n..\nunit Light 0 0 0 4 0\nunit Light 1 0 1 2 0\n", "[Attack](heavy, nearest)")
    assert ordered(play) == {play.at(0, 0).id: attack(2)}


def test_directions_are_those_of_the_map(commanded):
    text = "...\n...\n...\n...\nunit Light 0 1 2 4 0\nunit Base 1 1 0 9 0\n"
    assert list(ordered(commanded(text, "[Attack](light, (1, 1))")).values()) == [move(UP)]
    text = "...\n...\n...\n...\nunit Light 1 1 0 4 0\nunit Base 0 1 3 9 0\n"
    assert list(ordered(commanded(text, "[Attack](light, base)", player=1)).values()) == [move(DOWN)]
