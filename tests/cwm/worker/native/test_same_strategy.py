"""The core in C finds the strategies that the search of choices made at once in Python finds, bit for bit."""

from __future__ import annotations

import functools
import importlib.resources

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cwm.worker.native import compiling
from cwm.worker.simulator import MODEL_LIMITS, Simulator, native_worker
from sandbox import ProgramError
from tests.cwm.worker.native.conftest import source_of

pytestmark = pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing()))
QUIET = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
PLAYERS = {"oshi_zumo": 2, "goofspiel": 2, "sowing": 3}
RULES = ("uct", "regret_matching")
OPTIONS = {"simulations": 300, "rollouts": 1, "rule": "uct", "uct_c": 2.0, "exploration": 0.5, "seed": 1}


@pytest.fixture(scope="module")
def python():
    """`python(name)` gives a `Simulator` whose searches run in Python, made once."""
    made = functools.cache(lambda name: Simulator(source_of(f"at_once/{name}", "py")))
    yield made
    for name in PLAYERS:
        made(name).close()


def _position(simulator: Simulator, seed: int, moves: int) -> list[str]:
    """The names of the first moves of a random game that goes on after them."""
    names = simulator.call("random_play", seed, 1000)["names"]
    return names[: min(moves, len(names) - 1)]


@given(
    name=st.sampled_from(sorted(PLAYERS)),
    position=st.tuples(st.integers(0, 10_000), st.integers(0, 6)),
    options=st.fixed_dictionaries(
        {
            "simulations": st.integers(0, 500),
            "rollouts": st.integers(1, 4),
            "rule": st.sampled_from(RULES),
            "uct_c": st.sampled_from([0.0, 0.3, 2.0, 20.0]),
            "exploration": st.sampled_from([0.0, 0.3, 0.5, 1.0]),
            "seed": st.one_of(st.integers(0, 2**31 - 1), st.integers(0, 2**64 - 1)),
        }
    ),
)
@QUIET
def test_strategies(twins, python, name, position, options):
    """And the action drawn from each, so that the searches have taken equally many random numbers."""
    native, names = twins(f"at_once/{name}").native, _position(python(name), *position)
    for player in range(PLAYERS[name]):
        expected = python(name).search_at_once(names, player, options)
        assert native.search_at_once(names, player, options) == expected


@pytest.mark.parametrize(
    "name, names", [("oshi_zumo", []), ("goofspiel", ["Deal 2"]), ("sowing", ["storm", "strength 0"])]
)
@pytest.mark.parametrize("rule", RULES)
def test_strategies_of_many_seeds(twins, python, name, names, rule):
    """From states in which everybody chooses, in trees of several hundred nodes."""
    native = twins(f"at_once/{name}").native
    for seed in range(8):
        options = {
            **OPTIONS,
            "rule": rule,
            "seed": seed,
            "simulations": 250 + 20 * seed,
            "rollouts": 1 + seed % 3,
        }
        for player in range(PLAYERS[name]):
            expected = python(name).search_at_once(names, player, options)
            assert len(expected["policy"]) > 1
            assert native.search_at_once(names, player, options) == expected


@pytest.mark.parametrize("name, names", [("oshi_zumo", []), ("goofspiel", ["Deal 1"])])
@pytest.mark.parametrize("rule", RULES)
def test_the_strategies_compared_are_found_by_search(twins, name, names, rule):
    """They are not the same without a search, nor with another seed, and probabilities sum to 1."""
    native, found = twins(f"at_once/{name}").native, []
    spread = {**OPTIONS, "rule": rule, "uct_c": 20.0, "exploration": 1.0}
    for change in ({}, {"simulations": 0}, {"seed": 2}):
        policy = native.search_at_once(names, 0, {**spread, **change})["policy"]
        assert sum(chance for _, chance in policy) == pytest.approx(1.0)
        found.append([chance for _, chance in policy])
    assert found[0] != found[1] and found[0] != found[2]


@pytest.mark.parametrize("rule", RULES)
def test_who_chooses_alone_takes_the_first_of_equals(twins, python, rule):
    """Without a search all are equal."""
    names = ["fair", '["player 0 sows 1", "player 1 sows 0", "player 2 sows 0"]']
    options = {**OPTIONS, "rule": rule, "simulations": 0}
    found = twins("at_once/sowing").native.search_at_once(names, 0, options)
    assert found == python("sowing").search_at_once(names, 0, options)
    assert found == {"name": "keep", "policy": [["keep", 1.0], ["share", 0.0]]}


def test_the_fast_generator_finds_what_dominates(twins):
    """Grain that is left at the end is worth nothing, and in a fair year each that is sown 1.7, which no sharing outweighs."""
    names = ["fair", '["player 0 sows 0", "player 1 sows 0", "player 2 sows 0"]', "keep", "fair"]
    native = twins("at_once/sowing").native
    for rule in RULES:
        options = {**OPTIONS, "simulations": 3000, "rule": rule, "generator": "fast"}
        for player, most in ((0, 2), (1, 2), (2, 1)):
            policy = native.search_at_once(names, player, options)["policy"]
            assert policy == native.search_at_once(names, player, options)["policy"]
            assert dict(map(tuple, policy))[f"player {player} sows {most}"] > 0.9


