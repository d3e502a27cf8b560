"""A wrestler whose network was trained by PPO against copies of itself; see policy_evolve/learned/."""

import math

LAYERS = []
"""Of each layer the number of inputs, the scale of weights and of biases, and both as signed bytes in hex: first the weights of
the first output, and so on, then the biases. `policy_evolve.learned.written` fills it in."""
FORCES = (-100.0, -50.0, 0.0, 50.0, 100.0, 150.0, 200.0)
TURNS = (-30.0, -10.0, 0.0, 10.0, 30.0)
HELD = 3
"""Steps for which a decision is held."""
RING, FOES = 1, {"team_0": 8, "team_1": 10}
NEAR = 100.0
"""Units below which the other disc, at the first look, tells that the match did not start from afar."""
STARTS = {"standard": (0.0, 150.0), "middle": (0.0, 30.0), "rim": (140.0, 40.0)}
"""Places of team_1, from the ring's centre; team_0 stands on the other side of the x axis."""


def points_of(view, code):
    """Returns the points of a colour as (ahead, right) in units."""
    return [
        (157.5 - 5 * i, 5 * j - 97.5)
        for i, row in enumerate(view)
        if code in row
        for j, seen in enumerate(row)
        if seen == code
    ]


def fixed(point, heading):
    """Returns a vector (ahead, right) of a heading in fixed axes."""
    cos, sin = math.cos(heading), math.sin(heading)
    return point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos


def turned(vector, heading):
    """Returns a vector in fixed axes as (ahead, right) of a heading."""
    cos, sin = math.cos(heading), math.sin(heading)
    return vector[0] * cos + vector[1] * sin, vector[1] * cos - vector[0] * sin


def begin(memory, observation, line, foe):
    """Guesses at the first look where the disc stands, by what is near."""
    start = "standard"
    if foe and math.hypot(*foe[0]) < NEAR:
        start = "rim" if any(math.hypot(*point) < NEAR for point in line) else "middle"
    side = -1 if observation["id"] == "team_0" else 1
    x, y = STARTS[start]
    memory.update(
        heading=-side * math.pi / 2,
        place=[x, side * y],
        steps=0,
        foe=None,
        foe_speed=(0.0, 0.0),
        age=50,
        force=0.0,
    )


def follow(memory, speed):
    """Takes in what the last step did to heading and place: a push changes the speed along the heading."""
    before = memory["speed"]
    change = speed[0] - before[0], speed[1] - before[1]
    size, force = math.hypot(*change), memory["force"]
    if abs(force) >= 40 and abs(size - 0.1 * abs(force)) < 1.0:
        memory["heading"] = math.atan2(change[1], change[0]) + (math.pi if force < 0 else 0.0)
    memory["place"][0] += 0.1 * before[0]
    memory["place"][1] += 0.1 * before[1]
    memory["steps"] += 1


def correct(memory, line):
    """Moves the own place until the ring's line lies where it belongs, 200 units from the centre."""
    x, y = memory["place"]
    shift = [0.0, 0.0]
    for point in line:
        ahead, right = fixed(point, memory["heading"])
        px, py = x + ahead, y + right
        away = math.hypot(px, py) or 1.0
        shift[0] -= (away - 200) * px / away / len(line)
        shift[1] -= (away - 200) * py / away / len(line)
    memory["place"] = [x + shift[0], y + shift[1]]


def spot(memory, foe):
    """Takes in the other disc's place, and its speed from two looks that follow one another."""
    if not foe:
        memory["age"] += 1
        return
    middle = sum(p[0] for p in foe) / len(foe), sum(p[1] for p in foe) / len(foe)
    ahead, right = fixed(middle, memory["heading"])
    found = memory["place"][0] + ahead, memory["place"][1] + right
    if memory["age"] == 0:
        last, old = memory["foe"], memory["foe_speed"]
        memory["foe_speed"] = tuple(0.5 * old[k] + 5 * (found[k] - last[k]) for k in (0, 1))
    memory["foe"], memory["age"] = found, 0


def features(memory, observation):
    """Returns what the network sees; policy_evolve/learned/vector_wrestle.py has the list."""
    heading, (x, y) = memory["heading"], memory["place"]
    velocity, centre = turned(observation["speed"], heading), turned((-x, -y), heading)
    away = math.hypot(x, y)
    outwards = -(velocity[0] * centre[0] + velocity[1] * centre[1]) / max(away, 1e-6)
    place = speed = (0.0, 0.0)
    if memory["age"] < 50:
        place = turned((memory["foe"][0] - x, memory["foe"][1] - y), heading)
        speed = turned(memory["foe_speed"], heading)
    energy = observation["energy"]
    return [
        *(part / 100 for part in velocity),
        *(part / 200 for part in centre),
        (180 - away) / 200,
        outwards / 100,
        float(memory["age"] == 0),
        *(part / 200 for part in place),
        *(part / 100 for part in speed),
        min(memory["age"] / 50, 1.0),
        max(energy, 0.0) / 1000,
        memory["steps"] / 500,
        float(energy < 0),
    ]


def unpacked(layer):
    """Returns the rows of weights of a layer, each with its bias."""
    inputs, weight_scale, bias_scale, text = layer
    numbers = [byte - 256 if byte > 127 else byte for byte in bytes.fromhex(text)]
    outputs = len(numbers) // (inputs + 1)
    return [
        (
            [number * weight_scale for number in numbers[row * inputs : (row + 1) * inputs]],
            numbers[outputs * inputs + row] * bias_scale,
        )
        for row in range(outputs)
    ]


NETWORK = [unpacked(layer) for layer in LAYERS]


def decide(values):
    """Returns the most probable action's number."""
    for number, layer in enumerate(NETWORK):
        values = [sum(w * v for w, v in zip(weights, values)) + bias for weights, bias in layer]
        if number < len(NETWORK) - 1:
            values = [math.tanh(value) for value in values]
    return max(range(len(values)), key=values.__getitem__)


def act(observation, memory):
    """Follows the own place and the other disc's, and holds each decision for some steps."""
    view, speed = observation["agent_obs"], observation["speed"]
    line, foe = points_of(view, RING), points_of(view, FOES[observation["id"]])
    first = "place" not in memory
    if first:
        begin(memory, observation, line, foe)
    else:
        follow(memory, speed)
    if line:
        correct(memory, line)
    spot(memory, foe)
    memory["speed"] = list(speed)
    if first:
        force, turn = 100.0, 0.0  # its effect tells the heading, which the opening has turned
    else:
        if (memory["steps"] - 1) % HELD == 0:
            memory["chosen"] = decide(features(memory, observation))
        force, turn = FORCES[memory["chosen"] // len(TURNS)], TURNS[memory["chosen"] % len(TURNS)]
    memory["heading"] += math.radians(turn)
    memory["force"] = force
    return [force, turn]
