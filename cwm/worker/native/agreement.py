"""Runs inside the sealed worker beside a world model, in Python or in C, and plays random games in it.

Two workers that hold two programs for one game play the same games, as each game's choices are drawn by its
number; their digests are compared in the parent, and where two differ, the details. It judges nothing.
Standard library only, Python 3.9.
"""

import json
import random

try:
    import native_model as model
except ImportError:
    import model
try:
    import value_function
except ImportError:
    value_function = model  # a model in C has its value function in it

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4

_MOST = 1 << 20
_first_seen = {}
"""By information state the game and the number of actions after which it came first, as one number, so that
these are equal exactly if the one program tells states apart where the other does."""


def constants():
    """The model's constants; a missing one is None."""
    names = "NUM_PLAYERS NUM_DISTINCT_ACTIONS MAX_CHANCE_OUTCOMES MAX_GAME_LENGTH MIN_UTILITY MAX_UTILITY"
    return {name: getattr(model, name, None) for name in names.split()}


def written_out(place, names, most):
    """Variables of the model ("model") or of its value function ("value_function"), by name, as Python expressions.

    Those that are not plain data are left out, and those whose expressions have more than `most` characters.
    """
    module = model if place == "model" else value_function
    found = {}
    for name in names:
        text = _expression(getattr(module, name, print))
        if text is not None and len(text) <= most:
            found[name] = text
    return found


def _expression(data):
    """An expression for plain data, the same in each run, or None for other data."""
    if data is None or isinstance(data, (bool, int, float, str, bytes)):
        return repr(data)
    if isinstance(data, dict):
        pairs = [(_expression(key), _expression(value)) for key, value in data.items()]
        if any(None in pair for pair in pairs):
            return None
        return "{%s}" % ", ".join("%s: %s" % pair for pair in pairs)
    if isinstance(data, (tuple, list, set, frozenset)):
        parts = [_expression(part) for part in data]
        if None in parts:
            return None
        if isinstance(data, (set, frozenset)):
            return "{%s}" % ", ".join(sorted(parts))
        brackets = "[%s]" if isinstance(data, list) else "(%s,)" if len(parts) == 1 else "(%s)"
        return brackets % ", ".join(parts)
    return None


def number(amount):
    """A number as it is compared: the same text for an int and a float, and for what rounding tells apart."""
    return "%.9g" % (amount + 0.0)  # no negative zero


def plain(data):
    """JSON data as it is compared: with numbers as text."""
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    return data if data is None or isinstance(data, (bool, str)) else "#" + number(data)


def facts(state, place, options):
    """All that two programs for one game must agree on in a state, but for where it leads.

    Args:
      state: of the model.
      place: [game, how many actions were taken], for information states.
      options: {"information": whether there are information states, "value": whether there is a value
        function to compare}.
    """
    player = model.current_player(state)
    found = {
        "current_player": player,
        **(_choices_at_once(state) if player == SIMULTANEOUS else _choices(state, player)),
        "observation": [plain(model.observation(state, seat)) for seat in range(model.NUM_PLAYERS)],
        "returns": [number(amount) for amount in model.returns(state)],
    }
    if options["information"]:
        found["information_state"] = [_first(state, seat, place) for seat in range(model.NUM_PLAYERS)]
    if options["value"] and player != TERMINAL:
        found["value"] = [number(amount) for amount in value_function.value(state)]
    return found


def _choices(state, player):
    outcomes = []
    if player >= 0:
        actions = list(model.legal_actions(state))
    else:
        outcomes = [] if player == TERMINAL else list(model.chance_outcomes(state))
        actions = [outcome for outcome, _ in outcomes]
    return {
        "chance_outcomes" if player == CHANCE else "legal_actions": actions,
        "action_name": [model.action_name(state, action) for action in actions],
        "probabilities": [number(chance) for _, chance in outcomes],
    }


def _choices_at_once(state):
    legal = [list(model.player_legal_actions(state, seat)) for seat in range(model.NUM_PLAYERS)]
    return {
        "player_legal_actions": legal,
        "player_action_name": [
            [model.player_action_name(state, seat, action) for action in own] for seat, own in enumerate(legal)
        ],
    }


def _first(state, seat, place):
    # Numbers by hash, so that millions of them fit.
    key = hash(repr((seat, model.information_state(state, seat))))
    game, taken = place
    return list(divmod(_first_seen.setdefault(key, game * _MOST + taken), _MOST))


def _game(game, options, most):
    """Plays random game number `game`, of at most `most` actions; gives facts and the name of the action taken,
    or None at the end."""
    rng, state, taken = random.Random(game), model.initial_state(), 0
    while True:
        found = facts(state, [game, taken], options)
        drawn = _drawn(found, rng.random)
        if drawn is None or taken == most:
            yield found, None
            return
        move, name = drawn
        yield found, name
        state = _after(state, move)
        taken += 1