@pytest.mark.parametrize(
    "names, told",
    [
        ([], {"player": -1}),
        (["fair", '["player 0 sows 0", null, "player 2 sows 0"]'], {"at": 1}),
        (["fair", '["player 0 sows 0", "player 1 sows 0", "player 2 sows 0"]'], {"player": 0}),
        (["rain"], {"unknown": "rain", "at": 0}),
    ],
)
def test_who_does_not_choose_is_told_who_does(twins, python, names, told):
    found = twins("at_once/sowing").native.search_at_once(names, 2, dict(OPTIONS))
    assert told.items() <= found.items()
    assert {key: found[key] for key in found if key != "known"} == python("sowing").search_at_once(
        names, 2, dict(OPTIONS)
    )


# --- failures ------------------------------------------------------------------------------------------


ZUMO = source_of("at_once/oshi_zumo")


def _worker(source: str):
    modules = {"model": source_of("at_once/oshi_zumo", "py")}
    modules["joint"] = importlib.resources.files("cwm.worker").joinpath("joint.py").read_text(encoding="utf-8")
    return native_worker(modules, source, MODEL_LIMITS)


@pytest.mark.parametrize(
    "before, after, message",
    [
        ("TERMINAL_PLAYER : SIMULTANEOUS_PLAYER;", "TERMINAL_PLAYER : 7;", "current_player is 7, expected"),
        (
            "return state->coins[player] + 1;",
            "return state->bids ? 0 : state->coins[player] + 1;",
            "no action for any player where current_player is -2",
        ),
        ("return state->coins[player] + 1;", "return 8;", "there are 8 actions or outcomes in one state"),
        ("amounts[1] = -amounts[0];", "amounts[1] = 1e308 * 10;", "returns gave inf, expected finite"),
        (
            "TERMINAL_PLAYER : SIMULTANEOUS_PLAYER;",
            "TERMINAL_PLAYER : state->bids ? CHANCE_PLAYER : SIMULTANEOUS_PLAYER;",
            "probabilities of chance_outcomes sum to 0.0",
        ),
    ],
)
def test_a_model_that_breaks_the_contract_is_told_so(before, after, message, quick_builds):
    assert before in ZUMO
    with _worker(ZUMO.replace(before, after)) as worker, pytest.raises(ProgramError, match=message):
        worker.call("simultaneous_native.search_at", 0, [], 0, OPTIONS)


def test_what_is_searched_in_turn_meets_no_choices_made_at_once(twins, quick_builds):
    native = twins("at_once/oshi_zumo").native
    with pytest.raises(ProgramError, match="this search is for games in turn"):
        native.search_at([], -2, {"simulations": 10})
    in_turn = ["fair", '["player 0 sows 0", "player 1 sows 0", "player 2 sows 0"]']
    with pytest.raises(ProgramError, match="this search is for games in turn"):
        twins("at_once/sowing").native.search_at(in_turn, 0, {"simulations": 50})
    with pytest.raises(ProgramError, match="this search is for games in turn"):
        twins("at_once/goofspiel").native.call(
            "native_driver.search_fitting", ["Deal 1"], 0, {"simulations": 10}
        )


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"rule": "best"}, "rule is 'best', expected uct or regret_matching"),
        ({"rollouts": 0}, "rollouts is 0, expected 1 to"),
        ({"simulations": -1}, "simulations is -1, expected 0 to"),
        ({"solve": True}, "unknown options of the search: solve"),
    ],
)
def test_options_out_of_range_are_refused(twins, changed, message):
    with pytest.raises(ProgramError, match=message):
        twins("at_once/oshi_zumo").native.search_at_once([], 0, {**OPTIONS, **changed})


def test_a_tree_that_does_not_fit_is_told(quick_builds):
    with _worker(ZUMO) as worker:
        worker.call("native_arena.open_arena", 1 << 16)
        with pytest.raises(ProgramError, match="does not fit into 65536 bytes; choose fewer simulations"):
            worker.call("simultaneous_native.search_at", 0, [], 0, {**OPTIONS, "simulations": 5000})
        assert worker.call("simultaneous_native.search_at", 0, [], 0, {**OPTIONS, "simulations": 20})["policy"]


def test_only_what_is_legal_is_applied(quick_builds):
    probe = "from native_model import *\ndef after(actions):\n    apply_actions(initial_state(), actions)\n"
    with native_worker({"probe": probe}, ZUMO, MODEL_LIMITS, checked=True) as worker:
        worker.call("probe.after", [6, 0])
        for actions in ([7, 0], [0, -1]):
            with pytest.raises(ProgramError, match=f"{max(actions) or -1} is not possible"):
                worker.call("probe.after", actions)
