"""Stories in a process of its own: what is found once is kept, and nothing that the interpreter does ends
the run. With a story of our own in its place; with real stories see test_jericho_roms.py."""

import importlib.util
import multiprocessing
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pyspiel
import pytest

from games.seeing import views
from games.text import jericho_game, jericho_process, jericho_worker
from games.text.action_store import ActionStore
from games.text.jericho_game import Jericho, story
from games.text.jericho_process import InterpreterLost, InterpreterProcess
from games.text.jericho_worker import tag, tidy

SECONDS = 0.5
STORY = bytes([5]) + bytes(0x19) + (16).to_bytes(2, "big") + bytes(64)
"""A header of version 5 that promises 64 bytes, and no checksum."""


@pytest.fixture
def rom(tmp_path, monkeypatch):
    """A story that the fake worker tells."""
    monkeypatch.setattr(jericho_worker, "__file__", str(Path(__file__).with_name("fake_worker.py")))
    for module in (jericho_process, jericho_game):
        monkeypatch.setattr(module, "require_jericho", lambda: None)
    path = tmp_path / "tower.z5"
    path.write_bytes(STORY)
    yield str(path)
    story.cache_clear()


def load(rom, **parameters):
    return pyspiel.load_game(
        "jericho", {"rom": rom, "cache": os.path.dirname(rom), "seconds": SECONDS, **parameters}
    )


def requests(rom):
    return Path(rom + ".log").read_text(encoding="utf-8").split()


def apply(state, command):
    state.apply_action(views.action_from_name(state, command))


def test_commands_that_hang_or_crash_are_left_out(rom):
    hangs = Path(rom).rename(Path(rom).with_name("hangs.z5"))
    assert load(str(hangs)).new_initial_state().valid_actions() == ("down", "up")


@pytest.fixture
def processes(monkeypatch):
    """All interpreters that are started, the ended ones too."""
    started, popen = [], subprocess.Popen

    def start(*arguments, **options):
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    return started


def renamed(rom, name):
    return str(Path(rom).rename(Path(rom).with_name(name)))


def lists_and_effects(rom, interpreters, monkeypatch):
    """The lists at heights 0 and 2, and what `choose` was given for them."""
    call, given = InterpreterProcess.call, []

    def note(self, operation, *arguments):
        if operation == "choose":
            given.append(arguments)
        return call(self, operation, *arguments)

    process = InterpreterProcess(rom, 0, SECONDS, interpreters=interpreters)
    with monkeypatch.context() as patch:
        patch.setattr(InterpreterProcess, "call", note)
        lists = [process.valid_commands(height, True, 128) for height in (0, 2)]
    process.close()
    return lists, given


@pytest.mark.parametrize("interpreters", [2, 3])
@pytest.mark.parametrize("name, chunk", [("slow.z5", 16), ("hangs.z5", 2)])
def test_several_interpreters_find_the_same_lists(rom, processes, monkeypatch, name, chunk, interpreters):
    monkeypatch.setattr(jericho_process, "_SHARED_CHUNK", chunk)
    rom = renamed(rom, name)
    expected = lists_and_effects(rom, 1, monkeypatch)
    assert expected[0][0] == ["down", "up"]
    alone = len(processes)
    assert lists_and_effects(rom, interpreters, monkeypatch) == expected
    assert len(processes) - alone >= interpreters
    assert all(process.returncode is not None for process in processes)


def test_a_terminals_ctrl_c_does_not_reach_an_interpreter(rom, processes):
    """It goes to the processes of the terminal's session."""
    process = InterpreterProcess(rom, 0, SECONDS)
    [started] = processes
    assert os.getsid(started.pid) == started.pid != os.getsid(0)
    process.close()


def test_several_interpreters_end_with_their_owner(rom, processes):
    process = InterpreterProcess(renamed(rom, "slow.z5"), 0, SECONDS, interpreters=3)
    assert len(processes) == 1
    expected = process.valid_commands(2, True, 128)
    assert len(processes) == 3 and all(process.poll() is None for process in processes)
    process.close()
    assert all(process.returncode is not None for process in processes)
    assert process.valid_commands(2, True, 128) == expected
    assert len(processes) == 6
    del process
    assert all(process.returncode is not None for process in processes)


