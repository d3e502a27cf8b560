"""Runs inside the sealed worker beside a world model in C: play and search by the core, called like
`cwm.worker.driver` and `cwm.worker.hidden_driver`, with the same answers. Standard library only, Python 3.9.

A game that hides information has its model in Python here, too, which draws a whole game that fits what a
player has seen; from there the C model draws, thousands of times a move.
"""

import collections
import ctypes
import random
import struct

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


_Row = collections.namedtuple("_Row", "action visits total proven outcome")
_ROW = struct.Struct("qqdq16d")
"""A `NativeRow`: the fields of `_Row`, of which the last are 16."""


_rows = ctypes.create_string_buffer(_ROW.size * native_model.NUM_DISTINCT_ACTIONS)


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
    """Runs a search; returns its rows, in the order in which it came to them, and how many states were drawn again."""
    searched = native_arena.run(function, state, options, _rows)
    found = memoryview(_rows)[: searched.rows * _ROW.size]
    return [_Row(*fields[:4], fields[4:]) for fields in _ROW.iter_unpack(found)], searched.drawn_again


def _answer(state, rows, key, outcomes):
    """The chosen action's name and the statistics of the root, as the drivers in Python give them."""
    statistics, ordered = [], sorted(rows)
    for row, name in zip(ordered, native_model.action_names(state, [row.action for row in ordered])):
        about = {
            "action": row.action,
            "visits": row.visits,
            "value": row.total / row.visits if row.visits else None,
        }
        if outcomes:
            about["outcome"] = list(row.outcome[: native_model.NUM_PLAYERS]) if row.proven else None
        about["name"] = name
        statistics.append(about)
    return {"name": native_model.action_name(state, max(rows, key=key).action), "actions": statistics}


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

    def key(row):
        proven = row.outcome[options_.player] if row.proven else 0.0
        return (proven, row.visits, row.total)

    options_ = _options(native_model.current_player(state), options)
    rows, _ = _run(library.native_uct, state, options_)
    return _answer(state, rows, key, True)


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
    rows, drawn_again = _run(library.native_ismcts, state, _options(player, options))
    answer = _answer(state, rows, lambda row: (row.visits, row.total), False)
    return dict(answer, drawn_again=drawn_again)


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


# --- many games ---------------------------------------------------------------------------------------


def play_games(seed, count, generator="python"):
    """Plays random games one after the other on one stream of random numbers; returns for each the list of
    returns and the number of plies, chance included."""
    native_model.seed(seed, generator)
    players = native_model.NUM_PLAYERS
    amounts, plies = (ctypes.c_double * (count * players))(), (ctypes.c_int64 * count)()
    native_model.check(library.native_play_games(ctypes.c_int64(count), amounts, plies))
    return [[amounts[index * players : (index + 1) * players], plies[index]] for index in range(count)]


_states_of_games = [None]


def start_games(count, seed, generator="python"):
    """Starts `count` games side by side instead of those before, with chance drawn on one stream of random
    numbers; rows as in `step_games`."""
    native_model.seed(seed, generator)
    states = (ctypes.c_char * (count * native_model.facts.state_bytes))()
    players = (ctypes.c_int32 * count)()
    native_model.check(library.native_start_games(states, ctypes.c_int64(count), players))
    _states_of_games[0] = (states, players)
    return _rows_of_games([0.0] * (count * native_model.NUM_PLAYERS), bytes(count))


def step_games(actions):
    """Takes one action, by number, in each game, and plays chance; a game that is over starts anew.

    Returns {"players": who is to move in each, "legal": the numbers of the legal actions, "returns": of all
    players so far, of a game that ended its final ones, "over": whether it ended}.

    Raises:
      ValueError: an action is not legal; the games before it have been played on.
    """
    states, players = _states_of_games[0]
    count = len(players)
    if len(actions) != count:
        raise ValueError("expected %d actions, one for each game, found %d" % (count, len(actions)))
    amounts, over = (ctypes.c_double * (count * native_model.NUM_PLAYERS))(), (ctypes.c_uint8 * count)()
    played = ctypes.c_int64()
    native_model.check(
        library.native_step_games(
            states,
            ctypes.c_int64(count),
            (ctypes.c_int32 * count)(*actions),
            players,
            amounts,
            over,
            ctypes.byref(played),
        )
    )
    if played.value < count:
        raise ValueError("action %r is not legal in game %d" % (actions[played.value], played.value))
    return _rows_of_games(amounts[:], bytes(over))


def _rows_of_games(amounts, over):
    states, players = _states_of_games[0]
    count, actions, seats = len(players), native_model.NUM_DISTINCT_ACTIONS, native_model.NUM_PLAYERS
    masks = (ctypes.c_uint8 * (count * actions))()
    native_model.check(library.native_game_masks(states, ctypes.c_int64(count), players, masks))
    rows = [bytes(masks)[game * actions : (game + 1) * actions] for game in range(count)]
    return {
        "players": players[:],
        "legal": [[action for action, legal in enumerate(row) if legal] for row in rows],
        "returns": [amounts[game * seats : (game + 1) * seats] for game in range(count)],
        "over": [bool(flag) for flag in over],
    }


def game_observations():
    """What the player to move sees, in each game."""
    states, players = _states_of_games[0]
    size = native_model.facts.state_bytes
    return [
        native_model.observation(states.raw[game * size : (game + 1) * size], player)
        for game, player in enumerate(players)
    ]


# --- for tests ----------------------------------------------------------------------------------------


def tree(kind):
    """The whole tree of the last search as a flat list, see `native_uct_tree` and `native_ismcts_tree`."""
    write = library.native_uct_tree if kind == "uct" else library.native_ismcts_tree
    write.restype = ctypes.c_int64
    size = write(None, ctypes.c_int64(0))
    numbers = (ctypes.c_double * size)()
    write(numbers, ctypes.c_int64(size))
    return list(numbers)
