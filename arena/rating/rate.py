"""All ratings of the bots in a set of outcomes, as JSON-able data."""

from __future__ import annotations

import functools
import zlib

import numpy as np
import pyspiel

from arena.rating import figures, several
from arena.rating.evidence import evidence, fixed
from arena.rating.intervals import FEW_BLOCKS, Estimates
from arena.rating.means import Rules, means
from arena.rating.tally import tally
from arena.registry.games import load_game
from arena.store.results import NO_SEAT, Results

RESAMPLES = 1000
"""Bootstrap resamples, each with a fit of Elo; the end points of an interval then move by about
two percent of its width."""


_BETWEEN_TWO = ("standings", "crosstable", "elo", "bradley_terry", "alpha_rank", "nash_averaging")


@functools.cache
def _utilities(game: str) -> tuple[pyspiel.GameType.Utility, float, float]:
    loaded = load_game(game)
    return loaded.get_type().utility, loaded.min_utility(), loaded.max_utility()


def _constant_sum(game: str) -> bool:
    kinds = pyspiel.GameType.Utility
    return _utilities(game)[0] in (kinds.ZERO_SUM, kinds.CONSTANT_SUM)


def rules_of(results: Results) -> Rules:
    """The utilities that matches of one game and setting may pay, and whether they are won, drawn or lost and
    nothing else.

    Args:
      results: those of at least one match.

    Raises:
      ValueError: the game is unknown.
    """
    game, setting = results.games[results.game[0]], results.settings[results.setting[0]]
    kind, low, high = _utilities(game)
    two = results.seats.shape[1] == 2 or bool((results.seats[:, 2:] == NO_SEAT).all())
    outcomes = (
        kind == pyspiel.GameType.Utility.ZERO_SUM
        and (low, high) == (-1, 1)
        and two
        and bool(np.isin(results.returns[:, :2], (-1, 0, 1)).all())
    )
    return Rules(low, high, outcomes, (game, setting) in results.sequential)


def ranked_by(game: str, rules: Rules) -> dict[str, str]:
    """The figure that the bots of a game are ranked by, its name, and why."""
    if rules.outcomes:
        return {"figure": "elo", "name": "Elo", "why": "a match is won, drawn or lost, and nothing else"}
    why = (
        f"returns have sizes, from {rules.low:g} to {rules.high:g}, which wins and losses do not show"
        if _constant_sum(game)
        else "it is a general-sum game, where a return above another's is no win"
    )
    return {"figure": "mean_returns", "name": "mean return", "why": why}


def between_different(results: Results) -> tuple[Results, int]:
    """The results without matches in which a bot meets nobody but itself, and the number of those."""
    alone = ((results.seats == results.seats[:, :1]) | (results.seats == NO_SEAT)).all(axis=1)
    return results.where(~alone), int(alone.sum())


def played_alike(results: Results) -> list[tuple[str, str, Results]]:
    """(game, setting, its matches) in alphabetical order: matches of different settings are different
    experiments, which no figure puts together."""
    kinds = np.unique(np.stack([results.game, results.setting], axis=1), axis=0)
    return [
        (game, setting, results.where((results.game == row[0]) & (results.setting == row[1])))
        for game, setting, row in sorted(
            (results.games[row[0]], results.settings[row[1]], tuple(map(int, row))) for row in kinds
        )
    ]


def _notes(
    game: str, setting: str, own: Results, counted: Results, bots: tuple[str, ...], rules: Rules
) -> list[str]:
    """Notes on a game's matches that a reader of its figures must know."""
    notes = [sentence for where, how, sentence in own.extensions if (where, how) == (game, setting)]
    if len(counted) < len(own):
        notes.append(
            "matches that repeat another one, between bots that are deterministic, and do not count: "
            f"{len(own) - len(counted)}"
        )
    if bots:
        notes.append(
            "declared deterministic, but played differently where nothing else could vary, and counted as "
            f"random: {', '.join(bots)}"
        )
    if rules.anytime:
        notes.append("its intervals are confidence sequences: they hold whenever play was stopped")
    return notes


