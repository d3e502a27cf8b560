"""Everything that a report shows, collected from a database of matches."""
from __future__ import annotations

import datetime
import importlib.metadata
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from arena.database import Database, Experiment
from arena.records import MatchRecord
from arena.report_costs import costs
from arena.report_replays import as_script, choose, replay, sample, summary
from arena.report_sections import Section, section
from arena.results import NO_SEAT, Results
from arena.statistics import deduplicate

COST_SAMPLE = 2000
"""Matches whose moves are read for costs and versions; ratings and tables read no moves."""
REPLAY_CHARACTERS = 30_000_000
"""No further replay is put into the page once they hold so many characters, so that it still opens on
a phone."""

Progress = Callable[[Sequence[int], str], Sequence[int]]
"""From numbers to work through and what they are to the same numbers, showing how far it is."""


@dataclass(frozen=True)
class Replay:
    """A match in the page: its id in the database, what a list shows of it, and the rest as JSON that
    is safe inside a script element."""

    id: int
    summary: dict[str, object]
    data: str


@dataclass(frozen=True)
class Broken:
    """A match that does not follow from its game."""

    id: int
    game: str
    reason: str


@dataclass(frozen=True)
class Reason:
    """Why a match whose replay is in the page was forfeited."""

    match: int
    game: str
    bot: str
    kind: str
    reason: str


@dataclass(frozen=True)
class Played:
    """An experiment; `config` as names and texts, times in words."""

    id: int
    config: Sequence[tuple[str, str]]
    matches: int
    first: str
    last: str


@dataclass(frozen=True)
class Page:
    """What the template of the page is filled with."""

    title: str
    source: str
    version: str
    seed: int
    matches: int
    unique: int
    openings: int
    forfeits: int
    bots: int
    period: str
    sections: Sequence[Section]
    cost_basis: str
    replays: Sequence[Replay]
    replays_note: str
    broken: Sequence[Broken]
    experiments: Sequence[Played]
    bot_matches: Sequence[tuple[str, int]]
    versions: Sequence[tuple[str, str]]


def _time(moment: float | None) -> str:
    if moment is None or math.isnan(moment):
        return "unknown"
    return datetime.datetime.fromtimestamp(moment, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


def _period(ended: np.ndarray) -> str:
    known = ended[~np.isnan(ended)]
    if not len(known):
        return ""
    first, last = (_time(value)[:10] for value in (known.min(), known.max()))
    return first if first == last else f"{first} to {last}"


def _played(experiment: Experiment) -> Played:
    config = [(str(name).replace("_", " "), value if isinstance(value, str) else json.dumps(value))
              for name, value in experiment.config.items()]
    return Played(experiment.id, config, experiment.matches, _time(experiment.first_ended),
                  _time(experiment.last_ended))


def _replays(database: Database, ids: Sequence[int], wanted: Sequence[int]
             ) -> tuple[list[Replay], list[Broken], list[Reason], int]:
    """Plays the wanted rows again; and how many of them had no room in the page."""
    replays: list[Replay] = []
    broken: list[Broken] = []
    reasons: list[Reason] = []
    characters = left_out = 0
    for row in wanted:
        record = database.match(ids[row])
        if characters > REPLAY_CHARACTERS:
            left_out += 1
            continue
        try:
            data = as_script(replay(record))
        # Games, views and pictures may come from other packages; the page does without one match.
        except Exception as error:
            broken.append(Broken(ids[row], record.game, str(error) or type(error).__name__))
            continue
        characters += len(data)
        replays.append(Replay(ids[row], {"id": ids[row], **summary(record)}, data))
        if record.forfeit is not None:
            reasons.append(Reason(ids[row], record.game, record.seats[record.forfeit.player],
                                  record.forfeit.kind, record.forfeit.reason))
    return sorted(replays, key=lambda one: one.id), broken, sorted(reasons, key=lambda one: one.match), left_out


def _replays_note(replays: Sequence[Replay], matches: int, left_out: int) -> str:
    inside, count = len(replays), f"{matches:,} match" + ("es" if matches != 1 else "")
    if inside == matches:
        return f"The replays of all {count} are inside this page."
    return (f"{inside:,} of {count} are inside this page: forfeits first, up to half of the places, then "
            "matches drawn evenly from all pairings."
            + (f" {left_out:,} more were chosen, but would have made the page too large to open."
               if left_out else ""))


def _versions(records: Sequence[MatchRecord]) -> list[tuple[str, str]]:
    found: dict[str, set[str]] = {}
    for record in records:
        for name, version in record.versions.items():
            found.setdefault(str(name), set()).add(str(version))
    return [(name, " and ".join(sorted(versions))) for name, versions in sorted(found.items())]


def _bot_matches(results: Results) -> list[tuple[str, int]]:
    """How many matches each bot sat in, once for each seat."""
    counts = np.bincount(results.seats[results.seats != NO_SEAT], minlength=len(results.bots))
    return sorted(((bot, int(count)) for bot, count in zip(results.bots, counts) if count))


def collect(database: Database, *, experiment: int | None = None, replays: int = 200, seed: int = 0,
            title: str | None = None, progress: Progress = lambda rows, what: rows) -> Page:
    """Collects what a report shows.

    Args:
      database: with at least one match.
      experiment: only its matches; None for all.
      replays: at most this many matches are put into the page.
      seed: of the choice of replays and of the bootstrap; at least 0.
      title: None for one made from the games.
      progress: shows how far the work is.

    Raises:
      ValueError: there are no matches, or no such experiment.
    """
    experiments = [one for one in database.experiments() if experiment in (None, one.id)]
    if not experiments:
        known = ", ".join(str(one.id) for one in database.experiments())
        raise ValueError(f"{database.path} has no experiment {experiment}; expected one of: {known or 'none'}"
                         if experiment is not None else
                         f"{database.path} holds no experiments; expected matches of arena.tournament --db")
    # The ids first: a match that another process adds in between is at the end of the results.
    ids = database.match_ids(experiment)
    results = database.results(experiment)
    results = results.where(np.arange(len(ids)))
    if not len(results):
        raise ValueError(f"{database.path} holds no matches yet; expected at least one, so play some with "
                         "arena.tournament --db")
    rng = np.random.default_rng(seed)
    wanted = choose(results, replays, rng).tolist()
    inside, broken, reasons, left_out = _replays(database, ids, progress(wanted, "replay"))
    read = progress(sorted(sample(results, COST_SAMPLE, rng).tolist()), "match")
    records = [database.match(ids[row]) for row in read]
    spent = costs(records)
    games = sorted({results.games[game] for game in np.unique(results.game)})
    sections = [section(results, game, f"game-{number}", seed=seed, costs=spent.get(game, {}),
                        reasons=[reason for reason in reasons if reason.game == game])
                for number, game in enumerate(games, start=1)]
    return Page(
        title=title or f"Arena report: {', '.join(games[:3])}{', ...' if len(games) > 3 else ''}",
        source=database.path.name, version=importlib.metadata.version("spielwright"), seed=seed,
        matches=len(results), unique=len(deduplicate(results)), openings=len(np.unique(results.seed)),
        forfeits=int((results.forfeit_seat != NO_SEAT).sum()), bots=len(_bot_matches(results)),
        period=_period(results.ended), sections=sections,
        cost_basis="Means over all matches." if len(records) == len(results) else
        f"Means over a sample of {len(records):,} of {len(results):,} matches, spread evenly over pairings.",
        replays=inside, replays_note=_replays_note(inside, len(results), left_out), broken=broken,
        experiments=[_played(one) for one in experiments], bot_matches=_bot_matches(results),
        versions=_versions(records))
