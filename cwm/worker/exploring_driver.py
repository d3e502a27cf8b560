"""Runs inside the sealed worker beside a world model: plays random games in it, and tells each state of a game by a
number, so that many games of several models can be compared without sending what players see. Like `cwm.worker.driver` it
judges nothing, is standard library only, and keeps to Python 3.9.
"""

import json
import random

import driver
import joint
import model

_PRIME = 2**61 - 1
_DIGITS = str.maketrans("", "", "0123456789")


def explore(seed, count, most, starts):
    """Plays random games: the names of the actions of each, chance included.

    Each one begins with one of the histories `starts` and goes on for at most `most` actions. Half of the choices go to
    the kind of action (its name without digits) that was chosen least so far, so that rare kinds come up; chance draws
    each outcome equally often. A game ends early where the model fails.
    """
    rng, used, found = random.Random(seed), {}, []
    for _ in range(count):
        names = list(starts[rng.randrange(len(starts))])
        try:
            state = _after(names)
            for _ in range(most):
                name, move = _choice(state, rng, used)
                if name is None:
                    break
                state = joint.apply(state, move)
                names.append(name)
        except Exception:  # the model's failure is data: the game ends here
            pass
        found.append(names)
    return found


def _after(names):
    state = model.initial_state()
    for name in names:
        state = joint.apply(state, driver._by_name(driver.Probe(), state)[name])
    return state


def _choice(state, rng, used):
    by_name = driver._by_name(driver.Probe(), state)
    if not by_name:
        return None, None
    if isinstance(by_name, joint.Moves):
        move = joint.random_move(state, rng.random)
        return joint.name_of(state, move), move
    names = list(by_name)
    name = rng.choice(names)
    if rng.random() < 0.5:
        kinds = {}
        for one in names:
            kinds.setdefault(one.translate(_DIGITS), []).append(one)
        least = min(used.get(kind, 0) for kind in kinds)
        kind = rng.choice([kind for kind in kinds if used.get(kind, 0) == least])
        name = rng.choice(kinds[kind])
    used[name.translate(_DIGITS)] = used.get(name.translate(_DIGITS), 0) + 1
    return name, by_name[name]


def digests(histories):
    """For each history a number for each of its states, equal where a model says the same; fewer where it fails or does not
    know an action."""
    return [[_digest(facts) for facts in driver.replay(names)["steps"]] for names in histories]


def _digest(facts):
    return int.from_bytes(json.dumps(_plain(facts), sort_keys=True).encode(), "big") % _PRIME


def _plain(data):
    """The same for data that the tests take for equal: numbers by value, legal actions in one order."""
    if isinstance(data, dict):
        return {key: sorted(value) if key == "legal" else _plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    if isinstance(data, bool) or not isinstance(data, (int, float)):
        return data
    return round(float(data), 5) + 0.0
