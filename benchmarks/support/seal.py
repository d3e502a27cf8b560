"""The cost of the seal: the same search in a sealed worker and in this process."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

from cwm.contract import manifest, model_folders
from cwm.worker.simulator import Simulator, TrustedSimulator

PAIRS = 300
WARM_UP = 20
"""Pairs before those that count."""


def overhead(simulations: int, pairs: int = PAIRS) -> dict[str, float]:
    """Times pairs of one search on CPython, sealed and not, in turns. Both processes are bound to one processor, since
    two processors of a shared machine differ by more than the seal costs. Linux only.

    Returns:
      `pairs`; `overhead`, the median of sealed / free - 1; `low` and `high`, the 95 % interval of that median by
      order statistics.
    """
    source = manifest.load(model_folders.candidates("connect_four")[0]).source
    options = {"simulations": simulations, "solve": False}
    before = os.sched_getaffinity(0)
    one = {max(before)}
    trusted = TrustedSimulator(source)
    trusted.call("follow", 0, [])
    with Simulator(source) as sealed:
        sealed.follow([])

        def free(seed: int) -> None:
            trusted.call("search", dict(options, seed=seed))

        def shut(seed: int) -> None:
            sealed.search_at([], 0, dict(options, seed=seed))

        os.sched_setaffinity(sealed.pid, one)
        os.sched_setaffinity(0, one)
        try:
            found = [_seconds(shut, seed) / _seconds(free, seed) for seed in range(WARM_UP + pairs)]
        finally:
            os.sched_setaffinity(0, before)
    ratios = sorted(found[WARM_UP:])
    half = 0.98 * len(ratios) ** 0.5
    places = (len(ratios) / 2 - half, len(ratios) / 2 + half)
    low, high = (ratios[min(max(round(place), 0), len(ratios) - 1)] - 1 for place in places)
    return {"pairs": pairs, "overhead": statistics.median(ratios) - 1, "low": low, "high": high}


def _seconds(search: Callable[[int], None], seed: int) -> float:
    start = time.perf_counter()
    search(seed)
    return time.perf_counter() - start
