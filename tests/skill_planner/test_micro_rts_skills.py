"""Each skill of MicroRTS in the engine, on small maps, with times from the unit table."""

from __future__ import annotations

import pytest

from games.micro_rts.rules import orders
from games.micro_rts.rules.unit_tables import BARRACKS, RANGED, RESOURCE, WORKER

FIELD = """
......
......
......
bank 0 0
unit Resource - 0 0 1 2
unit Base 0 3 0 10 0
unit Worker 0 2 0 1 0
unit Base 1 5 2 10 0
"""


def test_harvest_brings_resources_until_the_field_is_gone(played):
    play = played(FIELD)
    play.follow("[Harvest Mineral](0, 0)")
    # To the field 10 (one step), 20 to harvest, 10 back, 10 to deliver: the first one is there at 50.
    play.run(49)
    assert play.state.banks[0] == 0
    play.run(1)
    assert play.state.banks[0] == 1
    play.run(50)
    assert play.state.banks[0] == 2 and not play.state.units_of(-1)
    play.run(1)
    assert play.executor.steps == []


def test_a_harvester_that_dies_is_replaced(played):
    play = played(FIELD + "unit Worker 0 3 2 1 0\n")
    play.follow("[Harvest Mineral](0, 0)")
    play.run(5)
    _, first, second = play.state.units_of(0)
    play.state._remove(first)
    assert second.id not in [unit for _, unit, _ in play.issued]
    play.run(2)
    assert second.id in [unit for _, unit, _ in play.issued]


def test_harvesters_are_free_to_fight_when_there_is_no_base(played):
    play = played(
        "....\n....\nbank 0 0\nunit Resource - 0 0 1 2\nunit Worker 0 1 0 1 0\n"
        "unit Base 0 3 0 10 0\nunit Worker 1 3 1 1 0\n"
    )
    play.follow("[Harvest Mineral](0, 0)", "[Attack Enemy](worker, worker)")
    play.run(1)
    assert play.issued[0][2].kind == orders.HARVEST
    play.state._remove(play.at(3, 0))
    play.run(40)
    assert any(order.kind == orders.MOVE for _, _, order in play.issued)


def test_two_lines_of_one_field_take_two_workers(played):
    play = played(FIELD.replace("1 2\n", "1 20\n") + "unit Worker 0 1 2 1 0\n")
    play.follow("[Harvest Mineral](0, 0)", "[Harvest Mineral](0, 0)", "[Attack Enemy](worker, base)")
    play.run(1)
    steps = play.executor.steps
    assert {steps[0].memory["unit"], steps[1].memory["unit"]} == {
        unit.id for unit in play.state.units_of(0) if unit.type == WORKER
    }
    assert not any(order.kind == orders.ATTACK for _, _, order in play.run(200).issued)


def test_deploy_walks_and_holds(played):
    play = played("....\n....\n....\nunit Worker 0 0 0 1 0\nunit Worker 0 3 0 1 0\nunit Base 1 0 2 10 0\n")
    worker, other = play.state.units_of(0)
    play.follow("[Deploy Unit](worker, (2, 2))")
    play.run(30)
    assert play.where(other.id) == (2, 2) and play.where(worker.id) == (0, 0)  # the nearer one went
    play.run(30)
    assert play.where(other.id) == (2, 2)
    play.state._remove(play.state.units[other.id])
    play.run(1)
    assert play.executor.steps == []


def test_deploy_and_idle_units_hit_who_comes_in_range(played):
    play = played("...\n...\nunit Worker 0 0 0 1 0\nunit Base 1 0 1 2 0\nunit Worker 1 2 1 1 0\n")
    play.run(1)
    assert play.issued == [(0, play.at(0, 0).id, orders.attack(play.at(0, 1).cell))]
    play.run(10)
    assert play.at(0, 1) is None


def test_build_goes_there_pays_and_ends(played):
    play = played("....\n....\nbank 5 5\nunit Worker 0 0 0 1 0\nunit Base 1 3 1 10 0\n")
    play.follow("[Build Building](barracks, (2, 0))")
    play.run(10 + 200)
    assert play.at(2, 0).type == BARRACKS and play.state.banks[0] == 0
    play.run(1)
    assert play.executor.steps == []


