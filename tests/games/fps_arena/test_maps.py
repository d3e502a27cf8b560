"""Maps of fps_arena and their tables, against scipy's graph routines and plain geometry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import shortest_path

from games.fps_arena.rules import maps, terrain
from games.fps_arena.rules.orders import DIRECTIONS
from games.fps_arena.rules.parameters import MAP_KINDS, Rules

KINDS = st.sampled_from(MAP_KINDS)


@given(KINDS, st.integers(16, 64), st.integers(0, 10**6), st.booleans())
@settings(deadline=None, max_examples=40)
def test_maps_are_connected_closed_and_fair(kind, size, seed, symmetric):
    heights = terrain.generate(kind, size, seed, symmetric)
    # Without diagonals: then each step of the game has a way too.
    assert ndimage.label(heights == terrain.FLOOR)[1] == 1
    border = np.concatenate([heights[0], heights[-1], heights[:, 0], heights[:, -1]])
    assert (border == terrain.WALL).all()
    assert np.array_equal(heights, terrain.generate(kind, size, seed, symmetric))
    if symmetric:
        assert np.array_equal(heights, np.rot90(heights, 2))
    assert (heights == terrain.FLOOR).mean() > 0.2


@pytest.mark.parametrize("kind", MAP_KINDS)
def test_seeds_and_kinds_give_different_maps(kind):
    made = {terrain.generate(kind, 32, seed, True).tobytes() for seed in range(20)}
    assert len(made) == 20
    assert all((np.frombuffer(one, np.uint8) == terrain.LOW).any() for one in made)
    assert terrain.generate(kind, 32, 0, False).tobytes() not in made


@pytest.mark.parametrize("kind", MAP_KINDS)
def test_ways_are_shortest(kind):
    """Against scipy's breadth-first search on a graph built from the rules' words."""
    arena = maps.arena_of(Rules(map=kind, size=20, map_seed=4))
    size = arena.size
    edges = []
    for cell in arena.floor:
        for dx, dy in DIRECTIONS:
            needed = [cell + dx, cell + dy * size, cell + dx + dy * size]
            if all(arena.heights[other] == terrain.FLOOR for other in needed):
                edges.append((cell, needed[2]))
    rows, columns = zip(*edges)
    graph = csr_matrix((np.ones(len(edges)), (rows, columns)), shape=(size * size, size * size))
    steps = shortest_path(graph, unweighted=True)
    for target in arena.floor[::7]:
        field = arena.field(target)
        for cell in arena.floor:
            assert field.steps[cell] == steps[cell, target]
            if cell == target:
                assert field.moves[cell] == 0
            else:
                assert field.steps[arena.neighbours[cell][field.moves[cell]]] == field.steps[cell] - 1
    wall = arena.heights.index(terrain.WALL, size + 1)
    assert arena.field(wall).steps == arena.field(arena.nearest_floor(wall)).steps


def _blocked(arena, cell, other):
    """Whether a wall lies between, by points on the line; those near an edge of a cell do not count."""
    size = arena.size
    (x, y), (to_x, to_y) = (cell % size, cell // size), (other % size, other // size)
    for share in np.linspace(0, 1, 499).tolist():
        px, py = x + share * (to_x - x) + 0.5, y + share * (to_y - y) + 0.5
        if min(px % 1, 1 - px % 1, py % 1, 1 - py % 1) > 1e-6:
            if arena.heights[int(py) * size + int(px)] == terrain.WALL:
                return True
    return False


@pytest.mark.parametrize("kind", MAP_KINDS)
def test_sight_is_what_geometry_says(kind):
    arena = maps.arena_of(Rules(map=kind, size=18, map_seed=1, sight=9, fov=100))
    size, rng = arena.size, np.random.default_rng(5)
    seen = hidden = 0
    for cell, other in rng.choice(arena.floor, (200, 2)).tolist():
        dx, dy = other % size - cell % size, other // size - cell // size
        facings = arena.view(cell)[other]
        assert (facings != 0) == (arena.view(other)[cell] != 0)
        if math.hypot(dx, dy) > 9 or _blocked(arena, cell, other):
            assert facings == 0
            hidden += 1
            continue
        seen += 1
        for facing, (fx, fy) in enumerate(DIRECTIONS):
            if math.hypot(dx, dy) >= 1.5:
                cosine = (dx * fx + dy * fy) / math.hypot(dx, dy) / math.hypot(fx, fy)
                off = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
                if abs(off - 50) > 1e-3:
                    assert (facings >> facing & 1) == (off < 50)
            else:
                assert facings >> facing & 1
    assert seen > 15 and hidden > 15


def test_lines_by_hand():
    assert maps.line(3, 0) == [(1, 0), (2, 0)]
    assert maps.line(-2, -2) == [(-1, -1)]  # through corners only
    assert maps.line(1, 2) == [(0, 1), (1, 1)]
    assert maps.line(0, 0) == []
    assert sorted(maps.line(5, 2)) == sorted((5 - x, 2 - y) for x, y in maps.line(5, 2))


@given(KINDS, st.integers(0, 1000))
@settings(deadline=None, max_examples=15)
def test_bases_and_pickups_are_fair(kind, seed):
    arena = maps.arena_of(Rules(map=kind, size=24, map_seed=seed))
    last = 24 * 24 - 1
    home, away = arena.bases
    assert sorted(last - cell for cell in home) == sorted(away) and not set(home) & set(away)
    assert {(last - spot.cell, spot.kind) for spot in arena.pickups} == set(arena.pickups)
    assert arena.field(home[0]).steps[away[0]] >= 6
    for spot in arena.pickups:
        assert arena.heights[spot.cell] == terrain.FLOOR and spot.cell not in arena.zone
    assert all(arena.heights[cell] == terrain.FLOOR for cell in arena.zone)
    assert arena.zone_centre in arena.zone


def test_many_bases_are_apart():
    arena = maps.arena_of(Rules(players=8, mode="dm"))
    assert len(arena.bases) == 8
    firsts = [base[0] for base in arena.bases]
    assert min(arena.field(one).steps[other] for one in firsts for other in firsts if one != other) >= 5


def test_more_pickups_than_room_are_refused():
    with pytest.raises(ValueError, match="no room for more"):
        for seed in range(40):
            maps.arena_of(Rules(map="corridors", size=16, pickups=40, map_seed=seed, players=8, mode="dm"))
