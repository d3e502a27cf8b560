"""Runs policy-space response oracles (PSRO) with a language model as the oracle.

    python -m policy_evolve.psro --game=kuhn_poker --llm=spool:chat --iterations=6 --output_dir=psro

In each iteration the Nash equilibrium of the game between the policies so far (the meta-game, solved as a
linear program) says how the opponent mixes them; the oracle answers with a best response, a program that
joins them. NashConv of the mixture, exact, is written down for each iteration, beside that of the same loop
with an exact oracle. Source: Lanctot et al. 2017, "A Unified Game-Theoretic Approach to Multiagent
Reinforcement Learning", algorithm 1, with the Nash meta-solver. A run that was stopped goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import best_response, expected_game_score, exploitability
from open_spiel.python.algorithms.policy_aggregator import PolicyAggregator
from scipy.optimize import linprog

from arena.matches.match import load_match_game
from language_models import LanguageModel, from_spec
from language_models.asking.session import Session
from policy_evolve.evolution.planner import write
from policy_evolve.evolution.prompting import Opponent, Prompts
from policy_evolve.evolution.settings import random_program
from policy_evolve.evolution.smoke_run import Trials
from policy_evolve.matches.rules import MatchRules
from policy_evolve.policies.policy import PolicyFailure
from policy_evolve.policies.program import Program
from policy_evolve.policies.tabular import SAMPLES, BadAnswer, check_game, tabular
from runs import cli, flags
from runs.run_folder import open_folder

_FLAGS = flags.FLAGS


@dataclass(frozen=True)
class Strategy:
    """A policy for both players, and the program that it is a table of; None for one of an exact oracle."""

    table: policies.TabularPolicy
    program: Program | None = None


def equilibrium(payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns a Nash equilibrium of a zero-sum matrix game.

    Args:
      payoffs: (rows, columns), what the player who chooses the row wins.

    Returns:
      The mixtures of the row player, (rows,), and of the column player, (columns,).
    """
    return _maximin(payoffs), _maximin(-payoffs.T)


def _maximin(payoffs: np.ndarray) -> np.ndarray:
    rows, columns = payoffs.shape
    # Variables: the mixture and its guaranteed value v; maximise v with v <= mixture @ payoffs[:, column].
    solved = linprog(
        c=[*np.zeros(rows), -1.0],
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
        method="highs",
    )
    mixture = np.clip(solved.x[:rows], 0, None)
    return mixture / mixture.sum()


class Loop:
    """The population of one oracle.

    Args:
      game: sequential and zero-sum, for two players.
      first: the strategy that it starts with.

    Attributes:
      strategies: so far.
      rows: for each iteration `nash_conv` of the mixture, its `value` to player 0 against itself, and
        `weights`, the mixture of player 0 and of player 1.
      mixture: the current one, as a policy for both players.
    """

    def __init__(self, game: pyspiel.Game, first: Strategy):
        self._game = game
        self.strategies = [first]
        self.rows: list[dict[str, Any]] = []
        self._payoffs = np.zeros((0, 0))
        self.solve()

    def solve(self) -> None:
        """Solves the meta-game and notes how far its solution is from equilibrium."""
        count, known = len(self.strategies), len(self._payoffs)
        payoffs = np.zeros((count, count))
        payoffs[:known, :known] = self._payoffs
        for row in range(count):
            for column in range(count):
                if row >= known or column >= known:
                    pair = [self.strategies[row].table, self.strategies[column].table]
                    payoffs[row, column] = expected_game_score.policy_value(
                        self._game.new_initial_state(), pair
                    )[0]
        self._payoffs = payoffs
        self.weights = equilibrium(payoffs)
        tables = [strategy.table for strategy in self.strategies]
        self.mixture = PolicyAggregator(self._game).aggregate([0, 1], [tables, tables], list(self.weights))
        self.rows.append(
            {
                "nash_conv": float(exploitability.nash_conv(self._game, self.mixture)),
                "value": float(self.weights[0] @ payoffs @ self.weights[1]),
                "weights": [np.round(side, 6).tolist() for side in self.weights],
            }
        )

    def add(self, strategy: Strategy) -> None:
        """Adds an oracle's answer and solves the larger meta-game."""
        self.strategies.append(strategy)
        self.solve()

    def exact_response(self) -> Strategy:
        """Returns the best responses of both players to the mixture, as one strategy."""
        table = policies.TabularPolicy(self._game)
        table.action_probability_array[:] = 0
        for player in (0, 1):
            answer = best_response.BestResponsePolicy(self._game, player, self.mixture)
            for row, state in enumerate(table.states):
                if state.current_player() == player:
                    action = answer.best_response_action(state.information_state_string(player))
                    table.action_probability_array[row, action] = 1
        return Strategy(table)