def test_the_loss_of_one_interpreter_leaves_the_others(rom, processes):
    process = InterpreterProcess(renamed(rom, "slow.z5"), 0, SECONDS, interpreters=2)
    process.valid_commands(2, True, 128)
    with pytest.raises(InterpreterLost, match="crashed"):
        process.call("step", 0, "crash")
    assert [started.poll() is None for started in processes] == [False, True]


def test_several_interpreters_survive_a_fork(rom):
    process = InterpreterProcess(renamed(rom, "slow.z5"), 0, SECONDS, interpreters=2)
    expected = process.valid_commands(2, True, 128)
    child = os.fork()
    if not child:
        found = process.valid_commands(2, True, 128)
        process.close()
        os._exit(0 if found == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert process.valid_commands(2, True, 128) == expected


def test_a_game_with_several_interpreters(rom):
    one, two = (load(rom, cache="none", interpreters=number) for number in (1, 2))
    assert one.engine is not two.engine
    assert one.new_initial_state().valid_actions() == two.new_initial_state().valid_actions()
    assert pickle.loads(pickle.dumps(two.engine)) is two.engine


def test_a_command_that_hangs_costs_one_move(rom):
    state = load(rom).new_initial_state()
    before = state.snapshot
    for command, reason in (("hang", "did not answer within 0.5 s"), ("crash", "crashed"), ("halt", "halted")):
        after = state.engine.step(before, command)
        assert f"The interpreter {reason} on '{command}': the move is lost" in after.observation
        assert after.world == before.world and not after.over
    apply(state, "up")
    assert state.score() == 5 and state.observation() == "You are at height 1."


def test_where_nothing_changes_the_world_one_can_look(rom):
    state = load(rom).new_initial_state()
    apply(state, "up")
    assert state.valid_actions() == ("look",)


def test_a_list_that_is_too_long_keeps_the_most_usual(rom):
    engine = load(rom).engine
    second = engine.step(engine.step(engine.start(), "up"), "up")
    commands = engine.valid_actions(second)
    expected = sorted((f"up{number}" for number in range(200)), reverse=True)[:128]
    assert commands == tuple(sorted(expected))


def test_lists_are_found_once_and_for_all_processes(rom):
    first = load(rom)
    state = first.new_initial_state()
    expected = state.valid_actions()
    assert state.clone().valid_actions() == expected
    assert requests(rom).count("candidates") == 1
    story.cache_clear()
    again = load(rom)
    assert again.engine is not first.engine
    assert again.new_initial_state().valid_actions() == expected
    assert requests(rom).count("candidates") == 1
    single = load(rom, pairs=False)
    assert single.new_initial_state().valid_actions() == expected
    assert requests(rom).count("candidates") == 2


def test_no_cache_leaves_no_files(rom):
    state = load(rom, cache="none").new_initial_state()
    state.valid_actions()
    assert not list(Path(rom).parent.glob("*.sqlite"))


def test_a_step_is_made_once(rom):
    engine = load(rom).engine
    start = engine.start()
    assert engine.step(start, "up") is engine.step(start, "up")
    assert requests(rom).count("step") == 1


def test_the_game(rom):
    game = load(rom, max_moves=20)
    assert game.max_utility() == 15
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    state = game.new_initial_state()
    apply(state, "down")
    assert state.is_terminal() and state.failed() and state.rewards() == [-5.0] == state.returns()
    assert pickle.loads(pickle.dumps(state)).world_key() == state.world_key()
    seen = views.view(game.new_initial_state(), 0)
    assert seen.data["look"] == "Height 0." and seen.data["inventory"] == "You have nothing."


def test_the_engine_survives_a_fork(rom):
    """A child speaks to an interpreter of its own, not into its parent's conversation."""
    state = load(rom, cache="none").new_initial_state()
    child = os.fork()
    if not child:
        os._exit(0 if state.engine.step(state.snapshot, "up").score == 5 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert state.engine.step(state.snapshot, "down").failed


@pytest.mark.parametrize(
    "name, data, message",
    [
        ("none.z5", None, "there is no file .*none.z5; expected a story such as zork1.z5"),
        ("text.z5", b"Zork I", "text.z5 is no Z-machine story; expected .* found 5a"),
        ("empty.z5", b"", "is no Z-machine story; expected .* found nothing"),
        ("half.z5", STORY[:0x1A] + b"\x00\x20" + STORY[0x1C:], "is damaged: expected the 128 bytes .* found"),
        ("changed.z5", STORY[:0x1C] + b"\0\7" + STORY[0x1E:], "is damaged: expected the checksum 7 .* found 0"),
        ("unknown.z5", STORY, "unknown.z5 cannot be played: this story is not known"),
        ("crashes.z5", STORY, "crashes.z5 cannot be played: the interpreter crashes on this file"),
    ],
)
def test_a_bad_rom_is_one_sentence(rom, name, data, message):
    path = Path(rom).with_name(name)
    if data is not None:
        path.write_bytes(data)
    with pytest.raises((OSError, ValueError), match=message):
        Jericho(str(path), 0, True, SECONDS, "none")


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"rom": ""}, "rom must be the path of a story"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"seconds": 0.0}, "seconds must be more than 0"),
        ({"interpreters": 0}, "interpreters must be at least 1, got 0"),
    ],
)
def test_a_bad_parameter_is_one_sentence(rom, parameters, message):
    with pytest.raises((ValueError, pyspiel.SpielError), match=message):
        load(**{"rom": rom, **parameters})


