"""What a finished model was learnt from: its games, counted as known, and its rules, as prompts show them."""

from __future__ import annotations

import pytest

from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.trust import held_out, trajectories
from cwm.trust.trajectories import collect, from_names
from cwm.writing import training, value_functions
from cwm.writing.learning import Learner
from cwm.writing.tasks import HiddenLesson
from games import rules as shipped_rules

ROW = ["x0", "o6", "x1", "o5", "x2", "o4", "x3"]
COLUMN = ["x3", "o0", "x3", "o0", "x3", "o0", "x3"]


def known_of(model, game):
    return training.learnt_from(model, game, training.lesson_of(model, game))


def written(folder, source, **content):
    folder.mkdir()
    row = {
        "game": "tic_tac_toe",
        "seed": 0,
        "train_games": 2,
        "rungs": [],
        "value_function": {"accepted": False, "candidates": []},
        **content,
    }
    (folder / "model.py").write_text(source)
    manifest.write_json(str(folder / "manifest.json"), row)
    return manifest.load(str(folder))


def test_a_users_games_are_kept_and_known(tmp_path, source_of):
    game = load_game("tic_tac_toe")
    model = written(
        tmp_path / "m", source_of("tic_tac_toe"), trajectories={"protocol": "recorded"}, train_games=3
    )
    assert training.lesson_of(model, game) is None and known_of(model, game) is None
    tests = list(collect(game, 3, 11))
    unknown = held_out.evaluate(model.source, tests, None)
    assert (unknown.new_transitions, unknown.new_passed) == (None, None)
    assert unknown.to_json()["new_transitions"] is None and unknown.transitions > 15
    trajectories.write(str(tmp_path / "mine.jsonl"), tests[:2])
    training.keep_recorded(model.path, str(tmp_path / "mine.jsonl"))
    known = known_of(model, game)
    assert list(known.games) == tests[:2] and not known.seen
    result = held_out.evaluate(model.source, tests, known.games)
    fresh = {held_out.state_key(step) for step in tests[2].steps[:-1]} - {
        held_out.state_key(step) for one in tests[:2] for step in one.steps
    }
    assert result.new_transitions == result.new_passed == len(fresh) < len(tests[2].actions)


def test_a_closed_deck_knows_what_one_player_saw():
    game = load_game("leduc_poker")
    (game_seen,) = collect(game, 1, 3)
    lesson = HiddenLesson.closed("", [game_seen])
    known = training.LearntFrom.lesson(lesson)
    assert not known.games and [one.player for one in known.seen] == [0]
    source = model_folders.resolve("leduc_poker/0") + "/model.py"
    with open(source, encoding="utf-8") as file:
        program = file.read()
    assert held_out.evaluate(program, [game_seen], known.games, seen=known.seen).new_transitions == 0
    # With another card of the opponent all looks the same to player 0, until the end shows it.
    others = [
        from_names(game, [game_seen.actions[0], card, *game_seen.actions[2:]])
        for card in game_seen.steps[1].chance
        if card not in game_seen.actions[:2] and card not in game_seen.actions[2:]
    ]
    assert others
    counted = held_out.evaluate(program, others[:1], known.games, seen=known.seen)
    assert counted.new_transitions == 0 and counted.transitions == len(game_seen.actions)
    swapped = from_names(game, [game_seen.actions[1], game_seen.actions[0], *game_seen.actions[2:]])
    fresh = held_out.evaluate(program, [swapped], known.games, seen=known.seen).new_transitions
    assert 0 < fresh == counted.transitions - 1  # all but the first deal


def test_a_revision_knows_the_games_it_was_revised_on(tmp_path, source_of, scripted, answer):
    right = source_of("connect_four")
    damaged = right.replace("((0, 1), (1, 0), (1, 1), (1, -1))", "((0, 1), (1, 1), (1, -1))")
    assert damaged != right
    game = load_game("connect_four")
    first = written(tmp_path / "first", damaged, game="connect_four")
    learner = Learner(str(tmp_path / "kept"), game, first, scripted(answer(right)), calls=1)
    learner.learn(from_names(game, ROW))
    learner.learn(from_names(game, COLUMN))
    revision = learner.current()
    known = known_of(revision, game)
    played = [from_names(game, names) for names in (ROW, COLUMN)]
    assert list(known.games) == [*collect(game, 2, 0), *played]
    assert held_out.evaluate(right, played, known.games).new_transitions == 0
    (tmp_path / "kept" / "games.jsonl").unlink()
    assert known_of(revision, game) is None


def test_prompts_about_a_finished_model_explain_what_nobody_has_explained(tmp_path, source_of):
    file = tmp_path / "rules.md"
    file.write_text("Whoever makes a line of her own colour wins.")
    hexed, game = written(tmp_path / "b", "", game="hex"), load_game("hex")
    text = training.rules_of(hexed, game, str(file))
    assert text.startswith("Whoever makes a line") and "`observation`: what the player sees" in text
    assert "- `observation`: a text of" in text
    assert value_functions.rules_of(hexed, str(file)) == text
    # The rules of games that ship are those of the recordings, whatever file stands in their place.
    ours = written(tmp_path / "t", source_of("tic_tac_toe"))
    assert training.rules_of(ours, load_game("tic_tac_toe"), None) == shipped_rules("tic_tac_toe")
    assert value_functions.rules_of(ours, str(file)) == "Whoever makes a line of her own colour wins."
    alone = written(tmp_path / "own", "", game="rules.md")
    assert value_functions.rules_of(alone, str(file)) == "Whoever makes a line of her own colour wins."
    with pytest.raises(ValueError, match=r"no text of the rules of its game 'rules.md' ships"):
        value_functions.rules_of(alone, None)
    with pytest.raises(ValueError, match="no text of the rules of hex ships"):
        value_functions.rules_of(hexed, None)
