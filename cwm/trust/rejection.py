"""The bad samples among several syntheses of one game, found by play inside each other's models.

Lehrach et al. (2025), appendix E, imperfect information; no ground truth takes part. The agents of all models play
a round robin inside each other's models, every model in turn being the game. A model is rejected whose agent does
worse than the best one by more than `MARGIN` of the game's utility range. Scores are mean returns, each match's
return measured from 0 to 1 between the bounds of the model that it was played in, and cut off there, so that a model
with wrong bounds does not outweigh the others. A model that fails while it is the game is rejected too, and what was
played in it does not count.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import pyspiel

from arena.matches.match import load_match_game
from arena.matches.records import MatchRecord
from arena.registry.games import load_game
from arena.store.database import Database
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from cwm.contract import manifest, model_folders
from runs.intervals import bootstrap_interval
from sandbox import SandboxError

MARGIN = 0.1
"""The paper's margin: the share of the utility range by which an agent may fall behind the best one."""


@dataclass
class Verdict:
    """The round robin's verdict on one model.

    Attributes:
      model: its name.
      score: mean return of its agent from 0 to 1, see the module's docstring; None where no match counts.
      low, high: 95 % interval of it, by bootstrap over the deals.
      matches: number of matches that count.
      forfeits: number of these that its agent forfeited.
      by_game: its score in each model.
      rejected: whether it is a bad sample.
      reason: the reason of a rejection, in one sentence; None without one.
    """

    model: str
    score: float | None = None
    low: float | None = None
    high: float | None = None
    matches: int = 0
    forfeits: int = 0
    by_game: dict[str, float] = field(default_factory=dict)
    rejected: bool = False
    reason: str | None = None


def reject(
    models: Sequence[str],
    *,
    games_per_pair: int,
    simulations: int,
    seed: int,
    db: str | None = None,
    progress: bool = False,
) -> list[Verdict]:
    """Plays the round robins and judges.

    Args:
      models: folders, or names of models that ship; at least two, all of one game for two players.
      games_per_pair: matches of each two agents in each model, even.
      simulations: number of simulations of the agents' searches.
      seed: seed of everything.
      db: a database to keep the matches in and to resume from.
      progress: whether to show progress bars.

    Returns:
      A verdict for each model, in the order given.

    Raises:
      ValueError: the models are fewer than two, of different games, or cannot be named in a bot's spec.
    """
    folders = [os.path.abspath(model_folders.resolve(name)) for name in models]
    names = [model_folders.name_of(folder) for folder in folders]
    bots = _bots(folders, names, simulations)
    verdicts = {bot: Verdict(name) for bot, name in zip(bots, names)}
    deals: dict[str, list[tuple[float, int]]] = {bot: [] for bot in bots}
    if db is not None:
        Database(db).close()
    for name, own in zip(names, bots):
        try:
            tournament, records = _played_in(name, bots, games_per_pair, seed, db, progress)
        except _GameFailed as error:
            verdicts[own].rejected = True
            verdicts[own].reason = f"as the game it failed: {' '.join(str(error).split())}"
            continue
        for bot, shares in _deals(tournament, records).items():
            deals[bot] += shares
            verdicts[bot].by_game[name] = sum(total for total, _ in shares) / sum(n for _, n in shares)
            verdicts[bot].forfeits += sum(
                record.forfeit is not None and record.seats[record.forfeit.player] == bot for record in records
            )
    for bot, verdict in verdicts.items():
        verdict.matches = sum(count for _, count in deals[bot])
        if verdict.matches:
            verdict.score = sum(total for total, _ in deals[bot]) / verdict.matches
            interval = bootstrap_interval(deals[bot], np.random.default_rng(seed))
            verdict.low, verdict.high = interval or (None, None)
    _judge(list(verdicts.values()))
    return list(verdicts.values())


class _GameFailed(Exception):
    """Raised where a model failed while it was the game."""


