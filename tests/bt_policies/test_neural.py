"""Networks, task nodes that are networks, and the scheduler."""

from __future__ import annotations

import dataclasses
import itertools
import json
from types import SimpleNamespace

import numpy as np
import pytest

from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from bt_policies.learned import cell_features, match_choice, networks, neural_tasks, scheduler, task_training
from bt_policies.learned.comparison import summary
from bt_policies.learned.networks import Network, fit
from bt_policies.learned.verdicts import verdict
from bt_policies.measuring.evaluation import Evaluation, Policy, evaluate, trials
from bt_policies.trees.dsl import format_tree, parse
from bt_policies.trees.files import TREES, read_tree
from bt_policies.trees.runtime import blackboard, compile_tree
from bt_policies.trees.vocabularies import vocabulary_of
from games.fps_arena.knowing.observation import Observation
from games.fps_arena.play.match import rules_of
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.maps import FAR
from runs.executors import InlineExecutor

FPS = "fps_arena(players=2,size=16,ticks=80,mode=dm,map=open)"


def _rows(count, seed=0):
    return np.random.default_rng(seed).normal(3, 2, (count, 5, 2))


def _trained(worth, **options):
    rows = _rows(400)
    return fit("t", ("a", "b"), ("v",), rows, worth(rows), 0, {}, **options)


def test_a_network_learns_a_function_that_is_not_linear():
    def worth(rows):
        return np.abs(rows[..., 0] - 3) * 10

    network, fresh = _trained(worth, centred=False, steps=1500), _rows(50, 1)
    error = np.abs(network(fresh)[..., 0] - worth(fresh)).mean()
    assert error < 0.15 * np.abs(worth(fresh) - worth(fresh).mean()).mean()


def test_centred_training_leaves_out_how_good_a_situation_is():
    def worth(rows):  # all options of a situation share a large number that no feature tells
        return rows[..., 1] + np.random.default_rng(5).normal(0, 1000, (len(rows), 1))

    network, fresh = _trained(worth, steps=800), _rows(50, 1)
    assert (network(fresh)[..., 0].argmax(axis=1) == fresh[..., 1].argmax(axis=1)).mean() > 0.9


def test_slopes_are_those_of_finite_differences():
    rng = np.random.default_rng(3)
    values = [rng.normal(size=shape) for shape in ((4, 3), 3, (3, 3), 3, (3, 2), 2)]
    inputs, worth = rng.normal(size=(6, 4)), rng.normal(size=(6, 2))

    def loss():
        one, first, two, second, head, last = values
        error = np.tanh(np.tanh(inputs @ one + first) @ two + second) @ head + last - worth
        error = error - error.mean(axis=1, keepdims=True)
        return (error**2).sum() / 2 / worth.size

    for array, slope in zip(values, networks._slopes(values, inputs, worth, False, True)):
        for place in np.ndindex(array.shape):
            kept = array[place]
            array[place] = kept + 1e-5
            above = loss()
            array[place] = kept - 1e-5
            below, array[place] = loss(), kept
            assert slope[place] == pytest.approx((above - below) / 2e-5, abs=1e-7)


def test_files_come_back_and_foreign_ones_are_refused(tmp_path):
    network, path = _trained(lambda rows: rows[..., 0], steps=1), tmp_path / "n.npz"
    network.save(path)
    first = path.read_bytes()
    again = networks.load(path, "t", ("a", "b"))
    assert np.array_equal(again(_rows(3)), network(_rows(3)))
    again.save(path)
    assert path.read_bytes() == first
    for task, features in (("other", ("a", "b")), ("t", ("b", "a")), ("t", ("a",))):
        with pytest.raises(ValueError, match="train it again"):
            networks.load(path, task, features)
    for damaged in (first[:-30], b"", b"no archive"):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="weights .*n.npz"):
            networks.load(path, "t", ("a", "b"))
    broken = tuple((weights * np.nan, biases) for weights, biases in network.layers)
    Network("t", ("a", "b"), ("v",), broken, {}).save(path)
    with pytest.raises(ValueError, match="does not follow"):
        networks.load(path, "t", ("a", "b"))


