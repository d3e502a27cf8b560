"""What cannot be seen has no influence: the hidden part of a state is swapped for another that fits.

Both states are one to the player: all its views up to there are equal. Then what the bot hands to its world
model must be equal to the byte, and so must its move.
"""

from __future__ import annotations

import json
import random

import pytest

from arena.registry.bots import make_bot
from arena.registry.games import load_game
from cwm.play import ismcts_bot
from games.seeing import views
from tests.cwm.play.test_hidden_bot import GAMES, states_to_decide

STATES = 24
CARDS = 52
HAND = 10


def hand_of(state, player):
    """A player's cards in gin rummy, from OpenSpiel's observation tensor: after the two bits that say
    whose it is come 52 for each player's hand, the other one's empty."""
    bits = state.observation_tensor(player)
    return {card for card in range(CARDS) if bits[2 + CARDS * player + card]}


def with_another_hand(state, player, rng):
    """Gin rummy, whose own resampling leaves the history as it was: a card that the other player was dealt
    and has not shown is swapped for one that lies in the stock. None where there is none, or where what was
    done with the hand is then no longer legal."""
    history = state.history()
    start = HAND * (1 - player)
    kept = [place for place in range(start, start + HAND) if history[place] not in history[2 * HAND :]]
    stock = [card for card in range(CARDS) if card not in history]
    if len(history) <= 2 * HAND or not kept or not stock:
        return None
    history[kept[rng.integers(len(kept))]] = stock[rng.integers(len(stock))]
    other = state.get_game().new_initial_state()
    for action in history:
        if other.is_terminal() or action not in other.legal_actions():
            return None
        other.apply_action(action)
    return other


def seen(state, player):
    """All that the player has seen and done."""
    again, pairs = state.get_game().new_initial_state(), []
    for action in state.history():
        own = again.current_player() == player
        pairs.append((views.view(again, player), views.action_name(again, action) if own else None))
        again.apply_action(action)
    return pairs, views.view(state, player)


def twins(name, count, seed):
    """(state, another one that its mover cannot tell from it, the mover), of which the histories differ."""
    game, found = load_game(name), 0
    for state, rng in states_to_decide(game, 10 * count, seed):
        player = state.current_player()
        other = (
            with_another_hand(state, player, rng)
            if name == "gin_rummy"
            else state.resample_from_infostate(player, rng.random)
        )
        if other is None or other.history() == state.history():
            continue
        if seen(state, player) != seen(other, player):
            continue
        found += 1
        yield state, other, player
        if found == count:
            return
    assert found >= count // 2


class Wire:
    """In the place of the worker: keeps what it is asked, and answers with the first legal action."""

    def __init__(self):
        self.asked = []
        self.answer = ""

    def search_seen(self, player, history, options, timeout):
        self.asked.append(json.dumps([player, history, options, timeout]))
        return {
            "name": self.answer,
            "actions": [{"name": self.answer, "visits": 1, "value": 0.0}],
            "drawn_again": 0,
        }


def handed(monkeypatch, spec, state, player, seed):
    """All that a bot's worker is made with and asked, as one text."""
    wire = Wire()

    def pooled(model, use_value, interpreter, seat):
        wire.asked.append(json.dumps([model.path, use_value, interpreter, seat]))
        return wire

    monkeypatch.setattr("cwm.play.mcts_bot.pooled", pooled)
    wire.answer = views.view(state, player).legal[0]
    make_bot(spec, state.get_game(), player, seed).step(state)
    return "\n".join(wire.asked)


@pytest.mark.parametrize("name", GAMES)
def test_what_cwm_ismcts_hands_to_a_shipped_model_is_equal_to_the_byte(monkeypatch, name):
    for number, (state, other, player) in enumerate(twins(name, STATES, 11)):
        texts = [
            handed(
                monkeypatch, f"cwm_ismcts(inference={('history', 'state')[number % 2]})", shown, player, number
            )
            for shown in (state, other)
        ]
        assert texts[0] == texts[1]


@pytest.mark.parametrize("name", GAMES)
def test_this_test_would_notice_a_bot_that_peeks(monkeypatch, name):
    def peeked(self):
        return [views.view(self._state, seat).data for seat in range(2)]

    monkeypatch.setattr(ismcts_bot.SeenHistory, "_observation", peeked)
    assert all(
        handed(monkeypatch, "cwm_ismcts", state, player, 0)
        != handed(monkeypatch, "cwm_ismcts", other, player, 0)
        for state, other, player in twins(name, 4, 12)
    )


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("inference", ["history", "state"])
def test_cwm_ismcts_plays_the_same_on_shipped_models(name, inference):
    spec = f"cwm_ismcts(model={name}/1,simulations=12,inference={inference})"
    for number, (state, other, player) in enumerate(twins(name, 4, 13)):
        found = []
        for shown in (state, other):
            bot = make_bot(spec, state.get_game(), player, number)
            found.append((bot.step(shown), bot.notes()))
        assert found[0] == found[1]


@pytest.mark.parametrize("name", [name for name in GAMES if name != "gin_rummy"])
def test_the_yardstick_searches_the_same_information_set(name):
    """gt_ismcts knows a state by its information state and by what it resamples from there. OpenSpiel's C++
    search does not quite repeat itself for a seed, so the move is compared in its Python twin."""
    for number, (state, other, player) in enumerate(twins(name, STATES, 14)):
        assert state.information_state_string(player) == other.information_state_string(player)
        moves = [
            make_bot("ismcts(simulations=8,reproducible=true)", state.get_game(), player, number).step(shown)
            for shown in (state, other)
        ]
        assert moves[0] == moves[1]
        drawn = [
            [
                shown.resample_from_infostate(player, random.Random(sample).random).history()
                for sample in range(4)
            ]
            for shown in (state, other)
        ]
        assert drawn[0] == drawn[1]


def test_the_yardstick_draws_gin_rummy_hands_without_a_look_at_the_true_one():
    """OpenSpiel shuffles the unseen cards from the order in which they really lie, so that equal random
    numbers give different hands. Hands drawn blindly share with the true one what a hand of ten unseen
    cards does in the mean (hypergeometric): a tenth of a card more or less here is five standard errors."""
    game, samples, tried = load_game("gin_rummy"), 4_000, 0
    for state, rng in states_to_decide(game, 60, 15):
        player = state.current_player()
        if len(state.history()) > 2 * HAND + 1:
            continue  # the first upcard is the last thing that happened: no hidden card is known
        tried += 1
        unseen = CARDS - HAND - 1
        true = hand_of(state, 1 - player)
        assert true == set(state.history()[HAND * (1 - player) :][:HAND])
        shared = [
            len(true & hand_of(state.resample_from_infostate(player, rng.random), 1 - player))
            for _ in range(samples)
        ]
        assert sum(shared) / samples == pytest.approx(HAND * HAND / unseen, abs=0.1)
        if tried == 3:
            return
    raise AssertionError("there were too few states at the first upcard")
