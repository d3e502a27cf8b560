"""What can be said of fields that nobody has described."""

from __future__ import annotations

import pytest

from games.seeing.field_descriptions import described

LONG = [f"{number:03}" for number in range(20)]


@pytest.mark.parametrize(
    "values, expected",
    [
        ([3, 3], "always 3"),
        ([True, False], "true or false"),
        (list(range(20)), "a number, from 0 to 19"),
        ([0.5, -2], "a number, from -2 to 0.5"),
        (["red", "blue", "red"], 'one of "red", "blue"'),
        ([[0, 1], [1, 0], [2, 5]], "one of [0,1]"),
        ([[number, 1] for number in range(20)], "a list of 2 entries, each a number, from 0 to 19"),
        (
            [[number] * (number % 3) for number in range(20)],
            "a list of 0 to 2 entries, each a number, from 1 to 19",
        ),
        (LONG, 'one line of text: 3 characters, out of "0123456789"'),
        ([f"Pot: {n} Money: {n * n}" for n in range(20)], 'with the labels "Pot", "Money"'),
        (
            ["Dealer: 1\n" + "Tricks: 0\n" * n + "Bid" for n in range(20)],
            'a text of 2 to 21 lines with the labels "Dealer", "Tricks": 3 to 9 characters each',
        ),
        ([1, "a" * 60, None], "of several kinds"),
    ],
)
def test_a_field_is_described_by_its_values(values, expected):
    line = described([{"field": value} for value in values])
    assert line.startswith("- `field`: ") and expected.replace(" ", "") in line.replace(" ", "")


def test_a_board_is_described_by_its_lines():
    boards = [f"3{a}{b}.\n2...\n1.{c}.\n abc" for a in "xo." for b in "xo." for c in "xo."]
    assert described([{"observation": board} for board in boards]) == (
        '- `observation`: a text of 4 lines; line 1: 4 characters, out of ".3ox"; line 2: always "2..."; '
        'line 3: 4 characters, out of ".1ox"; line 4: always " abc"'
    )


def test_fields_inside_fields_and_fields_that_are_not_always_there():
    text = described([{"a": {"b": 1}}, {"a": {"b": 1}, "c": "x"}])
    assert text.splitlines() == [
        "- `a`: an object with the fields",
        "  - `b`: always 1",
        '- `c` (not always there): always "x"',
    ]
