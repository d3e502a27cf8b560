"""Online learning: a damaged model is right after the first game that shows the damage, and a revision is
taken only if it passes everything; nothing hidden gets in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.matches.match import play_match
from arena.registry.games import load_game
from cwm import online
from cwm.contract import manifest, model_folders
from cwm.play import online_bot
from cwm.trust import checks, held_out, inference
from cwm.trust.inference import Seen, seen_by
from cwm.trust.trajectories import Trajectory, collect, from_names
from cwm.writing import learning
from cwm.writing.learning import Learner, LearnerError
from games.seeing import views
from language_models import LanguageModelError

COLUMN = [f"{mark}{column}" for mark, column in zip("xoxoxox", (3, 0, 3, 0, 3, 0, 3))]
"""A game of connect four that ends with four in a column."""
ROW = [f"{mark}{column}" for mark, column in zip("xoxoxox", (0, 0, 1, 1, 2, 2, 3))]
"""One that ends with four in a row."""


def model_in(folder, source, **content):
    """A model's folder as a synthesis leaves it, as far as a learner reads it."""
    folder.mkdir(parents=True)
    (folder / "model.py").write_text(source)
    (folder / "value.py").write_text("def value(state):\n    return [0.0, 0.0]\n")
    (folder / "manifest.json").write_text(
        json.dumps(
            {"rungs": [], "value_function": {"accepted": True}, "interpreter": {"chosen": "cpython"}, **content}
        )
    )
    return manifest.load(str(folder))


@pytest.fixture
def connect_four(tmp_path, source_of):
    """The game, the right source, and a model that does not see four in a column."""
    right = source_of("connect_four")
    damaged = right.replace("((0, 1), (1, 0), (1, 1), (1, -1))", "((0, 1), (1, 1), (1, -1))")
    assert damaged != right
    return load_game("connect_four"), right, model_in(tmp_path / "first", damaged)


def test_after_the_first_game_that_shows_the_damage_the_model_is_right(
    tmp_path, connect_four, scripted, answer
):
    game, right, first = connect_four
    llm = scripted(answer(right))
    learner = Learner(str(tmp_path / "kept"), game, first, llm, calls=3)
    harmless = learner.learn(from_names(game, ROW))
    assert (harmless.passed, harmless.calls, harmless.revision) == (harmless.tests, 0, None)
    assert learner.current() is first
    learnt = learner.learn(from_names(game, COLUMN))
    assert (learnt.tests, learnt.passed, learnt.calls, learnt.revision) == (7, 6, 1, "revision_1")
    assert (learnt.all_tests, learnt.before, learnt.after) == (14, 13, 14)
    newest = learner.current()
    assert newest.source == right and (tmp_path / "first" / "model.py").read_text() == first.source
    assert held_out.evaluate(newest.source, list(collect(game, 30, 5))).accuracy == 1.0
    prompt = llm.requests[0].messages[0].content
    assert first.source in prompt and ", ".join(COLUMN[:6]) in prompt
    assert "It passes 13 of 14 tests" in prompt
    assert learner.learn(from_names(game, COLUMN)).calls == 0
    assert [row.model for row in learner.games()][1:] == [str(tmp_path / "first"), "revision_1"]


def test_a_revision_says_where_it_comes_from_and_claims_nothing_else(tmp_path, connect_four, scripted, answer):
    game, right, first = connect_four
    Learner(str(tmp_path / "kept"), game, first, scripted(answer(right)), calls=3).learn(
        from_names(game, COLUMN)
    )
    content = manifest.load(str(tmp_path / "kept" / "revision_1")).manifest
    assert content["online"]["model"] == str(tmp_path / "first") and content["online"]["calls"] == 1
    assert content["online"]["revises"] == str(tmp_path / "first") and content["online"]["tests"] == 7
    status = {row["rung"]: row["status"] for row in content["rungs"]}
    assert status["training_transitions"] == status["random_play"] == "passed"
    assert status["heldout_transitions"] == "not tried" and content["test_transition_accuracy"] is None
    assert not content["value_function"]["accepted"] and "interpreter" not in content
    assert model_folders.candidates(str(tmp_path / "kept")) == [str(tmp_path / "kept" / "revision_1")]


def test_what_breaks_an_old_game_is_not_taken(tmp_path, connect_four, scripted, answer):
    """The first answer mends the column and forgets the row, the second is no program; no call is left."""
    game, right, first = connect_four
    other = right.replace("((0, 1), (1, 0), (1, 1), (1, -1))", "((1, 0), (1, 1), (1, -1))")
    learner = Learner(str(tmp_path / "kept"), game, first, scripted(answer(other), "no program"), calls=2)
    learner.learn(from_names(game, ROW))
    learnt = learner.learn(from_names(game, COLUMN))
    assert (learnt.calls, learnt.revision, learnt.before, learnt.after) == (2, None, 13, 13)
    assert learner.current() is first
    assert learner.learn(from_names(game, COLUMN)).calls == 0, "the budget is for all games"


