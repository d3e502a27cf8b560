"""A program with probes does what it did, and tells line by line what was reached of it."""

from __future__ import annotations

import pyspiel
import pytest

from cwm.trust import checks
from cwm.trust.trajectories import collect, from_names
from cwm.trust.verification.probes import with_probes
from cwm.trust.verification.reached import OneSided, Recorder, UnreachedLines, report

SMALL = """\
\"\"\"A docstring.\"\"\"
from __future__ import annotations
def f(x):
    if x > 3 and x != 5:
        return "a"
    while x:
        x -= 1
    return [y for y in (1, 2) if y == x] or None


def g(x):
    if x:
        raise ValueError
    return x
"""


def reached_by(*arguments, function="f"):
    probed = with_probes(SMALL)
    names: dict = {}
    exec(compile(probed.source, "<probed>", "exec"), names)
    found = [names[function](argument) for argument in arguments]
    return found, report(probed, {place for place, hit in enumerate(names["_cwm_hits"]) if hit})


def test_what_one_call_reaches():
    found, reached = reached_by(4)
    assert found == ["a"]
    assert reached.never_run == (UnreachedLines(6, 8, "f", False), UnreachedLines(12, 14, "g", False))
    assert reached.one_sided == (
        OneSided(4, "f", "x > 3", False, False),
        OneSided(4, "f", "x != 5", False, False),
    )
    # Lines with statements: 1 and 2 need no probe; of 3-8 and 11-14 ran 3, 4, 5 and 11.
    assert (reached.lines, reached.lines_reached) == (10, 4)
    # x > 3, x != 5, x, the list, y == x, and x in g.
    assert (reached.outcomes, reached.outcomes_reached) == (12, 2)


def test_each_further_call_adds_what_it_reaches():
    found, reached = reached_by(4, 0, 2)
    assert found == ["a", None, None]
    assert reached.never_run == (UnreachedLines(12, 14, "g", False),)
    assert reached.one_sided == (
        OneSided(4, "f", "x != 5", False, False),
        OneSided(8, "f", "[y for y in (1, 2) if y == x]", True, False),
        OneSided(8, "f", "y == x", True, False),
    )
    assert reached_by(5, 6)[1].never_run == (UnreachedLines(12, 14, "g", False),)


def test_a_guard_is_told_apart():
    _, reached = reached_by(0, function="g")
    assert OneSided(12, "g", "x", True, True) in reached.one_sided
    assert UnreachedLines(13, 13, "g", True) in reached.never_run
    # The raise says nothing that the condition does not say.
    assert reached.items() == [UnreachedLines(4, 8, "f", False), OneSided(12, "g", "x", True, True)]


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "pig", "leduc"])
def test_a_model_with_probes_passes_what_it_passed(source_of, name):
    games = list(collect(pyspiel.load_game({"leduc": "leduc_poker"}.get(name, name)), 5, 3))
    probed = with_probes(source_of(name)).source
    assert probed != source_of(name)
    plain, again = (checks.run(text, games, random_games=5) for text in (source_of(name), probed))
    assert plain.transitions > 0 and again == plain


def test_only_compared_games_count_and_each_adds_to_the_report(source_of):
    """In tic-tac-toe a draw is reached by no short game, and by a game that is drawn."""
    game = pyspiel.load_game("tic_tac_toe")
    won = from_names(game, ["x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)", "x(0,2)"])
    drawn = from_names(
        game, ["x(0,0)", "o(0,1)", "x(0,2)", "o(1,1)", "x(1,0)", "o(1,2)", "x(2,1)", "o(2,0)", "x(2,2)"]
    )
    source = source_of("tic_tac_toe") + "\n\n_full = apply_action\n\n\n" + FULL
    recorder = Recorder(source)
    try:
        recorder.replay([won])
        assert "`0 not in after[0]` was never true" in "\n".join(map(str, described(recorder)))
        recorder.replay([drawn])
        assert "0 not in after[0]" not in "\n".join(map(str, described(recorder)))
    finally:
        recorder.close()


FULL = """\
def apply_action(state, action):
    after = _full(state, action)
    if 0 not in after[0]:
        return after
    return after
"""


def described(recorder):
    return [item.describe() for item in recorder.result().items()]


def test_a_program_that_spoils_its_probes_has_no_report(source_of):
    recorder = Recorder(source_of("tic_tac_toe") + "\n_cwm_hits = None\n")
    try:
        recorder.replay(collect(pyspiel.load_game("tic_tac_toe"), 1, 0))
        assert "the copy with probes failed" in recorder.result().problem
    finally:
        recorder.close()
