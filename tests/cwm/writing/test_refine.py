"""The refiners: which request comes next, and what is in it."""

from __future__ import annotations

import pyspiel
import pytest

from arena.bots.llm_policy import action_of
from cwm.trust import trajectories
from cwm.writing import prompting, refiners, synthesis
from cwm.writing.prompting import states
from cwm.writing.refiners import Attempt, Conversation, TreeSearch
from cwm.writing.tasks import OpenLesson

RULES = "Rules of a game of noughts and crosses."


def games():
    return tuple(trajectories.collect(pyspiel.load_game("tic_tac_toe"), 2, 0))


def attempt(index, score, parent=None, source="x = 1\n", failures=("it fails",)):
    return Attempt(
        index=index,
        parent=parent,
        key=f"k{index}",
        reply=f"reply {index}",
        source=source,
        passed=int(score * 10),
        transitions=10,
        random_games=0,
        breaches=0,
        score=score,
        failures=failures,
        seconds=0.0,
    )


def test_the_first_prompt_holds_rules_contract_and_games():
    request, parent = TreeSearch(OpenLesson(RULES, games()), 0, "p").next_request([])
    text = request.messages[0].content
    assert parent is None and RULES in text and "initial_state()" in text
    assert "Game 2:" in text and "x(0,0)" in text


def test_runs_ask_for_answers_of_their_own():
    keys = {TreeSearch(OpenLesson(RULES, games()), seed, "p").next_request([])[0].key() for seed in range(5)}
    assert len(keys) == 5


def test_tree_search_prefers_programs_that_pass_more_and_were_refined_less():
    """REx, Tang et al. 2024: mean of Beta(1 + C h, 1 + C (1 - h) + n), C = 20."""
    task = TreeSearch(OpenLesson(RULES, games()), 0, "p")
    good, bad = 0, 0
    for seed in range(60):
        task = TreeSearch(OpenLesson(RULES, games()), seed, "p")
        _, parent = task.next_request([attempt(0, 0.2), attempt(1, 0.9)])
        good += parent == 1
        bad += parent == 0
    assert good > 55 and good + bad == 60
    # Twenty refinements later the better program's mean is (1 + 18) / (22 + 20) = .45, the worse
    # one's is (1 + 10) / 22 = .5: the search goes back to it more often than not.
    stuck = [attempt(0, 0.5), attempt(1, 0.9)] + [attempt(2 + i, 0.0, parent=1, source=None) for i in range(20)]
    back = sum(
        TreeSearch(OpenLesson(RULES, games()), seed, "p").next_request(stuck)[1] == 0 for seed in range(200)
    )
    assert 100 < back < 190


def test_a_resumed_tree_search_asks_the_same():
    attempts = [attempt(0, 0.5), attempt(1, 0.6, parent=0)]
    first, second = (TreeSearch(OpenLesson(RULES, games()), 3, "p").next_request(attempts)[0] for _ in range(2))
    assert first.key() == second.key()


def test_the_refinement_shows_the_program_and_one_failure():
    task = TreeSearch(OpenLesson(RULES, games()), 0, "p")
    request, _ = task.next_request([attempt(0, 0.5, source="SECRET = 42\n", failures=("boom 17",))])
    text = request.messages[0].content
    assert "SECRET = 42" in text and "boom 17" in text and RULES in text


def test_answers_without_a_program_are_never_refined():
    attempts = [attempt(0, 0.0, source=None)]
    request, parent = TreeSearch(OpenLesson(RULES, games()), 0, "p").next_request(attempts)
    assert parent is None and "Recorded games" in request.messages[0].content


def test_the_conversation_grows_by_answer_and_failure():
    request, _ = Conversation(OpenLesson(RULES, games()), 0, "p").next_request(
        [attempt(0, 0.3, failures=("first",)), attempt(1, 0.4, failures=("second",))]
    )
    roles = [message.role for message in request.messages]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    assert request.messages[1].content == "reply 0" and "first" in request.messages[2].content
    assert "second" in request.messages[4].content


@pytest.mark.parametrize(
    "reply, program",
    [
        ("a\n```python\nx = 1\n```\nb", "x = 1\n"),
        ("```python\nx = 1\n```\n then\n```python\ny = 2\n```", "y = 2\n"),
        ("```\nx = 1\n```", None),
        ("no code", None),
        ("```python\nx = 1\n", None),
        ("```py\nx = 1\n```", "x = 1\n"),
    ],
)
def test_program_of(reply, program):
    assert prompting.program_of(reply) == program


@pytest.mark.parametrize(
    "reply, action",
    [
        ("I think.\nACTION: x(1,1)", "x(1,1)"),
        ("ACTION: a\nno\n**ACTION: b2-b3**", "b2-b3"),
        ("action: `24/22 13/8`\n", "24/22 13/8"),
        ("my action: none", None),
        ("", None),
        ("ACTION: Bar/22 Pass  ", "Bar/22 Pass"),
    ],
)
def test_action_of(reply, action):
    assert action_of(reply) == action


def test_shown_games_keep_to_the_budget_and_show_start_and_end():
    recorded = list(trajectories.collect(pyspiel.load_game("backgammon"), 5, 0))
    text = states.show_games(recorded, 12_000)
    assert len(text) < 14_000 and text.count("states not shown") == 5 and text.count("\nend |") == 5


def test_a_perfect_attempt_needs_random_play_without_a_breach():
    assert attempt(0, 1.0).perfect
    assert not Attempt(**{**attempt(0, 1.0).to_json(), "breaches": 1}).perfect
    assert synthesis.describe(attempt(0, 1.0)) == "call 1 (from scratch): 10/10 transitions"
    assert refiners.Attempt.from_json(attempt(3, 0.5).to_json()) == attempt(3, 0.5)
