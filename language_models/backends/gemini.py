"""Google's Gemini models through the google-genai package."""

from __future__ import annotations

import datetime
import importlib
import os
import re
from typing import Any

from language_models.backends.http_errors import error_for_status, quote, retry_after_seconds
from language_models.grammars import Json, texts_of
from language_models.scoring import refuse_continuations
from language_models.types import (
    BadReply,
    Completion,
    LanguageModelError,
    Message,
    Request,
    Transient,
    require_n,
)

KEY_VARIABLES = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
BASE_URL_VARIABLE = "GEMINI_BASE_URL"

# The API refuses a larger candidate_count.
MAX_CANDIDATES = 8

_BLOCKED = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "ESCALATION",
        "MODEL_ARMOR",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
    }
)


class Gemini:
    """A Gemini model behind Google's API.

    The key is read from GEMINI_API_KEY or else GOOGLE_API_KEY, the address from GEMINI_BASE_URL
    (for tests and proxies). The package's own retries and automatic continuation are off: each of
    our attempts is one HTTP request, so that a budget counts what is billed.

    Args:
      model: the model's name, such as `gemini-2.5-flash`.
      timeout: seconds to wait for the server to say something, before `Transient` is raised.

    Raises:
      LanguageModelError: no key is set, or google-genai is not installed.
    """

    def __init__(self, model: str, *, timeout: float = 600.0):
        try:
            from google import genai
        except ImportError:
            raise LanguageModelError(
                "The gemini backend needs the package google-genai, which is not installed: "
                "run pip install google-genai."
            ) from None
        self.name = f"gemini:{model}"
        self._model = model
        self._key = next((os.environ[v] for v in KEY_VARIABLES if os.environ.get(v)), "")
        if not self._key:
            raise LanguageModelError(
                f"{self.name} needs a key: set GEMINI_API_KEY (or GOOGLE_API_KEY), "
                "or use --llm=spool:DIR or --llm=recorded, which need none."
            )
        self._genai = genai
        self._timeout_exceptions, self._transport_exceptions = _http_exceptions()
        # Some models answer one candidate only; found out at the first request for several.
        self._candidates_per_call = MAX_CANDIDATES
        # The client is kept: a chained temporary closes itself before the reply arrives.
        self._client = genai.Client(
            vertexai=False,
            api_key=self._key,
            http_options=genai.types.HttpOptions(
                base_url=os.environ.get(BASE_URL_VARIABLE) or None, timeout=max(1, round(timeout * 1000))
            ),
        )

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`.

        `n` completions come from one call where the model offers several candidates, and from
        repeated calls (with seeds counted up from `request.seed`) where it does not.

        Raises:
          RateLimited, Transient: the call may succeed later.
          BadReply: the server answered something that is no Gemini reply.
          LanguageModelError: the server refused.
        """
        refuse_continuations(request, self.name)
        completions: list[Completion] = []
        while len(completions) < request.n:
            wanted = min(request.n - len(completions), self._candidates_per_call)
            try:
                answers = self._call(request, wanted, len(completions))
            except _OneCandidateOnly:
                self._candidates_per_call = 1
                continue
            if len(answers) < wanted:
                self._candidates_per_call = 1
            completions.extend(answers)
        return require_n(request, completions, self.name)

    def _call(self, request: Request, candidates: int, offset: int) -> list[Completion]:
        errors = self._genai.errors
        contents = [self._content(m) for m in request.messages if m.role != "system"]
        config = self._config(request, candidates, offset)
        try:
            response = self._client.models.generate_content(model=self._model, contents=contents, config=config)
            return self._completions(response, candidates)
        except errors.APIError as error:
            detail = quote(error.message or error, self._key)
            if candidates > 1 and error.code == 400 and "candidate" in detail.lower():
                raise _OneCandidateOnly from None
            raise error_for_status(self.name, error.code, detail, _retry_after(error)) from None
        except self._timeout_exceptions as error:
            raise Transient(f"{self.name} did not answer in time ({type(error).__name__}).") from None
        except self._transport_exceptions as error:
            raise Transient(
                f"{self.name} could not be reached, or the connection broke: {quote(error, self._key)}"
            ) from None
        except LanguageModelError:
            raise
        except (ValueError, TypeError, AttributeError) as error:
            # What the package raises for a 200 that is no JSON, or JSON of another shape.
            raise BadReply(
                f"{self.name} answered with something that is no Gemini reply: {quote(error, self._key)}"
            ) from None

    def _content(self, message: Message) -> Any:
        types = self._genai.types
        parts = [types.Part.from_text(text=message.content)] if message.content else []
        parts.extend(
            types.Part.from_bytes(data=image.data, mime_type=image.mime_type) for image in message.images
        )
        return types.Content(role="model" if message.role == "assistant" else "user", parts=parts)

    def _config(self, request: Request, candidates: int, offset: int) -> Any:
        system = [m.content for m in request.messages if m.role == "system"]
        config: dict[str, Any] = {"automatic_continuation": False}
        if system:
            config["system_instruction"] = "\n\n".join(system)
        if candidates > 1:
            config["candidate_count"] = candidates
        if request.temperature is not None:
            config["temperature"] = request.temperature
        if request.max_tokens is not None:
            config["max_output_tokens"] = request.max_tokens
        if request.stop:
            config["stop_sequences"] = list(request.stop)
        if request.json_schema is not None:
            config["response_mime_type"] = "application/json"
            config["response_json_schema"] = request.json_schema
        elif isinstance(request.form, Json):
            config["response_mime_type"] = "application/json"
            config["response_json_schema"] = request.form.schema
        elif request.form is not None and (texts := texts_of(request.form)):
            config["response_mime_type"] = "text/x.enum"
            config["response_schema"] = {"type": "STRING", "enum": list(texts)}
        if request.top_logprobs is not None:
            config["response_logprobs"] = True
            config["logprobs"] = request.top_logprobs
        if request.seed is not None:
            config["seed"] = (request.seed + offset) % 2**31
        return self._genai.types.GenerateContentConfig(**config)

    def _completions(self, response: Any, wanted: int) -> list[Completion]:
        model = response.model_version or self._model
        usage = response.usage_metadata
        prompt_tokens = usage.prompt_token_count if usage else None
        # Hidden reasoning is billed as output.
        counts = [usage.candidates_token_count, usage.thoughts_token_count] if usage else []
        known = [count for count in counts if count is not None]
        completion_tokens = sum(known) if known else None
        if not response.candidates:
            if not (response.prompt_feedback and response.prompt_feedback.block_reason):
                raise BadReply(
                    f"{self.name} answered HTTP 200 with neither a candidate nor a reason for "
                    "blocking the prompt: expected one of the two."
                )
            blocked = Completion("", "blocked", prompt_tokens, completion_tokens, None, model)
            return [blocked] + [Completion("", "blocked", 0, 0, None, model)] * (wanted - 1)
        for candidate in response.candidates:
            if candidate.finish_reason is None and not _text(candidate):
                raise BadReply(
                    f"{self.name} answered HTTP 200 with a candidate that has neither a text nor "
                    "a finish reason: expected one of the two."
                )
        return [
            Completion(
                text=_text(candidate),
                finish_reason=_finish_reason(candidate),
                prompt_tokens=prompt_tokens if index == 0 else 0,
                completion_tokens=completion_tokens if index == 0 else 0,
                logprobs=_logprobs(candidate.logprobs_result),
                model=model,
            )
            for index, candidate in enumerate(response.candidates)
        ]


class _OneCandidateOnly(Exception):
    """Raised where the model refused a request for several candidates."""


def _text(candidate: Any) -> str:
    parts = (candidate.content and candidate.content.parts) or []
    return "".join(part.text for part in parts if part.text and not part.thought)


def _finish_reason(candidate: Any) -> str:
    if candidate.finish_reason is None:
        return "unknown"
    reason = candidate.finish_reason.value
    if reason in ("MAX_TOKENS", "CONTINUATION"):
        return "length"
    return "blocked" if reason in _BLOCKED else reason.lower()


def _logprobs(result: Any) -> list[dict[str, Any]] | None:
    if result is None or result.chosen_candidates is None:
        return None
    tops = [step.candidates or [] for step in result.top_candidates or []]
    tops.extend([[]] * (len(result.chosen_candidates) - len(tops)))
    return [
        {
            "token": chosen.token,
            "logprob": chosen.log_probability,
            "top": [{"token": t.token, "logprob": t.log_probability} for t in top],
        }
        for chosen, top in zip(result.chosen_candidates, tops)
    ]


def _retry_after(error: Any) -> float | None:
    """Seconds from the Retry-After header, or from the RetryInfo that Gemini puts in the body."""
    headers = getattr(error.response, "headers", None) or {}
    now = datetime.datetime.now(datetime.UTC)
    seconds = retry_after_seconds(headers.get("Retry-After"), now)
    if seconds is not None:
        return seconds
    body = error.details if isinstance(error.details, dict) else {}
    inner = body.get("error", body)
    for detail in (inner.get("details") if isinstance(inner, dict) else None) or []:
        delay = str(detail.get("retryDelay", "")) if isinstance(detail, dict) else ""
        if re.fullmatch(r"\d+(\.\d+)?s", delay):
            return float(delay[:-1])
    return None


def _http_exceptions() -> tuple[tuple[type[Exception], ...], tuple[type[Exception], ...]]:
    """Time-outs and broken connections of whichever HTTP client google-genai was set to use."""
    modules = []
    for module in ("httpx2", "httpx"):
        try:
            modules.append(importlib.import_module(module))
        except ImportError:
            continue
    return (
        tuple(module.TimeoutException for module in modules),
        tuple(module.TransportError for module in modules),
    )