def _drawn(found, rand):
    """A random move of a state with these facts, and its name; None where there is none. A move that players make at
    once is a tuple, drawn by one number for each player who chooses, and its name as in `cwm.trust.moves`."""
    if "player_legal_actions" not in found:
        actions = found.get("legal_actions") or found.get("chance_outcomes")
        if not actions:
            return None
        index = int(rand() * len(actions))
        return actions[index], found["action_name"][index]
    legal = found["player_legal_actions"]
    if not any(legal):
        return None
    places = [int(rand() * len(own)) if own else None for own in legal]
    names = [None if at is None else own[at] for at, own in zip(places, found["player_action_name"])]
    return tuple(-1 if at is None else own[at] for at, own in zip(places, legal)), json.dumps(names)


def _after(state, move):
    return model.apply_actions(state, move) if isinstance(move, tuple) else model.apply_action(state, move)


def digests(first, count, options, most):
    """Of `count` random games, each [number of actions, a hash of all facts]."""
    rows = []
    for game in range(first, first + count):
        text = [json.dumps(found, sort_keys=True) for found, _ in _game(game, options, most)]
        rows.append([len(text) - 1, hash("\n".join(text))])
    return rows


def details(game, options, start, stop):
    """The facts of a random game, from after `start` up to after `stop` actions, and the names of all actions
    up to there."""
    rows, names = [], []
    for taken, (found, name) in enumerate(_game(game, options, stop)):
        if taken >= start:
            rows.append(found)
        if name is not None:
            names.append(name)
    return {"rows": rows, "names": names}


# --- what draws at random -----------------------------------------------------------------------------


def _states(game):
    """The states of a random game, with what each player has seen up to it."""
    rng, state = random.Random(game), model.initial_state()
    seen = [[] for _ in range(model.NUM_PLAYERS)]
    while True:
        for seat in range(model.NUM_PLAYERS):
            seen[seat].append([model.observation(state, seat), None])
        player = model.current_player(state)
        yield state, player, seen
        if player == TERMINAL:
            return
        at_once = player == SIMULTANEOUS
        move, name = _drawn(_choices_at_once(state) if at_once else _choices(state, player), rng.random)
        if player >= 0:
            seen[player][-1][1] = name
        elif at_once:
            for seat, own in enumerate(json.loads(name)):
                seen[seat][-1][1] = own
        state = _after(state, move)


def _choosing(state, player, game):
    """The player who chooses in a state in which `player` acts, of several at once another one in each game, as a list;
    empty where nobody chooses."""
    if player != SIMULTANEOUS:
        return [player] if player >= 0 else []
    seats = [seat for seat in range(model.NUM_PLAYERS) if model.player_legal_actions(state, seat)]
    return [seats[game % len(seats)]]


def draws(game, count):
    """Draws `count` states that the player cannot tell apart, at the middle decision of a random game.

    Returns None where the game has no decision, else {"player", "fits": how many fit what the player has seen and
    does next, "features": how often each value stood at each place of what the others see}.
    """
    decisions = [
        (state, seat, [list(pair) for pair in seen[seat]])
        for state, player, seen in _states(game)
        for seat in _choosing(state, player, game)
    ]
    if not decisions:
        return None
    state, player, history = decisions[len(decisions) // 2]
    draw = _drawing(state, player, history, game)
    known = _known(state, player)
    features, fits = {}, 0
    for _ in range(count):
        drawn = draw()
        fits += _known(drawn, player) == known
        for seat in range(model.NUM_PLAYERS):
            if seat != player:
                for feature in _features(plain(model.observation(drawn, seat)), str(seat)):
                    features[feature] = features.get(feature, 0) + 1
    return {"player": player, "fits": fits, "features": features}


def _known(state, player):
    """What a player can tell of a state."""
    mover = model.current_player(state)
    actions = None
    if mover == SIMULTANEOUS:
        actions = list(model.player_legal_actions(state, player))
    elif mover == player:
        actions = list(model.legal_actions(state))
    return mover, actions, model.observation(state, player), model.information_state(state, player)


def _drawing(state, player, history, seed):
    if hasattr(model, "resampled"):
        model.seed(seed)
        return lambda: model.resampled(state, player)
    rand = random.Random(seed).random
    return lambda: model.resample_state(player, history, rand)


def _features(data, path):
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _features(value, "%s.%s" % (path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _features(value, "%s.%d" % (path, index))
    else:
        yield "%s=%s" % (path, data)


def rollouts(game):
    """From each state of a random game the returns of a game played on at random, and the random number that
    comes next: by the model's rollout function in C, in Python move by move."""
    rows = []
    for index, (state, player, _) in enumerate(_states(game)):
        if player == TERMINAL:
            return rows
        if hasattr(model, "played_out"):
            model.seed(index)
            rows.append([[number(amount) for amount in model.played_out(state)], model.random_number()])
        else:
            rand = random.Random(index).random
            rows.append([[number(amount) for amount in _played(state, rand)], rand()])


def _played(state, rand):
    import uct

    while model.current_player(state) != TERMINAL:
        player = model.current_player(state)
        if player >= 0:
            actions = model.legal_actions(state)
            state = model.apply_action(state, actions[int(rand() * len(actions))])
        elif player == SIMULTANEOUS:
            state = _after(state, _drawn(_choices_at_once(state), rand)[0])
        else:
            state = model.apply_action(state, uct.sample(model.chance_outcomes(state), rand()))
    return model.returns(state)
