"""Hypothesis search as a whole, with language models that follow a script, against OpenSpiel's games."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyspiel
import pytest

import spielwright  # noqa: F401  (registers every game)
from cwm.contract import manifest, model_folders
from cwm.trust import exact_equality, trajectories
from cwm.writing import prompting, synthesis
from cwm.writing.hypotheses.oracle import GameOracle
from cwm.writing.hypotheses.search import HypothesisSearch, Settings
from cwm.writing.refiners import Attempt
from cwm.writing.tasks import HiddenLesson, OpenLesson
from language_models import Completion
from language_models.asking.questions import Question

TESTS = Path(__file__).parents[2]
RIGHT = (TESTS / "models" / "tic_tac_toe.py").read_text()
RULES = "Three in a row win. Player 0 begins."


def answer(source, said=""):
    return f"{said}\n```python\n{source}\n```\n"


class Script:
    """A language model that gives these answers in turn, the last one again and again."""

    name = "script"

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []

    def complete(self, request):
        self.requests.append(request)
        text = self.answers[min(len(self.requests), len(self.answers)) - 1]
        return [Completion(text, "stop", None, None, None, self.name)]


@pytest.fixture(autouse=True)
def no_walk(monkeypatch):
    """Walking the whole game is tested elsewhere, and takes most of a run's time."""
    monkeypatch.setattr(exact_equality, "walk", lambda game: None)


@pytest.fixture(scope="module")
def game():
    return pyspiel.load_game("tic_tac_toe")


@pytest.fixture(scope="module")
def lesson(game):
    """Two short games, none of them with a column or a diagonal: their rules are never shown."""
    row = ["x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)", "x(0,2)"]
    other = ["x(2,0)", "o(1,0)", "x(2,1)", "o(0,1)", "x(2,2)"]
    return OpenLesson(RULES, tuple(trajectories.from_names(game, names) for names in (row, other)))


LINES = {"row 0": "(0, 1, 2), ", "row 2": "(6, 7, 8), ", "column 0": "(0, 3, 6), ", "column 1": "(1, 4, 7), "}
LINES |= {"down": "(0, 4, 8), ", "up": ", (2, 4, 6)"}


def without(*names):
    """The right program that does not know these winning lines."""
    source = RIGHT
    for name in names:
        assert source.count(LINES[name]) == 1
        source = source.replace(LINES[name], "")
    return source


def run(folder, game, lesson, model, max_calls=6, seed=0):
    settings = synthesis.Settings("tic_tac_toe", "hypotheses", "script", seed, max_calls, lesson.fingerprint())
    return synthesis.run(
        str(folder), settings, lesson, model, ground_truth=game, test_transitions=200, test_games=30
    )


def test_a_model_that_knows_the_truth_is_asked_once(tmp_path, game, lesson):
    model = Script(answer(RIGHT))
    outcome = run(tmp_path / "run", game, lesson, model)
    assert len(model.requests) == 1 and outcome.best.perfect
    assert outcome.manifest["test_transition_accuracy"] == 1.0
    assert outcome.manifest["alive"] == 1
    asked = outcome.manifest["asked"]
    assert outcome.manifest["oracle_queries"] == len(asked)
    assert outcome.manifest["oracle_plies"] == sum(map(len, asked))
    # Games with lines of the program that two recorded games never reached, such as a draw, were asked for.
    assert asked and outcome.best.transitions == 10 + outcome.manifest["oracle_plies"]


def test_a_model_that_never_improves_is_asked_to_the_end_and_told_all_failures(tmp_path, game, lesson):
    wrong = RIGHT + "\n\ndef returns(state):\n    return [0.0, 0.0]\n"
    model = Script(answer(wrong))
    outcome = run(tmp_path / "run", game, lesson, model, max_calls=4)
    assert len(model.requests) == 4 and not outcome.best.perfect
    prompt = model.requests[1].messages[-1].content
    assert len(model.requests[1].messages) == 1
    assert "It passes 8 of 10 tests" in prompt and "2 transitions of 2 games" in prompt
    assert "wrong: returns" in prompt and "After 4 actions" in prompt


def test_two_readings_in_turn_are_told_apart_by_a_chosen_game(tmp_path, game, lesson):
    """Both answers pass all recorded games; no test there says which of them is right about columns."""
    first, second = without("column 1"), RIGHT
    refiner = HypothesisSearch(lesson, 0, "p", GameOracle(game), Settings(probes=0, whole_games=0))
    attempts = []
    for source in (first, second):
        request, parent = refiner.next_request(attempts)
        completion = Script(answer(source)).complete(request)[0]
        reply = Question(request, refiner.check(attempts)).answered(completion)
        attempts.append(Attempt.of_reply(len(attempts), parent, reply))
    assert attempts[0].perfect  # by the recorded games alone
    best = refiner.best(attempts)
    assert best.source.strip() == second.strip() and refiner.done(attempts)
    [asked] = refiner.asked
    verdicts = [refiner.check(attempts)(answer(source)).value.verdict for source in (first, second)]
    assert verdicts[0].passed < verdicts[0].transitions and verdicts[1].passed == verdicts[1].transitions
    assert asked.steps[-1].returns != (0.0, 0.0)


