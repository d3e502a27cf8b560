"""The searches that benchmarks time against each other, and the timing: interleaved, medians."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from arena.matches.match import opening_actions
from arena.registry.games import load_game
from cwm.play.ismcts_bot import SeenHistory
from cwm.worker.simulator import Simulator
from games import NamedHistory
from games.seeing import views

WARM_UP_SECONDS = 2.0
ROUND_SECONDS = 0.25
"""The seconds for which a round repeats its searches: a single one of a fast game is over in a millisecond,
and measures cold caches.
"""

Search = Callable[[int, int], int]
"""A function that searches all positions with (simulations, seed) and returns how many simulations were really
made: a search may stop early.
"""


def positions(game: pyspiel.Game, count: int) -> list[pyspiel.State]:
    """Returns the start and states some moves into random games, where a player is to move."""
    states = []
    for number in range(count):
        state = game.new_initial_state()
        for move in opening_actions(game, number, 2 * number):
            state.apply_action(move.action)
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        states.append(state)
    return states


def hidden_positions(game: pyspiel.Game, count: int) -> list[pyspiel.State]:
    """Returns states of random games, chance included, of which the first is a player's first and each
    later one comes two decisions after the one before, at most.
    """
    states = []
    for number in range(count):
        rng = np.random.default_rng(number)
        path = []
        while len(path) <= 2 * number:  # another game, where this one was over earlier
            state, path = game.new_initial_state(), []
            while not state.is_terminal() and len(path) <= 2 * number:
                if not state.is_chance_node():
                    path.append(state.clone())
                state.apply_action(int(rng.choice(state.legal_actions())))
        states.append(path[-1])
    return states


def ground_truth_search(game: pyspiel.Game, states: list[pyspiel.State]) -> Search:
    """Returns OpenSpiel's C++ MCTS; on a Python game `mcts_search`, which is safe there."""

    def search(simulations: int, seed: int) -> int:
        made = 0
        for state in states:
            bot = pyspiel.MCTSBot(
                game,
                pyspiel.RandomRolloutEvaluator(1, seed),
                2.0,
                simulations,
                1000,
                False,
                seed,
                False,
                pyspiel.ChildSelectionPolicy.UCT,
            )
            made += bot.mcts_search(state).explore_count
        return made

    return search


def python_search(game: pyspiel.Game, states: list[pyspiel.State]) -> Search:
    """Returns OpenSpiel's Python MCTS."""

    def search(simulations: int, seed: int) -> int:
        made = 0
        for state in states:
            rng = np.random.RandomState(seed)
            bot = mcts.MCTSBot(
                game, 2.0, simulations, mcts.RandomRolloutEvaluator(1, rng), solve=False, random_state=rng
            )
            made += bot.mcts_search(state).explore_count
        return made

    return search


def sealed_search(simulator: Simulator, histories: list[list[str]]) -> Search:
    """Returns our search, in a worker."""
    players = {tuple(names): simulator.follow(names)["player"] for names in histories}

    def search(simulations: int, seed: int) -> int:
        made = 0
        for names in histories:
            found = simulator.search_at(
                names,
                players[tuple(names)],
                {"simulations": simulations, "solve": False, "seed": seed},
                timeout=600.0,
            )
            made += 1 + sum(row["visits"] for row in found["actions"])
        return made

    return search


def information_set_search(states: list[pyspiel.State]) -> Search:
    """Returns OpenSpiel's C++ information-set MCTS."""

    def search(simulations: int, seed: int) -> int:
        for state in states:
            pyspiel.ISMCTSBot(seed, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, simulations).get_policy(state)
        return simulations * len(states)

    return search


def sealed_seen_search(simulator: Simulator, states: list[pyspiel.State]) -> Search:
    """Returns our information-set MCTS, in a worker, from what the player to move has seen."""
    seen = [
        (state.current_player(), SeenHistory(state.get_game(), state.current_player()).update(state))
        for state in states
    ]

    def search(simulations: int, seed: int) -> int:
        for player, pairs in seen:
            simulator.search_seen(player, pairs, {"simulations": simulations, "seed": seed}, timeout=600.0)
        return simulations * len(seen)

    return search


def names_of(state: pyspiel.State) -> list[str]:
    """Returns the history of a state by names."""
    return NamedHistory(state.get_game()).update(state)


def interleaved(contestants: dict[str, tuple[Search, int]], rounds: int) -> dict[str, float]:
    """Returns the median simulations a second of each contestant, which is given its own number of
    simulations.
    """
    for search, simulations in contestants.values():
        deadline = time.perf_counter() + WARM_UP_SECONDS
        seed = 0
        while time.perf_counter() < deadline:
            search(simulations, seed)
            seed += 1
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds):
        for name, (search, simulations) in contestants.items():
            start, made, repeated = time.perf_counter(), 0, 0
            while time.perf_counter() - start < ROUND_SECONDS:
                made += search(simulations, 1_000 * (number + 1) + repeated)
                repeated += 1
            rates[name].append(made / (time.perf_counter() - start))
    return {name: statistics.median(values) for name, values in rates.items()}


def wrapped_game(folder: str, histories: list[list[str]]) -> tuple[pyspiel.Game, list[pyspiel.State]]:
    """Returns the model as a Python game in this process, and its states after these actions."""
    wrapped = load_game(f"cwm(model={folder},trusted=true)")
    states = []
    for names in histories:
        state = wrapped.new_initial_state()
        for action in names:
            state.apply_action(views.action_from_name(state, action))
        states.append(state)
    return wrapped, states