def _situation(task="move_to", number=3):
    return next(itertools.islice(task_training.situations(task, 0, True), number, None))


@pytest.fixture(scope="module")
def situation():
    return _situation()


def test_cells_around_are_as_far_as_the_maps_fields_say(situation):
    seen = Observation(situation.state, situation.player)
    around = cell_features.near(seen.arena, seen.cell, 5)
    for cell, steps, move, parent in zip(*(part.tolist() for part in around[:4])):
        assert seen.arena.field(cell).steps[seen.cell] == steps <= 5
        if cell != seen.cell:
            assert seen.arena.field(cell).steps[seen.arena.neighbours[seen.cell][move]] == steps - 1
            assert int(around.cells[parent]) in seen.arena.neighbours[cell]
    steps = seen.arena.field(seen.cell).steps
    assert len(around.cells) == sum(steps[cell] <= 5 for cell in seen.arena.floor)


def test_fire_is_what_the_engine_says_of_an_enemys_chance(situation):
    """Against `Setting.hit_chance` and `Setting.covered`, cell by cell, for one enemy."""
    state, seen = situation.state, Observation(situation.state, situation.player)
    around, enemy = cell_features.near(seen.arena, seen.cell, 6), seen.visible_enemies[0]
    _, fire, _, _ = cell_features._fire(seen, around, enemy.cell, enemy.weapon)
    kind, rules, setting = seen.rules.weapons[enemy.weapon], seen.rules, state.setting
    for cell, found in zip(around.cells.tolist(), fire.tolist()):
        chance = setting.hit_chance(enemy.weapon, setting.squared(cell, enemy.cell), False, True)
        if setting.covered(enemy.cell, cell):
            chance *= 1 - rules.cover
        if not seen.has_line(enemy.cell, cell):
            chance = 0
        assert found == pytest.approx(chance * kind.damage * kind.pellets / kind.cooldown / rules.health)


@pytest.mark.parametrize(
    "task, parameter",
    [
        ("move_to", "nearest_enemy_location"),
        ("take_cover_from", "nearest_enemy_location"),
        ("shoot", "nearest_enemy_in_view"),
    ],
)
def test_nodes_keep_to_their_keys_and_ship_with_small_weights(task, parameter, situation):
    assert (networks.WEIGHTS / f"{task}.npz").stat().st_size < 100_000
    words = vocabulary_of("fps_arena")
    tree = parse(f"task: {task} {parameter}\n")
    board = blackboard(words, 0)
    board.seen = Observation(situation.state, situation.player)
    assert compile_tree(tree, words, tasks="neural", guard=True)(board) in (1, 2)
    moved = board.seen.arena.neighbours[board.seen.cell][board.move]
    assert moved >= 0


def test_a_walk_by_the_network_reaches_its_goal():
    """Where nobody is in sight it must not be much longer than the shortest way."""
    act = neural_tasks.shipped("move_to")
    from games.fps_arena.play.match import rules_of
    from games.fps_arena.rules.engine import State

    state = State.start(rules_of("fps_arena(players=2,mode=dm,map=rooms,map_seed=9)"), 0)
    seen, board = Observation(state, 0), blackboard(vocabulary_of("fps_arena"), 0)
    goal = max(state.setting.arena.floor, key=lambda cell: (seen.distance(cell) <= 25, seen.distance(cell)))
    steps, board.seen = seen.distance(goal), seen
    state.soldiers[1].visible = ()
    for _ in range(steps * 3):
        seen.refresh(state)
        board.move = 0
        if act(board, goal) == 1:
            break
        state.step([seen.codec.order(board.move, 0), 0])
    assert state.soldiers[0].cell == goal


