"""Runs inside the sealed worker beside a world model, and puts it through its paces.

Everything here works on the module `model` alone (see `cwm.contract.functions`) and reports what it does as
plain data. It judges nothing: expected answers stay in the parent, which compares. It is standard
library only and keeps to Python 3.9, because the worker may be PyPy.
"""

import random
import sys
import traceback

import joint
import model
import uct

try:
    import value_function
except ImportError:
    value_function = None
try:
    import rollout_function
except ImportError:
    rollout_function = None

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4


def constants():
    """The model's constants; a missing one is None."""
    return {
        name: getattr(model, name, None)
        for name in (
            "NUM_PLAYERS",
            "NUM_DISTINCT_ACTIONS",
            "MAX_CHANCE_OUTCOMES",
            "MAX_GAME_LENGTH",
            "MIN_UTILITY",
            "MAX_UTILITY",
        )
    }


def failure(call):
    """A failure of the model, for a language model to read: the error and the model's lines."""
    kind, error, trace = sys.exc_info()
    lines = []
    for frame in traceback.extract_tb(trace):
        if "model" in frame.filename or "value_function" in frame.filename:
            lines.append("line %s, in %s: %s" % (frame.lineno, frame.name, (frame.line or "").strip()))
    message = "%s: %s" % (kind.__name__, error)
    return {"call": call, "message": message[:500], "lines": lines[-6:]}


def names_of(state, actions):
    return {model.action_name(state, action): action for action in actions}


class Probe:
    """Calls the model's functions, remembering which call is under way in case it fails."""

    def __init__(self):
        self.call = ""

    def facts(self, state):
        """The model's facts about a state, as JSON-able data, and its actions by name."""
        self.call = "current_player(state)"
        player = model.current_player(state)
        facts, by_name = {"player": player}, {}
        if player >= 0:
            self.call = "legal_actions(state)"
            actions = list(model.legal_actions(state))
            self.call = "action_name(state, action)"
            by_name = names_of(state, actions)
            facts["legal"] = list(by_name)
            facts["actions"] = len(actions)
        elif player == CHANCE:
            self.call = "chance_outcomes(state)"
            outcomes = [(outcome, chance) for outcome, chance in model.chance_outcomes(state)]
            self.call = "action_name(state, outcome)"
            by_name = names_of(state, [outcome for outcome, _ in outcomes])
            distribution = {}
            for outcome, chance in outcomes:
                name = model.action_name(state, outcome)
                distribution[name] = distribution.get(name, 0.0) + chance
            facts["chance"] = distribution
        elif player == SIMULTANEOUS:
            self.call = "player_legal_actions(state, player) and player_action_name(state, player, action)"
            by_name = joint.moves(state)
            facts["joint"] = list(map(list, by_name.by_player))
            facts["joint_actions"] = [
                len(model.player_legal_actions(state, seat)) for seat in range(model.NUM_PLAYERS)
            ]
        self.call = "observation(state, player)"
        facts["observations"] = [model.observation(state, seat) for seat in range(model.NUM_PLAYERS)]
        self.call = "returns(state)"
        facts["returns"] = list(model.returns(state))
        return facts, by_name


def replay(names, start=0, stop=None):
    """Plays the actions with these names from the initial state and tells the model's facts.

    Returns {"steps": facts of the states number start..stop, "error": None or what stopped it,
    "at": index of the state that was reached}. State i is the one after i actions.
    """
    probe, steps, index = Probe(), [], 0
    stop = len(names) if stop is None else min(stop, len(names))
    try:
        probe.call = "initial_state()"
        state = model.initial_state()
        while True:
            if index >= start:
                facts, by_name = probe.facts(state)
                steps.append(facts)
            elif index < len(names):
                by_name = _by_name(probe, state)
            if index >= stop:
                return {"steps": steps, "error": None, "at": index}
            if names[index] not in by_name:
                probe.call = ""
                error = {"call": "", "message": "", "lines": [], "unknown": names[index]}
                return {"steps": steps, "error": error, "at": index}
            move = by_name[names[index]]
            probe.call = joint.described_call(move, names[index])
            state = joint.apply(state, move)
            index += 1
    except Exception:  # the model's failure is data
        return {"steps": steps, "error": failure(probe.call), "at": index}


def _by_name(probe, state):
    probe.call = "current_player(state)"
    player = model.current_player(state)
    if player >= 0:
        probe.call = "legal_actions(state)"
        return names_of(state, model.legal_actions(state))
    if player == CHANCE:
        probe.call = "chance_outcomes(state)"
        return names_of(state, [outcome for outcome, _ in model.chance_outcomes(state)])
    if player == SIMULTANEOUS:
        probe.call = "player_legal_actions(state, player) and player_action_name(state, player, action)"
        return joint.moves(state)
    return {}


