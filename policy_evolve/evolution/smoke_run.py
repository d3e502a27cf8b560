"""A trial whether a policy runs: a match in each seat against a random player, with the traceback if it does
not.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyspiel

from arena.matches.chance import chance_outcome
from arena.matches.match import load_match_game
from policy_evolve.domains.registry import domain_of
from policy_evolve.matches.evaluation import MatchRules
from policy_evolve.policies.policy import Policy, PolicyFailure
from policy_evolve.policies.program import Program
from runs.played_once import JsonLinesStore
from sandbox import ProgramError


def _traceback(failure: PolicyFailure) -> str:
    error = failure.error
    if not isinstance(error, ProgramError):
        return str(error)
    lines = [f"  {line}" for line in error.traceback_lines if not line.startswith("driver:")]
    return "\n".join(["Traceback (most recent call last):", *lines, f"{error.type_name}: {error.message}"])


def _play(rules: MatchRules, source: str, seat: int) -> None:
    """Plays one match; raises PolicyFailure, or ValueError for an illegal answer."""
    game = load_match_game(rules.game, 2)
    seen = domain_of(game).interface(game, seat)
    rng = np.random.default_rng(seat)
    policy = Policy(source, seat, seen.function, rules.limits, rules.interpreter)
    try:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance_outcome(state, float(rng.random())))
                continue
            actions = []
            for player in (0, 1):
                legal = state.legal_actions(player)
                if not legal:
                    actions.append(pyspiel.INVALID_ACTION)
                elif player == seat:
                    actions.append(seen.action(state, policy.answer(seen.pack(state))))
                else:
                    actions.append(int(rng.choice(legal)))
            if state.is_simultaneous_node():
                state.apply_actions(actions)
            else:
                state.apply_action(actions[state.current_player()])
    finally:
        policy.close()


def fault(rules: MatchRules, source: str) -> str | None:
    """Returns the fault of a policy that plays: a traceback, or a sentence; None if there is none."""
    allowed = rules.limits.characters
    if allowed and len(source) > allowed:
        return f"The module has {len(source)} characters, {len(source) - allowed} more than allowed."
    for seat in (0, 1):
        try:
            _play(rules, source, seat)
        except PolicyFailure as failure:
            return _traceback(failure)
        except ValueError as error:
            return f"Illegal answer of act: {error}"
    return None


class Trials:
    """The trials of policies, each made once and kept in a file: what a loaded machine made of a time limit
    stays.

    Args:
      path: JSON Lines, read now and added to.
      rules: the rules of the matches.

    Raises:
      ValueError: the file is damaged.
    """

    def __init__(self, path: Path, rules: MatchRules):
        self._rules = rules
        self._store = JsonLinesStore(path)

    def fault(self, program: Program) -> str | None:
        """Returns the same as the function `fault`."""
        return self._store.once(program.digest, lambda: {"fault": fault(self._rules, program.source)})["fault"]
