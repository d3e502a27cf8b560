"""Runs inside the sealed worker beside a world model: plays many games at once for a learner outside. Like
`cwm.worker.driver` it reports and judges nothing, is standard library only, and keeps to Python 3.9.
"""

import random

import driver
import model
import uct

_games = []


def begin(seeds):
    """Starts a game for each seed, with which its chance is drawn, instead of the games before.

    Returns a row for each: {"player": who is to move, -4 at the end, "legal": names, "seen": what each
    player saw in every state since the row before, this one included, "returns": of the players}.
    """
    del _games[:]
    for seed in seeds:
        _games.append([model.initial_state(), random.Random(seed), 0])
    return [_row(game) for game in _games]


def advance(moves):
    """Plays one action, by name, in each of these games, given by number; returns their rows as in `begin`."""
    rows = []
    for number, name in moves:
        game = _games[number]
        game[0] = model.apply_action(game[0], driver.names_of(game[0], model.legal_actions(game[0]))[name])
        game[2] += 1
        if game[2] > model.MAX_GAME_LENGTH:
            raise ValueError("a game lasts longer than MAX_GAME_LENGTH = %r actions" % (model.MAX_GAME_LENGTH,))
        rows.append(_row(game))
    return rows


def _row(game):
    seen = []
    while True:
        state = game[0]
        seen.append([model.observation(state, player) for player in range(model.NUM_PLAYERS)])
        player = model.current_player(state)
        if player != driver.CHANCE:
            break
        game[0] = model.apply_action(state, uct.sample(model.chance_outcomes(state), game[1].random()))
    legal = list(driver.names_of(state, model.legal_actions(state))) if player >= 0 else []
    return {
        "player": player,
        "legal": legal,
        "seen": seen,
        "returns": [float(amount) for amount in model.returns(state)],
    }
