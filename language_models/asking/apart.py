"""Batches in which no two requests belong together, so that who answers one learns nothing for another."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from language_models.asking.batches import complete_many, in_threads
from language_models.types import Completion, LanguageModel, Request


class Apart:
    """A model that is asked in batches of at most `size` requests, never two of one group in a batch, all batches at once.

    A person, or a model that is shown a whole batch (`spool:`), would otherwise read in the request of one state what an action
    leads to from another.

    Attributes:
      name: the inner model's name.

    Args:
      model: the model that answers.
      group_of: the group of a request, such as the world that it is about.
      size: at least 1.
      seed: of the order within the batches.
    """

    def __init__(self, model: LanguageModel, group_of: Callable[[Request], Hashable], size: int, seed: int):
        if size < 1:
            raise ValueError(f"Apart, size: expected at least 1, found {size}")
        self.model, self._group_of, self._size = model, group_of, size
        self._rng = np.random.default_rng(seed)

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`."""
        return self.model.complete(request)

    def complete_batch(self, requests: Sequence[Request]) -> list[list[Completion]]:
        """Completes all requests; the answers are in their order."""
        batches = self._batches(requests)
        answers = in_threads(
            lambda batch: complete_many(self.model, [requests[index] for index in batch]), batches, len(batches)
        )
        found = {
            index: answer
            for batch, of in zip(batches, answers)
            for index, answer in zip(batch, of, strict=True)
        }
        return [found[index] for index in range(len(requests))]

    def _batches(self, requests: Sequence[Request]) -> list[list[int]]:
        groups: dict[Hashable, list[int]] = {}
        for index in self._rng.permutation(len(requests)).tolist():
            groups.setdefault(self._group_of(requests[index]), []).append(index)
        # Dealt out group by group, each request to the next batch: those of a group are less than `count` apart.
        count = max(*map(len, groups.values()), -(-len(requests) // self._size)) if groups else 0
        dealt = [index for indices in groups.values() for index in indices]
        batches = [dealt[first::count] for first in range(count)]
        for batch in batches:
            self._rng.shuffle(batch)
        return batches
