"""Runs inside the sealed worker: a world model in C, called like one in Python.

A module with the contract's names (see `cwm.contract.functions`) over the mapped object `native_library`, so
that whatever works on a model works on this one. A state is the bytes of the C struct. Each call costs about a
microsecond: what is called millions of times stays in C. Standard library only, Python 3.9.
"""

import ctypes
import json

from native_library import library

FAILURES = {
    1: "legal_actions gave no action where player {0:g} is to move, expected at least one; a game that is over "
    "has current_player TERMINAL_PLAYER",
    2: "there are {0:g} actions or outcomes in one state, more than the constants allow",
    3: "current_player is {0:g}, expected a player, CHANCE_PLAYER or TERMINAL_PLAYER",
    4: "chance_outcomes gave the probability {0!r}, expected at least 0",
    5: "the probabilities of chance_outcomes sum to {0!r}, expected 1",
    6: "returns gave {0!r}, expected finite numbers",
    7: "value gave {0!r}, expected numbers",
    8: "the search needs a state in which a player is to move, but current_player is {0:g} there",
    9: "none of {0:g} states that resample drew fits what the player has seen",
    10: "resample gave a state with {0:g} legal actions that are not the first one's: a player must know "
    "the own legal actions",
    11: "the returns after action {0:g} add up to no finite number",
    12: "the search tree does not fit into {0:g} bytes; choose fewer simulations, or a larger memory_bytes",
    13: "the model wrote beyond the end of a buffer that it was given, by {0:g} items or more",
    14: "{what} at line {line} of {file}",
    15: "the action or outcome {0:g} is not possible in this state",
    16: "players choose at once in a state that the search met, and this search is for games in turn",
    17: "current_player is {0:g}, expected a player, CHANCE_PLAYER, SIMULTANEOUS_PLAYER or TERMINAL_PLAYER",
    18: "player_legal_actions gave no action for any player where current_player is {0:g}, expected at least one",
    19: "nothing can be drawn by weights that sum to {0!r}",
    20: "observation put something that is not JSON, from its byte {0:g} on",
    21: "observation or action_name put {0:g} bytes, more than there is room for",
}
"""By the codes of failure.c."""

TEXT_BYTES = 1 << 18


class NativeError(ValueError):
    """A call into the model or the search that failed, as far as they notice."""


class _Facts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in (
        "players", "distinct_actions", "chance_outcomes", "game_length", "state_bytes", "information_bytes",
        "has_value", "has_rollout", "has_resample", "has_at_once", "checked",
    )] + [("min_utility", ctypes.c_double), ("max_utility", ctypes.c_double)]  # fmt: skip


class _Text(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("capacity", ctypes.c_int64), ("length", ctypes.c_int64)]


def check(code):
    """Raises NativeError for the failure with this code."""
    if not code:
        return
    numbers = (ctypes.c_double * 3)()
    file, what = ctypes.create_string_buffer(201), ctypes.create_string_buffer(201)
    library.native_failure(numbers, file, what)
    raise NativeError(
        FAILURES[code].format(
            numbers[2],
            line=int(numbers[1]),
            file=file.value.decode().rpartition("/")[2],
            what=what.value.decode(),
        )
    )


facts = _Facts()
library.native_facts(ctypes.byref(facts))

NUM_PLAYERS = facts.players
NUM_DISTINCT_ACTIONS = facts.distinct_actions
MAX_CHANCE_OUTCOMES = facts.chance_outcomes
MAX_GAME_LENGTH = facts.game_length
MIN_UTILITY = facts.min_utility
MAX_UTILITY = facts.max_utility

_integers = (ctypes.c_int32 * max(NUM_DISTINCT_ACTIONS, MAX_CHANCE_OUTCOMES, 1))()
_ends = (ctypes.c_int64 * len(_integers))()
_doubles = (ctypes.c_double * max(MAX_CHANCE_OUTCOMES, NUM_PLAYERS))()
_integer = ctypes.c_int32()
_by_reference = ctypes.byref(_integer)
_room = ctypes.create_string_buffer(TEXT_BYTES)
_text = _Text(ctypes.addressof(_room), TEXT_BYTES, 0)
_text_reference = ctypes.byref(_text)


def initial_state():
    state = ctypes.create_string_buffer(facts.state_bytes)
    check(library.native_initial_state(state))
    return state.raw


