"""A progress bar on a terminal, and a line now and then in a file or a pipe."""

from __future__ import annotations

import sys
import time
from typing import Any

from tqdm import tqdm

SECONDS = 60.0
"""Time between two lines where nobody watches a terminal."""
_LINE = "{desc}: {unit} {n_fmt} of {total_fmt}, {elapsed} passed, {remaining} left{postfix}"


class Bar(tqdm):
    """A progress bar of tqdm, with its options. Where its file, stderr by default, is no terminal, it writes a whole line
    every `SECONDS` seconds instead, so that a log stays short and long work gives a sign of life."""

    def __init__(self, *args: Any, **options: Any):
        terminal = (options.get("file") or sys.stderr).isatty()
        self._next = None if terminal else time.monotonic() + SECONDS
        """Time of the next line; None on a terminal."""
        if not terminal:
            # A line is due by the clock alone, however fast the work is.
            options.update(bar_format=_LINE, delay=0, mininterval=1, miniters=1)
            options["disable"] = bool(options.get("disable"))  # None means: where there is no terminal
        super().__init__(*args, **options)

    def display(self, msg: str | None = None, pos: int | None = None) -> None:
        if self._next is None:
            super().display(msg, pos)
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS
            print(str(self).removeprefix(": "), file=self.fp, flush=True)

    def clear(self, nolock: bool = False) -> None:
        if self._next is None:
            super().clear(nolock)

    def close(self) -> None:
        if self._next is None:
            super().close()
        elif not self.disable:
            self.disable = True
            self._decr_instances(self)
