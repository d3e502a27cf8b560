"""Compares recorded games of the real MicroRTS engine with ours, tick by tick.

    python -m games.micro_rts.replay tests/games/micro_rts/traces/*.jsonl.gz

Compared are units, their order, banks, running jobs, legal lists, the end and the winner. Prints one line for
each file, with the first difference if there is one. Exit code 0: no difference in any file, 1: some, 2: a file
is not a recording.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from games.micro_rts.java.recorded import first_difference, read_lines
from runs import cli


def main(paths: Sequence[str]) -> None:
    """Runs the command; see the module's docstring."""
    if not paths:
        raise ValueError("no recording named; run python -m games.micro_rts.replay FILE...")
    differing = 0
    for path in paths:
        try:
            lines = read_lines(path)
        except OSError as error:
            raise ValueError(f"{path} cannot be read ({error.strerror}), expected a recorded game") from None
        try:
            difference = first_difference(lines)
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"{path}: a malformed recording: {type(error).__name__}: {error}") from None
        differing += difference is not None
        print(f"{path}: {difference or f'{len(lines) - 2} ticks, no difference'}")
    if differing:
        sys.exit(1)


if __name__ == "__main__":
    cli.run(main, files=True)
