"""Runs inside the sealed worker beside a world model in C: plays many games at once, random ones for statistics and
games side by side for `cwm.play.vector_env`. What goes back are arrays, as Base64 of their bytes. Standard library
only, Python 3.9.
"""

import ctypes
import json
import math
import struct

import native_model
from native_library import library

TERMINAL = -4
_WORD = (1 << 64) - 1
_TEXT_BYTES = 1 << 18


class _Columns(ctypes.Structure):
    _fields_ = [
        ("keys", ctypes.c_void_p),
        ("columns", ctypes.c_void_p),
        ("scales", ctypes.c_void_p),
        ("slots", ctypes.c_int64),
        ("width", ctypes.c_int32),
        ("actions", ctypes.c_int32),
        ("remembers", ctypes.c_int32),
        ("size", ctypes.c_int32),
        ("others", ctypes.c_int32),
        ("text", ctypes.c_void_p),
        ("capacity", ctypes.c_int64),
        ("before", ctypes.c_void_p),
    ]


class _NativeGames(ctypes.Structure):
    _fields_ = [
        ("states", ctypes.c_void_p),
        ("players", ctypes.c_void_p),
        ("rows", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("columns", _Columns),
    ]


def seed(number, generator="python"):
    """Starts the stream of random numbers that all games here draw from."""
    native_model.seed(number, generator)


def play_games(count):
    """Plays random games one after the other; returns Base64 of {"returns": (games, players) float64, "plies": (games,)
    int64, chance included}."""
    players = native_model.NUM_PLAYERS
    amounts, plies = (ctypes.c_double * (count * players))(), (ctypes.c_int64 * count)()
    native_model.check(library.native_play_games(ctypes.c_int64(count), amounts, plies))
    return {"returns": _text_of(amounts), "plies": _text_of(plies)}


# --- the table of columns, see core/columns.c -----------------------------------------------------------


def _hash(text, kind, payload=b""):
    """FNV-1a of a place in the data, a kind of key and what it is about.

    Kinds: "s" a string, "d" a number's double, "c" another scalar's JSON, each as it stands at the place; "n" the
    place's scaled number; "p" a place whose strings are spelt; "a" an action's name.
    """
    found = 14695981039346656037
    for byte in text.encode("utf-8", "surrogatepass") + b"\0" + kind + payload:
        found = (found ^ byte) * 1099511628211 & _WORD
    return found


def _key(path, value):
    if isinstance(value, str):
        return _hash(path, b"s", value.encode("utf-8", "surrogatepass"))
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return _hash(path, b"d", struct.pack("d", value + 0.0))
    return _hash(path, b"c", json.dumps(value).encode())


def _entries(about):
    """Key, column and scale of all that `begin` is told."""
    for column, (path, text) in enumerate(about["values"]):
        yield _key(path, json.loads(text)), column, 0.0
    for column, (path, scale) in enumerate(about["scales"], len(about["values"])):
        yield _hash(path, b"n"), column, scale
    for path in about["spelt"]:
        yield _hash(path, b"p"), 0, 0.0
    for output, name in enumerate(about["actions"], len(about["values"]) + len(about["scales"])):
        yield _hash("", b"a", name.encode("utf-8", "surrogatepass")), output, 0.0


class _Games:
    """The games under way, and the memory that they need.

    Args:
      count: number of games.
      about: as in `begin`.
    """

    def __init__(self, count, about):
        entries = {}
        for key, column, scale in _entries(about):
            # An int and the float that equals it are one number here: the first column is that of both.
            entries.setdefault(key, (column, scale))
        slots = 1 << (2 * len(entries)).bit_length()
        width, actions = len(about["values"]) + len(about["scales"]), len(about["actions"])
        self.count = count
        self.size = native_model.NUM_PLAYERS + width
        others = len(about["scales"])
        if about["remembers"]:
            self.size += width + actions
            others += width + actions
        self._keys, self._columns = (ctypes.c_uint64 * slots)(), (ctypes.c_int32 * slots)()
        self._scales = (ctypes.c_double * slots)()
        for key, (column, scale) in entries.items():
            slot = key & slots - 1
            while self._keys[slot]:
                slot = slot + 1 & slots - 1
            self._keys[slot], self._columns[slot], self._scales[slot] = key, column, scale
        self._states = (ctypes.c_char * (count * native_model.facts.state_bytes))()
        self.players = (ctypes.c_int32 * count)(*[TERMINAL] * count)
        self.rows = (ctypes.c_float * (count * native_model.NUM_PLAYERS * self.size))()
        self._text, self._before = (ctypes.c_char * _TEXT_BYTES)(), (ctypes.c_float * (width + 1))()
        self._others = (ctypes.c_float * (count * native_model.NUM_PLAYERS * others + 1))()
        self._legal = (ctypes.c_int32 * max(count, native_model.NUM_DISTINCT_ACTIONS))()
        address = ctypes.addressof
        self.native = _NativeGames(
            address(self._states),
            address(self.players),
            address(self.rows),
            count,
            _Columns(
                *map(address, (self._keys, self._columns, self._scales)),
                slots,
                width,
                actions,
                about["remembers"],
                self.size,
                others,
                address(self._text),
                _TEXT_BYTES,
                address(self._before),
            ),
        )
        self.reference = ctypes.byref(self.native)
        everyone = bytes([1]) * count
        native_model.check(library.native_start_games(self.reference, everyone))

    def state(self, game):
        """The bytes of a game's state."""
        size = native_model.facts.state_bytes
        return self._states[game * size : (game + 1) * size]

    def legal(self):
        """How many actions are legal in each game, and their numbers, game after game."""
        counts, used = (ctypes.c_int32 * self.count)(), ctypes.c_int64()
        while True:
            room = len(self._legal)
            native_model.check(
                library.native_legal_in_games(
                    self.reference, counts, self._legal, ctypes.c_int64(room), ctypes.byref(used)
                )
            )
            if used.value <= room:
                return counts, memoryview(self._legal).cast("B")[: 4 * used.value]
            self._legal = (ctypes.c_int32 * (2 * used.value))()

    def seen(self, everyone):
        """The rows of all players, or of those to move, as bits and others."""
        rows = self.count * (native_model.NUM_PLAYERS if everyone else 1)
        bits, used = (ctypes.c_uint8 * (rows * ((self.size + 7) // 8)))(), ctypes.c_int64()
        native_model.check(
            library.native_pack_games(self.reference, everyone, bits, self._others, ctypes.byref(used))
        )
        return bits, memoryview(self._others).cast("B")[: 4 * used.value]


_games = []


def begin(count, about):
    """Starts `count` games instead of those before.

    Args:
      count: number of games.
      about: {"values", "scales", "actions": of a `Codec`, as its `to_json` gives them; "spelt": the paths of fields
        whose texts are read character by character; "remembers": whether rows hold a `Trail`'s trace}.

    Returns {"players", "actions": their numbers; "size": columns of a player's row}.
    """
    _games[:] = [_Games(count, about)]
    return {
        "players": native_model.NUM_PLAYERS,
        "actions": native_model.NUM_DISTINCT_ACTIONS,
        "size": _games[0].size,
    }


def look(everyone):
    """The games as they stand, see `step`."""
    return _report(_games[0], everyone, None)


def restart(marked, everyone):
    """Starts the games anew that are marked by 1; returns as `step`."""
    games = _games[0]
    if len(marked) != games.count:
        raise ValueError("expected %d marks, one for each game, found %d" % (games.count, len(marked)))
    native_model.check(library.native_start_games(games.reference, bytes(marked)))
    return _report(games, everyone, None)


def step(actions, everyone, again):
    """Takes one action, by number, in each game, and plays chance; a game that is over starts anew instead.

    Args:
      actions: one for each game.
      everyone: whether to tell what all players know, not only those to move.
      again: whether games that end now start anew at once.

    Returns Base64 of arrays: {"players": (games,) int32, who is to move; "counts": (games,) int32, "legal": int32,
    the numbers of the legal actions, game after game; "bits": which columns of the rows are not 0, in bits,
    lowest first, each row in whole bytes, "others": float32, those of them that may be other than 1, the last
    columns of a row; a row for each game, or for each player of each game; "returns": (games, players) float64, so far, of a game that ends its final ones; "over": (games,)
    int8, whether it ended}.

    Raises:
      ValueError: an action is not legal; the games before it have been played on.
    """
    games, played = _games[0], ctypes.c_int64()
    if len(actions) != games.count:
        raise ValueError("expected %d actions, one for each game, found %d" % (games.count, len(actions)))
    native_model.check(
        library.native_step_games(
            games.reference, (ctypes.c_int32 * games.count)(*actions), ctypes.byref(played)
        )
    )
    if played.value < games.count:
        raise ValueError("action %r is not legal in game %d" % (actions[played.value], played.value))
    amounts, over = _amounts(games), bytes(player == TERMINAL for player in games.players)
    if again and any(over):
        native_model.check(library.native_start_games(games.reference, over))
    return _report(games, everyone, (amounts, over))


def _amounts(games):
    amounts = (ctypes.c_double * (games.count * native_model.NUM_PLAYERS))()
    native_model.check(library.native_game_returns(games.reference, amounts))
    return amounts


def _report(games, everyone, ended):
    amounts, over = ended or (_amounts(games), bytes(player == TERMINAL for player in games.players))
    counts, legal = games.legal()
    bits, others = games.seen(everyone)
    return {
        "players": _text_of(games.players),
        "counts": _text_of(counts),
        "legal": _text_of(legal),
        "bits": _text_of(bits),
        "others": _text_of(others),
        "returns": _text_of(amounts),
        "over": _text_of(over),
    }


def _text_of(array):
    """Base64 of the bytes of an array, or of bytes; the sandbox has no module for it."""
    data = array if isinstance(array, bytes) else memoryview(array).cast("B")
    count = len(data)
    given = data if isinstance(data, bytes) else (ctypes.c_char * count).from_buffer(data)
    text = ctypes.create_string_buffer((count + 2) // 3 * 4)
    library.native_base64(given, ctypes.c_int64(count), text)
    return text.raw.decode("ascii")


def action_names(game):
    """The numbers and names of the legal actions of a game, as pairs."""
    state = _games[0].state(game)
    actions = native_model.legal_actions(state) if _games[0].players[game] >= 0 else []
    return [list(pair) for pair in zip(actions, native_model.action_names(state, actions))]


# --- for tests ----------------------------------------------------------------------------------------


def observation(game, player):
    """What a player sees of a game, as the model gives it."""
    return native_model.observation(_games[0].state(game), player)
