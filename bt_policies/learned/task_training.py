"""Trains and judges the networks of `neural_tasks`, each on one simple reward.

A situation is a moment of a match between scripted soldiers on a map of its own. In training the soldier
takes several options from the same situation (the same state, the same chances, the same opponents), and a
network learns what each was worth: rollouts as in Tesauro, Galperin (1996), at the level of options.
Judged is the node in closed loop, against its rule twin from the same situations, on other maps.

Costs, in health points, less is better (for `shoot` the worth, more is better):

    move_to          damage taken, and half a point for each tick, until the goal is reached, the soldier is
                     dead (then for all ticks that were left) or twice the time of the shortest way and 20
                     ticks are over
    take_cover_from  damage taken in 40 ticks
    shoot            damage done in 40 ticks, and a soldier's full health for each kill
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from bt_policies.learned import neural_tasks
from bt_policies.learned.networks import Network, fit
from bt_policies.learned.neural_tasks import FEATURES, Act
from bt_policies.trees.vocabularies import fps_actions
from games.fps_arena.knowing.observation import Observation
from games.fps_arena.play.match import rules_of
from games.fps_arena.play.scripted import STRENGTHS
from games.fps_arena.rules import orders
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.maps import FAR
from games.fps_arena.rules.parameters import MAP_KINDS
from games.fps_arena.rules.soldier import Tally

TASKS = tuple(FEATURES)
RULES: dict[str, Act] = {
    "move_to": fps_actions.move_to,
    "take_cover_from": fps_actions.take_cover_from,
    "shoot": fps_actions.shoot,
}
"""Task -> its rule twin."""
TICK = 0.5
"""The cost of a tick of a walk, in health points."""
WINDOW = 40
"""The number of ticks in which cover and shots are judged."""
_OPTIONS, _PER_MATCH, _APART = 8, 10, 25
_TRAINING, _JUDGING = 41_203, 59_771
"""Streams of random numbers: maps that nodes are trained on, and others."""


class Situation(NamedTuple):
    """A moment of a match.

    Attributes:
      state: the engine's; not to be changed.
      others: the makers of the controller of each seat; they start anew with the seed.
      player: whose soldier it is; it is alive and has an enemy in view.
      value: the value of the task's parameter: a cell, or a player for `shoot`.
      limit: ticks that the task may take.
      seed: the seed of the controllers.
    """

    state: State
    others: list[Callable[[], Any]]
    player: int
    value: int
    limit: int
    seed: int

    def controllers(self) -> list[Any]:
        """Returns the controllers of all seats, started."""
        made = [make() for make in self.others]
        setting = self.state.setting
        for player, one in enumerate(made):
            one.start(setting.rules, setting.arena, player, self.seed + player)
        return made


def situations(task: str, seed: int, judging: bool) -> Iterator[Situation]:
    """Yields the situations without end, a few from each match, each match on a map of its own.

    Args:
      task: the task that they are for.
      seed: the same seed gives the same situations.
      judging: whether they are for judging, not for training: other maps.
    """
    rng = np.random.default_rng([_JUDGING if judging else _TRAINING, TASKS.index(task), seed])
    strengths = list(STRENGTHS.values())
    while True:
        rules = rules_of(
            {
                "players": int(rng.choice([4, 6])),
                "mode": "tdm",
                "size": int(rng.choice([32, 36, 40])),
                "map": str(rng.choice(MAP_KINDS)),
                "map_seed": int(rng.integers(2**31)),
            }
        )
        state = State.start(rules, int(rng.integers(2**31)))
        makers = [strengths[int(rng.integers(3))] for _ in range(rules.players)]
        others = Situation(state, makers, 0, 0, 0, int(rng.integers(2**31))).controllers()
        seats = [Observation(state, player) for player in range(rules.players)]
        found, wait = 0, int(rng.integers(_APART))
        while not state.over and found < _PER_MATCH:
            wait -= 1
            ready = (
                []
                if wait > 0
                else [
                    player
                    for player, one in enumerate(state.soldiers)
                    if one.health > 0 and one.visible and one.step_at <= state.tick
                ]
            )
            if ready:
                player = ready[int(rng.integers(len(ready)))]
                seats[player].refresh(state)
                value, limit = _wanted(task, seats[player], rng)
                yield Situation(state.clone(), makers, player, value, limit, int(rng.integers(2**31)))
                found, wait = found + 1, _APART
            play_tick(state, others, seats)


def _wanted(task: str, seen: Observation, rng: np.random.Generator) -> tuple[int, int]:
    """Returns the parameter's value and the ticks that the task may take."""
    if task == "shoot":
        return seen.visible_enemies[0].player, WINDOW
    if task == "take_cover_from":
        return seen.visible_enemies[0].cell, WINDOW
    steps = seen.arena.field(seen.cell).steps
    goals = [cell for cell in seen.arena.floor if 8 <= steps[cell] <= 25]
    goal = (
        goals[int(rng.integers(len(goals)))]
        if goals
        else max(seen.arena.floor, key=lambda cell: (steps[cell] < FAR, steps[cell]))
    )
    return goal, 2 * seen.rules.move_ticks * steps[goal] + 20


