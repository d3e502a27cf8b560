"""Texts of bots that a person can edit."""

from __future__ import annotations

import pytest

from arena.registry.bots import canonical, make_bot
from arena.registry.games import load_game
from arena.registry.written import text_of, with_text, written_of


def test_the_text_of_a_tree_with_the_line_of_each_node():
    text = text_of("bt(tree=connect_four_basic)")
    lines = written_of("bt(tree=connect_four_basic)").check("connect_four", text)
    rows = text.split("\n")
    assert lines == sorted(set(lines)) and lines[0] >= 1
    assert all(
        rows[line - 1].strip().split(":")[0] in {"selector", "sequence", "condition", "task"} for line in lines
    )
    with pytest.raises(ValueError, match="expected a condition of leduc_poker"):
        written_of("bt(tree=connect_four_basic)").check("leduc_poker", text)


def test_the_text_of_a_policy_is_looked_at_and_not_run():
    how = written_of("code_policy(source=connect_four_written)")
    assert how.check("connect_four", text_of("code_policy(source=connect_four_written)")) == []
    assert how.check("connect_four", "raise SystemExit\ndef act(observation, memory): return 0\n") == []
    with pytest.raises(ValueError, match="line 1: expected Python"):
        how.check("connect_four", "def act(:")
    with pytest.raises(ValueError, match="expected a program that defines act"):
        how.check("connect_four", "x = 1")


def test_a_bot_plays_another_text(tmp_path):
    path = tmp_path / "with, a comma (and more).bt"
    path.write_text("task: drop edge_column\n")
    spec = with_text("bt(tree=connect_four_basic,memory=none)", path)
    assert canonical(spec) == spec
    game = load_game("connect_four")
    assert make_bot(spec, game, 0, 0).step(game.new_initial_state()) in (0, 6)


def test_bots_without_a_text():
    assert text_of("random") is None and written_of("mcts(simulations=3)") is None
    with pytest.raises(ValueError, match="bot 'random' plays no text"):
        with_text("random", "x.bt")
