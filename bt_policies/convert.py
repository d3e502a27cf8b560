"""Converts trees between their formats, and runs into training data.

    python -m bt_policies.convert --game=fps_arena --tree=fps_basic --output=fps_basic.json
    python -m bt_policies.convert --game=fps_arena --tree=edited.xml --output=edited.bt
    python -m bt_policies.convert --runs=run1,run2 --format=sft --output=sft.jsonl
    python -m bt_policies.convert --runs=run1 --format=preferences --margin=0.05 --output=pairs.jsonl

With `--tree` the endings of the names say which form is which: .bt, .json, .xml. JSON and XML say what composites
remember, the language does not. A tree that says words that are not of the game is refused.

With `--runs`, folders of `bt_policies.improve`, the output is JSON Lines for the training of language models
(PORTAL, section 3.6), in one of these formats:

    trajectories  every [(prompt, DSL, reward)] as the run kept it, answers with faults included
    sft           {"messages": [user, assistant], "reward"} of the --best share of answers by reward in each run
    preferences   {"prompt", "chosen", "rejected", "rewards"}: two answers to one prompt whose rewards
                  differ by --margin or more; an answer without a usable tree loses to any with one
"""

from __future__ import annotations

import json
from pathlib import Path

from bt_policies.trees.exchange.formats import ENDINGS, read, text_of
from bt_policies.trees.files import find_tree
from bt_policies.trees.runtime import MEMORY
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.writing.training_data import FORMATS, preferences, records_of, sft
from runs import cli, flags

_FLAGS = flags.FLAGS


def _convert_tree(output: Path) -> None:
    if output.suffix not in ENDINGS:
        raise ValueError(f"--output: expected a name that ends in {', '.join(ENDINGS)}, found {output}")
    vocabulary = vocabulary_of(_FLAGS.game)
    tree, memory = read(find_tree(_FLAGS.tree), vocabulary)
    memory = _FLAGS.memory or memory
    cli.write_text(output, text_of(tree, vocabulary, memory, output))
    print(f"{output}: {len(tree.nodes())} nodes, memory {memory}")


def _convert_runs(output: Path) -> None:
    if not _FLAGS.margin > 0:
        raise ValueError(f"--margin: expected more than 0, found {_FLAGS.margin}")
    runs = [records_of(Path(folder)) for folder in _FLAGS.runs]
    if _FLAGS.format == "trajectories":
        made = [record for records in runs for record in records]
    else:
        made = sft(runs, _FLAGS.best) if _FLAGS.format == "sft" else preferences(runs, _FLAGS.margin)
    cli.write_text(output, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in made))
    print(f"{output}: {len(made)} lines from {sum(map(len, runs))} answers")


def _define_flags() -> None:
    flags.tree()
    flags.game("the short name of a game with a vocabulary", default="fps_arena")
    flags.output("the tree (.bt, .json or .xml), or for the training data (JSON Lines)", required=True)
    flags.memory(MEMORY)
    flags.DEFINE_list("runs", None, "Folders of runs of bt_policies.improve, for training data.")
    flags.DEFINE_enum("format", "trajectories", FORMATS, "Format of the training data.")
    flags.DEFINE_float(
        "best", 0.25, "With --format=sft: share of answers that is kept.", lower_bound=0.0, upper_bound=1.0
    )
    flags.DEFINE_float("margin", 0.02, "With --format=preferences: least difference of rewards.")


def main() -> None:
    """Runs the command; see the module's docstring."""
    if bool(_FLAGS.tree) == bool(_FLAGS.runs):
        found = "both" if _FLAGS.tree else "neither; run with --help for an example"
        raise ValueError(f"expected one of --tree and --runs, found {found}")
    (_convert_tree if _FLAGS.tree else _convert_runs)(cli.check_output(_FLAGS.output, "output"))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
