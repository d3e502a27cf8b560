"""Trees that a language model writes: asked for together, checked, and repaired (PORTAL, section 3.5, appendix A)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bt_policies.trees.vocabulary import Vocabulary
from bt_policies.writing import prompting, replies
from bt_policies.writing.forms import tree_reply
from bt_policies.writing.prompting import History
from bt_policies.writing.replies import TreeReply
from language_models.asking.questions import Checked, Question, Reply
from language_models.asking.repairs import Draft, ask_with_repairs
from language_models.asking.session import Session


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
    """The result for a `Wanted`.

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
        """The texts between tags, in order."""
        return "\n\n".join(text for reply in self.replies for text in (*reply.reflection, *reply.think) if text)


def write_all(
    wanted: Sequence[Wanted], vocabulary: Vocabulary, session: Session, repairs: int
) -> list[Written]:
    """Asks for all trees together, then for all repairs together, and so on.

    Args:
      wanted: trees.
      vocabulary: the vocabulary of the game.
      session: asks.
      repairs: the most repairs of one tree.

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

    # A team's roles are in the prompt only.
    form = None if wanted.joint else tree_reply(vocabulary, wanted.old is not None)

    def question(answers: Sequence[Reply[TreeReply]]) -> Question[TreeReply]:
        if not answers:
            return Question.of(wanted.prompt(None), wanted.purpose, check, form=form)
        last = answers[-1]
        shown = f"```bt\n{last.value.block.rstrip()}\n```" if last.value.block else last.text[:1000]
        prompt = wanted.prompt(History(shown, last.value.fault))
        return Question.of(prompt, f"{wanted.purpose}, repair {len(answers)}", check, form=form)

    return question


def develop(tree: str, ask: str, vocabulary: Vocabulary, session: Session, repairs: int = 3) -> Written:
    """Returns a tree changed as asked.

    Args:
      tree: its text.
      ask: the change wanted, in plain words.
      vocabulary: the vocabulary of the game.
      session: asks.
      repairs: the most repairs of faults.

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
