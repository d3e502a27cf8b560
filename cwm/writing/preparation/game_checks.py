"""What a synthesis needs of a game: each check gives a line of the table, and a refusal is one sentence."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pyspiel

from arena.registry.games import silenced_stderr
from cwm.trust.players import Players, at_once, hides, players_of
from cwm.trust.trajectories import Trajectory, collect
from cwm.writing.preparation import estimate
from cwm.writing.preparation.findings import GOOD, NOTE, REFUSED, Finding
from games.registration import name_of
from games.seeing import views

LONG_TEST = 3600.0
"""Seconds of a held-out test from which on its line says how it is made shorter."""
LONG_WALK = 10.0
"""Seconds of looking whether a game is small from which on they are told."""
_KIND = pyspiel.GameType


def guarded(subject: str, check: Callable[..., tuple[str, str, Any]], *args: Any) -> tuple[Finding, Any]:
    """Makes a check whose failure is a refusal.

    A check runs a game's own code, which may come from anybody and fails with whatever exception.

    Args:
      subject: what is looked at.
      check: gives the text, the verdict, and what the next steps need.
      args: the check's arguments.

    Returns:
      The finding, and what the check gave beside it; None where it failed.
    """
    try:
        with silenced_stderr():
            text, verdict, result = check(*args)
    except Exception as error:
        return Finding(subject, sentence(subject, error), REFUSED), None
    return Finding(subject, text, verdict), result


def sentence(subject: str, error: Exception) -> str:
    """An exception in one line. A ValueError of this suite is a sentence; others come from a game's own code."""
    text = " ".join(str(error).split())
    if isinstance(error, ValueError) and text:
        return text
    return (
        f"{subject}: the game's own code fails with {type(error).__name__} ({text}), expected one that can be played "
        f"to its end; choose another game, or correct it"
    )


def kind(game: pyspiel.Game) -> tuple[str, str, None]:
    """Whether a world model of this kind of game can be written at all.

    Raises:
      ValueError: it cannot.
    """
    game_type = game.get_type()
    if game_type.dynamics == _KIND.Dynamics.MEAN_FIELD:
        raise ValueError(
            f"{name_of(game)}: is a mean-field game, expected one of players who move in turn or at once"
        )
    if game_type.chance_mode == _KIND.ChanceMode.SAMPLED_STOCHASTIC:
        raise ValueError(
            f"{name_of(game)}: draws its chance outcomes itself, so that a game cannot be played again, expected one whose "
            f"chance steps name their outcomes and probabilities; choose another game, or other parameters"
        )
    players = game.num_players()
    chance = "no chance" if game_type.chance_mode == _KIND.ChanceMode.DETERMINISTIC else "chance"
    order = "at once" if at_once(game) else "in turn"
    hidden = "hidden information" if hides(game) else "nothing hidden"
    pays = "at the end" if game_type.reward_model == _KIND.RewardModel.TERMINAL else "during play"
    text = f"{players} player{'s' * (players > 1)} {order}, {chance}, {hidden}, rewards {pays}"
    return text, GOOD, None


def random_play(game: pyspiel.Game, number: int, seed: int) -> tuple[str, str, list[Trajectory]]:
    """Games of random play, which must end.

    Raises:
      TrajectoryError: one does not.
    """
    games = list(collect(game, number, seed))
    lengths = sorted(len(one.actions) for one in games)
    if not lengths[0]:
        raise ValueError(f"{name_of(game)}: a game is over before anybody has moved, expected one with moves")
    moves = f"{lengths[0]}" if lengths[0] == lengths[-1] else f"{lengths[0]} to {lengths[-1]}"
    return f"{number} random game{'s' * (number > 1)} of {moves} moves", GOOD, games


def view(game: pyspiel.Game) -> tuple[str, str, None]:
    """The way in which the players see the game.

    Raises:
      ValueError: they do not.
    """
    game_type = game.get_type()
    state = game.new_initial_state()
    if type(views.view_of(game)) is not views.GameView:
        return "a view of its own", GOOD, None
    if not (game_type.provides_observation_string or game_type.provides_information_state_string):
        raise ValueError(
            f"{name_of(game)}: says neither as an observation nor as an information state what a player sees, expected one "
            f"of these; hand a view of it to games.register_view"
        )
    fields = views.view(state, 0).data
    names = ", ".join(f"`{name}`" for name in fields)
    if set(fields) in ({"observation"}, {"information_state"}):
        return f"OpenSpiel's string {names}, whose parts are described from the recorded games", NOTE, None
    return f"OpenSpiel's struct: {names}", GOOD, None


def resampling(game: pyspiel.Game) -> tuple[str, str, bool]:
    """Whether the game draws what a player cannot see."""
    from arena.bots.reference import can_resample

    if not hides(game):
        return "not needed, as nothing is hidden", GOOD, True
    if at_once(game):
        return "the game is not asked, as players choose at once; only searches in the model will", NOTE, False
    if can_resample(game):
        return "the game draws what a player cannot see", GOOD, True
    return "the game cannot draw what a player cannot see; only searches in the model will", NOTE, False


def test_players(game: pyspiel.Game) -> tuple[str, str, Players]:
    """The players of the held-out games."""
    players = players_of(game)
    names = ", ".join(players.names)
    if players.unsearchable is None:
        return names, GOOD, players
    reason = players.unsearchable.partition("; ")[0]
    return f"{names}; no search, as {reason}", NOTE, players


def held_out_time(
    game: pyspiel.Game,
    samples: Sequence[Trajectory],
    players: Players,
    test_transitions: int,
    test_games: int,
    seconds: float,
) -> tuple[str, str, estimate.Estimate]:
    """The time that the held-out test will take."""
    found = estimate.held_out_test(
        game, samples, players.players, test_transitions, test_games, seconds=seconds
    )
    text = f"{estimate.in_words(found.seconds)} for {found.transitions:,} transitions, and the model's own time"
    if found.walk > LONG_WALK:
        text = f"{text}; {estimate.in_words(found.walk)} at most to see whether all transitions can be compared"
    if found.seconds < LONG_TEST:
        return text, GOOD, found
    return f"{text}; shorter with fewer --test_transitions and --test_games", NOTE, found


def of_game(
    game: pyspiel.Game,
    *,
    number: int = 5,
    seed: int = 0,
    test_transitions: int = 10_000,
    test_games: int = 100,
    seconds: float = estimate.SECONDS,
) -> tuple[list[Finding], list[Trajectory]]:
    """Makes all checks of a game; after a refusal those that build on it are left out.

    Args:
      game: the ground truth.
      number, seed: the games of random play to look at.
      test_transitions, test_games: least size of the held-out test.
      seconds: time to spend on timing each test player.

    Returns:
      The findings, and the games of random play; no games where the game is refused.
    """
    findings: list[Finding] = []

    def made(subject: str, check: Callable[..., tuple[str, str, Any]], *args: Any) -> Any:
        finding, result = guarded(subject, functools.partial(check, game), *args)
        findings.append(finding)
        return result

    def refused() -> bool:
        return findings[-1].verdict == REFUSED

    for subject, check in (("game", kind), ("view", view)):
        made(subject, check)
        if refused():
            return findings, []
    games = made("random play", random_play, number, seed)
    if refused():
        return findings, []
    made("resampling", resampling)
    if refused():
        return findings, games
    players = made("test players", test_players)
    if not refused():
        made("held-out test", held_out_time, games, players, test_transitions, test_games, seconds)
    return findings, games