def play_tick(
    state: State,
    others: list[Any],
    seats: list[Observation],
    player: int = -1,
    order: Callable[[Observation], int] | None = None,
) -> None:
    """Plays a tick.

    Args:
      state: the state that is changed.
      others: the controller of each seat.
      seats: an observation for each seat, to be refreshed.
      player: whose soldier carries out `order` instead, -1 for nobody's.
      order: from its observation to the order.
    """
    actions = []
    for soldier, seen, one in zip(state.soldiers, seats, others):
        actions.append(0)
        if soldier.health > 0:
            seen.refresh(state)
            actions[-1] = order(seen) if soldier.player == player and order else one.act(seen)
    state.step(actions)


class _Board:
    """The part of a blackboard that actions need which know no other tick; `done` is what the soldier has done, as
    `shoot` counts it.
    """

    __slots__ = ("act", "done", "move", "seen")


def follow(situation: Situation, act: Act, task: str) -> float:
    """Returns the cost or the worth of a task that is carried out from a situation on; see the module's
    docstring.

    Args:
      situation: where it begins.
      act: carries it out, in each tick.
      task: its name.
    """
    state, others = situation.state.clone(), situation.controllers()
    seats = [Observation(state, player) for player in range(len(others))]
    me, board = state.soldiers[situation.player], _Board()
    before, end = copy.copy(me.tally), state.tick + situation.limit
    deaths = me.tally.deaths

    def order(seen: Observation) -> int:
        board.seen, board.move, board.act = seen, orders.STAY, orders.GO
        board.done = _done(me.tally, situation)
        if task == "shoot":
            return _shots(board, seen, situation, others, act)
        act(board, situation.value)
        if task == "take_cover_from":
            board.act = orders.look(seen.direction_to(situation.value))
        return seen.codec.order(board.move, board.act)

    over = False
    while state.tick < end and not state.over and not over:
        play_tick(state, others, seats, situation.player, order)
        over = me.tally.deaths > deaths or (task == "move_to" and me.cell == situation.value)
    if task == "shoot":
        return _done(me.tally, situation) - _done(before, situation)
    damage = me.tally.damage_taken - before.damage_taken
    if task == "take_cover_from":
        return damage
    ticks = situation.limit if me.tally.deaths > deaths else situation.limit - (end - state.tick)
    return damage + TICK * ticks


def _done(tally: Tally, situation: Situation) -> float:
    """Returns what a soldier has done, in health points: damage, and a full health for each kill."""
    return tally.damage_dealt + situation.state.setting.rules.health * tally.kills


def _shots(board: Any, seen: Observation, situation: Situation, others: list[Any], act: Act) -> int:
    """Returns the order of a soldier that shoots as the task says, at the nearest enemy in view, and else does
    what its script does.
    """
    order = others[situation.player].act(seen)
    board.move, chosen = seen.codec.moves_of[order], seen.codec.acts_of[order]
    if not seen.visible_enemies or not act(board, seen.visible_enemies[0]):
        board.act = chosen if chosen < orders.FIRE else orders.GO
    return seen.codec.order(board.move, board.act)


def _walk(cells: list[int], then: Act, task: str) -> Act:
    """Goes through cells that follow each other, and carries out the task from the last one on; in
    `take_cover_from`, waits there."""

    def act(board: Any, value: Any) -> int:
        seen = board.seen
        while cells and cells[0] == seen.cell:
            cells.pop(0)
        if cells:
            ways = seen.arena.neighbours[seen.cell]
            board.move = ways.index(cells[0]) if cells[0] in ways else seen.next_step_towards(cells[-1])
        elif task == "move_to":
            return then(board, value)
        return 1

    return act


