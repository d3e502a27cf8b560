"""What players of fps_arena know, and what they do not."""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games  # noqa: F401  (registers the game)
from games.fps_arena.knowing.observation import Observation
from games.fps_arena.play import match, scripted
from games.fps_arena.rules import orders
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.parameters import MAP_KINDS, MODES, Rules
from games.fps_arena.rules.senses import look, sound
from games.fps_arena.rules.soldier import NEVER
from games.seeing import views
from tests.games.fps_arena.worlds import EAST, WEST, duel, order, put, run_of_floor


def _position(kind: str, mode: str, players: int, radio: bool, seed: int, ticks: int) -> State:
    """A state in the middle of a match of scripted soldiers."""
    rules = Rules(players=players, mode=mode, map=kind, map_seed=seed % 3, size=20, radio=radio, ticks=400)
    return match.play(rules, [scripted.Medium() for _ in range(players)], seed, stop=ticks).state


def _known(state: State, player: int) -> list:
    """All that an observation tells, its helpers included."""
    seen = Observation(state, player)
    cells = seen.arena.floor[::17]
    told = [
        seen.as_dict(),
        seen.legal_actions() if seen.alive else [],
        seen.known_enemies,
        seen.living_allies,
        seen.visible_allies,
        seen.zone_contested,
        seen.objective,
        seen.can_reload,
    ]
    if seen.alive:
        told += [
            (
                seen.distance(cell),
                seen.next_step_towards(cell),
                seen.next_step_away(cell),
                seen.cover_step(cell),
                seen.flank_step(cell),
                seen.in_view(cell),
            )
            for cell in cells
        ]
        told.append([seen.legal(action) for action in range(0, seen.codec.actions, 5)])
    return told


@given(
    st.sampled_from(MAP_KINDS),
    st.sampled_from(MODES),
    st.sampled_from((2, 4, 6)),
    st.booleans(),
    st.integers(0, 30),
    st.integers(0, 200),
    st.randoms(use_true_random=False),
)
@settings(deadline=None, max_examples=30)
def test_nothing_of_unseen_enemies_is_known(kind, mode, players, radio, seed, ticks, rng):
    state = _position(kind, mode, players, radio, seed, ticks)
    player = rng.randrange(players)
    before = _known(state, player)
    changed = 0
    for number in state.setting.enemies[player]:
        enemy = state.soldiers[number]
        if number in state.soldiers[player].visible or enemy.health <= 0:
            continue
        changed += 1
        enemy.cell = rng.choice(state.setting.arena.floor)
        enemy.facing, enemy.health = rng.randrange(8), rng.randint(1, 100)
        enemy.weapon, enemy.magazines, enemy.reserves = 3, [0, 0, 1, 2], [-1, 3, 4, 5]
        enemy.step_at = enemy.ready_at = enemy.reload_at = state.tick + 4
        enemy.hurt, enemy.protected_until = (3, state.tick), state.tick + 9
        enemy.heard = [(5, state.tick, True)] * players
        enemy.expected = [99] * len(enemy.expected)
        enemy.visible = (player,)
    for number, memory in enumerate(state.memories):
        if number != (state.soldiers[player].team if radio else player):
            memory[:] = [(7, state.tick)] * players
    # Things out of view that were taken, or came back.
    for number, spot in enumerate(state.setting.arena.pickups):
        if not Observation(state, player).in_view(spot.cell):
            state.gone[number] = rng.choice((0, state.tick + 50))
    state._random = rng.getrandbits(64)
    assert _known(state, player) == before


def test_what_is_seen_is_told():
    state = duel(6)
    seen = Observation(state, 0)
    assert len(seen.visible_enemies) == 1
    enemy = seen.visible_enemies[0]
    assert enemy[:1] + enemy[2:6] == (1, 6.0, 100, WEST, 1)
    assert enemy.hit_chance == pytest.approx(0.3 / (6 * 0.0524077793), rel=1e-6) and not enemy.covered
    assert seen.known_enemies == ((1, enemy.cell, 6.0, 0),) and not seen.remembered_enemies
    assert seen.next_step_towards(enemy.cell) == EAST + 1 and seen.distance(enemy.cell) == 6
    assert seen.direction_to(enemy.cell) == EAST
    assert orders.DIRECTIONS[seen.next_step_away(enemy.cell) - 1][0] <= 0
    assert seen.can_fire and seen.can_step and not seen.can_reload and seen.ammo_share == 1
    assert (seen.magazine, seen.reserve, seen.weapon_name, seen.weapons) == (30, 60, "rifle", (0, 1))
    assert seen.alive_enemies == 1 and seen.allies == () and seen.lead == 0 and seen.hurt is None


