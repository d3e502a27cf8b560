"""Pictures of trees.

The root is at the top left; children stand below their parent, indented, as in the language, so that trees of any
size stay readable. Selectors are marked `?`, sequences an arrow, and a negated node `not`. With a trace each node
shows in how many of the tree's ticks it was asked and how often it succeeded or ran on, and boxes are the darker
the more often.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bt_policies.trees.dsl import DECORATORS, SUBTREE, Node, Tree, parse
from bt_policies.trees.files import TEAM, find_tree, from_json
from bt_policies.trees.runtime import Trace
from runs import cli

_STYLES = {
    "selector": ("?", "#dbe7f6", "#2f5d9b"),
    "sequence": ("\u2192", "#e4dcf2", "#5b3f91"),
    "condition": ("", "#fdf0cd", "#9a7410"),
    "task": ("", "#d9efdc", "#2c7a3f"),
    "joint": ("&", "#f7dbe2", "#a33a55"),
    "role": ("", "#f7dbe2", "#a33a55"),
    "cooldown": ("\u25d4", "#e6e6e6", "#555555"),
    "timeout": ("\u25d4", "#e6e6e6", "#555555"),
    "subtree": ("", "#ffffff", "#555555"),
}
_INDENT, _ROW, _FONT = 0.42, 0.36, 9.5


def _words(node: Node) -> str:
    sign = _STYLES[node.kind][0]
    said = " ".join(word for word in (node.name, node.parameter) if word) or node.kind
    said = f"{node.kind} {said}" if node.kind in ("role", SUBTREE, *DECORATORS) else said
    return f"{'not  ' if node.negated else ''}{sign + '  ' if sign else ''}{said}"


def _rows(tree: Tree) -> list[tuple[Node, int, int]]:
    """Returns each node with its depth and the row of its parent (-1 for the root), in the order of the
    lines.
    """
    rows: list[tuple[Node, int, int]] = []

    def place(node: Node, depth: int, parent: int) -> None:
        own = len(rows)
        rows.append((node, depth, parent))
        for child in node.children:
            place(child, depth + 1, own)

    place(tree.root, 0, -1)
    return rows


def _draw_tree(axes: Any, tree: Tree, title: str, trace: Trace | None) -> None:
    from matplotlib.patches import FancyBboxPatch

    rows = _rows(tree)
    for row, (node, depth, parent) in enumerate(rows):
        x, y = depth * _INDENT, -row * _ROW
        _, fill, edge = _STYLES[node.kind]
        words, counted = _words(node), ""
        opacity = 1.0
        if trace is not None and trace.ticks:
            failed, succeeded, ran = trace.counts[row]
            asked = failed + succeeded + ran
            opacity = 0.25 + 0.75 * asked / trace.ticks
            counted = f"{100 * asked / trace.ticks:.0f} % asked"
            if asked:
                counted += f", {100 * (succeeded + ran) / asked:.0f} % fired"
        width = 0.085 * len(words) + 0.24
        if parent >= 0:
            elbow = (depth - 1) * _INDENT + 0.14
            axes.plot(
                [elbow, elbow, x], [-parent * _ROW - 0.13, y, y], color="#8a8a8a", linewidth=0.9, zorder=1
            )
        axes.add_patch(
            FancyBboxPatch(
                (x, y - 0.11),
                width,
                0.22,
                facecolor=fill,
                edgecolor=edge,
                linewidth=1.1,
                alpha=opacity,
                zorder=2,
                boxstyle="round,pad=0.02,rounding_size=0.09"
                if node.kind == "condition"
                else "round,pad=0.02,rounding_size=0.02",
            )
        )
        axes.text(
            x + 0.12, y, words, va="center", fontsize=_FONT, family="monospace", zorder=3, color="#1d1d1d"
        )
        if counted:
            axes.text(x + width + 0.12, y, counted, va="center", fontsize=_FONT - 2, color="#666666", zorder=3)
    axes.set_title(title, loc="left", fontsize=_FONT + 2)
    wide, high = _size(tree, trace)
    axes.set_xlim(-0.1, wide)
    axes.set_ylim(-high + 0.1, 0.3)
    axes.axis("off")


def _size(tree: Tree, trace: Trace | None) -> tuple[float, float]:
    """Returns width and height of a drawing in its own units, which are inches."""
    rows = _rows(tree)
    counted = 1.9 if trace is not None else 0.0
    wide = max(depth * _INDENT + 0.085 * len(_words(node)) for node, depth, _ in rows) + 0.5 + counted
    return wide, len(rows) * _ROW + 0.1


def draw(trees: Sequence[tuple[str, Tree]], path: Path, traces: Sequence[Trace] = ()) -> None:
    """Writes a PNG with trees side by side.

    Args:
      trees: (title, tree) of each.
      path: the path of the file.
      traces: the traces of each tree, or none at all.

    Raises:
      ValueError: a trace is of another tree.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    drawn = list(traces) or [None] * len(trees)
    for (title, tree), trace in zip(trees, drawn, strict=True):
        if trace is not None and len(trace.counts) != len(tree.nodes()):
            raise ValueError(
                f"trace of {title}: expected one of {len(tree.nodes())} nodes, found {len(trace.counts)}"
            )
    sizes = [_size(tree, trace) for (_, tree), trace in zip(trees, drawn)]
    height = max(high for _, high in sizes) + 0.6
    width = sum(wide for wide, _ in sizes)
    figure = pyplot.figure(figsize=(width, height), dpi=110)
    left = 0.0
    for (title, tree), trace, (wide, high) in zip(trees, drawn, sizes):
        axes = figure.add_axes((left / width, 1 - (high + 0.5) / height, wide / width, (high + 0.2) / height))
        _draw_tree(axes, tree, title, trace)
        left += wide
    with cli.writing(path, binary=True) as file:
        # No software version and date inside, so that the same tree is the same file.
        figure.savefig(file, format="png", metadata={"Software": None})
    pyplot.close(figure)


def read_titled(name: str) -> tuple[str, Tree]:
    """Returns the title and the tree of a file, or of a tree that ships, of whatever game it is.

    Raises:
      ValueError: there is no such file, or it holds no tree.
    """
    path = find_tree(name)
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        return path.stem, from_json(text)[0]
    return path.stem, parse(text, joint=path.suffix == TEAM)


def read_trace(path: str) -> Trace:
    """Returns the trace in a file that `evaluate` wrote.

    Raises:
      ValueError: it holds none.
    """
    try:
        record = json.loads(Path(path).read_text("utf-8"))
        return Trace([list(map(int, counts)) for counts in record["counts"]], int(record["ticks"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"--trace: {path} cannot be read as a trace ({error!r}), expected a file that "
            "python -m bt_policies.evaluate --trace=F wrote"
        ) from error
