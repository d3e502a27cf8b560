"""The backend `auto`: decides at a run's first request who answers it and all that follow."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence

from language_models.backends.local.backend import Local
from language_models.backends.local.models import DEFAULT_MODEL, EXTRA_COMMAND, KNOWN_MODELS
from language_models.backends.local.options import LocalOptions
from language_models.backends.recorded import Recorded
from language_models.scoring import Scored, scored_by
from language_models.types import Completion, LanguageModelError, RecordingMiss, Request


class Auto:
    """Recorded answers where the first request was recorded, else the local model where there is one.

    A run never mixes models: once it has begun with recorded answers, a request that was not recorded ends it.

    Attributes:
      model: who answers, or None before the first request.
      name: of `model`; `auto` before the first request.

    Args:
      recorded: what may be replayed; by default what ships with the suite.
      options: of the local model.
      timeout: seconds that one completion of the local model may take.
      recording: the file that answers are recorded to, or None. Replayed ones cannot be.
    """

    def __init__(
        self,
        recorded: Recorded | None = None,
        options: LocalOptions = LocalOptions(),
        *,
        timeout: float = 600.0,
        recording: str | None = None,
    ):
        self._recorded = Recorded() if recorded is None else recorded
        self._options = options
        self._timeout = timeout
        self._recording = recording
        self._lock = threading.Lock()
        self.model: Recorded | Local | None = None

    @property
    def name(self) -> str:
        return "auto" if self.model is None else self.model.name

    @property
    def undecided(self) -> bool:
        """Whether `name` may still change."""
        return self.model is None

    def complete(self, request: Request) -> list[Completion]:
        """As `LanguageModel.complete`.

        Raises:
          RecordingMiss: the run began with recorded answers and this request has none.
          LanguageModelError: nobody can answer the first request, or as the model that answers.
        """
        with self._lock:
            if self.model is None:
                self.model = self._decide(request)
        try:
            return self.model.complete(request)
        except RecordingMiss as error:
            raise RecordingMiss(
                f"{error} The run began with recorded answers and does not go on with another model's; for answers "
                f"to everything start it with {_ways()}."
            ) from None

    def score(self, request: Request, continuations: Sequence[str]) -> list[Scored]:
        """As `language_models.scoring.score`."""
        return scored_by(self.complete, request, continuations)

    def _decide(self, request: Request) -> Recorded | Local:
        if self._recorded.holds(request):
            if self._recording is not None:
                raise LanguageModelError(
                    f"The request for {request.purpose or '(no purpose)'!r} is replayed from a recording and cannot "
                    f"be recorded to {self._recording!r}: drop --record, or name a live model such as --llm=local."
                )
            return self._recorded
        if local_is_there():
            return Local(self._options, timeout=self._timeout)
        raise LanguageModelError(
            f"The request for {request.purpose or '(no purpose)'!r} was never recorded, and there is no local model "
            f"here: go on with {_ways()}."
        )


def local_is_there() -> bool:
    """Whether the default local model can be asked: the package is installed and the file was fetched."""
    return importlib.util.find_spec("xllamacpp") is not None and KNOWN_MODELS[DEFAULT_MODEL].path.is_file()


def _ways() -> str:
    return (
        f"--llm=local ({EXTRA_COMMAND} && {KNOWN_MODELS[DEFAULT_MODEL].command}), a key "
        "(--llm=gemini:MODEL with GEMINI_API_KEY, or --llm=openai:MODEL with OPENAI_API_KEY), or answers by hand "
        "(--llm=spool:DIR)"
    )
