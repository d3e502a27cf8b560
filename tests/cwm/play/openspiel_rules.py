"""What OpenSpiel demands of any sequential game, as its own integration tests do of the games in it."""

from __future__ import annotations

import random

import pyspiel
import pytest
from open_spiel.python.observation import make_observation

Kind = pyspiel.GameType
PRIVATE = pyspiel.IIGObservationType(
    public_info=False, perfect_recall=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
)
PUBLIC = pyspiel.IIGObservationType(
    public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
)


def random_game(game, seed):
    """The states of a random game, in order."""
    rng, states = random.Random(seed), [game.new_initial_state()]
    while not states[-1].is_terminal():
        states.append(states[-1].child(rng.choice(states[-1].legal_actions())))
    return states


def check(game, seed=0):
    """Asserts the rules on one random game."""
    states = random_game(game, seed)
    check_turns(game, states)
    check_payments(game, states)
    check_memories(game, states)
    check_observers(game, states)
    for state in (states[0], states[len(states) // 2], states[-1]):
        check_there_are_no_other_players(game, state)


def check_turns(game, states):
    players = range(game.num_players())
    for state in states:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            assert [outcome for outcome, _ in outcomes] == state.legal_actions()
            assert game.get_type().chance_mode != Kind.ChanceMode.DETERMINISTIC
            continue
        for player in players:
            assert bool(state.legal_actions(player)) == (player == state.current_player())
        for action in state.legal_actions():
            name = state.action_to_string(action)
            assert state.string_to_action(name) == action
    assert states[-1].current_player() == pyspiel.PlayerId.TERMINAL and not states[-1].legal_actions()
    decisions = sum(state.current_player() >= 0 for state in states)
    assert decisions <= game.max_game_length()


def check_payments(game, states):
    kind = game.get_type()
    earned = [0.0] * game.num_players()
    for state in states:
        if not state.is_chance_node():
            earned = [before + now for before, now in zip(earned, state.rewards())]
            assert earned == pytest.approx(state.returns())
            if kind.reward_model == Kind.RewardModel.TERMINAL and not state.is_terminal():
                assert not any(state.rewards())
    assert all(game.min_utility() <= amount <= game.max_utility() for amount in earned)
    if kind.utility == Kind.Utility.ZERO_SUM:
        assert sum(earned) == pytest.approx(0) and game.utility_sum() == 0
    else:
        assert game.utility_sum() is None


def check_memories(game, states):
    """No information state is two players', and at a player's turn none comes twice in a game."""
    tensors = game.get_type().provides_information_state_tensor
    seen, owners = set(), {}
    for state in states:
        player = state.current_player()
        if player < 0:
            with pytest.raises(RuntimeError):
                state.information_state_string()
            continue
        text = state.information_state_string()
        assert text == state.information_state_string(player) and text not in seen
        seen.add(text)
        if tensors:
            vector = state.information_state_tensor()
            assert len(vector) == game.information_state_tensor_size()
            assert owners.setdefault(tuple(vector), player) == player


def check_observers(game, states):
    """What is private in a game without secrets is nothing, and no observer calls a player's secret public."""
    private, public = make_observation(game, PRIVATE), make_observation(game, PUBLIC)
    if game.get_type().information == Kind.Information.PERFECT_INFORMATION:
        assert not any(private.string_from(state, 0) for state in states)
        assert all(public.string_from(state, 0) == public.string_from(state, 1) != "" for state in states)
    elif public is not None:
        assert all(public.string_from(state, 0) == public.string_from(state, 1) for state in states)
        assert any(private.string_from(state, 0) != private.string_from(state, 1) for state in states)
    whole = make_observation(game)
    assert whole.string_from(states[-1], 0) == states[-1].observation_string(0)
    recalling = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    if game.get_type().provides_information_state_tensor:
        assert len(recalling.tensor) == game.information_state_tensor_size()
        assert sum(part.size for part in recalling.dict.values()) == len(recalling.tensor)


def check_there_are_no_other_players(game, state):
    kind = game.get_type()
    asked = [state.information_state_string, state.observation_string]
    asked += [state.information_state_tensor] * kind.provides_information_state_tensor
    asked += [state.observation_tensor] * kind.provides_observation_tensor
    for ask in asked:
        with pytest.raises(RuntimeError, match="player >= 0"):
            ask(-1)
        with pytest.raises(RuntimeError, match="player <"):
            ask(game.num_players())