def test_a_shooter_fires_at_whom_it_can_hit_and_not_at_whom_it_cannot():
    """Beyond the weapon's range nothing is hit, so that a round is lost: the limit of what it learned."""
    act, situation = neural_tasks.shipped("shoot"), _situation("shoot")
    seen = Observation(situation.state, situation.player)
    board = blackboard(vocabulary_of("fps_arena"), 0)
    board.seen = seen
    first = seen.visible_enemies[0]
    near = first._replace(hit_chance=0.95, distance=2.0, covered=False)
    other = next(
        player
        for player in range(situation.state.setting.rules.players)
        if player not in (first.player, situation.player)
    )
    far = first._replace(hit_chance=0.0, distance=17.0, covered=False, player=other)
    for listed in ((near, far), (far, near)):
        seen._visible = listed
        assert act(board, far) == 1
        assert board.act == neural_tasks.orders.fire(near.player)


def test_training_is_the_same_with_one_seed_and_apart_from_judging():
    networks_ = [task_training.train("take_cover_from", 2, seed, steps=20) for seed in (0, 0, 1)]
    same, other = (
        all(
            np.array_equal(one, two)
            for left, right in zip(networks_[0].layers, found.layers)
            for one, two in zip(left, right)
        )
        for found in networks_[1:]
    )
    assert same and not other
    maps = [
        {
            next_.state.setting.rules.map_seed
            for next_ in itertools.islice(task_training.situations("shoot", 0, judging), 3)
        }
        for judging in (False, True)
    ]
    assert not maps[0] & maps[1]


def test_what_a_node_costs_is_what_the_engine_counts():
    situation = _situation("take_cover_from")

    def stand(board, value):
        return 1

    cost = task_training.follow(situation, stand, "take_cover_from")
    assert cost == task_training.follow(situation, stand, "take_cover_from") >= 0
    # Who stands still does not arrive: all its ticks count, and the damage besides.
    walk = _situation("move_to")
    assert task_training.follow(walk, stand, "move_to") >= task_training.TICK * walk.limit - 1e-9
    assert task_training.follow(_situation("shoot"), lambda board, enemy: 0, "shoot") == 0


def test_verdicts_are_by_the_interval():
    assert verdict("shoot", 0.1, 2) == verdict("move_to", -2, -0.1) == "beats the rule"
    assert verdict("shoot", -2, -0.1) == verdict("move_to", 0.1, 2) == "worse than the rule"
    assert verdict("shoot", -1, 2) == verdict("move_to", -1, 2) == "no difference shown"


def test_an_ablation_is_one_flag():
    listed = trials(FPS, 2, 0)
    text = (TREES / "fps_basic.bt").read_text("utf-8")
    found = [
        evaluate(Policy((text,), tasks=tasks), listed, InlineExecutor())
        for tasks in ("rule", "neural", "neural")
    ]
    assert found[1] == found[2] != found[0]


LIBRARY = {
    "fps_a": "task: hold_position\n",
    "fps_b": "selector:\n  task: move_to nearest_enemy_location\n  task: patrol\n",
}


@pytest.fixture
def library(tmp_path):
    for name, text in LIBRARY.items():
        (tmp_path / f"{name}.bt").write_text(text)
    trees = scheduler.read_library(tmp_path)
    return tmp_path, trees


def _picks(trees, weights):
    """A network that values the trees by the own health (first feature) times a weight."""
    layers = (
        (np.eye(len(scheduler.FEATURES), 2), np.zeros(2)),
        (np.eye(2), np.zeros(2)),
        (np.array([weights, (0, 0)], float), np.array([0, 0.3])),
    )
    return Network(
        scheduler.TASK, scheduler.FEATURES, tuple(trees), layers, {"library": scheduler.digest(trees)}
    )


