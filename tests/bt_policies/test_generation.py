"""Prompts, replies, the repair loop, and the command, with stubs for the language model."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bt_policies.trees.dsl import parse
from bt_policies.trees.files import TREES
from bt_policies.trees.vocabularies import GAMES, offered_in, vocabulary_of
from bt_policies.trees.vocabulary import check
from bt_policies.writing import prompting, replies
from bt_policies.writing.generation import Wanted, write_all
from bt_policies.writing.prompting import History
from language_models.asking.session import Session

FPS = vocabulary_of("fps_arena")
OLD = "selector:\n  sequence:\n    condition: is_hurt\n    task: move_to zone\n  task: patrol\n"


@pytest.mark.parametrize("game", GAMES)
def test_prompts_have_the_papers_parts_and_are_short(game):
    words = offered_in(game)
    prompt = prompting.generate(words)
    parts = ["# Task", "## Game Scenario", "## Available Nodes", "## Tactics", "## DSL Format", "## Response"]
    assert [prompt.index(part) for part in parts] == sorted(prompt.index(part) for part in parts)
    assert "History Format Errors" not in prompt and len(prompt) < (
        12_000 if game in ("fps_arena", "vizdoom") else 6000
    )
    again = prompting.generate(words, "Bluff.", History("task: x", "line 1: no"))
    assert "Bluff." in again and again.rstrip().endswith("line 1: no")
    # The example in the prompt is a tree of the game.
    example = parse(prompt.split("```bt\n")[1].split("```")[0])
    check(example, words)


def test_a_revision_shows_numbered_lines():
    prompt = prompting.revise(FPS, OLD, "score", ["It lost."], ["map_control 2: none"])
    assert "\n3     condition: is_hurt\n" in prompt and "- It lost.\n" in prompt
    assert "- map_control 2: none" in prompt
    assert "What was seen" not in prompting.revise(FPS, OLD, "score", [])


def test_reasoning_and_tree_are_taken_from_a_reply():
    reply = replies.read(
        "<reflection>weak</reflection>\n<think>\nlevel 1\n```bt\ntask: "
        "reload\n```\n</think>\n```bt\nselector:\n    task: patrol\n```\n",
        FPS,
    )
    assert reply.reflection == ("weak",) and reply.think == ("level 1",)
    assert reply.tree == "selector:\n  task: patrol\n" and reply.fault == ""


@pytest.mark.parametrize(
    "text, said",
    [
        ("no tree at all", "holds no tree"),
        (
            "```bt\nselector:\n  task: fly\n```",
            "- line 2, column 9: expected an action of fps_arena, found 'fly'",
        ),
        ("```bt\n\n```", "found no node"),
        ("<think>```bt\ntask: patrol\n```</think>", "holds no tree"),
        ("```bt\ntask: patrol", "holds no tree"),
    ],
)
def test_replies_without_a_tree_say_why(text, said):
    reply = replies.read(text, FPS)
    assert reply.tree is None and said in reply.fault


def test_a_tag_that_is_never_closed_does_not_hide_the_tree():
    reply = replies.read("<think>\nlevel 1\n```bt\ntask: patrol\n```\n", FPS)
    assert reply.tree == "task: patrol\n" and reply.think == ("level 1",)


@pytest.mark.parametrize(
    "target, block, changed",
    [
        ("Target: line 2", "task: reload", "selector:\n  task: reload\n  task: patrol\n"),
        ("**Target: Line 5**", "  task: look_around", OLD.replace("task: patrol", "task: look_around")),
        ("Target: whole tree", "task: patrol", "task: patrol\n"),
    ],
)
def test_a_revision_changes_one_part_or_all(target, block, changed):
    reply = replies.read(f"<think>x</think>\n{target}\n```bt\n{block}\n```", FPS, OLD)
    assert reply.tree == changed, reply.fault


@pytest.mark.parametrize(
    "answer, said",
    [
        ("```bt\ntask: patrol\n```", "expected a line 'Target: line N'"),
        ("Target: line 9\n```bt\ntask: patrol\n```", "line 9: expected a line that holds a node"),
        ("Target: line 5\n```bt\ntask: patrol\n```", "found the same"),
        (
            "Target: line 5\n```bt\ntask: shoot zone\n```",
            "- line 1, column 13: expected a parameter of type enemy",
        ),
    ],
)
def test_revisions_that_cannot_be_used_say_why(answer, said):
    reply = replies.read(answer, FPS, OLD)
    assert reply.tree is None and said in reply.fault


def test_a_revision_of_one_part_leaves_the_rest_byte_for_byte():
    old = "selector:   # all\n  task:   reload\n  # walk\n  task: patrol\n"
    assert replies.read("Target: line 4\n```bt\ntask: look_around\n```", FPS, old).tree == old.replace(
        "patrol", "look_around"
    )


def wanted(purpose):
    return Wanted(purpose, lambda history: prompting.generate(FPS, purpose, history))


def test_a_joint_tree_is_asked_for_and_checked():
    prompt = prompting.generate(FPS, roles=["attacker", "supporter"])
    assert "must be `# roles: attacker supporter`" in prompt
    assert "## Team" not in prompting.generate(FPS)
    answer = (
        "```bt\n# roles: attacker supporter\njoint:\n  role: attacker\n    task: patrol\n"
        "  role: supporter\n    task: %s\n```"
    )
    assert replies.read(answer % "hold_position", FPS, joint=True).tree.startswith(
        "# roles: attacker supporter\njoint"
    )
    assert (
        "found 'holt_position'; did you mean hold_position"
        in replies.read(answer % "holt_position", FPS, joint=True).fault
    )
    assert "expected one of selector:" in replies.read(answer % "hold_position", FPS).fault


def test_all_trees_are_asked_for_together_and_then_all_repairs(stub):
    model = stub(broken=("tree 1",), last=("tree 3",))
    written = write_all([wanted(f"tree {number}") for number in (1, 2, 3)], FPS, Session(model, 0), repairs=2)
    assert model.batches == [3, 2, 1]
    assert [each.tree is not None for each in written] == [True, True, False]
    assert [len(each.answers) for each in written] == [2, 1, 3]
    assert written[0].reasoning == "hasty\n\nlevel 1: fight\nlevel 2: shoot"
    assert "has_enmy_in_view" in written[0].prompts[1] and written[2].replies[-1].fault


def test_the_command_writes_a_checked_tree(tmp_path):
    """Through a spool, as somebody at a chat window would answer it: first with a fault, then without."""
    spool = tmp_path / "spool"
    output = tmp_path / "mine.json"
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "bt_policies.generate",
            "--game=leduc_poker",
            f"--llm=spool:{spool}",
            f"--output={output}",
            f"--record={tmp_path / 'r.jsonl'}",
            f"--reasoning={tmp_path / 'why.txt'}",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    answers = [
        "<think>fold</think>\n```bt\ntask: fould\n```\n",
        "<think>better</think>\n```bt\ntask: fold\n```\n",
    ]
    end = time.monotonic() + 60
    answered = set()
    while process.poll() is None and time.monotonic() < end:
        for request in sorted(spool.glob("*.request.md")) if spool.exists() else ():
            if request not in answered:
                answered.add(request)
                waiting = request.with_name(request.name.replace(".request.md", ".answer.md"))
                batch = request.with_name(request.name.replace(".request.md", ".request.json"))
                assert batch.exists()
                waiting.write_text(answers[len(answered) - 1])
        for request in sorted(spool.glob("*.request.jsonl")) if spool.exists() else ():
            if request not in answered and request.read_text().endswith("\n"):
                answered.add(request)
                reply = {"id": 1, "text": answers[len(answered) - 1]}
                request.with_name(request.name.replace(".request.jsonl", ".answer.jsonl")).write_text(
                    json.dumps(reply) + "\n"
                )
        time.sleep(0.1)
    out, error = process.communicate(timeout=10)
    assert process.returncode == 0, error
    assert "found 'fould'; did you mean fold" in error
    assert json.loads(out)["answers"] == 2
    assert json.loads(output.read_text())["root"] == {"kind": "task", "name": "fold"}
    assert (tmp_path / "why.txt").read_text() == "fold\n\nbetter\n"
    replayed = subprocess.run(
        [
            sys.executable,
            "-m",
            "bt_policies.generate",
            "--game=leduc_poker",
            f"--llm=recorded:{tmp_path / 'r.jsonl'}",
            f"--output={tmp_path / 'again.json'}",
        ],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert replayed.returncode == 0 and (tmp_path / "again.json").read_bytes() == output.read_bytes()


def test_forms_beyond_the_papers_are_offered_where_they_are_asked_for():
    plain, more = (
        prompting.generate(offered_in("fps_arena", (), forms)) for forms in ((), ("cooldown", "subtree"))
    )
    assert "cooldown" not in plain and "subtree" not in plain
    assert "- `cooldown: TICKS`" in more and "- `subtree: NAME`" in more and "timeout" not in more
    with pytest.raises(ValueError, match="forms: 'cooldwn' is no form of the language; did you mean cooldown"):
        offered_in("fps_arena", (), ("cooldwn",))


def test_shipped_trees_fit_into_the_revision_prompt():
    for path in TREES.glob("*_basic.bt"):
        game = next(game for game in GAMES if path.stem.startswith(game.split("_")[0]))
        prompt = prompting.revise(vocabulary_of(game), path.read_text(), "score", ["x" * 100] * 8)
        assert len(prompt) < 14_000
