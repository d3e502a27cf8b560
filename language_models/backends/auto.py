"""The backend `auto`: decides at a run's first request which model answers it and all that follow."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Sequence
from typing import Any

from language_models.asking.batches import complete_many
from language_models.backends.local.backend import Local
from language_models.backends.local.models import DEFAULT_MODEL, EXTRA_COMMAND, KNOWN_MODELS
from language_models.backends.local.options import LocalOptions, parse_options
from language_models.backends.recorded import Recorded
from language_models.scoring import Scored, scored_by
from language_models.types import Completion, LanguageModel, LanguageModelError, RecordingMiss, Request

RECORDED = "recorded"
LOCAL = "local"


class Decision:
    """The choice of the model that answers a run, for all `Auto` models that share it.

    Attributes:
      spec: `recorded`, or a spec of a local model; None before the first request.
      lock: held while it is decided.
    """

    def __init__(self) -> None:
        self.spec: str | None = None
        self.lock = threading.Lock()

    def go_on_with(self, name: str) -> None:
        """Decides for the model whose answers a run that was stopped has kept.

        Args:
          name: name of that model, as its `name` or its completions have it; "" for one that nobody noted.
        """
        files = {model.file.removesuffix(".gguf"): model.name for model in KNOWN_MODELS.values()}
        if name.split(":")[0].split("+")[0] == LOCAL:
            self.spec = name
        elif (known := files.get(name.partition(" (sha256 ")[0])) is not None:
            self.spec = f"{LOCAL}:{known}"
        elif name:
            self.spec = RECORDED


class Auto:
    """Recorded answers where the first request was recorded, else the local model where there is one.

    A run never mixes models: once it has begun with recorded answers, a request that was not recorded ends it.
    Batches are taken until a local model answers, which is asked one by one, so that each answer is kept as it comes.

    Attributes:
      model: the model that answers, or None before the first request.
      name: name of `model`; before the first request the decision's spec, or `auto`.
      decision: the choice of that model, shared by the models of one run.

    Args:
      recorded: the recordings that may be replayed; by default those that ship with the suite.
      options: options of the local model.
      timeout: seconds that one completion of the local model may take.
      recording: the file that answers are recorded to, or None. Replayed ones cannot be.
      decision: the decision of the run, where it has several models; by default one of its own.
    """

    def __init__(
        self,
        recorded: Recorded | None = None,
        options: LocalOptions = LocalOptions(),
        *,
        timeout: float = 600.0,
        recording: str | None = None,
        decision: Decision | None = None,
    ):
        self._recorded = Recorded() if recorded is None else recorded
        self._options = options
        self._timeout = timeout
        self._recording = recording
        self.decision = Decision() if decision is None else decision
        self.model: Recorded | Local | None = None

    @property
    def name(self) -> str:
        return self.decision.spec or "auto" if self.model is None else self.model.name

    @property
    def undecided(self) -> bool:
        """Whether `name` may still change."""
        return self.model is None

    def holds(self, request: Request) -> bool:
        """Whether this request was recorded."""
        return self._recorded.holds(request)

    def __getattr__(self, name: str) -> Any:
        # An attribute only as long as it may be wanted; see the class.
        if name == "complete_batch" and not isinstance(self.__dict__.get("model"), Local):
            return self._complete_batch
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`.

        Raises:
          RecordingMiss: the run began with recorded answers and this request has none, or nobody can answer the
            first request.
          LanguageModelError: as the model that answers.
        """
        return self._asked(request, lambda model: model.complete(request))

    def _complete_batch(self, requests: Sequence[Request]) -> list[list[Completion]]:
        return self._asked(requests[0], lambda model: complete_many(model, requests)) if requests else []

    def score(self, request: Request, continuations: Sequence[str]) -> list[Scored]:
        """Scores as `language_models.scoring.score`."""
        return scored_by(self.complete, request, continuations)

    def decide(self, request: Request) -> Recorded | Local:
        """The model that answers this request and all that follow.

        Raises:
          RecordingMiss: nobody can answer it.
          LanguageModelError: the answer would be replayed, and is to be recorded.
        """
        with self.decision.lock:
            if self.decision.spec is None:
                self.decision.spec = self._choice(request)
            if self.model is None:
                self.model = self._model(self.decision.spec, request)
        return self.model

    def _asked(self, request: Request, ask: Callable[[LanguageModel], list[Any]]) -> list[Any]:
        model = self.decide(request)
        try:
            return ask(model)
        except RecordingMiss as error:
            raise RecordingMiss(
                f"{error} The run began with recorded answers and does not go on with another model's; for answers "
                f"to everything start it with {_ways()}."
            ) from None

    def _choice(self, request: Request) -> str:
        if self._recorded.holds(request):
            return RECORDED
        if local_is_there():
            return LOCAL
        raise RecordingMiss(
            f"The request for {_purpose(request)} was never recorded, and there is no local model here: go on with "
            f"{_ways()}."
        )

    def _model(self, spec: str, request: Request) -> Recorded | Local:
        if spec != RECORDED:
            options = (
                self._options if spec == LOCAL else parse_options(spec.removeprefix(LOCAL).removeprefix(":"))
            )
            return Local(options, timeout=self._timeout)
        if self._recording is not None:
            raise LanguageModelError(
                f"The request for {_purpose(request)} is replayed from a recording and cannot be recorded to "
                f"{self._recording!r}: drop --record, or name a live model such as --llm=local."
            )
        return self._recorded


def _purpose(request: Request) -> str:
    return repr(request.purpose) if request.purpose else "(no purpose)"


def local_is_there() -> bool:
    """Whether the default local model can be asked: the package is installed and the file was fetched."""
    return importlib.util.find_spec("xllamacpp") is not None and KNOWN_MODELS[DEFAULT_MODEL].path.is_file()


def _ways() -> str:
    return (
        f"--llm=local ({EXTRA_COMMAND} && {KNOWN_MODELS[DEFAULT_MODEL].command}), a key "
        "(--llm=gemini:MODEL with GEMINI_API_KEY, or --llm=openai:MODEL with OPENAI_API_KEY), or answers by hand "
        "(--llm=spool:DIR)"
    )
