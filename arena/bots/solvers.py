"""Approximate equilibria of small games as bots: `cfr`, `cfr_plus` and `mccfr`.

Each plays the average policy of OpenSpiel's solver, and says what it is (`get_policy`), so that it can
serve as a yardstick whose exploitability is known. A policy is computed once per process and game.

A game whose players move at once is solved as OpenSpiel converts it: they move in turn, and the information state
of each hides the moves of those before it.
"""

from __future__ import annotations

import functools

import numpy as np
import pyspiel
from tqdm import tqdm

from arena.registry.bots import register_bot
from arena.registry.live import PolicyBot
from games.registration import name_of
from games.seeing.pending_moves import turn_based_state

_MAX_NODES = 500_000
"""Number of histories of the largest game for which whole-tree solvers are used (liars_dice has 294,883)."""


@functools.lru_cache(maxsize=64)
def is_small(game_string: str) -> bool:
    """Whether a game has at most `_MAX_NODES` histories."""
    pending, found = [pyspiel.load_game(game_string).new_initial_state()], 0
    while pending and found <= _MAX_NODES:
        state = pending.pop()
        found += 1
        if not state.is_terminal():
            pending.extend(map(state.child, state.legal_actions()))
    return found <= _MAX_NODES


class _Average:
    """The average policy of a solver, which it keeps alive: the policy refers to its tables.

    Args:
      solver: a solver of OpenSpiel.
      turn_based: the game that was solved in the place of one whose players move at once, else None.
    """

    def __init__(self, solver: object, turn_based: pyspiel.Game | None):
        self._solver = solver
        self._policy = solver.average_policy()
        self._turn_based = turn_based

    def action_probabilities(self, state: pyspiel.State, player_id: int | None = None) -> dict[int, float]:
        if self._turn_based is not None:
            player = state.current_player() if player_id is None else player_id
            state = turn_based_state(self._turn_based, state, player)
        return self._policy.action_probabilities(state)


@functools.lru_cache(maxsize=8)
def _solved(game_string: str, method: str, iterations: int, seed: int) -> _Average:
    game, turn_based = pyspiel.load_game(game_string), None
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = turn_based = pyspiel.convert_to_turn_based(game)
    if method != "outcome" and not is_small(name_of(game)):
        raise ValueError(
            f"{game_string} has more than {_MAX_NODES:,} histories, too many for {method} to solve; "
            f"choose another bot, e.g. mccfr(sampling=outcome) or {'mcts' if turn_based is None else 'smcts'}"
        )
    match method:
        case "cfr":
            solver = pyspiel.CFRSolver(game)
        case "cfr_plus":
            solver = pyspiel.CFRPlusSolver(game)
        case "external":
            solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed)
        case "outcome":
            solver = pyspiel.OutcomeSamplingMCCFRSolver(game, seed=seed)
    samples = method in ("external", "outcome")
    iterate = solver.run_iteration if samples else solver.evaluate_and_update_policy
    for _ in tqdm(range(iterations), desc=f"{method} on {game_string}", delay=3, leave=False, disable=None):
        iterate()
    return _Average(solver, turn_based)


def _solver_bot(
    bot: str,
    method: str,
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    iterations: int,
    training_seed: int = 0,
) -> pyspiel.Bot:
    game_type = game.get_type()
    if (
        game_type.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD
        or not game_type.provides_information_state_string
    ):
        raise ValueError(
            f"bot {bot!r} solves games whose players move in turn or at once and whose information "
            f"states have names, and {name_of(game)} is none; choose another bot, e.g. random"
        )
    for name, value in (("iterations", iterations), ("training_seed", training_seed)):
        if not 0 <= value < 2**31:
            raise ValueError(f"bot {bot!r}, parameter {name!r}: expected 0 to 2**31 - 1, found {value}")
    policy = _solved(name_of(game), method, iterations, training_seed)
    return PolicyBot(player_id, policy, np.random.default_rng(seed))


@register_bot(
    "cfr",
    summary="average policy of counterfactual regret minimization, for small games",
    source="OpenSpiel C++",
)
def _cfr(game: pyspiel.Game, player_id: int, seed: int, *, iterations: int = 100) -> pyspiel.Bot:
    """Makes the bot `cfr` (Zinkevich et al. 2007). `iterations=0` leaves the uniform policy."""
    return _solver_bot("cfr", "cfr", game, player_id, seed, iterations)


@register_bot("cfr_plus", summary="average policy of CFR+, for small games", source="OpenSpiel C++")
def _cfr_plus(game: pyspiel.Game, player_id: int, seed: int, *, iterations: int = 100) -> pyspiel.Bot:
    """Makes the bot `cfr_plus` (Tammelin 2014). `iterations=0` leaves the uniform policy."""
    return _solver_bot("cfr_plus", "cfr_plus", game, player_id, seed, iterations)


@register_bot(
    "mccfr",
    summary="average policy of Monte-Carlo CFR with external or outcome sampling",
    source="OpenSpiel C++",
)
def _mccfr(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    iterations: int = 10_000,
    sampling: str = "external",
    training_seed: int = 0,
) -> pyspiel.Bot:
    """Makes the bot `mccfr` (Lanctot et al. 2009). The policy depends on `training_seed`, and so is the same in
    all matches; where an information state was never visited it is uniform."""
    if sampling not in ("external", "outcome"):
        raise ValueError(f"bot 'mccfr', parameter 'sampling': expected external or outcome, found {sampling!r}")
    return _solver_bot("mccfr", sampling, game, player_id, seed, iterations, training_seed)
