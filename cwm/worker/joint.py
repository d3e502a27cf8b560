"""Runs inside the sealed worker beside a world model of a game in which players choose at once: their moves by name. Like
`cwm.worker.driver` it is standard library only, and keeps to Python 3.9.
"""

import json

import model


class Moves:
    """The moves that can be made where players choose at once, by name, looked up as in a dict.

    The name of a move is the JSON list of the names of the players' actions (`cwm.trust.moves`), the move itself a tuple
    of numbers, -1 for a player who does not choose. They are not listed, as there may be very many.
    """

    def __init__(self, by_player):
        self.by_player = by_player

    def __len__(self):
        return 1 if any(self.by_player) else 0

    def __contains__(self, name):
        return self._move(name) is not None

    def __getitem__(self, name):
        return self._move(name)

    def _move(self, name):
        try:
            names = json.loads(name)
        except ValueError:
            return None
        if not isinstance(names, list) or len(names) != len(self.by_player):
            return None
        move = []
        for own, by_name in zip(names, self.by_player):
            if (own is None) != (not by_name) or (by_name and own not in by_name):
                return None
            move.append(by_name[own] if by_name else -1)
        return tuple(move)


def moves(state):
    """The moves that can be made in a state in which players choose at once."""
    return Moves(
        [
            {
                model.player_action_name(state, player, action): action
                for action in model.player_legal_actions(state, player)
            }
            for player in range(model.NUM_PLAYERS)
        ]
    )


def name_of(state, move):
    """The name of a move made at once."""
    return json.dumps(
        [
            None if action == -1 else model.player_action_name(state, player, action)
            for player, action in enumerate(move)
        ]
    )


def is_legal(state, move):
    """Whether a move, of whatever form, can be made in a state in which players choose at once."""
    if not isinstance(move, tuple) or len(move) != model.NUM_PLAYERS:
        return False
    legal = [model.player_legal_actions(state, player) for player in range(model.NUM_PLAYERS)]
    return all(action in own if own else action == -1 for action, own in zip(move, legal))


def random_move(state, rand):
    """A random move of a state in which players choose at once."""
    move = []
    for player in range(model.NUM_PLAYERS):
        actions = model.player_legal_actions(state, player)
        move.append(actions[int(rand() * len(actions))] if actions else -1)
    return tuple(move)


def apply(state, move):
    """The state after a move: an action, an outcome, or the actions of players who choose at once."""
    if isinstance(move, tuple):
        return model.apply_actions(state, move)
    return model.apply_action(state, move)


def described_call(move, name):
    """The call by which a move is made, for a language model to read."""
    return "%s(state, %r)  # %s" % ("apply_actions" if isinstance(move, tuple) else "apply_action", move, name)
