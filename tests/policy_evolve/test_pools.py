"""Pools, matches and their counting, against values by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_evolve.evolution.pools import Attempt, GlobalPool, LocalPool
from policy_evolve.matches.evaluation import Evaluator, Outcome, Pairing, mirrored, tally, unique
from policy_evolve.matches.rules import MatchRules
from policy_evolve.policies.program import Program
from runs.executors import InlineExecutor, make_executor

A, B, C = (
    Program(name, f"# {name}\ndef act(observation, memory):\n    return {answer}\n")
    for name, answer in (("a", "0"), ("b", "-1 + len(observation['legal'])"), ("c", "99"))
)
RULES = MatchRules("tic_tac_toe", 2)


def _outcome(first, actions=(1, 2), forfeit=None, players=(0, 1), opening=0):
    return Outcome((first, -first), players, actions, opening, forfeit)


def test_elo_by_hand():
    """Equal players move by K / 2; then 1216 against 1184 expects 1 / (1 + 10 ** (-32 / 400))."""
    pool = GlobalPool([A, B])
    pool.record(A, B, 1.0)
    assert [member.elo for member in pool.members] == [1216, 1184]
    pool.record(B, A, 0.5)
    change = 32 * (0.5 - 1 / (1 + 10 ** (32 / 400)))
    assert [member.elo for member in pool.members] == pytest.approx([1216 - change, 1184 + change])


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from((0, 0.5, 1))), max_size=30))
@settings(deadline=None)
def test_ratings_keep_their_sum(results):
    pool = GlobalPool([A, B, C])
    for one, other, score in results:
        if one != other:
            pool.record((A, B, C)[one], (A, B, C)[other], score)
    assert sum(member.elo for member in pool.members) == pytest.approx(3600)


def test_opponents_are_drawn_by_softmax_over_elo():
    pool = GlobalPool([A, B, C])
    for member, elo in zip(pool.members, (1200, 1200 + 100 * math.log(2), 1200 + 100 * math.log(5))):
        member.elo = elo
    rng = np.random.default_rng(1)
    first = [pool.sample(1, 100.0, rng)[0].program.name for _ in range(4000)]
    for name, share in (("a", 1 / 8), ("b", 2 / 8), ("c", 5 / 8)):
        spread = math.sqrt(share * (1 - share) / 4000)
        assert first.count(name) / 4000 == pytest.approx(share, abs=4 * spread)
    # The raw formula, temperature 1, draws the one rated highest: e ** -70 is never.
    assert {pool.sample(1, 1.0, rng)[0].program.name for _ in range(200)} == {"c"}
    assert sorted(member.program.name for member in pool.sample(9, 100.0, rng)) == ["a", "b", "c"]


def test_the_best_and_the_newest_of_equals():
    pool = GlobalPool([A, B])
    pool.admit(C, 4)
    assert [member.program.name for member in pool.top(2)] == ["c", "b"]
    pool.record(A, C, 1.0)
    assert pool.top(1)[0].program == A and C in pool and Program("d", "x") not in pool
    local = LocalPool()
    for program, wins in ((A, 1), (B, 3), (C, 3)):
        played = [
            (Pairing((program, Program("o", "o")), seed), _outcome(1 if seed < wins else -1, (seed,)))
            for seed in range(4)
        ]
        local.attempts.append(Attempt(program, tally(played, program), "", "", wins / 4))
    assert local.best().program == C
    local.reset()
    assert not local.attempts


def test_a_tally_counts_repetitions_once():
    pairings = mirrored(A, B, 6, (1,))
    assert [pairing.seats for pairing in pairings[:2]] == [(A, B), (B, A)]
    assert pairings[0].seed == pairings[1].seed != pairings[2].seed
    # a wins as first and, as second, forfeits: three times the same, as both programs are deterministic.
    outcomes = [_outcome(1), _outcome(1, (4,), (1, "crash", "x"))] * 3
    result = tally(list(zip(pairings, outcomes)), A)
    assert (result.matches, result.wins, result.draws, result.losses, result.forfeits) == (6, 1, 0, 1, 1)
    assert result.score == 0.5 and result.win_rate == 0 and result.mean_return == (1 - 1) / 2
    assert (result.low, result.high) == (0.5, 0.5)  # nothing could have come out otherwise
    assert tally(list(zip(pairings, outcomes)), B).wins == 1


def test_everything_that_is_no_repetition_counts():
    pairings = mirrored(A, B, 4, (1,))
    # With openings, each match is one of those that could have been drawn, also where two are alike.
    opened = [_outcome(1, opening=2)] * 4
    result = tally(list(zip(pairings, opened)), A)
    assert result.wins == 2 and result.low < 0.5 < result.high
    # Programs that play differently where nothing else differs are not deterministic.
    strange = [_outcome(1), _outcome(0), _outcome(1, (3,)), _outcome(0)]
    assert len(unique(zip(pairings, strange))) == 3
    # Nor is one that draws at random: whatever comes out, its matches count each.
    dice = Program("dice", "import random\ndef act(observation, memory):\n    return random.random()\n")
    assert len(unique(zip(mirrored(A, dice, 4, (1,)), [_outcome(1)] * 4))) == 4
    # The same match twice is one.
    assert len(unique([(pairings[0], opened[0])] * 2)) == 1


@pytest.mark.parametrize(
    "source, expected",
    [
        ("def act(o, m):\n    return max(o['legal'])", True),
        ("import random as r\ndef act(o, m):\n    return r.choice(o['legal'])", False),
        ("from numpy.random import default_rng\ndef act(o, m):\n    return 0", False),
        ("import numpy as np\ndef act(o, m):\n    return np.random.rand()", False),
        ("def act(o, m):\n    return list({'a', 'b'})[0]", False),
        ("def act(o", False),
    ],
)
def test_programs_that_draw_are_told_by_their_source(source, expected):
    assert Program("p", source).deterministic is expected


def test_deals_count_each():
    dealt = [(Pairing((A, B), seed), _outcome(1, (5, 1), players=(-1, 0))) for seed in (1, 2, 2)]
    assert len(unique(dealt)) == 2
    with pytest.raises(ValueError, match="expected matches of it"):
        tally(dealt, C)


def test_matches_are_played_once_and_alike_on_every_executor(tmp_path):
    pairings = mirrored(A, B, 4, (3,)) + mirrored(A, C, 2, (4,))
    inline = Evaluator(RULES, tmp_path / "inline.jsonl", InlineExecutor())
    outcomes = inline.play(pairings)
    assert all(outcome.forfeit is None for outcome in outcomes[:4])
    assert [outcome.forfeit[:2] for outcome in outcomes[4:]] == [(1, "illegal"), (0, "illegal")]
    with make_executor("processes:2") as executor:
        assert Evaluator(RULES, tmp_path / "two.jsonl", executor).play(pairings) == outcomes
    lines = (tmp_path / "inline.jsonl").read_text()
    with open(tmp_path / "inline.jsonl", "a") as file:
        file.write('{"key": "half a li')

    class Stopped(InlineExecutor):
        left = 3

        def submit(self, *task):
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return super().submit(*task)

    with pytest.raises(KeyboardInterrupt):
        Evaluator(RULES, tmp_path / "stopped.jsonl", Stopped()).play(pairings)
    kept = (tmp_path / "stopped.jsonl").read_text().splitlines()
    assert kept == (tmp_path / "inline.jsonl").read_text().splitlines()[: 1 + 3]  # a header first
    again = Evaluator(RULES, tmp_path / "inline.jsonl", None)  # nothing is left to play
    assert again.play(pairings) == outcomes and (tmp_path / "inline.jsonl").read_text() == lines


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / "m.jsonl").write_text("{}x\n")
    with pytest.raises(ValueError, match="m.jsonl, line 1: expected JSON"):
        Evaluator(RULES, tmp_path / "m.jsonl", InlineExecutor())
    Evaluator(RULES, tmp_path / "n.jsonl", InlineExecutor())
    with pytest.raises(ValueError, match="n.jsonl, line 1: .*'opening_plies': 3.*, found .*'opening_plies': 2"):
        Evaluator(MatchRules("tic_tac_toe", 3), tmp_path / "n.jsonl", InlineExecutor())