def test_a_learner_goes_on_from_its_folder(tmp_path, connect_four, scripted, answer):
    game, right, first = connect_four
    folder = tmp_path / "kept"
    with pytest.raises(LanguageModelError):
        Learner(str(folder), game, first, scripted("no program"), calls=5).learn(from_names(game, COLUMN))
    with open(folder / learning.ATTEMPTS, "a", encoding="utf-8") as file:
        file.write('{"cut')
    llm = scripted(answer(right))
    learnt = Learner(str(folder), game, first, llm, calls=5).learn(from_names(game, COLUMN))
    assert learnt.calls == 2 and len(llm.requests) == 1 and learnt.revision == "revision_1"
    whole = Learner(str(tmp_path / "whole"), game, first, scripted("no program", answer(right)), calls=5)
    assert whole.learn(from_names(game, COLUMN)) == learnt
    for name in (learning.GAMES, learning.ATTEMPTS):
        assert (folder / name).read_text() == (tmp_path / "whole" / name).read_text()
    with pytest.raises(LearnerError, match="is the learner of seed 0; expected that of .*first.*, seed 1"):
        Learner(str(folder), game, first, scripted(), calls=5, seed=1)
    with pytest.raises(LearnerError, match="exists and is no learner"):
        Learner(str(tmp_path / "first"), game, first, scripted(), calls=5)


def leduc(tmp_path, train_games=5):
    """A shipped model and a damaged one with the manifest of its synthesis."""
    shipped = manifest.load(model_folders.resolve("leduc_poker/0"))
    damaged = shipped.source.replace("_RAISE_SIZE = (0, 2, 4)", "_RAISE_SIZE = (0, 2, 3)")
    assert damaged != shipped.source and shipped.manifest["train_games"] == 5
    content = {
        name: value
        for name, value in shipped.manifest.items()
        if name not in ("rungs", "value_function", "interpreter")
    }
    return shipped.source, model_in(tmp_path / "first", damaged, **{**content, "train_games": train_games})


SHOWDOWN = ["deal Qh", "deal Jh", "call", "call", "deal Ks", "raise", "call"]


@pytest.mark.parametrize("player", [0, 1])
def test_a_hidden_game_is_learnt_from_what_one_player_saw(tmp_path, scripted, answer, player):
    right, first = leduc(tmp_path, train_games=0)
    game = load_game("leduc_poker")
    llm = scripted(answer(right))
    learner = Learner(str(tmp_path / "kept"), game, first, llm, calls=2)
    actions = actions_of(game, SHOWDOWN)
    seen = learner.observed(actions, player)
    assert seen == seen_by(from_names(game, SHOWDOWN), player)
    learnt = learner.learn(seen)
    assert 0 <= learnt.passed < learnt.tests == 3 and learnt.revision == "revision_1"
    assert learnt.after == learnt.all_tests == 3
    assert Seen.from_json(learner.games()[0].seen) == seen and learner.games()[0].actions == ()
    hidden = "Jh" if player == 0 else "Qh"
    failure = llm.requests[0].messages[0].content.partition("# The failed test")[2]
    assert "player" in failure and f'"{hidden}"' not in failure.partition("resample_history gave")[0]
    content = learner.current().manifest
    assert not content["online"]["tested_on_training_games"] and content["deck"] == "open"


def actions_of(game, names):
    state = game.new_initial_state()
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    return state.history()


def test_what_a_player_did_not_see_changes_nothing(tmp_path, scripted):
    game = load_game("leduc_poker")
    learner = Learner(str(tmp_path / "kept"), game, leduc(tmp_path)[1], scripted(), calls=0)
    one, other = (
        learner.observed(actions_of(game, ["deal Qh", card, "raise", "fold"]), 0)
        for card in ("deal Jh", "deal Ks")
    )
    assert isinstance(one, Seen) and one == other
    assert isinstance(
        Learner(
            str(tmp_path / "c4"), load_game("connect_four"), leduc(tmp_path / "b")[1], scripted(), calls=0
        ).observed([3, 3], 0),
        Trajectory,
    )


