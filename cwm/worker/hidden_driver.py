"""Runs inside the sealed worker beside a world model of a game with hidden information: tries the model's
inference functions, and searches with them. Like `cwm.worker.driver` it reports and judges nothing, is standard
library only, and keeps to Python 3.9.
"""

import random

import driver
import ismcts
import joint
import model

try:
    import value_function
except ImportError:
    value_function = None


def infer(player, history, seeds):
    """The samples of the inference functions from a player's history, one for each seed: the whole game, as
    the player sees it when it is replayed, and the state. Failures are data in the rows."""
    return [
        {"history": _sampled_game(player, history, seed), "state": _sampled_state(player, history, seed)}
        for seed in seeds
    ]


def sampled_names(player, history, first, count):
    """The names of the actions of games drawn with the seeds `first`, `first` + 1, ...; a game that breaks
    the rules is left out."""
    rows = [_sampled_game(player, history, first + index) for index in range(count)]
    return [row["names"] for row in rows if "error" not in row]


def _sampled_game(player, history, seed):
    probe, names = driver.Probe(), []
    try:
        probe.call = "resample_history(player, history, rand)"
        actions = [_move(one) for one in model.resample_history(player, history, random.Random(seed).random)]
        probe.call = "initial_state()"
        state = model.initial_state()
        row = {"observations": [], "actions": [], "legal": [], "returns": [], "names": names}
        for number in range(len(actions) + 1):
            _seen(probe, row, state, player)
            if number < len(actions):
                name = _name_if_legal(probe, state, actions[number])
                if name is None:
                    error = {
                        "call": "resample_history(player, history, rand)",
                        "lines": [],
                        "message": "no failure, but action number %d of its %d, %r, is not legal where "
                        "it comes" % (number + 1, len(actions), actions[number]),
                    }
                    return {"error": error}
                names.append(name)
                if row["legal"][-1] is not None:
                    row["actions"][-1] = _own_name(state, actions[number], name, player)
                probe.call = joint.described_call(actions[number], name)
                state = joint.apply(state, actions[number])
        row["player"] = _turn(probe, state, player)
        probe.call = "information_state(state, player)"
        row["key"] = _key(state, player)
        return row
    except Exception:  # the model's failure is data
        return {"error": driver.failure(probe.call)}


def _seen(probe, row, state, player):
    probe.call = "observation(state, player)"
    row["observations"].append(model.observation(state, player))
    probe.call = "returns(state)"
    row["returns"].append(float(model.returns(state)[player]))
    row["legal"].append(_legal_names(probe, state, player))
    row["actions"].append(None)


def _move(entry):
    """A move that the model gives: a number, or a tuple where it stands for all players."""
    return tuple(entry) if isinstance(entry, (list, tuple)) else entry


def _own_name(state, move, name, player):
    return model.player_action_name(state, player, move[player]) if isinstance(move, tuple) else name


def _turn(probe, state, player):
    """Who acts: the player itself also where it chooses at once with others."""
    probe.call = "current_player(state)"
    mover = model.current_player(state)
    if mover != driver.SIMULTANEOUS:
        return mover
    probe.call = "player_legal_actions(state, player)"
    return player if model.player_legal_actions(state, player) else mover


def _legal_names(probe, state, player):
    if _turn(probe, state, player) != player:
        return None
    if model.current_player(state) == driver.SIMULTANEOUS:
        probe.call = "player_action_name(state, player, action)"
        return list(joint.moves(state).by_player[player])
    probe.call = "legal_actions(state)"
    return list(driver.names_of(state, model.legal_actions(state)))


def _name_if_legal(probe, state, action):
    probe.call = "current_player(state)"
    if model.current_player(state) == driver.CHANCE:
        probe.call = "chance_outcomes(state)"
        options = [outcome for outcome, chance in model.chance_outcomes(state) if chance > 0]
    elif model.current_player(state) == driver.SIMULTANEOUS:
        probe.call = "player_legal_actions(state, player)"
        return joint.name_of(state, action) if joint.is_legal(state, action) else None
    elif model.current_player(state) == driver.TERMINAL:
        return None
    else:
        probe.call = "legal_actions(state)"
        options = model.legal_actions(state)
    if action not in options:
        return None
    probe.call = "action_name(state, action)"
    return model.action_name(state, action)


