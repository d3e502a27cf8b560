"""Sumo policy: track both discs in fixed axes, compare four short plans, never glide out."""
import math

FOE_COLOUR = {"team_0": 8, "team_1": 10}
START_FACING = {"team_0": math.pi / 2, "team_1": -math.pi / 2}
BOUNDARY = 1
CELL = 5.0
FRONT, BACK, SIDE = 157.5, -37.5, 97.5  # outermost pixel centres of the map
RIM = 18.0  # from a disc's centre to its outermost pixel
STEP = 0.1
FORCE_GAIN = 0.1
TOP_SPEED = 100.0
MIN_FORCE, MAX_FORCE = -100.0, 200.0
MAX_DEGREES = 30.0
MAX_TURN = math.radians(MAX_DEGREES)
RING, OUT, SAFE, CALM = 200.0, 180.0, 174.0, 105.0  # radii
FOE_RADIUS = 177.0
CONTACT = 40.0
START_RADIUS = 150.0
# Estimation
MIN_GREEN = 6
FIT_STARTS, FIT_ROUNDS, FIT_GATE, FIT_DAMPING = 6, 6, 20.0, 1.0
PLACE_GAIN, SPEED_GAIN = 0.7, 4.0
JUMP, KNOCK, FADE = 25.0, 5.0, 0.9
SURE_ERROR, SPEED_ERROR = 0.1, 0.2
LOST_AGE, GRACE = 15, 2
CLEAR_FRONT, CLEAR_BACK, CLEAR_SIDE = 135.0, -15.0, 75.0
# Plans: how far the way is turned from the line to the foe, as (cosine, sine)
FLANK = math.radians(75)
PLANS = {
    "charge": (1.0, 0.0),
    "right": (math.cos(FLANK), math.sin(FLANK)),
    "left": (math.cos(FLANK), -math.sin(FLANK)),
    "home": None,
}
HORIZON, COMMIT, BRAKE_STEPS = 8, 2, 16
MAX_LEAD, FOE_PUSH, FACE_PULL = 0.5, 15.0, 25.0
REVERSE_ANGLE = math.radians(110)
SMALL, TURN_ROUND, ALWAYS_REVERSE = 10.0, 40.0, 300.0
INWARD, SIDE_BRAKE, SEARCH_HOME = 40.0, 0.5, 0.5
# Worth of a predicted end
DEFEAT, LATER, HABIT = 500.0, 10.0, 4.0
BRAKING, INWARD_TIME, CAUTION = 300.0, 0.1, 1.1
MOMENTUM, INSIDE, NEAR, FACING = 0.3, 0.16, 0.15, 10.0
# Energy
COST, RECOVERY, SPREAD, RESERVE, BRAKE_RESERVE = 500.0, 20.0, 4.0, 200.0, 45.0


def wrap(angle):
    """Bring an angle to -pi..pi, so that turns take the short way."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def clip(value, low, high):
    """Keep a number within bounds, because numbers beyond them lose."""
    return max(low, min(high, value))


def rotate(x, y, angle):
    """Turn a vector clockwise: by the heading, from the map's axes to the arena's."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return x * cosine - y * sine, x * sine + y * cosine


def cap(x, y):
    """Limit a velocity as the arena does, so that predictions match it."""
    speed = math.hypot(x, y)
    if speed <= TOP_SPEED:
        return x, y
    return x * TOP_SPEED / speed, y * TOP_SPEED / speed


def axis_centre(values, low, high):
    """Find a disc's centre on one axis; if the map cuts it, from the rim in sight."""
    smallest, largest = min(values), max(values)
    if smallest <= low:
        return largest - RIM
    if largest >= high:
        return smallest + RIM
    return sum(values) / len(values)


def read_map(view, foe_colour):
    """Read boundary pixels and the foe's centre (or None) as (ahead, right)."""
    greens, aheads, rights = [], [], []
    for i, row in enumerate(view):
        if BOUNDARY not in row and foe_colour not in row:
            continue
        ahead = FRONT - CELL * i
        for j, colour in enumerate(row):
            if colour == BOUNDARY:
                greens.append((ahead, CELL * j - SIDE))
            elif colour == foe_colour:
                aheads.append(ahead)
                rights.append(CELL * j - SIDE)
    if not aheads:
        return greens, None
    return greens, (axis_centre(aheads, BACK, FRONT), axis_centre(rights, -SIDE, SIDE))


