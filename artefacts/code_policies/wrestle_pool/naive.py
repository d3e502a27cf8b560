"""Sumo policy: know where you are, ram the opponent outwards, always be able to brake.

Vectors are complex numbers. In the arena: x + y*1j (y down). Seen from the disc:
ahead + right*1j. A body vector times direction(heading) is the arena vector.
"""
import math

GREEN, GREY, BLUE, RED = 1, 4, 8, 10
PIXEL, DISC_RADIUS, RING_RADIUS, OUT_RADIUS = 5.0, 20.0, 200.0, 180.0
AHEAD_MAX, AHEAD_MIN, SIDE_MAX = 157.5, -37.5, 97.5
VIEW_MARGIN = 12.0
MIN_DISC_PIXELS = 3

TIME_STEP, FORCE_GAIN, SPEED_LIMIT = 0.1, 0.1, 100.0
FORCE_MIN, FORCE_MAX, TURN_MAX, RIGHT_ANGLE = -100.0, 200.0, 30.0, 90.0
ENERGY_COST, ENERGY_GAIN = 500.0, 20.0
ATTACK_RESERVE, BRAKE_RESERVE = 100.0, 40.0
TINY = 1e-6

CALIBRATION_FORCE, CALIBRATION_ERROR = 50.0, 0.05
BUMP_SPEED = 2.0
CENTRE_START, OUTER_START = 30.0, 140.0
FIT_STARTS, FIT_ROUNDS, FIT_DAMPING, FIT_PIXELS = 8, 10, 2.0, 12
TRACK_GAIN, TRACK_DAMPING, LOST_MISFIT = 0.3, 10.0, 20.0
CROSS_GAIN, CROSS_REACH, CROSS_PIXELS = 0.2, 12.0, 6

FOE_PLACE_GAIN, FOE_SPEED_GAIN, FOE_JUMP = 0.6, 0.25, 25.0
FOE_FADE, FOE_MAX_RADIUS, FOE_STALE_STEPS = 0.95, 165.0, 3

RAM_SPEED, HUNT_SPEED, FACE_WEIGHT = 95.0, 80.0, 40.0
INNER_OFFSET, INNER_FULL_RADIUS = 20.0, 100.0
SHOULDER_OFFSET, PRESSED_RADIUS, PRESSED_DISTANCE = 28.0, 110.0, 120.0
PRESSED_SPEED, INWARD_COSINE = 25.0, 0.5
SEARCH_RATE, SEARCH_SPEED = 0.4, 40.0
RETURN_SPEED, REVERSE_ANGLE = 20.0, 105.0
SAFE_RADIUS, CALM_SPEED, LOOKAHEAD = 172.0, 40.0, 14


def clamp(value, low, high):
    """Limit value to the range from low to high."""
    return max(low, min(high, value))


def wrap(angle):
    """Bring an angle in degrees into -180..180, so that turns take the short way."""
    return (angle + 180.0) % 360.0 - 180.0


def direction(angle):
    """Unit vector of an angle in degrees, clockwise from +x since y points down."""
    radians = math.radians(angle)
    return complex(math.cos(radians), math.sin(radians))


def angle_of(vector):
    """Angle of a vector in degrees."""
    return math.degrees(math.atan2(vector.imag, vector.real))


def dot(first, second):
    """Scalar product of two vectors."""
    return first.real * second.real + first.imag * second.imag


def unit(vector):
    """Vector of length one; +x stands in for a vector that has no direction."""
    length = abs(vector)
    return vector / length if length > TINY else complex(1.0, 0.0)


def shorten(vector, longest):
    """Scale a vector down to a largest length, as the arena does with speeds."""
    length = abs(vector)
    return vector * (longest / length) if length > longest else vector


def read_map(rows):
    """Collect the body vectors of all coloured pixels, by colour."""
    points = {GREEN: [], GREY: [], BLUE: [], RED: []}
    for i, row in enumerate(rows):
        ahead = AHEAD_MAX - PIXEL * i
        for j, code in enumerate(row):
            if code in points:
                points[code].append(complex(ahead, PIXEL * j - SIDE_MAX))
    return points


