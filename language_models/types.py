"""Requests, completions, the `LanguageModel` protocol and the errors that all backends share."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import math
from typing import Any, Literal, Protocol, runtime_checkable

from language_models.grammars import Form

Role = Literal["system", "user", "assistant"]
ROLES = ("system", "user", "assistant")

# The largest value that every API takes: Gemini's seed is a signed 32-bit integer.
MAX_SEED = 2**31 - 1


class LanguageModelError(ValueError):
    """Raised where a language model could not be reached, refused, or gave an answer that cannot be used."""


class UnknownBackend(LanguageModelError):
    """A spec string whose prefix names no backend, or whose rest that backend cannot read."""


class RecordingMiss(LanguageModelError):
    """A replayed request that was never recorded, or was recorded fewer times than asked for."""


class BudgetExceeded(LanguageModelError):
    """The next call would pass the budget; raised before that call is made."""


class BadReply(LanguageModelError):
    """Raised where a reply is not of the promised form: no JSON, wrong ids, too few answers."""


class Transient(LanguageModelError):
    """A failure that may pass: a time-out, a broken connection, HTTP 500, 502, 503 or 504.

    Attributes:
      retry_after: seconds the server asked to wait, or None where it did not say.
    """

    def __init__(self, message: str, retry_after: float | None = None):
        super().__init__(message)
        self.retry_after = retry_after


class RateLimited(Transient):
    """HTTP 429: the server wants fewer calls; `retry_after` as in `Transient`."""


@dataclasses.dataclass(frozen=True)
class Image:
    """One picture of a message.

    Attributes:
      data: the encoded file, e.g. the bytes of a PNG; not empty.
      mime_type: its type, such as `image/png`.
    """

    data: bytes
    mime_type: str = "image/png"

    def __post_init__(self) -> None:
        if not self.data:
            raise ValueError("An image of a request holds no bytes: expected an encoded picture.")
        if not self.mime_type.startswith("image/"):
            raise ValueError(f"An image of a request has mime type {self.mime_type!r}: expected 'image/...'.")

    def to_json(self) -> dict[str, Any]:
        """The form that keys and recordings hold: type, size in bytes, and sha256 (hex), not the bytes."""
        return {
            "mime_type": self.mime_type,
            "bytes": len(self.data),
            "sha256": hashlib.sha256(self.data).hexdigest(),
        }


@dataclasses.dataclass(frozen=True)
class Message:
    """One turn of a conversation.

    Attributes:
      role: the speaker: `system`, `user` or `assistant`.
      content: the text; may be empty where there are images.
      images: pictures, shown after the text.
    """

    role: Role
    content: str
    images: tuple[Image, ...] = ()

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ValueError(f"A message has role {self.role!r}: expected one of {', '.join(ROLES)}.")
        try:
            self.content.encode("utf-8")
        except (AttributeError, UnicodeEncodeError):
            raise ValueError(
                f"A message has content {str(self.content)[:80]!r}: expected a string that UTF-8 can hold."
            ) from None
        object.__setattr__(self, "images", tuple(self.images))

    def to_json(self) -> dict[str, Any]:
        """Role and text, and images by their hash where there are any."""
        record: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.images:
            record["images"] = [image.to_json() for image in self.images]
        return record


@dataclasses.dataclass(frozen=True)
class Request:
    """A request to a language model.

    Attributes:
      messages: the turns, at least one; system messages only at the front.
      n: number of completions, at least 1.
      temperature: 0 or more; None leaves the model's default.
      max_tokens: the most tokens of one completion; None leaves the model's default.
      stop: strings at which a completion ends (the string itself is not returned).
      json_schema: a JSON Schema that the reply must satisfy, or None for free text.
      top_logprobs: number of alternatives for each token, 0 to 20; None for no log probabilities.
      seed: an integer of 0 to 2**31 - 1, or None. It tells independent samples of one prompt apart, and is sent
        to the APIs that take one.
      continuations: `n` different texts, or none. Where there are some, nothing is written: the k-th completion is
        the k-th text with the log-probabilities of its tokens as the beginning of an answer. Most models
        refuse; see `language_models.scoring`.
      form: the form that the reply must have, or None for any text. Not part of the key: the prompt says the same
        in words, and a model that cannot be held to a form may be read like one that was.
      purpose: a label for logs and error messages, such as `cwm/initial`. Not part of the key.

    Raises:
      ValueError: a field is outside the range given above.
    """

    messages: tuple[Message, ...]
    n: int = 1
    temperature: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    json_schema: dict[str, Any] | None = dataclasses.field(default=None, hash=False)
    top_logprobs: int | None = None
    seed: int | None = None
    purpose: str = ""
    continuations: tuple[str, ...] = ()
    form: Form | None = None

    def __post_init__(self) -> None:
        if isinstance(self.stop, str):
            raise ValueError(f"A request has stop={self.stop!r}: expected a tuple of strings.")
        object.__setattr__(self, "messages", tuple(self.messages))
        object.__setattr__(self, "stop", tuple(self.stop))
        if not self.messages:
            raise ValueError("A request has no messages: expected at least one.")
        roles = [message.role for message in self.messages]
        if "system" in itertools.dropwhile(lambda role: role == "system", roles):
            raise ValueError(f"A request has the roles {roles}: expected system messages only at the front.")
        _check_range("n", self.n, 1, None)
        if self.max_tokens is not None:
            _check_range("max_tokens", self.max_tokens, 1, None)
        if self.top_logprobs is not None:
            _check_range("top_logprobs", self.top_logprobs, 0, 20)
        if self.seed is not None:
            _check_range("seed", self.seed, 0, MAX_SEED)
        if self.temperature is not None:
            if not (math.isfinite(self.temperature) and self.temperature >= 0):
                raise ValueError(f"A request has temperature={self.temperature!r}: expected 0 or more.")
            # 0, 0.0 and -0.0 are one temperature and must give one key.
            object.__setattr__(self, "temperature", float(self.temperature) + 0.0)
        object.__setattr__(self, "continuations", tuple(self.continuations))
        if self.continuations:
            _check_continuations(self.continuations, self.n)
        if self.form is not None and self.json_schema is not None:
            raise ValueError("A request has a form and a json_schema: expected one of the two.")

    def to_json(self) -> dict[str, Any]:
        """The data that the key is made from: every field but `purpose` and `form`, images by their hash.
        `continuations` only where there are some, so that older recordings keep their keys."""
        record = {
            "messages": [message.to_json() for message in self.messages],
            "n": self.n,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "stop": list(self.stop),
            "json_schema": self.json_schema,
            "top_logprobs": self.top_logprobs,
            "seed": self.seed,
        }
        return record | {"continuations": list(self.continuations)} if self.continuations else record

    def key(self) -> str:
        """The sha256 (64 hex digits) that finds this request's recording again."""
        return key_of(self.to_json())