def _examples(task: str, situation: Situation, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Returns the rows and costs of some options, the rule's own and the shortest ways among them."""
    seen = Observation(situation.state, situation.player)
    options_of = neural_tasks.move_options if task == "move_to" else neural_tasks.cover_options
    around, options, rows = options_of(seen, situation.value)
    usable = np.flatnonzero(options)
    if not len(usable):
        usable = np.array([0])
    # Half of them near to what seems best by fire on the way and there: good options must be told apart.
    columns = dict(zip(neural_tasks.FEATURES[task], rows.T, strict=True))
    hunch = columns["fire_on_way"] + columns["fire_remembered_on_way"] + 8 * columns["fire"]
    hunch += columns.get("detour", 0)
    best = usable[np.argsort(hunch[usable], kind="stable")[: 3 * _OPTIONS]]
    chosen = np.concatenate((rng.choice(best, _OPTIONS // 2), rng.choice(usable, _OPTIONS - _OPTIONS // 2)))
    costs = []
    for option in chosen.tolist():
        way, at = [], option
        while at:
            way.append(int(around.cells[at]))
            at = int(around.parents[at])
        costs.append(follow(situation, _walk(way[::-1], RULES[task], task), task))
    return rows[chosen], np.array(costs)


def _shooting(count: int, seed: int, progress: Callable[[int], None]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the rows of shots and their worth: in all situations the soldier fires at an enemy in view drawn
    at random, each time it can.
    """
    rng = np.random.default_rng([_TRAINING, seed])
    rows: list[np.ndarray] = []
    worth: list[float] = []
    for number, situation in enumerate(itertools.islice(situations("shoot", seed, False), count)):
        fired: list[np.ndarray] = []
        tallies: list[float] = []

        def act(board: Any, enemy: Any) -> int:
            seen = board.seen
            if not seen.can_fire:
                return fps_actions.shoot(board, enemy)
            picked = int(rng.integers(len(seen.visible_enemies)))
            fired.append(neural_tasks.shoot_rows(seen, enemy.player)[picked])  # noqa: B023
            tallies.append(board.done)  # noqa: B023
            board.act = orders.fire(seen.visible_enemies[picked].player)
            return 1

        total = follow(situation, act, "shoot")
        if fired:
            rows += fired
            worth += np.diff([*tallies, tallies[0] + total]).tolist()
        progress(number + 1)
    return np.array(rows)[:, None, :], np.array(worth)[:, None]


def train(
    task: str, count: int, seed: int, progress: Callable[[int], None] = lambda done: None, *, steps: int = 4000
) -> Network:
    """Trains the network of a task.

    Args:
      task: one of `TASKS`.
      count: situations to learn from, at least 1.
      seed: the same seed gives the same network.
      progress: told how many situations are done.
      steps: see `networks.fit`.
    """
    facts = {"situations": count, "seed": seed}
    if task == "shoot":
        rows, worth = _shooting(count, seed, progress)
        return fit(
            task,
            FEATURES[task],
            ("worth",),
            rows,
            worth,
            seed,
            facts | {"examples": len(rows)},
            centred=False,
            steps=steps,
        )
    rng = np.random.default_rng([_TRAINING, seed])
    examples = []
    for number, situation in enumerate(itertools.islice(situations(task, seed, False), count)):
        examples.append(_examples(task, situation, rng))
        progress(number + 1)
    rows, costs = (np.array(part) for part in zip(*examples))
    return fit(
        task, FEATURES[task], ("cost",), rows, costs, seed, facts | {"examples": costs.size}, steps=steps
    )


def judge(
    task: str, acts: dict[str, Act], count: int, seed: int, progress: Callable[[int], None] = lambda done: None
) -> dict[str, np.ndarray]:
    """Returns the cost or the worth of each act in the same situations, on maps that no network was trained
    on.

    Returns:
      name -> (count,).
    """
    found: dict[str, list[float]] = {name: [] for name in acts}
    for number, situation in enumerate(itertools.islice(situations(task, seed, True), count)):
        for name, act in acts.items():
            found[name].append(follow(situation, act, task))
        progress(number + 1)
    return {name: np.array(values) for name, values in found.items()}
