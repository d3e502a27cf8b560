"""Physics of wrestle: two elastic discs in a ring, pushed by their players.

The game is the JIDI platform's "olympics-wrestling", the task of PolicyEvolve (Lv et al. 2025, section
3.1).
Screen coordinates: x to the right, y down; headings in degrees from +x towards +y, never wrapped. Lengths
are in units of the ring's drawing (radius 200), time in units of ten steps.

Plain Python 3.9 without imports beyond the standard library, so that PyPy runs it too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

CENTRE = (300.0, 350.0)
RING_RADIUS = 200.0
DISC_RADIUS = 20.0
STEP_SECONDS = 0.1
MAX_SPEED = 100.0
MAX_ENERGY = 1000.0
FATIGUED = -1.0
"""The energy of a disc that has used it up."""
RECOVERY = 200.0
"""The energy per unit of time."""
WORK_DIVISOR = 50.0
"""Force times speed, divided by this, is the energy spent per unit of time."""
FORCE = (-100.0, 200.0)
TURN = (-30.0, 30.0)
"""The bounds of an action: force, and turn in degrees."""
MAX_STEPS = 500

_MOST_BOUNCES = 64


class Disc(NamedTuple):
    """One player's disc: position, velocity, heading in degrees, energy from 0 to 1000 or `FATIGUED`."""

    x: float
    y: float
    vx: float
    vy: float
    heading: float
    energy: float


class World(NamedTuple):
    """The discs of player 0 and player 1, and the number of steps made. Immutable: may be shared."""

    discs: tuple[Disc, Disc]
    steps: int

    def __deepcopy__(self, memo: object) -> World:
        return self


START = World(
    (Disc(300.0, 200.0, 0.0, 0.0, 90.0, MAX_ENERGY), Disc(300.0, 500.0, 0.0, 0.0, -90.0, MAX_ENERGY)), 0
)
"""Both face the centre, 30 units away from the band in which a disc is out."""
STARTS = {
    "standard": START,
    "middle": World(
        (Disc(300.0, 320.0, 0.0, 0.0, 90.0, MAX_ENERGY), Disc(300.0, 380.0, 0.0, 0.0, -90.0, MAX_ENERGY)), 0
    ),
    "rim": World(
        (Disc(440.0, 310.0, 0.0, 0.0, 90.0, MAX_ENERGY), Disc(440.0, 390.0, 0.0, 0.0, -90.0, MAX_ENERGY)), 0
    ),
}
"""The starts by name. `middle`: face to face around the centre, 20 units between their edges. `rim`: face to face along the
ring's line, 34 units from being out, 40 between their edges. A half-turn or a mirror exchanges the two players in each of
them, so that none favours a side."""


def _drive(disc: Disc, action: Sequence[float]) -> tuple[float, float, float]:
    """Returns the heading after the turn, and the acceleration; a fatigued disc does neither."""
    heading = disc.heading
    if disc.energy < 0:
        return heading, 0.0, 0.0
    force, turn = action
    heading += turn
    angle = heading / 180 * math.pi
    return heading, force * math.cos(angle), force * math.sin(angle)


def _contact(px: float, py: float, wx: float, wy: float) -> float:
    """Returns the time until discs touch whose centres differ by (px, py), and velocities by (wx, wy); -1 for
    never.

    A time before now stands for never too: discs that overlap pass through one another.
    """
    speed2 = wx * wx + wy * wy
    if speed2 == 0:
        return -1.0
    half = (px * wx + py * wy) / speed2
    rest = (px * px + py * py - 4 * DISC_RADIUS * DISC_RADIUS) / speed2
    discriminant = half * half - rest
    return -1.0 if discriminant < 0 else -half - math.sqrt(discriminant)


