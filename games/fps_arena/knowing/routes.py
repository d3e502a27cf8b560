"""The next step on a map: around obstacles, away from a threat, into cover, or by a flank."""

from __future__ import annotations

import heapq
from collections.abc import Collection

from games.fps_arena.rules.maps import FAR, Arena
from games.fps_arena.rules.orders import STAY
from games.fps_arena.rules.setting import Setting

_COVER_STEPS = 8
_SEEN_COST = 5
"""The cost of a step in sight of the target on a flank, in hidden steps."""
_CLOSE = 6
"""The distance from the target, in steps, at which a flank ends and the straight way begins."""


def towards(arena: Arena, cell: int, target: int, obstacles: Collection[int]) -> int:
    """Returns the move on a shortest way from a cell to a target, by a neighbour that is not an obstacle."""
    field = arena.field(target)
    move = field.moves[cell]
    ways = arena.neighbours[cell]
    if not move or ways[move] not in obstacles:
        return move
    if field.steps[cell] == 1:
        return STAY
    free = [
        (field.steps[there], option)
        for option, there in enumerate(ways)
        if option and there >= 0 and there not in obstacles
    ]
    steps, option = min(free, default=(FAR, STAY))
    # A longer way round is worth a step to the side, not one back: the soldier in the way may move on.
    return option if steps <= field.steps[cell] else STAY


def away(arena: Arena, cell: int, threat: int, obstacles: Collection[int]) -> int:
    """Returns the move to the neighbour that is most steps away from a threat, and of those the farthest."""
    steps, size = arena.field(threat).steps, arena.size

    def worth(there: int) -> tuple[int, int]:
        return steps[there], (there % size - threat % size) ** 2 + (there // size - threat // size) ** 2

    ways = arena.neighbours[cell]
    return max(
        (move for move, there in enumerate(ways) if not move or (there >= 0 and there not in obstacles)),
        key=lambda move: worth(ways[move]),
    )


def cover(setting: Setting, cell: int, shooter: int) -> int | None:
    """Returns the nearest cell, up to 8 steps away, that `shooter` does not see or that low cover protects
    from it; of several the one farthest from the shooter. None if there is none.
    """
    known = setting.covers
    if (cell, shooter) not in known:
        known[cell, shooter] = _nearest_cover(setting, cell, shooter)
    return known[cell, shooter]


def _nearest_cover(setting: Setting, cell: int, shooter: int) -> int | None:
    arena = setting.arena
    seen = arena.view(arena.nearest_floor(shooter))
    ring, reached = [cell], {cell}
    for _ in range(_COVER_STEPS + 1):
        safe = [there for there in ring if not seen[there] or setting.covered(shooter, there)]
        if safe:
            return max(safe, key=lambda there: (setting.squared(there, shooter), -there))
        following = []
        for here in ring:
            for there in arena.neighbours[here]:
                if there >= 0 and there not in reached:
                    reached.add(there)
                    following.append(there)
        ring = following
    return None


def flank(setting: Setting, cell: int, target: int, obstacles: Collection[int]) -> int:
    """Returns the move on a way to a target on which steps in its sight count several times.

    The way leads to the block of 4 by 4 cells that the target is in, and from near there straight on.
    """
    arena = setting.arena
    if arena.field(target).steps[cell] <= _CLOSE:
        return towards(arena, cell, target, obstacles)
    rough = arena.nearest_floor(setting.blocks[target])
    moves = setting.flanks.get(rough)
    if moves is None:
        moves = setting.flanks[rough] = _hidden_ways(arena, rough)
    move = moves[cell]
    return (
        towards(arena, cell, target, obstacles)
        if (not move or arena.neighbours[cell][move] in obstacles)
        else move
    )


def _hidden_ways(arena: Arena, target: int) -> bytes:
    """Returns for each cell the move on the way to `target` that is least in its sight (Dijkstra 1959)."""
    seen = arena.view(target)
    cost = {target: 0}
    moves = bytearray(len(arena.heights))
    queue = [(0, target)]
    while queue:
        done, cell = heapq.heappop(queue)
        if done > cost[cell]:
            continue
        for move, there in enumerate(arena.neighbours[cell]):
            if move and there >= 0:
                reached = done + (_SEEN_COST if seen[there] else 1)
                if reached < cost.get(there, FAR):
                    cost[there] = reached
                    moves[there] = (move + 3) % 8 + 1  # back to where it came from
                    heapq.heappush(queue, (reached, there))
    return bytes(moves)
