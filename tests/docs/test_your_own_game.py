"""Three games of another distribution, installed from a wheel, go through every command of docs/your_own_game.md.

The package is parlour_games beside this file, and the environment a fresh one that has nothing else of its own. The
part of the language model is played by a thread that puts programs written by hand (answers/) into the chat window: what is tested
is that every command works on a plug-in's game, not what a language model can do.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ANSWERS = HERE / "answers"
GAMES = {"# Nim with one heap": "nim21", "# Ambush": "ambush", "# Piglet": "piglet"}
"""First line of a game's rules -> its name."""
PAGE = (ROOT / "docs" / "your_own_game.md").read_text("utf-8")
WITH_PROGRAM = PAGE.partition("\n## Without a program")[0]
MADE_BY_NEW_GAME = re.compile(r"^(spielwright new-game|pip install|python -m pytest) ")
"""Commands that make and test the skeletons; `tests/docs/test_pages.py` runs these."""
SMALL = {
    "cwm.synthesize": ("--test_transitions=200", "--test_games=10", "--notime_interpreters"),
    "cwm.verify": ("--test_transitions=200", "--test_games=10", "--search_games=4", "--play_games=4"),
    "cwm.value_functions": ("--games_per_pair=4", "--simulations=10"),
    "cwm.online": ("--simulations=20",),
    "games.check": ("--seconds=5",),
}
"""Flags that make a command short and change nothing else."""


def commands():
    """The commands of the page about games with a program, in order."""
    for block in re.findall(r"```(?:bash|console)\n(.*?)```", WITH_PROGRAM, re.DOTALL):
        yield from (line for line in block.splitlines() if not MADE_BY_NEW_GAME.match(line))


def answer_to(request):
    """What is pasted into the chat window."""
    game = next(name for heading, name in GAMES.items() if heading in request)
    if "ACTION: name" in request:
        legal = re.search(r"^Your legal actions: ([^,\n]+)", request, re.MULTILINE)
        return f"ACTION: {legal[1]}"
    program = "value" if "Write a value function for it" in request else game
    return f"```python\n{(ANSWERS / f'{program}.py').read_text()}```"


class ChatWindow(threading.Thread):
    """Answers every request in a spool folder; keeps what was asked."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self._folder, self._over = folder, threading.Event()
        self.asked = []

    def run(self):
        while not self._over.wait(0.1):
            for request in sorted([*self._folder.glob("*.request.md"), *self._folder.glob("*.request.jsonl")]):
                answer = request.with_name(request.name.replace(".request.", ".answer."))
                # The parameters come last, when the request is whole.
                if request.with_suffix(".json").exists() and not answer.exists():
                    draft = answer.with_suffix(".draft")
                    draft.write_text(self._answered(request), "utf-8")
                    draft.rename(answer)

    def _answered(self, request):
        text = request.read_text("utf-8")
        if request.suffix == ".md":
            self.asked.append(text)
            return answer_to(text)
        rows = [json.loads(line) for line in text.splitlines()]
        self.asked += [row["messages"][-1]["content"] for row in rows]
        answers = [{"id": row["id"], "text": answer_to(row["messages"][-1]["content"])} for row in rows]
        return "".join(json.dumps(answer) + "\n" for answer in answers)

    def stop(self):
        self._over.set()
        self.join()


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A fresh environment with the package, from a wheel; the suite and what it needs lie where they are."""
    pytest.importorskip("setuptools", minversion="70.1", reason="building a wheel needs setuptools 70.1")
    folder = tmp_path_factory.mktemp("fresh")
    shutil.copytree(HERE / "parlour_games", folder / "parlour_games")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps"]
    subprocess.run(
        [*pip, "wheel", *offline, "--no-build-isolation", "--wheel-dir=dist", "./parlour_games"],
        cwd=folder,
        check=True,
        timeout=120,
    )
    (wheel,) = (folder / "dist").glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "env"], cwd=folder, check=True, timeout=120)
    python = folder / "env" / "bin" / "python"
    subprocess.run([*pip, f"--python={python}", "install", *offline, str(wheel)], check=True, timeout=120)
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    (site / "suite.pth").write_text(f"{ROOT}\n{sysconfig.get_paths()['purelib']}\n")
    (folder / "env" / "bin" / "spielwright").write_text(f'#!/bin/sh\nexec "{python}" -m runs.console "$@"\n')
    (folder / "env" / "bin" / "spielwright").chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def place(environment):
    """Where the commands are given, and a chat window."""
    folder = environment / "work"
    (folder / "chat").mkdir(parents=True)
    window = ChatWindow(folder / "chat")
    window.start()
    yield folder, window
    window.stop()


