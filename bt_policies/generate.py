"""Has a language model write a behaviour tree:

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from absl import flags

from bt_policies.trees.dsl import parse
from bt_policies.trees.files import TEAM, to_json
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.trees.vocabulary import Vocabulary
from bt_policies.writing import prompting, replies
from bt_policies.writing.prompting import History
from bt_policies.writing.replies import TreeReply
from language_models import from_spec
from language_models.asking.questions import Checked, Question, Reply
from language_models.asking.repairs import Draft, ask_with_repairs
from language_models.asking.session import Session
from runs import cli


@dataclass(frozen=True)
class Wanted:
    """A tree to be written.

    Attributes:
      purpose: label of its calls.
      prompt: from the last answer and its faults (None at first) to the prompt.
      old: the text of the tree that is revised, None for a new one.
      joint: whether it is a team's.
    """

    purpose: str
    prompt: Callable[[History | None], str]
    old: str | None = None
    joint: bool = False


@dataclass(frozen=True)
class Written:
    """What came of a `Wanted`.

    Attributes:
      prompts: those asked, the first one and a repair for each fault.
      answers: as they were.
      replies: the answers, read; the last one holds the tree or the last fault.
    """

    prompts: tuple[str, ...]
    answers: tuple[str, ...]
    replies: tuple[TreeReply, ...]

    @property
    def tree(self) -> str | None:
        """The tree's text, None where no answer held one."""
        return self.replies[-1].tree

    @property
    def reasoning(self) -> str:
        """All that was said between tags, in order."""
        return "\n\n".join(text for reply in self.replies for text in (*reply.reflection, *reply.think) if text)


def write_all(
    wanted: Sequence[Wanted], vocabulary: Vocabulary, session: Session, repairs: int
) -> list[Written]:
    """Asks for all trees together, then for all repairs together, and so on.

    Args:
      wanted: trees.
      vocabulary: of the game.
      session: asks.
      repairs: of one tree at most.

    Raises:
      language_models.LanguageModelError: the language model gave up.
    """
    drafts = [_draft(each, vocabulary) for each in wanted]
    return [
        Written(
            tuple(answer.prompt for answer in answers),
            tuple(answer.text for answer in answers),
            tuple(answer.value for answer in answers),
        )
        for answers in ask_with_repairs(session.ask_together, drafts, repairs + 1)
    ]


def _draft(wanted: Wanted, vocabulary: Vocabulary) -> Draft[TreeReply]:
    """Asks for a tree; after a faulty answer the prompt shows that and its faults."""

    def check(text: str) -> Checked[TreeReply]:
        reply = replies.read(text, vocabulary, wanted.old, wanted.joint)
        return Checked(reply, reply.fault if reply.tree is None else None)

    def question(answers: Sequence[Reply[TreeReply]]) -> Question[TreeReply]:
        if not answers:
            return Question.of(wanted.prompt(None), wanted.purpose, check)
        last = answers[-1]
        shown = f"```bt\n{last.value.block.rstrip()}\n```" if last.value.block else last.text[:1000]
        prompt = wanted.prompt(History(shown, last.value.fault))
        return Question.of(prompt, f"{wanted.purpose}, repair {len(answers)}", check)

    return question


def main() -> None:
    """The command; see the module's docstring."""
    F = flags.FLAGS
    output = cli.check_output(F.output, "output")
    reasoning = None if F.reasoning is None else cli.check_output(F.reasoning, "reasoning")
    vocabulary = vocabulary_of(F.game).subset(F.leave_out)
    session = Session(from_spec(F.llm, budget=F.budget, record_to=F.record, note="PORTAL, a tree"), F.seed)
    if F.roles and output.suffix != TEAM:
        raise ValueError(f"--output: expected a name that ends in {TEAM} for a joint tree, found {output}")
    (written,) = write_all(
        [
            Wanted(
                f"bt {vocabulary.game}",
                lambda history: prompting.generate(vocabulary, F.tactics, history, F.roles),
                joint=bool(F.roles),
            )
        ],
        vocabulary,
        session,
        F.repairs,
    )
    for number, reply in enumerate(written.replies, start=1):
        if reply.fault:
            print(f"answer {number}: {reply.fault}", file=sys.stderr)
    if reasoning is not None:
        cli.write_text(reasoning, written.reasoning + "\n")
    if written.tree is None:
        print(f"no tree passed in {len(written.answers)} answers; {output} is not written", file=sys.stderr)
        sys.exit(1)
    tree = parse(written.tree, joint=bool(F.roles))
    cli.write_text(output, to_json(tree, vocabulary.game) if output.suffix == ".json" else written.tree)
    print(json.dumps({"output": str(output), "nodes": len(tree.nodes()), "answers": len(written.answers)}))


if __name__ == "__main__":
    flags.DEFINE_string("game", None, "Game with a vocabulary, by its short name.", required=True)
    flags.DEFINE_string(
        "llm", None, "gemini:MODEL, openai:MODEL@URL, recorded[:PATH] or spool:DIR.", required=True
    )
    flags.DEFINE_string("output", None, "File for the tree, .bt or .json.", required=True)
    flags.DEFINE_string("tactics", "", "What the tree is to do; default: the game's own.")
    flags.DEFINE_list("roles", [], "Roles of a team's members in turn, for a joint tree (.team).")
    flags.DEFINE_list("leave_out", [], "Words of the vocabulary that the tree may not use.")
    flags.DEFINE_integer("repairs", 3, "Repairs of faults at most.", lower_bound=0)
    flags.DEFINE_integer("seed", 0, "Of the requests: another one is another sample.", lower_bound=0)
    flags.DEFINE_string("reasoning", None, "File for the model's reasoning.")
    flags.DEFINE_string("budget", None, "Limits such as calls=20,tokens=1e6,usd=5.")
    flags.DEFINE_string("record", None, "File to append the calls to, for recorded:FILE.")
    cli.run(main)
