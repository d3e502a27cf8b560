"""Progress: a bar on a terminal, whole lines now and then in a file."""

from __future__ import annotations

import io

import pytest

from runs import progress
from runs.progress import Bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(file, **options):
    """What is written to `file` about three matches."""
    with Bar(total=3, unit="match", file=file, mininterval=0, **options) as bar:
        for number in range(3):
            bar.update()
            bar.set_postfix(last=number)
            Bar.write("said", file=file)
    return file.getvalue()


def test_a_terminal_has_a_bar():
    assert "\r" in shown(Terminal()) and "100%" in shown(Terminal())


@pytest.mark.parametrize("disable", [False, None])
def test_a_file_stays_empty_of_bars_and_short_work_says_nothing(disable):
    assert shown(io.StringIO(), disable=disable) == 3 * "said\n"
    assert list(Bar("abc", file=(file := io.StringIO()))) == ["a", "b", "c"] and file.getvalue() == ""


def test_long_work_writes_whole_lines(monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    text = shown(io.StringIO(), desc="matches", disable=None)
    assert "\r" not in text and text.endswith("\n")
    lines = [line for line in text.splitlines() if line != "said"]
    assert lines[0].startswith("matches: match 0 of 3, 00:00 passed") and "last=2" in lines[-1]
    assert all(line.startswith("matches: match ") for line in lines)
    assert shown(io.StringIO(), disable=True) == 3 * "said\n"
    with Bar(unit="move", file=(file := io.StringIO())) as bar:
        bar.refresh()
    assert file.getvalue().splitlines()[0].startswith("move 0 of ?, 00:00 passed")
