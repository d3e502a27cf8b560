"""What a bot has to say of its last move: *panels*, JSON-able, that a page or a program can show.

A bot that can explain itself has a method `explain()`, called after `step` at tables and never in tournaments, which
returns a list of panels. A bot that must keep more for it than it keeps for play has an attribute `explains` too, which
is set to True before the match. Each panel has a `kind`, a `title`, and by kind:

    search   `columns` and `nodes`: a tree of moves, see `node`; the first column is the visits. `line`: what is expected
    ticks    `nodes`: those of a behaviour tree in the order of its lines, each with `depth`, `text`, and `said`:
             success, failure or running, or None where it was not ticked
    code     `text`, and `lit`: numbers of lines, from 1, that stand out
    lines    `lines`: each with `text`, a `remark` or None, and a `mark`: now, dropped, or None
    table    `columns` and `rows`
    text     `text`
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pyspiel

from games.seeing import views

Panel = dict[str, Any]

MOST_CHILDREN = 12
"""Most moves of one position that a tree shows, the most visited ones."""
DEEPEST = 4
"""Most moves in a row that a tree shows."""
LEAST_VISITS = 2
"""Least visits of a position whose moves are shown."""


def node(
    name: str, numbers: Sequence[float | None], children: Iterable[Panel] = (), *, best: bool = False
) -> Panel:
    """A node of a search: the move that leads to it, its numbers by column, and what follows.

    Args:
      name: the move's name.
      numbers: visits first.
      children: nodes.
      best: whether this move is the one that was chosen, or is expected.
    """
    return {"name": name, "numbers": list(numbers), "best": best, "children": list(children)}


def search(
    nodes: Sequence[Panel],
    columns: Sequence[str] = ("visits", "value"),
    *,
    title: str = "Search",
    line: Sequence[str] = (),
) -> Panel:
    """A panel of the kind `search`, the moves most visited first."""
    ordered = sorted(nodes, key=lambda one: -(one["numbers"][0] or 0))
    return {"kind": "search", "title": title, "columns": list(columns), "nodes": ordered, "line": list(line)}


def text(title: str, content: str) -> Panel:
    """A panel of the kind `text`."""
    return {"kind": "text", "title": title, "text": content}


def code(title: str, source: str, lit: Iterable[int] = ()) -> Panel:
    """A panel of the kind `code`."""
    return {"kind": "code", "title": title, "text": source, "lit": sorted(lit)}


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Panel:
    """A panel of the kind `table`."""
    return {"kind": "table", "title": title, "columns": list(columns), "rows": [list(row) for row in rows]}


def search_tree(root: Any, state: pyspiel.State) -> Panel:
    """The panel of a tree of OpenSpiel's MCTS, in C++ or Python.

    Args:
      root: the `SearchNode` of the search.
      state: the state that was searched.
    """
    line: list[str] = []
    at, here = root, state.clone()
    while at.children and len(line) < 2 * DEEPEST and not here.is_chance_node():
        at = at.best_child()
        line.append(views.action_name(here, at.action))
        here.apply_action(at.action)
    return search(_branches(root, state, DEEPEST), line=line)


def _branches(parent: Any, state: pyspiel.State, depth: int) -> list[Panel]:
    if not depth or state.is_terminal():
        return []
    most = sorted(parent.children, key=lambda child: (-child.explore_count, child.action))[:MOST_CHILDREN]
    chosen = parent.best_child().action if most and not state.is_chance_node() else None
    made = []
    for child in most:
        visits = child.explore_count
        inner: list[Panel] = []
        if visits >= LEAST_VISITS and child.children and depth > 1:
            after = state.clone()
            after.apply_action(child.action)
            inner = _branches(child, after, depth - 1)
        value = child.total_reward / visits if visits else None
        name = views.action_name(state, child.action)
        made.append(node(name, (visits, value), inner, best=child.action == chosen))
    return made


def kept_for(bot: pyspiel.Bot) -> None:
    """Tells a bot, before its match, that it will be asked to explain itself."""
    if hasattr(bot, "explains"):
        bot.explains = True


def explained(bot: pyspiel.Bot, failing: Callable[[Exception], bool]) -> list[Panel]:
    """What a bot has to say of its last move; nothing where it has no `explain`.

    Args:
      bot: any bot.
      failing: says of an exception whether it is to be raised; any other becomes a panel, since the move is made.
    """
    if not hasattr(bot, "explain"):
        return []
    try:
        return list(bot.explain())
    except Exception as error:
        if failing(error):
            raise
        return [text("explain()", f"failed: {type(error).__name__}: {error}")]