def test_a_scheduler_switches_when_another_tree_is_better(library):
    _, trees = library
    situation = _situation()
    seen = Observation(situation.state, situation.player)
    seen.health = seen.max_health
    player = scheduler.ScheduledPlayer(trees, _picks(trees, (1, 0)), 0)
    for _ in range(3):
        player.tick(seen)
    assert player.ticks_of == {"fps_a": 3, "fps_b": 0} and player.board.move == 0
    seen.health = 1
    player.tick(seen)  # the tree is under way, and it is not time to look yet
    assert player.ticks_of == {"fps_a": 4, "fps_b": 0}
    seen.tick += scheduler.PERIOD
    player.tick(seen)
    assert player.ticks_of == {"fps_a": 4, "fps_b": 1}


def test_a_scheduler_keeps_its_tree_until_another_one_is_clearly_better(library):
    """The tree `fps_a` is worth the share of health, `fps_b` 0.3; a lead of up to 0.05 is not enough."""
    _, trees = library
    situation = _situation()
    seen = Observation(situation.state, situation.player)
    player = scheduler.ScheduledPlayer(trees, _picks(trees, (1, 0)), 0)
    for share, played in ((1, (1, 0)), (0.27, (2, 0)), (0.2, (2, 1)), (0.33, (2, 2))):
        seen.health = share * seen.max_health
        player.tick(seen)
        assert tuple(player.ticks_of.values()) == played
        seen.tick += scheduler.PERIOD


def test_a_scheduler_of_whole_matches_chooses_once(library):
    _, trees = library
    situation = _situation()
    seen = Observation(situation.state, situation.player)
    seen.health = seen.max_health
    network = _picks(trees, (1, 0))
    network = dataclasses.replace(network, facts=network.facts | {"once": True})
    player = scheduler.ScheduledPlayer(trees, network, 0)
    for share in (1, 0.01, 0.01):
        seen.health = max(1, share * seen.max_health)
        player.tick(seen)
        seen.tick += scheduler.PERIOD
    assert player.ticks_of == {"fps_a": 3, "fps_b": 0}


def test_a_network_of_whole_matches_learns_which_tree_a_mode_wants(library, monkeypatch):
    """In these matches `fps_a` wins in control and loses in tdm, and `fps_b` the other way round."""
    _, trees = library
    texts = [format_tree(tree) for tree in trees.values()]

    def played(trial, policy, watch=None):
        rules = rules_of(trial.game)
        if watch is not None:
            watch(Observation(State.start(rules, trial.seed), rules.members(trial.side)[0]))
        won = (rules.mode == "control") == (policy.trees == (texts[0],))
        return {"figures": {"score": (float(won), 1)}}

    monkeypatch.setattr(match_choice, "play", played)
    learned, fresh = (trials("fps_arena", 60, seed, modes=("tdm", "control")) for seed in (0, 1))
    network = match_choice.train(trees, learned, ("score",), 0, InlineExecutor(), steps=600)
    assert network.facts["once"] and network.facts["matches"] == 60 and network.outputs == ("fps_a", "fps_b")
    for trial in fresh:
        ((row,), values) = match_choice._played(trial, texts, ("score",))
        assert int(network(np.array(row)).argmax()) == values.index(1.0)


def test_the_scheduler_of_modes_ships_with_its_trees():
    network, trees = scheduler.load(networks.WEIGHTS / "scheduler_modes.npz", TREES)
    assert network.facts["once"] and set(trees) == {
        "fps_searched_5",
        *(f"fps_{mode}_specialist" for mode in ("control", "dm", "elimination", "tdm")),
    }
    # In control it takes the tree that was written for it, on the average of the matches that it may meet.
    rows = []
    for trial in trials("fps_arena", 12, 5, modes=("control",)):
        state = State.start(rules_of(trial.game), trial.seed)
        rows.append(scheduler.row(Observation(state, 0)))
    assert network.outputs[int(network(np.array(rows)).mean(axis=0).argmax())] == "fps_control_specialist"


