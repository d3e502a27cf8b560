"""Many games at once: random ones for statistics, and games side by side, beside a loop in Python."""

from __future__ import annotations

import base64
import json
import random

import numpy as np
import pytest

from cwm.play.exporting.columns import Columns, made_from, with_spelt
from cwm.play.features import Codec, Trail
from cwm.worker.search import uct
from cwm.worker.simulator import MODEL_LIMITS, native_worker, own_source
from sandbox import ProgramError

from .conftest import source_of

CHANCE, AT_ONCE, TERMINAL = -1, -2, -4
DRIVER = own_source("cwm.worker.native", "vector_driver.py")


def worker_of(source, checked=False):
    return native_worker({"vector_driver": DRIVER}, source, MODEL_LIMITS, checked=checked)


def array(text, kind, *shape):
    return np.frombuffer(base64.b64decode(text), kind).reshape(shape)


class Reference:
    """Games side by side in Python: chance of all of them from one stream, game after game."""

    def __init__(self, model, count, seed):
        self.model, self.count, self.rand = model, count, random.Random(seed).random
        self.states = [None] * count
        self.trails = [None] * count
        self.codec = None

    def begin(self, columns):
        self.columns, self.codec = columns, columns.codec
        for game in range(self.count):
            self.start(game)

    def start(self, game):
        self.states[game] = self.model.initial_state()
        self.trails[game] = [Trail(self.codec, player) for player in range(self.model.NUM_PLAYERS)]
        self._settle(game)

    def act(self, game, action):
        state = self.states[game]
        self.trails[game][self.model.current_player(state)].act(self.model.action_name(state, action))
        self.states[game] = self.model.apply_action(state, action)
        self._settle(game)

    def _settle(self, game):
        while True:
            state = self.states[game]
            for player, trail in enumerate(self.trails[game]):
                trail.see(with_spelt(self.model.observation(state, player), self.columns.spelt))
            if self.model.current_player(state) != CHANCE:
                return
            outcome = uct.sample(self.model.chance_outcomes(state), self.rand())
            self.states[game] = self.model.apply_action(state, outcome)

    def players(self):
        return [self.model.current_player(state) for state in self.states]

    def legal(self, game):
        state = self.states[game]
        return [] if self.model.current_player(state) == TERMINAL else list(self.model.legal_actions(state))


def columns_of(model, games=60):
    """The columns of what is met in random games in Python."""
    rng, observations, names = random.Random(1), [], set()
    for _ in range(games):
        state = model.initial_state()
        while True:
            observations += [model.observation(state, player) for player in range(model.NUM_PLAYERS)]
            player = model.current_player(state)
            if player == TERMINAL:
                break
            if player == CHANCE:
                action = uct.sample(model.chance_outcomes(state), rng.random())
            else:
                action = rng.choice(list(model.legal_actions(state)))
                names.add(model.action_name(state, action))
            state = model.apply_action(state, action)
    return made_from(model.NUM_PLAYERS, observations, names)


def told(columns, remembers):
    data = columns.codec.to_json()
    about = {name: data[name] for name in ("values", "scales", "actions")}
    return {**about, "spelt": list(columns.spelt), "remembers": remembers}


