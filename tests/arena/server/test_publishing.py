"""What a player may not know is in no frame.

Two positions that a player cannot tell apart must give this player the same bytes, from the start of the match on.
Such positions come from OpenSpiel: it draws them (`resample_from_infostate`), or all histories of a small game are
gone through and those put together whose information states are equal.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict

import numpy as np
import pyspiel
import pytest

from arena.bots.reference import can_resample
from arena.matches.records import Move
from arena.registry.games import import_games, load_game, silenced_stderr
from arena.server.publishing import ALL, PUBLIC, Publisher, all_see_all
from games.seeing import pending_moves

MOVES = 36
"""Moves of a random match that are looked at."""
EVERY = 4
"""A hidden part is drawn anew after each so many moves."""


def hidden_games():
    """All games with hidden information that can be loaded without parameters and draw what a player cannot see."""
    import_games()
    names = []
    for kind in pyspiel.registered_games():
        explicit = kind.chance_mode != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        turns = kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
        secret = kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        if kind.default_loadable and explicit and turns and secret and kind.max_num_players > 1:
            names.append(kind.short_name)
    return names


def made_by_this_suite(name):
    return type(load_game(name)).__module__.partition(".")[0] == "games"


def streams(game, history, audiences):
    """The bytes that each audience is sent while `history` is played."""
    publisher = Publisher(audiences)
    state = game.new_initial_state()
    sent = {audience: [] for audience in audiences}

    def publish(moves):
        for audience, frame in publisher.update(state.clone(), moves).items():
            sent[audience].append(json.dumps(frame))

    publish(())
    rest = list(history)
    while rest:
        if state.is_simultaneous_node():
            joint, rest = rest[: game.num_players()], rest[game.num_players() :]
            moves = [Move(player, action) for player, action in enumerate(joint) if action >= 0]
            state.apply_actions(joint)
        else:
            moves = [Move(int(state.current_player()), rest.pop(0))]
            state.apply_action(moves[0].action)
        publish(moves)
    return sent


def at_random(state, rng):
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choice(outcomes, p=np.array(chances) / sum(chances)))
    return int(rng.choice(state.legal_actions()))


def drawn_again(state, player, rng):
    if pending_moves.is_turn_based(state.get_game()):
        return pending_moves.resampled(state, player, rng.random)
    return state.resample_from_infostate(player, rng.random)


@pytest.mark.parametrize("name", hidden_games())
def test_positions_that_a_player_cannot_tell_apart_give_the_same_bytes(name):
    game = load_game(name)
    with silenced_stderr():
        if game.num_players() < 2 or not can_resample(game):
            pytest.skip(f"{name} draws no hidden part")
    rng = np.random.default_rng(11)
    state = game.new_initial_state()
    compared = differing = 0
    decisions = 0
    while not state.is_terminal() and decisions < MOVES:
        if not state.is_chance_node():
            decisions += 1
        if not state.is_chance_node() and decisions % EVERY == 1 and compared < 10:
            player = int(state.current_player())
            history = state.history()
            own = streams(game, history, (player, PUBLIC))
            for _ in range(2):
                other = drawn_again(state, player, rng).history()
                assert streams(game, other, (player, PUBLIC)) == own
                compared += 1
                differing += other != history
        state.apply_action(at_random(state, rng))
    assert compared


GAMES = 250
"""Random games that are put together by what a player knows."""
DEPTH = 5
"""Decisions of each of them."""
MEET = {
    "dark_hex(num_rows=3,num_cols=3)",
    "dark_chess",
    "goofspiel(imp_info=True,num_cards=4,points_order=descending)",
    "hand_of_war",
    "kriegspiel",
    "kuhn_poker(players=3)",
    "leduc_poker(players=3)",
    "liars_dice",
    "liars_dice(numdice=2)",
    "micro_rts",
    "phantom_go(board_size=3)",
    "phantom_ttt",
    "quadranto",
    "turn_based_simultaneous_game(game=goofspiel(num_cards=4))",
}
"""Games in which some of so few random games must look alike to a player, or the test would say nothing."""


def told(game, state, player):
    if game.get_type().provides_information_state_string:
        return state.information_state_string(player)
    return state.observation_string(player)


def knowledge(game, history, player):
    """What a player has been told at each own decision, with what the player did there; the last one is open. Some of
    OpenSpiel's information states forget, which no player does."""
    state, known, rest = game.new_initial_state(), [], list(history)
    while rest:
        if state.is_simultaneous_node():
            joint, rest = rest[: game.num_players()], rest[game.num_players() :]
            known.append((told(game, state, player), joint[player]))
            state.apply_actions(joint)
        else:
            if int(state.current_player()) == player:
                known.append((told(game, state, player), rest[0]))
            state.apply_action(rest.pop(0))
    return (*known, told(game, state, player))