def replay_many(histories, last_only=True):
    """`replay` for many histories; with `last_only` just the last state's facts of each."""
    return [replay(names, len(names) if last_only else 0) for names in histories]


def detailed_replay(names, start, stop):
    """Like `replay`, with the numbers of the actions: everything that two programs for one game must
    agree on, state by state, and under "raises" whether illegal actions raise, which a model is free to
    decide."""
    state, rows = model.initial_state(), []
    for index in range(stop + 1):
        player = model.current_player(state)
        if player >= 0:
            numbers = list(model.legal_actions(state))
            chances = None
        else:
            outcomes = [] if player == TERMINAL else list(model.chance_outcomes(state))
            numbers, chances = [o for o, _ in outcomes], [p for _, p in outcomes]
        by_name = names_of(state, numbers)
        if index >= start:
            top = model.MAX_CHANCE_OUTCOMES if player == CHANCE else model.NUM_DISTINCT_ACTIONS
            rows.append(
                {
                    "raises": [
                        _raises(state, action)
                        for action in (-1, top, index % top if top else 0)
                        if action not in numbers
                    ],
                    "player": player,
                    "actions": numbers,
                    "names": list(by_name),
                    "chances": chances,
                    "observations": [model.observation(state, p) for p in range(model.NUM_PLAYERS)],
                    "returns": [float(amount) for amount in model.returns(state)],
                }
            )
        if index < stop:
            state = model.apply_action(state, by_name[names[index]])
    return rows


def _raises(state, action):
    try:
        model.apply_action(state, action)
    except Exception:  # whatever it is, it says that the action is illegal
        return True
    return False


def random_play(seed, max_actions):
    """Plays one random game and reports every contract breach on the way.

    Returns {"names": the history, "breach": None or a sentence, "error": None or a failure}.
    """
    rng, probe, names, decisions = random.Random(seed), Probe(), [], 0

    def breach(text):
        return {"names": names, "breach": text, "error": None}

    try:
        probe.call = "initial_state()"
        state = model.initial_state()
        for _ in range(max_actions):
            facts, by_name = probe.facts(state)
            player = facts["player"]
            problem = _facts_problem(facts, by_name)
            if problem:
                return breach(problem)
            if player == TERMINAL:
                for amount in facts["returns"]:
                    if not model.MIN_UTILITY - 1e-9 <= amount <= model.MAX_UTILITY + 1e-9:
                        return breach(
                            "returns(state) holds %r at the end of the game, outside "
                            "MIN_UTILITY .. MAX_UTILITY" % (amount,)
                        )
                return {"names": names, "breach": None, "error": None}
            if player == CHANCE:
                probe.call = "chance_outcomes(state)"
                outcomes = list(model.chance_outcomes(state))
                problem = _actions_problem(
                    [o for o, _ in outcomes],
                    model.MAX_CHANCE_OUTCOMES,
                    "chance_outcomes(state)",
                    "MAX_CHANCE_OUTCOMES",
                )
                if not problem and abs(sum(p for _, p in outcomes) - 1.0) > 1e-6:
                    problem = "the probabilities of chance_outcomes(state) do not sum to 1"
                if not problem and min(p for _, p in outcomes) <= 0.0:
                    problem = "chance_outcomes(state) holds a probability that is not positive"
                if problem:
                    return breach(problem)
                action, mark = outcomes[-1][0], rng.random()
                for outcome, chance in outcomes:
                    mark -= chance
                    if mark < 0.0:
                        action = outcome
                        break
            else:
                problem = _decision_problem(probe, state, player, by_name)
                if problem:
                    return breach(problem)
                decisions += 1
                if decisions > model.MAX_GAME_LENGTH:
                    return breach(
                        "the game lasts longer than MAX_GAME_LENGTH = %r actions" % (model.MAX_GAME_LENGTH,)
                    )
                action = _random_decision(probe, state, player, rng.random)
            if player == SIMULTANEOUS:
                name = joint.name_of(state, action)
            else:
                name = next(key for key, number in by_name.items() if number == action)
            probe.call = joint.described_call(action, name)
            before = repr(state)
            after = joint.apply(state, action)
            if repr(state) != before:
                return breach("%s changed the state that it was given" % probe.call.partition("(")[0])
            names.append(name)
            state = after
        return breach("the game did not end within %d actions" % max_actions)
    except Exception:  # the model's failure is data
        return {"names": names, "breach": None, "error": failure(probe.call)}


