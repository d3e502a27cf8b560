"""The rules of fps_arena, by hand-made situations and figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from games.fps_arena.rules import orders, terrain, weapons
from games.fps_arena.rules.engine import NOBODY, State
from games.fps_arena.rules.parameters import PARAMETERS, Rules
from games.fps_arena.rules.senses import look
from games.fps_arena.rules.soldier import NEVER
from tests.games.fps_arena.worlds import EAST, WEST, duel, order, put, rules, run_of_floor


def test_a_rifle_kills_in_six_shots():
    """100 health, 18 a shot, one shot in 2 ticks: dead in the 11th tick."""
    state = duel(4, rifle_spread=0.0)
    for tick in range(11):
        assert state.soldiers[1].health == 100 - 18 * math.ceil(tick / 2)
        state.step([order(state, act=orders.fire(1)), 0])
    shooter, victim = state.soldiers
    assert victim.health == 0 and state.scores == [1, 0] and not state.over
    assert (shooter.tally.shots, shooter.tally.hits, shooter.tally.kills) == (6, 6, 1)
    assert shooter.tally.damage_dealt == victim.tally.damage_taken == 100
    assert shooter.tally.kill_ticks == (10,) and victim.tally.deaths == 1
    assert state.events[-1] == ("kill", 0, 1) and shooter.magazines[weapons.RIFLE] == 24
    # It died in tick 10 and is back, unhurt and armed, in tick 35.
    for _ in range(23):
        state.step([0, 0])
        assert victim.health == 0
    state.step([0, 0])
    assert state.tick == 35 and victim.health == 100 and victim.magazines[weapons.RIFLE] == 30
    assert victim.cell in state.setting.arena.bases[state.homes[1]]


def test_both_may_die_in_one_tick():
    state = duel(3, rifle_damage=100, rifle_spread=0.0)
    state.step([order(state, act=orders.fire(1)), order(state, act=orders.fire(0))])
    assert [one.health for one in state.soldiers] == [0, 0] and state.scores == [1, 1]


@pytest.mark.parametrize(
    "distance, moving, target_moving",
    [(4, False, False), (9, False, False), (9, True, False), (9, False, True)],
)
def test_hits_are_as_often_as_the_formula_says(distance, moving, target_moving):
    state = duel(distance, rifle_damage=0, rifle_magazine=10**6, rifle_cooldown=1, ticks=10**6)
    spread = 3.0 * (1.5 if moving else 1) * (1.2 if target_moving else 1)
    chance = min(1.0, 0.3 / (distance * math.tan(math.radians(spread))))
    shots = 3000
    for _ in range(shots):
        for soldier, moves in zip(state.soldiers, (moving, target_moving)):
            soldier.step_at = state.tick + 5 if moves else NEVER
        state.step([order(state, act=orders.fire(1)), 0])
    hits = state.soldiers[0].tally.hits
    assert state.soldiers[0].tally.shots == shots
    assert abs(hits - shots * chance) <= 4 * math.sqrt(shots * chance * (1 - chance)) + 1e-9


def test_beyond_the_range_nothing_hits_and_pellets_add_up():
    state = duel(9, start_weapon="shotgun", shotgun_spread=0.0)
    state.step([order(state, act=orders.fire(1)), 0])
    assert state.soldiers[0].tally.shots == 1 and state.soldiers[1].health == 100  # its range is 8
    state = duel(8, start_weapon="shotgun", shotgun_spread=0.0)
    state.step([order(state, act=orders.fire(1)), 0])
    assert state.soldiers[1].health == 100 - 7 * 11


def test_who_is_not_seen_is_not_shot_at():
    state = duel(4)
    put(state, 0, state.soldiers[0].cell, WEST)
    look(state)
    state.step([order(state, act=orders.fire(1)), 0])
    assert state.soldiers[0].tally.shots == 0 and state.soldiers[0].facing == WEST


def test_reloading():
    state = duel(4, rifle_magazine=2, rifle_reserve=3, rifle_damage=0)
    fire, shooter = order(state, act=orders.fire(1)), state.soldiers[0]
    for _ in range(8):
        state.step([fire, 0])
    assert shooter.tally.shots == 2 and shooter.magazines[weapons.RIFLE] == 0
    state.step([order(state, act=orders.RELOAD), 0])
    for _ in range(11):
        state.step([fire, 0])
        assert shooter.tally.shots == 2
    state.step([fire, 0])  # 12 ticks after the reload began
    assert shooter.tally.shots == 3 and (shooter.magazines[1], shooter.reserves[1]) == (1, 1)
    state.step([order(state, act=orders.RELOAD), 0])
    for _ in range(12):
        state.step([0, 0])
    assert (shooter.magazines[1], shooter.reserves[1]) == (2, 0)
    state.step([order(state, act=orders.switch(weapons.PISTOL)), 0])
    for _ in range(2):
        state.step([fire, 0])
        assert shooter.tally.shots == 3
    state.step([fire, 0])  # 3 ticks after the change
    assert shooter.tally.shots == 4 and shooter.magazines[weapons.PISTOL] == 11
    state.step([order(state, act=orders.switch(weapons.SNIPER)), 0])
    assert shooter.weapon == weapons.PISTOL  # it has none


def test_steps_take_time_and_enemies_block_them():
    state = duel(3)
    first, second = state.soldiers
    start = first.cell
    east = order(state, move=EAST + 1)
    state.step([east, 0])
    assert first.cell == start + 1
    state.step([east, 0])
    assert first.cell == start + 1
    state.step([east, 0])
    assert first.cell == start + 2 and first.tally.distance == 2
    for _ in range(4):
        state.step([east, 0])
    assert first.cell == start + 2 and second.cell == start + 3


@pytest.mark.parametrize("collide", [False, True])
def test_teammates_block_each_other_only_if_the_rules_say_so(collide):
    state = State.start(rules(players=4, mode="tdm", team_collision=collide), 1)
    cell = run_of_floor(state, 4)
    put(state, 0, cell, EAST)
    put(state, 2, cell + 1, EAST)
    state.step([order(state, move=EAST + 1), 0, 0, 0])
    assert (state.soldiers[0].cell == cell + 1) == (not collide)


def test_turns_are_limited_and_go_looks_ahead():
    state = duel(4)
    first = state.soldiers[0]
    turn = order(state, act=orders.look(WEST))
    state.step([turn, 0])
    assert first.facing in (0, 4)
    state.step([turn, 0])
    assert first.facing == WEST
    state.step([order(state, move=EAST + 1, act=orders.look(WEST)), 0])
    assert first.facing == WEST
    state = duel(4, turn_rate=4)
    state.step([order(state, act=orders.look(WEST)), 0])
    assert state.soldiers[0].facing == WEST


def _low_cover_between(cover_distance: int) -> State:
    """Player 1 in a cell with low cover on its west, player 0 five cells farther west in the same row."""
    for seed in range(200):
        state = State.start(rules(map_seed=seed, cover=1.0, rifle_spread=0.0, cover_distance=cover_distance), 1)
        arena, size = state.setting.arena, state.setting.rules.size
        for cell in arena.floor:
            if (
                cell % size > 7
                and arena.heights[cell - 1] == terrain.LOW
                and arena.heights[cell - 6] == terrain.FLOOR
                and all(arena.heights[cell - step] != terrain.WALL for step in range(6))
            ):
                put(state, 0, cell - 6, EAST)
                put(state, 1, cell, WEST)
                look(state)
                return state
    raise AssertionError("no such place")


def test_low_cover_stops_shots_from_afar_but_neither_sight_nor_the_own_shots():
    state = _low_cover_between(2)
    assert state.soldiers[0].visible == (1,) and state.soldiers[1].visible == (0,)
    state.step([order(state, act=orders.fire(1)), order(state, act=orders.fire(0))])
    shooter, protected = state.soldiers
    covered_too = state.setting.arena.heights[shooter.cell + 1] == terrain.LOW
    assert protected.health == 100 and shooter.tally.shots == 1
    assert shooter.health == (100 if covered_too else 82)
    state = _low_cover_between(6)
    state.step([order(state, act=orders.fire(1)), 0])
    assert state.soldiers[1].health == 82


def test_a_soldier_that_returned_is_protected_until_it_fires():
    state = duel(4, rifle_spread=0.0)
    state.soldiers[1].protected_until = 3
    for health in (100, 100, 100, 100, 82):
        state.step([order(state, act=orders.fire(1)), 0])
        assert state.soldiers[1].health == health
    state = duel(4, rifle_spread=0.0)
    state.soldiers[1].protected_until = 100
    state.step([0, order(state, act=orders.fire(0))])
    state.step([order(state, act=orders.fire(1)), 0])
    assert state.soldiers[1].health == 82


@pytest.mark.parametrize("idle", [0, 2])
def test_protection_ends_after_the_tick_of_the_first_shot(idle):
    """Whoever fires first in that tick: `idle` changes the order."""
    state = duel(4, rifle_spread=0.0)
    for _ in range(idle):
        state.step([0, 0])
    state.soldiers[1].protected_until = 100
    both = [order(state, act=orders.fire(1)), order(state, act=orders.fire(0))]
    state.step(both)
    assert [one.health for one in state.soldiers] == [82, 100]
    state.step([0, 0])
    state.step(both)
    assert [one.health for one in state.soldiers] == [64, 82]


def test_the_control_point():
    state = duel(4, mode="control", capture_ticks=5, ticks=100, score_limit=20)
    zone = sorted(state.setting.arena.zone)
    outside = state.soldiers[1].cell
    put(state, 0, zone[0], WEST)
    for tick in range(1, 13):
        state.step([0, 0])
        # Owned at the end of the 5th tick, in which the owner scores for the first time.
        assert (state.owner, state.scores) == ((0, [tick - 4, 0]) if tick >= 5 else (NOBODY, [0, 0]))
    put(state, 1, zone[-1], EAST)
    for _ in range(10):
        state.step([0, 0])
    assert state.scores == [8, 0] and state.owner == 0  # contested
    put(state, 0, outside, WEST)
    for _ in range(4):
        state.step([0, 0])
    assert state.owner == 0 and state.scores == [8, 0]
    state.step([0, 0])
    assert state.owner == 1 and state.scores == [8, 1]
    assert [one.tally.captures for one in state.soldiers] == [1, 1]
    put(state, 1, outside, WEST)
    put(state, 0, outside - 1, WEST)
    for _ in range(100):
        state.step([0, 0])
    assert state.scores == [8, 20] and state.over and state.returns() == [-1, 1]


def test_elimination_ends_with_the_last_life():
    state = duel(4, mode="elimination", lives=2, rifle_damage=100, rifle_spread=0.0)
    assert state.scores == [2, 2]
    state.step([order(state, act=orders.fire(1)), 0])
    assert state.scores == [2, 1] and not state.over
    for _ in range(25):
        state.step([0, 0])
    cell = run_of_floor(state, 5)
    put(state, 0, cell, EAST)
    put(state, 1, cell + 3, WEST)
    state.soldiers[1].protected_until = NEVER
    look(state)
    state.step([order(state, act=orders.fire(1)), 0])
    assert state.scores == [2, 0] and state.over and state.returns() == [1, -1]
    assert state.soldiers[1].returns_at == NEVER


def test_pickups_are_taken_when_they_are_of_use_and_come_back():
    state = State.start(rules(pickups=12, pickup_ticks=30), 1)
    number, spot = next(
        (number, one) for number, one in enumerate(state.setting.arena.pickups) if one.kind == "health"
    )
    soldier = state.soldiers[0]
    put(state, 0, spot.cell, 0)
    state.step([0, 0])
    assert state.gone[number] == 0
    soldier.health = 30
    state.step([0, 0])
    assert soldier.health == 80 and soldier.tally.health == 1 and state.events[-1] == ("pickup", 0, number)
    for _ in range(29):
        state.step([0, 0])
        assert soldier.health == 80
    state.step([0, 0])
    assert soldier.health == 100
    spot = next(one for one in state.setting.arena.pickups if one.kind == "sniper")
    put(state, 0, spot.cell, 0)
    state.step([0, 0])
    assert (soldier.magazines[weapons.SNIPER], soldier.reserves[weapons.SNIPER]) == (5, 15)
    soldier.reserves[weapons.RIFLE] = 0
    spot = next(one for one in state.setting.arena.pickups if one.kind == "ammo")
    put(state, 0, spot.cell, 0)
    state.step([0, 0])
    assert soldier.reserves[weapons.RIFLE] == 60 and soldier.tally.ammo == 1


def test_returns_are_by_rank():
    state = State.start(Rules(players=4, mode="dm", pickups=0), 0)
    state.scores = [5, 2, 2, 0]
    assert state.returns() == pytest.approx([1, -0, 0, -1]) and sum(state.returns()) == pytest.approx(0)
    state = State.start(Rules(players=6, teams=3), 0)
    state.scores = [1, 3, 2]
    assert state.returns() == [-1, 1, 0, -1, 1, 0]


def test_the_kill_goes_to_who_did_most():
    state = State.start(rules(players=4, mode="tdm", rifle_spread=0.0, sniper_spread=0.0), 1)
    cell = run_of_floor(state, 6)
    put(state, 0, cell, EAST)
    put(state, 2, cell + 1, EAST)
    put(state, 1, cell + 4, WEST)
    state.soldiers[1].health = 60
    state.soldiers[2].take(weapons.SNIPER, state.setting.rules)
    state.soldiers[2].weapon = weapons.SNIPER
    look(state)
    fire = order(state, act=orders.fire(1))
    state.step([fire, 0, fire, 0])
    assert ("kill", 2, 1) in state.events and state.scores == [1, 0]
    dealt = [state.soldiers[player].tally.damage_dealt for player in (0, 2)]
    assert dealt == pytest.approx([60 * 18 / 93, 60 * 75 / 93])


@pytest.mark.parametrize(
    "parameters, said",
    [
        ({"players": 9}, "players must be from 2 to 8"),
        ({"mode": "race"}, "mode must be one of dm, tdm"),
        ({"players": 4, "teams": 3}, "teams must divide"),
        ({"size": 15}, "size must be from 16 to 64"),
        ({"mode": "dm", "teams": 2, "players": 4}, "each of the 4 players is for itself"),
        ({"rifle_cooldown": 0}, "rifle_cooldown must be 1 or more"),
        ({"fov": 400}, "fov must be"),
        ({"speed": 1}, "no parameter 'speed'"),
        ({"ticks": 1.5}, "ticks must be of type int"),
        ({"cover": float("nan")}, "cover must be"),
        ({"pistol_spread": -1.0}, "pistol_spread must be from 0"),
    ],
)
def test_bad_parameters_are_refused(parameters, said):
    with pytest.raises(ValueError, match=said):
        Rules.from_parameters(parameters)


def test_every_field_is_a_parameter():
    assert len(PARAMETERS) == len(Rules.__dataclass_fields__) - 1 + 4 * len(weapons.Weapon._fields)
    assert Rules.from_parameters({}) == Rules()