@pytest.mark.parametrize("name", sorted({*hidden_games(), *MEET} - {"hearts", "bridge", "battleship"}))
def test_random_games_that_look_alike_to_a_player_give_the_same_bytes(name):
    game = load_game(name)
    kind = game.get_type()
    if not (kind.provides_information_state_string or kind.provides_observation_string):
        pytest.skip(f"{name} tells nobody anything")
    if kind.short_name.startswith("turn_based") or name in MEET or game.max_game_length() < 5000:
        games = GAMES
    else:
        games = 40
    rng = np.random.default_rng(3)
    alike = defaultdict(dict)
    for _ in range(games):
        state, decisions = game.new_initial_state(), 0
        for _ in range(200):
            if state.is_terminal() or (decisions >= rng.integers(1, DEPTH + 1) and not state.is_chance_node()):
                break
            if state.is_simultaneous_node():
                joint = [int(rng.choice(state.legal_actions(seat))) for seat in range(game.num_players())]
                state.apply_actions(joint)
                decisions += 1
            else:
                decisions += not state.is_chance_node()
                # Few of the first ones, so that games meet; chance is left to itself.
                legal = state.legal_actions()
                action = at_random(state, rng) if state.is_chance_node() else int(rng.choice(legal[:3]))
                state.apply_action(action)
        if state.is_terminal() or state.is_chance_node():
            continue
        history = tuple(state.history())
        for player in range(game.num_players()) if state.is_simultaneous_node() else [state.current_player()]:
            alike[player, knowledge(game, history, player)][history] = True
    compared = 0
    for (player, _), histories in alike.items():
        first, *others = list(histories)[:4]
        if others:
            own = streams(game, first, (player,))
            for other in others:
                assert streams(game, other, (player,)) == own
                compared += 1
    if name in MEET:
        assert compared > 0


def test_those_without_a_seat_see_no_card_before_the_end():
    """In leduc_poker each card has a name of its own, which must not be sent before it lies on the table."""
    game = load_game("leduc_poker")
    rng = np.random.default_rng(2)
    for _ in range(20):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(at_random(state, rng))
        sent = streams(game, state.history(), (PUBLIC, 0, 1, ALL))
        cards = [f"{'JQK'[card // 2]}{'sh'[card % 2]}" for card in state.history()[:2]]
        board = (
            f"{'JQK'[state.public_card() // 2]}{'sh'[state.public_card() % 2]}"
            if state.public_card() >= 0
            else ""
        )
        for audience, hidden in ((PUBLIC, cards), (0, cards[1:]), (1, cards[:1])):
            texts = "".join(re.sub(r'"picture": "[^"]*"', "", frame) for frame in sent[audience])
            assert not [card for card in hidden if card in texts and card != board]
        assert all(card in "".join(sent[ALL]) for card in cards)


def test_open_games_are_told_to_everybody_with_the_number_of_moves():
    game = load_game("tic_tac_toe")
    assert all_see_all(game)
    sent = streams(game, [4, 0, 1], (PUBLIC, 0, 1))
    assert [json.loads(frame)["made"] for frame in sent[PUBLIC]] == [0, 1, 2, 3]
    assert [json.loads(frame)["events"] for frame in sent[1]][1:] == [
        [{"player": 0, "name": "x(1,1)"}],
        [{"player": 1, "name": "o(0,0)"}],
        [{"player": 0, "name": "x(0,1)"}],
    ]
    assert "o(0,2)" in json.loads(sent[1][-1])["legal"] and json.loads(sent[0][-1])["legal"] == []


def test_a_move_that_others_do_not_notice_makes_no_frame():
    """In phantom tic-tac-toe a player who meets a taken cell tries again, of which the other one learns nothing."""
    game = load_game("phantom_ttt")
    once = streams(game, [4, 0], (0,))
    again = streams(game, [4, 4, 0], (0,))
    assert once == again