def _random_decision(probe, state, player, rand):
    if player == SIMULTANEOUS:
        probe.call = "player_legal_actions(state, player)"
        return joint.random_move(state, rand)
    probe.call = "legal_actions(state)"
    actions = list(model.legal_actions(state))
    return actions[int(rand() * len(actions))]


def _decision_problem(probe, state, player, by_name):
    """The fault of the legal actions of a state in which players choose, in words, or None."""
    if player != SIMULTANEOUS:
        probe.call = "legal_actions(state)"
        actions = list(model.legal_actions(state))
        problem = _actions_problem(
            actions, model.NUM_DISTINCT_ACTIONS, "legal_actions(state)", "NUM_DISTINCT_ACTIONS"
        )
        if not problem and len(by_name) != len(actions):
            problem = "two legal actions of one state have the same name"
        return problem
    for seat, own in enumerate(by_name.by_player):
        call = "player_legal_actions(state, %d)" % seat
        probe.call = call
        actions = list(model.player_legal_actions(state, seat))
        problem = _actions_problem(actions, model.NUM_DISTINCT_ACTIONS, call, "NUM_DISTINCT_ACTIONS")
        if not problem and len(own) != len(actions):
            problem = "two legal actions of player %d have the same name in one state" % seat
        if problem:
            return problem
    return None


def _facts_problem(facts, by_name):
    player = facts["player"]
    if (
        isinstance(player, bool)
        or not isinstance(player, int)
        or not (player in (CHANCE, SIMULTANEOUS, TERMINAL) or 0 <= player < model.NUM_PLAYERS)
    ):
        return "current_player(state) is %r" % (player,)
    if len(facts["returns"]) != model.NUM_PLAYERS:
        return "returns(state) has length %d, not NUM_PLAYERS" % len(facts["returns"])
    if player != TERMINAL and not by_name:
        return "there is no legal action although current_player(state) is %d" % player
    return None


def _actions_problem(actions, bound, call, bound_name):
    if any(isinstance(action, bool) or not isinstance(action, int) for action in actions):
        return "%s holds something that is not an int" % call
    if actions != sorted(set(actions)):
        return "%s is not ascending without duplicates" % call
    if actions and not (actions[0] >= 0 and actions[-1] < bound):
        return "%s holds %r, outside 0 .. %s - 1" % (
            call,
            actions[0] if actions[0] < 0 else actions[-1],
            bound_name,
        )
    return None


# --- play: the states of one game, kept so that each move sends only what is new -------------------

_history = []
_states = []


def follow(keep, names):
    """Goes back to the state after `keep` actions, then plays `names`; returns the state's facts."""
    if not _states:
        _states.append(model.initial_state())
    del _history[keep:]
    del _states[keep + 1 :]
    probe = Probe()
    for name in names:
        by_name = _by_name(probe, _states[-1])
        if name not in by_name:
            return {"unknown": name, "at": len(_history)}
        _states.append(joint.apply(_states[-1], by_name[name]))
        _history.append(name)
    return {"player": model.current_player(_states[-1])}


def followed():
    """The state that was followed to."""
    return _states[-1]


def search(options):
    """Searches from the followed state. `options` are `uct.search`'s; `value` true means the value
    function instead of rollouts. Where there is a rollout function, the rollouts are its. Returns the
    chosen action's name and the root's statistics."""
    options = dict(options)
    options["value"] = value_function.value if options.pop("value", False) else None
    if rollout_function is not None and options["value"] is None:
        options["rollout"] = rollout_function.rollout
    state = _states[-1]
    root = uct.search(model, state, **options)
    statistics = uct.root_statistics(root)
    for row in statistics:
        row["name"] = model.action_name(state, row["action"])
    return {"name": model.action_name(state, uct.best_action(root)), "actions": statistics}


def search_at(keep, names, player, options):
    """Follows `names`, then searches if it is the turn of `player` there; else returns the facts of `follow`."""
    facts = follow(keep, names)
    return search(options) if facts.get("player") == player else facts


def searched_lines(names, options, most):
    """Searches from the state after these actions; the lines of the tree, as names from that state on: those
    that end the game first, then those to the leaves with the most visits, at most `most` of them."""
    probe, state = Probe(), model.initial_state()
    for name in names:
        state = model.apply_action(state, _by_name(probe, state)[name])
    found = []
    pending = [(uct.search(model, state, **options), [])]
    while pending:
        node, line = pending.pop()
        grown = [child for child in node.children or () if child.visits and child.state is not None]
        for child in grown:
            pending.append((child, line + [model.action_name(node.state, child.action)]))
        if not grown and line:
            found.append((node.to_move != TERMINAL, -node.visits, len(found), line))
    return [line for *_, line in sorted(found)[:most]]