def _finish(
    x: float,
    y: float,
    vx: float,
    vy: float,
    heading: float,
    ax: float,
    ay: float,
    energy: float,
    permanent_fatigue: bool,
) -> Disc:
    """Caps the speed, then accounts for the energy, which follows from the speed after the cap."""
    speed = math.sqrt(vx * vx + vy * vy)
    if speed > MAX_SPEED:
        vx *= MAX_SPEED / speed
        vy *= MAX_SPEED / speed
        speed = math.sqrt(vx * vx + vy * vy)
    if energy >= 0 or not permanent_fatigue:
        work = math.sqrt(ax * ax + ay * ay) * speed / WORK_DIVISOR
        energy -= (work - RECOVERY) * STEP_SECONDS
        if energy < 0:
            energy = FATIGUED
        elif energy > MAX_ENERGY:
            energy = MAX_ENERGY
    return Disc(x, y, vx, vy, heading, energy)


def step(
    world: World, actions: Sequence[Sequence[float]], decay: float = 1.0, permanent_fatigue: bool = True
) -> World:
    """Returns the world one step later.

    Args:
      world: before the step.
      actions: (force, turn) of each player, within `FORCE` and `TURN`; that of a fatigued one is ignored.
      decay: the velocity is multiplied by this before a step's acceleration is added. The engine has 1,
        the paper says .98.
      permanent_fatigue: as in the engine a disc whose energy is used up only coasts for the rest of the
        match. False is the paper's plain reading: it recovers like any other, and so acts again one step
        later.
    """
    first, second = world.discs
    heading0, ax0, ay0 = _drive(first, actions[0])
    heading1, ax1, ay1 = _drive(second, actions[1])
    x0, y0, vx0, vy0 = first.x, first.y, first.vx, first.vy
    x1, y1, vx1, vy1 = second.x, second.y, second.vx, second.vy
    left = STEP_SECONDS
    for _ in range(_MOST_BOUNCES):
        at = _contact(x0 - x1, y0 - y1, vx0 - vx1, vy0 - vy1)
        if not 0 <= at < left:
            break
        x0 += vx0 * at
        y0 += vy0 * at
        x1 += vx1 * at
        y1 += vy1 * at
        left -= at
        nx, ny = x0 - x1, y0 - y1
        approach = nx * (vx0 - vx1) + ny * (vy0 - vy1)
        if approach >= 0:
            break  # they slide along one another; the engine would never return
        exchanged = approach / (nx * nx + ny * ny)
        vx0 -= exchanged * nx
        vy0 -= exchanged * ny
        vx1 += exchanged * nx
        vy1 += exchanged * ny
    # The acceleration counts for the whole step, even where a bounce took part of it, and moves the disc
    # from the next step on.
    return World(
        (
            _finish(
                x0 + vx0 * left,
                y0 + vy0 * left,
                vx0 * decay + ax0 * STEP_SECONDS,
                vy0 * decay + ay0 * STEP_SECONDS,
                heading0,
                ax0,
                ay0,
                first.energy,
                permanent_fatigue,
            ),
            _finish(
                x1 + vx1 * left,
                y1 + vy1 * left,
                vx1 * decay + ax1 * STEP_SECONDS,
                vy1 * decay + ay1 * STEP_SECONDS,
                heading1,
                ax1,
                ay1,
                second.energy,
                permanent_fatigue,
            ),
        ),
        world.steps + 1,
    )


def is_out(disc: Disc) -> bool:
    """Says whether the disc touches the ring's line, from inside or outside."""
    dx, dy = disc.x - CENTRE[0], disc.y - CENTRE[1]
    return abs(math.sqrt(dx * dx + dy * dy) - RING_RADIUS) <= DISC_RADIUS


def is_over(world: World, max_steps: int = MAX_STEPS) -> bool:
    """Says whether a disc is out or all steps are made."""
    return world.steps >= max_steps or is_out(world.discs[0]) or is_out(world.discs[1])


def winner(world: World) -> int:
    """Returns the player whose opponent alone is out; -1 where there is none."""
    out = is_out(world.discs[0]), is_out(world.discs[1])
    return -1 if out[0] == out[1] else int(out[0])