def current_player(state):
    check(library.native_current_player(state, _by_reference))
    return _integer.value


def legal_actions(state):
    check(library.native_legal_actions(state, _integers, _by_reference))
    return _integers[: _integer.value]


def chance_outcomes(state):
    check(library.native_chance_outcomes(state, _integers, _doubles, _by_reference))
    count = _integer.value
    return list(zip(_integers[:count], _doubles[:count]))


def apply_action(state, action):
    following = ctypes.create_string_buffer(state, facts.state_bytes)
    check(library.native_apply_action(following, action))
    return following.raw


def returns(state):
    check(library.native_returns(state, _doubles))
    return _doubles[:NUM_PLAYERS]


def _read(what):
    if _text.length > TEXT_BYTES:
        raise NativeError("%s put %d bytes, more than %d" % (what, _text.length, TEXT_BYTES))
    return ctypes.string_at(_room, _text.length).decode("utf-8")


def action_name(state, action):
    check(library.native_action_name(state, action, _text_reference))
    return _read("action_name")


def action_names(state, actions):
    """The names of several actions of a state."""
    count = len(actions)
    _integers[:count] = actions
    check(library.native_action_names(state, _integers, count, _text_reference, _ends))
    if _text.length > TEXT_BYTES:
        return [action_name(state, action) for action in actions]
    return _parted(count)


def _parted(count):
    """The texts that were put one behind the other."""
    text, ends = ctypes.string_at(_room, _text.length), _ends[:count]
    return [text[start:end].decode("utf-8") for start, end in zip([0, *ends], ends)]


def observation(state, player):
    check(library.native_observation(state, player, _text_reference))
    text = _read("observation")
    try:
        return json.loads(text, parse_constant=float)
    except ValueError as error:
        raise NativeError("observation put something that is not JSON (%s): %.200s" % (error, text)) from None


def find(state, name):
    """The action or outcome of this name that is possible in the state, or None."""
    check(library.native_find(state, name.encode("utf-8") + b"\0", _by_reference))
    return _integer.value if _integer.value >= 0 else None


if facts.information_bytes:

    def information_state(state, player):
        information = ctypes.create_string_buffer(facts.information_bytes)
        check(library.native_information_state(state, player, information))
        return information.raw


if facts.has_at_once:

    def player_legal_actions(state, player):
        check(library.native_player_legal_actions(state, player, _integers, _by_reference))
        return _integers[: _integer.value]

    def apply_actions(state, actions):
        following = ctypes.create_string_buffer(state, facts.state_bytes)
        check(library.native_apply_actions(following, (ctypes.c_int32 * NUM_PLAYERS)(*actions)))
        return following.raw

    def player_action_name(state, player, action):
        _put_names(state, player, [action])
        return _read("player_action_name")

    def player_action_names(state, player, actions):
        """The names of several actions of a player who chooses at once with others."""
        _put_names(state, player, actions)
        if _text.length > TEXT_BYTES:
            return [player_action_name(state, player, action) for action in actions]
        return _parted(len(actions))

    def _put_names(state, player, actions):
        count = len(actions)
        _integers[:count] = actions
        check(library.native_player_action_names(state, player, _integers, count, _text_reference, _ends))


if facts.has_value:

    def value(state):
        check(library.native_value(state, _doubles))
        return _doubles[:NUM_PLAYERS]


def seed(number, generator="python"):
    """Starts the random numbers of all that draws outside a search; see `GENERATORS`."""
    check(library.native_seed(GENERATORS[generator], ctypes.c_uint64(number)))


GENERATORS = {"python": 0, "fast": 1}
"""Where random numbers come from: "python" gives those of `random.Random(seed).random()`, so that a search is
the same as in Python; "fast" ones that are made faster."""


def random_number():
    """The next of those random numbers."""
    number = ctypes.c_double()
    check(library.native_random_number(ctypes.byref(number)))
    return number.value


def resampled(state, player):
    """A state that `player` cannot tell from `state`, drawn with those random numbers."""
    drawn = ctypes.create_string_buffer(state, facts.state_bytes)
    check(library.native_resample(drawn, player))
    return drawn.raw


def played_out(state):
    """The returns of a game played on at random by the model's rollout function, with those numbers."""
    check(library.native_rollout(state, _doubles))
    return _doubles[:NUM_PLAYERS]
