"""The core in C builds the tree that the search in Python builds, number for number and bit for bit."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cwm.worker.search import ismcts, uct

QUIET = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
NAMES = ("tic_tac_toe", "connect_four", "pig", "leduc", "three_heaps")
UNDRAWN = (0.0, 0.0, 0.0, 0.0)
"""What the core tells of an outcome of chance that was not drawn: action, visits, total, no outcome."""

seeds = st.one_of(st.integers(0, 2**31 - 1), st.integers(0, 2**64 - 1))
positions = st.tuples(st.integers(0, 10_000), st.integers(0, 20))
options = st.fixed_dictionaries(
    {
        "simulations": st.integers(1, 400),
        "rollouts": st.integers(1, 4),
        "uct_c": st.sampled_from([0.0, 0.3, 1.0, 2.0, 20.0]),
        "solve": st.booleans(),
        "max_rollout_length": st.sampled_from([None, None, 1, 4, 9]),
    }
)


def _python_tree(node: uct.Node | None, players: int) -> list[float]:
    """A tree of `uct.search` as `native_uct_tree` writes it."""
    if node is None:
        return [*UNDRAWN, *[0.0] * players, 0.0]
    children = node.children or ()
    outcome = [0.0] * players if node.outcome is None else list(node.outcome)
    numbers = [-1.0 if node.action is None else node.action, node.visits, node.total, node.outcome is not None]
    numbers = [float(number) for number in [*numbers, *outcome, len(children)]]
    for child in children:
        numbers += _python_tree(child, players)
    return numbers


def _hexed(numbers: list[float]) -> list[str]:
    return [float(number).hex() for number in numbers]


@given(name=st.sampled_from(NAMES), position=positions, options=options, seed=seeds)
@QUIET
def test_uct(twins, name, position, options, seed):
    pair = twins(name)
    found = pair.position(*position)
    if found is None:
        return
    state, names = found
    root = uct.search(pair.python, state, seed=seed, **options)
    answer = pair.native.search_at(names, pair.python.current_player(state), {**options, "seed": seed})
    statistics = uct.root_statistics(root)
    for row in statistics:
        row["name"] = pair.python.action_name(state, row["action"])
    assert answer["actions"] == statistics
    assert answer["name"] == pair.python.action_name(state, uct.best_action(root))
    tree = pair.native.call("native_driver.tree", "uct")
    assert _hexed(tree) == _hexed(_python_tree(root, pair.python.NUM_PLAYERS))


class _Watched(ismcts.Node):
    """Nodes of a search that are remembered, since only the root comes out of it."""

    __slots__ = ()
    made: list[ismcts.Node] = []

    def __init__(self, player: int):
        super().__init__(player)
        self.made.append(self)


def _nodes(numbers: list[float]) -> list[tuple]:
    """The nodes that `native_ismcts_tree` writes."""
    found, at = [], 0
    while at < len(numbers):
        count = int(numbers[at + 2])
        edges = [tuple(_hexed(numbers[at + 3 + 3 * k : at + 6 + 3 * k])) for k in range(count)]
        found.append((numbers[at], numbers[at + 1], edges))
        at += 3 + 3 * count
    return sorted(found)


@given(
    position=st.tuples(st.integers(0, 10_000), st.integers(2, 8)),
    simulations=st.integers(1, 1500),
    rollouts=st.integers(1, 3),
    uct_c=st.sampled_from([0.0, 1.0, 2.0, 13.0]),
    seed=seeds,
)
@QUIET
def test_ismcts(twins, monkeypatch, position, simulations, rollouts, uct_c, seed):
    pair = twins("leduc")
    found = pair.position(*position)
    if found is None:
        return
    state, names = found
    model, player = pair.python, pair.python.current_player(state)
    options = {"simulations": simulations, "rollouts": rollouts, "uct_c": uct_c, "seed": seed}
    _Watched.made = []
    monkeypatch.setattr(ismcts, "Node", _Watched)
    root = ismcts.search(model, lambda rand: model.resample(state, player, rand), player, **options)
    answer = pair.native.call("native_driver.search_fitting", names, player, options)
    for row in answer["actions"]:
        assert row.pop("name") == model.action_name(state, row["action"])
    assert answer["actions"] == ismcts.root_statistics(root)
    assert answer["name"] == model.action_name(state, ismcts.best_action(root))
    assert answer["drawn_again"] == 0
    expected = [
        (node.player, node.visits, [tuple(_hexed([e.action, e.visits, e.total])) for e in node.edges])
        for node in _Watched.made
    ]
    assert _nodes(pair.native.call("native_driver.tree", "ismcts")) == sorted(expected)


def test_the_trees_compared_are_trees(twins):
    """Of the sizes that the searches above are about, with chance, proofs and more than two players."""
    pair = twins("pig")
    state, names = pair.position(3, 12)
    root = uct.search(pair.python, state, simulations=400, seed=1)
    assert len(_python_tree(root, 3)) > 8 * 300
    small = twins("tic_tac_toe")
    state, names = small.position(1, 4)
    assert uct.search(small.python, state, simulations=400, seed=1).outcome is not None
