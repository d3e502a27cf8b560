"""One-shot candidates: programs asked for independently of each other, and the fastest right one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from cwm.contract import manifest
from cwm.writing.refiners import CALLS_PER_RUN
from language_models import LanguageModel, Request, program_of
from language_models.asking.questions import Question
from language_models.asking.reply_cache import ReplyCache


def candidate_request(loaded: manifest.Model, prompt: str, noun: str, offset: int, index: int) -> Request:
    """The request for one candidate; those of a model differ in the seed alone.

    Args:
      loaded: the model.
      prompt: the prompt, the same for all candidates.
      noun: a candidate's kind, as a noun, for the purpose.
      offset: offset of the first candidate's seed within those of the model's run.
      index: number of the candidate, from 0.
    """
    run, game = loaded.manifest["seed"], loaded.manifest["game"]
    return Question.of(
        prompt,
        f"cwm {noun} of {game}, run {run}, candidate {index + 1}",
        seed=run * CALLS_PER_RUN + offset + index,
    ).request


def ask_each(path: str, requests: Sequence[Request], model: LanguageModel) -> list[str]:
    """The text of the answer to each request; they go out one by one, and only those that the file does not
    hold yet.

    Args:
      path: path of a `ReplyCache`.
      requests: requests that are independent of each other.
      model: the language model that answers.

    Raises:
      language_models.LanguageModelError: the language model gave up; answers so far are kept.
    """
    cache = ReplyCache(model, path)
    return [cache.complete(request)[0].text for request in requests]


class Verdict(Protocol):
    """The verdict on one candidate: whether it is accepted, and the reason."""

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
      replies: replies of the language model, one for each candidate.
      judge: `judge(index, program)` -> the verdict and the rate; the program is None where a reply
        has none.
      noun: a candidate's kind, as a noun, for the progress.
      progress: a function that is told each verdict.
    """
    verdicts: list[V] = []
    best, best_rate = None, 0.0
    for index, reply in enumerate(replies):
        source = program_of(reply)
        verdict, rate = judge(index, source)
        verdicts.append(verdict)
        progress(f"{noun} {index + 1}: {verdict.reason}")
        if verdict.accepted and rate > best_rate:
            best, best_rate = source, rate
    return best, verdicts
