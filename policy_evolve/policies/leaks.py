"""Where a policy loses most to a best response: decisions of its table that another action would have been better at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyspiel

from games.seeing import views

MOST = 8


@dataclass
class _Decision:
    """An information state of the policy: how often it is reached by the others' moves and by its own, and what each action
    would return, weighted by the former."""

    state: pyspiel.State
    own: float
    others: float = 0.0
    worth: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))


def leaks(
    game: pyspiel.Game,
    chances: Mapping[str, list[tuple[int, float]]],
    responses: tuple[Mapping[str, int], ...],
    most: int = MOST,
) -> list[dict[str, Any]]:
    """Returns the decisions in which a policy gives away most against the best response, in a game for two.

    Each is compared with the best other action, while all else stays as it is.

    Args:
      game, chances, responses: of an `exploitability.Exploitability`.
      most: how many are returned.

    Returns:
      For each, the largest loss first: `player`, the policy's number; `sees`, the text of its view; `reached`, in which share
      of its matches; `does`, by the name of an action how often it chooses it; `better`, the action; `loses`, by how much
      the policy's return in a match would be higher on average.
    """
    found: list[dict[str, Any]] = []
    for seat in (0, 1):
        decisions: dict[str, _Decision] = {}
        _walk(game.new_initial_state(), seat, chances, responses[1 - seat], (1.0, 1.0), decisions)
        for key, one in decisions.items():
            own = dict(chances[key])
            best = max(sorted(one.worth), key=one.worth.__getitem__)
            lost = one.own * (one.worth[best] - sum(own[action] * worth for action, worth in one.worth.items()))
            if lost <= 0:
                continue
            names = {action: views.action_name(one.state, action, seat) for action in own}
            found.append(
                {
                    "player": seat,
                    "sees": views.view(one.state, seat).text,
                    "reached": round(one.own * one.others, 4),
                    "does": {names[action]: round(share, 3) for action, share in own.items() if share},
                    "better": names[best],
                    "loses": round(lost, 4),
                }
            )
    return sorted(found, key=lambda one: -one["loses"])[:most]


def _walk(
    state: pyspiel.State,
    seat: int,
    chances: Mapping[str, list[tuple[int, float]]],
    response: Mapping[str, int],
    reached: tuple[float, float],
    decisions: dict[str, _Decision],
) -> float:
    """Returns the policy's mean return from `state` on; `reached` has the probabilities of its own moves, and of the others'."""
    own, others = reached
    if state.is_terminal():
        return state.returns()[seat]
    if state.is_chance_node():
        return sum(
            share * _walk(state.child(action), seat, chances, response, (own, others * share), decisions)
            for action, share in state.chance_outcomes()
        )
    key = state.information_state_string()
    if state.current_player() != seat:
        action = response.get(key, state.legal_actions()[0])
        return _walk(state.child(action), seat, chances, response, reached, decisions)
    decision = decisions.setdefault(key, _Decision(state, own))
    decision.others += others
    value = 0.0
    for action, share in chances[key]:
        worth = _walk(state.child(action), seat, chances, response, (own * share, others), decisions)
        decision.worth[action] += others * worth
        value += share * worth
    return value