def _rated(
    results: Results, game: str, setting: str, seed: int, resamples: int
) -> tuple[dict[str, object], tuple[tuple[str, ...], Estimates] | None]:
    """The ratings of one game; and its bots with their scores, if it has scores."""
    players = int((results.seats != NO_SEAT).sum(axis=1).max())
    constant_sum = _constant_sum(game)
    rules = rules_of(results)
    notes: list[str] = []
    rated: dict[str, object] = {
        "game": game,
        "setting": setting,
        "players": players,
        "utility": "constant-sum" if constant_sum else "general-sum",
        "ranked_by": ranked_by(game, rules),
        "matches": len(results),
        "unique_matches": 0,
        "openings": 0,
        "bots": [],
        "notes": notes,
        "forfeits": {},
    }
    own, alone = between_different(results)
    if alone:
        notes.append(f"matches of a bot against itself, which do not count: {alone}")
    if not len(own):
        why = {"absent": f"no two bots have met in {game}"}
        return {**rated, "mean_returns": why, **dict.fromkeys(_BETWEEN_TWO, why)}, None
    counted = evidence(own)
    same, contradicted = fixed(counted)
    notes += _notes(game, setting, own, counted, contradicted, rules)
    # A generator of its own for each game, so that more games do not change the others' figures.
    rng = np.random.default_rng([seed, zlib.crc32(game.encode("utf-8"))])
    # Only Elo and Bradley-Terry are resampled.
    sums = tally(counted, rng, resamples if rules.outcomes else 1)
    # And one for mean returns, which are the same whatever else is resampled.
    found = means(counted, same, rules, np.random.default_rng([seed, zlib.crc32(game.encode("utf-8")), 1]))
    if same.all():
        notes.append(
            "exact: deterministic bots, of whom each line-up has one match for each order of the seats"
        )
    elif sums.openings < 2:
        notes.append("all matches have the same seed, which says nothing about the spread: no intervals")
    elif sums.openings < FEW_BLOCKS:
        notes.append(
            f"only {sums.openings} blocks of matches: intervals of mean returns hold for any spread, and are wide"
        )
    rated |= {
        "unique_matches": len(counted),
        "openings": sums.openings,
        "bots": list(sums.bots),
        "forfeits": figures.forfeits(counted),
        "mean_returns": figures.mean_returns(sums, found),
    }
    if players != 2:
        why = {"absent": f"{game} has {players} players, and a score of one against another needs two"}
        strengths = several.ratings(counted, rng, resamples)
        notes += several.notes(counted)
        notes += several.disagreement(rated["mean_returns"], strengths["plackett_luce"])
        return {**rated, **dict.fromkeys(_BETWEEN_TWO, why), **strengths}, None
    rated["crosstable"] = figures.crosstable(sums, found)
    if not constant_sum:
        why = {"absent": f"{game} is a general-sum game, where a return above the other's is no win"}
        absent = [figure for figure in _BETWEEN_TWO if figure != "crosstable"]
        return {**rated, **dict.fromkeys(absent, why)}, None
    rated |= figures.game_between_bots(sums, rules.outcomes)
    if found.scores is None:
        why = {"absent": f"in {game} {rated['ranked_by']['why']}"}
        return {**rated, **dict.fromkeys(("standings", "elo", "bradley_terry"), why)}, None
    notes += figures.link_notes(sums.bots, sums.wins[0], sums.draws[0])
    return {
        **rated,
        "standings": figures.standings(sums, found.scores),
        **figures.elo_and_bradley_terry(sums, found.reliable_ratings),
    }, (sums.bots, found.scores)


