"""ViZDoom as a second home of trees: what a player knows there, what it does, and the engine itself where it is installed."""

from __future__ import annotations

import math
import os
import random
from types import SimpleNamespace

import pytest

from bt_policies.doom.driver import buttons
from bt_policies.doom.process import Doom
from bt_policies.doom.scenarios import SCENARIOS, scenario_of
from bt_policies.doom.view import CELL, DoomView, cell_at, middle_of
from bt_policies.measuring import ablation
from bt_policies.measuring.evaluation import Policy, play, trials
from bt_policies.trees.dsl import parse
from bt_policies.trees.files import find_tree, read_tree
from bt_policies.trees.runtime import Trace
from bt_policies.trees.vocabularies import offered_in, unanswered_in, vocabulary_of
from bt_policies.trees.vocabularies import vizdoom as words
from games.fps_arena.rules import orders
from games.fps_arena.rules.weapons import PISTOL, SHOTGUN
from runs.played_once import Unplayable

CIG = SCENARIOS["cig"]
EAST, NORTH = 2, 0
NAMES = [
    "POSITION_X",
    "POSITION_Y",
    "ANGLE",
    "AMMO2",
    "AMMO3",
    "AMMO4",
    "AMMO5",
    "WEAPON2",
    "WEAPON3",
    "WEAPON4",
    "WEAPON5",
    "KILLCOUNT",
    "FRAGCOUNT",
    "DEATHCOUNT",
    "DAMAGECOUNT",
    "DAMAGE_TAKEN",
    "HITCOUNT",
]


def said(labels=(), dead=False, **variables):
    """An answer of the engine; the player stands at (0, 0), looks east, and has a pistol with 50 rounds."""
    own = dict.fromkeys(NAMES, 0.0) | {"HEALTH": 100.0, "SELECTED_WEAPON": 2.0, "WEAPON2": 1.0, "AMMO2": 50.0}
    return {"over": False, "dead": dead, "labels": [list(one) for one in labels], "variables": own | variables}


def view(*answers, scenario=CIG, moved=0):
    made = DoomView(scenario, 100)
    for answer in answers:
        made.refresh(answer, moved)
    return made


def test_cells_are_64_units_wide_and_rows_grow_to_the_south():
    assert cell_at(0, 0) == cell_at(63.9, 63.9)
    assert cell_at(64, 0) == cell_at(0, 0) + 1
    assert cell_at(0, 64) == cell_at(0, 0) - cell_at(0, -64) + cell_at(0, 0)
    assert middle_of(cell_at(10, 10)) == (32, 32)


def test_enemies_in_view_are_monsters_and_other_players_the_nearest_first():
    labels = [
        (7, "Demon", "Monster", 6 * CELL, 0),
        (3, "DoomPlayer", "Player", 0, 2 * CELL),
        (0, "DoomPlayer", "Self", 0, 0),
        (9, "DeadDemon", "Gore", CELL, 0),
    ]
    seen = view(said(labels))
    assert [(one.player, one.distance) for one in seen.visible_enemies] == [(3, 2.0), (7, 6.0)]
    # By the formula of fps_arena: .3 / (6 * tan(3 degrees)) is .954.
    assert seen.visible_enemies[1].hit_chance == pytest.approx(0.954, abs=0.001)


def test_an_enemy_that_is_gone_is_remembered_until_it_is_seen_dead():
    there = said([(7, "Demon", "Monster", 6 * CELL, 0)])
    seen = view(there, said(), said())
    assert [(one.player, one.age) for one in seen.remembered_enemies] == [(7, 2)]
    seen.refresh(said([(7, "DeadDemon", "Gore", 6 * CELL, 0)]))
    assert seen.remembered_enemies == ()
    seen = view(there, said(DEATHCOUNT=1.0))
    assert seen.remembered_enemies == ()


def test_a_hit_is_known_by_the_damage_taken():
    seen = view(said(), said(DAMAGE_TAKEN=5.0), said(DAMAGE_TAKEN=5.0))
    assert seen.hurt.age == 1
    assert view(said(), said()).hurt is None


def test_weapons_and_rounds():
    seen = view(said(WEAPON3=1.0, AMMO3=10.0, SELECTED_WEAPON=3.0))
    assert seen.weapons == (PISTOL, SHOTGUN) and seen.weapon == SHOTGUN
    assert (seen.magazine, seen.ammo_share, seen.ammo_of(PISTOL)) == (10, 0.2, 0.25)
    assert view(said(SELECTED_WEAPON=1.0)).magazine == 0, "the fist has no rounds"


def test_things_that_were_taken_are_no_longer_available():
    medikit = (5, "Medikit", "Health", 3 * CELL, 10)
    seen = view(said([medikit]), said(ANGLE=180.0))
    assert [(one.kind, one.distance, one.available) for one in seen.pickups] == [("health", 3, True)]
    seen.refresh(said())
    assert not seen.pickups[0].available


