from __future__ import annotations

import importlib
import json
import zlib

import numpy as np
import pyspiel
import pytest
from open_spiel.python.policy import TabularPolicy

from arena.bots import policies
from arena.bots.policies import exploitability, policy_from_bot
from arena.registry.games import load_game
from tests.runs import warm

registry = importlib.import_module("arena.registry.bots")

PASS, BET = 0, 1


class PolicyBot(pyspiel.Bot):
    """Plays the distribution that a function of (state, player) gives."""

    def __init__(self, distribution):
        super().__init__()
        self._distribution = distribution

    def restart_at(self, state):
        pass

    def provides_policy(self):
        return True

    def get_policy(self, state):
        return list(self._distribution(state, state.current_player()).items())


def found(distribution, game):
    return exploitability(policy_from_bot(PolicyBot(distribution), game), game)


# NashConv of the uniform policy: OpenSpiel's exploitability_test.py; that of Leduc was "verified in a
# number of independent code bases".
@pytest.mark.parametrize(
    "name, nash_conv, infostates",
    [("kuhn_poker", 11 / 12, 12), ("leduc_poker", 4.747222222222222, 936), ("python_kuhn_poker", 11 / 12, 12)],
)
def test_uniform_policy(name, nash_conv, infostates):
    game = load_game(name)
    uniform = exploitability(policy_from_bot("random", game), game)
    assert uniform.nash_conv == pytest.approx(nash_conv)
    assert uniform.exploitability == pytest.approx(nash_conv / 2)
    assert uniform.infostates == infostates


def test_three_players():
    game = load_game("kuhn_poker(players=3)")
    uniform = exploitability(policy_from_bot("random", game), game)
    assert uniform.nash_conv == pytest.approx(pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)))
    assert uniform.exploitability is None and len(uniform.best_response_values) == 3


# H. W. Kuhn, A simplified two-person poker (1950): the first player bluffs with the jack with any
# probability of up to 1/3, which decides the rest; the game is worth -1/18 to it.
def kuhn_equilibrium(alpha, **changes):
    bets = {
        "0": alpha,
        "1": 0.0,
        "2": 3 * alpha,  # the first player opens
        "0pb": 0.0,
        "1pb": alpha + 1 / 3,
        "2pb": 1.0,  # it is bet at after its pass
        "0p": 1 / 3,
        "1p": 0.0,
        "2p": 1.0,
        "0b": 0.0,
        "1b": 1 / 3,
        "2b": 1.0,
        **changes,
    }

    def distribution(state, player):
        bet = bets[state.information_state_string(player)]
        return {PASS: 1 - bet, BET: bet}

    return distribution


@pytest.mark.parametrize("alpha", [0.0, 0.2, 1 / 3])
def test_an_equilibrium_of_kuhn_poker_cannot_be_exploited(alpha):
    equilibrium = found(kuhn_equilibrium(alpha), load_game("kuhn_poker"))
    assert equilibrium.nash_conv == pytest.approx(0, abs=1e-12)
    assert equilibrium.values == pytest.approx((-1 / 18, 1 / 18))
    assert equilibrium.best_response_values == pytest.approx((-1 / 18, 1 / 18))


def test_what_lies_beside_the_equilibrium_can_be():
    # The first player bluffs with one jack in five and never bets the king, so the second one calls
    # with the queen, always instead of one time in three, and each time more wins 2 instead of
    # losing 1, in the one deal of six that is jack to queen.
    policy = found(kuhn_equilibrium(0.2, **{"2": 0.0}), load_game("kuhn_poker"))
    assert policy.best_response_values[1] - policy.values[1] >= 3 * 0.2 / 6 * 2 / 3 - 1e-12


def test_always_passing_by_hand():
    # Either player then bets every hand and wins the ante of 1; nobody gains when both pass.
    passive = found(lambda state, player: {PASS: 1.0}, load_game("kuhn_poker"))
    assert passive.values == (0, 0) and passive.best_response_values == (1, 1)
    assert (passive.nash_conv, passive.exploitability) == (2, 1)


def test_players_that_move_at_once():
    game = load_game("matrix_rps")
    bots = [pyspiel.make_uniform_random_bot(0, 1), PolicyBot(lambda state, player: {0: 1.0})]
    mixed = exploitability(policy_from_bot(bots, game), game)
    assert mixed.values == pytest.approx((0, 0), abs=1e-12)
    assert mixed.best_response_values == pytest.approx((1, 0), abs=1e-12)  # paper beats rock
    assert exploitability(policy_from_bot("random", game), game).nash_conv == pytest.approx(0)
    # General-sum: both defect for 10 against what is mixed; OpenSpiel's prisoners get 5, 0, 10 and 1.
    dilemma = exploitability(policy_from_bot("random", load_game("matrix_pd")), load_game("matrix_pd"))
    assert dilemma.values == (4, 4) and dilemma.best_response_values == (5.5, 5.5)
    assert dilemma.exploitability is None