def test_the_first_models_own_training_games_are_tests_too(tmp_path, scripted, answer):
    """An answer that is right in the game just played and wrong in the recorded games is not taken."""
    right, first = leduc(tmp_path)
    game = load_game("leduc_poker")
    forgetful = right.replace("_RAISE_SIZE = (0, 2, 4)", "_RAISE_SIZE = (0, 1, 4)")
    observed = seen_by(from_names(game, SHOWDOWN), 0)
    holder = checks.Holder(forgetful)
    try:
        assert inference.check(holder.call, [observed]).accuracy == 1.0
    finally:
        holder.close()
    learnt = Learner(str(tmp_path / "kept"), game, first, scripted(answer(forgetful)), calls=1).learn(observed)
    assert learnt.calls == 1 and learnt.revision is None
    learnt = Learner(str(tmp_path / "right"), game, first, scripted(answer(right)), calls=1).learn(observed)
    assert learnt.revision == "revision_1"


def test_a_bot_learns_after_its_matches(tmp_path, monkeypatch, connect_four, scripted, answer):
    game, right, first = connect_four
    never = right.replace("winner < 0", "winner < 9")  # nobody ever wins: any game with a winner shows it
    (tmp_path / "first" / "model.py").write_text(never)
    llm = scripted(answer(right))
    monkeypatch.setattr(online_bot, "from_spec", lambda spec: llm)
    spec = (
        f"cwm_mcts(model={tmp_path / 'first'},simulations=20,value=false,interpreter=cpython,"
        f"online=true,keep={tmp_path / 'kept'},calls=2)"
    )
    records = [play_match("connect_four", [spec, "random"], seed) for seed in (1, 2)]
    assert all(record.forfeit is None and any(record.returns) for record in records)
    notes = [[move.notes for move in record.moves if move.notes][-1] for record in records]
    assert [note["online_calls"] for note in notes] == [0, 1]
    assert notes[1]["model"].endswith("revision_1") and notes[1]["online_games"] == 1
    assert len(llm.requests) == 1 and len((tmp_path / "kept" / "games.jsonl").read_text().splitlines()) == 2
    with pytest.raises(ValueError, match="add keep=FOLDER"):
        play_match("connect_four", ["cwm_mcts(online=true)", "random"], 1)


def test_a_bot_of_a_hidden_game_learns_and_a_silent_language_model_costs_no_match(
    tmp_path, monkeypatch, scripted, capsys
):
    leduc(tmp_path)
    monkeypatch.setattr(online_bot, "from_spec", lambda spec: scripted())
    spec = (
        f"cwm_ismcts(model={tmp_path / 'first'},simulations=10,interpreter=cpython,online=true,"
        f"keep={tmp_path / 'kept'})"
    )
    for seed in range(4):
        play_match("leduc_poker", ["random", spec], seed, opening_plies=0)
    assert "the game is not learnt from, the script is over" in capsys.readouterr().err


def test_a_run_repeats_itself_and_its_table_adds_up(tmp_path, connect_four, scripted, answer):
    game, right, first = connect_four
    rows = []
    for folder in ("a", "b"):
        learner = Learner(str(tmp_path / folder), game, first, scripted(answer(right)), calls=2)
        for number in range(3):
            record, seat = online.play(game, learner.current(), "random", 20, 0, number)
            assert seat == number % 2
            learner.learn(learner.observed([action for _, action in record.actions()], seat))
        rows.append(learner.games())
    assert rows[0] == rows[1]
    table = online.table(rows[0])
    assert len(table) == 4 and all(len(row) == len(table[0]) for row in table)
    tests, passed = learner.score(learner.current().source)
    assert tests == rows[0][-1].all_tests == sum(row.tests for row in rows[0])
    assert passed == rows[0][-1].after


@pytest.mark.parametrize("name", ["oshi_zumo", "goofspiel"])
def test_a_model_of_choices_made_at_once_is_revised(
    tmp_path, at_once_folder, source_of, scripted, answer, name
):
    """The damaged model pays the last round to the other player."""
    path = Path(at_once_folder(name))
    content = json.loads((path / "manifest.json").read_text())
    game, right = load_game(content["game"]), source_of(name)
    damaged = f"{right}\n_right = returns\n\n\ndef returns(state):\n    return _right(state)[::-1]\n"
    (path / "model.py").write_text(damaged)
    first = manifest.load(str(path))
    learner = Learner(str(tmp_path / "kept"), game, first, scripted(answer(right)), calls=1, rules="Rules.")
    for number in range(4):
        record, seat = online.play(game, learner.current(), "random", 4, 1, number)
        assert seat == number % 2 and record.forfeit is None
        learner.learn(learner.observed([action for _, action in record.actions()], seat))
    taken = [learnt.revision for learnt in learner.games() if learnt.revision]
    assert taken == ["revision_1"] and learner.current().source == right
    tests, passed = learner.score(right)
    assert tests == passed > learner.score(damaged)[1]
