"""The questions of one run, each with a seed of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from language_models.asking.questions import Question, Reply, ask_together
from language_models.asking.reply_cache import ReplyCache
from language_models.types import MAX_SEED, LanguageModel

Value = TypeVar("Value")

CALLS_PER_RUN = 100_000
"""Most questions of one run; the seeds of requests tell runs and questions apart."""
LAST_RUN = (MAX_SEED + 1) // CALLS_PER_RUN - 1


class Session:
    """Numbers the questions of a run: the same prompt asked twice is two samples, and a run that is walked
    through again makes the same requests.

    Attributes:
      made: number of questions asked so far, those that a `ReplyCache` answered included.

    Args:
      model: the model that answers; a `ReplyCache` where the run may be killed.
      seed: seed of the run, 0 to `LAST_RUN`.

    Raises:
      ValueError: the seed is out of range.
    """

    def __init__(self, model: LanguageModel, seed: int):
        if not 0 <= seed <= LAST_RUN:
            raise ValueError(f"seed of a run: expected 0 to {LAST_RUN}, found {seed}")
        self._model, self._seed = model, seed
        self.made = 0

    @classmethod
    def kept(cls, path: str | Path, model: LanguageModel, seed: int, *, strict: bool = False) -> Session:
        """The session of a run whose replies are kept in a file; `path` and `strict` as in `ReplyCache`."""
        return cls(ReplyCache(model, path, strict=strict), seed)

    def ask(self, question: Question[Value]) -> Reply[Value]:
        """The reply to one question.

        Raises:
          ValueError, LanguageModelError: as `ask_together`.
        """
        return self.ask_together([question])[0]

    def ask_together(self, questions: Sequence[Question[Value]]) -> list[Reply[Value]]:
        """The replies to all questions, in order; they go out together.

        Raises:
          ValueError: the run has asked too many questions; or as `ReplyCache.complete`.
          LanguageModelError: the model gave up.
        """
        if self.made + len(questions) > CALLS_PER_RUN:
            raise ValueError(
                f"a run makes at most {CALLS_PER_RUN} calls of the language model, expected an "
                "end before that; start another run"
            )
        first = self._seed * CALLS_PER_RUN + self.made
        self.made += len(questions)
        return ask_together(
            self._model, [question.with_seed(first + index) for index, question in enumerate(questions)]
        )

    def reply_to(self, prompt: str, purpose: str) -> str:
        """The text of the reply to a prompt that needs no check.

        Raises:
          ValueError, LanguageModelError: as `ask_together`.
        """
        return self.ask(Question.of(prompt, purpose)).text