def _key(state, player):
    key = model.information_state(state, player)
    hash(key)
    return _text(key)


def _text(value):
    """`repr`, in which equal sets read the same: their own order depends on how they were made."""
    if isinstance(value, (frozenset, set)):
        return "{%s}" % ", ".join(sorted(_text(one) for one in value))
    if type(value) is tuple:
        return "(%s%s)" % (", ".join(_text(one) for one in value), "," if len(value) == 1 else "")
    return repr(value)


def _sampled_state(player, history, seed):
    probe = driver.Probe()
    try:
        probe.call = "resample_state(player, history, rand)"
        state = model.resample_state(player, history, random.Random(seed).random)
        row = {"legal": _legal_names(probe, state, player), "player": _turn(probe, state, player)}
        probe.call = "observation(state, player)"
        row["observation"] = model.observation(state, player)
        probe.call = "information_state(state, player)"
        row["key"] = _key(state, player)
        return row
    except Exception:  # the model's failure is data
        return {"error": driver.failure(probe.call)}


# --- play: what one player has seen, kept so that each move sends only what is new ------------------

_seen_pairs = []
_SAMPLE_TRIES = 200


def search_seen(player, keep, pairs, options):
    """Searches information sets from the history of `player`: the first `keep` pairs of the history that it
    was given before, then `pairs`. `options` are `ismcts.search`'s, with `inference` "history" or
    "state" and `value` true for the value function instead of rollouts.

    Returns the chosen action's name, the root's statistics, and the number of samples that did not fit the
    player's view and were drawn again."""
    options = dict(options)
    del _seen_pairs[keep:]
    _seen_pairs.extend(pairs)
    observation = _seen_pairs[-1][0]
    draw = _drawn_state if options.pop("inference", "history") == "state" else _drawn_history
    if options.pop("value", False):
        options["value"] = value_function.value
    first, drawn_again, probe = [], [0], driver.Probe()

    def sample(rand):
        for _ in range(_SAMPLE_TRIES):
            state = draw(player, rand)
            if _turn(probe, state, player) == player:
                key = model.information_state(state, player)
                if (first and key == first[1]) or (
                    not first and (model.observation(state, player) == observation)
                ):
                    first[:] = first or [state, key]
                    return state
            drawn_again[0] += 1
        raise ValueError("none of %d states drawn fits what player %d has seen" % (_SAMPLE_TRIES, player))

    root = ismcts.search(model, sample, player, **options)
    statistics = ismcts.root_statistics(root)
    at_once = model.current_player(first[0]) == driver.SIMULTANEOUS
    for row in statistics:
        row["name"] = (
            model.player_action_name(first[0], player, row["action"])
            if at_once
            else model.action_name(first[0], row["action"])
        )
    action = _drawn_by_visits(statistics, options.get("seed", 0)) if at_once else ismcts.best_action(root)
    return {
        "name": next(row["name"] for row in statistics if row["action"] == action),
        "actions": statistics,
        "drawn_again": drawn_again[0],
    }


def _drawn_by_visits(statistics, seed):
    """An action, each as likely as it was often visited: where others choose at once, one action alone can be met."""
    left = random.Random(seed).random() * sum(row["visits"] for row in statistics)
    for row in statistics:
        left -= row["visits"]
        if left < 0:
            return row["action"]
    return statistics[-1]["action"]


def _drawn_history(player, rand):
    state = model.initial_state()
    for entry in model.resample_history(player, _seen_pairs, rand):
        state = joint.apply(state, _move(entry))
    return state


def _drawn_state(player, rand):
    return model.resample_state(player, _seen_pairs, rand)


# --- serving a pyspiel game ---------------------------------------------------------------------------


def keeps_information_states():
    """Whether the model gives information states of its own."""
    return callable(getattr(model, "information_state", None))


def serve_information_state(handle, player):
    return _key(driver.served(handle), player)


def serve_resampled(player, history, seed):
    return list(model.resample_history(player, history, random.Random(seed).random))
