"""The lines that a move lights are those that Python's own tracer sees run, in a program that is written by hand."""

from __future__ import annotations

import ast
import random
import sys
import types
from pathlib import Path

import pytest

from arena.registry.bots import make_bot
from arena.registry.games import load_game
from cwm.play.lit_lines import LONGEST, lines_of, lines_seen

SOURCE = (
    Path(__file__).parents[3]
    / "benchmarks"
    / "support"
    / "models"
    / "connect_four_dicts"
    / "before"
    / "model.py"
).read_text("utf-8")


def traced(names):
    """The lines that run in the last move and in every question about the state after it, by `sys.settrace`."""
    module = types.ModuleType("model")
    code = compile(SOURCE, "<model>", "exec")
    exec(code, module.__dict__)
    state, ran = module.initial_state(), set()

    def action_named(name):
        return next(one for one in module.legal_actions(state) if module.action_name(state, one) == name)

    for name in names[:-1]:
        state = module.apply_action(state, action_named(name))
    last = action_named(names[-1])

    def tracer(frame, event, arg):
        if frame.f_code.co_filename == "<model>":
            if event == "line":
                ran.add(frame.f_lineno)
            return tracer
        return None

    sys.settrace(tracer)
    try:
        state = module.apply_action(state, last)
        player = module.current_player(state)
        if player >= 0:
            for action in list(module.legal_actions(state)):
                module.action_name(state, action)
        for seat in range(module.NUM_PLAYERS):
            module.observation(state, seat)
        module.returns(state)
    finally:
        sys.settrace(None)
    return ran


def statements():
    """For each line of a statement in a function the line on which the statement begins."""
    first = {}
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for inner in ast.walk(node):
                if isinstance(inner, ast.stmt) and inner is not node:
                    first.setdefault(inner.lineno, inner.lineno)
    return first


def games():
    game = load_game("connect_four")
    for seed in range(6):
        rng, state, names = random.Random(seed), game.new_initial_state(), []
        while not state.is_terminal():
            action = rng.choice(state.legal_actions())
            names.append(state.action_to_string(action).strip())
            state.apply_action(action)
        yield names


def test_lit_lines_are_those_that_ran():
    begins, seen = statements(), set()
    for names in games():
        for end in (1, len(names) // 2, len(names)):
            lit = {line for line in lines_of(SOURCE, names[:end]) if line in begins}
            ran = {line for line in traced(names[:end]) if line in begins}
            assert lit == ran
            seen.add(frozenset(lit))
    assert len(seen) > 1  # a winning move runs other lines than a first one


def test_what_cannot_be_replayed_lights_nothing():
    assert lines_of(SOURCE, ["no such move"]) == []
    assert lines_of("def broken(:", ["x0"]) == []
    assert lines_of(SOURCE, []) == [] and lines_of(SOURCE, ["x0"] * (LONGEST + 1)) == []


def test_a_bot_lights_its_model_only_where_it_was_told_to_explain():
    game = load_game("connect_four")
    state = game.new_initial_state()
    bot = make_bot("cwm_mcts(simulations=5,value=false)", game, 0, 1)
    bot.step(state)
    [plain] = [panel for panel in bot.explain() if panel["kind"] == "code"]
    assert plain["lit"] == []
    bot.explains = True
    action = bot.step(state)
    [panel] = [panel for panel in bot.explain() if panel["kind"] == "code"]
    assert panel["lit"] == lines_of(panel["text"], [state.action_to_string(action).strip()]) != []


@pytest.mark.parametrize("card", [0, 3, 5])
def test_a_player_who_does_not_see_everything_lights_a_game_that_fits(card):
    game = load_game("leduc_poker")
    state = game.new_initial_state()
    state.apply_action(card)
    state.apply_action(2 if card != 2 else 1)
    bot = make_bot("cwm_ismcts(simulations=5)", game, 0, 1)
    bot.explains = True
    bot.step(state)
    [panel] = [panel for panel in bot.explain() if panel["kind"] == "code"]
    pairs = bot._history.pairs
    assert panel["lit"] == lines_seen(panel["text"], 0, pairs, bot.notes()["action"], 0) != []
    assert "resample" not in "".join(panel["text"].splitlines()[line - 1] for line in panel["lit"])
