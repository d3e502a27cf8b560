"""Runs inside the sealed worker beside a world model with probes (`cwm.trust.verification.probes`): replays
what was tested and tells which probes were reached. Like `cwm.worker.driver` it judges nothing, is standard
library only, and keeps to Python 3.9; the program beside it can forge what it tells.
"""

import driver
import hidden_driver
import joint
import model


def replayed(histories):
    """Replays these games, given by the names of all actions, as the tests do; returns the probes reached so far."""
    for names in histories:
        driver.replay(names)
    return reached()


def inferred(player, pairs, states, seeds):
    """Draws from a player's history in each of these states, as the tests do; returns the probes reached so far. The
    history in a state is the pairs up to it, without the action there."""
    for state in states:
        hidden_driver.infer(player, pairs[:state] + [[pairs[state][0], None]], seeds)
    return reached()


def reached():
    """One character for each probe: 1 where it was reached, else 0."""
    return "".join("1" if hit else "0" for hit in model._cwm_hits)


def last_move(names):
    """The probes that are reached while the last of these moves is made and the state after it is looked at, as `reached`
    gives them; "" where the program fails or does not know a move."""
    try:
        state = model.initial_state()
        for name in names:
            _, by_name = driver.Probe().facts(state)
            model._cwm_hits[:] = bytes(len(model._cwm_hits))
            state = joint.apply(state, by_name[name])
        driver.Probe().facts(state)
    except Exception:  # the model's failure is data
        return ""
    return reached()


def first_new(names):
    """Plays a game and returns the number of its actions after which a probe is reached that was not reached before; -1 where
    none is. What it reaches is forgotten."""
    before, place = bytes(model._cwm_hits), -1
    try:
        state = model.initial_state()
        for number in range(len(names) + 1):
            _, by_name = driver.Probe().facts(state)
            if bytes(model._cwm_hits) == before and number < len(names) and names[number] in by_name:
                state = joint.apply(state, by_name[names[number]])
                if bytes(model._cwm_hits) == before:
                    continue
                number += 1
            if bytes(model._cwm_hits) != before:
                place = number
            break
    except Exception:  # the model's failure is data
        pass
    model._cwm_hits[:] = before
    return place
