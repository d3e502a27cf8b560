"""The calls of a language model by a bot for a move, under the names that match records keep.

These names stand in users' databases, and the arena's reports and tables read them: they do not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from language_models.asking.client import Tally
from language_models.layers.budget import Prices, usage_of
from language_models.types import Completion, Request

COUNTED = ("model_calls", "prompt_tokens", "completion_tokens", "usd")
"""The names whose values are counts, summed over moves."""
_SIGNS_OF_A_CALL = ("request", "prompt_tokens", "completion_tokens")


@dataclass(frozen=True)
class CallNotes:
    """The calls of a language model for one move; each attribute is a key of the bot's notes.

    Attributes:
      model_calls: number of calls; None where a record does not tell.
      request: key of the request; None where there were several.
      prompt: text of the request; None where the bot does not keep it.
      language_model: the model, as it calls itself; None until it has answered.
      reply: text of its answer.
      prompt_tokens, completion_tokens: numbers of tokens; None where the model gave no counts.
      usd: US dollars; None where the prices are not known.
      latency_seconds: time from the request to the answer; None where the bot does not keep it.
    """

    model_calls: float | None = None
    request: str | None = None
    prompt: str | None = None
    language_model: str | None = None
    reply: str | None = None
    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    usd: float | None = None
    latency_seconds: float | None = None

    @classmethod
    def asked(cls, request: Request, *, keep_prompt: bool) -> CallNotes:
        """The notes of one request that has no answer yet."""
        return cls(1, request.key(), request.messages[0].content if keep_prompt else None)

    @classmethod
    def counted(cls, language_model: str, tally: Tally) -> CallNotes:
        """The notes of all the requests that a tally counted."""
        return cls(
            tally.calls,
            language_model=language_model,
            prompt_tokens=tally.prompt_tokens,
            completion_tokens=tally.completion_tokens,
        )

    def answered(
        self,
        request: Request,
        completion: Completion,
        *,
        prices: Prices | None = None,
        seconds: float | None = None,
    ) -> CallNotes:
        """These notes with the answer to their request.

        Args:
          request: the request as given to `asked`.
          completion: the answer.
          prices: prices of the model, None where they are not known; tokens that were not counted are estimated.
          seconds: time from the request to the answer, None to keep none.
        """
        return replace(
            self,
            language_model=completion.model,
            reply=completion.text,
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            usd=usage_of(request, [completion], prices).usd if prices else None,
            latency_seconds=None if seconds is None else round(seconds, 3),
        )

    @property
    def tokens(self) -> float | None:
        """Prompt and completion tokens together; None where neither is known."""
        known = [count for count in (self.prompt_tokens, self.completion_tokens) if count is not None]
        return sum(known) if known else None

    def to_notes(self) -> dict[str, object]:
        """The notes of a bot. Once the model has answered, counts that are not known are there as None."""
        notes = {
            "request": self.request,
            "prompt": self.prompt,
            "model_calls": self.model_calls,
            "latency_seconds": self.latency_seconds,
            "language_model": self.language_model,
            "reply": self.reply,
        }
        found: dict[str, object] = {name: value for name, value in notes.items() if value is not None}
        if self.language_model is not None:
            found.update(
                prompt_tokens=self.prompt_tokens, completion_tokens=self.completion_tokens, usd=self.usd
            )
        return found

    @classmethod
    def from_notes(cls, notes: Mapping[str, object]) -> CallNotes:
        """The calls that any bot's notes tell of; a value of another type than expected does not count.
        Where `model_calls` is missing, a count of tokens or the key of a request stands for one call."""
        numbers = {name: number(notes.get(name)) for name in (*COUNTED, "latency_seconds")}
        if numbers["model_calls"] is None and any(name in notes for name in _SIGNS_OF_A_CALL):
            numbers["model_calls"] = 1
        texts = {name: _text(notes.get(name)) for name in ("request", "prompt", "language_model", "reply")}
        return cls(**numbers, **texts)


def number(value: object) -> float | None:
    """A value of a bot's notes that is a number; None where it is anything else."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
