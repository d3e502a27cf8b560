"""Changes a tree as somebody asks in plain words, while a match runs with it:

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

from absl import flags

from bt_policies.generate import Wanted, Written, write_all
from bt_policies.trees.dsl import format_tree, parse
from bt_policies.trees.files import TEAM, find_tree, read_tree, to_json
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.trees.vocabulary import Vocabulary
from bt_policies.writing import prompting
from language_models import from_spec
from language_models.asking.session import Session
from runs import cli


def develop(tree: str, ask: str, vocabulary: Vocabulary, session: Session, repairs: int = 3) -> Written:
    """A tree changed as asked.

    Args:
      tree: its text.
      ask: what is to change, in plain words.
      vocabulary: of the game.
      session: asks.
      repairs: of faults at most.

    Returns:
      The answers; its `tree` is the new text, None where no answer held a tree that can be used.

    Raises:
      language_models.LanguageModelError: the language model gave up.
      ValueError: nothing is asked for.
    """
    if not ask.strip():
        raise ValueError("ask: expected what is to change, in plain words, found nothing")
    (written,) = write_all(
        [
            Wanted(
                f"bt {vocabulary.game} develops",
                lambda history: prompting.develop(vocabulary, tree, ask, history),
                old=tree,
            )
        ],
        vocabulary,
        session,
        repairs,
    )
    return written


def main() -> None:
    """The command; see the module's docstring."""
    F = flags.FLAGS
    path = find_tree(F.tree)
    if path.suffix == TEAM:
        raise ValueError(f"--tree: expected a .bt or .json file, found the joint tree {path}")
    output = cli.check_output(F.output or path, "output")
    vocabulary = vocabulary_of(F.game)
    tree, memory = read_tree(path, vocabulary)
    old = format_tree(tree)
    session = Session(from_spec(F.llm, budget=F.budget, record_to=F.record, note="PORTAL, development"), F.seed)
    start = time.perf_counter()
    written = develop(old, F.ask, vocabulary, session, F.repairs)
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
                "target": written.replies[-1].target,
                "seconds": round(time.perf_counter() - start, 2),
            }
        )
    )


if __name__ == "__main__":
    flags.DEFINE_string("tree", None, "File (.bt, .json), or a tree that ships.", required=True)
    flags.DEFINE_string("game", "fps_arena", "Game with a vocabulary, by its short name.")
    flags.DEFINE_string("ask", None, "What is to change, in plain words.", required=True)
    flags.DEFINE_string(
        "llm", None, "gemini:MODEL, openai:MODEL@URL, recorded[:PATH] or spool:DIR.", required=True
    )
    flags.DEFINE_string("output", None, "File for the new tree; default: the old one's.")
    flags.DEFINE_integer("repairs", 3, "Repairs of faults at most.", lower_bound=0)
    flags.DEFINE_integer("seed", 0, "Of the requests: another one is another sample.", lower_bound=0)
    flags.DEFINE_string("budget", None, "Limits such as calls=20,tokens=1e6,usd=5.")
    flags.DEFINE_string("record", None, "File to append the calls to, for recorded:FILE.")
    cli.run(main)
