"""A model in C called like one in Python: the same facts everywhere, and failures that are told in a sentence."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest

from cwm.worker.native import compiling
from cwm.worker.simulator import MODEL_LIMITS, native_worker
from sandbox import ProgramError, WorkerDied, WorkerTimeout

pytestmark = [
    pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing())),
    pytest.mark.usefixtures("quick_builds"),
]
MODELS = Path(__file__).parents[2] / "models"
PIG = (MODELS / "pig.c").read_text(encoding="utf-8")
PROBE = """
import native_model as m
import random

def states(seed):
    rng, state = random.Random(seed), m.initial_state()
    while m.current_player(state) != -4:
        yield state
        player = m.current_player(state)
        options = m.legal_actions(state) if player >= 0 else [o for o, _ in m.chance_outcomes(state)]
        state = m.apply_action(state, options[int(rng.random() * len(options))])
    yield state

def facts(seed):
    rows = []
    for state in states(seed):
        player = m.current_player(state)
        actions = m.legal_actions(state) if player >= 0 else []
        outcomes = m.chance_outcomes(state) if player == -1 else []
        names = [m.action_name(state, a) for a in actions or [o for o, _ in outcomes]]
        rows.append([player, actions, outcomes, names, m.returns(state),
                     [m.observation(state, seat) for seat in range(m.NUM_PLAYERS)]])
    return rows

def numbers(seed, generator, count):
    m.seed(seed, generator)
    return [m.random_number() for _ in range(count)]

