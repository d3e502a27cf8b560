"""Axes, curves and numbers of a report's charts. All places are percentages of a chart's width or
height, so that a chart fits any screen."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_STEPS = (1, 2, 2.5, 5, 10)


def number(value: float, digits: int = 3) -> str:
    """A number with a true minus sign and `digits` significant digits, but no digit cut off before
    the point: 1234, 12.3, −0.5."""
    if not math.isfinite(value):
        return "–"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0
    text = f"{value:,.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−") if text.strip("-0") else "0"


def score(value: float, decimals: int = 3) -> str:
    """A score in [0, 1]."""
    return f"{value:.{decimals}f}"


def seconds(value: float | None) -> str:
    """A duration: 340 µs, 12 ms, 1.4 s, 5 min 20 s."""
    if value is None:
        return "–"
    if value >= 120:
        return f"{int(value // 60):,} min {int(value % 60)} s"
    if value >= 1:
        return f"{number(value)} s"
    return f"{number(value * 1e3)} ms" if value >= 1e-3 else f"{number(value * 1e6)} µs"


def moment(ended: float | None) -> str:
    """A time in seconds since 1970, as a date and a time of day."""
    if ended is None or math.isnan(ended):
        return "unknown"
    try:
        return datetime.datetime.fromtimestamp(ended, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, OSError, ValueError):  # of records that came from elsewhere
        return f"{ended:g} s after 1970"


@dataclass(frozen=True)
class Axis:
    """A straight axis.

    Attributes:
      low, high: the values at 0 % and at 100 %, low below high.
      ticks: (place in percent, label).
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    @classmethod
    def over(cls, values: Iterable[float | None], *, steps: int = 5) -> Axis:
        """An axis with about `steps` round ticks on which all finite values lie."""
        finite = [value for value in values if value is not None and math.isfinite(value)]
        low, high = min(finite, default=0.0), max(finite, default=1.0)
        if low == high:
            low, high = low - 0.5, high + 0.5
        power = 10 ** math.floor(math.log10((high - low) / steps))
        step = next(power * factor for factor in _STEPS if power * factor * steps >= high - low)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        axis = cls(first * step, last * step, ())
        return cls(
            axis.low,
            axis.high,
            tuple((axis.at(tick * step), number(tick * step)) for tick in range(first, last + 1)),
        )

    @classmethod
    def up_to(cls, end: float, *, steps: int = 4) -> Axis:
        """An axis from 0 that ends exactly at `end`, above 0, with round ticks before it."""
        ticks = cls.over([0.0, end], steps=steps)
        inside = [(place * ticks.high / end, label) for place, label in ticks.ticks]
        return cls(0.0, end, tuple((round(place, 2), label) for place, label in inside if place <= 100))

    def at(self, value: float) -> float:
        """The place of a value in percent, at the nearer end if it lies outside."""
        place = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, place)), 2)


def path(points: Sequence[tuple[float, float]], x: Axis, y: Axis) -> str:
    """The `d` of an SVG path through (x, y) in a box of 1000 by 1000, y upwards; points with a NaN
    interrupt it."""
    parts = []
    pen_up = True
    for across, up in points:
        if math.isnan(up):
            pen_up = True
            continue
        # Not cut off at the ends of the axes: what lies outside is outside the box, and not shown.
        height = round(1000 * (y.high - up) / (y.high - y.low), 1)
        parts.append(f"{'M' if pen_up else 'L'}{10 * x.at(across):g} {height:g}")
        pen_up = False
    return "".join(parts)
