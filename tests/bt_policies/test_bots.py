"""The bot `bt` in the arena, swaps in a running match, and evaluations."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyspiel
import pytest

from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from bt_policies.measuring.domains import fps_arena
from bt_policies.measuring.evaluation import Evaluation, Policy, evaluate, play, trials
from bt_policies.trees.files import TREES
from games.fps_arena.play import match, scripted
from games.fps_arena.rules.parameters import Rules
from runs.executors import InlineExecutor, make_executor

FPS = "fps_arena(players=2,size=16,ticks=80,mode=dm,map=open)"


@pytest.mark.parametrize(
    "game, tree",
    [
        ("connect_four", "connect_four_basic"),
        ("leduc_poker", "leduc_poker_basic"),
        ("micro_rts(max_cycles=200)", "micro_rts_basic"),
        (FPS, "fps_basic"),
    ],
)
def test_a_tree_plays_whole_matches_and_alike_with_one_seed(game, tree):
    records = [
        play_match(game, [f"bt(tree={tree})", f"bt(tree={tree},memory=sequences)"], 7, opening_plies=0)
        for _ in range(2)
    ]
    assert records[0].forfeit is None
    assert [move.action for move in records[0].moves] == [move.action for move in records[1].moves]


@pytest.mark.parametrize("tree", ["leduc_poker_basic", "leduc_poker_written"])
def test_the_policy_of_a_tree_is_what_its_moves_show(tree):
    """400 seeds at each of some states: no frequency is further off than 4 standard deviations."""
    game = load_game("leduc_poker")
    rng = np.random.default_rng(0)
    states = 0
    while states < 12:
        state = game.new_initial_state()
        while not state.is_terminal() and (state.is_chance_node() or rng.random() < 0.7):
            state.apply_action(int(rng.choice(state.legal_actions())))
        if state.is_terminal():
            continue
        states += 1
        player = state.current_player()
        bots = [make_bot(f"bt(tree={tree})", game, player, seed) for seed in range(400)]
        assert bots[0].provides_policy()
        policy = dict(bots[0].get_policy(state))
        assert sorted(policy) == state.legal_actions() and sum(policy.values()) == pytest.approx(1)
        moves = [bot.step(state) for bot in bots]
        for action, chance in policy.items():
            error = 4 * (chance * (1 - chance) / len(bots)) ** 0.5
            assert abs(moves.count(action) / len(bots) - chance) <= error + 1e-9


def test_a_tree_that_remembers_has_no_policy():
    game = load_game("leduc_poker")
    assert not make_bot("bt(tree=leduc_poker_basic,memory=all)", game, 0, 0).provides_policy()
    assert not make_bot("bt(tree=leduc_poker_basic,watch=true)", game, 0, 0).provides_policy()


@pytest.mark.parametrize(
    "game, tree, opponent",
    [
        ("connect_four", "connect_four_basic", "random"),
        ("micro_rts", "micro_rts_basic", "micro_rts_random_biased"),
        ("fps_arena(players=2,size=24,ticks=300,mode=dm)", "fps_basic", "weak"),
    ],
)
def test_starter_trees_beat_weak_players(game, tree, opponent):
    policy = Policy(((TREES / f"{tree}.bt").read_text("utf-8"),))
    found = evaluate(policy, trials(game, 6, 1, opponents=opponent), InlineExecutor())
    assert found.value("score") >= 5 / 6


def test_a_connect_four_tree_wins_and_blocks(tmp_path):
    path = tmp_path / "t.bt"
    path.write_text("selector:\n  task: drop winning_column\n  task: drop blocking_column\n")
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for action in (0, 6, 0, 6, 0):
        state.apply_action(action)
    # Player 0 has three discs in column 0, player 1 two in column 6.
    assert make_bot(f"bt(tree={path})", game, 1, 0).step(state) == 0
    state.apply_action(6)
    assert make_bot(f"bt(tree={path})", game, 0, 0).step(state) == 0
    bot = make_bot(f"bt(tree={path})", game, 0, 0)
    assert bot.step(game.new_initial_state()) == 3 and bot.notes() == {"undecided": True}


def test_what_leduc_trees_know_is_what_the_player_knows(tmp_path):
    path = tmp_path / "t.bt"
    path.write_text("selector:\n  sequence:\n    condition: has_king\n    task: raise\n  task: call\n")
    game = load_game("leduc_poker")
    for own, other, action in ((4, 0, 2), (0, 4, 1), (5, 1, 2), (2, 5, 1)):
        state = game.new_initial_state()
        state.apply_action(own)
        state.apply_action(other)
        assert make_bot(f"bt(tree={path})", game, 0, 0).step(state) == action


@pytest.mark.parametrize(
    "spec, game, said",
    [
        ("bt(tree=nowhere.bt)", "connect_four", "there is no such file"),
        ("bt(tree=fps_basic)", "connect_four", "expected a condition of connect_four, found 'is_badly_hurt'"),
        ("bt(tree=fps_basic)", "tic_tac_toe", "expected a condition of tic_tac_toe, found 'is_badly_hurt'"),
        ("bt(tree=leduc_poker_basic)", "leduc_poker(players=3)", "with two players"),
        (
            "bt(tree=connect_four_basic,memory=some)",
            "connect_four",
            "memory: expected one of none, sequences, all",
        ),
        ("bt(tree=fps_basic,tasks=net)", "fps_arena", "tasks: expected rule, neural or names joined by"),
        ("bt(tree=micro_rts_basic)", "micro_rts(any_orders=true)", "any_orders"),
    ],
)
def test_what_it_cannot_play_is_said(spec, game, said):
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        make_bot(spec, load_game(game), 0, 0)


def test_a_running_match_takes_up_a_new_tree(tmp_path):
    path = tmp_path / "live.bt"
    path.write_text("task: drop edge_column\n")
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    bot = make_bot(f"bt(tree={path},watch=true)", game, 0, 0)
    still = make_bot(f"bt(tree={path})", game, 0, 0)
    assert bot.step(state) in (0, 6)
    path.write_text("# now the middle\ntask: drop centre_column\n")
    assert bot.step(state) == 3 and still.step(state) in (0, 6)
    path.write_text("task: drop nowhere\n")
    assert bot.step(state) == 3


def test_members_of_a_team_play_their_parts():
    game = load_game("fps_arena(players=4,size=16,ticks=60,mode=tdm,map=open)")
    record = play_match(str(game), ["bt(tree=fps_team)", "fps_scripted"] * 2, 3, opening_plies=0)
    assert record.forfeit is None
    from bt_policies.trees.vocabularies.fps_arena import member_of

    assert [member_of(game, player) for player in range(4)] == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="has no teams"):
        make_bot("bt(tree=fps_team)", pyspiel.load_game("connect_four"), 0, 0)


def test_all_players_of_a_file_take_up_its_new_tree(tmp_path):
    """In micro_rts each unit has a player of its own."""
    from bt_policies.trees.files import PolicyFile
    from bt_policies.trees.player import TreePlayer
    from bt_policies.trees.vocabularies import vocabulary_of

    words, path = vocabulary_of("leduc_poker"), tmp_path / "t.bt"
    path.write_text("task: fold\n")
    file = PolicyFile(path, words)
    players = [TreePlayer(file.tree, words, seed, file=file) for seed in range(3)]

    class Seen:
        legal = ("fold", "call")

    chosen = []
    for text in ("task: fold\n", "# patient\ntask: call\n", "task: kall\n"):
        path.write_text(text)
        for player in players:
            player.tick(Seen)
        chosen.append([player.board.choice for player in players])
    assert chosen == [["fold"] * 3, ["call"] * 3, ["call"] * 3]


def test_the_fast_loop_and_openspiel_see_the_same_decisions():
    """A tree's match through OpenSpiel ends with the scores of the fast loop, from the same draw and
    seeds."""
    from bt_policies.trees.files import read_tree
    from bt_policies.trees.player import TreePlayer
    from bt_policies.trees.vocabularies.fps_arena import VOCABULARY, TreeController

    tree, _ = read_tree(TREES / "fps_basic.bt", VOCABULARY)
    fast = match.play(
        FPS, [TreeController(lambda seed: TreePlayer(tree, VOCABULARY, seed)) for _ in range(2)], 5
    )
    game = load_game(FPS)
    state = game.new_initial_state()
    state.apply_action(5)
    from runs.seeds import bot_seed

    bots = [make_bot("bt(tree=fps_basic)", game, player, bot_seed(5, player)) for player in range(2)]
    for bot in bots:
        bot.restart_at(state)
    while not state.is_terminal():
        state.apply_actions([bot.step(state) for bot in bots])
    assert tuple(state.position.scores) == fast.scores
    assert state.position.tick == fast.state.tick


def test_trials_are_different_games_and_the_same_with_one_seed():
    listed = trials("fps_arena", 40, 0)
    assert listed == trials("fps_arena", 40, 0) and listed[:7] == trials("fps_arena", 7, 0)
    assert len({trial.game for trial in listed}) == 40
    assert not {trial.game for trial in listed} & {trial.game for trial in trials("fps_arena", 40, 1)}
    rules = [match.rules_of(trial.game) for trial in listed]
    assert {one.mode for one in rules} == {"tdm", "control", "elimination", "dm"}
    assert all(one.size >= 32 and one.players == 4 and one.ticks == 600 for one in rules)
    fixed = [match.rules_of(trial.game) for trial in trials("fps_arena(mode=tdm,players=6)", 10, 0)]
    assert {(one.mode, one.players) for one in fixed} == {("tdm", 6)}
    # What is given leaves the rest as it is.
    assert [one.map_seed for one in fixed] == [one.map_seed for one in rules[:10]]
    mirrored = trials("connect_four", 4, 0, opponents="random,mcts(simulations=5)")
    assert [(trial.opponent, trial.side) for trial in mirrored] == [
        ("random", 0),
        ("mcts(simulations=5)", 0),
        ("random", 1),
        ("mcts(simulations=5)", 1),
    ]


def test_an_evaluation_is_the_same_whoever_plays_it():
    listed = trials(FPS, 3, 0, opponents="weak,medium,fps_listing1")
    policy = Policy(((TREES / "fps_basic.bt").read_text("utf-8"),))
    inline = evaluate(policy, listed, InlineExecutor(), traced=True)
    with make_executor("processes:1") as executor:
        other = evaluate(policy, listed, executor, traced=True)
    assert inline == other
    assert inline.traces[0].ticks == sum(figures["undecided"][1] for figures in inline.figures)


def test_time_between_kills_by_hand():
    # 100 health, rifle 18 a shot: 6 shots, one in 2 ticks; 25 ticks to the return, 8 protected: 45.
    rules = Rules(players=4, mode="tdm")
    assert fps_arena.most_kills(rules, 2, 600) == pytest.approx(2 * 600 / 45)
    # Pistol: 9 shots, one in 3 ticks.
    assert fps_arena.most_kills(Rules(start_weapon="pistol"), 1, 600) == pytest.approx(600 / 60)
    assert fps_arena.most_kills(Rules(mode="elimination"), 2, 600) == 2


def test_figures_are_the_matchs_own():
    class Idle(scripted.Weak):
        def _decide(self, seen):
            return 0, 0

    played = match.play_teams(
        "fps_arena(players=2,size=16,ticks=200,mode=tdm,map=open)", [scripted.Strong, Idle], 0
    )
    figures = fps_arena.figures(played, 0, 3, 50)
    own = played.metrics()["teams"][0]
    assert own["kills"] > 0
    assert figures["time_between_kills"] == (pytest.approx(own["kills"] * 45 / 200), 1)
    assert figures["score"] == (1.0, 1) and figures["undecided"] == (3, 50)
    assert figures["kill_share"] == (own["kills"], own["kills"]) and figures["objective_share"] == (0, 0)
    other = fps_arena.figures(played, 1, 0, 1)
    assert other["score"] == (0.0, 1) and other["time_between_kills"] == (0, 1)


def test_values_and_intervals():
    found = Evaluation([{"kill_share": (1, 2)}, {"kill_share": (3, 4)}, {"kill_share": (0, 0)}])
    assert found.value("kill_share") == pytest.approx(4 / 6)
    low, high = found.interval("kill_share")
    assert 0 <= low <= 4 / 6 <= high <= 0.76
    assert Evaluation([{"kill_share": (0, 0)}]).value("kill_share") is None
    assert Evaluation([{"kill_share": (1, 2)}]).interval("kill_share") is None
    # Of four matches in one of which there was a kill a resample may hold none.
    rare = Evaluation([{"ticks_between_kills": (600, kills)} for kills in (0, 0, 0, 1)])
    assert rare.value("ticks_between_kills") == 2400 and rare.interval("ticks_between_kills") is None


def test_differences_are_of_the_same_matches():
    one = Evaluation([{"score": (value, 1)} for value in (1, 1, 0.5, 1)])
    other = Evaluation([{"score": (value, 1)} for value in (0.5, 0.5, 0, 0.5)])
    # Each match is better by 0.5, so that no resample says otherwise, far as the matches are apart.
    assert one.difference(other, "score") == pytest.approx((0.5, 0.5, 0.5))
    gain, low, high = one.difference(Evaluation([{"score": (value, 1)} for value in (1, 0, 1, 0)]), "score")
    assert gain == pytest.approx(0.375) and low < 0.375 < high
    assert one.difference(Evaluation([{"score": (0, 0)}] * 4), "score") is None
    with pytest.raises(ValueError, match="expected the same 4 matches, found 1"):
        one.difference(Evaluation([{"score": (1, 1)}]), "score")


def test_the_command_compares_trees_in_the_same_games(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "bt_policies.evaluate",
            "--tree=fps_basic",
            "--baseline=fps_listing1,strong",
            f"--game={FPS}",
            "--games=3",
            f"--json={tmp_path / 'e.json'}",
            f"--trace={tmp_path / 't.json'}",
        ],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    assert "time_between_kills" in done.stdout and "Differences from fps_listing1" in done.stdout
    assert "Differences from strong" in done.stdout
    record = json.loads((tmp_path / "e.json").read_text())
    assert len(record["matches"]) == 3 and [*record["baselines"]] == ["fps_listing1", "strong"]
    for other in record["baselines"].values():
        for name, (gain, _, _) in other["differences"].items():
            assert gain == pytest.approx(record["metrics"][name]["value"] - other["metrics"][name]["value"])
    assert json.loads((tmp_path / "t.json").read_text())["ticks"] > 0


def test_unknown_opponents_and_foreign_trees_are_refused():
    (trial,) = trials(FPS, 1, 0, opponents="stronk")
    with pytest.raises(ValueError, match="team 'stronk': expected one of weak, medium, strong, or a tree"):
        play(trial, Policy(("task: patrol\n",)))
    (trial,) = trials(FPS, 1, 0)
    with pytest.raises(ValueError, match="expected an action of fps_arena, found 'drop'"):
        play(trial, Policy(("task: drop centre_column\n",)))


def test_costs_and_hit_points_are_those_of_the_games_unit_table():
    from bt_policies.trees.vocabularies.micro_rts_board import kinds_of
    from games.micro_rts.rules.unit_tables import TABLES

    for number, table in TABLES.items():
        kinds = kinds_of(load_game(f"micro_rts(unit_table={number})"))
        for kind in table[1:]:
            assert kinds[kind.name] == (kind.cost, kind.hp, kind.range)