def fit_ring(points, x, y, rounds, gate):
    """Correct our place (x, y) by least squares until the points lie on the ring."""
    error = 0.0
    for _ in range(rounds):
        xx = yy = FIT_DAMPING
        xy = sum_x = sum_y = error = 0.0
        for point_x, point_y in points:
            to_x, to_y = x + point_x, y + point_y
            distance = math.hypot(to_x, to_y) or 1.0
            miss = distance - RING
            if abs(miss) < gate:
                to_x /= distance
                to_y /= distance
                xx += to_x * to_x
                yy += to_y * to_y
                xy += to_x * to_y
                sum_x += to_x * miss
                sum_y += to_y * miss
                error += miss * miss
        scale = xx * yy - xy * xy
        x -= (yy * sum_x - xy * sum_y) / scale
        y -= (xx * sum_y - xy * sum_x) / scale
    return x, y, error


def start_state(memory, greens, foe, facing):
    """Guess place and heading at the first call: the foe or the centre is where we faced."""
    if len(greens) >= MIN_GREEN:
        fits = []
        for k in range(FIT_STARTS):
            x, y = rotate(-START_RADIUS, 0.0, 2 * math.pi * k / FIT_STARTS)
            fits.append(fit_ring(greens, x, y, FIT_ROUNDS, math.inf))
        x, y, _ = min(fits, key=lambda fit: (math.hypot(fit[0], fit[1]) > OUT, fit[2]))
    elif foe:
        x, y = -foe[0] / 2, -foe[1] / 2
    else:
        x, y = -START_RADIUS, 0.0
    target = foe or (-2 * x, -2 * y)
    heading = facing - math.atan2(target[1], target[0])
    memory.update(heading=heading, sure=False, age=0, plan="charge", spin=1.0)
    memory.update(me=rotate(x, y, heading), offset=rotate(*target, heading))
    memory["foe_velocity"] = (0.0, 0.0)


def advance(memory, velocity):
    """Carry the state one step on; our velocity change tells heading or collision."""
    heading = memory["heading"] + memory["turn"]
    push = memory["force"] * FORCE_GAIN
    old_x, old_y = memory["velocity"]
    sign = math.copysign(1.0, push)
    gain_x, gain_y = (velocity[0] - old_x) * sign, (velocity[1] - old_y) * sign
    error = wrap(math.atan2(gain_y, gain_x) - heading)
    plain = abs(push) >= 1 and abs(math.hypot(gain_x, gain_y) - abs(push)) < SPEED_ERROR
    foe_x, foe_y = memory["foe_velocity"]
    if plain and (not memory["sure"] or abs(error) < SURE_ERROR):
        memory["me"] = rotate(*memory["me"], error)
        memory["offset"] = rotate(*memory["offset"], error)
        memory["sure"] = True
        heading += error
    elif memory["sure"]:
        free_x, free_y = cap(old_x + push * math.cos(heading), old_y + push * math.sin(heading))
        hit_x, hit_y = velocity[0] - free_x, velocity[1] - free_y
        if math.hypot(hit_x, hit_y) > KNOCK:
            foe_x, foe_y = cap(foe_x - hit_x, foe_y - hit_y)
    x, y = memory["me"]
    far_x, far_y = memory["offset"]
    memory["heading"] = heading
    memory["foe_velocity"] = (foe_x, foe_y)
    memory["me"] = (x + velocity[0] * STEP, y + velocity[1] * STEP)
    memory["offset"] = (far_x + (foe_x - velocity[0]) * STEP, far_y + (foe_y - velocity[1]) * STEP)


def track_foe(memory, foe):
    """Correct the foe's predicted place and velocity; notice when it is lost."""
    x, y = memory["offset"]
    speed_x, speed_y = memory["foe_velocity"]
    if foe is None:
        memory["age"] += 1
        memory["foe_velocity"] = (speed_x * FADE, speed_y * FADE)
        ahead, right = rotate(x, y, -memory["heading"])
        clear = CLEAR_BACK < ahead < CLEAR_FRONT and abs(right) < CLEAR_SIDE
        if clear and memory["age"] > GRACE:
            memory["age"] = LOST_AGE
        return
    seen_x, seen_y = rotate(*foe, memory["heading"])
    miss_x, miss_y = seen_x - x, seen_y - y
    if memory["age"] >= LOST_AGE or math.hypot(miss_x, miss_y) > JUMP:
        memory["offset"], memory["foe_velocity"] = (seen_x, seen_y), (0.0, 0.0)
    else:
        memory["offset"] = (x + PLACE_GAIN * miss_x, y + PLACE_GAIN * miss_y)
        memory["foe_velocity"] = cap(speed_x + SPEED_GAIN * miss_x, speed_y + SPEED_GAIN * miss_y)
    memory["age"] = 0
    memory["spin"] = math.copysign(1.0, foe[1])


