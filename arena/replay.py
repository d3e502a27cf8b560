"""Shows stored matches, move by move, and checks them against the game.

    python -m arena.replay --db=matches.db --match=7
    python -m arena.replay --db=matches.db --check

`--check` plays every match again by its stored moves: who was to act, whether the action was legal,
whether the match ended where the game ends, and the returns. It prints the first difference of each
match that has one; the exit code is then 1.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tqdm import tqdm

from arena.matches.positions import check, transcript
from arena.store.database import Database
from runs import cli, flags

DIFFERENT = 1
"""Exit code of `--check` when matches differ from the game."""

_FLAGS = flags.FLAGS


def _check_all(database: Database, ids: Sequence[int]) -> None:
    broken = 0
    for number in tqdm(ids, unit="match"):
        try:
            check(database.match(number))
        except ValueError as difference:
            broken += 1
            tqdm.write(f"match {number}: {difference}")
    print(f"{len(ids) - broken} of {len(ids)} matches agree with their games")
    if broken:
        sys.exit(DIFFERENT)


def _define_flags() -> None:
    flags.db(read=True)
    flags.DEFINE_integer("match", None, "Id of a match, as in the database and its export to CSV.")
    flags.DEFINE_bool(
        "check", False, "Whether the game is asked: about all matches, or about the one of --match."
    )


def main() -> None:
    """The command; see the module's docstring."""
    if _FLAGS.match is None and not _FLAGS.check:
        raise ValueError("neither --match nor --check is there, expected one of them")
    with Database(_FLAGS.db, must_exist=True) as database:
        if _FLAGS.check:
            _check_all(database, database.match_ids() if _FLAGS.match is None else [_FLAGS.match])
        else:
            for piece in transcript(database.match(_FLAGS.match)):
                print(piece)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