def rows_of(reply, columns, remembers, *shape):
    codec = columns.codec
    binary = codec.players + len(codec.values)
    size = codec.size if remembers else codec.players + codec.columns
    bits = array(reply["bits"], np.uint8, *shape, (size + 7) // 8)
    rows = np.unpackbits(bits, axis=-1, count=size, bitorder="little").astype(np.float32)
    numbers = iter(array(reply["others"], np.float32, -1))
    for row in rows.reshape(-1, size):
        for at in range(binary, size):
            if row[at]:
                row[at] = next(numbers)
    assert not list(numbers)
    return rows


def python_games(model, seed, count):
    rand, games = random.Random(seed).random, []
    for _ in range(count):
        state, plies = model.initial_state(), 0
        while model.current_player(state) != TERMINAL:
            if model.current_player(state) == AT_ONCE:
                state = model.apply_actions(state, _joint_move(model, state, rand))
            elif model.current_player(state) >= 0:
                actions = model.legal_actions(state)
                state = model.apply_action(state, actions[int(rand() * len(actions))])
            else:
                state = model.apply_action(state, uct.sample(model.chance_outcomes(state), rand()))
            plies += 1
        games.append(([float(amount) for amount in model.returns(state)], plies))
    return games


@pytest.mark.parametrize(
    "name",
    ["tic_tac_toe", "connect_four", "pig", "leduc", "three_heaps"]
    + ["at_once/oshi_zumo", "at_once/goofspiel", "at_once/sowing"],
)
def test_random_games_are_those_of_python(twins, name):
    model = twins(name).python
    with worker_of(source_of(name)) as worker:
        worker.call("vector_driver.seed", 5)
        played = worker.call("vector_driver.play_games", 200)
    returns, plies = zip(*python_games(model, 5, 200))
    assert array(played["returns"], np.float64, 200, model.NUM_PLAYERS).tolist() == list(returns)
    assert array(played["plies"], np.int64, 200).tolist() == list(plies)


def _joint_move(model, state, rand):
    """A random action of each player who chooses, by one number each, in the order of seats."""
    legal = [model.player_legal_actions(state, player) for player in range(model.NUM_PLAYERS)]
    return tuple(own[int(rand() * len(own))] if own else -1 for own in legal)


def test_the_fast_generator_plays_as_well_on_average(twins):
    with worker_of(source_of(twins("tic_tac_toe").name)) as worker:
        worker.call("vector_driver.seed", 5, "fast")
        played = worker.call("vector_driver.play_games", 20_000)
    first = (array(played["returns"], np.float64, 20_000, 2)[:, 0] == 1.0).mean()
    assert abs(first - 0.585) < 0.015  # known: of random games the first player wins .585


@pytest.mark.parametrize("remembers", [False, True])
@pytest.mark.parametrize(
    ("name", "checked"),
    [(name, False) for name in ("tic_tac_toe", "connect_four", "pig", "leduc", "three_heaps")]
    + [("leduc", True)],
)
def test_games_side_by_side_are_those_of_python(twins, name, checked, remembers):
    model, count, rng = twins(name).python, 7, random.Random(1)
    columns, games = columns_of(model), Reference(model, 7, 3)
    ended = 0
    with worker_of(source_of(name), checked) as worker:
        worker.call("vector_driver.seed", 3, "python")
        begun = worker.call("vector_driver.begin", count, told(columns, remembers))
        assert (begun["players"], begun["actions"]) == (model.NUM_PLAYERS, model.NUM_DISTINCT_ACTIONS)
        games.begin(columns)
        reply = worker.call("vector_driver.look", True)
        for step in range(150):
            counts = array(reply["counts"], np.int32, count)
            flat = array(reply["legal"], np.int32, counts.sum()).tolist()
            legal = [games.legal(game) for game in range(count)]
            assert array(reply["players"], np.int32, count).tolist() == games.players()
            assert counts.tolist() == list(map(len, legal))
            assert flat == [action for numbers in legal for action in numbers]
            rows = rows_of(reply, columns, remembers, count, model.NUM_PLAYERS)
            expected = [[trail.vector() for trail in trails] for trails in games.trails]
            np.testing.assert_array_equal(rows, np.array(expected)[..., : begun["size"]])
            actions = [rng.choice(numbers or [0]) for numbers in legal]
            reply = worker.call("vector_driver.step", actions, True, False)
            for game, action in enumerate(actions):
                if legal[game]:
                    games.act(game, action)
                else:
                    games.start(game)
            returns = array(reply["returns"], np.float64, count, model.NUM_PLAYERS).tolist()
            over = array(reply["over"], np.uint8, count).tolist()
            assert returns == [[float(amount) for amount in model.returns(state)] for state in games.states]
            assert over == [int(player == TERMINAL) for player in games.players()]
            ended += sum(over)
    assert ended > count


def test_what_the_players_to_move_know_is_what_is_told_of_all(twins):
    columns, count = columns_of(twins("leduc").python), 9
    with worker_of(source_of("leduc")) as worker:
        worker.call("vector_driver.seed", 4, "fast")
        worker.call("vector_driver.begin", count, told(columns, True))
        for step in range(40):
            everyone = worker.call("vector_driver.look", True)
            movers = worker.call("vector_driver.look", False)
            players = array(movers["players"], np.int32, count)
            all_rows = rows_of(everyone, columns, True, count, 2)
            expected = [
                rows[player] if player >= 0 else np.zeros(columns.codec.size)
                for rows, player in zip(all_rows, players)
            ]
            np.testing.assert_array_equal(rows_of(movers, columns, True, count), expected)
            worker.call("vector_driver.step", [1] * count, False, step > 20)


def test_an_illegal_action_is_refused(twins):
    columns = columns_of(twins("tic_tac_toe").python)
    with worker_of(source_of("tic_tac_toe")) as worker:
        worker.call("vector_driver.begin", 3, told(columns, False))
        worker.call("vector_driver.step", [4, 4, 4], False, True)
        with pytest.raises(ProgramError, match="action 4 is not legal in game 1"):
            worker.call("vector_driver.step", [0, 4, 0], False, True)
        with pytest.raises(ProgramError, match="expected 3 actions, one for each game, found 1"):
            worker.call("vector_driver.step", [0], False, True)


TEXTS = (
    r'{"a": 1, "b": [true, false, null], "c": {}, "d": [], "e": {"f": {"g": -3}}}',
    r'{"a": 1e-0, "b": [1.5, 25e-1, 0.1], "c": {"d": ""}, "row": "ab"}',
    r' { "a" : -0 , "b" : [ [ ] , [ [ 1 ] , 2 ] ] , "row" : "bä" } ',
    r'{"quote \" \\ \/ \u00e9": "\b\f\n\r\t\u0041\u4e2d", "é": "\ud83d\ude00", "row": "😀a"}',
    r'{"a": 12345678901234567890, "b": 1.25E+2, "c": 3333333333333333e-16}',
    r'"only a string"',
    r"[1, 2, 3]",
    r"-7",
    r'{"row": ""}',
)
"""JSON as a model may put it. The fields "row" are texts of one length but in the last."""

MODEL_OF_TEXTS = """
enum { NUM_PLAYERS = 1, NUM_DISTINCT_ACTIONS = 1, MAX_CHANCE_OUTCOMES = 0, MAX_GAME_LENGTH = COUNT };
#define MIN_UTILITY 0.0
#define MAX_UTILITY 1.0
typedef struct { int32_t turn; } State;
static const char TEXTS[COUNT][300] = { ROWS };
void initial_state(State *state) { state->turn = 0; }
int current_player(const State *state) { return state->turn == COUNT - 1 ? TERMINAL_PLAYER : 0; }
int legal_actions(const State *state, int *actions) { actions[0] = 0; return 1; }
int chance_outcomes(const State *state, int *outcomes, double *probabilities) { return 0; }
void apply_action(State *state, int action) { state->turn++; }
void returns(const State *state, double *amounts) { amounts[0] = 0.0; }
void action_name(const State *state, int action, Text *text) { put(text, "on"); }
void observation(const State *state, int player, Text *text) { put(text, TEXTS[state->turn]); }
"""


def model_of(texts):
    def quoted(text):
        return '"%s"' % "".join(f"\\{byte:03o}" for byte in text.encode())

    return MODEL_OF_TEXTS.replace("ROWS", ", ".join(map(quoted, texts))).replace("COUNT", str(len(texts)))


@pytest.mark.parametrize("checked", [False, True])
def test_all_kinds_of_json_are_read_as_python_reads_them(twins, checked):
    data = [json.loads(text, parse_int=float) for text in TEXTS]  # an int and a float are one number there
    spelt = ("/row",)
    columns = Columns(Codec.made_from(1, [with_spelt(one, spelt) for one in data], ["on"]), spelt)
    assert columns.codec.columns > 30
    with worker_of(model_of(TEXTS), checked) as worker:
        worker.call("vector_driver.begin", 1, told(columns, False))
        for one in data:
            row = rows_of(worker.call("vector_driver.look", True), columns, False, 1, 1)[0, 0]
            expected = columns.codec.encoded(with_spelt(one, spelt))
            assert expected.any()
            np.testing.assert_array_equal(row[1:], expected)
            worker.call("vector_driver.step", [0], True, False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a" 1}',
        '{"a": }',
        "[1, ]",
        "[1 2]",
        '"open',
        r'"\u12g4"',
        "1 2",
        "-",
        "nul!",
        "nope",
        "-x",
        "[" * 150,
    ],
)
def test_what_is_no_json_is_refused(twins, text):
    with worker_of(model_of([text, "1"])) as worker:
        worker.call("vector_driver.begin", 1, told(Columns(Codec(1, (), (), ("on",)), ()), False))
        with pytest.raises(ProgramError, match="observation put something that is not JSON, from its byte"):
            worker.call("vector_driver.look", True)
