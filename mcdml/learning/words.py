"""Texts as numbers: words, their hashes, and unit vectors of the names of actions."""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Sequence

import numpy as np

DIMENSIONS = 1024
"""Length of the vector of a name."""

_WORD = re.compile(r"\w+")


@functools.lru_cache(maxsize=100_000)
def hashed(text: str) -> int:
    """Returns a number from 0 to 2**32 - 1 that is the same in every process (CRC-32)."""
    return zlib.crc32(text.encode())


def words(text: str) -> list[str]:
    """Returns the distinct words of a text in lower case, sorted."""
    return sorted(set(_WORD.findall(text.casefold())))


def hashes(texts: Sequence[str]) -> np.ndarray:
    """Returns the hash of each text, uint64 of shape (number of texts,)."""
    return np.array([hashed(text) for text in texts], dtype=np.uint64)


@functools.lru_cache(maxsize=4096)
def embedding(name: str) -> np.ndarray:
    """Returns an action's name as a vector of unit length, float64 of shape (`DIMENSIONS`,): the hashed counts of its words and of
    the character trigrams of each word with a blank before and after it; 0 where there is no word.

    So "open trapdoor" is near "open door", by their letters. Jang et al. (2021) add up word vectors, which know that a lamp is
    a lantern; none come with the suite.
    """
    vector = np.zeros(DIMENSIONS)
    for word in _WORD.findall(name.casefold()):
        padded = f" {word} "
        for part in (word, *(padded[start : start + 3] for start in range(len(padded) - 2))):
            vector[hashed(f"part {part}") % DIMENSIONS] += 1.0
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
