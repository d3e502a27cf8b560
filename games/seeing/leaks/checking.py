"""The leak test of one game: pairs, what they show, and the verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyspiel

from games.registration import name_of
from games.seeing.leaks import channels, twins
from games.seeing.leaks.asking import Asked, MakeBot
from games.seeing.leaks.findings import DOUBT, FAULT, LEAK, NOTE, Matrix, Recall, Row, grades
from games.seeing.leaks.resampling import HIDES, KEEPS, WHO, Resampling
from games.seeing.leaks.signs import Signs

CLEAN, NOTHING, UNTESTABLE = "clean", "nothing to test", "not testable"

_INFORMATION = (channels.INFORMATION, channels.INFORMATION_TENSOR)
_KIND = pyspiel.GameType


@dataclass(frozen=True)
class Effort:
    """How much is played and asked.

    Attributes:
      num_games: random games.
      twins: twins at most of each of them.
      max_moves: number of moves after which a game is cut off.
      seconds: time after which no further game begins.
      samples: resampled states of either state of a pair.
      resampled_pairs: pairs at most that are resampled, of players to move and of those that wait.
      bot_pairs: pairs at most at which a bot is asked.
    """

    num_games: int = 50
    twins: int = 20
    max_moves: int = 300
    seconds: float = 60.0
    samples: int = 4
    resampled_pairs: int = 100
    bot_pairs: int = 50


@dataclass
class Report:
    """The result of a leak test.

    Attributes:
      game: the game string.
      verdict: clean, leak, doubt, fault, nothing to test, or not testable.
      reason: the verdict in a sentence.
      rows: every check with its grade; None where nothing differs.
      untested: what was not tested, a clause each.
      games: random games that were played.
      seconds: time that the test took.
    """

    game: str
    verdict: str
    reason: str
    rows: list[tuple[Row, str | None]] = field(default_factory=list)
    untested: list[str] = field(default_factory=list)
    games: int = 0
    seconds: float = 0.0

    @property
    def found(self) -> bool:
        """Whether something was found that must not be."""
        return self.verdict in (LEAK, DOUBT, FAULT)

    def to_json(self) -> dict[str, Any]:
        """Returns the report as JSON-able data."""
        return {
            "game": self.game,
            "verdict": self.verdict,
            "reason": self.reason,
            "checks": [{**row.to_json(), "grade": grade} for row, grade in self.rows],
            "not tested": self.untested,
            "games": self.games,
            "seconds": round(self.seconds, 1),
        }


def without_play(game_type: pyspiel.GameType) -> str | None:
    """Returns why there is nothing to test in a game of this type; None where there may be."""
    if game_type.information == _KIND.Information.PERFECT_INFORMATION:
        return "perfect information"
    if game_type.information == _KIND.Information.ONE_SHOT:
        return "all players move once and at the same time, and nothing is told before"
    return None


def check(
    game: pyspiel.Game,
    effort: Effort,
    *,
    seed: int,
    bots: Mapping[str, MakeBot] | None = None,
    declared: frozenset[str] = frozenset(),
    progress: Callable[[int], None] = lambda _: None,
) -> Report:
    """Tests a game for leaks.

    Args:
      game: the game.
      effort: how much is played and asked.
      seed: seed of everything that is drawn.
      bots: bots to test, by name.
      declared: the names of bots that are declared to peek.
      progress: called with the number of random games played so far.
    """
    name = name_of(game)
    reason = without_play(game.get_type())
    if reason is not None:
        return Report(name, NOTHING, reason)
    start = time.monotonic()
    rng = np.random.default_rng(seed)
    listener = channels.Listener(channels.channels(game, rng))
    if not listener.references:
        return Report(name, UNTESTABLE, "the game has neither observations nor information states")
    matrix = Matrix(listener)
    share = effort.seconds / (3 + len(bots or {}))
    recall = Recall(listener)
    resampling = Resampling(rng, effort.samples, effort.resampled_pairs, share)
    asked = [Asked(bot, make, seed, effort.bot_pairs, share) for bot, make in (bots or {}).items()]
    played = [0]

    def count(number: int) -> None:
        played[0] = number
        progress(number)

    for one, other in twins.pairs(
        game,
        listener,
        num_games=effort.num_games,
        twins=effort.twins,
        seed=seed,
        max_moves=effort.max_moves,
        until=start + effort.seconds,
        progress=count,
        recall=recall,
    ):
        equal = matrix.compare(one, other)
        alike = len(equal) == len(listener.references)
        if equal:
            # Whose turn it is may be public though no string says so; then resampling may keep to it.
            same_turn = one.state.current_player() == other.state.current_player()
            resampling.compare(one, other, alike and same_turn)
        for bot in asked if alike else []:
            bot.compare(one, other)
    report = Report(name, CLEAN, "", games=played[0])
    report.rows = _graded(matrix, resampling, asked, declared)
    report.rows.append((recall.row, NOTE if recall.row.differing else None))
    report.untested = _untested(listener, matrix, resampling, asked)
    report.verdict, report.reason = _verdict(report.rows)
    report.seconds = time.monotonic() - start
    return report


def _graded(
    matrix: Matrix, resampling: Resampling, asked: list[Asked], declared: frozenset[str]
) -> list[tuple[Row, str | None]]:
    found = grades(matrix.rows)
    if resampling.broken and resampling.broken <= set(_INFORMATION):
        for key in [key for key, grade in found.items() if grade == DOUBT]:
            found[key] = LEAK
            matrix.rows[key].remark = "resampling leaves the observations as they are and changes it too"
    rows = [(row, found.get(key)) for key, row in matrix.rows.items()]
    for (tested, who), row in resampling.rows.items():
        grade = None
        if tested == HIDES:
            grade = _hiding(row, resampling, who)
        elif row.differing:
            grade = FAULT if tested == KEEPS else NOTE
        rows.append((row, grade))
    for bot in asked:
        grade = NOTE if bot.row.differing else None
        if bot.peeks():
            grade = LEAK
        bot.row.remark = f"depends on what is hidden: {_said(bot.signs)}; {bot.always} pairs with all seeds"
        name = bot.row.tested.removeprefix("move of ")
        if name in declared:
            grade = NOTE if grade else None
            bot.row.remark = "declared to peek"
        rows.append((bot.row, grade))
    return rows


def _said(signs: Signs) -> str:
    return f"{signs.up} for and {signs.down} against, p = {signs.p_value():.2g}"


def _hiding(row: Row, resampling: Resampling, who: str) -> str | None:
    """Returns the grade of what resampling hides, and puts the signs into its row."""
    signs, always = resampling.signs[who], resampling.always[who]
    row.remark = f"nearer to the true state: {_said(signs)}; nothing but the true state: {always} pairs"
    return LEAK if always or signs.certain() else None


def _verdict(rows: list[tuple[Row, str | None]]) -> tuple[str, str]:
    for grade in (LEAK, DOUBT, FAULT):
        named = [f"{row.tested} ({row.reference})" for row, given in rows if given == grade]
        if named:
            return grade, "; ".join(named)
    if not any(row.pairs for row, _ in rows if not row.tested.endswith("remembers")):
        return UNTESTABLE, "no two moments were found that a player cannot tell apart"
    forgets = any(row.differing and row.tested.endswith("remembers") for row, _ in rows)
    return CLEAN, f"{sum(row.pairs for row, _ in rows)} comparisons{'; imperfect recall' if forgets else ''}"


def _untested(
    listener: channels.Listener, matrix: Matrix, resampling: Resampling, asked: list[Asked]
) -> list[str]:
    absent = [name for name in channels.NAMES if name not in listener.readers]
    found = [f"{name}: the game has none" for name in absent]
    found += [
        f"{row.tested} beyond {row.reference}: no pair was found"
        for row in matrix.rows.values()
        if not row.pairs
    ]
    for who in WHO:
        if (HIDES, who) not in resampling.rows:
            found.append(f"resampling, player {who}: {resampling.refusal or 'no pair was found'}")
        elif resampling.signs[who].up + resampling.signs[who].down < 20:
            found.append(f"resampling, player {who}: fewer than 20 samples tell the two states apart")
    found += [f"{bot.row.tested}: no pair was found" for bot in asked if not bot.row.pairs]
    if not asked:
        found.append("bots: none was named")
    return [*found, "what the number of moves, and the end of the game, give away"]