def rate(results: Results, *, seed: int = 0, resamples: int = RESAMPLES) -> dict[str, object]:
    """All ratings, as JSON-able data without any clock in it.

    Neither the order of the rows or bots nor repetitions have an influence (see `arena.rating.evidence`). A
    figure by bot is `{"bots": {bot: its parts}}`, with the bounds `low` and `high` of its 95 % interval, None
    where the matches do not give one, and `reliable`, False where that may cover less than 93 %; a figure
    that a game or these matches cannot have is `{"absent": the reason}`.

    Args:
      results: any games, at least one match.
      seed: seed of the bootstrap, at least 0.
      resamples: their number, at least 1.

    Returns:
      `seed`, `resamples`, and
      `games`, a list by name of game and setting: `game`, `setting` (see
      `arena.store.results.setting_of`), `players`, `utility` ("constant-sum" or "general-sum"),
      `ranked_by` (the `figure` that ranks the bots, its `name`, and `why`), `matches` that were played,
      `unique_matches`, those that count, `openings`, the number of blocks, `bots` in alphabetical order, `notes`
      (sentences a reader must know), `forfeits`, and
        `mean_returns`: by bot, over all matches and `by_seat`, in utilities of the game;
        `standings`: by bot, wins, draws, losses, and score with its interval, only where a match is won,
          drawn or lost and nothing else, as are `elo` and `bradley_terry`;
        `crosstable`: matrices of the row against the column, in the order of `bots`;
        `elo`: by bot, `rating`, and `group`, inside which ratings compare and have mean 0;
        `bradley_terry`: by bot, `strength` in nats, and `group` likewise;
        `alpha_rank`: by bot, `mass`;
        `nash_averaging`: by bot, `mass` and `rating` (see `arena.rating.meta_games`);
        `plackett_luce`, with more than two players only: by bot, `strength` in nats, and `group`, inside
        which strengths compare and have mean 0 (see `arena.rating.plackett_luce`).
      `mean_over_games`: mean scores of the bots that play in all games which have scores, if there are
      two such games or more; otherwise None.

    Raises:
      ValueError: there are no matches, or a game is unknown.
    """
    if not len(results):
        raise ValueError("nothing to rate: expected at least one match, found none")
    games, scores = [], {}
    for game, setting, own in played_alike(results):
        rated, scored = _rated(own, game, setting, seed, resamples)
        games.append(rated)
        if scored is not None:
            scores[f"{game} ({setting})" if setting else game] = scored
    return {
        "seed": seed,
        "resamples": resamples,
        "games": games,
        "mean_over_games": figures.mean_over_games(scores) if len(scores) > 1 else None,
    }


def over_time(results: Results, *, points: int = 20) -> list[dict[str, object]]:
    """The course of the ratings while the matches were played: after each k-th of a game's matches.

    Matches are taken in the order in which they ended; those for which nobody noted it come last,
    in the order of their seeds.

    Args:
      results: any games.
      points: number of parts of equal size into which the matches of a game are divided, at least 1; there
        are no more points than matches.

    Returns:
      By name of game and setting: `game`; `setting`; `figure`, "elo" where a match is won, drawn or lost
      and nothing else, and otherwise "mean_return"; `matches`, the number that each point is made of;
      `ended`, the time at which the last of them ended, in seconds since 1970 UTC, None where unknown; and
      `bots`: bot -> figures, None before its first match.

    Raises:
      ValueError: a game is unknown.
    """
    histories = []
    for game, setting, played in played_alike(results):
        own, _ = between_different(played)
        if not len(own):
            continue
        own = evidence(own)
        own = own.where(np.argsort(own.ended, kind="stable"))
        ends = np.unique(np.ceil(np.arange(1, points + 1) * len(own) / points).astype(int))
        part = np.searchsorted(ends, np.arange(len(own)), side="right")
        elo = rules_of(played).outcomes
        by_bot = (figures.elo_after if elo else figures.mean_return_after)(own, part)
        histories.append(
            {
                "game": game,
                "setting": setting,
                "figure": "elo" if elo else "mean_return",
                "matches": ends.tolist(),
                "ended": figures.plain(own.ended[ends - 1]),
                "bots": {bot: figures.plain(by_bot[:, row]) for row, bot in enumerate(own.bots)},
            }
        )
    return histories