def test_who_is_dead_or_has_just_moved_cannot_step():
    state = duel(6)
    state.soldiers[0].step_at = state.tick + 1
    assert not Observation(state, 0).can_step
    state.soldiers[0].step_at = state.tick
    assert Observation(state, 0).can_step
    state.soldiers[0].health = 0
    assert not Observation(state, 0).alive and not Observation(state, 0).can_step


def test_enemies_are_remembered_until_the_memory_is_old_or_proved_wrong():
    state = duel(6, memory_ticks=5)
    enemy, place = state.soldiers[1], state.soldiers[1].cell
    put(state, 0, state.soldiers[0].cell, WEST)
    far = state.setting.arena.bases[0][0]
    put(state, 1, far, WEST)
    for age in range(1, 7):
        state.step([0, 0])
        remembered = Observation(state, 0).remembered_enemies
        assert remembered == (() if age > 5 else ((1, place, 6.0, age),))
    state = duel(6)
    enemy = state.soldiers[1]
    enemy.cell = state.setting.arena.bases[1][-1]
    if not state.setting.arena.view(state.soldiers[0].cell)[enemy.cell]:
        state.step([0, 0])
        assert Observation(state, 0).remembered_enemies == ()  # it looked, and nobody is there


def test_radio_tells_teammates():
    for radio in (True, False):
        state = State.start(Rules(players=4, map="open", radio=radio, pickups=0), 1)
        cell = run_of_floor(state, 8)
        arena = state.setting.arena
        hidden = next(one for one in arena.floor if not arena.view(cell + 6)[one])
        put(state, 0, cell, EAST)
        put(state, 1, cell + 6, WEST)
        put(state, 2, hidden, 0)
        state.memories = [[(0, NEVER)] * 4 for _ in state.memories]
        look(state)
        told = [one for one in Observation(state, 2).known_enemies if one.player == 1]
        assert [one[1:2] + one[3:] for one in told] == ([(cell + 6, 0)] if radio else [])
        assert 1 not in [one.player for one in Observation(state, 2).visible_enemies]


