"""Runs inside the sealed worker beside a world model of a game in which players choose at once: gives the model's states
the methods of OpenSpiel's that the arena's search uses (`arena.bots.simultaneous.search`), and searches with it. Like
`cwm.worker.driver` it reports and judges nothing, is standard library only, and keeps to Python 3.9.
"""

import driver
import joint
import model
import search_at_once


class State:
    """A state of the model with the methods of `pyspiel.State`."""

    __slots__ = ("state", "player")

    def __init__(self, state):
        self._to(state)

    def _to(self, state):
        self.state = state
        self.player = model.current_player(state)

    def clone(self):
        return State(self.state)

    def num_players(self):
        return model.NUM_PLAYERS

    def current_player(self):
        return self.player

    def is_terminal(self):
        return self.player == driver.TERMINAL

    def is_chance_node(self):
        return self.player == driver.CHANCE

    def is_simultaneous_node(self):
        return self.player == driver.SIMULTANEOUS

    def legal_actions(self, player=None):
        if self.player == driver.SIMULTANEOUS:
            return list(model.player_legal_actions(self.state, player))
        return list(model.legal_actions(self.state)) if player in (None, self.player) else []

    def chance_outcomes(self):
        return model.chance_outcomes(self.state)

    def apply_action(self, action):
        self._to(model.apply_action(self.state, action))

    def apply_actions(self, actions):
        self._to(model.apply_actions(self.state, tuple(actions)))

    def returns(self):
        return [float(amount) for amount in model.returns(self.state)]


def search_at(keep, names, player, options):
    """Follows `names`, then searches if `player` chooses there, alone or at once with others; else returns the facts of
    `driver.follow`. `options` are those of `arena.bots.simultaneous.search.Search`.

    Returns the chosen action's name, and the player's strategy as pairs [name, probability]."""
    facts = driver.follow(keep, names)
    if "unknown" in facts:
        return facts
    state = State(driver.followed())
    at_once = state.is_simultaneous_node()
    if (not at_once and state.player != player) or (at_once and not state.legal_actions(player)):
        return facts
    search = search_at_once.Search(options.pop("seed"), **options)
    mix = search.policy(state, player)
    by_action = {
        action: name
        for name, action in (
            joint.moves(state.state).by_player[player]
            if at_once
            else driver.names_of(state.state, state.legal_actions())
        ).items()
    }
    return {
        "name": by_action[search.chosen(mix)],
        "policy": [[by_action[action], chance] for action, chance in mix.items()],
    }
