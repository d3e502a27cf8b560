"""One-shot questions to a language model: answers that a killed run does not lose, the best one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from cwm.writing import prompting
from language_models import LanguageModel, Request
from runs import json_lines


def ask_each(path: str, requests: Sequence[Request], model: LanguageModel) -> list[str]:
    """The answer to each request, asking only for those that the file does not hold yet.

    Args:
      path: JSON Lines file of earlier answers, in the order of the requests; added to as they come.
      requests: independent of each other.
      model: answers.

    Raises:
      language_models.LanguageModelError: the language model gave up; answers so far are kept.
    """
    replies: list[str] = [row["reply"] for row in json_lines.resume(path)]
    for request in requests[len(replies) :]:
        replies.append(model.complete(request)[0].text)
        json_lines.append(path, {"key": request.key(), "reply": replies[-1]})
    return replies[: len(requests)]


class Verdict(Protocol):
    """On one candidate: whether it is accepted, and why or why not."""

    accepted: bool
    reason: str


V = TypeVar("V", bound=Verdict)


def fastest(
    replies: Sequence[str],
    judge: Callable[[int, str | None], tuple[V, float]],
    noun: str,
    progress: Callable[[str], None],
) -> tuple[str | None, list[V]]:
    """The program of the accepted reply with the highest rate, None where none is; and all verdicts.

    Args:
      replies: of the language model, one for each candidate.
      judge: `judge(index, program)` -> the verdict and the rate; the program is None where a reply
        has none.
      noun: what a candidate is, for the progress.
      progress: told each verdict.
    """
    verdicts: list[V] = []
    best, best_rate = None, 0.0
    for index, reply in enumerate(replies):
        source = prompting.program_of(reply)
        verdict, rate = judge(index, source)
        verdicts.append(verdict)
        progress(f"{noun} {index + 1}: {verdict.reason}")
        if verdict.accepted and rate > best_rate:
            best, best_rate = source, rate
    return best, verdicts