def update_state(observation, memory):
    """Bring all estimates up to date before anything is decided."""
    velocity = (float(observation["speed"][0]), float(observation["speed"][1]))
    team = observation["id"]
    greens, foe = read_map(observation["agent_obs"], FOE_COLOUR[team])
    if "heading" not in memory:
        start_state(memory, greens, foe, START_FACING[team])
    else:
        advance(memory, velocity)
        if len(greens) >= MIN_GREEN:
            heading = memory["heading"]
            cosine, sine = math.cos(heading), math.sin(heading)
            points = [(a * cosine - r * sine, a * sine + r * cosine) for a, r in greens]
            memory["me"] = fit_ring(points, *memory["me"], 1, FIT_GATE)[:2]
        track_foe(memory, foe)
    memory["velocity"] = velocity


def steer(heading, want_x, want_y, face_x, face_y, limit):
    """Choose force and turn for a wanted velocity change, leaning to the faced side.

    Changes smaller than the limit are made backwards: quicker than turning round.
    """
    off = wrap(math.atan2(want_y + face_y, want_x + face_x) - heading)
    if abs(off) > REVERSE_ANGLE and SMALL < math.hypot(want_x, want_y) < limit:
        off = wrap(off + math.pi)
    turn = clip(off, -MAX_TURN, MAX_TURN)
    along = want_x * math.cos(heading + turn) + want_y * math.sin(heading + turn)
    return clip(along / FORCE_GAIN, MIN_FORCE, MAX_FORCE), turn


def brake(x, y, vx, vy, heading):
    """Choose the move that best keeps us in: push inward, lose half the sideways speed."""
    radius = math.hypot(x, y) or 1.0
    out_x, out_y = x / radius, y / radius
    speed = vx * out_x + vy * out_y
    want_x = -(speed + INWARD) * out_x - SIDE_BRAKE * (vx - speed * out_x)
    want_y = -(speed + INWARD) * out_y - SIDE_BRAKE * (vy - speed * out_y)
    return steer(heading, want_x, want_y, 0.0, 0.0, ALWAYS_REVERSE)


def can_stop(world, force, turn):
    """Tell whether braking after this move still keeps us in the ring."""
    x, y, vx, vy, heading = world[:5]
    if math.hypot(x, y) < CALM:
        return True
    for _ in range(BRAKE_STEPS):
        heading += turn
        gain = force * FORCE_GAIN
        vx, vy = cap(vx + gain * math.cos(heading), vy + gain * math.sin(heading))
        x += vx * STEP
        y += vy * STEP
        if math.hypot(x, y) > SAFE:
            return False
        if x * vx + y * vy <= 0:
            return True
        force, turn = brake(x, y, vx, vy, heading)
    return True


def aim(way, x, y, vx, vy, dx, dy, distance, wx, wy):
    """Give the velocity change a plan wants: full speed beside or at the led foe, or home."""
    if way is None:
        return -x - vx, -y - vy
    lead = min(MAX_LEAD, max(0.0, distance - CONTACT) / TOP_SPEED)
    to_x, to_y = dx + wx * lead, dy + wy * lead
    scale = TOP_SPEED / (math.hypot(to_x, to_y) or 1.0)
    cosine, sine = way
    return ((to_x * cosine - to_y * sine) * scale - vx,
            (to_x * sine + to_y * cosine) * scale - vy)


def danger(x, y, vx, vy):
    """Rate how near the line a disc will stop; steep, as only the rim is deadly."""
    radius = math.hypot(x, y)
    speed = (x * vx + y * vy) / max(radius, 1.0)
    reach = radius + (speed * speed / BRAKING if speed > 0 else speed * INWARD_TIME)
    return 100 * (max(reach, 0.0) / OUT) ** 4


def worth(x, y, vx, vy, heading, qx, qy, wx, wy):
    """Rate a predicted end by dangers, momentum at the foe, inner side, nearness, facing."""
    dx, dy = qx - x, qy - y
    distance = math.hypot(dx, dy) or 1.0
    dx /= distance
    dy /= distance
    score = danger(qx, qy, wx, wy) - CAUTION * danger(x, y, vx, vy)
    score += MOMENTUM * ((vx + wx) * dx + (vy + wy) * dy)
    score += INSIDE * ((x + qx) * dx + (y + qy) * dy) - NEAR * distance
    return score + FACING * (math.cos(heading) * dx + math.sin(heading) * dy)


