"""Trees that play: compiled to plain closures over the words' own functions.

    board = blackboard(vocabulary, seed=7)
    policy = compile_tree(tree, vocabulary)
    board.seen = ...                       # what the player sees now
    status = policy(board)                 # one tick: FAILURE, SUCCESS or RUNNING

A tick allocates nothing: composites of up to four children call them one by one, longer ones are nested,
and no status is more than a small integer. An action that takes several ticks returns RUNNING. What
happens in the next tick is the tree's `memory`:

    none        every tick starts at the root and asks all conditions anew (reactive)
    sequences   a sequence goes on at the child that was running; selectors ask their children anew, so
                that one of higher priority interrupts (what py_trees and BehaviorTree.CPP users expect)
    all         selectors go on at the running child too: nothing interrupts an action that has begun

A composite that was not reached in the tick before starts at its first child, whatever it remembers.

Decorators count ticks of the tree, whatever its memory is. `cooldown: N` fails, without asking its child, for the N ticks
after its child has ended: has succeeded, or failed after it was under way in the tick before. `timeout: N` fails,
without asking its child, where this has been under way for N ticks on end; in the next tick it begins anew. A
subtree does at each of its places what it does at the first one, and remembers at each for itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bt_policies.trees.dsl import DECORATORS, SUBTREE, Node, Tree
from bt_policies.trees.vocabulary import FAILURE, RUNNING, SUCCESS, Vocabulary, check

MEMORY = ("none", "sequences", "all")
Tick = Callable[[Any], int]
"""A function from the blackboard to FAILURE, SUCCESS or RUNNING."""


@dataclass
class Trace:
    """The counts of how often each node was ticked and how it ended, by number of the node (`dsl.Tree.nodes`).

    Attributes:
      counts: for each node [failures, successes, running]; of a negated node after the negation.
      ticks: the ticks of the tree.
      decided: the number of the task that ended the last tick, the last one that did not fail; -1 for none.
      outcomes: what came of the ticks that a task ended: its number -> counts by name, as whoever plays the tree
        credits them; empty where nobody does.
    """

    counts: list[list[int]] = field(default_factory=list)
    ticks: int = 0
    decided: int = field(default=-1, compare=False)
    outcomes: dict[int, dict[str, float]] = field(default_factory=dict)

    def credit(self, **amounts: float) -> None:
        """Adds what came of the last tick to the task that ended it."""
        self._credit(self.decided, amounts)

    def _credit(self, number: int, amounts: Mapping[str, float]) -> None:
        own = self.outcomes.setdefault(number, {})
        for name, amount in amounts.items():
            own[name] = own.get(name, 0) + amount

    def add(self, other: Trace) -> None:
        """Adds what another trace of the same tree counted.

        Raises:
          ValueError: the other one is of a tree of another size.
        """
        if self.counts and len(self.counts) != len(other.counts):
            raise ValueError(
                f"trace: expected one of a tree of {len(self.counts)} nodes, found one of {len(other.counts)}"
            )
        if not self.counts:
            self.counts = [[0, 0, 0] for _ in other.counts]
        for own, others in zip(self.counts, other.counts):
            own[:] = [one + two for one, two in zip(own, others)]
        for number, amounts in other.outcomes.items():
            self._credit(number, amounts)
        self.ticks += other.ticks

    def to_json(self) -> list[Any]:
        """Returns counts, ticks and outcomes, JSON-able."""
        return [self.counts, self.ticks, list(self.outcomes.items())]

    @classmethod
    def from_json(cls, record: Sequence[Any]) -> Trace:
        """Returns the trace that `to_json` wrote."""
        counts, ticks, outcomes = record
        return cls(counts, ticks, outcomes={number: dict(amounts) for number, amounts in outcomes})


class Blackboard:
    """The data that the nodes of one player's tree share. Its other fields are the vocabulary's keys.

    Attributes:
      tick: ticks of the tree so far; the runtime counts it.
      rng: a `random.Random`; the only source of chance.
    """

    __slots__ = ("tick", "rng", "__dict__")


def blackboard(vocabulary: Vocabulary, seed: int) -> Blackboard:
    """Returns a blackboard before the first tick, its keys at their starting values."""
    board = Blackboard()
    board.tick, board.rng = 0, random.Random(seed)
    for key in vocabulary.keys:
        setattr(board, key.name, key.start)
    return board


class Guard:
    """A blackboard for tests: passes on what a word has declared and refuses the rest with KeyError."""

    def __init__(self, board: Blackboard, word: Any):
        object.__setattr__(
            self, "_inside", (board, {*word.reads, *word.writes, "tick", "rng"}, set(word.writes), word.name)
        )

    def __getattr__(self, key: str) -> Any:
        board, reads, _, name = self._inside
        if key not in reads:
            raise KeyError(
                f"{name!r} reads the key {key!r}, expected one of those it declares: {sorted(reads)}"
            )
        return getattr(board, key)

    def __setattr__(self, key: str, value: Any) -> None:
        board, _, writes, name = self._inside
        if key not in writes:
            raise KeyError(
                f"{name!r} writes the key {key!r}, expected one of those it declares: {sorted(writes)}"
            )
        setattr(board, key, value)


def compile_tree(
    tree: Tree,
    vocabulary: Vocabulary,
    *,
    memory: str = "none",
    tasks: str = "rule",
    trace: Trace | None = None,
    guard: bool = False,
) -> Tick:
    """Returns the tree as one function; a function for each player, as composites with memory remember.

    Args:
      tree: any tree of the vocabulary.
      vocabulary: the vocabulary of the game.
      memory: one of `MEMORY`, see the module's docstring.
      tasks: which actions networks carry out, see `Vocabulary.networks`.
      trace: counts what each node does; slower. None for none.
      guard: whether words are held to the keys that they declare; slower, for tests.

    Raises:
      TreeError: the tree says words that are not of the vocabulary.
      ValueError: `memory` or `tasks` is unknown.
    """
    if memory not in MEMORY:
        raise ValueError(f"memory: expected one of {', '.join(MEMORY)}, found {memory!r}")
    check(tree, vocabulary)
    if trace is not None:
        trace.counts = [[0, 0, 0] for _ in tree.nodes()]
        trace.ticks = 0
    root = _Compiler(vocabulary, memory, tasks, trace, guard).node(tree.root)
    if memory == "none" and trace is None:

        def tick(board: Any) -> int:
            board.tick += 1
            return root(board)
    else:

        def tick(board: Any) -> int:
            board.tick += 1
            if trace is not None:
                trace.ticks += 1
                trace.decided = -1
            return root(board)

    return tick


class _Compiler:
    """A compiler that makes closures from nodes, children first."""

    def __init__(self, vocabulary: Vocabulary, memory: str, tasks: str, trace: Trace | None, guard: bool):
        self._words, self._trace, self._guard = vocabulary, trace, guard
        self._networks = vocabulary.networks(tasks)
        self._remembers = {"selector": memory == "all", "sequence": memory != "none"}
        self._number = -1
        self._subtrees: dict[str, tuple[Node, int]] = {}

    def node(self, node: Node) -> Tick:
        self._number += 1
        number = self._number
        if node.kind == "condition":
            word = self._words.conditions[node.name]
            tick = self._guarded(word, word.bound(node.parameter))
        elif node.kind == "task":
            tick = self._task(node)
        elif node.kind == SUBTREE:
            tick = self._subtree(node)
        elif node.kind in DECORATORS:
            tick = decorated(node, self.node(node.children[0]))
        else:
            children = tuple(self.node(child) for child in node.children)
            if self._remembers[node.kind]:
                tick = _with_memory(children, SUCCESS if node.kind == "sequence" else FAILURE)
            else:
                tick = (_sequence if node.kind == "sequence" else _selector)(children)
        if node.negated:
            tick = _negation(tick)
        if self._trace is None:
            return tick
        counted = _counted(tick, self._trace.counts[number])
        return _deciding(counted, self._trace, number) if node.kind == "task" else counted

    def _subtree(self, node: Node) -> Tick:
        if node.children:
            self._subtrees[node.name] = node.children[0], self._number
            return self.node(node.children[0])
        # Compiled once more, as it remembers for itself, and counted where it was first.
        inner, first = self._subtrees[node.name]
        own, self._number = self._number, first
        tick = self.node(inner)
        self._number = own
        return tick

    def _task(self, node: Node) -> Tick:
        action = self._words.actions[node.name]
        made = action.neural() if action.name in self._networks else action.act
        act = self._guarded_call(action, made)
        if not node.parameter:
            return lambda board: act(board, None)
        parameter = self._words.parameters[node.parameter]
        find = self._guarded(parameter, parameter.find)

        def task(board: Any) -> int:
            value = find(board)
            return FAILURE if value is None else act(board, value)

        return task

    def _guarded(self, word: Any, plain: Tick) -> Tick:
        return (lambda board: plain(Guard(board, word))) if self._guard else plain

    def _guarded_call(self, word: Any, plain: Callable[[Any, Any], int]) -> Callable[[Any, Any], int]:
        return (lambda board, value: plain(Guard(board, word), value)) if self._guard else plain


def _negation(child: Tick) -> Tick:
    def negation(board: Any) -> int:
        status = child(board)
        return RUNNING if status == RUNNING else SUCCESS if status == FAILURE else FAILURE

    return negation


def _counted(child: Tick, counts: list[int]) -> Tick:
    def counted(board: Any) -> int:
        status = child(board)
        counts[status] += 1
        return status

    return counted


def _deciding(child: Tick, trace: Trace, number: int) -> Tick:
    def deciding(board: Any) -> int:
        status = child(board)
        if status != FAILURE:
            trace.decided = number
        return status

    return deciding


def _selector(children: tuple[Tick, ...]) -> Tick:
    if len(children) > 4:
        children = (*children[:3], _selector(children[3:]))
    if len(children) == 1:
        return children[0]
    if len(children) == 2:
        one, two = children
        return lambda board: one(board) or two(board)
    if len(children) == 3:
        one, two, three = children
        return lambda board: one(board) or two(board) or three(board)
    one, two, three, four = children
    return lambda board: one(board) or two(board) or three(board) or four(board)


def _sequence(children: tuple[Tick, ...]) -> Tick:
    if len(children) > 4:
        children = (*children[:3], _sequence(children[3:]))
    if len(children) == 1:
        return children[0]
    one, two, *rest = children
    if not rest:

        def sequence_2(board: Any) -> int:
            status = one(board)
            return two(board) if status == 1 else status

        return sequence_2
    three, *rest = rest
    if not rest:

        def sequence_3(board: Any) -> int:
            status = one(board)
            if status == 1:
                status = two(board)
                if status == 1:
                    return three(board)
            return status

        return sequence_3
    (four,) = rest

    def sequence_4(board: Any) -> int:
        status = one(board)
        if status == 1:
            status = two(board)
            if status == 1:
                status = three(board)
                if status == 1:
                    return four(board)
        return status

    return sequence_4


def _with_memory(children: tuple[Tick, ...], goes_on: int) -> Tick:
    """Returns a composite that resumes at the child that was running in the tick before; it goes on to the
    next child while children end with `goes_on`.
    """
    last, at, count = -1, 0, len(children)

    def composite(board: Any) -> int:
        nonlocal last, at
        index = at if last == board.tick - 1 else 0
        status = goes_on
        while index < count:
            status = children[index](board)
            if status != goes_on:
                break
            index += 1
        if status == RUNNING:
            last, at = board.tick, index
        else:
            last = -1
        return status

    return composite


def _cooldown(child: Tick, ticks: int) -> Tick:
    ready, under_way = 0, -1

    def cooldown(board: Any) -> int:
        nonlocal ready, under_way
        if board.tick < ready:
            return FAILURE
        status = child(board)
        if status == SUCCESS or (status == FAILURE and under_way == board.tick - 1):
            ready = board.tick + ticks + 1
        if status == RUNNING:
            under_way = board.tick
        return status

    return cooldown


def _timeout(child: Tick, ticks: int) -> Tick:
    began, under_way = 0, -1

    def timeout(board: Any) -> int:
        nonlocal began, under_way
        if under_way != board.tick - 1:
            began = board.tick
        elif board.tick - began >= ticks:
            return FAILURE
        status = child(board)
        if status == RUNNING:
            under_way = board.tick
        return status

    return timeout


def decorated(node: Node, child: Tick) -> Tick:
    """Returns a decorator's node as a function, with its child's; it remembers what it counts."""
    return {"cooldown": _cooldown, "timeout": _timeout}[node.kind](child, int(node.parameter))
