"""Files of trees: in the language (`.bt`), or as JSON (`.json`), which a running match can take up.

JSON holds the tree with the game that it is for and the memory of its composites:

    {"format": "behaviour tree", "version": 1, "game": "fps_arena", "memory": "none",
     "root": {"kind": "selector", "children": [{"kind": "condition", "name": "is_hurt", "negated": true},
              {"kind": "task", "name": "shoot", "parameter": "nearest_enemy_in_view"}]}}
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from absl import logging

import artefacts
from bt_policies.trees.dsl import MAX_DEPTH, Fault, Node, Tree, TreeError, format_tree, parse
from bt_policies.trees.runtime import MEMORY
from bt_policies.trees.vocabulary import Vocabulary, check
from runs.suggestions import nearest

FORMAT = "behaviour tree"
VERSION = 1
TEAM = ".team"
"""Files of joint trees end in this; see `bt_policies.trees.teams`."""
TREES = artefacts.folder("behaviour_trees")
"""The trees that ship with the package."""


def to_json(tree: Tree, game: str, memory: str = "none") -> str:
    """Returns the tree as JSON, comments included; see the module's docstring."""
    record: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": game,
        "memory": memory,
        "root": _record(tree.root),
    }
    if tree.end_comments:
        record["end_comments"] = list(tree.end_comments)
    return json.dumps(record, indent=1) + "\n"


def _record(node: Node) -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": node.kind,
        "name": node.name,
        "parameter": node.parameter,
        "negated": node.negated,
        "comments": list(node.comments),
        "remark": node.remark,
        "children": [_record(child) for child in node.children],
    }
    return {key: value for key, value in record.items() if value or key == "kind"}


def from_json(text: str, game: str | None = None) -> tuple[Tree, str]:
    """Returns the tree and its memory.

    Args:
      text: as `to_json` writes it.
      game: the game that it must be for; None for any.

    Raises:
      TreeError: the text is no JSON of this format, or of a tree that the language cannot say; lines and
        columns are those of the JSON where it cannot be read, and else of the tree written in the language.
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        raise _bad(
            f"expected JSON, found {getattr(error, 'msg', type(error).__name__)}", line, column
        ) from None
    if not isinstance(record, dict) or record.get("format") != FORMAT or record.get("version") != VERSION:
        raise _bad(f'expected {{"format": "{FORMAT}", "version": {VERSION}, ...}}, found {text[:60]!r}')
    if game is not None and record.get("game") != game:
        raise _bad(f"expected a tree for {game}, found one for {record.get('game')!r}")
    memory = record.get("memory", "none")
    if memory not in MEMORY:
        raise _bad(f"expected the memory to be one of {', '.join(MEMORY)}, found {memory!r}")
    tree = Tree(_node(record.get("root"), 1), _strings(record.get("end_comments", []), "end_comments"))
    # Whatever the fields hold: what the language cannot say is no tree.
    said = format_tree(tree)
    again = parse(said)
    if again != tree:
        raise _bad(
            f"expected a tree that the language can say, found one that reads back otherwise: {said[:80]!r}"
        )
    return again, memory


def _bad(message: str, line: int = 1, column: int = 1) -> TreeError:
    return TreeError([Fault(line, column, message)])


def _node(record: Any, depth: int) -> Node:
    if not isinstance(record, dict) or depth > MAX_DEPTH:
        raise _bad(f'expected a node {{"kind": ...}}, found {str(record)[:60]!r}')
    unknown = set(record) - {"kind", "name", "parameter", "negated", "comments", "remark", "children"}
    if unknown:
        raise _bad(f"a node has the field {sorted(unknown)[0]!r}, which none has")
    words = [record.get(key, "") for key in ("kind", "name", "parameter", "remark")]
    negated, children = record.get("negated", False), record.get("children", [])
    if (
        not all(isinstance(word, str) for word in words)
        or not isinstance(negated, bool)
        or not isinstance(children, list)
    ):
        raise _bad(
            "expected kind, name, parameter and remark as strings, negated as true or false, and "
            f"children as a list, found {str(record)[:80]!r}"
        )
    kind, name, parameter, remark = words
    return Node(
        kind,
        name,
        parameter,
        negated,
        tuple(_node(child, depth + 1) for child in children),
        _strings(record.get("comments", []), "comments"),
        remark,
    )


def _strings(value: Any, what: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _bad(f"expected {what} to be a list of strings, found {str(value)[:60]!r}")
    return tuple(value)


def find_tree(name: str) -> Path:
    """Returns the file that a user names: a path, or a tree that ships, with or without its ending.

    Raises:
      ValueError: there is none.
    """
    for path in (Path(name), TREES / name, TREES / f"{name}.bt", TREES / f"{name}{TEAM}"):
        if path.is_file():
            return path
    shipped = sorted(path.name for path in TREES.iterdir())
    raise ValueError(
        f"tree {name!r}: there is no such file, and none of this name ships; {nearest(name, shipped)}"
    )


def read_tree(
    path: str | os.PathLike[str], vocabulary: Vocabulary, memory: str | None = None
) -> tuple[Tree, str]:
    """Returns a checked tree and its memory from a file.

    Args:
      path: ends in `.json` for JSON; else the file is in the language.
      vocabulary: the vocabulary of the game that it must be for.
      memory: None for the file's own, which in the language is "none".

    Raises:
      ValueError: the file cannot be read, or holds no tree for the game; the sentence names it.
    """
    path = Path(path)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"tree {path} cannot be read as a text file ({error}), expected a .bt or .json file"
        ) from None
    try:
        tree, own = from_json(text, vocabulary.game) if path.suffix == ".json" else (parse(text), "none")
        check(tree, vocabulary)
    except TreeError as error:
        raise ValueError(f"tree {path}: {error}") from error
    return tree, own if memory is None else memory


class PolicyFile:
    """A file of a tree that may change while a match runs.

    Attributes:
      tree, memory: the last that could be used.
      fault: why the file's present content cannot be used, or None; `tree` is then an earlier one.

    Args:
      path, vocabulary, memory: as in `read_tree`.

    Raises:
      ValueError: there is no usable tree to begin with.
    """

    def __init__(self, path: str | os.PathLike[str], vocabulary: Vocabulary, memory: str | None = None):
        self._path, self._vocabulary, self._memory = Path(path), vocabulary, memory
        self._stamp = self._stat()
        self.tree, self.memory = read_tree(path, vocabulary, memory)
        self.fault: str | None = None

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def poll(self) -> bool:
        """Returns whether the file holds another tree than before, which `tree` and `memory` now are.

        A file that has become unusable is reported once as a warning, and the match goes on with the tree
        that it has: a typing error must not end it.
        """
        stamp = self._stat()
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        before = self.tree, self.memory
        try:
            found = read_tree(self._path, self._vocabulary, self._memory)
        except ValueError as error:
            self.fault = str(error)
            logging.warning("%s; the match goes on with the tree that it has", error)
            return False
        self.fault = None
        if found == before:
            return False
        self.tree, self.memory = found
        return True
