"""Runs inside the sealed worker beside a world model in C: play and search by the core, called like
`cwm.worker.driver` and `cwm.worker.hidden_driver`, with the same answers. Standard library only, Python 3.9.

A game that hides information has its model in Python here, too, which draws a whole game that fits what a
player has seen; from there the C model draws, thousands of times a move.
"""

import collections
import ctypes
import random

import native_arena
import native_model
from native_library import library

SIMULTANEOUS, TERMINAL = -2, -4
_UNLIMITED = 1 << 60


class _Options(ctypes.Structure):
    _fields_ = [
        ("simulations", ctypes.c_uint64),
        ("seconds", ctypes.c_double),
        ("uct_c", ctypes.c_double),
        ("length", ctypes.c_int64),
        ("rollouts", ctypes.c_int32),
        ("solve", ctypes.c_int32),
        ("use_value", ctypes.c_int32),
        ("use_rollout", ctypes.c_int32),
        ("player", ctypes.c_int32),
        ("generator", ctypes.c_int32),
        ("seed", ctypes.c_uint64),
    ]


_ROW_WORDS, _SEATS = 20, 16
"""Words of 8 bytes of a `NativeRow`: action, visits, total, whether it is proven, and the outcome of each seat."""
_Rows = collections.namedtuple("_Rows", "actions visits totals outcomes")
"""What a search found on the actions at the root, by columns, in the order in which it came to them; an outcome is None
where none is proven."""


_rows = ctypes.create_string_buffer(8 * _ROW_WORDS * native_model.NUM_DISTINCT_ACTIONS)
_integers_of_rows = memoryview(_rows).cast("B").cast("q")
_numbers_of_rows = memoryview(_rows).cast("B").cast("d")


def facts():
    """What the model in C has besides the required functions."""
    return {
        name: bool(getattr(native_model.facts, name))
        for name in ("has_value", "has_rollout", "has_resample", "checked")
    }


def _options(player, given):
    """The core's options from those of `uct.search` and `ismcts.search`.

    Raises:
      ValueError: one is out of range, or unknown.
    """
    given = dict(given)
    simulations, seconds = given.pop("simulations", None), given.pop("seconds", None)
    if simulations is None and seconds is None:
        raise ValueError("expected simulations or seconds, found neither; pass for example simulations=1000")
    if simulations is not None and simulations < 1:
        raise ValueError("simulations is %r, expected at least 1" % (simulations,))
    if seconds is not None and not seconds > 0:
        raise ValueError("seconds is %r, expected a positive number" % (seconds,))
    value = bool(given.pop("value", False))
    if value and not native_model.facts.has_value:
        raise ValueError("the model in C defines no value function; choose value=false")
    length = given.pop("max_rollout_length", None)
    if length is None:
        length = 0 if value else _UNLIMITED
        whole_games = not value
    else:
        whole_games = False
    if length < (0 if value else 1):
        raise ValueError("max_rollout_length is %r, expected at least 1, or 0 with a value function" % length)
    rollouts = given.pop("rollouts", 1)
    if rollouts < 1:
        raise ValueError("rollouts is %r, expected at least 1" % (rollouts,))
    options = _Options(
        simulations=_UNLIMITED if simulations is None else simulations,
        seconds=seconds or 0.0,
        uct_c=given.pop("uct_c", 2.0),
        length=length,
        rollouts=rollouts,
        solve=given.pop("solve", True),
        use_value=value,
        use_rollout=whole_games and given.pop("rollout", True) and native_model.facts.has_rollout,
        player=player,
        generator=native_model.GENERATORS[given.pop("generator", "python")],
        seed=abs(given.pop("seed", 0)),
    )
    given.pop("rollout", None)
    if given:
        raise ValueError("unknown options of the search: %s" % ", ".join(sorted(given)))
    return options


def _run(function, state, options):
    """Runs a search; returns what it found on the actions at the root, and how many states were drawn again."""
    searched = native_arena.run(function, state, options, _rows)
    end, seats = _ROW_WORDS * searched.rows, native_model.NUM_PLAYERS
    actions, visits, proven = (_integers_of_rows[at:end:_ROW_WORDS].tolist() for at in (0, 1, 3))
    outcomes = [
        _numbers_of_rows[at : at + seats].tolist() if is_proven else None
        for is_proven, at in zip(proven, range(_ROW_WORDS - _SEATS, end, _ROW_WORDS))
    ]
    found = _Rows(actions, visits, _numbers_of_rows[2:end:_ROW_WORDS].tolist(), outcomes)
    return found, searched.drawn_again


def _answer(state, found, player):
    """The chosen action's name and the statistics of the root, which the drivers in Python give row by row, by
    columns, which are short to send: actions in order, visits, sums of returns, outcomes or None where none are given,
    names. A `player` of None chooses by visits alone."""

    def worth(place):
        outcome = found.outcomes[place] if player is not None else None
        return (outcome[player] if outcome else 0.0, found.visits[place], found.totals[place])

    places = range(len(found.actions))
    chosen = found.actions[max(places, key=worth)]
    ordered = sorted(places, key=found.actions.__getitem__)
    actions, visits, totals, outcomes = ([column[place] for place in ordered] for column in found)
    names = native_model.action_names(state, actions)
    return {
        "name": names[actions.index(chosen)],
        "columns": [actions, visits, totals, outcomes if player is not None else None, names],
    }


