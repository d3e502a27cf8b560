"""Models around models: the shape that budget, retry, recorder and call log share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from language_models.scoring import Scored, scored_by
from language_models.types import Completion, LanguageModel, Request

Layer = TypeVar("Layer")


class Wrapper:
    """A model that does something around the calls of another one.

    Subclasses implement `_around`. `complete_batch` and `score` exist exactly where the inner model has them.

    Attributes:
      model: the model inside.
      name: the inner model's name.
    """

    def __init__(self, model: LanguageModel):
        self.model = model

    def __getattr__(self, name: str) -> Any:
        # Looked up at each use: `auto` takes batches or not, as who answers does.
        if name in ("complete_batch", "score") and hasattr(self.__dict__.get("model"), name):
            return getattr(self, f"_{name}")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`."""
        return self._around([request], lambda: [self.model.complete(request)])[0]

    def _complete_batch(self, requests: list[Request]) -> list[list[Completion]]:
        return self._around(list(requests), lambda: self.model.complete_batch(requests))

    def _score(self, request: Request, continuations: Sequence[str]) -> list[Scored]:
        return scored_by(self.complete, request, continuations)

    def _around(
        self, requests: list[Request], call: Callable[[], list[list[Completion]]]
    ) -> list[list[Completion]]:
        """Makes `call`, which answers `requests` (one, or a batch), and returns its answers."""
        raise NotImplementedError


def find_layer(model: LanguageModel, kind: type[Layer] | tuple[type[Layer], ...]) -> Layer | None:
    """The outermost layer of `model` (itself included) that is a `kind` (or one of several), or None.

    `from_spec` returns a model inside several wrappers; this finds, say, its `CallLogged` for the
    totals, or its `Recorded` backend for the recordings that nobody asked for.
    """
    layer: object = model
    while layer is not None and not isinstance(layer, kind):
        layer = getattr(layer, "model", None)
    return layer
