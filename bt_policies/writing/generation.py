"""Trees that a language model writes: asked for together, checked, and repaired (PORTAL, section 3.5, appendix A)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bt_policies.trees.vocabulary import Vocabulary
from bt_policies.writing import prompting, replies
from bt_policies.writing.calls import Calls, Question
from bt_policies.writing.prompting import History
from bt_policies.writing.replies import Reply


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
    replies: tuple[Reply, ...]

    @property
    def tree(self) -> str | None:
        """The tree's text, None where no answer held one."""
        return self.replies[-1].tree

    @property
    def reasoning(self) -> str:
        """All that was said between tags, in order."""
        return "\n\n".join(text for reply in self.replies for text in (*reply.reflection, *reply.think) if text)


def write_all(wanted: Sequence[Wanted], vocabulary: Vocabulary, calls: Calls, repairs: int) -> list[Written]:
    """Asks for all trees together, then for all repairs together, and so on.

    Args:
      wanted: trees.
      vocabulary: of the game.
      calls: asks.
      repairs: of one tree at most.

    Raises:
      language_models.LanguageModelError: the language model gave up.
    """
    prompts: list[list[str]] = [[each.prompt(None)] for each in wanted]
    answers: list[list[str]] = [[] for _ in wanted]
    read: list[list[Reply]] = [[] for _ in wanted]
    open_ones = list(range(len(wanted)))
    for attempt in range(repairs + 1):
        purpose = f", repair {attempt}" if attempt else ""
        asked = calls.ask(
            [Question(prompts[index][-1], wanted[index].purpose + purpose) for index in open_ones]
        )
        for index, answer in zip(open_ones, asked):
            answers[index].append(answer)
            read[index].append(replies.read(answer, vocabulary, wanted[index].old, wanted[index].joint))
        open_ones = [index for index in open_ones if read[index][-1].tree is None]
        if not open_ones:
            break
        if attempt < repairs:
            for index in open_ones:
                last = read[index][-1]
                prompts[index].append(
                    wanted[index].prompt(
                        History(
                            f"```bt\n{last.block.rstrip()}\n```" if last.block else answers[index][-1][:1000],
                            last.fault,
                        )
                    )
                )
    return [
        Written(tuple(asked), tuple(told), tuple(seen)) for asked, told, seen in zip(prompts, answers, read)
    ]


def develop(tree: str, ask: str, vocabulary: Vocabulary, calls: Calls, repairs: int = 3) -> Written:
    """A tree changed as asked.

    Args:
      tree: its text.
      ask: what is to change, in plain words.
      vocabulary: of the game.
      calls: asks.
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
        calls,
        repairs,
    )
    return written