def test_without_jericho_there_is_the_command_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"jericho is not installed; pip install 'spielwright\[text\]'"):
        InterpreterProcess(str(tmp_path / "story.z5"), 0, SECONDS)


def test_a_store_is_shared_and_refuses_other_files(tmp_path):
    one, two = (ActionStore(tmp_path / "folder" / "lists.sqlite") for _ in range(2))
    assert one.get(b"a") is None and len(one) == 0
    one.put(b"a", ["take egg", "go up"])
    two.put(b"a", ["something else"])
    assert two.get(b"a") == ("take egg", "go up") == one.get(b"a") and len(two) == 1
    other = tmp_path / "other.sqlite"
    other.write_text("no database at all, " * 100)
    with pytest.raises(ValueError, match="other.sqlite cannot be used: .*; delete it or name another"):
        ActionStore(other)


def word(**marks):
    return SimpleNamespace(
        **{"is_noun": False, "is_adj": False, "is_verb": False, "is_prep": False, "is_dir": False, **marks}
    )


def test_the_tagger_goes_by_the_dictionary():
    dictionary = {
        "lanter": word(is_noun=True),
        "brass": word(is_adj=True),
        "it": word(is_noun=True),
        "take": word(is_verb=True),
        "north": word(is_dir=True),
    }
    text = "Take the Brass lantern north; it is a lanternfish?"
    assert tag(text, dictionary, 6) == {("lantern", "NOUN"), ("brass", "ADJ"), ("lanternfish", "NOUN")}
    for entry in dictionary.values():
        entry.is_noun = False
    assert tag(text, dictionary, 6) == {("lantern", "NOUN"), ("brass", "ADJ"), ("lanternfish", "NOUN")}


def test_texts_are_tidied():
    assert tidy("> House    Score: 0    Moves: 20   \nOpening  the box.\n\n") == "Opening the box."
    assert tidy("\nTaken.\n\n\n>          -= Bedroom =-0/3") == "Taken."
    assert tidy("Your Score: 5 is low.\n") == "Your Score: 5 is low."


LOUD = """
import os, sys
from games.text import jericho_worker

class Loud:
    def __init__(self, *arguments):
        os.write(1, b"printed")
        os.write(2, b"warned")

    def about(self):
        return "loud"

jericho_worker.Interpreter = Loud
jericho_worker.main(int(sys.argv[1]), "tower.z5", 0, False)
"""


def test_what_the_interpreter_prints_goes_nowhere():
    here, there = multiprocessing.Pipe()
    started = subprocess.Popen(
        [sys.executable, "-c", LOUD, str(there.fileno())],
        pass_fds=[there.fileno()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    there.close()
    assert here.recv() == "loud"
    here.close()
    assert started.communicate() == (b"", b"") and started.returncode == 0