@dataclasses.dataclass(frozen=True)
class Completion:
    """One answer.

    Attributes:
      text: the answer; empty where the model was blocked or spent all its tokens thinking.
      finish_reason: `stop` (ended by itself or at a stop string), `length` (out of tokens),
        `blocked` (by a safety filter), or else the backend's own word in lower case.
      prompt_tokens: billed tokens of the prompt, or None where the backend does not say. Where one
        call gave several completions the first carries the counts of the call and the others 0, so
        that sums are totals.
      completion_tokens: billed tokens of the answer, hidden reasoning included; same convention.
      logprobs: one `{"token": str, "logprob": float, "top": [{"token", "logprob"}, ...]}` for each
        token (natural logarithm), or None.
      model: the model that answered, as it calls itself.
    """

    text: str
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    logprobs: list[dict[str, Any]] | None = dataclasses.field(hash=False)
    model: str

    def to_json(self) -> dict[str, Any]:
        """All fields by name, as recordings hold them."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Completion:
        """The inverse of `to_json`.

        Raises:
          ValueError: a field is missing, unknown, or text is no string.
        """
        expected = {field.name for field in dataclasses.fields(cls)}
        if not isinstance(record, dict) or set(record) != expected:
            found = sorted(record) if isinstance(record, dict) else type(record).__name__
            raise ValueError(f"A completion has {found}: expected {sorted(expected)}.")
        if not isinstance(record["text"], str):
            raise ValueError(f"A completion has text {record['text']!r}: expected a string.")
        return cls(**record)


@runtime_checkable
class LanguageModel(Protocol):
    """A model that completes requests.

    A model that answers many requests together better than one by one also has
    `complete_batch(requests) -> list[list[Completion]]`; `complete_many` uses it. One that tells the
    log-probabilities of given texts also has `score(request, continuations)`; see `language_models.scoring`.
    Implementations may be called from several threads at once.
    """

    name: str

    def complete(self, request: Request) -> list[Completion]:
        """Returns exactly `request.n` completions.

        Raises:
          LanguageModelError: there is no answer, or it is not one of `request.n` completions.
        """
        ...


def key_of(record: dict[str, Any]) -> str:
    """The key of a request in its JSON form (see `Request.to_json`): sha256 of canonical JSON."""
    canonical = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def require_n(request: Request, completions: list[Completion], name: str) -> list[Completion]:
    """Returns `completions` where there are `request.n` of them.

    Raises:
      BadReply: there are fewer or more.
    """
    if len(completions) != request.n:
        raise BadReply(
            f"{name} answered a request ({request.purpose or 'no purpose'}) with "
            f"{len(completions)} completions: expected {request.n}."
        )
    return completions


def _check_continuations(texts: tuple[str, ...], n: int) -> None:
    if not all(isinstance(text, str) and text for text in texts) or len(set(texts)) < len(texts):
        raise ValueError(
            f"A request has continuations={texts!r}: expected different texts, none of them empty."
        )
    if n != len(texts):
        raise ValueError(
            f"A request has {len(texts)} continuations and n={n}: expected one completion for each."
        )


def _check_range(field: str, value: Any, low: int, high: int | None) -> None:
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    if not is_integer or value < low or (high is not None and value > high):
        limits = f"{low} or more" if high is None else f"{low} to {high}"
        raise ValueError(f"A request has {field}={value!r}: expected a whole number, {limits}.")
