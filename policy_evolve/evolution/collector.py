"""The Trajectory Collector: logs of matches as JSON in the fields of PolicyEvolve, within a budget.

What stands for the course of a match is its domain's. Logs show whole matches, also what a player could not see: they
are for after the match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pyspiel

from arena.matches.positions import positions
from arena.matches.records import Move
from policy_evolve.domains.domain import ShownMatch
from policy_evolve.domains.registry import domain_of
from policy_evolve.matches.evaluation import Evaluator, tally
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.matches.rules import match_game
from policy_evolve.policies.program import Program

LOG_CHARACTERS = 12_000
"""The most characters of one log in a prompt; some 5,000 tokens of numbers."""
SHOWN_MATCHES = 6


def _moves(outcome: Outcome) -> list[Move]:
    return [Move(player, action) for player, action in zip(outcome.players, outcome.actions)]


def _course(
    game: pyspiel.Game, pairing: Pairing, outcome: Outcome
) -> list[tuple[pyspiel.State, Sequence[Move]]]:
    if outcome.course is None:
        return list(positions(game, _moves(outcome)))
    return domain_of(game).referee.positions(game, pairing.start, outcome.course)


def _ending(outcome: Outcome, seat: int, decided: str) -> str:
    if outcome.forfeit is not None:
        loser, kind, reason = outcome.forfeit
        opponent = "the opponent" if len(outcome.returns) == 2 else f"player {loser}"
        return f"{'the policy' if loser == seat else opponent} forfeited ({kind}): {reason}"
    return decided


def _others(pairing: Pairing, seat: int) -> list[Program]:
    return [program for other, program in enumerate(pairing.seats) if other != seat]


def _named(pairing: Pairing, seat: int) -> str | list[str]:
    """The opponent's name; among more than two players all names by seat."""
    if len(pairing.seats) > 2:
        return [program.name for program in pairing.seats]
    return pairing.seats[1 - seat].name


def _chosen(played: Sequence[tuple[Pairing, Outcome]], program: Program) -> list[tuple[Pairing, Outcome, int]]:
    """Returns the matches to show, with the policy's seat: defeats first, opponents in turn."""
    seated = [(pairing, outcome, pairing.seats_of(program)[0]) for pairing, outcome in played]
    met: dict[tuple[float, frozenset[str]], int] = {}
    keys = []
    for pairing, outcome, seat in seated:
        score, opponents = outcome.score(seat), frozenset(other.digest for other in _others(pairing, seat))
        turn = met[score, opponents] = met.get((score, opponents), 0) + 1
        keys.append((turn, score))
    order = sorted(range(len(seated)), key=lambda index: keys[index])
    return [seated[index] for index in order[:SHOWN_MATCHES]]


def log(
    game_string: str,
    program: Program,
    played: Sequence[tuple[Pairing, Outcome]],
    evaluator: Evaluator | None = None,
    characters: int = LOG_CHARACTERS,
    *,
    events: bool = False,
    facts: Mapping[str, Any] = MappingProxyType({}),
) -> str:
    """Returns the log of a policy's matches, JSON of at most `characters`.

    Args:
      game_string: the game string of all matches.
      program: the policy.
      played: matches of it; up to `SHOWN_MATCHES` of them are shown, spread over opponents, with defeats
        before draws before victories; all of them count in `rs`.
      evaluator: has the actions of the matches that are shown, where their outcomes do not hold them.
      characters: enough for the ends of the matches at least.
      events: whether matches are told by what happened in them, where the domain can; else by all of their steps.
      facts: further fields about the policy.
    """
    game = match_game(game_string)
    shown = _chosen(played, program)
    head: dict[str, Any] = {
        "an": program.name,
        "op": [_named(pairing, seat) for pairing, _, seat in shown],
        "rs": round(tally(played, program).score, 3),
        "fr": [round(outcome.returns[seat], 3) for _, outcome, seat in shown],
        **facts,
    }
    domain = domain_of(game)
    outcomes = [outcome for _, outcome, _ in shown]
    if evaluator is not None:
        outcomes = evaluator.watch([pairing for pairing, _, _ in shown])
    matches = [
        ShownMatch(outcome, seat, _course(game, pairing, outcome))
        for (pairing, _, seat), outcome in zip(shown, outcomes, strict=True)
    ]
    head["why"] = [
        _ending(match.outcome, match.seat, domain.ending(match.course[-1][0], match.seat)) for match in matches
    ]
    return (domain.events if events else domain.log)(head, matches, characters)
