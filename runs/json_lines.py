"""JSON Lines files that a long job adds to, and that a killed one may leave with an unfinished last line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def cut(path: str | Path) -> None:
    """Cuts off an unfinished last line, so that an appended row begins a line of its own."""
    with open(path, "rb+") as file:
        file.truncate(file.read().rfind(b"\n") + 1)


def read(path: str | Path) -> list[Any]:
    """Returns the content of the finished lines, which is empty where there is no such file. The file stays as
    it is.

    Raises:
      ValueError: a line is not JSON; the sentence names it.
    """
    if not os.path.exists(path):
        return []
    found = []
    for number, line in enumerate(Path(path).read_bytes().split(b"\n")[:-1], start=1):
        try:
            found.append(json.loads(line))
        except ValueError as error:
            raise ValueError(
                f"{path}, line {number}: expected JSON as this run wrote it, found {error}; "
                "remove the file, and the run makes it again"
            ) from error
    return found


def resume(path: str | Path) -> list[Any]:
    """Reads as `read`, for a caller that goes on writing: an unfinished last line is cut off the file."""
    if os.path.exists(path):
        cut(path)
    return read(path)


def append(path: str | Path, row: Any) -> None:
    """Adds a line, which is on the disk when this returns. The file must not end in an unfinished line."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
        file.flush()
        os.fsync(file.fileno())
