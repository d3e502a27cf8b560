"""The calls of a language model in one run: asked together, and kept so that a run that was killed makes
none twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from language_models import Completion, Image, LanguageModel, Message, Request, complete_many
from runs import json_lines

_RUN_SEEDS = 100_000
"""Calls of one run at most; the seeds of requests tell runs and calls apart."""


@dataclass(frozen=True)
class Question:
    """One prompt, what it is for, and pictures."""

    prompt: str
    purpose: str
    images: tuple[Image, ...] = ()


class Calls:
    """Asks a language model. Answers are known by their requests, so that a run that goes on, and makes the
    same requests, gets the same answers.

    Attributes:
      made: questions asked so far, those answered from the file included.

    Args:
      path: JSON Lines, read now and added to as answers come; None for no file.
      model: answers what the file does not.
      seed: of the run, 0 to 21,000.

    Raises:
      ValueError: the file is damaged, or the seed out of range.
    """

    def __init__(self, path: Path | None, model: LanguageModel, seed: int):
        if not 0 <= seed <= 21_000:
            raise ValueError(f"seed of a run: expected 0 to 21000, found {seed}")
        self._path, self._model, self._seed = path, model, seed
        self._known = {} if path is None else {line["key"]: line["reply"] for line in json_lines.resume(path)}
        self.made = 0

    def ask(self, questions: Sequence[Question]) -> list[str]:
        """The replies to all questions, in order; what the file does not know goes out together.

        Raises:
          language_models.LanguageModelError: the language model gave up.
          ValueError: the run has made too many calls.
        """
        if self.made + len(questions) > _RUN_SEEDS:
            raise ValueError(
                f"a run makes at most {_RUN_SEEDS} calls of the language model, expected an "
                "end before that; start another run"
            )
        # A seed of its own for each question: the same prompt asked twice is two samples.
        requests = [
            Request(
                (Message("user", question.prompt, question.images),),
                seed=self._seed * _RUN_SEEDS + self.made + index,
                purpose=question.purpose,
            )
            for index, question in enumerate(questions)
        ]
        self.made += len(questions)
        missing = [request for request in requests if request.key() not in self._known]
        for request, completions in zip(missing, complete_many(self._model, missing)):
            self._keep(request, completions[0])
        return [self._known[request.key()] for request in requests]

    def _keep(self, request: Request, completion: Completion) -> None:
        self._known[request.key()] = completion.text
        if self._path is not None:
            json_lines.append(
                self._path,
                {
                    "key": request.key(),
                    "purpose": request.purpose,
                    "reply": completion.text,
                    "model": completion.model,
                    "prompt_tokens": completion.prompt_tokens,
                    "completion_tokens": completion.completion_tokens,
                },
            )
