"""A cache that forgets the value that was not used for the longest time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any


def kept(cache: OrderedDict, most: int, key: Hashable, find: Callable[[], Any]) -> Any:
    """Returns the value that `cache` holds under `key`, found first if it is not there; if there are more than
    `most` values, the one unused for longest goes.
    """
    if key in cache:
        cache.move_to_end(key)
        return cache[key]
    value = cache[key] = find()
    if len(cache) > most:
        cache.popitem(last=False)
    return value
