"""Held-out play: the search on the model against the same search on the ground truth."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

import pyspiel

from arena.matches.records import FORFEIT_KINDS, MatchRecord
from arena.rating.intervals import return_interval, score_interval
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from cwm.contract import manifest
from cwm.trust import moves
from cwm.trust.players import at_once, hides
from cwm.trust.trajectories import Trajectory
from cwm.trust.verification.directed import model_spec
from games.registration import name_of

_TIMED_STATES = 3


def _truth_spec(game: pyspiel.Game, simulations: int) -> str:
    """The search on the ground truth: by IS-MCTS where the game hides information, by the search for choices made at
    once where there are such."""
    name = "gt_ismcts" if hides(game) else "smcts" if at_once(game) else "gt_mcts"
    return f"{name}(simulations={simulations})"


def check_playable(game: pyspiel.Game, simulations: int) -> None:
    """Makes sure that the search on the ground truth can play the game at all.

    Raises:
      ValueError: it is no game of two players, or the search refuses it.
    """
    if game.num_players() != 2:
        raise ValueError(
            f"--play: {name_of(game)} has {game.num_players()} players, expected two for matches of search against "
            f"search; leave --play and --play_games out"
        )
    try:
        make_bot(_truth_spec(game, simulations), game, 0, 0)
    except ValueError as error:
        raise ValueError(
            f"--play: the ground truth cannot be searched, so leave --play and --play_games out ({error})"
        ) from error


def tournament(
    model: manifest.Model, game: pyspiel.Game, matches: int, simulations: int, seed: int
) -> Tournament:
    """The matches: `matches`, an even number, of the two searches, seats swapped in pairs."""
    specs = [model_spec(model.path, game, simulations), _truth_spec(game, simulations)]
    return Tournament.checked(name_of(game), specs, num_games=matches, seed=seed, players=2)


def estimated_seconds(played: Tournament, game: pyspiel.Game, games: Sequence[Trajectory]) -> float:
    """About how long the matches will take, from the time of single moves in the middle of recorded games.

    Args:
      played: the matches.
      game: the game.
      games: recorded games, from which the number of moves in a match is taken too.
    """
    choices = statistics.fmean(sum(step.choices for step in one.steps) for one in games)
    seconds = []
    for one in games[:_TIMED_STATES]:
        state, own = game.new_initial_state(), [i for i, step in enumerate(one.steps) if step.choices]
        for name in one.actions[: own[len(own) // 2]]:
            moves.apply(state, moves.from_name(state, name))
        seat = moves.choosing(state)[0] if state.is_simultaneous_node() else state.current_player()
        for spec in played.bots:
            bot = make_bot(spec, game, seat, 0)
            begin = time.monotonic()
            bot.step(state)
            seconds.append(time.monotonic() - begin)
    return played.num_games * choices * statistics.fmean(seconds)


def figures(played: Tournament, simulations: int) -> tuple[bool, dict[str, Any], str | None]:
    """Plays the matches.

    A match between two players who win, draw or lose counts 1, 1/2 or 0 for the model; where returns have sizes,
    what counts is the model's return less the other one's. The 95 % intervals are the arena's, over mirrored
    pairs (docs/statistics.md).

    Args:
      played: the matches.
      simulations: number of simulations of each search, for the figures.

    Returns:
      Whether the interval reaches the result of equals; the figures; and the reason of the model's first
      forfeit, or None.
    """
    records = list(play(played, progress=True))
    own = played.bots[0]
    result: dict[str, Any] = {"games": len(records), "simulations": simulations}
    differences = [_difference(record, own) for record in records]
    pairs = [record.seed for record in records]
    if all(set(record.returns) <= {-1.0, 0.0, 1.0} for record in records):
        scores = [(difference > 0) + (difference == 0) / 2 for difference in differences]
        low, high = score_interval(pairs, scores)
        result["score"] = round(statistics.fmean(scores), 4)
        equals = 0.5
    else:
        game = load_game(played.game)
        most = game.max_utility() - game.min_utility()
        low, high = return_interval(pairs, differences, -most, most)
        result["return_difference"] = round(statistics.fmean(differences), 4)
        equals = 0.0
    result["interval"] = [round(low, 4), round(high, 4)]
    lost = [
        record.forfeit for record in records if record.forfeit and record.seats[record.forfeit.player] == own
    ]
    result["forfeits"] = {kind: sum(one.kind == kind for one in lost) for kind in FORFEIT_KINDS}
    return high >= equals, result, lost[0].reason if lost else None


def _difference(record: MatchRecord, own: str) -> float:
    """The model's return less that of the other player."""
    seat = record.seats.index(own)
    return record.returns[seat] - record.returns[1 - seat]
