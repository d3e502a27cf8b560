"""Everything that a report shows, collected from a database of matches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from arena.matches.records import MatchRecord
from arena.page.charts import moment, score
from arena.page.costs import Cost, costs
from arena.page.page import Broken, Matrix, Overall, Page, Played, Reason, Replay, Section
from arena.page.replays import choose, packed, replay, sample, summary
from arena.page.sections import bounds, section
from arena.rating.adversaries import Adversary, beside
from arena.rating.evidence import deduplicate, evidence
from arena.rating.rate import over_time, played_alike, rate
from arena.registry.games import load_game
from arena.store.database import Database, Experiment
from arena.store.results import NO_SEAT, Results

COST_SAMPLE = 2000
"""Matches whose moves are read for costs and versions; ratings and tables read no moves."""
REPLAY_CHARACTERS = 20_000_000
"""Room for replays in the page, so that it still opens on a phone. It is shared out evenly among the games:
no further replay of a game is put in once its replays have filled its share."""

HISTORY_POINTS = 40
"""Points of a curve over time."""

Progress = Callable[[Sequence[int], str], Sequence[int]]
"""A function from numbers to work through, and their name in words, to the same numbers; it shows the progress."""


def _period(ended: np.ndarray) -> str:
    known = ended[~np.isnan(ended)]
    if not len(known):
        return ""
    first, last = (moment(value).partition(" ")[0] for value in (known.min(), known.max()))
    return first if first == last else f"{first} to {last}"


def _played(experiment: Experiment) -> Played:
    config = [
        (
            str(name).replace("_", " "),
            value
            if isinstance(value, str)
            else "none"
            if value is None
            else json.dumps(value, ensure_ascii=False),
        )
        for name, value in experiment.config.items()
    ]
    return Played(
        experiment.id, config, experiment.matches, moment(experiment.first_ended), moment(experiment.last_ended)
    )


def _replays(
    database: Database, ids: Sequence[int], wanted: Sequence[int], games: int
) -> tuple[list[Replay], list[Broken], list[Reason], int]:
    """Replays of the wanted rows, of `games` games, and the number of rows without room in the page."""
    replays: list[Replay] = []
    broken: list[Broken] = []
    reasons: list[Reason] = []
    characters: Counter[str] = Counter()
    left_out = 0
    for row in wanted:
        record = database.match(ids[row])
        if characters[record.game] > REPLAY_CHARACTERS / games:
            left_out += 1
            continue
        try:
            data = packed(replay(record))
        # Games, views and pictures may come from other packages; the page does without one match.
        except Exception as error:
            broken.append(Broken(ids[row], record.game, str(error) or type(error).__name__))
            continue
        characters[record.game] += len(data)
        replays.append(Replay(ids[row], {"id": ids[row], **summary(record)}, data))
        if record.forfeit is not None:
            reasons.append(
                Reason(
                    ids[row],
                    record.game,
                    record.seats[record.forfeit.player],
                    record.forfeit.kind,
                    record.forfeit.reason,
                )
            )
    return (
        sorted(replays, key=lambda one: one.id),
        sorted(broken, key=lambda one: one.id),
        sorted(reasons, key=lambda one: one.match),
        left_out,
    )


def _replays_note(replays: Sequence[Replay], matches: int, left_out: int) -> str:
    inside, count = len(replays), f"{matches:,} match" + ("es" if matches != 1 else "")
    if inside == matches:
        return f"The replays of all {count} are inside this page."
    return (
        f"{inside:,} of {count} are inside this page: forfeits first, up to half of the places, then "
        "matches drawn evenly from all pairings."
        + (
            f" {left_out:,} more were chosen, but would have made the page too large to open."
            if left_out
            else ""
        )
    )


def _versions(records: Sequence[MatchRecord]) -> list[tuple[str, str]]:
    found: dict[str, set[str]] = {}
    for record in records:
        for name, version in record.versions.items():
            found.setdefault(str(name), set()).add(str(version))
    return [(name, " and ".join(sorted(versions))) for name, versions in sorted(found.items())]


def _bot_matches(results: Results) -> list[tuple[str, int]]:
    """The number of matches that each bot sat in."""
    ordered = np.sort(results.seats, axis=1)
    new = ordered != NO_SEAT
    new[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]  # a bot may meet itself
    counts = np.bincount(ordered[new], minlength=len(results.bots))
    return sorted(((bot, int(count)) for bot, count in zip(results.bots, counts) if count))


def _sections(
    results: Results, seed: int, spent: Mapping[str, Mapping[str, Cost]], reasons: Sequence[Reason]
) -> tuple[list[Section], Overall | None, Mapping]:
    """A section for each game, the one with most matches first; the scores over all games where there are
    several; and the ratings."""
    problems: dict[str, str] = {}
    for number in np.unique(results.game):
        try:
            load_game(results.games[number])
        except ValueError as error:  # such as a game of a package that is not installed here
            problems[results.games[number]] = str(error)
    known = results.where(~np.isin(results.game, [results.games.index(game) for game in problems]))
    ratings = rate(known, seed=seed) if len(known) else {"games": [], "mean_over_games": None}
    rated = {(game["game"], game["setting"]): game for game in ratings["games"]}
    past = {(game["game"], game["setting"]): game for game in over_time(known, points=HISTORY_POINTS)}
    sections = []
    ordered = sorted(played_alike(results), key=lambda one: (-len(one[2]), one[:2]))
    for number, (game, setting, own) in enumerate(ordered, start=1):
        chosen = [reason for reason in reasons if reason.game == game]
        if game in problems:
            sections.append(
                Section(
                    f"game-{number}",
                    game,
                    len(own),
                    len(deduplicate(own)),
                    len(np.unique(own.seed)),
                    0,
                    "not rated",
                    [f"{problems[game]}."],
                    reasons=chosen,
                )
            )
            continue
        counted = None
        if (game, setting) in past:
            counted = evidence(own)
            if counted.seats.shape[1] == 2:
                counted = counted.where(counted.seats[:, 0] != counted.seats[:, 1])
        sections.append(
            section(
                f"game-{number}",
                rated[game, setting],
                past.get((game, setting)),
                counted,
                costs=spent.get(game, {}),
                reasons=chosen,
            )
        )
    return sections, _overall(ratings["mean_over_games"]), ratings


def _overall(mean: Mapping | None) -> Overall | None:
    if mean is None or not mean["bots"]:
        return None
    ranked = sorted(mean["bots"].items(), key=lambda item: (-item[1]["score"], item[0]))
    return Overall(
        mean["games"],
        mean["left_out"],
        [(bot, score(figure["score"]), *bounds(figure, written=score)) for bot, figure in ranked],
    )


def collect(
    database: Database,
    *,
    experiment: int | None = None,
    replays: int = 200,
    seed: int = 0,
    title: str | None = None,
    progress: Progress = lambda rows, what: rows,
    matrix: Matrix | None = None,
    adversaries: Sequence[Adversary] | None = (),
) -> Page:
    """Collects the data that a report shows.

    Args:
      database: one with at least one match.
      experiment: the only experiment to show; None for all.
      replays: most matches that are put into the page.
      seed: seed of the choice of replays and of the bootstrap; at least 0.
      title: title of the page; None for one made from the games.
      progress: a function that shows the progress of the work.
      matrix, adversaries: those of a league, shown first; adversaries of None are measured where a game is small.

    Raises:
      ValueError: there are no matches, or no such experiment.
    """
    experiments = [one for one in database.experiments() if experiment in (None, one.id)]
    if not experiments:
        known = ", ".join(str(one.id) for one in database.experiments())
        raise ValueError(
            f"{database.path} has no experiment {experiment}; expected one of: {known or 'none'}"
            if experiment is not None
            else f"{database.path} holds no experiments; expected matches of arena.tournament --db"
        )
    # The ids first: a match that another process adds in between is at the end of the results.
    ids = database.match_ids(experiment)
    results = database.results(experiment)
    results = results.where(np.arange(len(ids)))
    if not len(results):
        raise ValueError(
            f"{database.path} holds no matches yet; expected at least one, so play some with "
            "arena.tournament --db"
        )
    rng = np.random.default_rng(seed)
    wanted = choose(results, replays, rng).tolist()
    inside, broken, reasons, left_out = _replays(
        database, ids, progress(wanted, "replay"), len(np.unique(results.game[wanted]))
    )
    read = progress(sorted(sample(results, COST_SAMPLE, rng).tolist()), "match")
    records = [database.match(ids[row]) for row in read]
    spent = costs(records)
    sections, overall, ratings = _sections(results, seed, spent, reasons)
    if adversaries is None:
        adversaries = beside(ratings, seed=seed)
    games = [one.game for one in sections]
    return Page(
        title=title or f"Arena report: {', '.join(games[:3])}{', ...' if len(games) > 3 else ''}",
        source=database.path.name,
        seed=seed,
        matches=len(results),
        unique=len(deduplicate(results)),
        forfeits=int((results.forfeit_seat != NO_SEAT).sum()),
        bots=len(_bot_matches(results)),
        period=_period(results.ended),
        sections=sections,
        overall=overall,
        cost_basis="Means over all matches."
        if len(records) == len(results)
        else f"Means over {len(records):,} of {len(results):,} matches, drawn evenly from all pairings.",
        replays=inside,
        replays_note=_replays_note(inside, len(results), left_out),
        broken=broken,
        experiments=[_played(one) for one in experiments],
        bot_matches=_bot_matches(results),
        versions=_versions(records),
        matrix=matrix,
        adversaries=adversaries,
    )