def _played_in(
    name: str, bots: Sequence[str], games_per_pair: int, seed: int, db: str | None, progress: bool
) -> tuple[Tournament, list[MatchRecord]]:
    """The round robin in one model."""
    folder = model_folders.resolve(name)
    # Where chance makes the matches differ there is no need for random openings.
    opening_plies = 0 if manifest.load(folder).manifest["properties"]["chance"] else 2
    game = f"cwm(model={name})"
    with _blaming_the_model():
        load_match_game(game, players=2)
    tournament = Tournament.checked(
        game, bots, num_games=games_per_pair, seed=seed, opening_plies=opening_plies
    )
    with _blaming_the_model():  # all else that may be wrong has been looked at
        return tournament, list(play(tournament, db=db, progress=progress))


@contextmanager
def _blaming_the_model() -> Iterator[None]:
    try:
        yield
    except (SandboxError, ValueError, pyspiel.SpielError) as error:
        raise _GameFailed(error) from error


def _bots(folders: Sequence[str], names: Sequence[str], simulations: int) -> list[str]:
    """The specs of the models' agents."""
    if len(names) < 2:
        raise ValueError(f"models: expected at least two syntheses of one game, found {len(names)}")
    manifests = [manifest.load(folder).manifest for folder in folders]
    for name, content in zip(names, manifests):
        if content["game"] != manifests[0]["game"]:
            raise ValueError(
                f"models: {name} is a model of {content['game']} and {names[0]} one of "
                f"{manifests[0]['game']}, expected syntheses of one game"
            )
        if set(name) & set("=,()"):
            raise ValueError(
                f"models: {name} has one of the characters = , ( ) in its path, which "
                f"OpenSpiel's game strings use themselves; move it to another folder"
            )
    hidden = manifests[0].get("deck") is not None
    simultaneous = manifests[0]["properties"].get("simultaneous")
    bot = "cwm_ismcts" if hidden else "cwm_smcts" if simultaneous else "cwm_mcts"
    return [f"{bot}(model={name},simulations={simulations})" for name in names]


def _deals(tournament: Tournament, records: Sequence[MatchRecord]) -> dict[str, list[tuple[float, int]]]:
    """The results of each bot by deal: the sum of its returns, from 0 to 1, and the number of its matches."""
    game = load_game(tournament.game)
    low, high = game.min_utility(), game.max_utility()
    by_seed: dict[str, dict[int, list[float]]] = {bot: {} for bot in tournament.bots}
    for record in records:
        for bot, earned in zip(record.seats, record.returns):
            share = min(1.0, max(0.0, (earned - low) / (high - low)))
            by_seed[bot].setdefault(record.seed, []).append(share)
    return {bot: [(sum(shares), len(shares)) for shares in found.values()] for bot, found in by_seed.items()}


def _judge(verdicts: Sequence[Verdict]) -> None:
    """Rejects those whose score is more than `MARGIN` below the best one that did not fail as the game."""
    standing = [verdict for verdict in verdicts if not verdict.rejected and verdict.score is not None]
    best = max(standing, key=lambda verdict: verdict.score, default=None)
    for verdict in standing:
        if verdict.score < best.score - MARGIN:
            verdict.rejected = True
            verdict.reason = (
                f"its agent earns {best.score - verdict.score:.3f} of the utility range less "
                f"than that of {best.model}, more than {MARGIN:g}"
            )


def table(verdicts: Sequence[Verdict]) -> list[list[str]]:
    """A row for each model."""
    rows = [["model", "score", "95% bootstrap", "matches", "forfeits", "verdict"]]
    for verdict in verdicts:
        interval = "-" if verdict.low is None else f"{verdict.low:.3f}-{verdict.high:.3f}"
        rows.append(
            [
                verdict.model,
                "-" if verdict.score is None else f"{verdict.score:.3f}",
                interval,
                str(verdict.matches),
                str(verdict.forfeits),
                "rejected" if verdict.rejected else "kept",
            ]
        )
    return rows