def test_a_line_that_waits_for_money_keeps_it_from_those_below(played):
    text = "....\n....\nbank 4 5\nunit Worker 0 0 0 1 0\nunit Base 0 3 0 10 0\nunit Base 1 3 1 10 0\n"
    play = played(text)
    play.follow("[Build Building](barracks, (1, 0))", "[Produce Unit](worker, west)")
    assert play.run(60).issued == []
    play = played(text)
    play.follow("[Produce Unit](worker, west)", "[Build Building](barracks, (1, 0))")
    assert [order.kind for _, _, order in play.run(60).issued] == [orders.PRODUCE]


def test_produce_makes_one_unit_for_each_line(played):
    play = played("...\n...\n...\nbank 9 5\nunit Base 0 1 1 10 0\nunit Base 1 2 2 10 0\n")
    play.follow("[Produce Unit](worker, north)", "[Produce Unit](worker, west)")
    play.run(50)
    assert play.at(1, 0).type == WORKER and play.at(0, 1) is None
    play.run(150)
    assert play.at(0, 1).type == WORKER
    assert play.state.banks[0] == 7 and play.executor.steps == []


def test_produce_takes_another_side_where_the_one_asked_for_is_taken(played):
    play = played("...\n...\nbank 9 5\nunit Base 0 1 0 10 0\nunit Base 1 2 1 10 0\n")
    play.follow("[Produce Unit](worker, north)")
    play.run(60)
    assert play.state.tally(0).produced == 1


def test_a_cancelled_production_is_ordered_again(played):
    play = played("....\n....\nbank 1 5\nunit Base 0 1 0 10 0\nunit Base 1 3 1 10 0\n")
    play.follow("[Produce Unit](worker, east)")
    play.run(1)
    base = play.at(1, 0)
    play.state.jobs[base.id] = play.state.jobs[base.id]._replace(order=orders.wait(2), due=2, cell=-1, cost=0)
    play.state._next_due = 2
    play.run(60)
    assert play.state.tally(0).produced == 1


def test_barracks_make_soldiers_and_a_base_does_not(played):
    play = played("....\n....\nbank 9 5\nunit Barracks 0 1 0 4 0\nunit Base 0 3 0 10 0\nunit Base 1 3 1 10 0\n")
    play.follow("[Produce Unit](ranged, west)")
    play.run(100)
    assert play.at(0, 0).type == RANGED


def test_attack_commands_all_that_no_other_line_needs(played):
    play = played(
        "......\n......\n......\nbank 0 0\nunit Resource - 0 0 1 9\nunit Base 0 0 2 10 0\n"
        "unit Worker 0 0 1 1 0\nunit Worker 0 2 1 1 0\nunit Worker 0 2 2 1 0\n"
        "unit Worker 1 5 0 1 0\nunit Base 1 5 2 3 0\n"
    )
    play.follow("[Attack Enemy](worker, worker)", "[Harvest Mineral](0, 0)", "[Attack Enemy](worker, base)")
    play.run(60)
    assert not any(unit.type == WORKER for unit in play.state.units_of(1))
    play.run(60)
    assert play.state.over and play.state.winner == 0
    assert play.state.tally(0).harvested >= 1


def test_attack_goes_for_the_wanted_type_by_way_of_another(played):
    """Where no way leads to the wanted type, the nearest enemy is next."""
    play = played(
        "#.####\n......\n#.####\nunit Worker 0 0 1 1 0\nunit Worker 1 2 1 1 0\nunit Base 1 5 1 10 0\n"
    )
    play.follow("[Attack Enemy](worker, base)")
    play.run(20)
    assert play.at(2, 1) is None


def test_a_hit_is_not_wasted_on_who_will_have_left(played):
    play = played("....\n....\nunit Worker 0 0 0 1 0\nunit Worker 1 1 0 1 0\n")
    enemy = play.at(1, 0)
    play.state.issue(1, [(enemy.id, orders.move(orders.RIGHT))])
    play.state.advance(6)  # 4 ticks are left, a hit takes 5
    play.follow("[Attack Enemy](worker, worker)")
    play.run(4)
    assert not any(order.kind == orders.ATTACK for _, _, order in play.issued)