# --- perfect information ------------------------------------------------------------------------------

_history = []
_states = []


def follow(keep, names):
    """Goes back to the state after `keep` actions, then plays `names`; returns the state's facts."""
    if not _states:
        _states.append(native_model.initial_state())
    del _history[keep:]
    del _states[keep + 1 :]
    for name in names:
        following = _after(_states[-1], name)
        if following is None:
            return {"unknown": name, "at": len(_history), "known": sorted(_possible(_states[-1]))[:200]}
        _states.append(following)
        _history.append(name)
    return {"player": native_model.current_player(_states[-1])}


def followed():
    """The state that was followed to."""
    return _states[-1]


def _after(state, name):
    """The state after a move with this name, None where there is no such move."""
    if native_model.current_player(state) == SIMULTANEOUS:
        move = moves(state)[name]
        return None if move is None else native_model.apply_actions(state, move)
    action = native_model.find(state, name)
    return None if action is None else native_model.apply_action(state, action)


def moves(state):
    """The moves that can be made in a state in which players choose at once, by name."""
    import joint  # beside a model in Python; games in turn do not need it

    legal = [native_model.player_legal_actions(state, player) for player in range(native_model.NUM_PLAYERS)]
    return joint.Moves(
        [
            dict(zip(native_model.player_action_names(state, player, own), own))
            for player, own in enumerate(legal)
        ]
    )


def _possible(state):
    player = native_model.current_player(state)
    if player in (SIMULTANEOUS, TERMINAL):
        return []
    actions = native_model.legal_actions(state) if player >= 0 else None
    if actions is None:
        actions = [outcome for outcome, _ in native_model.chance_outcomes(state)]
    return [native_model.action_name(state, action) for action in actions]


def search(options):
    """Searches from the followed state. `options` are `uct.search`'s, `value` true for the model's value function;
    besides `generator`, see `native_model.GENERATORS`, and `rollout` false to leave the model's own out."""
    state = _states[-1]
    player = native_model.current_player(state)
    found, _ = _run(library.native_uct, state, _options(player, options))
    return _answer(state, found, player)


def search_at(keep, names, player, options):
    """`follow`, then `search`, if it is the turn of `player` there; else the facts of `follow`."""
    facts = follow(keep, names)
    return search(options) if facts.get("player") == player else facts


# --- hidden information -------------------------------------------------------------------------------

_seen_pairs = []
_SAMPLE_TRIES = 200


def search_seen(player, keep, pairs, options):
    """Information-set search from what `player` has seen; see `hidden_driver.search_seen`.

    `inference` is not looked at: the model in Python draws one whole game that fits, by
    `resample_history`, and the model in C draws from there.
    """
    options = dict(options)
    options.pop("inference", None)
    del _seen_pairs[keep:]
    _seen_pairs.extend(pairs)
    state, drawn_again = _fitting(player, random.Random(options.get("seed", 0)).random)
    answer = _search_hidden(state, player, options)
    return dict(answer, drawn_again=answer["drawn_again"] + drawn_again)


def search_fitting(names, player, options):
    """Information-set search from the game with these actions, which stands for all that `player` cannot tell
    from it."""
    follow(0, names)
    return _search_hidden(_states[-1], player, options)


def _search_hidden(state, player, options):
    found, drawn_again = _run(library.native_ismcts, state, _options(player, options))
    return dict(_answer(state, found, None), drawn_again=drawn_again)


def _fitting(player, rand):
    """A state that fits what the player has seen, and how many drawn before it did not."""
    import model  # in Python; games without secrets do not need it

    for tries in range(_SAMPLE_TRIES):
        state = native_model.initial_state()
        behind = model.initial_state()
        for action in model.resample_history(player, _seen_pairs, rand):
            found = native_model.find(state, model.action_name(behind, action))
            if found is None:
                raise ValueError(
                    "the model in C does not know the action %r" % model.action_name(behind, action)
                )
            state = native_model.apply_action(state, found)
            behind = model.apply_action(behind, action)
        if (
            native_model.current_player(state) == player
            and native_model.observation(state, player) == _seen_pairs[-1][0]
        ):
            return state, tries
    raise ValueError("none of %d games drawn fits what player %d has seen" % (_SAMPLE_TRIES, player))


# --- for tests ----------------------------------------------------------------------------------------


def tree(kind):
    """The whole tree of the last search as a flat list, see `native_uct_tree` and `native_ismcts_tree`."""
    write = library.native_uct_tree if kind == "uct" else library.native_ismcts_tree
    write.restype = ctypes.c_int64
    size = write(None, ctypes.c_int64(0))
    numbers = (ctypes.c_double * size)()
    write(numbers, ctypes.c_int64(size))
    return list(numbers)