def axis_centre(values, low_edge, high_edge):
    """Centre of a disc on one axis; if the map's edge cuts it, its far rim tells."""
    low, high = min(values), max(values)
    reach = DISC_RADIUS - PIXEL / 2
    if low <= low_edge:
        return high - reach
    if high >= high_edge:
        return low + reach
    return sum(values) / len(values)


def disc_centre(points):
    """Body vector of the opponent's centre, or None while it is out of sight."""
    if len(points) < MIN_DISC_PIXELS:
        return None
    ahead = axis_centre([point.real for point in points], AHEAD_MIN, AHEAD_MAX)
    right = axis_centre([point.imag for point in points], -SIDE_MAX, SIDE_MAX)
    return complex(ahead, right)


def update_heading(memory, velocity):
    """Keep the heading and return the velocity change that only a collision explains.

    Our own force changes the velocity exactly along the heading. So a change of just
    the expected size reveals the heading; otherwise the last turn is added to it.
    """
    if "move" not in memory:
        return 0j
    force, turn = memory["move"]
    change = velocity - memory["velocity"]
    size_error = abs(abs(change) - abs(force) * FORCE_GAIN)
    if abs(force) >= CALIBRATION_FORCE and size_error < CALIBRATION_ERROR:
        memory["heading"] = angle_of(change if force > 0 else -change)
        return 0j
    if "heading" not in memory:
        return 0j
    memory["heading"] = wrap(memory["heading"] + turn)
    gained = force * FORCE_GAIN * direction(memory["heading"])
    return velocity - shorten(memory["velocity"] + gained, SPEED_LIMIT)


def misfit(place, rim):
    """Mean distance of the seen rim pixels from the ring, if we were at place."""
    return sum(abs(abs(place + offset) - RING_RADIUS) for offset in rim) / len(rim)


def refine(place, rim, gain, damping):
    """One damped least-squares step that moves place so that the rim fits the ring."""
    xx, xy, yy, pull = damping, 0.0, damping, 0j
    for offset in rim:
        point = place + offset
        distance = max(abs(point), TINY)
        normal = point / distance
        xx += normal.real * normal.real
        xy += normal.real * normal.imag
        yy += normal.imag * normal.imag
        pull += (distance - RING_RADIUS) * normal
    step_x = yy * pull.real - xy * pull.imag
    step_y = xx * pull.imag - xy * pull.real
    return place - gain * complex(step_x, step_y) / (xx * yy - xy * xy)


def locate(rim, fallback):
    """Find our place from the rim alone, by fits from several starts all around."""
    fits = []
    for k in range(FIT_STARTS):
        place = OUTER_START * direction(k * 360.0 / FIT_STARTS)
        for _ in range(FIT_ROUNDS):
            place = refine(place, rim, 1.0, FIT_DAMPING)
        if abs(place) < OUT_RADIUS:
            fits.append(place)
    return min(fits, key=lambda place: misfit(place, rim), default=fallback)


def cross_error(place, marks):
    """Offset of the grey cross from the axes: it shows our error near the centre."""
    points = [place + mark for mark in marks]
    across = [point.real for point in points if abs(point.real) < CROSS_REACH]
    down = [point.imag for point in points if abs(point.imag) < CROSS_REACH]
    error_x = sum(across) / len(across) if len(across) >= CROSS_PIXELS else 0.0
    error_y = sum(down) / len(down) if len(down) >= CROSS_PIXELS else 0.0
    return complex(error_x, error_y)


def update_position(memory, velocity, push, points, start):
    """Keep our place: dead reckoning is exact but for collisions, the map corrects it.

    The opponent's place is moved along, since it was measured from ours.
    """
    facing = direction(memory["heading"])
    rim = [point * facing for point in points[GREEN]]
    is_first = "place" not in memory
    guess = start
    if not is_first:
        flow = memory["velocity"]
        if abs(push) > BUMP_SPEED:
            flow = (flow + velocity) / 2
        guess = memory["place"] + flow * TIME_STEP
    place = guess
    if len(rim) >= FIT_PIXELS and (is_first or misfit(place, rim) > LOST_MISFIT):
        place = locate(rim, place)
    place = refine(place, rim, TRACK_GAIN, TRACK_DAMPING)
    place -= CROSS_GAIN * cross_error(place, [point * facing for point in points[GREY]])
    memory["place"] = place
    if "foe" in memory:
        memory["foe"] += place - guess


