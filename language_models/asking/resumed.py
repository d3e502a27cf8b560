"""A model whose recording was begun by an earlier run."""

from __future__ import annotations

from collections.abc import Sequence

from language_models.asking.batches import complete_many
from language_models.backends.recorded import Recorded
from language_models.types import Completion, LanguageModel, RecordingMiss, Request


class Resumed:
    """A model that is asked nothing that an earlier run recorded.

    Args:
      model: the model that answers requests that the recording does not hold, and may be recording to the same file.
      recorded: the recording as it was before.

    Raises:
      LanguageModelError: the recording is damaged.
    """

    def __init__(self, model: LanguageModel, recorded: Recorded):
        self.model = model
        self._recorded = recorded
        recorded.unused()  # reads the file now, before `model` adds to it

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`."""
        return self.complete_batch([request])[0]

    def complete_batch(self, requests: Sequence[Request]) -> list[list[Completion]]:
        """Completes as `complete_many`; each missing request goes to the model as one batch."""
        found: dict[int, list[Completion]] = {}
        for index, request in enumerate(requests):
            try:
                found[index] = self._recorded.complete(request)
            except RecordingMiss:
                continue
        missing = [index for index in range(len(requests)) if index not in found]
        found.update(
            zip(missing, complete_many(self.model, [requests[index] for index in missing]), strict=True)
        )
        return [found[index] for index in range(len(requests))]
