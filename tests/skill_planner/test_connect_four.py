"""The second game: the same parser, planner and executor play connect four."""

from __future__ import annotations

import pyspiel
import pytest

from arena.matches.match import play_match
from skill_planner.domains.bots import make
from skill_planner.domains.connect_four.board import Move
from skill_planner.domains.connect_four.domain import ConnectFourDomain
from skill_planner.planning import parser, planner
from skill_planner.planning.executor import Executor
from skill_planner.planning.planner import Variant

GAME = "connect_four"


def after(*columns: int) -> pyspiel.State:
    state = pyspiel.load_game(GAME).new_initial_state()
    for column in columns:
        state.apply_action(column)
    return state


def move(state: pyspiel.State, *lines: str) -> int:
    player, domain = state.current_player(), ConnectFourDomain()
    executor = Executor(domain, player)
    plan = parser.parse("\n".join([parser.START, *lines, parser.END]), domain, state, player)
    assert plan.dropped == []
    executor.follow(plan.steps)
    return executor.actions(state)[0]


@pytest.mark.parametrize(
    "columns",
    [(0, 1, 0, 1, 0, 1), (0, 0, 1, 1, 2, 2), (0, 1, 1, 2, 3, 2, 2, 3, 6, 3), (6, 5, 5, 4, 3, 4, 4, 3, 0, 3)],
)
def test_wins_and_blocks_are_those_of_the_game(columns):
    """Against OpenSpiel: a column completes four exactly where the game then ends with a win."""
    state = after(*columns)
    turn = Move(state, state.current_player())
    for column in state.legal_actions():
        assert turn.completes(column, turn.player) == (state.child(column).returns()[turn.player] == 1)
    winning = move(state, "[Win Now]()", "[Drop Disc](6)")
    assert state.child(winning).is_terminal()


def test_block_comes_before_what_stands_below_it():
    state = after(0, 1, 0, 1, 0)  # the first player threatens column 0
    assert move(state, "[Block Threat]()", "[Drop Disc](5)") == 0
    assert move(state, "[Drop Disc](5)", "[Block Threat]()") == 5


def test_extend_line_and_the_centre_without_a_plan():
    assert move(after(0, 6), "[Extend Line](horizontal)") in (1, 2, 3)
    assert move(after(0, 6), "[Extend Line](vertical)") == 0
    assert move(after(), "[Extend Line](vertical)") == 3
    assert move(after(*[3] * 6)) in (2, 4)


def test_a_line_ends_when_its_disc_is_dropped():
    domain, state = ConnectFourDomain(), after()
    executor = Executor(domain, 0)
    executor.follow(
        parser.parse(f"{parser.START}\n[Drop Disc](0)\n[Drop Disc](1)\n{parser.END}", domain, state, 0).steps
    )
    assert executor.actions(state) == [0]
    assert executor.actions(after(0, 6)) == [1]
    assert executor.actions(after(0, 6, 1, 6)) == [3] and executor.steps == []


@pytest.mark.parametrize(
    "line, reason",
    [
        ("[Drop Disc](7)", "column from 0 to 6"),
        ("[Drop Disc](-1)", "column"),
        ("[Drop Disc](²)", "column"),
        ("[Drop Disc]()", "expected 1 parameters, found 0"),
        ("[Extend Line](up)", "expected one of horizontal"),
        ("[Win Now](3)", "expected 0"),
        ("[Harvest Mineral](0, 0)", "no such skill"),
    ],
)
def test_invalid_lines(line, reason):
    plan = parser.parse(f"{parser.START}\n{line}\n{parser.END}", ConnectFourDomain(), after(), 0)
    assert plan.steps == [] and reason in plan.dropped[0].reason


def test_a_whole_match_with_the_same_bot(stub, reply_of):
    plan = reply_of(
        "[Win Now]()",
        "[Block Threat]()",
        "[Drop Disc](3)",
        "[Extend Line](diagonal)",
        "[Extend Line](vertical)",
    )
    won = 0
    for seed in range(4):
        model = stub(lambda prompt: plan)
        bot = make(pyspiel.load_game(GAME), 0, 0, model=model, variant=Variant(1, True, k=6))
        record = play_match(GAME, [bot, "random"], seed, opening_plies=2)
        won += record.returns[0] == 1
        clocks = [move.notes["clock"] for move in record.moves if move.notes]
        assert [clock // 6 for clock in clocks] == list(range(len(clocks)))
    assert won >= 3


def test_the_situation_is_the_same_for_either_player():
    domain = ConnectFourDomain()
    first, second = domain.situation(after(3, 0), 0), domain.situation(after(0, 3), 1)
    assert first == second and "o..#..." in first
    prompt = planner.prompt(domain, Variant(1, True, opponent_model=True, k=6), after(3, 0, 3, 0, 3), 1)
    assert "complete four in column 3" in prompt and "followed for 6 plies" in prompt
    for example, state in zip(domain.examples, (after(), after(3, 2, 4, 3, 3))):
        assert example.startswith("Situation:\n" + domain.situation(state, state.current_player()))
