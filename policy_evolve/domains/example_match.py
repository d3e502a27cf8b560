"""A match at random as a prompt shows it: what one player observes in it, what it may answer, and what it gets."""

from __future__ import annotations

import json

import numpy as np
import pyspiel

from arena.matches.chance import chance_outcome
from policy_evolve.policies.interfaces import ViewInterface

SHOWN = 3
"""Decisions that are shown at most: the first ones, and the last one."""
CHARACTERS = 1_500
"""The most characters of one observation."""
_MOST = 60
"""Decisions of the player after which a match is left where it is."""
_SEED = 0
_PLAYER = 0


def example_match(game: pyspiel.Game) -> str:
    """Returns lines of text on a match between random players, which follow from the game alone: observations of player 0
    with its answers, and all returns where it does not last too long."""
    rng = np.random.default_rng(_SEED)
    seen = ViewInterface(game, _PLAYER)
    state = game.new_initial_state()
    history: list[str] = []
    decisions: list[tuple[str, str]] = []
    made = 0
    while not state.is_terminal() and made < _MOST:
        if state.is_chance_node():
            state.apply_action(chance_outcome(state, float(rng.random())))
            continue
        actions = []
        for player in range(game.num_players()):
            legal = state.legal_actions(player)
            actions.append(int(rng.choice(legal)) if legal else pyspiel.INVALID_ACTION)
        if state.legal_actions(_PLAYER):
            packed = seen.pack(state)
            history += packed["history"]
            names = list(packed["legal"])
            chosen = names[int(rng.integers(len(names)))]
            actions[_PLAYER] = seen.action(state, chosen)
            made += 1
            if len(decisions) >= SHOWN:
                decisions.pop()
            decisions.append((_shown({**packed, "history": list(history)}), chosen))
        if state.is_simultaneous_node():
            state.apply_actions(actions)
        else:
            state.apply_action(actions[state.current_player()])
    lines = [f"observation: {observed}\nanswer: {json.dumps(answer)}" for observed, answer in decisions]
    ended = f"after {made} decisions of player {_PLAYER} the match went on"
    if state.is_terminal():
        values = enumerate(state.returns())
        ended = "returns: " + ", ".join(f"player {player} {value:g}" for player, value in values)
    return "\n\n".join([*lines, ended])


def _shown(observation: dict[str, object]) -> str:
    """JSON of an observation; what is too long is cut in the middle."""
    text = json.dumps(observation, ensure_ascii=False)
    if len(text) <= CHARACTERS:
        return text
    half = CHARACTERS // 2
    return f"{text[:half]} ... ({len(text) - 2 * half} characters left out) ... {text[-half:]}"
