"""The cross-trial memory: what was learnt from failed trajectories under one root (the paper's M_c)."""

from __future__ import annotations

from collections.abc import Sequence

from language_models import Completion, Request
from mcdml.asking import prompting
from mcdml.asking.situations import Situation, shortened

REFLECTIONS = 3
REFLECTED_STEPS = 5
"""The number of last steps of a failed trajectory that are shown (the paper's truncation function)."""
REFLECTION_CHARACTERS = 400


class CrossTrial:
    """A memory of at most `size` reflections on failed trajectories; none is collected once it is full.

    The same failure is reflected upon once: a trajectory whose shown steps are those of an earlier one
    would give the same sentence, at temperature 0. A sentence that was there already counts, but is not
    kept twice.

    Attributes:
      reflections: the sentences, sorted, so that memories of equal sentences make equal prompts.
      version: counts the changes of `reflections`.
    """

    def __init__(self, size: int = REFLECTIONS):
        self.size = size
        self.reflections: tuple[str, ...] = ()
        self.version = 0
        self._asked: set[str] = set()

    @property
    def full(self) -> bool:
        """Whether no trajectory is wanted any more."""
        return len(self._asked) >= self.size

    def request(self, end: Situation) -> Request | None:
        """Returns the request about a failed trajectory (see `end_of_trajectory`); None where nothing is to be
        asked, since the memory is full or this failure is known.
        """
        request = prompting.reflection_request(end)
        if self.full or request.key() in self._asked:
            return None
        self._asked.add(request.key())
        return request

    def add(self, completions: Sequence[Completion] | None) -> None:
        """Keeps the answer to a `request`, if there is one and it says something new."""
        if not completions:
            return
        sentence = shortened(" ".join(completions[0].text.split()), REFLECTION_CHARACTERS)
        if sentence and sentence not in self.reflections:
            self.reflections = tuple(sorted((*self.reflections, sentence)))
            self.version += 1