def call(name, *args): return getattr(m, name)(m.initial_state(), *args)
"""


def _worker(source: str, checked: bool = False):
    return native_worker({"probe": PROBE}, source, MODEL_LIMITS, checked=checked)


def _python_facts(model, seed):
    rng, state, rows = random.Random(seed), model.initial_state(), []
    while True:
        player = model.current_player(state)
        actions = list(model.legal_actions(state)) if player >= 0 else []
        outcomes = [list(pair) for pair in model.chance_outcomes(state)] if player == -1 else []
        options = actions or [outcome for outcome, _ in outcomes]
        names = [model.action_name(state, action) for action in options]
        seen = [model.observation(state, seat) for seat in range(model.NUM_PLAYERS)]
        rows.append([player, actions, outcomes, names, list(model.returns(state)), seen])
        if player == -4:
            return rows
        state = model.apply_action(state, options[int(rng.random() * len(options))])


@pytest.fixture(scope="module")
def pig(quick_builds):
    """A worker with the model of the game pig."""
    with _worker(PIG) as worker:
        yield worker


@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.c")))
@pytest.mark.parametrize("checked", [False, True])
def test_the_facts_are_those_of_the_python_model(twins, name, checked):
    model = twins(name).python
    with _worker((MODELS / f"{name}.c").read_text(encoding="utf-8"), checked) as worker:
        for seed in range(20):
            assert worker.call("probe.facts", seed) == json.loads(json.dumps(_python_facts(model, seed)))


@pytest.mark.parametrize("seed", [0, 1, 20260101, 2**31 - 1, 2**32, 2**64 - 1])
def test_random_numbers_are_pythons(pig, seed):
    expected = random.Random(seed)
    assert pig.call("probe.numbers", seed, "python", 2000) == [expected.random() for _ in range(2000)]


def test_fast_random_numbers_are_uniform_and_start_by_their_seed(pig):
    numbers = pig.call("probe.numbers", 7, "fast", 20_000)
    assert pig.call("probe.numbers", 7, "fast", 20_000) == numbers
    assert pig.call("probe.numbers", 8, "fast", 3) != numbers[:3]
    assert all(0 <= number < 1 for number in numbers) and len(set(numbers)) == len(numbers)
    for place in range(10):
        share = sum(int(10 * number) == place for number in numbers) / len(numbers)
        assert abs(share - 0.1) < 0.01  # five standard errors
    neighbours = sum(a * b for a, b in itertools.pairwise(numbers)) / len(numbers)
    assert abs(neighbours - 0.25) < 0.01


VALUES = [0.0, -0.0, 1.0, -2.5, 0.1, 1 / 3, 1e-7, 123456789.125, -0.007, 2.0**52, 1e15, 99.99, 5e-324, 1e300]


def test_text_is_put_together():
    puts = "".join(f'put_number(text, {value!r}); put(text, ", ");' for value in VALUES[:12])
    source = PIG[: PIG.index("void observation")] + (
        "void observation(const State *state, int player, Text *text) {\n"
        f'put(text, "{{\\"numbers\\": ["); {puts} put_int(text, -9223372036854775807LL - 1); put(text, "], ");\n'
        'put_quoted(text, "a \\"b\\" \\\\ \\n \\x1f"); put(text, ": "); put_char(text, \'3\'); put_char(text, \'}\'); }\n'
    )
    with _worker(source) as worker:
        found = worker.call("probe.call", "observation", 0)
    assert found == {"numbers": [*VALUES[:12], -(2**63)], 'a "b" \\ \n \x1f': 3}


@pytest.mark.parametrize(
    "body, message",
    [
        ('put(text, "{");', r"observation put something that is not JSON \(.*\): \{"),
        ('for (int i = 0; i < 300000; i++) put_char(text, \' \');', "observation put 300000 bytes, more than 262144"),
        ('put(text, "\\"\\xff\\"");', "utf-8"),
    ],
)  # fmt: skip
def test_text_that_cannot_be_read_is_an_error(body, message):
    source = PIG[: PIG.index("void observation")]
    source += f"void observation(const State *state, int player, Text *text) {{ {body} }}\n"
    with _worker(source) as worker, pytest.raises(ProgramError, match=message):
        worker.call("probe.call", "observation", 0)


BREACHES = {
    "no action": ("int count = 0;", "return 0; int count = 0;", "legal_actions gave no action where player 0"),
    "too many": ("int count = 0;", "return 3; int count = 0;", "there are 3 actions or outcomes in one state"),
    "player": ("if (state->moves", "return -2; if (state->moves", "current_player is -2, expected a player"),
    "probability": ("= 1.0 / 6.0;", "= 0.3;", "probabilities of chance_outcomes sum to 1.8, expected 1"),
    "negative": ("= 1.0 / 6.0;", "= outcome ? 0.25 : -0.25;", "chance_outcomes gave the probability -0.25"),
    "returns": ("= state->scores[player] >= WIN_SCORE ? 1.0", "= state->moves / 0.0 > 1.0 ? 1e308 * 1e308 :"
                " state->scores[player] >= WIN_SCORE ? 1.0", "returns gave inf, expected finite numbers"),
}  # fmt: skip


@pytest.mark.parametrize("name", BREACHES)
def test_breaches_of_the_contract_end_a_search_with_a_sentence(name):
    before, after, message = BREACHES[name]
    assert before in PIG
    with _worker(PIG.replace(before, after, 1)) as worker:
        with pytest.raises(ProgramError, match=message) as caught:
            worker.call("native_driver.search_at", 0, [], 0, {"simulations": 2000, "solve": False})
        assert caught.value.type_name == "NativeError"
        assert worker.call("native_driver.facts")["checked"] is False  # it lives on


UNDEFINED = {
    "index": ("state->scores[state->player] += state->turn_total;", "state->scores[state->player + 3] += 1;",
              "an index outside its array"),
    "sum": ("state->moves++;", "state->moves++; state->turn_total = state->moves + 0x7fffffff;", "a sum overflows"),
    "shift": ("state->moves++;", "state->moves += 1 + (1 << (state->moves + 40)) * 0;", "a shift by too much"),
    "division": ("state->moves++;", "state->moves += 1 + 7 / (state->moves * 0);", "a division by zero"),
    "bool": ("state->rolling = true;", "*(char *)&state->rolling = 2;", "a value that its type does not have"),
    "builtin": ("state->moves++;", "state->moves += 1 + __builtin_ctz((unsigned)state->turn_total);", "a builtin called with 0"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_checked_build_reports_undefined_behaviour_with_its_line(name):
    before, after, what = UNDEFINED[name]
    assert before in PIG
    source = PIG.replace(before, after, 1)
    with _worker(source, checked=True) as worker:
        with pytest.raises(ProgramError, match=f"{what}.* at line \\d+ of model.c") as caught:
            for seed in range(50):
                worker.call("probe.facts", seed)
        line = int(caught.value.message.split(" at line ")[1].split()[0])
        if name != "bool":  # seen where it is read
            assert after.split()[-1] in source.splitlines()[line - 1]


def test_a_checked_build_sees_writes_beyond_a_buffer():
    source = PIG.replace("int count = 0;", "int count = 0; actions[NUM_DISTINCT_ACTIONS + 3] = 1;", 1)
    with (
        _worker(source, checked=True) as worker,
        pytest.raises(ProgramError, match="beyond the end of a buffer.*4"),
    ):
        worker.call("probe.call", "legal_actions")


def test_an_action_that_is_not_possible_never_reaches_the_model(pig):
    for action in (-1, 2, 10**6):
        with pytest.raises(ProgramError, match=f"{action:g} is not possible".replace("+", r"\+")):
            pig.call("probe.call", "apply_action", action)


def test_a_crash_a_loop_and_an_endless_recursion_end_the_worker():
    first = "void apply_action(State *state, int action) {"
    for body, error, seconds in (
        ("*(int *)(8L * (state->moves + 1)) = 1;", WorkerDied, 20.0),
        ("for (;;) state->turn_total ^= 1;", WorkerTimeout, 0.5),
        ("if (state->moves < 1000000) { state->moves -= 1; apply_action(state, action); state->player ^= 1; }",
         WorkerDied, 20.0),
    ):  # fmt: skip
        with _worker(PIG.replace(first, f"{first} {body}", 1)) as worker:
            with pytest.raises(error):
                worker.call("probe.call", "apply_action", 0, timeout=seconds)
            assert not worker.alive


def test_a_tree_that_does_not_fit_is_told():
    with _worker(PIG) as worker:
        worker.call("native_arena.open_arena", 1 << 16)
        with pytest.raises(ProgramError, match="does not fit into 65536 bytes; choose fewer simulations"):
            worker.call("native_driver.search_at", 0, [], 0, {"simulations": 5000})
        assert worker.call("native_driver.search_at", 0, [], 0, {"simulations": 50})["columns"][0]


@pytest.mark.parametrize(
    "options, message",
    [
        ({}, "expected simulations or seconds, found neither"),
        ({"simulations": 0}, "simulations is 0, expected at least 1"),
        ({"seconds": 0}, "seconds is 0, expected a positive number"),
        ({"simulations": 1, "rollouts": 0}, "rollouts is 0"),
        ({"simulations": 1, "value": True}, "defines no value function"),
        ({"simulations": 1, "max_rollout_length": 0}, "max_rollout_length is 0"),
        ({"simulations": 1, "depth": 3}, "unknown options of the search: depth"),
    ],
)
def test_options_are_checked(pig, options, message):
    with pytest.raises(ProgramError, match=message):
        pig.call("native_driver.search_at", 0, [], 0, options)
