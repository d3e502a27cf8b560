"""Measures ticks a second of behaviour trees, beside py_trees on the same tree and the same conditions.

    python -m benchmarks.behaviour_trees --json=behaviour_trees.json

The tree has 13 nodes. Both runtimes call the same condition and action functions on blackboards that hold
each of eight situations in turn, so that every branch fires. They take turns in short rounds; each figure
is the median of the rounds, of processor's time. `words alone` calls just the functions of the words that a
tick reaches, which no runtime can go below. Needs py_trees (pip install py_trees).
"""

from __future__ import annotations

import itertools
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from bt_policies.trees import dsl, runtime
from bt_policies.trees.vocabulary import SUCCESS, Action, Condition, Key, Parameter, Vocabulary, declare
from runs import cli, flags
from runs.tables import text_table

_FLAGS = flags.FLAGS

TREE = """\
selector:
  sequence:
    condition: is_hurt
    condition: has_cover
    task: take_cover
  sequence:
    condition: has_enemy_in_view
    condition: has_ammunition
    task: shoot nearest_enemy
  sequence:
    condition: no
    condition: has_ammunition
    task: reload
  task: patrol
"""
NODES = 13
_FLAGS_OF_BOARD = ("hurt", "ammunition", "enemy")


def _act(name: str, takes: tuple[str, ...] = ()) -> Action:
    def act(board: Any, value: Any) -> int:
        board.action = name
        return SUCCESS

    return Action(name, name, act, takes, writes=("action",))


def vocabulary() -> Vocabulary:
    """Returns the words of `TREE`."""
    return declare(
        game="benchmark",
        scenario="",
        types={"enemy": "an enemy"},
        keys=(
            Key("action", "what is chosen"),
            Key("hurt", "", False),
            Key("ammunition", "", False),
            Key("enemy", "an enemy in view"),
            Key("cover", "", True),
        ),
        conditions=[
            Condition("is_hurt", "", lambda board: board.hurt, ("hurt",)),
            Condition("has_cover", "", lambda board: board.cover, ("cover",)),
            Condition("has_enemy_in_view", "", lambda board: board.enemy is not None, ("enemy",)),
            Condition("has_ammunition", "", lambda board: board.ammunition, ("ammunition",)),
        ],
        actions=[_act("take_cover"), _act("shoot", ("enemy",)), _act("reload"), _act("patrol")],
        parameters=[Parameter("nearest_enemy", "enemy", "", lambda board: board.enemy, ("enemy",))],
    )


def situations() -> list[dict[str, Any]]:
    """Returns eight settings of the blackboard."""
    return [
        dict(zip(_FLAGS_OF_BOARD, (hurt, ammunition, 1 if enemy else None)))
        for hurt, ammunition, enemy in itertools.product((False, True), repeat=3)
    ]


def _calls(board: Any, words: Vocabulary) -> Callable[[], None]:
    """Returns a function that makes the calls of a tick alone, without any tree, in the tree's order."""
    hurt, cover, enemy, ammunition = (word.test for word in words.conditions.values())
    take_cover, shoot, reload, patrol = (word.act for word in words.actions.values())
    nearest_enemy = words.parameters["nearest_enemy"].find

    def tick() -> None:
        if hurt(board) and cover(board):
            take_cover(board, None)
        elif enemy(board) and ammunition(board):
            shoot(board, nearest_enemy(board))
        elif not ammunition(board):
            reload(board, None)
        else:
            patrol(board, None)

    return tick


def contestants() -> dict[str, list[tuple[Any, Callable[[], Any]]]]:
    """Returns by name a (blackboard, tick) for each situation."""
    from bt_policies.trees.exchange.py_trees import to_py_trees

    words, tree = vocabulary(), dsl.parse(TREE)
    assert len(tree.nodes()) == NODES, len(tree.nodes())
    made: dict[str, list[tuple[Any, Callable[[], Any]]]] = {
        "bt_policies": [],
        "bt_policies, traced": [],
        "bt_policies, memory": [],
        "py_trees": [],
        "words alone": [],
    }
    for situation in situations():
        for name, listed in made.items():
            board = runtime.blackboard(words, 0)
            vars(board).update(situation)
            if name == "py_trees":
                tick: Callable[[], Any] = to_py_trees(tree, words, board).tick_once
            elif name == "words alone":
                tick = _calls(board, words)
            else:
                policy = runtime.compile_tree(
                    tree,
                    words,
                    memory="sequences" if name.endswith("memory") else "none",
                    trace=runtime.Trace() if name.endswith("traced") else None,
                )
                tick = _bound(policy, board)
            listed.append((board, tick))
    return made


def _bound(policy: runtime.Tick, board: Any) -> Callable[[], Any]:
    return lambda: policy(board)


def decisions(made: dict[str, list[tuple[Any, Callable[[], Any]]]]) -> dict[str, list[Any]]:
    """Returns the choice of each contestant in each situation."""
    for listed in made.values():
        for _, tick in listed:
            tick()
    return {name: [board.action for board, _ in listed] for name, listed in made.items()}


def _round(listed: list[tuple[Any, Callable[[], Any]]], ticks: int) -> float:
    """Returns the seconds that a tick takes."""
    each = max(ticks // len(listed), 1)
    start = time.process_time()
    for _, tick in listed:
        for _ in range(each):
            tick()
    return (time.process_time() - start) / (each * len(listed))


def measure(rounds: int, seconds: float) -> dict[str, Any]:
    """Returns the microseconds a tick of each contestant, and how many times as fast as py_trees ours is.

    Args:
      rounds: the rounds that each contestant plays, in turns.
      seconds: the seconds of a round, about.
    """
    made = contestants()
    chosen = decisions(made)
    assert all(listed == chosen["py_trees"] for listed in chosen.values()), chosen
    ticks = {name: int(seconds / _round(listed, 800)) for name, listed in made.items()}
    taken: dict[str, list[float]] = {name: [] for name in made}
    for _ in range(rounds):
        for name, listed in made.items():
            taken[name].append(1e6 * _round(listed, ticks[name]))
    figures = {name: statistics.median(times) for name, times in taken.items()}
    return {
        "nodes": NODES,
        "microseconds": figures,
        "rounds": taken,
        "times_py_trees": {name: figures["py_trees"] / figure for name, figure in figures.items()},
    }


def _define_flags() -> None:
    flags.json("the figures")

    flags.DEFINE_integer("rounds", 5, "Rounds of each contestant; figures are medians.", lower_bound=1)
    flags.DEFINE_float("seconds", 1.0, "Length of a round.", lower_bound=0.001)


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = None if _FLAGS.json is None else cli.check_output(_FLAGS.json, "json")
    found = measure(_FLAGS.rounds, _FLAGS.seconds)
    rows = [["runtime", "us a tick", "ticks a second", "times py_trees"]]
    rows += [
        [name, f"{figure:.3f}", f"{1e6 / figure:,.0f}", f"{found['times_py_trees'][name]:.1f}"]
        for name, figure in found["microseconds"].items()
    ]
    print(text_table(rows))
    if output is not None:
        cli.write_text(output, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
