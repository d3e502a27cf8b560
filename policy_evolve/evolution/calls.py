"""The calls of the language model in one run, kept so that a run that was killed makes none twice."""

from __future__ import annotations

from pathlib import Path

from language_models import LanguageModel, Message, Request
from runs import json_lines

_RUN_SEEDS = 100_000
"""Calls of one run at most; the seeds of requests tell runs and calls apart."""


class Calls:
    """Asks a language model; the k-th call of a run is answered from its file where that holds it.

    Args:
      path: JSON Lines, read now and added to as answers come.
      model: answers what the file does not.
      seed: of the run, 0 to 21,000.

    Raises:
      ValueError: the file is damaged.
    """

    def __init__(self, path: Path, model: LanguageModel, seed: int):
        self._path = path
        self._model = model
        self._seed = seed
        self._known = json_lines.resume(path)
        self.made = 0

    def ask(self, prompt: str, purpose: str) -> str:
        """The reply to a prompt.

        Raises:
          ValueError: the file holds another call at this place.
          language_models.LanguageModelError: the language model gave up; calls made are kept.
        """
        if self.made >= _RUN_SEEDS:
            raise ValueError(
                f"a run makes at most {_RUN_SEEDS} calls of the language model, expected an "
                "end before that; start another run"
            )
        request = Request((Message("user", prompt),), seed=self._seed * _RUN_SEEDS + self.made, purpose=purpose)
        if self.made < len(self._known):
            line = self._known[self.made]
            if line["key"] != request.key():
                raise ValueError(
                    f"{self._path}, line {self.made + 1}: expected the run's request for "
                    f"{purpose!r}, found another one, for {line['purpose']!r}, as other flags "
                    "or another version make it; choose another --output_dir"
                )
            reply = line["reply"]
        else:
            completion = self._model.complete(request)[0]
            reply = completion.text
            json_lines.append(
                self._path,
                {
                    "key": request.key(),
                    "purpose": purpose,
                    "reply": reply,
                    "model": completion.model,
                    "prompt_tokens": completion.prompt_tokens,
                    "completion_tokens": completion.completion_tokens,
                },
            )
        self.made += 1
        return reply
