"""The pages under docs/: all that can be pasted is run, in order, in one folder for each page.

A block of `bash` or `python` is run; `text output` below it is what it prints; a block after `<!-- file: NAME -->`
is written there; one after `<!-- needs: MODULE -->` is skipped where that is missing, `local_model` being the small
language model and what runs it. A `console` block waits for
a person or takes minutes, and is not run.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import spielwright_packages
from language_models.backends.auto import local_is_there

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    path for path in DOCS.rglob("*.md") if path.relative_to(DOCS).parts[0] not in ("examples", "reference")
)
BLOCK = re.compile(r"(?:<!-- (file|needs): (\S+) -->\n)?```([^\n]+)\n(.*?)```", re.DOTALL)
PIP = """pip() { python -m pip install --quiet --no-build-isolation --no-deps --no-index --target=site "${@:2}"; }\n"""
SECONDS = 120
MADE = {"best.py", "model.py", "rollout.py", "value.py"}
"""Files that commands make."""


class ChatWindow(threading.Thread):
    """Answers the requests in a spool folder with what a language model answered to the same request."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self._folder = folder
        self._over = threading.Event()
        self._answers = []
        for path in (ROOT / "language_models" / "recordings").glob("cwm/synthesis_three_heaps_*.jsonl"):
            for line in path.read_text("utf-8").splitlines()[1:]:
                entry = json.loads(line)
                self._answers.append(
                    (entry["request"]["messages"][-1]["content"], entry["completions"][0]["text"])
                )

    def run(self):
        while not self._over.wait(0.2):
            for request in self._folder.glob("*.request.md"):
                answer = request.with_name(request.name.replace(".request.", ".answer."))
                text = request.read_text("utf-8")
                for asked, told in [] if answer.exists() else self._answers:
                    if asked in text:
                        answer.write_text(told, "utf-8")

    def stop(self):
        self._over.set()
        self.join()


def name(page):
    return str(page.relative_to(DOCS))


def is_there(needed):
    return local_is_there() if needed == "local_model" else importlib.util.find_spec(needed) is not None


def run(language, text, folder):
    environment = {
        **os.environ,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "MPLBACKEND": "Agg",
        "PYTHONPATH": f"{folder / 'site'}:{ROOT}",
        "SPIELWRIGHT_PLUGINS": "greedy-bots,nim21-game,ambush-game",  # what the pages install themselves
    }
    if language == "python":
        command = [sys.executable, "-c", text]
    else:
        command = ["bash", "-euo", "pipefail", "-c", PIP + text]
    return subprocess.run(
        command, cwd=folder, env=environment, text=True, capture_output=True, check=False, timeout=SECONDS
    )


@pytest.fixture
def folder(tmp_path):
    """Where a page's blocks run: with the example's files, a `python` on the path and a chat window."""
    for example in (DOCS / "examples").iterdir():
        shutil.copy(example, tmp_path)
    (tmp_path / "bin").mkdir()
    # Not a link: a virtual environment is found beside the program as it was called.
    (tmp_path / "bin" / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / "bin" / "spielwright").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m runs.console "$@"\n')
    (tmp_path / "bin" / "dask").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dask "$@"\n')
    for program in (tmp_path / "bin").iterdir():
        program.chmod(0o755)
    (tmp_path / "chat").mkdir()
    window = ChatWindow(tmp_path / "chat")
    window.start()
    yield tmp_path
    window.stop()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_a_page_says_can_be_pasted(page, folder):
    printed = ""
    for mark, value, language, text in BLOCK.findall(page.read_text("utf-8")):
        if mark == "file":
            (folder / value).parent.mkdir(parents=True, exist_ok=True)
            (folder / value).write_text(text, "utf-8")
        elif mark == "needs" and not is_there(value):
            continue
        elif language in ("bash", "python"):
            done = run(language, text, folder)
            assert done.returncode == 0, f"{page.name}:\n{text}\n{done.stdout}\n{done.stderr}"
            printed = done.stdout
        elif language == "text output":
            assert text.strip() in printed, f"{page.name}: expected\n{text}\nfound\n{printed}"
        else:
            assert language == "console", f"{page.name}: a block of {language!r} is not run; mark it"


def test_every_page_is_in_the_table_of_contents():
    linked = set(re.findall(r"\]\(([^)#]+)\)", (DOCS / "README.md").read_text("utf-8")))
    assert {name(page) for page in PAGES} - {"README.md"} <= linked


@pytest.mark.parametrize("method", ["cwm", "bt_policies", "skill_planner", "policy_evolve", "mcdml"])
def test_the_files_that_a_methods_map_names_exist(method):
    text = (ROOT / method / "README.md").read_text("utf-8")
    for name in re.findall(r"`([\w/]+\.(?:py|j2|md))`", text):
        if name not in MADE:
            assert (ROOT / method / name).exists() or (ROOT / name).exists(), f"{method}/README.md names {name}"


def test_the_reference_is_built_from_the_docstrings():
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "docs" / "make_reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    made = reference.pages()
    assert set(made) == {f"{name}.md" for name in (*spielwright_packages.PACKAGES, "README")}
    assert "## arena.matches.match" in made["arena.md"] and "`play_match(game_string: str, " in made["arena.md"]
    assert "cwm/models" not in made["cwm.md"]
