"""Recordings that ship: they hold the trees that ship, and no request that nobody asks but those of earlier words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import artefacts
import language_models
from bt_policies.measuring import evaluation, vision
from bt_policies.measuring.ratings import question
from bt_policies.trees.vocabularies import offered_in, vocabulary_of
from bt_policies.writing import prompting, replies
from bt_policies.writing.generation import Wanted, write_all
from language_models import Recorded
from language_models.asking.session import Session

RECORDINGS = Path(language_models.__file__).parent / "recordings" / "bt_policies"
TREES = artefacts.folder("behaviour_trees")


def written_trees(search, given=()):
    """The trees of a recorded search by name, those that it began with and those read from its answers."""
    vocabulary = vocabulary_of("fps_arena")
    trees = {f"r0t{number}": (TREES / f"{name}.bt").read_text() for number, name in enumerate(given, start=1)}
    for line in (RECORDINGS / f"improve_{search}.jsonl").read_text().splitlines()[1:]:
        record = json.loads(line)
        made = re.match(r"bt search, round (\d+), tree (\d+)(?:, revises (\w+))?", record["purpose"])
        if made and "mini-map" not in record["purpose"]:
            old = trees[made[3]] if made[3] else None
            tree = replies.read(record["completions"][0]["text"], vocabulary, old).tree
            if tree is not None:
                trees[f"r{made[1]}t{made[2]}"] = tree
    return trees


SEARCHES = [
    (0, {"first": "r0t1", "searched": "r3t2"}),
    (1, {"first": "r0t2", "searched": "r2t4"}),
    (2, {"first": "r0t2", "searched": "r1t1", "final": "r3t2"}),
    (3, {"first": "r0t4", "searched": "r3t4"}),
    (4, {"first": "r0t6", "searched": "r3t1"}),
    (5, {"first": "r0t4", "searched": "r3t5"}),
    (6, {"first": "r0t5", "searched": "r3t5"}),
    (7, {"first": "r0t4", "searched": "r3t2"}),
]


@pytest.mark.parametrize("search, shipped", SEARCHES)
def test_the_searches_wrote_the_trees_that_ship(search, shipped):
    """The prompts of the first three told the words of their day, so that they are not asked again."""
    trees = written_trees(search)
    for name, place in shipped.items():
        assert trees[place] == (TREES / f"fps_{name}_{search}.bt").read_text()


@pytest.mark.parametrize(
    "mode, best", [("control", "r1t1"), ("elimination", "r1t1"), ("tdm", "r1t4"), ("dm", "r1t6")]
)
def test_the_searches_of_one_mode_revised_the_trees_that_ship(mode, best):
    trees = written_trees(mode, [f"fps_searched_{number}" for number in (3, 4, 5)])
    assert trees[best] == (TREES / f"fps_{mode}_specialist.bt").read_text()


@pytest.mark.parametrize("search, seed", [(3, 0), (4, 1), (5, 2), (6, 3), (7, 4)])
def test_the_first_rounds_of_searches_are_asked_for_as_they_are_recorded(search, seed):
    recorded = Recorded(RECORDINGS / f"improve_{search}.jsonl")
    vocabulary = offered_in("fps_arena")
    wanted = [
        Wanted(
            f"bt search, round 0, tree {number}",
            lambda history, style=style: prompting.generate(
                vocabulary, f"{vocabulary.tactics} {style}".strip(), history
            ),
        )
        for number, style in enumerate((prompting.STYLES * 2)[:8], start=1)
    ]
    written = write_all(wanted, vocabulary, Session(recorded, seed), 2)
    assert [one.tree for one in written] == list(written_trees(search).values())[:8]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_trees_written_in_one_go_replay(number):
    recorded = Recorded(RECORDINGS / f"generate_fps_{number}.jsonl")
    vocabulary = offered_in("fps_arena")
    wanted = Wanted("bt fps_arena", lambda history: prompting.generate(vocabulary, vocabulary.tactics, history))
    (written,) = write_all([wanted], vocabulary, Session(recorded, number), 3)
    assert recorded.unused() == []
    assert written.replies[-1].tree == (TREES / f"fps_written_{number}.bt").read_text()


@pytest.mark.parametrize("game", ["connect_four", "leduc_poker", "micro_rts"])
def test_the_written_trees_replay(game):
    recorded = Recorded(RECORDINGS / f"generate_{game}.jsonl")
    vocabulary = vocabulary_of(game)
    wanted = Wanted(f"bt {game}", lambda history: prompting.generate(vocabulary, vocabulary.tactics, history))
    (written,) = write_all([wanted], vocabulary, Session(recorded, 0), 3)
    assert recorded.unused() == []
    assert written.replies[-1].tree == (TREES / f"{game}_written.bt").read_text()


def test_the_blind_ratings_are_on_record():
    """What was asked is what would be asked today, pictures included where the same Pillow draws them."""
    lines = [json.loads(line) for line in (RECORDINGS / "judge_0.jsonl").read_text().splitlines()[1:]]
    assert len(lines) == 24
    trial = next(one for one in evaluation.trials("fps_arena", 6, 1, modes=("tdm", "control")) if one.side == 0)
    asked = question(trial, "weak", "a sheet")
    assert (
        asked.prompt.partition("Judge five")[2]
        == (lines[0]["request"]["messages"][0]["content"].partition("Judge five")[2])
    )
    for line in lines:
        ratings = vision.read(line["completions"][0]["text"])
        assert all(vision.LOW <= one.rating <= vision.HIGH for one in ratings.values())


def test_the_change_asked_for_in_plain_words_is_the_tree_that_ships():
    """Its prompt told the words of its day, so that it is not asked again."""
    (line,) = (RECORDINGS / "develop.jsonl").read_text().splitlines()[1:]
    old = (TREES / "fps_basic.bt").read_text()
    answer = json.loads(line)["completions"][0]["text"]
    assert replies.read(answer, vocabulary_of("fps_arena"), old).tree == (TREES / "fps_careful.bt").read_text()
