"""Independent streams of random numbers from one seed."""

from __future__ import annotations

import numpy as np


def bot_seed(seed: int, seat: int) -> int:
    """Returns the seed in [0, 2**31) of the bot at `seat` in a match with `seed`."""
    return int(np.random.SeedSequence([seed, BOT_STREAM, seat]).generate_state(1)[0] >> 1)


OPENING_STREAM, CHANCE_STREAM, BOT_STREAM = range(3)
"""Independent streams of one match seed."""