# --- rollouts ---------------------------------------------------------------------------------------


def random_rollouts(first, count, fast):
    """Rollouts from states of random games, one from each state: the returns of each, the count of random
    numbers that it took, and the next one. Rollout number i is the same in every worker. With `fast` they are
    the rollout function's, else they are made of the model's own functions, move by move."""
    rows, game, index = [], 0, 0
    while index < first + count:
        rng, state = random.Random(game), model.initial_state()
        while model.current_player(state) != TERMINAL and index < first + count:
            if index >= first:
                numbers = random.Random(index)
                taken = [0]

                def rand():
                    taken[0] += 1  # noqa: B023
                    return numbers.random()  # noqa: B023

                played = rollout_function.rollout(state, rand) if fast else _rollout(state, rand)
                rows.append([[float(amount) for amount in played], taken[0], numbers.random()])
            index += 1
            state = _random_move(state, rng.random)
        game += 1
    return rows


def _rollout(state, rand):
    while model.current_player(state) != TERMINAL:
        state = _random_move(state, rand)
    return model.returns(state)


def _random_move(state, rand):
    if model.current_player(state) >= 0:
        actions = model.legal_actions(state)
        return model.apply_action(state, actions[int(rand() * len(actions))])
    return model.apply_action(state, uct.sample(model.chance_outcomes(state), rand()))


# --- serving a pyspiel game: states by number, given out to the parent -----------------------------

_served = {}
_next_handle = [0]


def _serve(state):
    handle = _next_handle[0] = _next_handle[0] + 1
    _served[handle] = state
    player = model.current_player(state)
    facts = {"handle": handle, "player": player, "returns": list(model.returns(state))}
    if player >= 0:
        facts["legal"] = list(model.legal_actions(state))
    elif player == CHANCE:
        facts["chance"] = [[outcome, chance] for outcome, chance in model.chance_outcomes(state)]
    elif player == SIMULTANEOUS:
        facts["joint"] = [list(model.player_legal_actions(state, seat)) for seat in range(model.NUM_PLAYERS)]
    return facts


def serve_initial():
    return _serve(model.initial_state())


def serve_child(handle, action, dropped):
    """Returns the state after `action`, a list where players choose at once; forgets the states numbered in `dropped`."""
    for number in dropped:
        _served.pop(number, None)
    return _serve(joint.apply(_served[handle], tuple(action) if isinstance(action, list) else action))


def serve_names(handle):
    """The names of the legal actions or outcomes of chance, as pairs [number, name]; where players choose at once such a
    list for each of them."""
    state = _served[handle]
    if model.current_player(state) == SIMULTANEOUS:
        return [[[action, name] for name, action in own.items()] for own in joint.moves(state).by_player]
    actions = (
        model.legal_actions(state)
        if model.current_player(state) >= 0
        else [outcome for outcome, _ in model.chance_outcomes(state)]
    )
    return [[action, model.action_name(state, action)] for action in actions]


def serve_observations(handle):
    """The observation of each player."""
    return [model.observation(_served[handle], player) for player in range(model.NUM_PLAYERS)]


def served(handle):
    """The state with this number."""
    return _served[handle]


def served_states():
    """The number of states that are kept for the parent."""
    return len(_served)


# --- value functions -------------------------------------------------------------------------------


def value_breach(seed, states):
    """Tries the value function on states of random play; returns a sentence about its fault, or None."""
    if not callable(getattr(value_function, "value", None)):
        return "the module defines no function value(state)"
    rng, tried = random.Random(seed), 0
    while tried < states:
        state = model.initial_state()
        while model.current_player(state) != TERMINAL and tried < states:
            estimate = value_function.value(state)
            tried += 1
            if len(estimate) != model.NUM_PLAYERS:
                return "value(state) has length %d, not NUM_PLAYERS" % len(estimate)
            for amount in estimate:
                if not model.MIN_UTILITY - 1e-9 <= amount <= model.MAX_UTILITY + 1e-9:
                    return "value(state) holds %r, outside MIN_UTILITY .. MAX_UTILITY" % (amount,)
            if model.current_player(state) == CHANCE:
                actions = [outcome for outcome, _ in model.chance_outcomes(state)]
            else:
                actions = list(model.legal_actions(state))
            state = model.apply_action(state, actions[int(rng.random() * len(actions))])
    return None
