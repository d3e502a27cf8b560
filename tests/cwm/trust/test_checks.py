"""The unit tests of a model find every planted error and no other."""

from __future__ import annotations

import pyspiel
import pytest

from cwm.trust import checks, held_out, trajectories
from sandbox import Limits


def games_of(name, count=4, seed=11):
    return list(trajectories.collect(pyspiel.load_game(name), count, seed))


@pytest.mark.parametrize("name, game", [("tic_tac_toe", "tic_tac_toe"), ("connect_four", "connect_four")])
def test_a_right_model_passes_everything(source_of, name, game):
    report = checks.run(source_of(name), games_of(game), random_games=10)
    assert report.perfect and report.accuracy == 1.0 and report.failures == []


PLANTED = {
    "a wrong winner": (
        "def returns(state):",
        "def returns(state):\n    return (0.0, 0.0)\n\n\ndef _old(state):",
        "returns after the action",
    ),
    "a wrong name": (
        "def action_name(state, action):",
        'def action_name(state, action):\n    return "z%d" % action\n\n\ndef _old(state, action):',
        "names of the legal actions",
    ),
    "a wrong observation": (
        "def observation(state, player):",
        "def observation(state, player):\n    return {}\n\n\ndef _old(state, player):",
        "observation of player 0",
    ),
    "a wrong player": (
        "def current_player(state):",
        "def current_player(state):\n    return 0\n\n\ndef _old(state):",
        "current_player",
    ),
    "a legal action twice": (
        "def legal_actions(state):",
        "def legal_actions(state):\n    return [*_old(state), *_old(state)[:1]]\n\n\ndef _old(state):",
        "number of legal actions",
    ),
    "a return too many": (
        "def returns(state):",
        "def returns(state):\n    return [*_old(state), 0.0]\n\n\ndef _old(state):",
        "returns after the action",
    ),
    "a return too few": (
        "def returns(state):",
        "def returns(state):\n    return _old(state)[:1]\n\n\ndef _old(state):",
        "returns after the action",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_error_is_found_and_named(source_of, planted):
    old, new, expected = PLANTED[planted]
    source = source_of("tic_tac_toe")
    assert old in source
    report = checks.run(source.replace(old, new), games_of("tic_tac_toe"))
    assert report.accuracy < 1.0
    assert any(expected in m.where for f in report.failures for m in f.mismatches), report.failures


@pytest.mark.parametrize(
    "body, expected",
    [
        ("    raise KeyError('boom')", "KeyError"),
        ("    while True: pass", "deadline"),
        ("    x = 'a' * (100 << 30)", "Memory"),
        ("    return float('nan')", "not JSON compliant"),
        ("    import os; os._exit(0)", "os"),
        ("    return _deep(state)\n\n\ndef _deep(s):\n    return _deep(s)", "Recursion"),
    ],
)
def test_a_model_that_misbehaves_is_data(source_of, body, expected):
    source = source_of("tic_tac_toe").replace(
        "def current_player(state):", f"def current_player(state):\n{body}\n\n\ndef _old(state):"
    )
    report = checks.run(
        source,
        games_of("tic_tac_toe", 1),
        random_games=1,
        limits=Limits(memory_bytes=256 << 20, call_seconds=1.0),
    )
    assert report.passed == 0 and report.breaches == 1 and report.failures
    told = " ".join(str(failure) for failure in report.failures)
    assert expected.lower() in told.lower(), told


def test_forged_replies_do_not_reach_the_verdict(source_of):
    """A program can write any reply; it must not be able to break or fool the comparison."""
    forge = (
        "\n\nimport functools\n\n\ndef observation(state, player):\n"
        "    import sys\n"
        "    sys.modules['driver'].replay = lambda *a: {'steps': [1, None, {}], 'error': None}\n"
        "    return {}\n"
    )
    report = checks.run(source_of("tic_tac_toe") + forge, games_of("tic_tac_toe", 3))
    assert report.passed == 0


FORGED = {
    "an error": lambda games: {"error": {"call": "", "message": "no", "lines": []}},
    "one too few": lambda games: [{"steps": [FACTS] * (len(games[0]) + 1)}] * (len(games) - 1),
    "states too few": lambda games: [{"steps": [FACTS]}] * len(games),
    "no facts": lambda games: [{"steps": [{}] * (len(names) + 1)} for names in games],
    "no rows": lambda games: ["steps"] * len(games),
}
FACTS = {"player": 0, "observations": [], "returns": [], "legal": [], "actions": 0}


@pytest.mark.parametrize(
    "body", ["", "    if state[0][0] == 1:\n        return 1 // 0\n"], ids=["right", "raises"]
)
@pytest.mark.parametrize("forged", [None, *FORGED])
def test_games_that_share_a_call_are_judged_as_each_by_itself(source_of, monkeypatch, forged, body):
    """Some models fail in some of the games, and some replies to the call for many games are forged."""
    source = source_of("tic_tac_toe").replace("def returns(state):\n", f"def returns(state):\n{body}", 1)
    games, holder = games_of("tic_tac_toe", 12), checks.Holder(source)
    expected = [checks.check_game(holder, index, game) for index, game in enumerate(games)]
    holder.close()

    def call(self, name, *args, call=checks.Holder.call):
        return FORGED[forged](args[0]) if forged and name == "replay_many" else call(self, name, *args)

    monkeypatch.setattr(checks.Holder, "call", call)
    assert [tuple(judged) for _, *judged in checks.tested_games(source, games)] == expected
    failed = sum(failure is not None for _, failure in expected)
    assert 0 < failed < 12 if body else failed == 0


def test_short_games_share_a_call(source_of, monkeypatch):
    called = []
    monkeypatch.setattr(
        checks.Holder,
        "call",
        lambda self, name, *args, call=checks.Holder.call: called.append(name) or call(self, name, *args),
    )
    verdicts = [
        verdict
        for _, verdict in checks.transition_verdicts(source_of("tic_tac_toe"), games_of("tic_tac_toe", 24))
    ]
    assert len(verdicts) == 24 and all(map(all, verdicts))
    assert set(called) == {"replay_many"} and 4 <= len(called) <= 6  # 50 states a call, of games of 6 to 10


@pytest.mark.parametrize(
    "change, expected",
    [
        (("MAX_GAME_LENGTH = 9", "MAX_GAME_LENGTH = 3"), "MAX_GAME_LENGTH"),
        (("MIN_UTILITY = -1.0", "MIN_UTILITY = 0.0"), "MIN_UTILITY"),
        (("NUM_DISTINCT_ACTIONS = 9", "NUM_DISTINCT_ACTIONS = 4"), "NUM_DISTINCT_ACTIONS"),
    ],
)
def test_bounds_are_tried_in_random_play(source_of, change, expected):
    source = source_of("tic_tac_toe")
    assert change[0] in source
    report = checks.run(source.replace(*change), [], random_games=10)
    assert report.breaches > 0 and expected in report.failures[0].breach


def test_a_model_is_judged_by_the_recording_not_by_itself(source_of):
    report = checks.run(source_of("connect_four"), games_of("tic_tac_toe"))
    assert report.passed == 0


def test_every_transition_covers_the_whole_of_tic_tac_toe():
    """4,520 positions of tic-tac-toe are not over (5,478 reachable, 958 of them final)."""
    paths = held_out.every_transition(pyspiel.load_game("tic_tac_toe"))
    positions = {held_out.state_key(step) for path in paths for step in path.steps}
    edges = {(held_out.state_key(step), step.action) for path in paths for step in path.steps if step.action}
    assert len(positions) == 5_478 and len(edges) == 16_167


def test_a_large_game_is_not_walked():
    assert held_out.every_transition(pyspiel.load_game("connect_four"), limit=200) is None


@pytest.mark.parametrize(
    "expected, found, same",
    [
        (1, 1.0, True),
        (True, 1, False),
        ([1, 2], (1, 2), True),
        ({"a": 0.1}, {"a": 0.1 + 1e-9}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ("1", 1, False),
        (None, None, True),
        ([1], [1, 1], False),
    ],
)
def test_same_data(expected, found, same):
    assert checks.same_data(expected, found) is same
