"""The loop that tries commands: against Jericho's own, on a story of TextWorld; on real stories see
test_jericho_roms.py."""

import importlib.util
import os
import random

import pytest

from games.text import jericho_trials
from games.text.jericho_trials import KNOWN, Trials, Unavailable, compiled

needs_textworld = pytest.mark.skipif(
    importlib.util.find_spec("textworld") is None or importlib.util.find_spec("jericho") is None,
    reason="textworld and jericho are not installed; pip install 'spielwright[text]'",
)


@pytest.fixture
def no_cache(tmp_path, monkeypatch):
    """An empty folder for what is compiled."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)


@needs_textworld
def test_effects_are_those_of_jerichos_loop(tmp_path):
    import jericho

    from games.text.jericho_worker import Interpreter
    from games.text.textworld_game import TextWorld

    engine = TextWorld("cooking", 3, 7, str(tmp_path))
    interpreter = Interpreter(engine._story, 1, True)
    trials = Trials(interpreter._env.frotz_lib, jericho.__version__, os.path.getsize(engine._story))
    snapshot, moment, rng = engine.start(), interpreter.start(), random.Random(5)
    changing = 0
    for _ in range(12):
        if snapshot.over:
            break
        valid = list(engine.valid_actions(snapshot))
        # Beside those that do something: what is refused, what is not understood, what is taken by the way.
        tried = [*valid, "look", "take all", "drop all", "xyzzy", "open me with me", "eat all but me"]
        tried += ["put all in all", "ask me about 12", "again", "take the", "north. south. north", "go"]
        theirs = interpreter._effects_by_jericho(moment["state"], tried)
        interpreter._set(moment["state"])
        before = interpreter._get()
        assert trials.effects(tried) == (theirs, len(tried))
        # The state is as it was, so that the next trials begin in the same.
        assert interpreter._get()[:8] == before[:8]
        changing += len({effect for _, effect in theirs})
        command = rng.choice(valid)
        snapshot = engine.step(snapshot, command)
        moment = interpreter.step(moment["state"], command)
    assert changing > 12


@needs_textworld
def test_a_command_that_is_too_long_stops_the_loop(tmp_path):
    import jericho

    from games.text.jericho_worker import Interpreter
    from games.text.textworld_game import TextWorld

    story = TextWorld("simple", 1, 7, str(tmp_path))._story
    interpreter = Interpreter(story, 1, True)
    trials = Trials(interpreter._env.frotz_lib, jericho.__version__, os.path.getsize(story))
    interpreter.start()
    assert trials.effects(["look", "look " * 60, "look"])[1] == 1


def test_another_version_of_jericho_is_refused():
    with pytest.raises(Unavailable, match=rf"made for jericho {KNOWN[0]}, found 4\.0"):
        Trials(None, "4.0", 0)


def test_it_is_compiled_once(no_cache, monkeypatch):
    file = compiled()
    monkeypatch.setattr(jericho_trials, "_compile", lambda *arguments: pytest.fail("compiled again"))
    assert compiled() == file and [other.name for other in file.parent.iterdir()] == [file.name]


def test_a_compiler_that_fails_is_named(no_cache, monkeypatch):
    monkeypatch.setenv("CC", "false")
    with pytest.raises(Unavailable, match=r"false failed on jericho_trials\.c"):
        compiled()


def test_without_a_compiler_there_is_the_command_to_install_one(no_cache, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="apt install gcc"):
        compiled()


def test_a_command_that_halts_costs_that_command_only():
    from games.text.jericho_worker import Interpreter

    tried = []

    class Halting:
        def effects(self, commands):
            tried.append(commands)
            before = commands[: commands.index("halt")] if "halt" in commands else commands
            return [(command, b"effect") for command in before if command != "wait"], len(before)

    interpreter = object.__new__(Interpreter)
    interpreter._own, interpreter._trials = False, Halting()
    interpreter._set = lambda state: None
    interpreter._halted = lambda: True
    found = interpreter.effects(None, ["up", "wait", "halt", "halt", "down", "halt"])
    assert found == [("up", b"effect"), ("down", b"effect")]
    assert [len(commands) for commands in tried] == [6, 3, 2]