def update_opponent(memory, push, foe_offset):
    """Predict the opponent, then correct by sight; unseen, it first counts as opposite.

    In a collision it loses the very velocity that we gain.
    """
    if "foe" not in memory:
        memory.update(foe=-memory["place"], foe_velocity=0j, sightings=0, unseen=0, lost=False)
    if abs(push) > BUMP_SPEED:
        memory["foe_velocity"] -= push
    memory["foe"] += memory["foe_velocity"] * TIME_STEP
    if foe_offset is None:
        miss_opponent(memory)
        return
    seen = memory["place"] + foe_offset * direction(memory["heading"])
    error = seen - memory["foe"]
    if memory["sightings"] == 0 or abs(error) > FOE_JUMP:
        memory.update(foe=seen, foe_velocity=0j, sightings=0)
    else:
        gain = max(FOE_SPEED_GAIN, 1.0 / (1.0 + memory["sightings"]))
        speed = memory["foe_velocity"] + error * (gain / TIME_STEP)
        memory["foe_velocity"] = shorten(speed, SPEED_LIMIT)
        memory["foe"] += FOE_PLACE_GAIN * error
    memory["sightings"] += 1
    memory.update(unseen=0, lost=False)


def miss_opponent(memory):
    """Let the unseen opponent's track fade; it is lost if it should be on the map."""
    memory["unseen"] += 1
    if memory["unseen"] > FOE_STALE_STEPS:
        memory["sightings"] = 0
    memory["foe_velocity"] *= FOE_FADE
    memory["foe"] = shorten(memory["foe"], FOE_MAX_RADIUS)
    facing = direction(memory["heading"])
    body = (memory["foe"] - memory["place"]) * facing.conjugate()
    in_length = AHEAD_MIN + VIEW_MARGIN < body.real < AHEAD_MAX - VIEW_MARGIN
    if in_length and abs(body.imag) < SIDE_MAX - VIEW_MARGIN:
        memory["lost"] = True


def steer(heading, facing, change):
    """Turn towards facing and push by what serves the wanted velocity change."""
    turn = clamp(wrap(angle_of(facing) - heading), -TURN_MAX, TURN_MAX)
    force = dot(change, direction(heading + turn)) / FORCE_GAIN
    return clamp(force, FORCE_MIN, FORCE_MAX), turn


def brake_move(place, velocity, heading):
    """Stop and drift inwards: forwards with full force, or backwards if that is nearer."""
    change = -RETURN_SPEED * unit(place) - velocity
    facing = change
    if abs(wrap(angle_of(change) - heading)) > REVERSE_ANGLE:
        facing = -change
    return steer(heading, facing, change)


def stays_inside(place, velocity, heading, move):
    """Tell whether braking right after this move would still keep us in the ring."""
    for _ in range(LOOKAHEAD):
        force, turn = move
        heading += turn
        place += velocity * TIME_STEP
        velocity = shorten(velocity + force * FORCE_GAIN * direction(heading), SPEED_LIMIT)
        if abs(place) > SAFE_RADIUS:
            return False
        if abs(velocity) < CALM_SPEED and dot(velocity, place) <= 0:
            return True
        move = brake_move(place, velocity, heading)
    return True