def test_readings_in_one_answer_need_no_further_call(tmp_path, game, lesson):
    source = without("down", "up").replace(
        "_THROUGH =",
        "_MORE = ()  # READING: () | ((0, 4, 8), (2, 4, 6)) | ((0, 1, 5),)\n_LINES = _LINES + _MORE\n_THROUGH =",
    )
    model = Script(answer(source))
    outcome = run(tmp_path / "run", game, lesson, model)
    assert len(model.requests) == 1 and outcome.best.perfect
    assert "_MORE = ((0, 4, 8), (2, 4, 6))  #" in outcome.best.source
    assert outcome.manifest["test_transition_accuracy"] == 1.0
    assert outcome.manifest["oracle_queries"] > 0


def test_a_rule_that_no_recorded_game_shows_is_found_by_reaching_it(tmp_path, game, lesson):
    """One candidate that passes all tests is not trusted: games reach what was never tested, and one of them fails."""
    model = Script(answer(without("down", "up", "column 0")), answer(RIGHT))
    outcome = run(tmp_path / "run", game, lesson, model)
    assert outcome.manifest["accuracy_by_call"][0] == 1.0 and len(model.requests) == 2
    assert outcome.best.source.strip() == RIGHT.strip() and outcome.best.perfect


def test_a_run_that_was_killed_goes_on_as_if_it_had_not(tmp_path, game, lesson):
    answers = [answer(without("row 0", "down")), answer(without("row 2")), answer(RIGHT)]
    whole = Script(*answers)
    run(tmp_path / "whole", game, lesson, whole)
    first = Script(answers[0])
    run(tmp_path / "parts", game, lesson, first, max_calls=1)
    (tmp_path / "parts" / "manifest.json").unlink()
    rest = Script(*answers[1:])
    run(tmp_path / "parts", game, lesson, rest)
    keys = [request.key() for request in whole.requests]
    assert keys == [request.key() for request in (*first.requests, *rest.requests)] and len(keys) == 3
    found = [json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("whole", "parts")]
    assert found[0]["asked"] == found[1]["asked"]


def test_sentences_that_are_called_false_are_kept(tmp_path, game, lesson):
    taught = replace(lesson, rules=prompting.with_contradictions("Three in a row win. Player 1 begins."))
    model = Script(answer("# CONTRADICTION: Player 1 begins.\n" + RIGHT))
    outcome = run(tmp_path / "run", game, taught, model)
    assert "# CONTRADICTION: the sentence" in model.requests[0].messages[0].content
    assert outcome.manifest["contradictions"] == ["Player 1 begins."]


def test_without_an_oracle_failures_are_grouped_all_the_same(lesson):
    refiner = HypothesisSearch(lesson, 0, "p")
    request, _ = refiner.next_request([])
    wrong = RIGHT + "\n\ndef returns(state):\n    return [0.0, 0.0]\n"
    reply = Question(request, refiner.check([])).answered(Script(answer(wrong)).complete(request)[0])
    attempts = [Attempt.of_reply(0, None, reply)]
    prompt = refiner.next_request(attempts)[0].messages[-1].content
    assert "## Group 1" in prompt and not refiner.asked
    assert refiner.figures()["oracle_queries"] == 0


def test_hidden_information_is_searched_with_an_open_deck_alone():
    game = pyspiel.load_game("leduc_poker")
    games = tuple(trajectories.collect(game, 2, 0))
    source = manifest.load(model_folders.resolve("leduc_poker/0")).source
    refiner = HypothesisSearch(
        HiddenLesson.open(RULES, games), 0, "p", GameOracle(game), Settings(probes=2, whole_games=1)
    )
    request, _ = refiner.next_request([])
    reply = Question(request, refiner.check([])).answered(Script(answer(source)).complete(request)[0])
    attempts = [Attempt.of_reply(0, None, reply)]
    assert refiner.done(attempts) and refiner.best(attempts).inferences > 0
    with pytest.raises(ValueError, match="closed deck"):
        HypothesisSearch(HiddenLesson.closed(RULES, games), 0, "p")


def test_a_rule_that_is_wrong_in_lines_that_were_reached_is_found_by_whole_games(game, lesson):
    """No line is new where a line of the board is missing: only the end of a game that needs it tells."""
    wrong = without("column 1")
    for whole_games, found in ((0, False), (40, True)):
        refiner = HypothesisSearch(
            lesson, 0, "p", GameOracle(game), Settings(probes=0, whole_games=whole_games)
        )
        request, parent = refiner.next_request([])
        reply = Question(request, refiner.check([])).answered(Script(answer(wrong)).complete(request)[0])
        attempts = [Attempt.of_reply(0, parent, reply)]
        assert attempts[0].perfect and refiner.done(attempts) is not found
        assert bool(refiner.asked) is found
        if found:
            assert (
                not refiner.best(attempts).perfect
                and "wrong: " in refiner.next_request(attempts)[0].messages[-1].content
            )
