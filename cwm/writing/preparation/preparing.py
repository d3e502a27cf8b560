"""The door itself: every check of a synthesis in order, and the lesson that comes out of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyspiel

from cwm.trust import trajectories
from cwm.trust.game_properties import properties_of
from cwm.trust.players import hides
from cwm.trust.trajectories import Trajectory
from cwm.writing.preparation import estimate, game_checks, recorded_games
from cwm.writing.preparation import rules as rules_texts
from cwm.writing.preparation.findings import GOOD, NOTE, Finding, Preparation
from cwm.writing.preparation.game_checks import guarded
from cwm.writing.tasks import HiddenLesson, Lesson, OpenLesson
from cwm.writing.training import observations_of
from games.registration import name_of


@dataclass(frozen=True)
class Wish:
    """The material of a run as it was asked for.

    Attributes:
      game: the ground truth; None for a user's own game, which then needs `rules` and `recorded`.
      rules: the value of --rules, a file or "none"; None for the rules that ship.
      recorded: file of recorded games; None for games of random play.
      deck: "open" or "closed"; None for the default.
      number, seed: the games of random play.
      test_transitions, test_games: least size of the held-out test.
      seconds: time to spend on timing each test player.
    """

    game: pyspiel.Game | None = None
    rules: str | None = None
    recorded: str | None = None
    deck: str | None = None
    number: int = 5
    seed: int = 0
    test_transitions: int = 10_000
    test_games: int = 100
    seconds: float = estimate.SECONDS


@dataclass(frozen=True)
class Material:
    """What a run learns from: the lesson, and the name that its recorded games give the game, which may be empty."""

    lesson: Lesson
    name: str


def prepare(
    wish: Wish, choose: Callable[[], Sequence[Trajectory]] | None = None
) -> tuple[Preparation, Material | None]:
    """Looks at everything that a run needs; no language model is asked.

    Args:
      wish: the material.
      choose: gives the games to learn from, where they are neither random nor recorded.

    Returns:
      What was found, and the material; None for the material where the run is refused.
    """
    findings: list[Finding] = []
    games: Sequence[Trajectory] = ()

    def made(subject: str, check: Callable[..., tuple[str, str, Any]], *args: Any) -> Any:
        finding, result = guarded(subject, check, *args)
        findings.append(finding)
        return result

    if wish.game is not None:
        found, games = game_checks.of_game(
            wish.game,
            number=wish.number,
            seed=wish.seed,
            test_transitions=wish.test_transitions,
            test_games=wish.test_games,
            seconds=wish.seconds,
        )
        findings += found
    else:
        nothing = "none, as there is no ground truth: only the recorded games are tested"
        findings.append(Finding("held-out test", nothing, NOTE))
    rules = made("rules", _rules, wish)
    if Preparation(tuple(findings)).refusal is None and wish.recorded is not None:
        games = made("recorded games", _recorded, wish, rules)
    if Preparation(tuple(findings)).refusal is None and choose is not None:
        games = choose()
    lesson = None
    if Preparation(tuple(findings)).refusal is None:
        lesson = made("lesson", _lesson, wish, rules, games)
    return Preparation(tuple(findings)), None if lesson is None else Material(lesson, name_of(games[0].game))


def _rules(wish: Wish) -> tuple[str, str, str]:
    rules = rules_texts.rules_of(wish.game, wish.rules)
    verdict = NOTE if wish.rules == rules_texts.NONE else GOOD
    return rules_texts.origin(wish.game, wish.rules, rules), verdict, rules


def _recorded(wish: Wish, rules: str) -> tuple[str, str, list[Trajectory]]:
    games = trajectories.read(wish.recorded)
    recorded_games.check(
        wish.recorded,
        games,
        rules=None if wish.rules == rules_texts.NONE else rules,
        game=wish.game,
        closed=wish.deck == "closed",
    )
    return f"{wish.recorded}, {len(games)} games that fit together", GOOD, games


def lesson_of(wish: Wish, rules: str, games: Sequence[Trajectory]) -> OpenLesson | HiddenLesson:
    """The lesson that these rules and games make, the meaning of the observations with them where it is not in the
    rules."""
    lesson = _without_rules(wish, games)
    observations = observations_of(lesson)
    return replace(lesson, rules=rules_texts.with_observations(rules, wish.game, wish.rules, observations))


def _lesson(wish: Wish, rules: str, games: Sequence[Trajectory]) -> tuple[str, str, Lesson]:
    lesson = lesson_of(wish, rules, games)
    transitions, inferences = lesson.counts()
    deck = f"{lesson.deck} deck, {inferences} tests of inference" if lesson.deck else "nothing hidden"
    return f"{len(games)} games, {transitions} transitions, {deck}", GOOD, lesson


def _without_rules(wish: Wish, games: Sequence[Trajectory]) -> OpenLesson | HiddenLesson:
    """The lesson by the recorded games alone. A game's type says whether it hides information; where there is no
    game, it does if players observe different things."""
    hidden = not properties_of(games)["perfect_information"] if wish.game is None else hides(wish.game)
    if hidden:
        make = HiddenLesson.closed if wish.deck == "closed" else HiddenLesson.open
        return make("", games)
    if wish.deck:
        raise ValueError(
            f"--deck={wish.deck}: all players observe the same in the recorded games, so "
            f"nothing is hidden, expected a game with hidden information; leave --deck out"
        )
    return OpenLesson("", tuple(games))
