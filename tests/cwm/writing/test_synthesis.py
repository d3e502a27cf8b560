"""Synthesis runs: from answers to a folder with a model and a manifest; resumption; refusals."""

from __future__ import annotations

import json

import pyspiel
import pytest

from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.trust import trajectories
from cwm.writing import synthesis, value_functions
from cwm.writing.preparation.preparing import Wish, prepare
from cwm.writing.tasks import OpenLesson
from language_models import LanguageModelError

RULES = "Rules."


def settings(seed=0, method="tree_search", max_calls=6):
    return synthesis.Settings("tic_tac_toe", method, "scripted", seed, max_calls, "hash")


def games(count=3):
    return list(trajectories.collect(pyspiel.load_game("tic_tac_toe"), count, 0))


@pytest.fixture
def wrong(source_of):
    """Takes every finished game for a draw."""
    return source_of("tic_tac_toe").replace(
        "def returns(state):", "def returns(state):\n    return (0.0, 0.0)\n\n\ndef _old(state):"
    )


def run(folder, model, **options):
    options.setdefault("settings", settings())
    return synthesis.run(
        str(folder), options.pop("settings"), OpenLesson(RULES, tuple(games())), model, **options
    )


@pytest.mark.parametrize("method", ["tree_search", "conversation"])
def test_a_wrong_program_is_refined_until_it_passes(tmp_path, scripted, answer, source_of, wrong, method):
    model = scripted("no code here", answer(wrong), answer(source_of("tic_tac_toe")))
    lines = []
    outcome = run(
        tmp_path / "m",
        model,
        settings=settings(method=method),
        progress=lines.append,
        ground_truth=pyspiel.load_game("tic_tac_toe"),
        test_transitions=200,
        test_games=10,
    )
    loaded = manifest.load(str(tmp_path / "m"))
    assert loaded.source == source_of("tic_tac_toe") and outcome.best.index == 2
    assert "expected [1.0,-1.0]" in model.requests[2].messages[-1].content or (
        "expected [-1.0,1.0]" in model.requests[2].messages[-1].content
    )
    content = loaded.manifest
    assert (content["llm_calls"], content["train_transition_accuracy"]) == (3, 1.0)
    assert content["test_transition_accuracy"] == 1.0 and content["test_transitions"] >= 200
    assert {r["rung"]: r["status"] for r in content["rungs"]} == {
        "contract": "passed",
        "training_transitions": "passed",
        "random_play": "passed",
        "heldout_transitions": "passed",
        "exact_equality": "passed",
        "heldout_play": "not tried",
    }
    assert content["accuracy_by_call"][0] == 0.0 and 0 < content["accuracy_by_call"][1] < 1
    assert any("no program in the answer" in line for line in lines)


def test_the_best_program_is_kept_when_the_calls_run_out(tmp_path, scripted, answer, wrong):
    outcome = run(tmp_path / "m", scripted(answer(wrong), "nothing"), settings=settings(max_calls=2))
    assert outcome.best.index == 0 and not outcome.best.perfect
    rungs = {r["rung"]: r["status"] for r in outcome.manifest["rungs"]}
    assert rungs["training_transitions"] == "failed" and rungs["heldout_transitions"] == "not tried"
    with pytest.raises(manifest.ManifestError, match="none of which passed"):
        model_folders.candidates(str(tmp_path))


def test_a_run_without_any_program_leaves_no_model(tmp_path, scripted):
    outcome = run(tmp_path / "m", scripted("a", "b"), settings=settings(max_calls=2))
    assert outcome.best is None and not (tmp_path / "m" / "model.py").exists()
    with pytest.raises(manifest.ManifestError, match="model.py is missing"):
        manifest.load(str(tmp_path / "m"))


def test_a_killed_run_goes_on_and_asks_nothing_twice(tmp_path, scripted, answer, source_of, wrong):
    undisturbed = scripted(answer(wrong), answer(wrong), answer(source_of("tic_tac_toe")))
    run(tmp_path / "whole", undisturbed)
    first = scripted(answer(wrong))
    with pytest.raises(LanguageModelError, match="script is over"):
        run(tmp_path / "m", first)
    log = tmp_path / "m" / "attempts.jsonl"
    with log.open("a") as file:
        file.write('{"index": 1, "par')  # the process was killed while it wrote
    second = scripted(answer(wrong), answer(source_of("tic_tac_toe")))
    outcome = run(tmp_path / "m", second)
    assert [r.key() for r in first.requests[:1] + second.requests] == [r.key() for r in undisturbed.requests]
    assert len(outcome.attempts) == 3 and outcome.best.perfect
    assert [json.loads(line)["index"] for line in log.read_text().splitlines()] == [0, 1, 2]


def test_folders_that_hold_something_else_are_refused(tmp_path, scripted, answer, source_of):
    run(tmp_path / "done", scripted(answer(source_of("tic_tac_toe"))))
    with pytest.raises(synthesis.RunError, match="already holds a finished model"):
        run(tmp_path / "done", scripted())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("important")
    with pytest.raises(synthesis.RunError, match="holds no synthesis run"):
        run(tmp_path / "other", scripted())
    with pytest.raises(LanguageModelError):
        run(tmp_path / "begun", scripted("no program"))
    with pytest.raises(synthesis.RunError, match="unfinished run with --seed=0"):
        run(tmp_path / "begun", scripted(), settings=settings(seed=1))
    assert (tmp_path / "other" / "thesis.txt").read_text() == "important"


