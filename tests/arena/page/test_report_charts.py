from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.page.charts import Axis, moment, number, path, score, seconds

finite = st.floats(-1e9, 1e9, allow_nan=False)


@pytest.mark.parametrize(
    "value, digits, text",
    [
        (0, 3, "0"),
        (-0.0, 3, "0"),
        (1234.4, 1, "1,234"),
        (-1234.4, 3, "−1,234"),
        (0.0456, 3, "0.0456"),
        (0.5, 3, "0.5"),
        (99.95, 3, "100"),
        (12.34, 3, "12.3"),
        (1e-7, 3, "0.0000001"),
        (math.nan, 3, "–"),
        (math.inf, 3, "–"),
        (-3, 3, "−3"),
        (100, 1, "100"),
    ],
)
def test_numbers(value, digits, text):
    assert number(value, digits) == text


def test_scores_have_as_many_decimals_as_asked_for():
    assert (score(0), score(1 / 3), score(1, 2)) == ("0.000", "0.333", "1.00")


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "–"),
        (0.00034, "340 µs"),
        (0.012, "12 ms"),
        (1.4, "1.4 s"),
        (59.94, "59.9 s"),
        (320, "5 min 20 s"),
    ],
)
def test_durations(value, text):
    assert seconds(value) == text


@pytest.mark.parametrize(
    "ended, text",
    [
        (None, "unknown"),
        (math.nan, "unknown"),
        (0.0, "1970-01-01 00:00 UTC"),
        (1e300, "1e+300 s after 1970"),
        (1_000_000_000, "2001-09-09 01:46 UTC"),
    ],
)
def test_moments(ended, text):
    assert moment(ended) == text


@given(st.lists(finite, min_size=1))
def test_an_axis_holds_its_values_between_round_ticks_in_order(values):
    assume(max(values) == min(values) or max(values) - min(values) > 1e-6 * max(map(abs, values)))
    axis = Axis.over([*values, None, math.nan])
    span = axis.high - axis.low
    assert axis.low <= min(values) + 1e-9 * span and max(values) <= axis.high + 1e-9 * span
    places = [place for place, _ in axis.ticks]
    assert places == sorted(set(places)) and places[0] == 0 and places[-1] == 100
    assert 2 <= len(places) <= 12


@pytest.mark.parametrize(
    "values, labels",
    [
        ([-707, 1034], ["−1,000", "−500", "0", "500", "1,000", "1,500"]),
        ([0.12, 0.31], ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]),
        ([3, 3], ["2.4", "2.6", "2.8", "3", "3.2", "3.4", "3.6"]),
    ],
)
def test_ticks_are_round(values, labels):
    assert [text for _, text in Axis.over(values).ticks] == labels


@given(st.integers(1, 10**7))
def test_an_axis_up_to_a_number_ends_there(end):
    axis = Axis.up_to(end)
    assert axis.at(0) == 0 and axis.at(end) == 100
    for place, text in axis.ticks:
        assert 0 <= place <= 100
        assert axis.at(float(text.replace(",", ""))) == pytest.approx(place, abs=0.5)


def test_paths_go_upwards_for_larger_values_and_break_where_there_is_none():
    axis = Axis(0, 10, ())
    assert path([(0, 0), (5, 10), (6, math.nan), (10, 2.5)], axis, axis) == "M0 1000L500 0M1000 750"
    assert path([], axis, axis) == ""