def aim_point(memory, velocity):
    """Choose where to hit: on the inner side, so that the blow drives it outwards.

    If it presses us towards the near line with more momentum than ours, aim past its
    shoulder instead: a glancing contact passes on less speed and lets us slip inside.
    """
    place, foe, foe_velocity = memory["place"], memory["foe"], memory["foe_velocity"]
    toward = unit(foe - place)
    is_inside_us = -dot(toward, unit(place)) > INWARD_COSINE
    is_stronger = -dot(velocity + foe_velocity, toward) > PRESSED_SPEED
    is_near = abs(foe - place) < PRESSED_DISTANCE and abs(place) > PRESSED_RADIUS
    if is_inside_us and is_stronger and is_near:
        shoulder = toward * 1j
        if dot(velocity - foe_velocity, shoulder) < 0:
            shoulder = -shoulder
        return foe + SHOULDER_OFFSET * shoulder
    return foe - INNER_OFFSET * min(1.0, abs(foe) / INNER_FULL_RADIUS) * unit(foe)


def attack_move(memory, velocity):
    """Ram: fast along the line to the aim, matching the opponent's sideways motion.

    We keep facing the opponent, as the forward force is twice the backward one.
    """
    toward = unit(aim_point(memory, velocity) - memory["place"])
    foe_velocity = memory["foe_velocity"]
    drift = foe_velocity - dot(foe_velocity, toward) * toward
    speed = RAM_SPEED if memory["unseen"] == 0 else HUNT_SPEED
    change = shorten(speed * toward + drift, SPEED_LIMIT) - velocity
    along = dot(change, toward)
    across = change - along * toward
    facing = max(along, FACE_WEIGHT) * toward + across
    return steer(memory["heading"], facing, change)


def search_move(memory, velocity):
    """Spin to look all around while drifting to the centre, where most is in view."""
    heading = memory["heading"]
    change = shorten(-SEARCH_RATE * memory["place"], SEARCH_SPEED) - velocity
    return steer(heading, direction(heading + TURN_MAX), change)


def affordable(force, velocity, energy, reserve):
    """Limit a force so that energy does not fall below the reserve: fatigue is final."""
    speed = abs(velocity) + abs(force) * FORCE_GAIN
    budget = ENERGY_GAIN + max(0.0, energy - reserve)
    limit = budget * ENERGY_COST / max(speed, 1.0)
    return clamp(force, -limit, limit)


def choose_move(memory, velocity, energy):
    """Attack, or search if the opponent is lost; brake if that would lead out."""
    place, heading = memory["place"], memory["heading"]
    plan = search_move if memory["lost"] else attack_move
    force, turn = plan(memory, velocity)
    force = affordable(force, velocity, energy, ATTACK_RESERVE)
    if stays_inside(place, velocity, heading, (force, turn)):
        return force, turn
    force, turn = brake_move(place, velocity, heading)
    return affordable(force, velocity, energy, BRAKE_RESERVE), turn


def move_by_sight(rim, foe_offset):
    """Before the heading is known: push to the opponent, or else away from the rim.

    The push also reveals the heading at the next call.
    """
    target = complex(1.0, 0.0)
    if foe_offset is not None:
        target = foe_offset
    elif rim:
        target = -sum(rim) / len(rim)
    bearing = angle_of(target)
    turn = clamp(bearing, -TURN_MAX, TURN_MAX)
    return (FORCE_MAX if abs(bearing - turn) < RIGHT_ANGLE else FORCE_MIN), turn


def act(observation, memory):
    """Read the map, update what is known and answer with [force, turn]."""
    energy = float(observation["energy"])
    if energy < 0:
        return [0.0, 0.0]
    points = read_map(observation["agent_obs"])
    is_red = observation["id"] == "team_0"
    foe_offset = disc_centre(points[BLUE if is_red else RED])
    speed = observation["speed"]
    velocity = complex(float(speed[0]), float(speed[1]))
    push = update_heading(memory, velocity)
    if "heading" in memory:
        radius = OUTER_START if foe_offset is None else CENTRE_START
        start = complex(0.0, -radius if is_red else radius)
        update_position(memory, velocity, push, points, start)
        update_opponent(memory, push, foe_offset)
        force, turn = choose_move(memory, velocity, energy)
    else:
        force, turn = move_by_sight(points[GREEN], foe_offset)
    memory["velocity"] = velocity
    memory["move"] = (force, turn)
    return [force, turn]
