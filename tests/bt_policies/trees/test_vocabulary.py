"""The checker's sentences about names and types, and what vocabularies declare."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass

import pytest

from bt_policies.trees.dsl import TreeError, format_tree, parse
from bt_policies.trees.runtime import blackboard, compile_tree
from bt_policies.trees.vocabularies import GAMES, connect_four, module_of, vocabulary_of
from bt_policies.trees.vocabulary import Action, Condition, Key, Parameter, check, declare
from games.fps_arena.rules.parameters import Rules
from games.fps_arena.rules.weapons import RIFLE

FPS = vocabulary_of("fps_arena")
BAD = {
    "condition: has_enemy": "line 1, column 12: expected a condition of fps_arena, found 'has_enemy'; did "
    "you mean",
    "condition: reload": "found 'reload'; it is an action: write 'task: reload'",
    "task: is_hurt": "line 1, column 7: expected an action of fps_arena, found 'is_hurt'; it is a condition",
    "task: shot random_enemy_in_view": "found 'shot'; did you mean shoot",
    "task: shoot": "line 1, column 13: expected a parameter of type enemy after the action 'shoot', found "
    "nothing; expected one of: nearest_enemy_in_view",
    "task: shoot zone": "line 1, column 13: expected a parameter of type enemy after the action 'shoot', "
    "found 'zone' of type location",
    "task: shoot nearest_enemy": "found 'nearest_enemy'; did you mean nearest_enemy_in_view",
    "task: reload zone": "line 1, column 14: expected nothing after the action 'reload', which takes no "
    "parameter, found 'zone'",
    "condition: health_below": "line 1, column 25: expected a number from 1 to 100 percent after the condition "
    "'health_below', found nothing",
    "condition: health_below 140": "line 1, column 25: expected a number from 1 to 100 percent after the condition "
    "'health_below', found '140'",
    "condition: health_below 0": "found '0'",
    "condition: is_hurt 40": "line 1, column 20: expected nothing after the condition 'is_hurt', which takes no "
    "number, found '40'",
    "selector:\n  condition: no\n  condition: hurt\n  task: run": "line 3, column 14: .*; line 4, column 9: ",
}


@pytest.mark.parametrize("text", BAD, ids=repr)
def test_what_is_wrong_is_said_with_the_nearest_name(text):
    with pytest.raises(TreeError) as caught:
        check(parse(text), FPS)
    pattern = BAD[text]
    assert re.search(pattern, str(caught.value)) or pattern in str(caught.value)


@pytest.mark.parametrize("game", GAMES)
def test_every_word_can_be_said_and_stands_in_the_prompt(game):
    words = vocabulary_of(game)
    prompt = words.describe()
    for name in (*words.conditions, *words.actions, *words.parameters):
        assert f"`{name}`" in prompt
    for action in words.actions.values():
        fitting = [word.name for word in words.parameters.values() if word.type in action.takes]
        for parameter in fitting or [""]:
            check(parse(f"task: {action.name} {parameter}"), words)
        assert bool(fitting) == bool(action.takes)
    used = {kind for action in words.actions.values() for kind in action.takes}
    assert used == set(words.types) == {word.type for word in words.parameters.values()}


def test_a_subset_knows_fewer_words():
    fewer = FPS.subset(["flank", "is_hurt", "zone"])
    assert "flank" not in fewer.describe() and "`zone`" not in fewer.describe()
    with pytest.raises(TreeError):
        check(parse("task: flank nearest_enemy_location"), fewer)
    check(parse("task: flank nearest_enemy_location"), FPS)
    with pytest.raises(ValueError, match="leave_out: 'flnk' is no word of fps_arena; did you mean flank"):
        FPS.subset(["flnk"])


def test_declarations_are_checked():
    def made(**changes):
        fields = {"conditions": [], "actions": [], "parameters": [], "types": {}, "keys": [Key("seen", "")]}
        return declare(game="test", scenario="", **{**fields, **changes})

    condition = Condition("c", "", lambda board: True, ("seen",))
    made(conditions=[condition])
    with pytest.raises(ValueError, match="each of its conditions once"):
        made(conditions=[condition, condition])
    with pytest.raises(ValueError, match=r"'c' names \['seen'\]"):
        made(conditions=[condition], keys=[])
    with pytest.raises(ValueError, match=r"'p' names \['thing'\]"):
        made(parameters=[Parameter("p", "thing", "", lambda board: 1)])
    with pytest.raises(ValueError, match="'c' is a condition and an action"):
        made(conditions=[condition], actions=[Action("c", "", lambda board, value: 1)])


def test_a_game_that_does_not_exist_is_named():
    with pytest.raises(ValueError, match="there is no game 'ches' for behaviour trees; did you mean chess"):
        module_of("ches")


def test_fps_acts_and_moves_are_chosen_apart_from_each_other():
    """Shooting succeeds at once and the sequence goes on to the move, as the prompt says."""

    class Seen:
        reloading, magazine, cell, tick = 0, 3, 5, 1
        visible_enemies = [type("Sighting", (), {"player": 2, "cell": 9, "distance": 3.0})()]
        remembered_enemies = ()
        next_step_towards = staticmethod(lambda cell: 4)

    from games.fps_arena.rules import orders

    board = blackboard(FPS, 0)
    board.seen = Seen
    tick = compile_tree(
        parse("sequence:\n  task: shoot nearest_enemy_in_view\n  task: move_to nearest_enemy_location\n"),
        FPS,
        guard=True,
    )
    assert tick(board) == 2 and board.act == orders.fire(2) and board.move == 4
    Seen.magazine = 0
    board.act, board.move = orders.GO, orders.STAY
    assert tick(board) == 0 and (board.act, board.move) == (orders.GO, orders.STAY)


def test_the_centre_of_connect_four_is_its_fourth_column():
    words = vocabulary_of("connect_four")
    for full, holds in ((2, True), (3, False), (4, True)):
        board = blackboard(words, 0)
        board.seen = connect_four.Position([("." * full + disc).ljust(7, ".") for disc in "xoxoxo"], "x")
        assert words.conditions["centre_is_open"].test(board) is holds


@dataclass
class Sight:
    distance: float = 5.0
    health: float = 40
    hit_chance: float = 0.5
    age: int = 10
    cell: int = 7
    alive: bool = True
    covered: bool = False


@dataclass
class Thing:
    kind: str
    cell: int
    available: bool = True
    distance: int = 9


class Seen:
    """An observation made by hand."""

    rules = Rules()
    max_health, health, magazine, weapon, ammo_share = 100, 40, 12, RIFLE, 0.4
    weapons = (0, RIFLE)
    visible_enemies = (Sight(),)
    remembered_enemies = (Sight(distance=8.0, age=20),)
    noises = (Sight(distance=6.0, age=15),)
    allies = (Sight(distance=3.0),)
    pickups = (Thing("health", 1, distance=9), Thing("ammo", 2, distance=12), Thing("shotgun", 3, distance=14))
    objective, lead, ticks_left, alive_enemies = 5, -2, 200, 3
    hurt = Sight(age=11)

    def in_view(self, cell):
        return False

    def distance(self, cell):
        return {1: 9, 2: 12, 3: 14, 5: 16}[cell]


EDGES = {
    # word: (the last number that does not hold, the first one that does), worked out from `Seen`
    "health_below": (40, 41),
    "enemy_health_below": (40, 41),
    "enemy_within": (4, 5),
    "remembered_within": (7, 8),
    "seen_within_ticks": (19, 20),
    "heard_within_ticks": (14, 15),
    "noise_within": (5, 6),
    "hit_within_ticks": (10, 11),
    "magazine_below": (40, 41),
    "ammunition_below": (40, 41),
    "health_within": (8, 9),
    "ammunition_within": (11, 12),
    "weapon_within": (13, 14),
    "zone_within": (15, 16),
    "ally_within": (2, 3),
    "enemies_alive_at_most": (2, 3),
    "ticks_left_below": (200, 201),
    "hit_chance_at_least": (51, 50),
    "enemies_in_view_at_least": (2, 1),
    "lead_at_least": (-1, -2),
}


def test_every_condition_with_a_number_has_its_edges_here():
    assert set(EDGES) == {word.name for word in FPS.conditions.values() if word.number}


@pytest.mark.parametrize("word", EDGES)
def test_a_threshold_holds_on_one_side_of_its_edge(word):
    for number, expected in zip(EDGES[word], (0, 1)):
        board = blackboard(FPS, 0)
        board.seen = Seen()
        assert compile_tree(parse(f"condition: {word} {number}"), FPS, guard=True)(board) == expected


def test_a_number_stands_in_the_text_as_it_was_written():
    text = "selector:\n  condition: lead_at_least -3\n  condition: health_below 12.5\n"
    tree = parse(text)
    assert format_tree(tree) == text
    check(tree, FPS)
    for wrong in ("4O", "1e3", "+4", "04", "nan", "--1"):
        with pytest.raises(TreeError, match="column 25: expected a number such as 40, found"):
            parse(f"condition: health_below {wrong}")


def test_games_of_this_suite_are_known_in_a_fresh_process():
    program = (
        "from bt_policies.trees.vocabularies import module_of; print(module_of('gen_tic_tac_toe').__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "bt_policies.trees.vocabularies.any_game"
