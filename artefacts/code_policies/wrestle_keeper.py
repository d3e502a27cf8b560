"""Scripted wrestler: keeps to the middle, faces the other disc and pushes it once it is close."""

import math

BRAKE_ROOM = 30.0
"""Units before the line at which a disc that glides outwards brakes."""


def look(observation):
    """Returns the points of the ring's line and of the other disc, each (ahead, right) in units."""
    foe_code = 8 if observation["id"] == "team_0" else 10
    line, foe = [], []
    for i, row in enumerate(observation["agent_obs"]):
        for code, points in ((1, line), (foe_code, foe)):
            if code in row:
                columns = [j for j, seen in enumerate(row) if seen == code]
                points.extend((157.5 - 5 * i, 5 * j - 97.5) for j in columns)
    return line, foe


def middle(points):
    """Returns the mean of some points, None of none."""
    if not points:
        return None
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def track_heading(observation, memory):
    """Returns the own heading in degrees, from what the last force changed in the speed."""
    speed = observation["speed"]
    if "heading" not in memory:
        memory["heading"] = 90.0 if observation["id"] == "team_0" else -90.0
    else:
        change = speed[0] - memory["speed"][0], speed[1] - memory["speed"][1]
        size, force = math.hypot(*change), memory["force"]
        if abs(force) >= 40 and abs(size - 0.1 * abs(force)) < 1.0:
            memory["heading"] = math.degrees(math.atan2(change[1], change[0])) + (180 if force < 0 else 0)
    memory["speed"] = list(speed)
    return memory["heading"]


def own_velocity(observation, memory):
    """Returns the own velocity as (ahead, right)."""
    angle = math.radians(track_heading(observation, memory))
    x, y = observation["speed"]
    return x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)


def answer(memory, force, turn):
    """Notes down an action, within its bounds, and returns it."""
    force, turn = max(-100.0, min(200.0, force)), max(-30.0, min(30.0, turn))
    memory["heading"] += turn
    memory["force"] = force
    return [force, turn]


def after_turn(bearing):
    """Returns the part of a push that goes the wanted way once a step's turn is made."""
    return max(0.0, math.cos(math.radians(max(0.0, abs(bearing) - 30))))


def towards(velocity, wanted):
    """Returns force and turn that change a velocity to a wanted one, both (ahead, right)."""
    ahead, right = wanted[0] - velocity[0], wanted[1] - velocity[1]
    bearing, size = math.degrees(math.atan2(right, ahead)), math.hypot(ahead, right)
    if abs(bearing) > 120:
        bearing = bearing - 180 if bearing > 0 else bearing + 180
        return -10 * size * after_turn(bearing), bearing
    return 10 * size * after_turn(bearing), bearing


def escape(line, velocity):
    """Returns the action that brings a disc back from the line, None where there is no danger."""
    if not line:
        return None
    nearest = min(line, key=lambda p: p[0] * p[0] + p[1] * p[1])
    distance = math.hypot(*nearest) + 1e-9
    out = nearest[0] / distance, nearest[1] / distance
    outwards = velocity[0] * out[0] + velocity[1] * out[1]
    room = distance - 22.0
    if room > BRAKE_ROOM + max(0.0, outwards) ** 2 / 25:
        return None
    if outwards < -25:
        return None
    return towards(velocity, (-60 * out[0], -60 * out[1]))


CLOSE = 75.0
"""Distance of the other disc in units from which on it is pushed."""


def centre(line):
    """Returns where the ring's centre is, by the nearest point of the line; None without one."""
    if not line:
        return None
    nearest = min(line, key=lambda p: p[0] * p[0] + p[1] * p[1])
    distance = math.hypot(*nearest) + 1e-9
    return nearest[0] * (1 - 200 / distance), nearest[1] * (1 - 200 / distance)


def act(observation, memory):
    line, foe = look(observation)
    velocity = own_velocity(observation, memory)
    saved = escape(line, velocity)
    if saved:
        return answer(memory, *saved)
    target = middle(foe)
    if target is not None and math.hypot(*target) < CLOSE:
        distance = math.hypot(*target)
        ram = 80 * target[0] / distance, 80 * target[1] / distance
        return answer(memory, *towards(velocity, ram))
    home = centre(line)
    if home is not None and math.hypot(*home) > 70:
        distance = math.hypot(*home)
        return answer(memory, *towards(velocity, (40 * home[0] / distance, 40 * home[1] / distance)))
    if math.hypot(*velocity) > 10:
        return answer(memory, *towards(velocity, (0.0, 0.0)))
    turn = 25 if target is None else math.degrees(math.atan2(target[1], target[0]))
    return answer(memory, 0, turn)
