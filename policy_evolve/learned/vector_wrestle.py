"""Many worlds of wrestle side by side as numpy arrays: the physics of `games.wrestle.physics`, and what a disc sees.

Axes and units are those of `games.wrestle.physics`. Below, `discs` is an array of shape (worlds, 2, 6) whose last axis is
x, y, vx, vy, heading in degrees, energy; an action is a force and a turn in degrees.
"""

from __future__ import annotations

import numpy as np

from games.wrestle import physics

X, Y, VX, VY, HEADING, ENERGY = range(6)
_BOUNCES = 8
"""Bounces in a step that are worked out; two discs in an empty ring hardly have two."""
_AHEAD, _BEHIND, _SIDE = 160.0, 40.0, 100.0
"""The reach of a view."""
FEATURES = 15


def begin(starts: np.ndarray) -> np.ndarray:
    """Returns the discs at the starts with these numbers, in the order of `physics.STARTS`; the seats' places are as there."""
    worlds = [[list(disc) for disc in world.discs] for world in physics.STARTS.values()]
    return np.array(worlds, float)[starts]


def step(discs: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Returns the discs one step later, without decay and with fatigue for good, as in the engine.

    Args:
      discs: shape (worlds, 2, 6).
      actions: shape (worlds, 2, 2), within `physics.FORCE` and `physics.TURN`.
    """
    able = discs[..., ENERGY] >= 0
    force = np.where(able, actions[..., 0], 0.0)
    heading = discs[..., HEADING] + np.where(able, actions[..., 1], 0.0)
    angle = heading / 180 * np.pi
    push = force[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    place, speed = discs[..., :2].copy(), discs[..., 2:4].copy()
    left = np.full(len(discs), physics.STEP_SECONDS)
    going = np.ones(len(discs), bool)
    for _ in range(_BOUNCES):
        at = _contact(place[:, 0] - place[:, 1], speed[:, 0] - speed[:, 1])
        going &= (at >= 0) & (at < left)
        if not going.any():
            break
        spent = np.where(going, at, 0.0)
        place += speed * spent[:, None, None]
        left -= spent
        apart, closing = place[:, 0] - place[:, 1], speed[:, 0] - speed[:, 1]
        approach = (apart * closing).sum(-1)
        going &= approach < 0
        exchanged = np.where(going, approach / (apart * apart).sum(-1), 0.0)[:, None] * apart
        speed[:, 0] -= exchanged
        speed[:, 1] += exchanged
    place += speed * left[:, None, None]
    speed += push * physics.STEP_SECONDS
    size = np.linalg.norm(speed, axis=-1)
    speed *= np.minimum(1.0, physics.MAX_SPEED / np.maximum(size, 1e-12))[..., None]
    size = np.linalg.norm(speed, axis=-1)
    work = np.abs(force) * size / physics.WORK_DIVISOR
    energy = discs[..., ENERGY] - (work - physics.RECOVERY) * physics.STEP_SECONDS
    energy = np.where(energy < 0, physics.FATIGUED, np.minimum(energy, physics.MAX_ENERGY))
    energy = np.where(able, energy, discs[..., ENERGY])
    return np.concatenate([place, speed, heading[..., None], energy[..., None]], axis=-1)


def _contact(apart: np.ndarray, closing: np.ndarray) -> np.ndarray:
    """The time until the discs of each world touch, -1 for never; see `physics._contact`."""
    speed2 = (closing * closing).sum(-1)
    safe = np.where(speed2 > 0, speed2, 1.0)
    half = (apart * closing).sum(-1) / safe
    rest = ((apart * apart).sum(-1) - 4 * physics.DISC_RADIUS**2) / safe
    discriminant = half * half - rest
    at = -half - np.sqrt(np.maximum(discriminant, 0.0))
    return np.where((speed2 == 0) | (discriminant < 0), -1.0, at)


def out(discs: np.ndarray) -> np.ndarray:
    """Says of each disc whether it touches the ring's line; shape (worlds, 2)."""
    away = np.linalg.norm(discs[..., :2] - np.array(physics.CENTRE), axis=-1)
    return np.abs(away - physics.RING_RADIUS) <= physics.DISC_RADIUS


class Senses:
    """What the first disc of each world sees and remembers, as features.

    The features, of which lengths are divided by 200, speeds by 100 and the energy by 1000: own velocity (ahead, right); the
    ring's centre (ahead, right); how near the line is, and how fast it comes near; whether the other disc is in view, its place
    (ahead, right) and velocity (ahead, right), as last seen; the steps since then, divided by 50, 1 at most; the energy; the
    share of the match that is over; whether it is fatigued.

    Args:
      worlds: how many.
    """

    def __init__(self, worlds: int):
        self._place = np.zeros((worlds, 2))
        self._speed = np.zeros((worlds, 2))
        self._age = np.full(worlds, 50.0)

    def forget(self, which: np.ndarray) -> None:
        """Starts anew in the worlds that a mask names."""
        self._place[which], self._speed[which], self._age[which] = 0.0, 0.0, 50.0

    def see(self, discs: np.ndarray) -> None:
        """Takes in what is in view after a step."""
        own, other = discs[:, 0], discs[:, 1]
        place = turned(other[:, :2] - own[:, :2], own[:, HEADING])
        visible = (place[:, 0] < _AHEAD) & (place[:, 0] > -_BEHIND) & (np.abs(place[:, 1]) < _SIDE)
        self._place = np.where(visible[:, None], other[:, :2], self._place)
        self._speed = np.where(visible[:, None], other[:, 2:4], self._speed)
        self._age = np.where(visible, 0.0, self._age + 1)

    def features(self, discs: np.ndarray, steps: np.ndarray) -> np.ndarray:
        """Returns the features, shape (worlds, FEATURES)."""
        own = discs[:, 0]
        heading = own[:, HEADING]
        velocity = turned(own[:, 2:4], heading)
        centre = turned(np.array(physics.CENTRE) - own[:, :2], heading)
        away = np.linalg.norm(centre, axis=-1)
        room = physics.RING_RADIUS - physics.DISC_RADIUS - away
        outwards = -(velocity * centre).sum(-1) / np.maximum(away, 1e-6)
        known = (self._age < 50)[:, None]
        place = np.where(known, turned(self._place - own[:, :2], heading), 0.0)
        speed = np.where(known, turned(self._speed, heading), 0.0)
        return np.column_stack(
            [
                velocity / 100,
                centre / 200,
                room / 200,
                outwards / 100,
                self._age == 0,
                place / 200,
                speed / 100,
                np.minimum(self._age / 50, 1.0),
                np.maximum(own[:, ENERGY], 0.0) / physics.MAX_ENERGY,
                steps / physics.MAX_STEPS,
                own[:, ENERGY] < 0,
            ]
        ).astype(np.float32)


def turned(vectors: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """Returns vectors in fixed axes as (ahead, right) of a heading."""
    angle = heading / 180 * np.pi
    cos, sin = np.cos(angle), np.sin(angle)
    return np.column_stack(
        [vectors[:, 0] * cos + vectors[:, 1] * sin, vectors[:, 1] * cos - vectors[:, 0] * sin]
    )
