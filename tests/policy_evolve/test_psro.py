"""Tables of policies and policy-space response oracles, against known values of small games."""

from __future__ import annotations

import json

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import exploitability

from language_models import Completion
from policy_evolve import psro
from policy_evolve.compare import add_exploitability
from policy_evolve.evolution.settings import random_program
from policy_evolve.policies.program import Program
from policy_evolve.policies.tabular import tabular
from runs.run_folder import open_folder

KUHN = pyspiel.load_game("kuhn_poker")
BET = Program("bet", "def act(observation, memory):\n    return 'Bet'\n")
# As player 1 it bets at its first move, and whoever has moved passes.
ONCE = Program(
    "once",
    """
def act(observation, memory):
    if memory.get("passed"):
        return "Pass"
    memory["passed"] = True
    return "Pass" if observation["player"] == 0 else "Bet"
""",
)
COIN = Program("coin", "import random\ndef act(observation, memory):\n    return int(random.random() < 0.25)\n")


def test_tables_of_policies():
    bet = tabular(KUHN, BET, samples=3)
    assert (bet.action_probability_array == [0, 1]).all()
    once = tabular(KUHN, ONCE, samples=3)
    for state in once.states:  # in Kuhn poker player 1 has one move at most
        assert once.action_probabilities(state)[1] == (state.current_player() == 1)
    coin, again = (tabular(KUHN, COIN, samples=400).action_probability_array for _ in range(2))
    assert np.abs(coin[:, 1] - 0.25).max() < 4.5 * (0.25 * 0.75 / 400) ** 0.5
    assert (coin == again).all()


def test_a_table_of_the_random_policy_is_about_as_exploitable_as_the_uniform_one():
    """11 / 12 is the NashConv of uniform play in Kuhn poker, known from OpenSpiel."""
    game = pyspiel.load_game("kuhn_poker")
    table = tabular(game, random_program("kuhn_poker"), samples=2000)
    assert exploitability.nash_conv(game, table) == pytest.approx(11 / 12, abs=0.1)
    assert exploitability.nash_conv(game, policies.TabularPolicy(game)) == pytest.approx(11 / 12)


def test_randomness_on_the_way_is_conditioned_on():
    """Who tosses a coin between call and raise once, and keeps to it, is sure to do again what it did."""
    game = pyspiel.load_game("leduc_poker")
    keeps = Program(
        "keeps",
        "import random\ndef act(observation, memory):\n"
        "    first = memory.setdefault('choice', random.choice(['call', 'raise']))\n"
        "    return first if first in observation['legal'] else 'call'\n",
    )
    table = tabular(game, keeps, samples=40)
    checked = 0
    for state in table.states:
        own = [move.action for move in state.full_history() if move.player == state.current_player()]
        if own in ([1], [2]):  # call, raise
            checked += 1
            expected = own[0] if own[0] in state.legal_actions() else 1
            assert table.action_probabilities(state)[expected] == 1
    assert checked > 100


def test_a_comparison_adds_how_exploitable_policies_are():
    """Compared with OpenSpiel's figure for a table written by hand."""
    by_hand = policies.TabularPolicy(KUHN)
    by_hand.action_probability_array[:] = [0, 1]
    nonsense = Program(
        "nonsense", "def act(observation, memory):\n    return 'x' if observation['history'] else 0\n"
    )
    result = {"policies": [{}, {}]}
    add_exploitability(result, KUHN, [BET, nonsense])
    assert result["policies"][0]["nash_conv"] == pytest.approx(exploitability.nash_conv(KUHN, by_hand))
    assert result["policies"][1]["nash_conv"] is None
    with pytest.raises(ValueError, match="simultaneous moves"):
        add_exploitability(result, pyspiel.load_game("goofspiel(num_cards=3)"), [BET, nonsense])


