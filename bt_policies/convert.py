"""Converts trees between the language, JSON and the XML of BehaviorTree.CPP:

    python -m bt_policies.convert --game=fps_arena --tree=fps_basic --output=fps_basic.json
    python -m bt_policies.convert --game=fps_arena --tree=edited.xml --output=edited.bt

The endings of the names say which is which: .bt, .json, .xml. JSON and XML say what composites remember,
the language does not. A tree that says words that are not of the game is refused.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

from bt_policies.trees.dsl import Tree, TreeError, format_tree
from bt_policies.trees.exchange.btcpp import from_xml, to_xml
from bt_policies.trees.files import find_tree, read_tree, to_json
from bt_policies.trees.runtime import MEMORY
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.trees.vocabulary import Vocabulary
from runs import cli

ENDINGS = (".bt", ".json", ".xml")


def read(path: Path, vocabulary: Vocabulary) -> tuple[Tree, str]:
    """The tree and its memory from a file of any of the three forms.

    Raises:
      ValueError: it cannot be read, or holds no tree for the game; the sentence names it.
    """
    if path.suffix != ".xml":
        return read_tree(path, vocabulary)
    try:
        return from_xml(path.read_text("utf-8"), vocabulary)
    except TreeError as error:
        raise ValueError(f"tree {path}: {error}") from error


def main() -> None:
    """The command; see the module's docstring."""
    F = flags.FLAGS
    output = cli.check_output(F.output, "output")
    if output.suffix not in ENDINGS:
        raise ValueError(f"--output: expected a name that ends in {', '.join(ENDINGS)}, found {output}")
    vocabulary = vocabulary_of(F.game)
    tree, memory = read(find_tree(F.tree), vocabulary)
    memory = F.memory or memory
    if output.suffix == ".json":
        text = to_json(tree, vocabulary.game, memory)
    elif output.suffix == ".xml":
        text = to_xml(tree, vocabulary, memory=memory, name=output.stem)
    else:
        text = format_tree(tree)
    cli.write_text(output, text)
    print(f"{output}: {len(tree.nodes())} nodes, memory {memory}")


if __name__ == "__main__":
    flags.DEFINE_string("tree", None, "File, or a tree that ships.", required=True)
    flags.DEFINE_string("game", "fps_arena", "Game with a vocabulary, by its short name.")
    flags.DEFINE_string("output", None, "File to write: .bt, .json or .xml.", required=True)
    flags.DEFINE_enum("memory", None, list(MEMORY), "What composites remember; default: the file's own.")
    cli.run(main)
