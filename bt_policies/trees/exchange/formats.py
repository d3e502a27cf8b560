"""Trees as text in each of the forms that are read and written, told apart by the ending of a file's name."""

from __future__ import annotations

from pathlib import Path

from bt_policies.trees.dsl import Tree, TreeError, format_tree
from bt_policies.trees.exchange.btcpp import from_xml, to_xml
from bt_policies.trees.files import read_tree, to_json
from bt_policies.trees.vocabulary import Vocabulary

ENDINGS = (".bt", ".json", ".xml")


def read(path: Path, vocabulary: Vocabulary) -> tuple[Tree, str]:
    """Returns the tree and its memory from a file of any of the three forms.

    Raises:
      ValueError: it cannot be read, or holds no tree for the game; the sentence names it.
    """
    if path.suffix != ".xml":
        return read_tree(path, vocabulary)
    try:
        return from_xml(path.read_text("utf-8"), vocabulary)
    except TreeError as error:
        raise ValueError(f"tree {path}: {error}") from error


def text_of(tree: Tree, vocabulary: Vocabulary, memory: str, path: Path) -> str:
    """Returns the tree in the form that the ending of `path` says; .bt does not say what composites
    remember.
    """
    if path.suffix == ".json":
        return to_json(tree, vocabulary.game, memory)
    if path.suffix == ".xml":
        return to_xml(tree, vocabulary, memory=memory, name=path.stem)
    return format_tree(tree)
