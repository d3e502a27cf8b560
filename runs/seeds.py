"""What a run is repeated from: independent streams of random numbers from one seed, and the versions of programs."""

from __future__ import annotations

import functools
import importlib.metadata
import platform
from collections.abc import Mapping

import numpy as np


def bot_seed(seed: int, seat: int) -> int:
    """Returns the seed in [0, 2**31) of the bot at `seat` in a match with `seed`."""
    return int(np.random.SeedSequence([seed, BOT_STREAM, seat]).generate_state(1)[0] >> 1)


OPENING_STREAM, CHANCE_STREAM, BOT_STREAM = range(3)
"""Independent streams of one match seed."""


@functools.cache
def versions() -> Mapping[str, str]:
    """Returns the versions of the programs in this process that take part in matches: name -> version."""
    found = {"python": platform.python_version()}
    for name in ("open_spiel", "numpy", "spielwright"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
