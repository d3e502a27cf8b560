"""Descriptions of observations that nobody has described: what their fields hold in some games.

A view of one's own says what its fields mean (`GameView.describe`). The generic view cannot: it has OpenSpiel's
structs, or one string. What can be said is which fields there are, of which kind and range their values are, and of
which lines and characters a text consists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

MOST_VALUES = 8
"""Most different values that are all listed."""
MOST_CHARACTERS = 40
"""Most different characters of a text that are all listed."""
MOST_LINES = 12
"""Most groups of lines of a text that are told apart."""
DEPTH = 2
"""Most levels of objects inside objects that are described."""

_LABEL = re.compile(r"([A-Za-z][A-Za-z0-9_ ]{0,30})[:=]")


def described(samples: Sequence[Any]) -> str:
    """The fields of observations, one a line, as they were in these samples.

    Args:
      samples: observations of one game, JSON-able; at least one.
    """
    if all(isinstance(sample, dict) for sample in samples):
        return "\n".join(_fields(samples, "", 0))
    return f"- {_values(samples)}"


def _fields(samples: Sequence[dict[str, Any]], indent: str, depth: int) -> list[str]:
    names = dict.fromkeys(name for sample in samples for name in sample)
    lines = []
    for name in names:
        values = [sample[name] for sample in samples if name in sample]
        seldom = "" if len(values) == len(samples) else " (not always there)"
        if depth < DEPTH and all(isinstance(value, dict) for value in values):
            lines.append(f"{indent}- `{name}`{seldom}: an object with the fields")
            lines += _fields(values, indent + "  ", depth + 1)
        else:
            lines.append(f"{indent}- `{name}`{seldom}: {_values(values)}")
    return lines


def _values(values: Sequence[Any]) -> str:
    different = sorted(
        {json.dumps(value, sort_keys=True) for value in values}, key=lambda text: (len(text), text)
    )
    if len(different) == 1:
        return f"always {_short(different[0])}"
    if all(isinstance(value, bool) for value in values):
        return "true or false"
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        return f"a number, from {min(values):g} to {max(values):g}"
    if len(different) <= MOST_VALUES and all(len(text) <= MOST_CHARACTERS for text in different):
        return f"one of {', '.join(different)}"
    if all(isinstance(value, str) for value in values):
        return _text(values)
    if all(isinstance(value, list) for value in values):
        return _list(values)
    return f"of several kinds, such as {_short(different[0])} and {_short(different[-1])}"


def _short(text: str) -> str:
    return text if len(text) <= 5 * MOST_CHARACTERS else f"{text[: 5 * MOST_CHARACTERS]} [...]"


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def _list(values: Sequence[list[Any]]) -> str:
    entries = [entry for value in values for entry in value]
    length = _range([len(value) for value in values])
    return f"a list of {length} entries, each {_values(entries)}" if entries else "an empty list"


def _text(values: Sequence[str]) -> str:
    """A text: its number of lines, and of what each of them consists."""
    texts = [value.split("\n") for value in values]
    counts = [len(lines) for lines in texts]
    if max(counts) == 1:
        return f"one line of text: {_line(values)}"
    if min(counts) != max(counts):
        lines = [line for text in texts for line in text]
        labels = _named(_labels(values))
        return (
            f"a text of {_range(counts)} lines{labels}: {_range([len(line) for line in lines])} characters each"
        )
    told = [_line([text[number] for text in texts]) for number in range(counts[0])]
    groups: list[tuple[int, int, str]] = []
    for number, line in enumerate(told, 1):
        if groups and groups[-1][2] == line:
            groups[-1] = (groups[-1][0], number, line)
        else:
            groups.append((number, number, line))
    if len(groups) > MOST_LINES:
        return f"a text of {counts[0]} lines: {_line([line for text in texts for line in text])}"
    parts = [
        f"line {first}: {line}" if first == last else f"lines {first} to {last}: {line}"
        for first, last, line in groups
    ]
    return f"a text of {counts[0]} lines; {'; '.join(parts)}"


def _line(lines: Sequence[str]) -> str:
    """What the samples of one line have in common."""
    if len(set(lines)) == 1:
        return f"always {json.dumps(_short(lines[0]))}"
    parts = [f"{_range([len(line) for line in lines])} characters"]
    used = "".join(sorted(set("".join(lines))))
    labels = _named(_labels(lines))
    if labels:
        parts.append(labels.strip())
    elif len(used) <= MOST_CHARACTERS:
        parts.append(f"out of {json.dumps(used)}")
    return ", ".join(parts)


def _named(labels: Sequence[str]) -> str:
    return f" with the labels {', '.join(json.dumps(label) for label in labels)}" if labels else ""


def _labels(lines: Sequence[str]) -> list[str]:
    """Words before a colon or an equals sign that most of these texts have."""
    found: dict[str, int] = {}
    for line in lines:
        for label in dict.fromkeys(match.strip() for match in _LABEL.findall(line)):
            found[label] = found.get(label, 0) + 1
    return [label for label, count in found.items() if 2 * count > len(lines)][:MOST_LINES]
