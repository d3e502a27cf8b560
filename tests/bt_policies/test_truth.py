"""What the words of fps_arena promise, held against what the engine does: the numbers are read from the prompt."""

from __future__ import annotations

import dataclasses
import itertools
import random
import re

import pytest

from bt_policies.trees.dsl import parse
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.trees.vocabularies.fps_arena import TreeController, vocabulary
from games.fps_arena.knowing.observation import Observation
from games.fps_arena.rules import senses, weapons
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.parameters import MAP_KINDS, Rules
from games.fps_arena.rules.setting import setting_of

# Nobody dies or reloads, so that shots can be counted.
LASTING = tuple(kind._replace(magazine=10**6) for kind in weapons.DEFAULTS)
OPEN = Rules(players=2, map="open", size=32, health=10**6, weapons=LASTING, ticks=10**6)
SHOOT = "sequence:\n  task: shoot nearest_enemy_in_view\n  task: "


def controller(text, state, player):
    made = TreeController(lambda seed: TreePlayer(parse(text), vocabulary_of("fps_arena"), seed))
    made.start(state.setting.rules, state.setting.arena, player, 1)
    return made


def placed(rules, cells, facing=0):
    state = State.start(rules, 3)
    for soldier, cell in zip(state.soldiers, cells):
        soldier.cell, soldier.facing, soldier.protected_until = cell, facing, 0
        soldier.weapon = weapons.RIFLE
    for soldier, other in zip(state.soldiers, reversed(state.soldiers)):
        soldier.facing = state.setting.towards(soldier.cell, other.cell)
    senses.look(state)
    return state


def played(state, texts, ticks):
    """Plays a tree for each soldier; yields after each tick."""
    controllers = [controller(text, state, player) for player, text in enumerate(texts)]
    for _ in range(ticks):
        state.step([one.act(Observation(state, player)) for player, one in enumerate(controllers)])
        yield state


def open_rules(distance):
    """A map and two cells of a row at this distance, in sight of each other, with open floor beside them."""
    for seed in range(200):
        rules = dataclasses.replace(OPEN, map_seed=seed)
        setting, floor = setting_of(rules), set(setting_of(rules).arena.floor)
        beside = [dx + dy * rules.size for dx in (-1, 0, 1) for dy in range(-3, 4)]
        for cell in setting.arena.floor:
            other = cell + distance
            if cell // rules.size == other // rules.size and setting.arena.view(cell)[other] and other in floor:
                if all(one + step in floor for one in (cell, other) for step in beside):
                    return rules, (cell, other)
    raise AssertionError(f"no map has open floor at distance {distance}")


def accuracy(soldier):
    return soldier.tally.hits / soldier.tally.shots


@pytest.mark.parametrize("late", [0, 1])
def test_strafing_costs_what_its_meaning_says(late):
    """With a rifle, a shot every 2 ticks and a step every 2 ticks, all shots of a duel fall into steps, or none."""
    rules, cells = open_rules(9)
    meaning = vocabulary_of("fps_arena").actions["strafe_around"].meaning
    said = re.search(
        r"in 1 of 2 ticks my own spread is ([\d.]+) times as wide, and the enemy's ([\d.]+) times", meaning
    )
    own, enemy = map(float, said.groups())
    state = placed(rules, cells)
    for soldier in state.soldiers:
        soldier.ready_at = late
    distances = []
    for now in played(state, [SHOOT + "strafe_around nearest_enemy_location", SHOOT + "hold_position"], 6000):
        distances.append(now.setting.squared(now.soldiers[0].cell, now.soldiers[1].cell) ** 0.5)
    rifle = weapons.DEFAULTS[weapons.RIFLE]

    def predicted(widening):
        return sum(weapons.hit_chance(rifle, one, widening if late else 1) for one in distances) / len(
            distances
        )

    strafes, stands = state.soldiers
    assert min(strafes.tally.shots, stands.tally.shots) > 2000
    # Three standard errors of 2,000 shots are .034.
    assert accuracy(strafes) == pytest.approx(predicted(own), abs=0.04)
    assert accuracy(stands) == pytest.approx(predicted(enemy), abs=0.04)


def table():
    """The table of weapons in the prompt, as numbers: name -> column -> text."""
    lines = vocabulary_of("fps_arena").scenario.split("\n")
    (at,) = [index for index, line in enumerate(lines) if line.startswith("weapon |")]
    head = lines[at].split(" | ")
    return {line.split(" | ")[0]: dict(zip(head, line.split(" | "))) for line in lines[at + 1 : at + 5]}


