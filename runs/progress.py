"""A bar on stderr for batches whose size is known only when they begin."""

from __future__ import annotations

from tqdm import tqdm


class Bar:
    """Shows how much of a batch is done; the next batch begins a new bar.

    Args:
      unit: the name of one task, in the singular.
    """

    def __init__(self, unit: str = "match"):
        self._unit = unit
        self._bar: tqdm | None = None

    def __call__(self, done: int, tasks: int) -> None:
        """Moves the bar.

        Args:
          done: tasks that have ended.
          tasks: the size of the batch; when all of it is done the bar goes away.
        """
        if self._bar is None:
            self._bar = tqdm(total=tasks, unit=self._unit, leave=False)
        self._bar.update(done - self._bar.n)
        if done == tasks:
            self._bar.close()
            self._bar = None