def run(command, place):
    """Gives a command of the page, word for word but for flags that make it short."""
    module = next((name for name in SMALL if f"python -m {name} " in command), None)
    extra = [
        flag
        for flag in SMALL.get(module, ())
        if not (flag.startswith("--play_games") and "--play" not in command)
    ]
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", " ".join([command, *extra])],
        cwd=place,
        env={
            **variables,
            "PATH": f"{place.parent / 'env' / 'bin'}:{os.environ['PATH']}",
            "SPIELWRIGHT_PLUGINS": "parlour-games",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_command_of_the_page_works_on_the_package(place):
    folder, window = place
    listed = list(commands())
    assert len(listed) > 18 and all(any(game in line for line in listed) for game in GAMES.values())
    for command in listed:
        done = run(command, folder)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr and "warning" not in done.stderr.lower(), (
            f"{command}\n{done.stderr}"
        )
        assert not re.search(
            r"\b(nim21|ambush|piglet)\((\)|heap=21|looks=2|rounds=3)", done.stdout + done.stderr
        ), command
    for game in GAMES.values():
        content = json.loads((folder / f"{game}_model" / "manifest.json").read_text())
        rungs = {row["rung"]: row["status"] for row in content["rungs"]}
        assert content["game"] == game and content["llm_calls"] == 1 and "test_failure" not in content
        tried = {name for name, status in rungs.items() if status != "not tried"}
        assert {"contract", "training_transitions", "heldout_transitions", "directed_transitions"} <= tried
        assert {status for status in rungs.values()} <= {"passed", "not tried"}, rungs
        hidden = game == "ambush"
        assert ({"training_inference", "heldout_inference"} <= tried) == hidden
        assert ("heldout_play" in tried) == (game != "piglet")
        assert content["test_players"] == ["random", f"{'ismcts' if hidden else 'mcts'}(simulations=25)"]
        assert content["test_transition_accuracy"] == 1.0
        assert content["test"]["new_transitions"] < content["test"]["transitions"]
        games = [
            json.loads(line) for line in (folder / f"{game}_online" / "games.jsonl").read_text().splitlines()
        ]
        assert len(games) >= 2 and all(row["tests"] == row["passed"] > 0 for row in games)
    for game in ("nim21", "ambush"):
        content = json.loads((folder / f"{game}_model" / "manifest.json").read_text())
        assert content["value_function"]["candidates"] == [{"index": 0, "refused": None}]
    assert "<svg" in (folder / "nim21.html").read_text() or "svg+xml" in (folder / "nim21.html").read_text()
    about_moves = [text for text in window.asked if "ACTION: name" in text]
    assert about_moves and all("Whoever takes the last match loses" in text for text in about_moves)
    assert not any("{{" in text for text in window.asked)
    piglet = next(text for text in window.asked if "# Piglet" in text)
    assert "have 3 turns each" in piglet
    # The package describes no view, so that the labels of the string are told from recorded games.
    assert re.search(r"- `observation`: .*with the labels .*\"points\".*\"thrown\"", piglet)


def test_benchmarks_that_take_a_game_take_these(place):
    folder, _ = place
    made = run("python -m cwm.synthesize --game=ambush --llm=spool:chat --output_dir=by_hand", folder)
    assert made.returncode == 0, made.stderr
    table = run("python -m benchmarks.any_game --games=nim21,ambush,piglet --output=any.csv", folder)
    assert table.returncode == 0 and "3 yes, 0 no, 0 defect" in table.stdout + table.stderr, table.stderr
    adequacy = run("python -m benchmarks.cwm.adequacy --models=by_hand --output_dir=adequacy", folder)
    assert adequacy.returncode == 0 and "by_hand" in adequacy.stdout, adequacy.stderr
    recorded = run("python -m benchmarks.hidden --games=ambush --output_dir=hidden", folder)
    assert recorded.returncode == 2 and "there is no recorded synthesis of 'ambush'" in recorded.stderr


def test_the_games_are_openspiels(environment):
    code = (
        "import pyspiel, spielwright\n"
        "game = pyspiel.load_game('nim21(heap=6)')\n"
        "bot = pyspiel.load_bot('leaver', game, 0)\n"
        "print(bot.step(game.new_initial_state()), pyspiel.is_bot_registered('leaver'))\n"
        "import games\n"
        "print('6 matches' in games.rules(game), games.name_of(pyspiel.load_game('piglet')))\n"
    )
    done = subprocess.run(
        [str(environment / "env" / "bin" / "python"), "-c", code],
        cwd=environment,
        env={"PATH": os.environ["PATH"], "SPIELWRIGHT_PLUGINS": "parlour-games"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0", "True", "True", "piglet"]