def test_unfit_games_are_refused():
    for name in ("goofspiel(num_cards=3)", "wrestle"):
        with pytest.raises(ValueError, match="for a table of a policy"):
            tabular(pyspiel.load_game(name), BET)
    with pytest.raises(ValueError, match="expected two players, found 3"):
        psro.check(pyspiel.load_game("kuhn_poker(players=3)"))
    with pytest.raises(ValueError, match="zero-sum"):
        psro.check(pyspiel.load_game("bargaining"))
    with pytest.raises(ValueError, match="breakthrough.*: expected a game with information states"):
        psro.check(pyspiel.load_game("breakthrough"))


def test_equilibria_of_matrix_games():
    rock_paper_scissors = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    for mixture in psro.equilibrium(rock_paper_scissors):
        assert mixture == pytest.approx([1 / 3] * 3)
    # Weighted so that the row player wins 2 with its first row: 1/3 against 2/3, by hand.
    row, column = psro.equilibrium(np.array([[2.0, -1.0], [-1.0, 0.0]]))
    assert row == pytest.approx([0.25, 0.75]) and column == pytest.approx([0.25, 0.75])


@given(hnp.arrays(float, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.floats(-5, 5)))
@settings(deadline=None)
def test_nobody_gains_by_leaving_an_equilibrium(payoffs):
    row, column = psro.equilibrium(payoffs)
    value = row @ payoffs @ column
    assert (payoffs @ column).max() <= value + 1e-6 and (row @ payoffs).min() >= value - 1e-6


def test_an_exact_oracle_finds_the_equilibrium_of_kuhn_poker():
    """Its value is -1/18 for the first player (Kuhn 1950)."""
    loop = psro.exact(KUHN, psro.Strategy(policies.TabularPolicy(KUHN)), 12)
    assert loop.rows[0]["nash_conv"] == pytest.approx(11 / 12)
    assert loop.rows[-1]["nash_conv"] < 1e-6 and loop.rows[-1]["value"] == pytest.approx(-1 / 18)


class _Oracle:
    name = "oracle"

    def __init__(self, sources):
        self.asked = []
        self._sources = sources

    def complete(self, request):
        self.asked.append(request.messages[0].content)
        source = self._sources[int(request.purpose.replace(",", "").split()[2][1:]) - 1]
        return [
            Completion(
                text=f"```python\n{source}```",
                finish_reason="stop",
                prompt_tokens=1,
                completion_tokens=1,
                logprobs=None,
                model="oracle",
            )
        ]


def test_a_language_model_as_the_oracle(tmp_path):
    sources = [BET.source, "def act(observation, memory): return 'Nonesuch'\n", ONCE.source]
    for asks in (True, False):
        open_folder(tmp_path / "run", {"kind": "psro"})
        oracle = _Oracle(sources)
        said = []
        result = psro.run("kuhn_poker", 3, tmp_path / "run", oracle, max_debug=0, say=said.append)
        assert bool(oracle.asked) == asks  # the second time all answers are there
        if asks:
            first = oracle.asked
    assert next(row["nash_conv"] for row in result["llm"]) == result["exact"][0]["nash_conv"]
    assert len(result["llm"]) == len(result["exact"]) == 4
    assert result["llm"][2]["failed"] and result["llm"][2]["nash_conv"] == result["llm"][1]["nash_conv"]
    assert any("Nonesuch" in line for line in said)
    assert "random: probability 1.000 as player 0, 1.000 as player 1" in first[0]
    assert BET.source.strip() in first[1]  # the mixture holds it: it beats a random player
    assert json.loads((tmp_path / "run/psro.json").read_text()) == result
    assert sorted(path.name for path in (tmp_path / "run").glob("*.py")) == ["r001.py", "r003.py"]


def test_the_table_has_each_oracle_in_its_column():
    result = {
        "exact": [{"nash_conv": 0.5}, {"nash_conv": 0.125}],
        "llm": [{"nash_conv": 0.5}, {"nash_conv": 0.25, "failed": True}],
    }
    lines = psro._text(result).splitlines()
    assert lines[0].split("  ")[1:] == ["NashConv, exact oracle", "NashConv, language model"]
    assert [line.split() for line in lines[1:]] == [
        ["0", "0.500000", "0.500000"],
        ["1", "0.125000", "0.250000", "(no", "program)"],
    ]
