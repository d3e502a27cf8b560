"""Frequencies of a model's samples: these beside the exact posterior of the ground truth.

The tests of `cwm.trust.inference` show that what a model draws is possible. Whether it is drawn as often as it
should is another matter, and decides how well a search on the samples plays. On a small game the posterior
can be worked out: all histories that a player cannot tell from the true one, each weighed by the chances
and by the other players' choices, which are taken to be uniform among their legal actions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyspiel

from cwm.trust import checks
from cwm.trust.inference import seen_by
from cwm.trust.trajectories import collect
from games.seeing import views

SAMPLES = 2_000
MAX_VISITED = 20_000
"""Most histories walked for one posterior."""


class TooManyHistories(ValueError):
    """Raised where a posterior is too large to be worked out."""


@dataclass(frozen=True)
class Distance:
    """Total variation distance between a model's samples and the exact posterior.

    Attributes:
      decisions: number of decisions compared, each a different information state.
      samples: number of samples drawn at each.
      mean, largest: mean and largest distance over the decisions, in [0, 1].
      noise: mean distance of an equal number of samples drawn from the exact posterior itself.
      largest_noise: the largest of these.
      skipped: number of games that were left at a decision whose posterior is too large, so that only earlier
        ones of the player count.
    """

    decisions: int
    samples: int
    mean: float
    largest: float
    noise: float
    largest_noise: float
    skipped: int


def exact_posterior(
    state: pyspiel.State, player: int, max_visited: int | None = None
) -> dict[tuple[str, ...], float]:
    """Probabilities of the histories, by the names of their actions, that `player` cannot tell from that
    of `state`, if the others choose uniformly. Walks all of them: for small games.

    Args:
      state: one in which `player` is to move.
      player: the player whose information state it is.
      max_visited: most histories to walk; None for all.

    Raises:
      TooManyHistories: there are more than `max_visited`.
    """
    target, length = state.information_state_string(player), len(state.history())
    own = []
    walker = state.get_game().new_initial_state()
    for action in state.history():
        if walker.current_player() == player:
            own.append((walker.information_state_string(player), action))
        walker.apply_action(action)
    weights: dict[tuple[str, ...], float] = {}
    pending = [(state.get_game().new_initial_state(), (), 1.0, 0)]
    visited = 0
    while pending:
        walker, names, weight, turn = pending.pop()
        visited += 1
        if max_visited is not None and visited > max_visited:
            raise TooManyHistories(
                f"the posterior of player {player} after {state.history()} needs more "
                f"than {max_visited:,} histories, expected at most so many; choose an "
                "earlier decision"
            )
        if len(names) == length:
            if walker.current_player() == player and walker.information_state_string(player) == target:
                weights[names] = weights.get(names, 0.0) + weight
            continue
        if walker.is_terminal():
            continue
        if walker.is_chance_node():
            options = [(action, chance) for action, chance in walker.chance_outcomes() if chance > 0]
        elif walker.current_player() == player:
            if turn == len(own) or walker.information_state_string(player) != own[turn][0]:
                continue
            options = [(own[turn][1], 1.0)]
            turn += 1
        else:
            legal = walker.legal_actions()
            options = [(action, 1.0 / len(legal)) for action in legal]
        for action, chance in options:
            pending.append(
                (walker.child(action), (*names, views.action_name(walker, action)), weight * chance, turn)
            )
    total = sum(weights.values())
    return {names: weight / total for names, weight in weights.items()}


def distance(
    source: str, game: pyspiel.Game, decisions: int = 40, samples: int = SAMPLES, seed: int = 0
) -> Distance:
    """Compares `resample_history` of a model with the exact posterior at decisions of random games.

    Samples that are no legal history of the ground truth count as drawn in vain. A game in which a
    posterior is larger than `MAX_VISITED` is left there.

    Raises:
      ValueError: not one posterior is small enough.
    """
    found: list[float] = []
    noise: list[float] = []
    met: set[tuple[int, str]] = set()
    skipped = 0
    rng = np.random.default_rng(seed)
    holder = checks.Holder(source)
    try:
        for trajectory in collect(game, 50 * decisions, seed):
            for number, step in enumerate(trajectory.steps):
                if step.player < 0 or len(found) == decisions:
                    continue
                state = game.new_initial_state()
                for name in trajectory.actions[:number]:
                    state.apply_action(views.action_from_name(state, name))
                key = state.information_state_string(step.player)
                if (step.player, key) in met:
                    continue
                met.add((step.player, key))
                try:
                    exact = exact_posterior(state, step.player, MAX_VISITED)
                except TooManyHistories:
                    skipped += 1
                    break
                history = seen_by(trajectory, step.player).history(number)
                drawn = holder.call(
                    "hidden_driver.sampled_names", step.player, history, len(found) * samples, samples
                )
                names = [tuple(row) for row in drawn] if isinstance(drawn, list) else []
                found.append(_variation(exact, Counter(names), samples))
                own = rng.choice(len(exact), size=samples, p=list(exact.values()))
                noise.append(_variation(exact, Counter(list(exact)[index] for index in own), samples))
            if len(found) == decisions:
                break
    finally:
        holder.close()
    if not found:
        raise ValueError(
            f"{game}: no posterior of {MAX_VISITED:,} histories or fewer was met in "
            f"{50 * decisions} random games, expected one at least; choose a smaller game"
        )
    return Distance(
        len(found), samples, float(np.mean(found)), max(found), float(np.mean(noise)), max(noise), skipped
    )


def _variation(exact: dict[tuple[str, ...], float], drawn: Counter, samples: int) -> float:
    names: Sequence[tuple[str, ...]] = list({*exact, *drawn})
    missing = samples - sum(drawn.values())
    return 0.5 * (
        sum(abs(exact.get(key, 0.0) - drawn.get(key, 0) / samples) for key in names) + missing / samples
    )
