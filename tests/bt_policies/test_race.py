"""Races of trees in fresh matches, paired differences, and small changes that are tried."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyspiel
import pytest
import scipy.stats

from bt_policies.measuring import ablation
from bt_policies.measuring.ablation import Change
from bt_policies.measuring.domains.fps_families import FAMILIES
from bt_policies.measuring.evaluation import Policy, evaluate, evaluate_all, trials
from bt_policies.measuring.gains import Gain, gain
from bt_policies.measuring.race import Race
from bt_policies.measuring.tables import by_family, policy_of
from bt_policies.trees.dsl import format_tree, parse
from bt_policies.trees.files import TREES
from bt_policies.trees.runtime import Trace
from bt_policies.trees.vocabularies import fps_arena, vocabulary_of
from bt_policies.trees.vocabulary import RUNNING, Action
from games.fps_arena.rules import orders
from games.fps_arena.rules.parameters import Rules
from runs.executors import InlineExecutor
from runs.played_once import JsonLinesStore

FPS = vocabulary_of("fps_arena")
GAME = "fps_arena(players=2,size=16,ticks=150,mode=tdm,map=open)"
BASIC = format_tree(parse((TREES / "fps_basic.bt").read_text()))
STILL = "task: hold_position\n"
FIGHT = (
    "selector:\n  sequence:\n    condition: has_enemy_in_view\n    task: shoot nearest_enemy_in_view\n"
    "    task: hold_position\n  task: patrol\n"
)


def matches(number):
    return trials(GAME, 8, 100 + number, opponents="medium")


def race(path, rungs=(2, 4, 8)):
    return Race(matches, rungs, BASIC, ("score", "kill_share"), "none", JsonLinesStore(path), InlineExecutor())


def test_the_losers_drop_out_and_rewards_are_differences_in_the_same_matches(tmp_path):
    raced = race(tmp_path / "played.jsonl")
    order = raced.run(0, [STILL, FIGHT, BASIC, "task: patrol\n"], keep=1)
    assert len(order) == 1 and order[0] in (FIGHT, BASIC)
    assert raced.reward(BASIC).mean == 0 and set(raced.reward(BASIC).differences) == {0}
    played = {text: raced.reward(text).games for text in (STILL, FIGHT, BASIC, "task: patrol\n")}
    assert sorted(played.values()) == [2, 2, 4, 8]
    stop = played[FIGHT]
    ours, theirs = (evaluate(Policy((text,)), matches(0)[:stop], InlineExecutor()) for text in (FIGHT, BASIC))
    share = [
        (one["score"][0] - other["score"][0] + ratio(one["kill_share"], other["kill_share"])) / 2
        for one, other in zip(ours.figures, theirs.figures)
    ]
    assert raced.reward(FIGHT).differences == pytest.approx(share)


def ratio(own, other):
    return own[0] / own[1] - other[0] / other[1] if own[1] and other[1] else 0


def test_each_round_brings_fresh_matches_and_what_was_played_stays(tmp_path):
    raced = race(tmp_path / "played.jsonl")
    raced.run(0, [FIGHT], keep=1)
    raced.run(1, [FIGHT, STILL], keep=1)
    assert raced.reward(FIGHT).games == 16
    assert raced.against(FIGHT, STILL).games == raced.reward(STILL).games
    kept = (tmp_path / "played.jsonl").read_bytes()
    again = race(tmp_path / "played.jsonl")
    again.run(0, [FIGHT], keep=1)
    again.run(1, [FIGHT, STILL], keep=1)
    assert (tmp_path / "played.jsonl").read_bytes() == kept
    assert again.reward(FIGHT) == raced.reward(FIGHT)
    own, reference, listed = again.last(FIGHT)
    assert [one.seed for one in listed] == [one.seed for one in matches(1)]
    assert len(own.figures) == len(reference.figures) == 8 and own.traces[0].ticks > 0


def test_policies_in_a_row_play_as_each_alone():
    listed = matches(3)[:4]
    together = evaluate_all([Policy((FIGHT,)), Policy((STILL,))], listed, InlineExecutor(), traced=True)
    for text, found in zip((FIGHT, STILL), together):
        alone = evaluate(Policy((text,)), listed, InlineExecutor(), traced=True)
        assert found.figures == alone.figures and found.traces == alone.traces


def test_what_happens_to_a_soldier_is_credited_to_tasks():
    listed = trials("fps_arena(players=4,size=16,ticks=150,mode=tdm,map=open)", 4, 1)
    found = evaluate(Policy((BASIC,)), listed, InlineExecutor(), traced=True)
    (trace,) = found.traces
    total = {
        name: sum(one[name] for one in trace.outcomes.values())
        for name in ("dealt", "taken", "kills", "deaths")
    }
    deaths = sum(one["deaths"][0] for one in found.figures)
    # What happens in the last tick, and the deaths after which a soldier did not come back in time, are not credited.
    assert 0 < total["kills"] <= sum(one["kills"][0] for one in found.figures)
    assert deaths - 2 * len(listed) <= total["deaths"] <= deaths and total["deaths"] > 0
    shooting = {
        number for number, node in enumerate(parse(BASIC).nodes()) if node.name in ("keep_range_to", "shoot")
    }
    assert (
        sum(trace.outcomes[number]["dealt"] for number in shooting & set(trace.outcomes)) > 0.9 * total["dealt"]
    )
    assert Trace.from_json(trace.to_json()) == trace


def test_a_mean_has_students_interval():
    values = tuple(np.random.default_rng(0).normal(0.1, 1.0, 30))
    low, high = Gain(values).interval
    expected = scipy.stats.t.interval(0.95, 29, np.mean(values), scipy.stats.sem(values))
    assert (low, high) == pytest.approx(expected)
    assert Gain((0.5,)).interval == (-np.inf, np.inf)


def test_gains_average_metrics_and_leave_level_what_has_no_value():
    own, others = [{"score": (1, 1), "accuracy": (0, 0)}], [{"score": (0, 1), "accuracy": (3, 4)}]
    assert gain(("score", "accuracy"), own, others).differences == (0.5,)
    with pytest.raises(ValueError, match="expected figures of the same matches, found 1 and 0"):
        gain(("score",), own, [])


TREE = parse(
    "selector:\n  sequence:\n    condition: health_below 40\n    task: move_to nearest_health\n"
    "  sequence:\n    condition: has_enemy_in_view\n    task: shoot nearest_enemy_in_view\n"
    "    task: strafe_around nearest_enemy_location\n  task: patrol\n"
)
ALL = Trace([[0, 0, 100]] * 9, 100)


def test_changes_are_trees_of_the_vocabulary_each_once_and_of_every_kind():
    found = ablation.changes(TREE, FPS, ALL, 100)
    texts = [one.text for one in found]
    assert len(set(texts)) == len(texts) and format_tree(TREE) not in texts
    said = [one.said for one in found]
    for expected in (
        "`hold_position` in place of `strafe_around` on line 8",
        "line 5 (`sequence:`) before line 2 (`sequence:`)",
        "20 in place of 40 on line 3 (`condition: health_below 40`)",
        "60 in place of 40 on line 3 (`condition: health_below 40`)",
        "`weakest_enemy_in_view` on line 7 (`task: shoot nearest_enemy_in_view`)",
        "without line 3 (`condition: health_below 40`)",
        "without line 2 (`sequence:`) and all below it",
    ):
        assert expected in said
    without = found[said.index("without line 2 (`sequence:`) and all below it")].text
    assert without == format_tree(
        parse("\n".join(format_tree(TREE).split("\n")[:1] + format_tree(TREE).split("\n")[4:]))
    )


def test_what_is_never_asked_is_not_changed():
    trace = Trace([list(counts) for counts in ALL.counts], 100)
    for number in (2, 3):
        trace.counts[number] = [0, 0, 0]
    said = " ".join(one.said for one in ablation.changes(TREE, FPS, trace, 100))
    assert "line 3" not in said and "line 4" not in said and "line 7" in said


def test_the_changes_that_look_best_play_more():
    changes = [Change(f"change {number}", f"task: {number}", 1.0) for number in range(4)]
    asked = []

    def play(texts, games):
        asked.append((list(texts), games))
        return [
            Gain(tuple([int(text[-1]) / 10 + 0.01 * (game % 2) for game in range(games)])) for text in texts
        ]

    found = ablation.effects(changes, play, (4, 8), 2)
    assert asked == [([one.text for one in changes], 4), (["task: 3", "task: 2"], 8)]
    assert [one.change.said for one in found] == ["change 3", "change 2", "change 1", "change 0"]
    assert [one.gain.games for one in found] == [8, 8, 4, 4]
    said = ablation.sentences(found, lambda gain: f"{gain.mean:+.2f}")
    assert said[0].startswith("4 small changes of this tree were tried")
    assert "change 3: +0.30; what is there now does harm." in said


def test_a_planted_false_word_is_named(monkeypatch):
    """A word that says that it helps, and keeps its soldier from shooting, is named by what is tried in a round."""

    def dodge(board, value):
        board.act, board.move = orders.GO, orders.STAY
        return RUNNING

    false = Action("dodge", "makes me harder to hit", dodge, (), (), ("act", "move"))
    words = replace(FPS, actions={**FPS.actions, "dodge": false})
    monkeypatch.setattr(fps_arena, "VOCABULARY", words)
    planted = parse(
        "selector:\n  sequence:\n    condition: has_enemy_in_view\n    task: shoot nearest_enemy_in_view\n"
        "    task: dodge\n  task: patrol\n"
    )
    listed = trials(GAME, 40, 5, opponents="medium")
    found = evaluate(Policy((format_tree(planted),)), listed, InlineExecutor(), traced=True)
    changes = ablation.changes(planted, words, found.traces[0], 6)

    def play(texts, games):
        made = evaluate_all([Policy((text,)) for text in texts], listed[:games], InlineExecutor())
        return [gain(("score", "kill_share"), one.figures, found.figures[:games]) for one in made]

    said = ablation.sentences(ablation.effects(changes, play, (10, 40), 2), lambda one: f"{one.mean:+.2f}")
    (named,) = [line for line in said if line.startswith("`hold_position` in place of `dodge` on line 5")]
    assert named.endswith("what is there now does harm.")


@pytest.mark.parametrize("family", FAMILIES)
def test_variants_of_a_family_differ_and_keep_to_its_ranges(family):
    listed = trials("fps_arena", 30, 4, families=[family])
    games = [pyspiel.game_parameters_from_string(trial.game) for trial in listed]
    assert {trial.family for trial in listed} == {family}
    rules = [
        Rules.from_parameters({name: value for name, value in one.items() if name != "name"}) for one in games
    ]
    own = FAMILIES[family](np.random.default_rng(0))
    if family == "standard":
        assert {one.health for one in rules} == {100}
        return
    for name in ("ticks", "sight", "rifle_damage"):
        assert len({one[name] for one in games}) > 5 or name in own
    if family == "fragile":
        assert all(25 <= one.health <= 60 for one in rules)
    if family == "crowded":
        assert {one.players for one in rules} == {6, 8}
    assert evaluate(Policy((FIGHT,)), listed[:2], InlineExecutor()).value("score") is not None


def test_families_take_turns_and_unknown_ones_are_refused():
    listed = trials("fps_arena", 8, 0, opponents="weak,medium", families=["fragile", "tough"])
    assert [trial.family for trial in listed] == ["fragile", "fragile", "tough", "tough"] * 2
    assert {trial.opponent for trial in listed if trial.family == "tough"} == {"weak", "medium"}
    with pytest.raises(ValueError, match="families: expected some of standard, .*found 'rough'"):
        trials("fps_arena", 1, 0, families=["rough"])
    with pytest.raises(ValueError, match="connect_four has no variants"):
        trials("connect_four", 1, 0, families=["fragile"])


def test_a_script_plays_the_same_matches():
    listed = matches(0)[:3]
    found = evaluate(policy_of("strong", GAME, None, "rule"), listed, InlineExecutor())
    assert len(found.figures) == 3 and found.value("score") is not None
    with pytest.raises(ValueError, match="no tree named 'strong'|strong"):
        policy_of("strong", "connect_four", None, "rule")


def test_the_figures_of_each_family_stand_in_a_table():
    listed = trials(GAME, 4, 0, families=["fragile", "tough"])
    own = evaluate(Policy((FIGHT,)), listed, InlineExecutor())
    text = by_family(own, listed, own, ("score",))
    lines = text.split("\n")
    assert lines[0].split()[:4] == ["family", "games", "score", "difference"]
    assert [line.split()[0] for line in lines[2:]] == ["fragile", "tough"]
    assert all(" 0.0 %" in line for line in lines[2:])
