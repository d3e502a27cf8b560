"""One verification of a world model, from its folder to the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyspiel

from cwm.contract import manifest
from cwm.contract.manifest import Rung
from cwm.trust import exact_equality, held_out
from cwm.trust.inference import Seen, seen_by
from cwm.trust.trajectories import Trajectory
from cwm.trust.verification import directed, events, matches
from cwm.trust.verification.directed import Directed
from cwm.trust.verification.events import Events
from cwm.trust.verification.ladder import Ladder
from cwm.trust.verification.reached import Reached, Recorder
from cwm.writing.tasks import HiddenLesson, OpenLesson
from cwm.writing.training import learnt_from, lesson_of

SEARCH_SEED = 1_000_000
"""Seed that keeps the games of search apart from the held-out games."""


@dataclass(frozen=True)
class Wish:
    """The tests that are asked for.

    Attributes:
      test_transitions, test_games: least size of the held-out test.
      random_games: number of games of random play inside the model.
      search_games: number of games of search on the model; 0 leaves out the search for counterexamples.
      search_simulations: number of simulations of each search in them.
      search_seconds: time for these games and the trees grown from them.
      matches: number of matches against the search on the ground truth, an even number; 0 leaves them out.
      match_simulations: number of simulations of each search in these.
      seed: seed of the held-out games.
      coverage: whether to tell the lines and conditions that the tests never reached.
      exact_states: number of distinct states up to which a game is walked whole; 0 leaves that out.
    """

    test_transitions: int = 10_000
    test_games: int = 100
    random_games: int = 100
    search_games: int = 20
    search_simulations: int = 30
    search_seconds: float = 60.0
    matches: int = 0
    match_simulations: int = 100
    seed: int = held_out.TEST_SEED
    coverage: bool = True
    exact_states: int = held_out.EXHAUSTIVE_LIMIT


@dataclass
class Verdict:
    """The findings of a verification.

    Attributes:
      ladder: the rungs.
      held_out: accuracy on the held-out games; None where the contract is broken, and so for the attributes below.
      events: bounds by kinds of events.
      reached: the parts of the program that the tests reached, None where they were not asked for.
      directed: the games of search, None where they were not asked for.
    """

    ladder: Ladder
    held_out: held_out.HeldOutResult | None = None
    events: Events | None = None
    reached: Reached | None = None
    directed: Directed | None = None

    def to_json(self) -> dict[str, Any]:
        """The verdict without the games."""
        tests = self.held_out
        row: dict[str, Any] = {
            "test_transition_accuracy": tests.accuracy if tests else 0.0,
            "test_transitions": tests.transitions if tests else 0,
            "test": tests.to_json() if tests else None,
            "rungs": self.ladder.to_json(),
            "contradicts_manifest": self.ladder.contradicted,
            "events": self.events.to_json() if self.events else None,
            "never_reached": self.reached.to_json() if self.reached else None,
        }
        if self.directed is not None and self.directed.disagreements is not None:
            row["disagreements"] = self.directed.disagreements.kinds
        return row


def verify(
    model: manifest.Model,
    game: pyspiel.Game,
    wish: Wish,
    *,
    others: Mapping[str, str] | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> Verdict:
    """Tests a model against the ground truth.

    Args:
      model: the model as it was loaded.
      game: the ground truth.
      wish: the tests that are asked for.
      others: texts of other models of the game by name, whose disagreements are looked at.
      progress: a function that is told one line at a time.

    Raises:
      ValueError: matches are asked for, and a search cannot play the game; this is told before anything is tested.
    """
    if wish.matches:
        matches.check_playable(game, wish.match_simulations)
    ladder = Ladder.of(model, game)
    verdict = Verdict(ladder)
    if not ladder.test_contract():
        for name in set(ladder.rungs) - {"contract"}:
            ladder.rungs[name] = Rung(name, figures={"reason": "the contract is broken"})
        return verdict
    lesson = lesson_of(model, game)
    ladder.test_training(lesson)
    ladder.test_random_play(wish.random_games)
    collected = held_out.test_games(game, wish.test_transitions, wish.test_games, wish.seed)
    tests = list(held_out.reported(collected, wish.test_transitions, progress))
    verdict.held_out = ladder.test_held_out(tests, learnt_from(model, game, lesson))
    verdict.events = events.bound(tests, verdict.held_out.failures)
    if wish.search_games:
        progress(f"search for counterexamples: {wish.search_games} games, at most {wish.search_seconds:g} s")
        settings = directed.Settings(
            wish.search_games, wish.search_simulations, wish.search_seconds, wish.seed + SEARCH_SEED
        )
        verdict.directed = directed.search(model, game, settings, others=others, held_out=tests)
        ladder.test_directed(verdict.directed)
    paths = exact_equality.walk(game, wish.exact_states) if wish.exact_states else None
    if wish.exact_states:
        ladder.test_exact_equality(paths)
    if wish.coverage:
        progress("coverage: the same tests in a copy of the program with probes")
        searched = verdict.directed.games if verdict.directed else []
        compared = [*(lesson.trajectories if lesson else ()), *tests, *searched, *(paths or ())]
        verdict.reached = _reached(model.source, compared, _inferred(lesson, tests))
    if wish.matches:
        _play(ladder, wish, tests, progress)
    return verdict


def _inferred(lesson: OpenLesson | HiddenLesson | None, tests: Sequence[Trajectory]) -> list[Seen]:
    """The games, as players saw them, on which inference was tested; none in a game without secrets."""
    if not isinstance(lesson, HiddenLesson):
        return []
    seen, decisions = [*lesson.seen], 0
    for trajectory in tests:
        for player in range(trajectory.num_players):
            seen.append(seen_by(trajectory, player))
            decisions += len(seen[-1].tested_states())
        if decisions >= held_out.INFERENCE_TESTS:
            break
    return seen


def _reached(source: str, compared: Sequence[Trajectory], inferred: Sequence[Seen]) -> Reached:
    recorder = Recorder(source)
    try:
        recorder.replay(compared)
        recorder.infer(inferred)
        return recorder.result()
    finally:
        recorder.close()


def _play(ladder: Ladder, wish: Wish, tests: Sequence[Trajectory], progress: Callable[[str], None]) -> None:
    """Plays against the same search on the ground truth; passed where the interval reaches the result of equals."""
    played = matches.tournament(ladder.model, ladder.game, wish.matches, wish.match_simulations, wish.seed)
    seconds = matches.estimated_seconds(played, ladder.game, tests)
    progress(f"held-out play: {wish.matches} matches, about {seconds:.0f} s")
    holds, figures, reason = matches.figures(played, wish.match_simulations)
    if reason is not None:
        figures["first_forfeit"] = reason
    ladder.settle("heldout_play", holds, None, **figures)