@pytest.mark.parametrize("weapon", range(len(weapons.NAMES)))
@pytest.mark.parametrize("distance", [4, 7])
def test_the_damage_a_tick_is_that_of_the_table(weapon, distance):
    rules, cells = open_rules(distance)
    state = placed(rules, cells)
    shooter = state.soldiers[0]
    shooter.weapon, shooter.magazines[weapon] = weapon, 10**6
    ticks = 3000
    for _ in played(state, [SHOOT + "hold_position", "task: hold_position"], ticks):
        pass
    promised = float(table()[weapons.NAMES[weapon]][f"at {distance}"])
    assert shooter.tally.damage_dealt / ticks == pytest.approx(promised, rel=0.08)


@pytest.mark.parametrize("weapon", range(len(weapons.NAMES)))
def test_reloading_and_changing_take_the_ticks_of_the_prompt(weapon):
    rules = Rules(players=2, map="open", size=32)
    state = State.start(rules, 1)
    soldier = state.soldiers[0]
    soldier.magazines[weapon], soldier.reserves[weapon] = 0, 60
    other = weapons.PISTOL if weapon != weapons.PISTOL else weapons.RIFLE
    soldier.weapon = other
    name = weapons.NAMES[weapon]
    (switching,) = re.findall(r"Changing the weapon takes (\d+) ticks", vocabulary_of("fps_arena").scenario)
    ready = None
    for now in played(state, [f"task: switch_to {name}", "task: hold_position"], 1):
        assert now.soldiers[0].weapon == weapon
        ready = now.soldiers[0].ready_at
    assert ready == int(switching)
    started = state.tick
    for now in played(state, ["task: reload", "task: hold_position"], 60):
        if now.soldiers[0].magazines[weapon]:
            break
    # The reload is over when the act of the tick after it begins.
    assert now.tick - started == int(table()[name]["reload"]) + 1


def pairs(rules, count, seed=0):
    rng = random.Random(seed)
    return [rng.sample(setting_of(rules).arena.floor, 2) for _ in range(count)]


CAVES = Rules(players=2, map="caves", size=32, health=10**6)


def walked(rules, cells, word, ticks=None):
    """The states of soldier 0 while it carries out a task on the place of soldier 1, which stands unseen in memory."""
    state = placed(rules, cells)
    state.memory(state.soldiers[0])[1] = (cells[1], 0)
    made = controller("task: hold_position", state, 0)
    board = made.player.board
    action = vocabulary_of("fps_arena").actions[word]
    for _ in range(ticks or 400):
        board.seen = Observation(state, 0)
        board.move, board.act = 0, 0
        status = action.act(board, cells[1])
        yield state, status
        state.step([board.seen.codec.order(board.move, board.act), 0])


def test_move_to_takes_the_promised_ticks_for_each_step():
    (step_ticks,) = re.findall(
        r"A step to one of the 8 cells around takes (\d+) ticks", vocabulary(CAVES).scenario
    )
    for cells in pairs(CAVES, 10, seed=1):
        steps = setting_of(CAVES).arena.field(cells[1]).steps[cells[0]]
        state = placed(CAVES, cells)
        state.soldiers[1].health = 0  # nobody in the way
        made = controller("task: hold_position", state, 0)
        board, action = made.player.board, vocabulary_of("fps_arena").actions["move_to"]
        while True:
            board.seen = Observation(state, 0)
            board.move, board.act = 0, 0
            if action.act(board, cells[1]) == 1:
                break
            state.step([board.seen.codec.order(board.move, board.act), 0])
        assert state.tick == pytest.approx(int(step_ticks) * steps, abs=int(step_ticks))


def test_cover_is_out_of_sight_or_behind_low_cover():
    reached = 0
    for cells in pairs(CAVES, 40, seed=2):
        setting = setting_of(CAVES)
        for state, status in walked(CAVES, cells, "take_cover_from", 40):
            here = state.soldiers[0].cell
            if status == 1:
                safe = not setting.arena.view(cells[1])[here] or setting.covered(cells[1], here)
                reached += safe
                break
        else:
            raise AssertionError("it walks on")
    assert reached >= 36  # of 40; the rest have no cover within 8 steps


