"""Servers that speak OpenAI's chat completions: OpenAI, vLLM, Ollama, llama.cpp and others."""

from __future__ import annotations

import base64
import datetime
import json
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

KEY_VARIABLE = "OPENAI_API_KEY"
OPENAI_URL = "https://api.openai.com/v1"

_FINISH_REASONS = {"content_filter": "blocked", None: "unknown"}


class OpenAICompatible:
    """A model behind an OpenAI-compatible server.

    The key is read from OPENAI_API_KEY. Only OpenAI's own server insists on one: other servers get
    the key where it is set and a placeholder where it is not. The package's own retries are off.

    Args:
      model: the model's name, as the server knows it.
      base_url: the address up to and including `/v1`.
      timeout: seconds to wait for the server to say something, before `Transient` is raised.

    Raises:
      LanguageModelError: a key is needed and not set, or the package openai is not installed.
    """

    def __init__(self, model: str, base_url: str = OPENAI_URL, *, timeout: float = 600.0):
        try:
            import openai
        except ImportError:
            raise LanguageModelError(
                "The openai backend needs the package openai, which is not installed: "
                "run pip install 'spielwright[openai]'."
            ) from None
        base_url = base_url.rstrip("/")
        self._is_openai = base_url == OPENAI_URL
        self.name = f"openai:{model}" if self._is_openai else f"openai:{model}@{base_url}"
        self._model = model
        self._key = os.environ.get(KEY_VARIABLE, "")
        if self._is_openai and not self._key:
            raise LanguageModelError(
                f"{self.name} needs a key: set {KEY_VARIABLE}, name another server as in "
                "openai:MODEL@http://localhost:8000/v1, or use --llm=spool:DIR or --llm=recorded."
            )
        self._openai = openai
        # llama.cpp's server gives no more answers than it has slots; found out at the first request for several.
        self._one_per_call = False
        self._client = openai.OpenAI(
            api_key=self._key or "none", base_url=base_url, timeout=timeout, max_retries=0
        )

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`.

        Servers that ignore `n`, or refuse it, are asked again (with seeds counted up) for the missing ones.

        Raises:
          RateLimited, Transient: the call may succeed later.
          BadReply: the server answered something that is no chat completion.
          LanguageModelError: the server refused.
        """
        refuse_continuations(request, self.name)
        completions: list[Completion] = []
        while len(completions) < request.n:
            wanted = 1 if self._one_per_call else request.n - len(completions)
            try:
                completions.extend(self._call(request, wanted, len(completions)))
            except _OneOnly:
                self._one_per_call = True
        return require_n(request, completions, self.name)

    def _call(self, request: Request, wanted: int, offset: int) -> list[Completion]:
        openai = self._openai
        try:
            raw = self._client.chat.completions.with_raw_response.create(
                **self._parameters(request, wanted, offset)
            )
            body = raw.http_response.text
        except openai.APIStatusError as error:
            if wanted > 1 and error.status_code == 400 and re.search(r"\bn\b", error.message):
                raise _OneOnly from None
            now = datetime.datetime.now(datetime.UTC)
            raise error_for_status(
                self.name,
                error.status_code,
                quote(error.message, self._key),
                retry_after_seconds(error.response.headers.get("Retry-After"), now),
            ) from None
        except openai.APITimeoutError:
            raise Transient(f"{self.name} did not answer in time.") from None
        except openai.APIConnectionError as error:
            raise Transient(
                f"{self.name} could not be reached, or the connection broke: "
                f"{quote(error.__cause__ or error, self._key)}"
            ) from None
        try:
            return self._completions(json.loads(body), _texts(request) is not None)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise BadReply(
                f"{self.name} answered HTTP 200 with something that is no chat completion "
                f"({quote(error, self._key)}): {quote(body, self._key)}"
            ) from None

    def _parameters(self, request: Request, wanted: int, offset: int) -> dict[str, Any]:
        parameters: dict[str, Any] = {
            "model": self._model,
            "messages": [_message(message) for message in request.messages],
        }
        if wanted > 1:
            parameters["n"] = wanted
        if request.temperature is not None:
            parameters["temperature"] = request.temperature
        if request.max_tokens is not None:
            # OpenAI's newer models refuse the old name, other servers do not know the new one.
            name = "max_completion_tokens" if self._is_openai else "max_tokens"
            parameters[name] = request.max_tokens
        if request.stop:
            parameters["stop"] = list(request.stop)
        schema = _schema(request)
        if schema is not None:
            parameters["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": schema},
            }
        if request.top_logprobs is not None:
            parameters["logprobs"] = True
            parameters["top_logprobs"] = request.top_logprobs
        if request.seed is not None:
            parameters["seed"] = (request.seed + offset) % 2**31
        return parameters

    def _completions(self, reply: dict[str, Any], chosen: bool) -> list[Completion]:
        choices = reply["choices"]
        if not choices:
            raise ValueError("no choices")
        if any(c.get("finish_reason") is None and not _text(c["message"]) for c in choices):
            raise ValueError("a choice with neither a text nor a finish reason")
        usage = reply.get("usage") or {}
        prompt_tokens = usage.get("prompt_tokens")
        completion_tokens = usage.get("completion_tokens")
        return [
            Completion(
                text=_chosen(_text(choice["message"])) if chosen else _text(choice["message"]),
                finish_reason=_FINISH_REASONS.get(choice.get("finish_reason"), choice.get("finish_reason")),
                prompt_tokens=prompt_tokens if index == 0 else 0,
                completion_tokens=completion_tokens if index == 0 else 0,
                logprobs=_logprobs(choice.get("logprobs")),
                model=reply.get("model") or self._model,
            )
            for index, choice in enumerate(choices)
        ]


class _OneOnly(Exception):
    """Raised where the server refused a request for several answers."""


def _message(message: Message) -> dict[str, Any]:
    if not message.images:
        return {"role": message.role, "content": message.content}
    parts: list[dict[str, Any]] = []
    if message.content:
        parts.append({"type": "text", "text": message.content})
    for image in message.images:
        encoded = base64.b64encode(image.data).decode("ascii")
        url = f"data:{image.mime_type};base64,{encoded}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return {"role": message.role, "content": parts}


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if content is None:
        return ""
    if not isinstance(content, str):
        raise ValueError(f"content is a {type(content).__name__}, expected a string")
    return content


_CHOICE = "choice"


def _texts(request: Request) -> tuple[str, ...] | None:
    """The texts that a reply is chosen from, or None where it is free or JSON."""
    return None if request.form is None else texts_of(request.form)


def _schema(request: Request) -> dict[str, Any] | None:
    """The JSON Schema that the server holds the reply to. Servers take objects only, so that a choice is a field."""
    if isinstance(request.form, Json):
        return request.form.schema
    texts = _texts(request)
    if texts is None:
        return request.json_schema
    field = {"type": "string", "enum": list(texts)}
    return {
        "type": "object",
        "properties": {_CHOICE: field},
        "required": [_CHOICE],
        "additionalProperties": False,
    }


def _chosen(text: str) -> str:
    """The text chosen; the reply as it is where it is no such object, as when it was cut off."""
    try:
        reply = json.loads(text)
    except ValueError:
        return text
    chosen = reply.get(_CHOICE) if isinstance(reply, dict) else None
    return chosen if isinstance(chosen, str) else text


def _logprobs(result: dict[str, Any] | None) -> list[dict[str, Any]] | None:
    if not result or result.get("content") is None:
        return None
    return [
        {
            "token": step["token"],
            "logprob": step["logprob"],
            "top": [
                {"token": top["token"], "logprob": top["logprob"]} for top in step.get("top_logprobs") or []
            ],
        }
        for step in result["content"]
    ]
