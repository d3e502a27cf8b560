"""The benchmark of language models that choose every move: how it counts."""

import pytest

from arena.matches.records import ForfeitRecord, MatchRecord, Move
from benchmarks import llm_policy


def match(returns, answered, forfeit=None):
    moves = (Move(0, 1), Move(1, 1), *(Move(player, 1) for player in answered))
    return MatchRecord("g", ("a", "b"), 0, 2, None, 2, moves, returns, forfeit)


def test_answers_and_forfeits_are_those_of_the_agent():
    records = [
        (0, match((1.0, -1.0), (0, 1, 0))),
        (1, match((0.0, 0.0), (0, 1))),
        (0, match((-1.0, 1.0), (0, 1), ForfeitRecord(0, "illegal", "no"))),
        (1, match((1.0, -1.0), (0,), ForfeitRecord(1, "crash", "too long"))),
        (0, match((1.0, -1.0), (0,), ForfeitRecord(1, "illegal", "the opponent's"))),
        (1, match((-1.0, 1.0), ())),
    ]
    found = llm_policy.row("g", "local", records)
    assert (found.matches, found.answers, found.invalid, found.failed) == (6, 2 + 1 + 2 + 0 + 1 + 0, 1, 1)
    # 1, 1/2, 0, 0, 1, 1 for the agent in its seats
    assert found.score == pytest.approx(3.5 / 6) and found.low < found.score < found.high
    assert "1 (17%)" in llm_policy.table([found])


def test_pairs_are_mirrored_and_the_null_is_no_match_twice():
    records = llm_policy.play("tic_tac_toe", "random", 20, 16, 0)
    assert [seat for seat, _ in records] == [0, 1] * 10
    assert len({record.seed for _, record in records}) == 20
    assert records[0][1].moves != records[1][1].moves
    assert set(llm_policy.arms(["local"])) == {"random", "local", "local+grammar=off"}