def exact(game: pyspiel.Game, first: Strategy, iterations: int) -> Loop:
    """Returns the loop with an exact oracle."""
    loop = Loop(game, first)
    for _ in range(iterations):
        loop.add(loop.exact_response())
    return loop


def written(
    game: pyspiel.Game,
    first: Strategy,
    iterations: int,
    ask: Callable[[str, str], Program | None],
    prompts: Prompts,
) -> Loop:
    """Returns the loop with a language model as the oracle.

    Args:
      game, first, iterations: as for `exact`; `first` has a program.
      ask: from a name and a prompt to a program that runs, or None; then the population stays as it is.
      prompts: the prompts of the game.
    """
    loop = Loop(game, first)
    for number in range(1, iterations + 1):
        opponents = [
            Opponent(
                strategy.program.name,
                strategy.program.source,
                tuple(f"{side[index]:.3f}" for side in loop.weights),
            )
            for index, strategy in enumerate(loop.strategies)
            if max(side[index] for side in loop.weights) >= 0.001
        ]
        program = ask(f"r{number:03d}", prompts.best_response(opponents))
        table = None
        if program is not None:
            try:
                table = tabular(game, program)
            except (PolicyFailure, BadAnswer):
                program = None  # it ran in its trial matches, but not everywhere
        if program is None:
            loop.rows.append({**loop.rows[-1], "failed": True})
        else:
            loop.add(Strategy(table, program))
    return loop


def check(game: pyspiel.Game) -> None:
    """Raises ValueError for a game on which this does not run."""
    check_game(game)
    if game.num_players() != 2:
        raise ValueError(f"game {game}: expected two players, found {game.num_players()}")
    if game.get_type().utility != pyspiel.GameType.Utility.ZERO_SUM:
        raise ValueError(f"game {game}: expected a zero-sum game, whose meta-game a linear program solves")
    if not game.get_type().provides_information_state_string:
        raise ValueError(f"game {game}: expected a game with information states, which best responses need")


def run(
    game_string: str,
    iterations: int,
    folder: Path,
    model: LanguageModel,
    *,
    seed: int = 0,
    max_debug: int = 3,
    say: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Runs both loops into `folder`, opened by `runs.run_folder.open_folder`.

    Returns:
      What `psro.json` holds: for each oracle, `llm` and `exact`, its `Loop.rows`, the first of which is
      that of the random policy.

    Raises:
      language_models.LanguageModelError: the language model gave up; all that was done is kept.
    """
    game = load_match_game(game_string, 2)
    rules = MatchRules(game_string, 0)
    session = Session.kept(folder / "calls.jsonl", model, seed, strict=True)
    trials = Trials(folder / "trials.jsonl", rules)
    prompts = Prompts.of(rules)

    def ask(name: str, prompt: str) -> Program | None:
        made = write(name, prompt, f"best response {name}", session, prompts, trials, max_debug)
        if made.fault is not None:
            say(f"{name} does not run: {made.fault.splitlines()[-1]}")
            return None
        cli.write_text(folder / f"{name}.py", made.program.source)
        return made.program

    uniform = policies.TabularPolicy(game)
    result = {
        "game": game_string,
        "samples": SAMPLES,
        "exact": exact(game, Strategy(uniform), iterations).rows,
        "llm": written(game, Strategy(uniform, random_program(game_string)), iterations, ask, prompts).rows,
    }
    cli.write_text(folder / "psro.json", json.dumps(result, indent=1) + "\n")
    return result


def _text(result: dict[str, Any]) -> str:
    lines = ["iteration  NashConv, exact oracle  NashConv, language model"]
    for number, (one, other) in enumerate(zip(result["exact"], result["llm"])):
        lines.append(
            f"{number:9d}  {one['nash_conv']:22.6f}  {other['nash_conv']:24.6f}"
            + ("  (no program)" if other.get("failed") else "")
        )
    return "\n".join(lines)


def main() -> None:
    """Runs the command; see the module's docstring."""
    check(load_match_game(_FLAGS.game, 2))
    model = from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record)
    folder = Path(_FLAGS.output_dir)
    open_folder(
        folder, {"kind": "psro", "game": _FLAGS.game, "seed": _FLAGS.seed, "max_debug": _FLAGS.max_debug}
    )
    print(
        _text(
            run(
                _FLAGS.game,
                _FLAGS.iterations,
                folder,
                model,
                seed=_FLAGS.seed,
                max_debug=_FLAGS.max_debug,
                say=lambda line: print(line, file=sys.stderr, flush=True),
            )
        )
    )
    print(f"language model: {model.name}")


def _define_flags() -> None:
    flags.game("of a small zero-sum game for two players who move in turn", required=True)
    flags.llm()
    flags.DEFINE_integer("iterations", 6, "Number of best responses to ask for.", lower_bound=1)
    flags.output_dir()
    flags.seed("this independent run")
    flags.max_debug(3)
    flags.budget()
    flags.record()


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