def test_a_retreat_leads_away():
    for cells in pairs(CAVES, 20, seed=3):
        steps = setting_of(CAVES).arena.field(cells[1]).steps
        way = [steps[state.soldiers[0].cell] for state, _ in walked(CAVES, cells, "retreat_from", 30)]
        assert way == sorted(way)


def test_a_flank_is_seen_less_than_the_straight_way():
    def seen_ticks(word):
        total = 0
        for kind in MAP_KINDS:
            rules = dataclasses.replace(CAVES, map=kind)
            arena = setting_of(rules).arena
            for cells in pairs(rules, 20, seed=4):
                for state, _ in walked(rules, cells, word, 200):
                    here = state.soldiers[0].cell
                    if arena.field(cells[1]).steps[here] <= 6:  # from there on it is the straight way
                        break
                    total += bool(arena.view(cells[1])[here])
        return total

    assert seen_ticks("flank") < 0.8 * seen_ticks("move_to")


def test_range_is_kept_between_half_and_all_of_the_effective_range():
    rules, cells = open_rules(14)
    meaning = vocabulary_of("fps_arena").actions["keep_range_to"].meaning
    (promised,) = re.findall(r"rifle ([\d.]+)", meaning)
    for start in (cells, (cells[1] - 2, cells[1])):
        for state, _ in walked(rules, start, "keep_range_to", 60):
            pass
        distance = state.setting.squared(state.soldiers[0].cell, start[1]) ** 0.5
        assert float(promised) / 2 - 0.1 <= distance <= float(promised) + 0.1


def test_eyes_turn_as_promised():
    rules = Rules(players=2, map="open", size=32)
    scenario = vocabulary(rules).scenario
    (degrees,) = re.findall(r"a soldier turns by up to (\d+) degrees", scenario)
    (every,) = re.findall(
        r"turns a quarter every (\d+) ticks", vocabulary(rules).actions["look_around"].meaning
    )
    state = State.start(rules, 5)
    facing = [state.soldiers[0].facing]
    text = "sequence:\n  task: look_around\n  task: hold_position\n"
    facing += [now.soldiers[0].facing for now in played(state, [text, "task: hold_position"], 4 * int(every))]
    assert facing[0] == facing[-1] and len(set(facing)) == 4
    turned = max((new - old) % 8 for old, new in itertools.pairwise(facing))
    assert 45 * turned <= int(degrees)


def test_a_follower_ends_within_the_promised_distance():
    rules = Rules(players=4, map="open", size=32)
    (near,) = re.findall(r"succeeds within (\d+) cells", vocabulary(rules).actions["follow"].meaning)
    state = State.start(rules, 2)
    still = "task: hold_position"
    for _ in played(state, ["task: follow nearest_ally", still, still, still], 120):
        pass
    ally = state.setting.squared(state.soldiers[0].cell, state.soldiers[2].cell) ** 0.5
    assert ally <= int(near)


def test_a_patrol_sees_the_map():
    rules = Rules(players=2, map="open", size=32)
    state = State.start(rules, 2)
    cells = {now.soldiers[0].cell for now in played(state, ["task: patrol", "task: hold_position"], 400)}
    assert len(cells) > 100


@pytest.mark.parametrize(
    "name, value",
    [
        ("ticks", 700),
        ("health", 150),
        ("sight", 12),
        ("fov", 90),
        ("radio", False),
        ("memory_ticks", 50),
        ("shot_hearing", 20),
        ("step_hearing", 8),
        ("move_ticks", 3),
        ("turn_rate", 1),
        ("switch_ticks", 5),
        ("moving_spread", 2.0),
        ("target_spread", 2.0),
        ("cover", 0.9),
        ("cover_distance", 4),
        ("team_collision", True),
        ("respawn_ticks", 40),
        ("protection_ticks", 0),
        ("start_weapon", "shotgun"),
        ("pickup_ticks", 60),
        ("medkit", 25),
        ("zone_radius", 2.0),
        ("capture_ticks", 20),
        ("rifle_damage", 30),
        ("pistol_cooldown", 5),
        ("sniper_spread", 4.0),
        ("shotgun_pellets", 9),
        ("rifle_range", 9.0),
        ("rifle_reload", 30),
    ],
)
def test_the_prompt_follows_the_rules(name, value):
    usual = vocabulary_of("fps_arena")
    shown = str(value).lower() if isinstance(value, bool) else value
    other = vocabulary_of(f"fps_arena({name}={shown})")
    assert other.scenario != usual.scenario
    assert set(other.conditions) == set(usual.conditions) and set(other.actions) == set(usual.actions)
