"""Real stories, which are the user's: the environment variable SPIELWRIGHT_ROMS names their folder."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest

from games.text.jericho_game import Jericho

pytest.importorskip("jericho", reason="jericho is not installed; pip install 'spielwright[text]'")
ROMS = os.environ.get("SPIELWRIGHT_ROMS", "")
SECONDS = 60.0
# The maximum scores of table 6 of the paper; Jericho itself says 51 for balances.
SCORES = {
    "zork1": 350,
    "deephome": 300,
    "ludicorp": 150,
    "pentari": 70,
    "detective": 360,
    "library": 30,
    "balances": 50,
    "temple": 35,
    "ztuu": 100,
}


def find(name):
    path = Path(ROMS, name)
    if not ROMS or not path.is_file():
        pytest.skip(f"{name} is not there; set SPIELWRIGHT_ROMS to a folder that holds it")
    return str(path)


def follow(engine):
    snapshot = engine.start()
    for command in engine.walkthrough():
        assert not snapshot.over
        snapshot = engine.step(snapshot, command)
    return snapshot


@pytest.mark.parametrize("name", SCORES)
def test_walkthroughs_reach_the_maximum(name):
    end = follow(Jericho(find(f"{name}.z5"), 0, True, SECONDS, "none"))
    assert end.score == SCORES[name] and end.over and not end.failed


@pytest.mark.parametrize("name", ["zork1-r119.z3", "zork1.z3"])
def test_release_119_of_zork_reaches_350(name):
    engine = Jericho(find(name), 0, True, SECONDS, "none")
    end = follow(engine)
    assert (end.score, engine.max_score, end.over, end.failed) == (350, 350, True, False)


def test_death_is_the_end_in_zork():
    engine = Jericho(find("zork1.z5"), 0, True, SECONDS, "none")
    snapshot = engine.start()
    # The walkthrough goes down with the lamp lit; without it the grue comes.
    for command in ("s", "e", "open window", "w", "w", "move rug", "open trapdoor", "down", *["north"] * 4):
        if not snapshot.over:
            snapshot = engine.step(snapshot, command)
    assert snapshot.failed and snapshot.over


def test_lists_are_those_of_jericho_with_the_same_tagger():
    from benchmarks.games.text_games import Stock

    rom = find("pentari.z5")
    engine, stock = Jericho(rom, 0, True, SECONDS, "none"), Stock(rom)
    snapshot = engine.start()
    for command in engine.walkthrough()[:3]:
        state = snapshot.world.state
        assert stock.effects(state) == stock.effects(state, list(engine.valid_actions(snapshot)))
        snapshot = engine.step(snapshot, command)


@pytest.mark.parametrize("name", ["zork1", "pentari", "detective"])
def test_effects_are_those_of_jerichos_loop(name):
    from games.text.jericho_worker import Interpreter

    interpreter = Interpreter(find(f"{name}.z5"), 0)
    assert interpreter.about()["slow"] == ""
    moment, rng = interpreter.start(), random.Random(1)
    for number, command in enumerate(interpreter.about()["walkthrough"][:30]):
        if number % 3 == 0:
            commands = interpreter.candidates(moment["state"], True)
            commands = rng.sample(commands, min(300, len(commands)))
            theirs = interpreter._effects_by_jericho(moment["state"], commands)
            assert interpreter.effects(moment["state"], commands) == theirs
        moment = interpreter.step(moment["state"], command)


def test_without_a_compiler_jerichos_loop_is_used_and_said_so(monkeypatch, tmp_path):
    rom = find("pentari.z5")
    lists = Jericho(rom, 0, True, SECONDS, "none")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CC", "false")
    with pytest.warns(UserWarning, match=r"at half the speed: .*false failed on jericho_trials\.c"):
        slow = Jericho(rom, 0, True, SECONDS, "none")
    assert slow.valid_actions(slow.start()) == lists.valid_actions(lists.start())


def test_lists_do_not_depend_on_the_number_of_interpreters():
    one, two = (Jericho(find("zork1.z5"), 0, True, SECONDS, "none", number) for number in (1, 2))
    snapshot = one.start()
    for command in one.walkthrough()[:10]:
        assert one.valid_actions(snapshot) == two.valid_actions(snapshot)
        snapshot = one.step(snapshot, command)


def test_lists_do_not_depend_on_the_hash_seed():
    rom = find("pentari.z5")
    program = (
        f"from games.text.jericho_game import Jericho\ne = Jericho({rom!r}, 0, True, 60.0, 'none')\n"
        "s = e.start()\nfor c in e.walkthrough()[:3]:\n"
        "    print(e.valid_actions(s))\n    s = e.step(s, c)\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1 and printed != {""}


def test_random_simulation_with_serialization(tmp_path):
    game = pyspiel.load_game(
        "jericho",
        {"rom": find("pentari.z5"), "max_moves": 4, "cache": str(tmp_path), "seconds": SECONDS, "pairs": False},
    )
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