def rollout(way, world):
    """Predict a plan against a pushing foe; return score, first move, step of contact."""
    x, y, vx, vy, heading, qx, qy, wx, wy = world
    first, contact = None, HORIZON
    dx, dy = qx - x, qy - y
    for step in range(HORIZON):
        distance = math.hypot(dx, dy) or 1.0
        want_x, want_y = aim(way, x, y, vx, vy, dx, dy, distance, wx, wy)
        pull, push = FACE_PULL / distance, FOE_PUSH / distance
        force, turn = steer(heading, want_x, want_y, dx * pull, dy * pull, TURN_ROUND)
        first = first or (force, turn)
        heading += turn
        gain = force * FORCE_GAIN
        vx, vy = cap(vx + gain * math.cos(heading), vy + gain * math.sin(heading))
        wx, wy = cap(wx - dx * push, wy - dy * push)
        x, y, qx, qy = x + vx * STEP, y + vy * STEP, qx + wx * STEP, qy + wy * STEP
        dx, dy = qx - x, qy - y
        square = dx * dx + dy * dy
        closing = ((vx - wx) * dx + (vy - wy) * dy) / max(square, 1.0)
        if square < CONTACT * CONTACT and closing > 0:
            vx, vy = vx - closing * dx, vy - closing * dy
            wx, wy = wx + closing * dx, wy + closing * dy
            contact = min(contact, step)
        if x * x + y * y > SAFE * SAFE:
            return LATER * step - DEFEAT, first, contact
        if qx * qx + qy * qy > OUT * OUT:
            return DEFEAT - LATER * step, first, contact
    return worth(x, y, vx, vy, heading, qx, qy, wx, wy), first, contact


def look_around(world, spin):
    """Search a lost foe: spin to where it left, drift to the middle meanwhile."""
    x, y, vx, vy, heading = world[:5]
    turn = spin * MAX_TURN
    want_x, want_y = -x * SEARCH_HOME - vx, -y * SEARCH_HOME - vy
    along = want_x * math.cos(heading + turn) + want_y * math.sin(heading + turn)
    return clip(along / FORCE_GAIN, MIN_FORCE, MAX_FORCE), turn


def spare(force, speed, energy, reserve):
    """Limit the force when energy runs low, since fatigue is as good as defeat."""
    budget = RECOVERY + max(0.0, energy - reserve) / SPREAD
    limit = COST * budget / min(TOP_SPEED, speed + MAX_FORCE * FORCE_GAIN)
    return clip(force, -limit, limit)


def choose(memory, energy):
    """Take the best plan's move, or search; brake if we could not stop afterwards."""
    (x, y), (dx, dy) = memory["me"], memory["offset"]
    velocity = memory["velocity"]
    shrink = min(1.0, FOE_RADIUS / max(1.0, math.hypot(x + dx, y + dy)))
    world = (x, y, *velocity, memory["heading"],
             (x + dx) * shrink, (y + dy) * shrink, *memory["foe_velocity"])
    committed, reserve = False, RESERVE
    if memory["age"] >= LOST_AGE:
        force, turn = look_around(world, memory["spin"])
    else:
        best = None
        for plan, way in PLANS.items():
            score, move, contact = rollout(way, world)
            score += HABIT * (plan == memory["plan"])
            if best is None or score > best[0]:
                best = (score, plan, move, contact)
        score, memory["plan"], (force, turn), contact = best
        committed = contact < COMMIT and score > -DEFEAT / 2
    if not committed and not can_stop(world, force, turn):
        force, turn = brake(*world[:5])
        reserve = BRAKE_RESERVE
    return spare(force, math.hypot(*velocity), energy, reserve), turn


def act(observation, memory):
    """Answer one move; doing nothing is left for fatigue and for unforeseen errors."""
    energy = float(observation["energy"])
    force = turn = 0.0
    try:
        if energy >= 0:
            update_state(observation, memory)
            force, turn = choose(memory, energy)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        force = turn = 0.0
    degrees = clip(math.degrees(turn), -MAX_DEGREES, MAX_DEGREES)
    force = clip(force, MIN_FORCE, MAX_FORCE)
    memory["force"], memory["turn"] = force, math.radians(degrees)
    return [force, degrees]