def test_noises_tell_roughly_where():
    state = duel(8, shot_hearing=10, step_hearing=0)
    put(state, 1, state.soldiers[1].cell, WEST)
    put(state, 0, state.soldiers[0].cell, WEST)
    look(state)
    state.step([0, order(state, act=orders.fire(0))])
    seen = Observation(state, 0)
    (noise,) = seen.noises
    size, cell = state.setting.rules.size, state.soldiers[1].cell
    assert noise.kind == "shot" and noise.age == 1
    assert abs(noise.cell % size - cell % size) <= 2 and abs(noise.cell // size - cell // size) <= 2
    assert noise.cell % size % 4 == 2 and noise.cell // size % 4 == 2


@pytest.mark.parametrize("reach, heard", [(9, True), (8, True), (7, False)])
def test_a_shot_is_heard_as_far_as_the_rules_say_and_no_farther(reach, heard):
    """The enemy fires eight cells away: the last distance at which a reach of 8 hears it."""
    state = duel(8, shot_hearing=reach)
    put(state, 0, state.soldiers[0].cell, WEST)
    look(state)
    state.step([0, order(state, act=orders.fire(0))])
    assert [noise.kind for noise in Observation(state, 0).noises] == ["shot"] * heard


@pytest.mark.parametrize("reach, heard", [(8, True), (7, True), (6, False)])
def test_a_step_is_heard_from_where_it_leads(reach, heard):
    """The enemy steps from eight cells away to seven."""
    state = duel(8, step_hearing=reach)
    put(state, 0, state.soldiers[0].cell, WEST)
    look(state)
    state.step([0, order(state, move=WEST + 1)])
    assert [noise.kind for noise in Observation(state, 0).noises] == ["step"] * heard


@pytest.mark.parametrize("across, heard", [(3, True), (4, False)])
def test_hearing_is_euclidean(across, heard):
    """Four cells east and three or four south: at a distance of 5 or more, with a reach of 5."""
    state = duel(8, shot_hearing=5)
    size, cell = state.setting.rules.size, state.soldiers[0].cell
    listener, shooter = state.soldiers
    shooter.cell = cell + 4 + across * size
    sound(state, shooter, 5, True)
    assert (listener.heard[1][1] == state.tick) == heard


def test_cover_and_flank():
    state = State.start(Rules(map="rooms", map_seed=2, pickups=0), 3)
    arena, setting = state.setting.arena, state.setting
    rng = random.Random(1)
    moved = hidden = straight = 0
    for _ in range(60):
        start, shooter = rng.sample(arena.floor, 2)
        put(state, 0, start, 0)
        seen = Observation(state, 0)
        for _ in range(9):
            step = seen.cover_step(shooter)
            if not step:
                break
            state.soldiers[0].cell = arena.neighbours[seen.cell][step]
            seen.refresh(state)
            moved += 1
        safe = not arena.view(shooter)[seen.cell] or setting.covered(shooter, seen.cell)
        near = [cell for cell in arena.floor if arena.field(start).steps[cell] <= 8]
        assert safe or all(arena.view(shooter)[cell] and not setting.covered(shooter, cell) for cell in near)
        for flank in (True, False):
            put(state, 0, start, 0)
            seen.refresh(state)
            exposed = 0
            for _ in range(300):
                step = (seen.flank_step if flank else seen.next_step_towards)(shooter)
                if not step:
                    break
                state.soldiers[0].cell = arena.neighbours[seen.cell][step]
                seen.refresh(state)
                exposed += arena.view(shooter)[seen.cell] != 0
            assert seen.cell == shooter
            hidden, straight = hidden + exposed * flank, straight + exposed * (not flank)
    assert moved > 10 and hidden < straight


def _cost_of_ways(arena, target: int) -> dict[int, int]:
    """What the cheapest way from each cell to the target costs, where a step out of a cell that the target sees
    counts 5 and any other 1: by relaxation until nothing changes (Bellman-Ford)."""
    seen = arena.view(target)
    cost = {target: 0}
    changed = [target]
    while changed:
        cell = changed.pop()
        for move, there in enumerate(arena.neighbours[cell]):
            if move and there >= 0 and cost[cell] + (5 if seen[there] else 1) < cost.get(there, 10**6):
                cost[there] = cost[cell] + (5 if seen[there] else 1)
                changed.append(there)
    return cost


@pytest.mark.parametrize("map_seed", range(3))
def test_a_flank_is_the_cheapest_way_where_a_step_in_sight_counts_five(map_seed):
    state = State.start(Rules(map="rooms", map_seed=map_seed, pickups=0), 3)
    arena, setting = state.setting.arena, state.setting
    shooter = random.Random(map_seed).choice(arena.floor)
    target = arena.nearest_floor(setting.blocks[shooter])
    cost, view = _cost_of_ways(arena, target), arena.view(target)
    seen = Observation(state, 0)
    flanked = 0
    for cell in arena.floor[::3]:
        put(state, 0, cell, 0)
        seen.refresh(state)
        step = seen.flank_step(shooter)
        if arena.field(shooter).steps[cell] <= 6:
            assert step == seen.next_step_towards(shooter)
        elif step:
            there = arena.neighbours[cell][step]
            assert cost[there] == cost[cell] - (5 if view[cell] else 1)
            flanked += step != seen.next_step_towards(shooter)
    assert flanked > 0


def test_the_tensor_says_what_the_view_says():
    game = pyspiel.load_game("fps_arena(mode=control,size=20,map_seed=1,ticks=200)")
    state = game.new_initial_state()
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert not observer.tensor.any() and views.view(state, 2).data == {"player": 2}
    state.apply_action(11)
    controllers = [scripted.Strong() for _ in range(4)]
    for player, controller in enumerate(controllers):
        controller.start(state.rules, state.position.setting.arena, player, player)
    compared = 0
    while not state.is_terminal():
        seen = [state.observation(player) for player in range(4)]
        if state.position.tick % 20 == 0:
            for player in range(4):
                observer.set_from(state, player)
                data = views.view(state, player).data
                for name, signs in (("enemies", "E"), ("self", "@"), ("wall", "#"), ("low_cover", "o")):
                    drawn = np.array([[sign in signs for sign in row] for row in data["map"]])
                    assert np.array_equal(observer.dict[name] > 0, drawn), name
                assert observer.dict["own"][1] * 100 == pytest.approx(data["health"])
                assert observer.dict["own"][0] == data["alive"]
                tensor = np.array(state.observation_tensor(player), np.float32)
                assert np.array_equal(observer.tensor, tensor)
                compared += bool(data["visible_enemies"])
        state.apply_actions(
            [one.legal(controller.act(one)) if one.alive else 0 for one, controller in zip(seen, controllers)]
        )
    assert compared > 3
    with pytest.raises(ValueError, match="without perfect recall"):
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
