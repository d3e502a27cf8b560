"""A match of a policy against random players, with the CPU time of its answers."""

from __future__ import annotations

import numpy as np
import pyspiel

from arena.matches.chance import chance_outcome
from policy_evolve.domains.registry import domain_of
from policy_evolve.matches.rules import MatchRules, match_game
from policy_evolve.policies.policy import Policy


def answer_seconds(rules: MatchRules, source: str, seat: int) -> list[float]:
    """Plays one match and returns the CPU seconds of each answer.

    Raises:
      PolicyFailure: the policy fails.
      ValueError: it gives an illegal answer.
    """
    game = match_game(rules.game)
    seen = domain_of(game).interface(game, seat)
    rng = np.random.default_rng(seat)
    seconds: list[float] = []
    policy = Policy(source, seat, seen.function, rules.limits, rules.interpreter)
    try:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance_outcome(state, float(rng.random())))
                continue
            actions = []
            for player in range(game.num_players()):
                legal = state.legal_actions(player)
                if not legal:
                    actions.append(pyspiel.INVALID_ACTION)
                elif player == seat:
                    start = policy.cpu_seconds()
                    answer = policy.answer(seen.pack(state))
                    seconds.append(policy.cpu_seconds() - start)
                    actions.append(seen.action(state, answer))
                else:
                    actions.append(int(rng.choice(legal)))
            if state.is_simultaneous_node():
                state.apply_actions(actions)
            else:
                state.apply_action(actions[state.current_player()])
    finally:
        policy.close()
    return seconds