def test_ways_lead_around_what_the_player_has_bumped_into():
    seen = view(said())
    goal = seen.cell + 3
    assert seen.next_step_towards(goal) == EAST + 1
    for _ in range(3):
        seen.refresh(said(), EAST + 1)
    assert (seen.cell, EAST) in seen.blocked
    step = seen.next_step_towards(goal)
    assert step in (EAST, EAST + 2), "north-east or south-east"
    assert seen.next_step_away(seen.cell - 3) != EAST + 1
    assert view(said(), scenario=SCENARIOS["defend_the_line"]).next_step_towards(goal) == 0


@pytest.mark.parametrize("direction", range(8))
def test_directions_are_those_of_fps_arena(direction):
    dx, dy = orders.DIRECTIONS[direction]
    angle = math.degrees(math.atan2(-dy, dx))
    seen = view(said(ANGLE=angle % 360, POSITION_X=32.0, POSITION_Y=32.0))
    assert seen.facing == direction
    assert seen.direction_to(seen.cell + 5 * (dx + dy * 1024)) == direction
    assert seen.in_view(seen.cell + 5 * (dx + dy * 1024))
    assert not seen.in_view(seen.cell - 5 * (dx + dy * 1024))


def test_a_shot_turns_to_the_enemy_and_a_walk_goes_its_way():
    seen = view(said([(7, "Demon", "Monster", 0, 5 * CELL)], POSITION_X=0.0, POSITION_Y=0.0))
    does = buttons(seen, orders.STAY, orders.fire(7))
    assert does["turn"] == pytest.approx(-90) and does["attack"]
    # Facing north then, east is to the right.
    does = buttons(seen, EAST + 1, orders.fire(7))
    assert (does["forward"], does["right"]) == (0, 1)
    does = buttons(seen, EAST + 1, orders.GO)
    assert (does["turn"], does["forward"], does["right"], does["attack"]) == (0, 1, 0, False)
    assert buttons(seen, 0, orders.look(6))["turn"] in (-90, 90), "half a turn takes two decisions"
    assert not buttons(seen, 0, orders.fire(8))["attack"], "nobody of this number is in view"
    assert buttons(seen, 0, orders.switch(SHOTGUN))["weapon"] == 3
    standing = view(said(), scenario=SCENARIOS["defend_the_line"])
    assert buttons(standing, NORTH + 1, orders.GO)["forward"] == 0


def test_every_word_that_is_answered_can_be_asked():
    labels = [(7, "Demon", "Monster", 6 * CELL, 0), (5, "Medikit", "Health", 3 * CELL, 10)]
    seen = view(said(labels), said(ANGLE=180.0))
    offered = offered_in("vizdoom(scenario=cig)")
    assert not {*words.UNANSWERED} & {*offered.conditions, *offered.actions, *offered.parameters}
    board = SimpleNamespace(seen=seen, rng=random.Random(1), move=0, act=0, patrol=None)
    for word in offered.conditions.values():
        held = word.bound(str(word.number.low) if word.number else "")(board)
        assert held in (True, False), word.name
    found = {
        word.type: value for word in offered.parameters.values() if (value := word.find(board)) is not None
    }
    assert {*found} == {"location", "weapon"}, "nobody is in view, and there are no teammates"
    for word in offered.actions.values():
        for kind in word.takes or ("",):
            if kind in found or not kind:
                assert word.act(board, found.get(kind)) in (0, 1, 2), word.name


def test_words_that_are_not_answered_never_hold():
    board = SimpleNamespace(seen=view(said([(7, "Demon", "Monster", CELL, 0)])), rng=random.Random(1))
    whole = vocabulary_of("vizdoom(scenario=cig)")
    for name in words.UNANSWERED:
        if name in whole.conditions:
            assert whole.conditions[name].bound("50")(board) is False
        elif name in whole.actions:
            assert whole.actions[name].act(board, board.seen.cell) == 0
        else:
            assert whole.parameters[name].find(board) is None
    assert "move_to" in unanswered_in("vizdoom(scenario=defend_the_line)")
    assert unanswered_in("fps_arena") == {}


@pytest.mark.parametrize(
    "game, problem",
    [
        ("vizdoom(scenario=cigg)", "unknown 'cigg'.*cig"),
        ("vizdoom(scenario=cig,bots=8)", "bots: expected 0 to 7, found 8"),
        ("vizdoom(scenario=deathmatch,bots=2)", "deathmatch has none, found 2"),
        ("vizdoom(tics=2)", "tics: expected 4 to 100000, found 2"),
        ("vizdoom(skill=3)", "unknown parameter 'skill'"),
    ],
)
def test_a_game_that_is_none_is_refused(game, problem):
    with pytest.raises(ValueError, match=problem):
        scenario_of(game)


