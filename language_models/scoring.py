"""Probabilities of given continuations: an optional capability of language models.

    if can_score(model):
        for scored in score(model, request, ["go north", "open door"]):
            print(scored.text, scored.logprob)

A model that has it has a method `score(request, continuations)` and answers requests with `continuations`, one
completion for each with the log-probabilities of its tokens. So scored requests pass budgets, logs and recordings
as everything else does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from language_models.types import Completion, LanguageModel, LanguageModelError, Request


@dataclasses.dataclass(frozen=True)
class Scored:
    """One continuation.

    Attributes:
      text: the continuation.
      tokens: the text of its tokens, in the model's own way to write it.
      logprobs: for each token, the natural logarithm of its probability after the prompt and the tokens before it.
    """

    text: str
    tokens: tuple[str, ...]
    logprobs: tuple[float, ...]

    @property
    def logprob(self) -> float:
        """The log-probability of the whole continuation: the sum over its tokens, with any text after it."""
        return sum(self.logprobs)


def can_score(model: LanguageModel) -> bool:
    """Whether the model can score continuations, or replays recordings that may hold scores."""
    return callable(getattr(model, "score", None))


def score(model: LanguageModel, request: Request, continuations: Sequence[str]) -> list[Scored]:
    """The log-probability of each continuation as the beginning of the answer to a request.

    Args:
      model: a model with the capability.
      request: the prompt; the number of completions, tokens and alternatives that it asks for, its temperature
        and its form count for nothing.
      continuations: different texts, at least one, none of them empty.

    Raises:
      LanguageModelError: the model cannot score, or as `LanguageModel.complete`.
    """
    if not can_score(model):
        raise LanguageModelError(
            f"{model.name} tells no log-probabilities of given continuations: use local:MODEL, or recorded where it "
            "was recorded."
        )
    return model.score(request, continuations)


def scored_by(
    complete: Callable[[Request], list[Completion]], request: Request, continuations: Sequence[str]
) -> list[Scored]:
    """Scores by a model's `complete`, as `score` does."""
    texts = tuple(continuations)
    if not texts:
        return []
    asked = Request(
        messages=request.messages, n=len(texts), continuations=texts, seed=request.seed, purpose=request.purpose
    )
    return [
        Scored(
            completion.text,
            tuple(step["token"] for step in completion.logprobs or ()),
            tuple(step["logprob"] for step in completion.logprobs or ()),
        )
        for completion in complete(asked)
    ]


def refuse_continuations(request: Request, name: str) -> None:
    """Refuses continuations, for backends that cannot score.

    Raises:
      LanguageModelError: the request has continuations.
    """
    if request.continuations:
        raise LanguageModelError(
            f"{name} tells no log-probabilities of given continuations, which the request for "
            f"{request.purpose or '(no purpose)'!r} asks for: use local:MODEL."
        )
