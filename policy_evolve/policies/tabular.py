"""A code policy as a table of probabilities, for small sequential games: so that OpenSpiel can tell how far
it is from equilibrium.

At each information state the policy is asked in a match that led there, from an empty memory on and many
times over, as it may draw random numbers; the shares of its answers are the probabilities. Where the way
there needs earlier moves of its own, matches count in which it made these; if it never does, all count.
"""

from __future__ import annotations

import json
from collections import Counter

import pyspiel
from open_spiel.python.policy import TabularPolicy

from policy_evolve.policies.interfaces import ViewInterface
from policy_evolve.policies.policy import Policy, PolicyLimits
from policy_evolve.policies.program import Program

SAMPLES = 200
MAX_STATES = 20_000
"""The most information states of a game."""
_LIMITS = PolicyLimits(move_seconds=60.0, match_seconds=3600.0)


class BadAnswer(ValueError):
    """An answer of a policy that stands for no legal action."""


def check_game(game: pyspiel.Game) -> None:
    """Raises ValueError for a game whose policies cannot be tables here."""
    if game.get_type().dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ValueError(
            f"game {game}: expected players that move in turn, for a table of a policy, found "
            "simultaneous moves"
        )
    if game.num_players() != 2:
        raise ValueError(f"game {game}: expected a small game for two players, for a table of a policy")


def tabular(game: pyspiel.Game, program: Program, samples: int = SAMPLES, seed: int = 0) -> TabularPolicy:
    """Returns the table of a policy.

    Args:
      game: small and sequential, with perfect recall.
      program: the policy; it plays both sides.
      samples: matches at each information state.
      seed: the seed of its random numbers.

    Raises:
      BadAnswer: an answer stands for no legal action.
      ValueError: the game is none of these.
      policy_evolve.policies.policy.PolicyFailure: the policy did not answer.
    """
    check_game(game)
    table = TabularPolicy(game)
    if len(table.states) > MAX_STATES:
        raise ValueError(
            f"game {game} has {len(table.states)} information states, expected at most "
            f"{MAX_STATES}; choose a smaller game"
        )
    policy = Policy(program.source, seed, "answers", _LIMITS)
    try:
        for row, reached in enumerate(table.states):
            table.action_probability_array[row] = 0
            for action, count in _answers(game, policy, reached, samples).items():
                table.action_probability_array[row, action] = count
            table.action_probability_array[row] /= table.action_probability_array[row].sum()
    finally:
        policy.close()
    return table


def _answers(game: pyspiel.Game, policy: Policy, reached: pyspiel.State, samples: int) -> Counter[int]:
    """Returns how often the policy chose each action at `reached`."""
    player = reached.current_player()
    seen = ViewInterface(game, player)
    state = game.new_initial_state()
    packs, decisions = [], []
    for action in [*reached.history(), None]:
        if state.current_player() == player:
            packs.append(seen.pack(state))
            decisions.append((state.clone(), action))
        if action is not None:
            state.apply_action(action)
    counts: Counter[int] = Counter()
    unlikely: Counter[int] = Counter()
    # Alike answers are looked up once: each look-up names all legal actions.
    known: dict[tuple[int, str], int] = {}
    for answers in policy.answer({"packs": packs, "samples": samples}):
        chosen = []
        for number, answer in enumerate(answers):
            key = number, json.dumps(answer)
            if key not in known:
                try:
                    known[key] = seen.action(decisions[number][0], answer)
                except ValueError as error:
                    raise BadAnswer(str(error)) from error
            chosen.append(known[key])
        agrees = all(own == made for own, (_, made) in zip(chosen[:-1], decisions))
        (counts if agrees else unlikely)[chosen[-1]] += 1
    return counts or unlikely
