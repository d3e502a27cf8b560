"""Play that ends as soon as enough is known, with intervals that allow for it."""

from __future__ import annotations

import concurrent.futures
import math
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from arena.matches.records import MatchRecord
from arena.rating.evidence import evidence, fixed
from arena.rating.means import means
from arena.rating.rate import rules_of
from arena.store.results import Results
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament

MOST_GAMES = 10_000
"""Number of matches between each two bots at which play ends in any case, unless another number is asked for."""
_FIRST_GAMES = 20
_GROWTH = 1.2
"""Factor by which the number of matches grows between looks. Confidence sequences hold for any looks."""


def parse_until(text: str) -> float:
    """The width in `width:.05`.

    Raises:
      ValueError: the text is something else.
    """
    name, _, value = text.partition(":")
    try:
        width = float(value)
    except ValueError:
        width = math.nan
    if name != "width" or not 0 < width < math.inf:
        raise ValueError(f"--until: expected width: and a number above 0, such as width:.05, found {text!r}")
    return width


def widest(results: Results) -> float:
    """The width of the widest confidence sequence of two bots against each other: of the score where a match
    is won, drawn or lost and nothing else, otherwise of the mean return.

    Args:
      results: matches of one game and setting between different bots.
    """
    counted = evidence(results)
    rules = replace(rules_of(results), anytime=True)
    found = means(counted, fixed(counted)[0], rules, np.random.default_rng(0))
    own = found.pair_returns if found.pair_scores is None else found.pair_scores
    return float(np.nanmax(own.high - own.low))


def play_until(
    tournament: Tournament,
    *,
    executor: concurrent.futures.Executor | None = None,
    db: str | Path | None = None,
    progress: bool = False,
) -> Sequence[MatchRecord]:
    """Plays until `widest` is at most `tournament.until`, or `tournament.num_games` are played.

    Args:
      tournament: one with `until`.
      executor, db, progress: as for `arena.tournaments.playing.play`.

    Returns:
      The records in the order of the schedule.
    """
    if db is None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "matches.db"
            return list(play_until(tournament, executor=executor, db=path, progress=progress))
    games = min(_FIRST_GAMES, tournament.num_games)
    while True:
        records = play(replace(tournament, num_games=games), executor=executor, db=db, progress=progress)
        if games >= tournament.num_games or widest(records.results()) <= tournament.until:
            return records
        games = min(2 * math.ceil(games * _GROWTH / 2), tournament.num_games)