def test_families_and_opponents_are_the_scenario_s():
    with pytest.raises(ValueError, match="has no variants"):
        trials("vizdoom(scenario=cig)", 1, 0, families=("tough",))
    with pytest.raises(ValueError, match="leave --opponents out"):
        trials("vizdoom(scenario=cig)", 1, 0, opponents="strong")


def test_without_the_package_nobody_loses(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Unplayable, match=r"pip install 'spielwright\[vizdoom\]'"):
        Doom(CIG, 0)


# With the engine.


@pytest.fixture
def engine():
    return pytest.importorskip("vizdoom", reason="vizdoom is not installed; pip install 'spielwright[vizdoom]'")


@pytest.mark.parametrize("scenario", ["defend_the_center", "deathmatch", "cig"])
def test_what_is_seen_is_there_in_the_list_of_all_things(engine, scenario):
    found = 0
    with Doom(scenario_of(f"vizdoom(scenario={scenario},tics=2000)")[1], 3, objects=True) as doom:
        seen = DoomView(SCENARIOS[scenario], 175)
        for number in range(400):
            if doom.said["over"]:
                break
            seen.refresh(doom.said)
            things = {number: (x, y) for number, _, x, y in doom.said["objects"]}
            own = doom.said["variables"]
            for one in seen.visible_enemies:
                found += 1
                x, y = things[one.player]
                assert one.cell == cell_at(x, y)
                assert one.distance * CELL == pytest.approx(
                    math.hypot(x - own["POSITION_X"], y - own["POSITION_Y"])
                )
            doom.step(
                {"turn": 20 if number % 9 < 5 else 0, "forward": 1, "right": 0, "attack": False, "weapon": 0}
            )
    assert found > 10


def test_turning_walking_and_shooting_do_what_the_words_say(engine):
    with Doom(scenario_of("vizdoom(scenario=deathmatch)")[1], 5) as doom:
        seen = DoomView(SCENARIOS["deathmatch"], 1000)
        for direction in (0, 3, 6):
            for _ in range(3):
                seen.refresh(doom.said)
                doom.step(buttons(seen, orders.STAY, orders.look(direction)))
            seen.refresh(doom.said)
            assert seen.facing == direction
        start = (seen.x, seen.y)
        rounds = seen.magazine
        for _ in range(6):
            doom.step(buttons(seen, EAST + 1, orders.GO))
            seen.refresh(doom.said, EAST + 1)
        assert seen.x - start[0] > CELL and abs(seen.y - start[1]) < CELL / 2
        doom.step({"turn": 0, "forward": 0, "right": 0, "attack": True, "weapon": 0})
        doom.step({"turn": 0, "forward": 0, "right": 0, "attack": False, "weapon": 0})
        seen.refresh(doom.said)
        assert seen.magazine == rounds - 1


def test_a_tree_of_fps_arena_plays_and_a_seed_repeats_itself(engine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = find_tree("fps_basic").read_text("utf-8")
    read_tree(find_tree("fps_basic"), vocabulary_of("vizdoom(scenario=defend_the_line)"))
    (trial,) = trials("vizdoom(scenario=defend_the_line,tics=700)", 1, 4)
    first, again = (play(trial, Policy((text,)))["figures"] for _ in range(2))
    assert first == again
    still = play(trial, Policy((), script="still"))["figures"]
    assert first["damage_share"][0] > still["damage_share"][0] == 0
    assert os.listdir(tmp_path) == [], "the engine's own files lie elsewhere"


def test_small_changes_of_a_tree_with_unanswered_words_can_be_tried(engine):
    game = "vizdoom(scenario=defend_the_line,tics=200)"
    text = find_tree("fps_basic").read_text("utf-8")
    (trial,) = trials(game, 1, 4)
    (trace,) = play(trial, Policy((text,)), traced=True)["traces"]
    found = ablation.changes(parse(text), vocabulary_of(game), Trace.from_json(trace), 5)
    assert len(found) == 5


def test_scripted_bots_keep_a_score(engine):
    (trial,) = trials("vizdoom(scenario=cig,bots=2,tics=700)", 1, 4)
    figures = play(trial, Policy((), script="turn_and_shoot"))["figures"]
    assert (figures["score"][1] == 1 and figures["alive_share"] == (175, 175)) or figures["deaths"][0] > 0


def test_a_dead_process_is_nobody_s_loss(engine):
    with Doom(SCENARIOS["defend_the_center"], 0) as doom:
        doom._process.kill()
        with pytest.raises(Unplayable, match="its process had ended with code -9"):
            doom.step({"turn": 0, "forward": 0, "right": 0, "attack": False, "weapon": 0})