def test_a_run_that_asked_nothing_yet_does_not_keep_its_folder(tmp_path, scripted, answer, source_of):
    with pytest.raises(LanguageModelError):
        run(tmp_path / "m", scripted())
    outcome = run(tmp_path / "m", scripted(answer(source_of("tic_tac_toe"))), settings=settings(seed=1))
    assert outcome.best.perfect and outcome.manifest["seed"] == 1


def test_a_value_function_is_chosen_by_a_tournament(tmp_path, scripted, answer, source_of):
    """A value that knows the threats must win against one that is upside down and one that fails."""
    run(tmp_path / "m", scripted(answer(source_of("tic_tac_toe"))))
    upside_down = "def value(state):\n    return (0.0, 0.0, 0.0)\n"
    foreign = "import os\n\ndef value(state):\n    return (0.0, 0.0)\n"
    hanging = "def value(state):\n    while True:\n        pass\n"
    entry = value_functions.add(
        str(tmp_path / "m"),
        RULES,
        scripted(answer(upside_down), answer(foreign), "nothing"),
        3,
        games_per_pair=2,
        simulations=10,
    )
    assert not entry["accepted"] and entry["llm_calls"] == 3
    reasons = [candidate["refused"] for candidate in entry["candidates"]]
    assert "length 3" in reasons[0] and "'os' cannot be imported" in reasons[1]
    assert reasons[2] == "the answer held no program"
    assert hanging and manifest.load(str(tmp_path / "m")).value_source is None


def test_an_accepted_value_function_lies_beside_the_model(tmp_path, scripted, answer, source_of):
    """An exact minimax value is as good as it gets: rollouts cannot come first against it."""
    run(tmp_path / "m", scripted(answer(source_of("tic_tac_toe"))))
    minimax = (
        "import functools\nimport model\n\n\n@functools.lru_cache(None)\ndef value(state):\n"
        "    player = model.current_player(state)\n    if player < 0:\n"
        "        return tuple(model.returns(state))\n"
        "    options = [value(model.apply_action(state, a)) for a in model.legal_actions(state)]\n"
        "    return max(options, key=lambda v: v[player])\n"
    )
    entry = value_functions.add(
        str(tmp_path / "m"), RULES, scripted(answer(minimax)), 1, games_per_pair=40, simulations=10
    )
    assert entry["accepted"] and entry["score_by_pair"]["0 v rollouts"] > 0.5
    assert manifest.load(str(tmp_path / "m")).value_source == minimax


def test_a_held_out_test_that_fails_costs_nothing_that_was_paid_for(
    tmp_path, scripted, answer, source_of, monkeypatch
):
    """The answers, the program and what was settled before are kept, and the manifest says what failed."""

    def broken(*args):
        yield games(1)[0]
        raise RuntimeError("the game\nbroke")

    monkeypatch.setattr(synthesis.held_out, "test_games", broken)
    lines = []
    outcome = run(
        tmp_path / "m",
        scripted(answer(source_of("tic_tac_toe"))),
        ground_truth=pyspiel.load_game("tic_tac_toe"),
        progress=lines.append,
    )
    assert outcome.test_failure == "RuntimeError: the game broke" and outcome.best.perfect
    loaded = manifest.load(str(tmp_path / "m"))
    assert loaded.source == source_of("tic_tac_toe") and loaded.manifest["test"] is None
    rungs = {row["rung"]: row for row in loaded.manifest["rungs"]}
    assert rungs["training_transitions"]["status"] == rungs["random_play"]["status"] == "passed"
    for name in ("heldout_transitions", "exact_equality"):
        assert rungs[name]["status"] == "not tried"
        assert rungs[name]["figures"] == {"reason": "the test failed: RuntimeError: the game broke"}
    assert "held-out test: failed (RuntimeError: the game broke)" in lines
    assert len((tmp_path / "m" / "attempts.jsonl").read_text().splitlines()) == 1


def test_the_manifest_says_who_played_the_test(tmp_path, scripted, answer, source_of):
    outcome = run(
        tmp_path / "m",
        scripted(answer(source_of("tic_tac_toe"))),
        ground_truth=pyspiel.load_game("tic_tac_toe"),
        test_transitions=20,
        test_games=2,
    )
    assert outcome.manifest["test_players"] == ["random", "mcts(simulations=25)"]
    assert outcome.test_failure is None and "test_failure" not in outcome.manifest


@pytest.mark.parametrize(
    "name", ["liars_dice", "tiny_hanabi", "cliff_walking", "first_sealed_auction", "hearts"]
)
def test_no_game_fails_after_the_call(tmp_path, scripted, answer, source_of, monkeypatch, name):
    """A program of another game is asked everything that the test of this one asks, and is wrong."""
    game = load_game(name)
    if name == "liars_dice":  # too large to be walked whole, which takes a while to find out
        monkeypatch.setattr(synthesis.exact_equality, "walk", lambda game: None)
    _, material = prepare(Wish(game, rules="none", number=1, seconds=0.02))
    outcome = synthesis.run(
        str(tmp_path / "m"),
        synthesis.Settings(name, "tree_search", "scripted", 0, 1, "hash", material.lesson.deck),
        material.lesson,
        scripted(answer(source_of("pig"))),
        ground_truth=game,
        test_transitions=50,
        test_games=2,
    )
    assert outcome.test_failure is None and outcome.manifest["test_transitions"] >= 50
    assert outcome.manifest["test_transition_accuracy"] < 1.0
    assert outcome.manifest["test_players"][0] == "random"
