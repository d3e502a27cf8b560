"""Luck-adjusted returns by hand, and their mean over every history that a game has."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.policy import TabularPolicy

from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.rating.luck.aivat import Adjustment, expected_returns, grow, table

GOOFSPIEL = "goofspiel(imp_info=True,num_cards=3,points_order=random,returns_type=point_difference)"
PASS, BET = 0, 1


def drawn(game, seed):
    """A policy of each player in one, drawn at random."""
    policy = TabularPolicy(game)
    rng = np.random.default_rng(seed)
    chances = rng.random(policy.action_probability_array.shape) * policy.legal_actions_mask
    policy.action_probability_array[:] = chances / chances.sum(axis=1, keepdims=True)
    return policy


def histories(state, policies, moves=(), chance=1.0, gives_up=None):
    """(moves, returns, forfeit, chance) of every match, by walking the game's own states. `gives_up` is a seat that
    forfeits every third time when it is to move, for which it pays -5 and everybody else gets 7."""
    if state.is_terminal():
        yield moves, tuple(state.returns()), None, chance
        return
    if state.is_chance_node():
        for action, part in state.chance_outcomes():
            yield from histories(
                state.child(action), policies, (*moves, Move(-1, action)), chance * part, gives_up
            )
        return
    movers = [p for p in range(state.num_players()) if state.legal_actions(p)]
    if not state.is_simultaneous_node():
        movers = [state.current_player()]
    if gives_up in movers:
        returns = tuple(-5.0 if seat == gives_up else 7.0 for seat in range(state.num_players()))
        yield moves, returns, ForfeitRecord(gives_up, "crash", "tired"), chance / 3
        chance *= 2 / 3
    for joint in itertools.product(*(policies[p].action_probabilities(state, p).items() for p in movers)):
        child = state.clone()
        if state.is_simultaneous_node():
            child.apply_actions([action for action, _ in joint])
        else:
            child.apply_action(joint[0][0])
        played = tuple(Move(player, action) for player, (action, _) in zip(movers, joint))
        part = math.prod(part for _, part in joint)
        yield from histories(child, policies, (*moves, *played), chance * part, gives_up)


def record(game, moves, returns, forfeit=None, opening=0):
    return MatchRecord(
        str(game), ("bot",) * game.num_players(), 0, opening, None, opening, moves, tuple(returns), forfeit
    )


def arbitrary_values(nodes, players, seed=0):
    values = np.random.default_rng(seed).normal(size=(len(nodes), players)) * 3
    for number, node in enumerate(nodes):
        if node.returns:
            values[number] = node.returns
    return values


@pytest.mark.parametrize("all_seeing", [(), (1,)])
@pytest.mark.parametrize(
    ("game_string", "known", "gives_up"),
    [
        ("kuhn_poker", (), None),
        ("kuhn_poker", (), 1),
        ("kuhn_poker", (0,), None),
        ("kuhn_poker", (0,), 1),
        ("kuhn_poker", (1,), 0),
        ("kuhn_poker", (0, 1), None),
        ("kuhn_poker(players=3)", (0,), None),
        (GOOFSPIEL, (0,), None),
        (GOOFSPIEL, (0,), 1),
        (GOOFSPIEL, (), None),
    ],
)
def test_the_mean_is_that_of_the_returns_whatever_the_values_are(game_string, known, gives_up, all_seeing):
    game = pyspiel.load_game(game_string)
    players = game.num_players()
    policies = [drawn(game, seed) for seed in range(players)]
    nodes = grow(game)
    told = [table(policy) if seat in known else None for seat, policy in enumerate(policies)]
    adjustment = Adjustment(nodes, told, arbitrary_values(nodes, players), all_seeing)
    matches = list(histories(game.new_initial_state(), policies, gives_up=gives_up))
    chances = np.array([chance for *_, chance in matches])
    raw = np.array([returns for _, returns, _, _ in matches])
    adjusted = np.array([adjustment.adjusted(record(game, *match)) for *match, _ in matches])
    assert chances.sum() == pytest.approx(1)
    assert chances @ adjusted == pytest.approx(chances @ raw, abs=1e-9)
    assert np.abs(adjusted - raw).max() > 0.1
    low, high = adjustment.bounds(None if gives_up is None else (-5.0, 7.0))
    assert adjusted.min() >= low - 1e-9 and adjusted.max() <= high + 1e-9
    if gives_up is None:
        assert (adjusted.min(), adjusted.max()) == pytest.approx((low, high))


class Peeks:
    """Bets against the lower card, which it does not see."""

    def action_probabilities(self, state, player):
        cards = state.history()[:2]
        return {PASS: 0.0, BET: 1.0} if cards[player] > cards[1 - player] else {PASS: 0.9, BET: 0.1}


def test_a_bot_that_peeks_is_measured_right_where_it_is_not_trusted_and_wrong_where_it_is():
    game = pyspiel.load_game("kuhn_poker")
    policy, nodes = drawn(game, 1), grow(game)
    matches = list(histories(game.new_initial_state(), [policy, Peeks()]))
    chances = np.array([chance for *_, chance in matches])
    true = chances @ [returns[1] for _, returns, _, _ in matches]
    for seers, error in (((1,), 0.0), ((), 0.02)):
        adjustment = Adjustment(nodes, [table(policy), None], arbitrary_values(nodes, 2), seers)
        mean = chances @ [adjustment.adjusted(record(game, *match))[1] for *match, _ in matches]
        assert abs(mean - true) == pytest.approx(0, abs=1e-9) if not error else abs(mean - true) > error


@pytest.mark.parametrize("game_string", ["kuhn_poker", "kuhn_poker(players=3)"])
def test_nothing_is_left_to_luck_between_known_policies(game_string):
    game = pyspiel.load_game(game_string)
    policies = [drawn(game, seed) for seed in range(game.num_players())]
    nodes, told = grow(game), [table(policy) for policy in policies]
    exact = policy_value(game.new_initial_state(), policies)
    values = expected_returns(nodes, told)
    assert values[0] == pytest.approx(exact)
    adjustment = Adjustment(nodes, told, values)
    for moves, returns, forfeit, _ in histories(game.new_initial_state(), policies):
        assert adjustment.adjusted(record(game, moves, returns, forfeit)) == pytest.approx(exact)
    assert adjustment.bounds() == pytest.approx((min(exact), max(exact)))


def test_true_values_leave_only_the_spread_of_unknown_decisions():
    """The variance by hand: of the true value after a decision of the unknown player, given what it sees."""
    game = pyspiel.load_game("kuhn_poker")
    policies = [drawn(game, 3), drawn(game, 4)]
    nodes, told = grow(game), [table(policy) for policy in policies]
    values = expected_returns(nodes, told)
    matches = list(histories(game.new_initial_state(), policies))
    spread = {}
    for known in ((), (0,), (0, 1)):
        adjustment = Adjustment(nodes, [told[s] if s in known else None for s in (0, 1)], values)
        found = np.array([adjustment.adjusted(record(game, *match))[0] for *match, _ in matches])
        chances = np.array([chance for *_, chance in matches])
        spread[known] = chances @ (found - chances @ found) ** 2
    raw = np.array([returns[0] for _, returns, _, _ in matches])
    # Of the other player's one decision, after what it saw: its card and the first action.
    own = 0.0
    for card, first in itertools.product(range(3), (PASS, BET)):
        rows = [
            (moves, returns[0], chance)
            for moves, returns, _, chance in matches
            if moves[1].action == card and moves[2].action == first
        ]
        by = {
            action: [(value, chance) for moves, value, chance in rows if moves[3].action == action]
            for action in (PASS, BET)
        }
        weight = {action: sum(chance for _, chance in part) for action, part in by.items()}
        mean = {action: sum(v * c for v, c in part) / weight[action] for action, part in by.items()}
        centre = sum(weight[a] * mean[a] for a in by) / sum(weight.values())
        own += sum(weight[a] * (mean[a] - centre) ** 2 for a in by)
    assert spread[0,] == pytest.approx(own)
    assert spread[0, 1] == pytest.approx(0) and own < spread[()] < chances @ (raw - chances @ raw) ** 2


def always(game, action):
    policy = TabularPolicy(game)
    policy.action_probability_array[:] = np.eye(2)[action]
    return table(policy)


def kuhn(cards, *actions):
    """A match in which seats act in turn."""
    game = pyspiel.load_game("kuhn_poker")
    moves = (*(Move(-1, card) for card in cards), *(Move(i % 2, action) for i, action in enumerate(actions)))
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(move.action)
    return record(game, moves, state.returns() if state.is_terminal() else (2.0, -2.0))


@pytest.mark.parametrize(
    ("cards", "answer", "seeing", "all_seeing"),
    [
        # With a jack it is taken to lose 2, and gains what that is too much: a fold pays seat 0 1 - 2.
        ((2, 0), PASS, -1, -1),
        ((1, 0), BET, 0, 0),
        # With a queen the other card is the jack as often as the king; who sees the jack is taken to win 2.
        ((0, 1), PASS, 1, 3),
        ((2, 1), PASS, 1, -1),
        ((0, 1), BET, 0, 0),
        ((2, 1), BET, 0, 0),
        ((1, 2), PASS, 3, 3),
        ((0, 2), BET, 0, 0),
    ],
)
def test_matches_by_hand(cards, answer, seeing, all_seeing):
    """Seat 0 always bets and is known to; seat 1 is unknown and taken to call always."""
    game = pyspiel.load_game("kuhn_poker")
    nodes, bets = grow(game), always(game, BET)
    values = expected_returns(nodes, [bets, bets])
    for seers, expected in (((), seeing), ((1,), all_seeing)):
        adjusted = Adjustment(nodes, [bets, None], values, seers).adjusted(kuhn(cards, BET, answer))
        assert adjusted == pytest.approx([expected, -expected])


def test_a_forfeit_keeps_its_returns_and_is_adjusted_for_the_draws_before():
    game = pyspiel.load_game("kuhn_poker")
    nodes, bets = grow(game), always(game, BET)
    adjustment = Adjustment(nodes, [bets, None], expected_returns(nodes, [bets, bets]))
    given_up = replace(kuhn((2, 0), BET), forfeit=ForfeitRecord(1, "timeout", "slow"))
    assert adjustment.adjusted(given_up) == pytest.approx([2 - 2, -2 + 2])


def test_an_opening_is_taken_as_given():
    game = pyspiel.load_game("kuhn_poker")
    nodes, bets = grow(game), always(game, BET)
    adjustment = Adjustment(nodes, [bets, bets], expected_returns(nodes, [bets, bets]))
    played = kuhn((2, 0), BET, BET)
    assert adjustment.adjusted(played) == pytest.approx([0, 0])
    assert adjustment.adjusted(replace(played, opening_length=2)) == pytest.approx([2, -2])
    assert adjustment.adjusted(replace(played, opening_length=1)) == pytest.approx([2, -2])  # it holds the king


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (
            {"moves": kuhn((2, 0), PASS, PASS).moves},
            "move 2 of bot: action 0, expected one that its policy makes",
        ),
        ({"moves": (Move(-1, 2), Move(-1, 2))}, "move 1"),
        ({"returns": (1.0, -1.0)}, "returns are"),
    ],
)
def test_matches_of_another_game_or_bot_are_refused(change, part):
    game = pyspiel.load_game("kuhn_poker")
    nodes, bets = grow(game), always(game, BET)
    adjustment = Adjustment(nodes, [bets, None], expected_returns(nodes, [bets, bets]))
    with pytest.raises(ValueError, match=part):
        adjustment.adjusted(replace(kuhn((2, 0), BET, BET), **change))
