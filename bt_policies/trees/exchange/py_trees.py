"""Trees to and from py_trees (https://py-trees.readthedocs.io), for its tools and for comparisons.

    pip install py_trees

Composites become `Selector` and `Sequence`, a negated node an `Inverter` around it, and a leaf a `Leaf`
that calls the word's own function on a blackboard of ours. Names are the lines of the language, so that a
tree built elsewhere in py_trees comes back as well if its leaves are named that way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bt_policies.trees.dsl import DECORATORS, Fault, Node, Tree, TreeError, expand, format_node, parse
from bt_policies.trees.runtime import decorated
from bt_policies.trees.vocabulary import FAILURE, RUNNING, SUCCESS, Vocabulary, check

try:
    import py_trees
except ImportError as error:
    raise ImportError(
        f"trees of py_trees need the package py_trees, which is missing; pip install py_trees ({error})"
    ) from error

_STATUS = {FAILURE: py_trees.common.Status.FAILURE, SUCCESS: py_trees.common.Status.SUCCESS}


class Leaf(py_trees.behaviour.Behaviour):
    """A condition or a task; `board` is what its function gets."""

    def __init__(self, node: Node, vocabulary: Vocabulary, board: Any, tasks: str):
        super().__init__(node.label)
        self._board = board
        if node.kind == "condition":
            self._call = vocabulary.conditions[node.name].bound(node.parameter)
        else:
            action = vocabulary.actions[node.name]
            self._act = action.neural() if node.name in vocabulary.networks(tasks) else action.act
            parameter = vocabulary.parameters.get(node.parameter)
            self._find = None if parameter is None else parameter.find
            self._call = self._task

    def _task(self, board: Any) -> int:
        if self._find is None:
            return self._act(board, None)
        value = self._find(board)
        return FAILURE if value is None else self._act(board, value)

    def update(self) -> py_trees.common.Status:
        """Plays one tick of the leaf."""
        return _STATUS.get(self._call(self._board), py_trees.common.Status.RUNNING)


class Counting(py_trees.decorators.Decorator):
    """A decorator that counts ticks, `cooldown` or `timeout`, and asks its child or does not."""

    def __init__(self, node: Node, child: py_trees.behaviour.Behaviour, board: Any):
        super().__init__(node.label, child)
        self._board, self._asked = board, []
        self._run = decorated(node, self._ask)

    def _ask(self, board: Any) -> int:
        self._asked = list(self.decorated.tick())
        status = self.decorated.status
        return next((number for number, known in _STATUS.items() if known == status), RUNNING)

    def tick(self) -> Iterator[py_trees.behaviour.Behaviour]:
        """Plays one tick, in which the child may not be asked."""
        self._asked = []
        self.status = self.update()
        running = py_trees.common.Status.RUNNING
        if self.status != running and self.decorated.status == running:
            # What is not asked any more begins anew, as below every decorator of py_trees.
            self.decorated.stop(py_trees.common.Status.INVALID)
        yield from self._asked
        yield self

    def update(self) -> py_trees.common.Status:
        """Asks the child where it is due, and returns the decorator's status."""
        return _STATUS.get(self._run(self._board), py_trees.common.Status.RUNNING)


def to_py_trees(
    tree: Tree, vocabulary: Vocabulary, board: Any, *, memory: str = "none", tasks: str = "rule"
) -> py_trees.behaviour.Behaviour:
    """Returns the tree as behaviours of py_trees that act on `board`. Comments are left out, subtrees written out.

    `board.tick` is not counted by py_trees: whoever ticks the tree adds 1 before.

    Args:
      memory, tasks: as in `runtime.compile_tree`.

    Raises:
      TreeError: the tree says words that are not of the vocabulary.
    """
    check(tree, vocabulary)
    tree = expand(tree)

    def behaviour(node: Node) -> py_trees.behaviour.Behaviour:
        if node.kind in DECORATORS:
            made = Counting(node, behaviour(node.children[0]), board)
        elif node.children:
            make = py_trees.composites.Selector if node.kind == "selector" else py_trees.composites.Sequence
            remembers = memory == "all" or (memory == "sequences" and node.kind == "sequence")
            made = make(node.label, memory=remembers, children=[behaviour(child) for child in node.children])
        else:
            made = Leaf(node, vocabulary, board, tasks)
        return py_trees.decorators.Inverter(f"no {made.name}", made) if node.negated else made

    return behaviour(tree.root)


def from_py_trees(root: py_trees.behaviour.Behaviour) -> Tree:
    """Returns the tree that behaviours of py_trees say.

    Raises:
      TreeError: a behaviour is neither selector, sequence, inverter, nor a leaf whose name is a line of the
        language.
    """

    def node(behaviour: py_trees.behaviour.Behaviour) -> Node:
        if isinstance(behaviour, py_trees.decorators.Inverter):
            inner = node(behaviour.decorated)
            return Node(inner.kind, inner.name, inner.parameter, not inner.negated, inner.children)
        for kind, made in (
            ("selector", py_trees.composites.Selector),
            ("sequence", py_trees.composites.Sequence),
        ):
            if isinstance(behaviour, made):
                return Node(kind, children=tuple(node(child) for child in behaviour.children))
        if behaviour.children:
            raise TreeError(
                [
                    Fault(
                        1,
                        1,
                        "expected selectors, sequences, inverters and leaves of "
                        f"py_trees, found {type(behaviour).__name__} named "
                        f"{behaviour.name!r}",
                    )
                ]
            )
        return parse(behaviour.name).root

    return parse(format_node(node(root)))
