"""The generator of `java.util.Random`, so that games of the Java engine can be repeated to the bit.

The class documentation of java.util.Random publishes it: a linear congruential generator of 48 bits
(Knuth, The Art of Computer Programming 2, section 3.2.1).
"""

from __future__ import annotations

_MULTIPLIER = 0x5DEECE66D
_MASK = (1 << 48) - 1


class JavaRandom:
    """A generator that draws the same as `new java.util.Random(seed)`.

    >>> random = JavaRandom(42)
    >>> [random.below(10) for _ in range(5)]
    [0, 3, 8, 4, 0]
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int):
        self._state = (seed ^ _MULTIPLIER) & _MASK

    def _next31(self) -> int:
        self._state = (self._state * _MULTIPLIER + 0xB) & _MASK
        return self._state >> 17

    def below(self, bound: int) -> int:
        """Returns a whole number in [0, bound): `nextInt(bound)`, for 1 <= bound < 2**31."""
        bits = self._next31()
        if bound & (bound - 1) == 0:
            return (bound * bits) >> 31
        while bits - bits % bound + bound > 1 << 31:
            bits = self._next31()
        return bits % bound

    def clone(self) -> JavaRandom:
        """Returns a generator that will draw the same."""
        copy = JavaRandom.__new__(JavaRandom)
        copy._state = self._state
        return copy
