"""Trees that play: statuses against py_trees, memory, tracing, declared keys, seeds."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bt_policies.trees import dsl, runtime
from bt_policies.trees.dsl import Node, Tree, parse
from bt_policies.trees.runtime import Guard, Trace, blackboard, compile_tree
from bt_policies.trees.vocabulary import FAILURE, RUNNING, SUCCESS, Action, Condition, Key, Parameter, declare

WORDS = 4


def vocabulary():
    """Leaves whose outcome of each tick stands on the board; every call is logged."""

    def leaf(name):
        def act(board, value=None):
            board.log.append((name, value))
            return board.outcomes[name]

        return act

    keys = ("log", "outcomes")
    return declare(
        game="test",
        scenario="",
        types={"thing": ""},
        keys=[Key(key, "") for key in keys],
        conditions=[Condition(f"c{i}", "", leaf(f"c{i}"), keys) for i in range(WORDS)],
        actions=[Action(f"a{i}", "", leaf(f"a{i}"), ("thing",) if i == 0 else (), keys) for i in range(WORDS)],
        parameters=[
            Parameter("nothing", "thing", "", lambda board: None),
            Parameter("seven", "thing", "", lambda board: 7),
        ],
    )


LEAVES = st.one_of(
    st.builds(lambda i, no: Node("condition", f"c{i}", negated=no), st.integers(0, WORDS - 1), st.booleans()),
    st.builds(lambda i, no: Node("task", f"a{i}", negated=no), st.integers(1, WORDS - 1), st.booleans()),
    st.sampled_from([Node("task", "a0", "seven"), Node("task", "a0", "nothing")]),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(
            lambda kind, children, no: Node(kind, children=tuple(children), negated=no),
            st.sampled_from(["selector", "sequence"]),
            st.lists(inner, min_size=1, max_size=7),
            st.booleans(),
        ),
        st.builds(
            lambda kind, ticks, child, no: Node(kind, "", str(ticks), children=(child,), negated=no),
            st.sampled_from(dsl.DECORATORS),
            st.integers(1, 4),
            inner,
            st.booleans(),
        ),
    ),
    max_leaves=20,
).map(lambda node: parse(dsl.format_tree(Tree(node))))
OUTCOMES = st.fixed_dictionaries(
    {
        **{f"c{i}": st.booleans() for i in range(WORDS)},
        **{f"a{i}": st.sampled_from([FAILURE, SUCCESS, RUNNING]) for i in range(WORDS)},
    }
)


def played(tick, board, outcomes):
    """Status and log of each tick."""
    seen = []
    for each in outcomes:
        board.log, board.outcomes = [], each
        seen.append((int(tick(board)), board.log))
    return seen


@given(TREES, st.lists(OUTCOMES, min_size=1, max_size=6), st.sampled_from(runtime.MEMORY))
@settings(deadline=None, max_examples=60)
def test_statuses_and_calls_are_those_of_py_trees(tree, outcomes, memory):
    pytest.importorskip("py_trees", reason="needs the package py_trees")
    import py_trees

    from bt_policies.trees.exchange.py_trees import to_py_trees

    words = vocabulary()
    board, other = blackboard(words, 0), blackboard(words, 0)
    behaviour = to_py_trees(tree, words, other, memory=memory)

    def tick(board):
        board.tick += 1
        behaviour.tick_once()
        return {
            py_trees.common.Status.FAILURE: FAILURE,
            py_trees.common.Status.SUCCESS: SUCCESS,
            py_trees.common.Status.RUNNING: RUNNING,
        }[behaviour.status]

    assert played(compile_tree(tree, words, memory=memory), board, outcomes) == played(tick, other, outcomes)


@given(TREES, st.lists(OUTCOMES, min_size=1, max_size=4), st.sampled_from(runtime.MEMORY))
@settings(deadline=None, max_examples=60)
def test_tracing_and_guarding_change_nothing_and_counts_add_up(tree, outcomes, memory):
    words, trace = vocabulary(), Trace()
    plain = played(compile_tree(tree, words, memory=memory), blackboard(words, 0), outcomes)
    assert (
        played(
            compile_tree(tree, words, memory=memory, trace=trace, guard=True), blackboard(words, 0), outcomes
        )
        == plain
    )
    assert trace.ticks == len(outcomes) == sum(trace.counts[0])
    assert [sum(status == each for status, _ in plain) for each in (0, 1, 2)] == trace.counts[0]
    calls = sum(len(log) for _, log in plain)
    asked = sum(
        sum(counts)
        for node, counts in zip(tree.nodes(), trace.counts)
        if not node.children and node.parameter != "nothing"
    )
    assert asked == calls


def board_of(**outcomes):
    board = blackboard(vocabulary(), 0)
    board.log, board.outcomes = [], outcomes
    return board


def test_a_sequence_with_memory_goes_on_where_it_was_and_a_reactive_one_asks_again():
    tree = parse("sequence:\n  condition: c0\n  task: a1\n  task: a2\n")
    for memory, calls in (("none", ["c0", "a1", "a2"]), ("sequences", ["a2"])):
        tick, board = compile_tree(tree, vocabulary(), memory=memory), board_of(c0=True, a1=SUCCESS, a2=RUNNING)
        assert tick(board) == RUNNING
        board.log = []
        assert tick(board) == RUNNING and [name for name, _ in board.log] == calls


def test_what_was_interrupted_starts_anew():
    tree = parse("selector:\n  condition: c0\n  sequence:\n    task: a1\n    task: a2\n")
    tick, board = (
        compile_tree(tree, vocabulary(), memory="sequences"),
        board_of(c0=False, a1=SUCCESS, a2=RUNNING),
    )
    tick(board)
    board.outcomes = {**board.outcomes, "c0": True}
    assert tick(board) == SUCCESS
    board.outcomes = {**board.outcomes, "c0": False}
    board.log = []
    tick(board)
    assert [name for name, _ in board.log] == ["c0", "a1", "a2"]


def test_a_task_whose_parameter_finds_nothing_fails_and_is_not_called():
    board = board_of(a0=SUCCESS)
    assert compile_tree(parse("task: a0 nothing"), vocabulary())(board) == FAILURE and board.log == []
    assert compile_tree(parse("task: a0 seven"), vocabulary())(board) == SUCCESS and board.log == [("a0", 7)]


def test_a_negation_leaves_running_as_it_is():
    tick = compile_tree(parse("condition: no\ntask: a1"), vocabulary())
    assert [tick(board_of(a1=status)) for status in (FAILURE, SUCCESS, RUNNING)] == [SUCCESS, FAILURE, RUNNING]


def test_words_are_held_to_the_keys_they_declare():
    word = Condition("peeks", "", lambda board: board.secret, ("seen",))
    words = declare(
        game="test",
        scenario="",
        types={},
        keys=[Key("seen", "", 3), Key("secret", "", 4)],
        conditions=[word],
        parameters=[],
        actions=[Action("writes", "", lambda board, value: setattr(board, "seen", 1), reads=("seen",))],
    )
    tree = parse("condition: peeks")
    assert compile_tree(tree, words)(blackboard(words, 0)) == 4
    with pytest.raises(KeyError, match="'peeks' reads the key 'secret', expected one of those it declares"):
        compile_tree(tree, words, guard=True)(blackboard(words, 0))
    with pytest.raises(KeyError, match="'writes' writes the key 'seen'"):
        compile_tree(parse("task: writes"), words, guard=True)(blackboard(words, 0))
    assert Guard(blackboard(words, 0), word).seen == 3


def test_the_neural_twin_is_taken_where_it_is_asked_for():
    words = declare(
        game="test",
        scenario="",
        types={},
        keys=[],
        conditions=[],
        parameters=[],
        actions=[
            Action("go", "", lambda board, value: FAILURE, neural=lambda: lambda board, value: SUCCESS),
            Action("run", "", lambda board, value: FAILURE, neural=lambda: lambda board, value: SUCCESS),
            Action("stop", "", lambda board, value: FAILURE),
        ],
    )
    board = blackboard(words, 0)
    kinds = ("rule", "neural", "go", "run", "go+run")
    for task, statuses in (
        ("go", (FAILURE, SUCCESS, SUCCESS, FAILURE, SUCCESS)),
        ("run", (FAILURE, SUCCESS, FAILURE, SUCCESS, SUCCESS)),
        ("stop", (FAILURE,) * 5),
    ):
        found = tuple(compile_tree(parse(f"task: {task}"), words, tasks=kind)(board) for kind in kinds)
        assert found == statuses
    for tasks in ("neurl", "stop", "go+", "go+neural"):
        with pytest.raises(
            ValueError, match="tasks: expected rule, neural or names joined by .*, of go, run actions with"
        ):
            compile_tree(parse("task: go"), words, tasks=tasks)


def statuses(text, series):
    """How a tree ends in each tick, in which its leaves end as told."""
    words = vocabulary()
    board = blackboard(words, 0)
    return played(compile_tree(parse(text), words), board, [{"a1": each, "a2": SUCCESS} for each in series])


def test_a_cooldown_fails_for_its_ticks_after_its_child_has_ended():
    """From the definition: after a success, and after a failure of what was under way; not after any other failure."""
    series = [FAILURE, SUCCESS, SUCCESS, SUCCESS, RUNNING, FAILURE, SUCCESS, SUCCESS, SUCCESS]
    found = statuses("cooldown: 2\n  task: a1\n", series)
    wanted = [FAILURE, SUCCESS, None, None, RUNNING, FAILURE, None, None, SUCCESS]
    assert [status if log else None for status, log in found] == wanted
    assert {status for status, log in found if not log} == {FAILURE}


def test_a_timeout_fails_once_where_its_child_has_been_under_way_for_its_ticks():
    series = [RUNNING] * 5 + [SUCCESS] + [RUNNING] * 4
    found = statuses("timeout: 3\n  task: a1\n", series)
    wanted = [RUNNING] * 3 + [None, RUNNING, SUCCESS] + [RUNNING] * 3 + [None]
    assert [status if log else None for status, log in found] == wanted
    # Whoever is not asked begins anew.
    text = "selector:\n  sequence:\n    condition: c0\n    task: a2\n  timeout: 2\n    task: a1\n"
    words = vocabulary()
    board = blackboard(words, 0)
    series = [{"c0": asked, "a1": RUNNING, "a2": SUCCESS} for asked in (False, True, False, False, False)]
    found = played(compile_tree(parse(text), words), board, series)
    assert [status for status, _ in found] == [RUNNING, SUCCESS, RUNNING, RUNNING, FAILURE]


@given(TREES, st.lists(OUTCOMES, min_size=1, max_size=6), st.sampled_from(runtime.MEMORY))
@settings(deadline=None, max_examples=40)
def test_a_subtree_does_at_each_place_what_it_stands_for(tree, outcomes, memory):
    words = vocabulary()
    twice = Node("selector", children=(Node("subtree", "x", children=(tree.root,)), Node("subtree", "x")))
    named = parse(dsl.format_tree(Tree(twice)))
    written = parse(dsl.format_tree(Tree(Node("selector", children=(tree.root, tree.root)))))
    assert dsl.expand(named) == written
    trace = runtime.Trace()
    runs = [
        played(compile_tree(one, words, memory=memory, trace=counted), blackboard(words, 0), outcomes)
        for one, counted in ((named, None), (written, None), (named, trace))
    ]
    assert runs[0] == runs[1] == runs[2]
    # What is inside counts where it was first: as often as both places in which it was written out.
    size, other = len(tree.nodes()), runtime.Trace()
    played(compile_tree(written, words, memory=memory, trace=other), blackboard(words, 0), outcomes)
    both = zip(other.counts[1 : size + 1], other.counts[size + 1 :])
    assert trace.counts[2 : size + 2] == [[a + b for a, b in zip(one, two)] for one, two in both]


def test_ticks_allocate_nothing():
    import tracemalloc

    tree = parse("selector:\n" + "  sequence:\n    condition: c0\n    task: a1\n" * 6 + "  task: a2\n")
    words = declare(
        game="test",
        scenario="",
        types={},
        keys=[Key("on", "", False)],
        parameters=[],
        conditions=[Condition("c0", "", lambda board: board.on, ("on",))],
        actions=[Action(name, "", lambda board, value: SUCCESS) for name in ("a1", "a2")],
    )
    tick, board = compile_tree(tree, words), blackboard(words, 0)
    board.tick = 10**6
    tick(board)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    for _ in range(100):
        tick(board)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The counter of ticks and the loop's own number are all there is.
    assert peak - before < 200


def test_traces_of_one_tree_add_up():
    one = Trace([[1, 2, 3]], 6)
    total = Trace()
    total.add(one)
    total.add(one)
    assert total == Trace([[2, 4, 6]], 12) and one == Trace([[1, 2, 3]], 6)
    with pytest.raises(ValueError, match="expected one of a tree of 1 nodes, found one of 2"):
        total.add(Trace([[0, 0, 0]] * 2, 1))


def test_equal_seeds_draw_alike():
    assert [blackboard(vocabulary(), 5).rng.random() for _ in range(2)] == [random.Random(5).random()] * 2
