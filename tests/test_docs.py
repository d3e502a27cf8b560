"""The documents say what is so: README's session, its own-game example, and its two commands."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import spielwright  # noqa: F401
from cwm.trust import trajectories

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_session_works_when_pasted():
    session = blocks("python")[0]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(session, "README.md", "exec"), {})
    promised = re.findall(r"print\(.*\)\s+# (.*)", session)
    assert len(promised) == 3 and printed.getvalue().splitlines() == promised


def test_the_example_of_a_users_own_game_is_a_valid_trajectory(tmp_path):
    (tmp_path / "pebbles.jsonl").write_text(blocks("json")[0])
    (game,) = trajectories.read(str(tmp_path / "pebbles.jsonl"))
    assert game.actions == ["take 2", "take 1"] and game.steps[-1].returns == (-1.0, 1.0)


def test_the_two_set_up_commands_stand_as_they_must():
    assert "pip install . && python -m arena.quickstart" in README
    assert "pip install '.[test]' && pytest" in README


def test_every_linked_file_is_there():
    for document in ("README.md", "BUILD_NOTES.md", "RUNS.md", "CHANGELOG.md", "cwm/README.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            if "://" not in target:
                assert ((ROOT / document).parent / target).exists(), f"{document} links to {target}"


def test_documented_modules_exist():
    for document in (
        "README.md",
        "BUILD_NOTES.md",
        "cwm/README.md",
        "skill_planner/README.md",
        "mcdml/README.md",
        "bt_policies/README.md",
        "policy_evolve/README.md",
    ):
        for module in re.findall(r"python -m ([\w.]+)", (ROOT / document).read_text(encoding="utf-8")):
            assert (ROOT / (module.replace(".", "/") + ".py")).exists(), f"{document} names {module}"
