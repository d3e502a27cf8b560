"""Recordings that ship: searches and trees replay from them, and no recorded request is left that nobody asks."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import artefacts
import language_models
from bt_policies.measuring import evaluation, vision
from bt_policies.measuring.ratings import question
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.writing import generation, prompting, replies
from bt_policies.writing.generation import Wanted, write_all
from bt_policies.writing.search import Search, Settings
from language_models import Recorded
from language_models.asking.session import Session
from runs.executors import InlineExecutor
from runs.run_folder import open_folder

RECORDINGS = Path(language_models.__file__).parent / "recordings" / "bt_policies"
DATA = Path(__file__).parent / "data"
TREES = artefacts.folder("behaviour_trees")


def settings(seed):
    """The two runs of docs/results/portal.md."""
    return Settings(
        "fps_arena",
        "time_between_kills",
        width=4,
        keep=2,
        games=40,
        seed=seed,
        modes=("tdm", "dm"),
        maps=("rooms", "caves"),
    )


@pytest.fixture(scope="module", params=[0, 1])
def replayed(request, tmp_path_factory):
    """A search replayed with the rewards that were measured then, so that no match is played."""
    seed = request.param
    folder = tmp_path_factory.mktemp("search") / "run"
    open_folder(folder, settings(seed).identity())
    (folder / "evaluations.jsonl").write_bytes(
        gzip.decompress((DATA / f"improve_{seed}_evaluations.jsonl.gz").read_bytes())
    )
    recorded = Recorded(RECORDINGS / f"improve_{seed}.jsonl")
    search = Search(settings(seed), folder, recorded, InlineExecutor())
    search.run(3)
    return seed, search, recorded


def test_the_prompts_are_those_of_today(replayed):
    _, search, recorded = replayed
    assert recorded.unused() == [] and len(search.candidates) == 16


def test_the_best_tree_is_the_one_that_ships(replayed):
    seed, search, _ = replayed
    (best,) = search.best(1)
    first = next(one for one in search.candidates if one.name == search.rounds[0]["best"])
    assert best.text == (TREES / f"fps_searched_{seed}.bt").read_text()
    assert first.text == (TREES / f"fps_first_{seed}.bt").read_text()
    assert best.reward > first.reward


def test_a_reward_is_what_the_matches_give_today(replayed):
    seed, search, _ = replayed
    listed = evaluation.trials(
        "fps_arena", 40, seed, opponents="", modes=("tdm", "dm"), maps=("rooms", "caves")
    )[:5]
    (best,) = search.best(1)
    again = evaluation.evaluate(evaluation.Policy((best.text,)), listed, InlineExecutor())
    then = evaluation.Evaluation(best.evaluation.figures[:5], [])
    assert again.value("kills") == then.value("kills") and again.value("score") == then.value("score")


def test_the_search_that_saw_mini_maps_wrote_the_trees_that_ship():
    """Its requests hold pictures, which another Pillow may draw otherwise, so that it is not replayed."""
    lines = [json.loads(line) for line in (RECORDINGS / "improve_2.jsonl").read_text().splitlines()[1:]]
    answers = {line["purpose"]: line["completions"][0]["text"] for line in lines}
    vocabulary = vocabulary_of("fps_arena")
    first = replies.read(answers["bt search, round 0, tree 2"], vocabulary).tree
    best = replies.read(answers["bt search, round 1, tree 1, revises r0t2"], vocabulary, first).tree
    assert first == (TREES / "fps_first_2.bt").read_text()
    assert best == (TREES / "fps_searched_2.bt").read_text()


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


def test_the_change_asked_for_in_plain_words_replays():
    recorded = Recorded(RECORDINGS / "develop.jsonl")
    ask = (
        "When badly hurt, break off the fight and come back only with more than half of the health; never leave "
        "a magazine half empty while nobody is in sight."
    )
    written = generation.develop(
        (TREES / "fps_basic.bt").read_text(), ask, vocabulary_of("fps_arena"), Session(recorded, 0), 3
    )
    assert recorded.unused() == []
    assert written.replies[-1].tree == (TREES / "fps_careful.bt").read_text()