def test_each_soldier_of_a_team_is_seen_in_its_first_tick_once():
    (trial,) = trials("fps_arena(players=4,teams=2,ticks=20,mode=tdm)", 1, 0)
    rows, values = match_choice._played(trial, ["task: hold_position\n"] * 2, ("score", "time_between_kills"))
    assert np.shape(rows) == (2, len(scheduler.FEATURES)) and values[0] == values[1]
    assert all(row[scheduler.FEATURES.index("mode_tdm")] == 1 for row in rows)


def test_a_place_to_go_to_is_the_farthest_one_where_none_is_far():
    """Goals are 8 to 25 steps away where there are such cells; a cell without a way is none."""
    field = SimpleNamespace(steps=[0, 3, 7, FAR])
    arena = SimpleNamespace(floor=[0, 1, 2, 3], field=lambda cell: field)
    seen = SimpleNamespace(arena=arena, cell=0, rules=SimpleNamespace(move_ticks=4))
    rng = np.random.default_rng(0)
    assert task_training._wanted("move_to", seen, rng) == (2, 2 * 4 * 7 + 20)
    field.steps = [0, 7, 8, 26]
    assert task_training._wanted("move_to", seen, rng) == (2, 2 * 4 * 8 + 20)


def test_weights_serve_the_trees_that_they_were_trained_with(library, tmp_path):
    folder, trees = library
    network, path = scheduler.train(trees, 3, 0, steps=20), tmp_path / "w.npz"
    network.save(path)
    assert scheduler.load(path, folder)[1] == trees
    (folder / "fps_c.bt").write_text("task: patrol\n")
    assert list(scheduler.load(path, folder)[1]) == ["fps_a", "fps_b"]
    record = play_match(
        FPS, [f"bt_scheduler(library={folder},weights={path})", "fps_scripted"], 1, opening_plies=0
    )
    assert record.forfeit is None
    (folder / "fps_a.bt").write_text("task: patrol\n")
    with pytest.raises(ValueError, match="expected in .* the trees that they were trained with"):
        scheduler.load(path, folder)
    (folder / "fps_b.bt").unlink()
    (folder / "fps_c.bt").unlink()
    with pytest.raises(ValueError, match="at least two trees"):
        scheduler.read_library(folder)
    with pytest.raises(ValueError, match="expected a game of fps_arena"):
        make_bot("bt_scheduler", load_game("connect_four"), 0, 0)


def test_the_shipped_scheduler_fits_the_shipped_trees():
    network, trees = scheduler.load(networks.WEIGHTS / "scheduler.npz", TREES)
    assert len(trees) >= 5 and network.outputs == tuple(trees)
    assert (networks.WEIGHTS / "scheduler.npz").stat().st_size < 100_000


def test_a_tree_is_worth_more_where_it_kills(library):
    _, trees = library
    fights, _ = read_tree(TREES / "fps_basic.bt", vocabulary_of("fps_arena"))
    moments = list(itertools.islice(scheduler.moments(trees, 0), 12))
    gains = [[scheduler.worth(moment, tree) for tree in (fights, trees["fps_a"])] for moment in moments]
    assert np.mean(gains, axis=0)[0] > np.mean(gains, axis=0)[1]
    assert scheduler.worth(moments[0], fights) == gains[0][0]


def test_best_single_and_oracle_by_hand():
    def scores(*values):
        return Evaluation([{"score": (value, 1)} for value in values])

    found = summary(
        {"a": scores(1, 0, 0, 1), "b": scores(0, 1, 0, 0), "scheduler": scores(1, 1, 0, 0)}, "a", ["score"]
    )
    assert {name: each["value"] for name, each in found.items()} == {
        "a": 0.5,
        "b": 0.25,
        "scheduler": 0.5,
        "random": 0.375,
        "oracle": 0.75,
        "best single: a": 0.5,
    }
    assert found["oracle"]["gain"] == -0.25 and found["b"]["gain"] == 0.25
    assert json.dumps(found)
