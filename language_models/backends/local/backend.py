"""The backend `local`: a model of this machine behind the protocol of all backends."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from absl import logging

from language_models.backends.local.continuations import score_tokens
from language_models.backends.local.models import find_model
from language_models.backends.local.options import LocalOptions
from language_models.backends.local.process import ModelProcess, ProcessDied, Refused, Setup, process_for
from language_models.grammars import Json, to_gbnf
from language_models.scoring import Scored, scored_by
from language_models.types import MAX_SEED, Completion, LanguageModelError, Request, require_n

DEFAULT_TEMPERATURE = 0.8
# Written down, so that another version of llama.cpp with other defaults samples alike.
_SAMPLING = {"top_k": 40, "top_p": 0.95, "min_p": 0.05, "repeat_penalty": 1.0}
_FIELDS = ["content", "stop_type", "tokens_predicted", "timings", "completion_probabilities"]
_ATTEMPTS = 2

_Answer = TypeVar("_Answer")


@dataclasses.dataclass(frozen=True)
class TokenCounts:
    """Counts of a model's work so far.

    Attributes:
      requests: number of requests answered.
      computed: number of tokens of prompts and continuations that were computed.
      cached: number of tokens of prompts and continuations that were in the cache.
      generated: number of tokens of answers.
    """

    requests: int = 0
    computed: int = 0
    cached: int = 0
    generated: int = 0


class Local:
    """A model in a GGUF file, run by llama.cpp on this machine's processor: no key, server or network.

    The model is loaded at the first request, in a process of its own, once for all `Local` objects of this
    process that have the same model and options. A request is a pure function of the file, the options and the
    request (see `LocalOptions.cache`): without a seed, it has one made from its key, and its k-th completion has
    the seed plus k. `max_tokens` None is `LocalOptions.tokens` and `temperature` None is 0.8; top-k 40, top-p 0.95
    and min-p 0.05 are fixed. Where the process dies during a request, that request is asked once more, of a new
    process.

    Attributes:
      name: `local:MODEL` and the options that change answers.

    Args:
      options: the model and its settings.
      timeout: seconds that one completion may take.

    Raises:
      UnknownBackend: the options name no model.
    """

    def __init__(self, options: LocalOptions = LocalOptions(), *, timeout: float = 600.0):
        path, known = find_model(options.model)
        self._options = options
        self._timeout = timeout
        self._process = process_for(Setup.of(path, known, options))
        self._label = path.name.removesuffix(".gguf")
        self.name = f"local:{known.name if known else options.model}{options.suffix}"
        self._lock = threading.Lock()
        self._counts = TokenCounts()

    @property
    def process(self) -> ModelProcess:
        """The process that has the model loaded, or will have it."""
        return self._process

    @property
    def counts(self) -> TokenCounts:
        """Counts of the requests of this object so far."""
        with self._lock:
            return self._counts

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`.

        Raises:
          Transient: no answer in time, or the process died twice.
          LanguageModelError: the model cannot be loaded, or the request does not fit into its context, holds
            images, or is of a form that cannot be made into a grammar.
        """
        return require_n(request, self._retried(request, self._complete), self.name)

    def score(self, request: Request, continuations: Sequence[str]) -> list[Scored]:
        """Scores as `language_models.scoring.score`."""
        return scored_by(self.complete, request, continuations)

    def _retried(self, request: Request, call: Callable[[Request], _Answer]) -> _Answer:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                with self._process.turn:
                    return call(request)
            except ProcessDied as error:
                if attempt == _ATTEMPTS:
                    raise ProcessDied(f"{error} It was the second time for this request.") from None
                logging.warning("%s", error)
        raise AssertionError("not reached")

    def _complete(self, request: Request) -> list[Completion]:
        if any(message.images for message in request.messages):
            raise LanguageModelError(
                f"{self.name} reads text and the request for {_purpose(request)} holds images: use a model that "
                "sees, such as gemini:MODEL."
            )
        prompt = self._prompt(request)
        if request.continuations:
            completions = self._scores(request, prompt)
        else:
            completions = self._answers(request, prompt)
        with self._lock:
            self._counts = dataclasses.replace(self._counts, requests=self._counts.requests + 1)
        return completions

    def _prompt(self, request: Request) -> list[int]:
        """The tokens of the prompt in the model's own chat format.

        Raises:
          LanguageModelError: with the answer's tokens they are more than the context.
        """
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        text = self._ask("/apply-template", {"messages": messages})["prompt"]
        tokens = self._ask("/tokenize", {"content": text, "add_special": True, "parse_special": True})["tokens"]
        self._require_room(request, len(tokens), 1 if request.continuations else request.max_tokens or 1)
        return tokens

    def _require_room(self, request: Request, prompt: int, answer: int) -> None:
        context = self._process.context
        if prompt + answer > context:
            raise LanguageModelError(
                f"The request for {_purpose(request)} has {prompt:,} tokens of prompt and asks for {answer:,} more, "
                f"and {self.name} has {context:,} for both: shorten the prompt, raise +context=N as far as the model "
                "goes, or take a model with a longer context."
            )

    def _answers(self, request: Request, prompt: list[int]) -> list[Completion]:
        seed = int(request.key()[:8], 16) % (MAX_SEED + 1) if request.seed is None else request.seed
        body = {
            "prompt": prompt,
            "n_predict": request.max_tokens or min(self._options.tokens, self._process.context - len(prompt)),
            "temperature": DEFAULT_TEMPERATURE if request.temperature is None else request.temperature,
            "stop": list(request.stop),
            "response_fields": _FIELDS,
            **_SAMPLING,
            **self._constraint(request),
        }
        if request.top_logprobs is not None:
            # With none asked for, the sampled token's own is still wanted.
            body["n_probs"] = max(1, request.top_logprobs)
        completions = []
        for index in range(request.n):
            # The prompt of the first is computed from nothing; the others find it in the cache.
            cached = self._options.cache or index > 0
            body |= {"seed": (seed + index) % (MAX_SEED + 1), "cache_prompt": cached}
            completions.append(self._completion(self._query(body), len(prompt) if index == 0 else 0, request))
        return completions

    def _completion(self, answer: dict[str, Any], prompt_tokens: int, request: Request) -> Completion:
        logprobs = None
        if request.top_logprobs is not None:
            logprobs = [
                _logprob(step, request.top_logprobs) for step in answer.get("completion_probabilities", [])
            ]
        return Completion(
            text=answer["content"],
            finish_reason="length" if answer["stop_type"] == "limit" else "stop",
            prompt_tokens=prompt_tokens,
            completion_tokens=answer["tokens_predicted"],
            logprobs=logprobs,
            model=self._model(),
        )

    def _constraint(self, request: Request) -> dict[str, Any]:
        """The fields that hold the answer to the request's form."""
        form = request.form if request.json_schema is None else Json(request.json_schema)
        if form is None or not self._options.grammar:
            return {}
        try:
            return {"grammar": to_gbnf(form)}
        except ValueError as error:
            raise LanguageModelError(
                f"The request for {_purpose(request)} cannot be held to its form ({error}): add +grammar=off to ask "
                "without a grammar."
            ) from None

    def _scores(self, request: Request, prompt: list[int]) -> list[Completion]:
        paths = []
        for text in request.continuations:
            paths.append(self._ask("/tokenize", {"content": text, "with_pieces": True})["tokens"])
            self._require_room(request, len(prompt), len(paths[-1]))
        tokens = [[token["id"] for token in path] for path in paths]
        scores = score_tokens(self._query, prompt, tokens, cache=self._options.cache)
        return [
            Completion(
                text=text,
                finish_reason="stop",
                prompt_tokens=len(prompt) if index == 0 else 0,
                completion_tokens=len(path),
                logprobs=[
                    {"token": _piece(token["piece"]), "logprob": logprob, "top": []}
                    for token, logprob in zip(path, logprobs, strict=True)
                ],
                model=self._model(),
            )
            for index, (text, path, logprobs) in enumerate(
                zip(request.continuations, paths, scores, strict=True)
            )
        ]

    def _model(self) -> str:
        version = importlib.metadata.version("xllamacpp")
        return f"{self._label} (sha256 {self._process.digest[:12]}, xllamacpp {version})"

    def _query(self, body: dict[str, Any]) -> dict[str, Any]:
        """One completion of the server, counted."""
        answer = self._ask("/completion", body)
        timings = answer.get("timings", {})
        with self._lock:
            self._counts = dataclasses.replace(
                self._counts,
                computed=self._counts.computed + timings.get("prompt_n", 0),
                cached=self._counts.cached + timings.get("cache_n", 0),
                generated=self._counts.generated
                + (0 if "logit_bias" in body else timings.get("predicted_n", 0)),
            )
        return answer

    def _ask(self, path: str, body: dict[str, Any]) -> Any:
        try:
            return self._process.ask(path, body, self._timeout)
        except Refused as error:
            raise LanguageModelError(str(error)) from None


def _purpose(request: Request) -> str:
    return repr(request.purpose) if request.purpose else "(no purpose)"


def _piece(piece: str | list[int]) -> str:
    """The text of a token; bytes that are no UTF-8 of their own show as replacement characters."""
    return piece if isinstance(piece, str) else bytes(piece).decode("utf-8", errors="replace")


def _logprob(step: dict[str, Any], most: int) -> dict[str, Any]:
    top = [{"token": entry["token"], "logprob": entry["logprob"]} for entry in step["top_logprobs"][:most]]
    return {"token": step["token"], "logprob": step["logprob"], "top": top}
