"""Has a language model write a behaviour tree.

    python -m bt_policies.generate --game=fps_arena --llm=spool:chat --output=mine.bt --record=mine.jsonl
    python -m bt_policies.generate --game=leduc_poker --llm=gemini:gemini-2.5-pro \\
        --tactics="Bluff often." --output=bluff.bt

The model reasons level by level and writes the tree (PORTAL, section 3.5, appendix A); what the checker
finds wrong is shown to it, up to --repairs times. --reasoning=F keeps the reasoning. --roles=a,b asks for a
team's joint tree. An --output that ends in .json is what a running match takes up
(`bt(tree=F,watch=true)`).
"""

from __future__ import annotations

import json
import sys

from bt_policies.trees.dsl import parse
from bt_policies.trees.files import TEAM, to_json
from bt_policies.trees.vocabularies import offered_in
from bt_policies.trees.vocabulary import FORMS
from bt_policies.writing import prompting
from bt_policies.writing.generation import Wanted, write_all
from language_models import from_spec
from language_models.asking.session import Session
from runs import cli, flags

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.game("the short name of a game with a vocabulary", required=True)
    flags.llm()
    flags.output("the tree, .bt or .json", required=True)
    flags.tactics()
    flags.DEFINE_list("roles", [], "Roles of a team's members in turn, for a joint tree (.team).")
    flags.leave_out()
    flags.forms(FORMS)
    flags.repairs(3)
    flags.seed("the requests: another one is another sample")
    flags.DEFINE_string("reasoning", None, "File for the model's reasoning.")
    flags.budget()
    flags.record()


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = cli.check_output(_FLAGS.output, "output")
    reasoning = None if _FLAGS.reasoning is None else cli.check_output(_FLAGS.reasoning, "reasoning")
    vocabulary = offered_in(_FLAGS.game, _FLAGS.leave_out, _FLAGS.forms)
    model = from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record, note="PORTAL, a tree")
    session = Session(model, _FLAGS.seed)
    if _FLAGS.roles and output.suffix != TEAM:
        raise ValueError(f"--output: expected a name that ends in {TEAM} for a joint tree, found {output}")
    (written,) = write_all(
        [
            Wanted(
                f"bt {vocabulary.game}",
                lambda history: prompting.generate(vocabulary, _FLAGS.tactics, history, _FLAGS.roles),
                joint=bool(_FLAGS.roles),
            )
        ],
        vocabulary,
        session,
        _FLAGS.repairs,
    )
    for number, reply in enumerate(written.replies, start=1):
        if reply.fault:
            print(f"answer {number}: {reply.fault}", file=sys.stderr)
    if reasoning is not None:
        cli.write_text(reasoning, written.reasoning + "\n")
    if written.tree is None:
        print(f"no tree passed in {len(written.answers)} answers; {output} is not written", file=sys.stderr)
        sys.exit(1)
    tree = parse(written.tree, joint=bool(_FLAGS.roles))
    cli.write_text(output, to_json(tree, vocabulary.game) if output.suffix == ".json" else written.tree)
    result = {
        "output": str(output),
        "nodes": len(tree.nodes()),
        "answers": len(written.answers),
        "llm": model.name,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
