"""The moment at which a match of wrestle was decided, found by a search on the simulator.

From the end backwards, each step is tried: is there an action that would have kept the loser in the ring, if the opponent
had done what it did, and the loser after it had done its best to stay in? The last such step is the moment; whatever the
loser did after it, it was lost. The opponent does not answer to the change, so that this is a lower bound of what was
still possible against its real program, and a hint rather than a proof.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from games.wrestle import physics
from games.wrestle.engine import Rules

Controls = tuple[float, float]
MOST_BACK = 120
"""The most steps before the end that are looked at."""
BEYOND = 12
"""Steps after the match's end for which the loser must stay in; the opponent repeats its last action."""
_FORCES = (200.0, -100.0, 0.0, 100.0)
_TURNS = (0.0, 30.0, -30.0, 15.0, -15.0)
ACTIONS = tuple((force, turn) for force in _FORCES for turn in _TURNS)
HELD = (1, 4, 10)
"""For so many steps an action is held before the loser flees."""


class Moment(NamedTuple):
    """The last moment at which the loser could have stayed in.

    Attributes:
      step: number of the step, from 1.
      played: the loser's action then.
      saving: an action that would have kept it in, held for `held` steps.
    """

    step: int
    played: Controls
    saving: Controls
    held: int


def fleeing(disc: physics.Disc) -> Controls:
    """Returns the action that brings a disc back to the centre: away from the line first, then against its speed."""
    dx, dy = physics.CENTRE[0] - disc.x, physics.CENTRE[1] - disc.y
    distance = math.hypot(dx, dy) + 1e-9
    wanted_x, wanted_y = 0.6 * dx - disc.vx, 0.6 * dy - disc.vy
    if distance > 120:
        wanted_x, wanted_y = wanted_x + 60 * dx / distance, wanted_y + 60 * dy / distance
    away = math.degrees(math.atan2(wanted_y, wanted_x)) - disc.heading
    away = (away + 180) % 360 - 180
    backwards = abs(away) > 115
    if backwards:
        away = (away + 360) % 360 - 180
    turn = max(physics.TURN[0], min(physics.TURN[1], away))
    reached = math.cos(math.radians(away - turn))
    force = 10 * math.hypot(wanted_x, wanted_y) * max(reached, 0.0)
    return (-min(100.0, force), turn) if backwards else (min(200.0, force), turn)


def decided(
    worlds: Sequence[physics.World], course: Sequence[Sequence[Controls]], loser: int, rules: Rules
) -> Moment | None:
    """Returns the moment at which a match was decided, None where no action is found in its last `MOST_BACK` steps.

    Args:
      worlds: before each step, and after the last one, after which `loser` alone is out.
      course: the joint action of each step.
      loser: the player who lost.
      rules: the match's.
    """
    for index in range(len(course) - 1, max(len(course) - 1 - MOST_BACK, -1), -1):
        for held in HELD:
            for action in ACTIONS:
                if _stays(worlds[index], course[index:], loser, rules, action, held):
                    return Moment(index + 1, tuple(course[index][loser]), action, held)
    return None


def _stays(
    world: physics.World,
    course: Sequence[Sequence[Controls]],
    loser: int,
    rules: Rules,
    action: Controls,
    held: int,
) -> bool:
    for number in range(len(course) + BEYOND):
        other = course[min(number, len(course) - 1)][1 - loser]
        own = action if number < held else fleeing(world.discs[loser])
        joint = (own, other) if loser == 0 else (other, own)
        world = physics.step(world, joint, rules.decay, rules.permanent_fatigue)
        if physics.is_out(world.discs[loser]):
            return False
        if physics.is_out(world.discs[1 - loser]):
            return True
    return True