def by_hash(state, player):
    """A distribution that differs from one information state to the next and has zeros."""
    legal = state.legal_actions(player)
    rng = np.random.default_rng(zlib.crc32(state.information_state_string(player).encode()))
    weights = rng.integers(0, 3, len(legal))
    weights[-1] += 1
    return dict(zip(legal, (weights / weights.sum()).tolist()))


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "leduc_poker", "liars_dice(numdice=1,dice_sides=3)", "nim(pile_sizes=1;2;2)"]
)
def test_against_openspiels_own_code(name):
    game = load_game(name)
    policy = policy_from_bot(PolicyBot(by_hash), game)
    assert isinstance(policy, TabularPolicy)
    theirs = pyspiel.TabularPolicy(policy.to_dict())
    own = exploitability(policy, game)
    assert own.nash_conv == pytest.approx(pyspiel.nash_conv(game, theirs))
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    expected = by_hash(state, state.current_player())
    assert policy.action_probabilities(state) == pytest.approx(expected)


def test_a_bot_that_peeks_is_caught():
    def peek(state, player):
        cards = state.history()[:2]
        bet = float(len(cards) < 2 or cards[player] > cards[1 - player])
        return {PASS: 1 - bet, BET: bet}

    with pytest.raises(ValueError) as caught:
        policy_from_bot(PolicyBot(peek), load_game("kuhn_poker"))
    # With the middle card, and with no other, who sees the other's card can play in two ways.
    assert "have the information state '1" in str(caught.value)
    assert "must not look at what is hidden" in str(caught.value)


def test_bots_without_a_distribution_are_refused():
    with pytest.raises(ValueError, match=r"bot 'mcts\(simulations=4\)' does not give the distribution"):
        policy_from_bot("mcts(simulations=4)", load_game("kuhn_poker"))


@pytest.mark.parametrize(
    "distribution, part",
    [
        ({PASS: 0.5}, "sum to 0.5"),
        ({PASS: 0.5, 7: 0.5}, "action 7 the probability 0.5"),
        ({PASS: 1.5, BET: -0.5}, "action 0 the probability 1.5"),
        ({PASS: float("nan"), BET: 1.0}, "the probability nan"),
    ],
)
def test_wrong_distributions(distribution, part):
    with pytest.raises(ValueError, match=part):
        policy_from_bot(PolicyBot(lambda state, player: distribution), load_game("kuhn_poker"))


@pytest.mark.parametrize(
    "game, part",
    [
        ("connect_four", "connect_four has more than 1,000 decisions.* a higher --max_states"),
        ("mfg_crowd_modelling", "no tree of states"),
        # Both players see "coins, coins": OpenSpiel's table has one row for the two.
        ("oshi_zumo(coins=4,size=1)", "the same information state"),
    ],
)
def test_games_that_have_no_such_policy(game, part):
    with pytest.raises(ValueError, match=part):
        policy_from_bot("random", load_game(game), max_states=1000)


def test_a_game_of_moves_at_once_is_named_as_it_was_given():
    with pytest.raises(
        ValueError, match=r"^game goofspiel\(num_cards=6\) has more than 1,000 decisions.*--estimate"
    ):
        exploitability("random", load_game("goofspiel(num_cards=6)"), max_states=1000)


def test_a_table_of_thousands_of_actions_is_refused_in_time(monkeypatch):
    monkeypatch.setattr(policies, "MAX_TABLE", 2_000_000)
    with pytest.raises(ValueError, match="table of more than 2000000 numbers"):
        policy_from_bot("random", load_game("chess"))


def test_bots_by_seat_must_be_as_many_as_players():
    with pytest.raises(ValueError, match="expected one for each of its 2 players, found 1"):
        policy_from_bot([PolicyBot(by_hash)], load_game("kuhn_poker"))


def test_bots_are_restarted_where_they_are_asked_and_closed(monkeypatch):
    monkeypatch.setattr(registry, "_entries", dict(registry.bots()))
    closed = []

    class Careful(PolicyBot):
        def __init__(self):
            super().__init__(by_hash)
            self._at = None

        def restart_at(self, state):
            self._at = state.history()

        def get_policy(self, state):
            assert self._at == state.history()
            return super().get_policy(state)

        def close(self):
            closed.append(self)

    registry.register_bot("careful", summary="")(lambda game, player_id, seed: Careful())
    policy_from_bot("careful", load_game("kuhn_poker"))
    assert len(closed) == 2
    monkeypatch.setattr(policies, "_TOLERANCE", -1.0)  # so that each distribution is refused
    with pytest.raises(ValueError):
        policy_from_bot("careful", load_game("kuhn_poker"))
    assert len(closed) == 4


def _run(*arguments):
    return warm.run("arena.exploitability", *arguments)


def test_command(tmp_path):
    done = _run("--game=kuhn_poker", "--bots=random", f"--json={tmp_path / 'e.json'}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2].split() == [
        "random",
        "0.916667",
        "0.458333",
        "12",
        "0.125000",
        "0.500000",
        "-0.125000",
        "0.416667",
    ]
    value = json.loads((tmp_path / "e.json").read_text())["bots"]["random"]
    assert value["nash_conv"] == pytest.approx(11 / 12) and value["infostates"] == 12
    refused = _run("--game=kuhn_poker", "--bots=random,mcts")
    assert refused.returncode == 2 and refused.stdout == ""
    assert refused.stderr.startswith("error: bot 'mcts' does not give the distribution")
    assert "python -m arena.exploitability --estimate" in refused.stderr
    assert refused.stderr.count("\n") == 1