@pytest.mark.parametrize(
    "line, reason",
    [
        ("[Harvest Mineral](1, 0)", "no mineral field"),
        ("[Harvest Mineral](9, 0)", "off the map"),
        ("[Harvest Mineral](x, 0)", "whole numbers"),
        ("[Harvest Mineral](0)", "expected the parameters (x, y)"),
        ("[Deploy Unit](base, (1, 1))", "expected one of worker, light, heavy, ranged, found base"),
        ("[Deploy Unit](worker, (1, 1), 3)", "expected the parameters"),
        ("[Build Building](tower, (1, 1))", "expected one of base, barracks"),
        ("[Build Building](barracks, (3, 0))", "taken by a base"),
        ("[Produce Unit](worker, up)", "expected one of north, east, south, west"),
        ("[Produce Unit](base, north)", "expected one of worker"),
        ("[Attack Enemy](worker, resource)", "expected one of"),
        ("[Fly](worker)", "no such skill"),
        ("[Harvest Minerals](0, 0)", "did you mean [Harvest Mineral]?"),
        ("Harvest Mineral (0, 0)", "not of the form"),
        ("[Harvest Mineral] 0, 0", "not of the form"),
    ],
)
def test_invalid_lines_are_dropped_with_a_reason(played, line, reason):
    plan = played(FIELD).follow("[Harvest Mineral](0, 0)", line)
    assert len(plan.steps) == 1
    [(dropped, why)] = plan.dropped
    assert dropped == line and reason in why


def test_walls_are_no_place_to_go(played):
    plan = played("..#\n...\nunit Worker 0 0 0 1 0\nunit Worker 1 2 1 1 0\n").follow(
        "[Deploy Unit](worker, (2, 0))"
    )
    assert "is a wall" in plan.dropped[0].reason


def test_fields_of_the_engine_are_no_units_of_a_player(played):
    play = played(FIELD)
    assert [unit.type for unit in play.state.units_of(-1)] == [RESOURCE]
    assert play.run(5).issued == []  # an empty plan, and nobody in range


def test_two_who_want_one_cell_do_not_stand_there_for_ever(domain):
    """Both step into the gap of a wall, which cancels both moves, again and again, unless one waits."""
    from games.micro_rts.rules import engine, maps
    from skill_planner.planning import parser
    from skill_planner.planning.executor import Executor

    board = "#...#\n##.##\n#...#\nunit Worker 0 2 0 1 0\nunit Worker 1 2 2 1 0\n"
    state = engine.State(maps.parse("gap", board), 1)
    executor = Executor(domain, 0)
    plan = parser.parse(
        "START OF SKILL_PLAN\n[Attack Enemy](worker, worker)\nEND OF SKILL_PLAN", domain, state, 0
    )
    executor.follow(plan.steps)
    enemy = state.units_of(1)[0]
    while state.clock < 200 and not state.over:
        state.issue(0, executor.actions(state.clone()))
        if enemy.id not in state.jobs and state.unit_at(enemy.cell) == enemy:
            state.issue(1, [(enemy.id, orders.move(orders.UP))])
        state.advance()
    assert state.over and state.winner == 0


def test_who_expects_an_enemy_lets_it_come(played):
    play = played("....\n....\nunit Worker 0 0 0 1 0\nunit Worker 1 2 0 1 0\n")
    mine, enemy = play.at(0, 0), play.at(2, 0)
    play.state.issue(1, [(enemy.id, orders.move(orders.LEFT))])
    play.follow("[Attack Enemy](worker, worker)")
    play.run(10)
    assert play.issued == [] and play.where(mine.id) == (0, 0)
    play.run(6)  # it has come and stands still: hit at once
    assert play.issued == [(10, mine.id, orders.attack(play.state.map.cell(1, 0)))] and play.state.over


def test_hits_are_spread_over_those_who_are_not_being_killed_yet(played):
    play = played(
        "...\n...\nunit Worker 0 0 0 1 0\nunit Worker 0 1 1 1 0\nunit Worker 1 1 0 1 0\nunit Worker 1 0 1 1 0\n"
    )
    play.follow("[Attack Enemy](worker, worker)")
    play.run(1)
    assert {order.arg for _, _, order in play.issued} == {play.at(1, 0).cell, play.at(0, 1).cell}
