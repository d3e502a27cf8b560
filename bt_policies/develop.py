"""Changes a tree as somebody asks in plain words, while a match runs with it.

    python -m bt_policies.develop --tree=live.bt --ask="be more careful when hurt" --llm=spool:chat
    python -m bt_policies.develop --tree=fps_basic --output=live.json --ask="hold the zone" --llm=spool:chat

This is PORTAL's instant development (section 4.4). The new tree is checked, faults are shown to the model
up to --repairs times, and the file is written whole or not at all: a match whose bot is
`bt(tree=F,watch=true)` plays the new tree from its next tick on. Nothing is written where no
answer holds a usable tree.
"""

from __future__ import annotations

import difflib
import json
import sys
import time

from bt_policies.trees.dsl import format_tree, parse
from bt_policies.trees.files import TEAM, find_tree, read_tree, to_json
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.writing.generation import develop
from language_models import from_spec
from language_models.asking.session import Session
from runs import cli, flags

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.tree(required=True)
    flags.game("the short name of a game with a vocabulary", default="fps_arena")
    flags.DEFINE_string("ask", None, "Change that is wanted, in plain words.")
    flags.require("ask")
    flags.llm()
    flags.output("the new tree; the old one's by default")
    flags.repairs(3)
    flags.seed("the requests: another one is another sample")
    flags.budget()
    flags.record()


def main() -> None:
    """Runs the command; see the module's docstring."""
    path = find_tree(_FLAGS.tree)
    if path.suffix == TEAM:
        raise ValueError(f"--tree: expected a .bt or .json file, found the joint tree {path}")
    output = cli.check_output(_FLAGS.output or path, "output")
    vocabulary = vocabulary_of(_FLAGS.game)
    tree, memory = read_tree(path, vocabulary)
    old = format_tree(tree)
    model = from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record, note="PORTAL, development")
    session = Session(model, _FLAGS.seed)
    start = time.perf_counter()
    written = develop(old, _FLAGS.ask, vocabulary, session, _FLAGS.repairs)
    for number, reply in enumerate(written.replies, start=1):
        if reply.fault:
            print(f"answer {number}: {reply.fault}", file=sys.stderr)
    if written.tree is None:
        print(f"no tree passed in {len(written.answers)} answers; {output} is as it was", file=sys.stderr)
        sys.exit(1)
    new = parse(written.tree)
    cli.write_text(output, to_json(new, vocabulary.game, memory) if output.suffix == ".json" else written.tree)
    print(
        "\n".join(
            difflib.unified_diff(
                old.splitlines(), written.tree.splitlines(), str(path), str(output), lineterm=""
            )
        ),
        file=sys.stderr,
    )
    print(
        json.dumps(
            {
                "output": str(output),
                "nodes": len(new.nodes()),
                "answers": len(written.answers),
                "llm": model.name,
                "target": written.replies[-1].target,
                "seconds": round(time.perf_counter() - start, 2),
            }
        )
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
