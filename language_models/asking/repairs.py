"""Self-repair: a reply that fails its check is asked for again, with a prompt that may show the fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from language_models.asking.questions import Question, Reply

Value = TypeVar("Value")
Draft = Callable[[Sequence[Reply[Value]]], Question[Value]]
"""`draft(replies)`: the next question after these replies, all of them faulty; the first one after none."""


def ask_with_repairs(
    ask_together: Callable[[Sequence[Question[Value]]], list[Reply[Value]]],
    drafts: Sequence[Draft[Value]],
    most: int,
) -> list[list[Reply[Value]]]:
    """Asks each draft's questions until a reply passes its check; questions of one round go out together.

    Args:
      ask_together: a function that asks, such as `Session.ask_together`.
      drafts: functions that make the questions.
      most: largest number of questions of one draft, at least 1.

    Returns:
      For each draft its replies in order; only the last one may be without a fault.

    Raises:
      LanguageModelError: the model gave up.
    """
    replies: list[list[Reply[Value]]] = [[] for _ in drafts]
    unsolved = list(range(len(drafts)))
    for _ in range(most):
        asked = ask_together([drafts[index](replies[index]) for index in unsolved])
        for index, reply in zip(unsolved, asked, strict=True):
            replies[index].append(reply)
        unsolved = [index for index in unsolved if replies[index][-1].fault is not None]
        if not unsolved:
            break
    return replies
