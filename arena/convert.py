"""Turns stored matches into other formats, and matches from elsewhere into a database.

    python -m arena.convert --input=matches.db --output=matches.csv
    python -m arena.convert --input=other.db,matches.jsonl,episodes --output=matches.db

The ending of a name says what it is:

    .db               a database of arena.tournament; matches that it holds already are not added again
    .jsonl            JSON Lines, all of a match on one line (arena.matches.records)
    .openspiel.jsonl  one line for each match, with its history under "serialized" for
                      pyspiel.deserialize_game_and_state; without times and notes
    .csv              one row for each seat of each match; for output only, as it holds no moves
    .json             an episode of a kaggle-environments OpenSpiel environment; for input only.
                      A folder stands for all such files in it.
"""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tqdm import tqdm

from arena.matches import histories
from arena.matches.episodes import read_episode
from arena.matches.records import MatchRecord, read_records
from arena.store.database import Database
from language_models.asking.call_notes import COUNTED
from runs import cli, flags

COUNTED_NOTES = ("simulations", *COUNTED)
"""Notes of bots that the CSV sums over the moves of a seat."""
CSV_COLUMNS = (
    "match",
    "experiment",
    "game",
    "seed",
    "opening_plies",
    "opening_length",
    "moves",
    "move_seconds",
    "ended",
    "seat",
    "bot",
    "return",
    "forfeit",
    "reason",
    "own_moves",
    "seconds",
    *COUNTED_NOTES,
)

_FLAGS = flags.FLAGS


@dataclass(frozen=True)
class Found:
    """A match with its number and the configuration of its experiment."""

    match: int
    config: Mapping[str, object]
    record: MatchRecord


def _imported(records: Iterable[MatchRecord]) -> Iterator[Found]:
    for number, record in enumerate(records, start=1):
        yield Found(
            number,
            {
                "kind": "import",
                "game": record.game,
                "opening_plies": record.opening_plies,
                "move_seconds": record.move_seconds,
            },
            record,
        )


def _read_database(path: Path) -> Iterator[Found]:
    with Database(path, must_exist=True) as database:
        for experiment in database.experiments():
            for number in database.match_ids(experiment.id):
                yield Found(number, experiment.config, database.match(number))


def _read_histories(path: Path) -> Iterator[MatchRecord]:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield histories.from_line(line)
            except ValueError as error:
                raise ValueError(
                    f"{path}, line {number}: {error}; expected a line as arena.convert writes it"
                ) from error


def _read_folder(path: Path) -> Iterator[MatchRecord]:
    episodes = sorted(path.glob("*.json"))
    if not episodes:
        raise ValueError(
            f"--input: the folder {path} holds no .json files, expected episodes of a "
            "kaggle-environments OpenSpiel environment"
        )
    return map(read_episode, episodes)


_READERS: Mapping[str, Callable[[Path], Iterable[Found]]] = {
    ".db": _read_database,
    ".openspiel.jsonl": lambda path: _imported(_read_histories(path)),
    ".jsonl": lambda path: _imported(read_records(path)),
    ".json": lambda path: _imported([read_episode(path)]),
}


def _ending(path: Path, flag: str, known: Iterable[str]) -> str:
    for ending in known:
        if path.name.endswith(ending):
            return ending
    raise ValueError(
        f"--{flag}: {path} has none of the endings {', '.join(known)}, which say what the format is; rename it"
    )


def read(path: str | Path) -> Iterable[Found]:
    """The matches of a file, or of a folder of episodes, one after the other.

    Raises:
      ValueError: the ending is unknown, or the file holds something else than it says.
      OSError: it cannot be read.
    """
    path = Path(path)
    if path.is_dir():
        return _imported(_read_folder(path))
    return _READERS[_ending(path, "input", _READERS)](path)


def _csv_rows(found: Found) -> Iterator[list[object]]:
    record = found.record
    for seat, bot in enumerate(record.seats):
        own = [move for move in record.moves if move.player == seat and move.seconds is not None]
        broke_off = record.forfeit is not None and record.forfeit.player == seat
        notes = [move.notes for move in own if move.notes is not None]
        if broke_off and record.forfeit.notes is not None:
            notes.append(record.forfeit.notes)
        yield [
            found.match,
            json.dumps(found.config, sort_keys=True),
            record.game,
            record.seed,
            record.opening_plies,
            record.opening_length,
            len(record.moves),
            record.move_seconds,
            record.ended,
            seat,
            bot,
            record.returns[seat],
            record.forfeit.kind if broke_off else None,
            record.forfeit.reason if broke_off else None,
            len(own),
            round(sum(move.seconds for move in own), 6),
            *(_sum(note.get(name) for note in notes) for name in COUNTED_NOTES),
        ]


def _sum(values: Iterable[object]) -> float | None:
    """The sum of the values that are numbers; None where no move has the figure."""
    numbers = [value for value in values if isinstance(value, (int, float))]
    return sum(numbers) if numbers else None


def _write_csv(file: TextIO, matches: Iterable[Found]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for found in matches:
        writer.writerows(_csv_rows(found))


def _write_lines(file: TextIO, matches: Iterable[Found]) -> None:
    file.writelines(found.record.to_json() + "\n" for found in matches)


def _write_histories(file: TextIO, matches: Iterable[Found]) -> None:
    file.writelines(histories.to_line(found.match, found.record) + "\n" for found in matches)


_WRITERS: Mapping[str, Callable[[TextIO, Iterable[Found]], None]] = {
    ".openspiel.jsonl": _write_histories,
    ".jsonl": _write_lines,
    ".csv": _write_csv,
}


def write(path: str | Path, matches: Iterable[Found]) -> int | None:
    """Writes matches in the format that the ending of `path` says: a text file as a whole or not at
    all, a database match by match.

    Returns:
      Number of matches that were new to the database; None for the other formats.

    Raises:
      ValueError: the ending is unknown, or a match has no form in the format.
      OSError: the file cannot be written.
    """
    path = Path(path)
    ending = _ending(path, "output", [".db", *_WRITERS])
    if ending == ".db":
        with Database(path) as database:
            return sum(
                database.add_all(database.experiment(json.loads(config)), (found.record for found in group))
                for config, group in itertools.groupby(
                    matches, key=lambda found: json.dumps(found.config, sort_keys=True)
                )
            )
    with cli.writing(path) as file:
        _WRITERS[ending](file, matches)
    return None


def _define_flags() -> None:
    flags.DEFINE_list("input", None, "Files and folders to read, separated by commas.")
    flags.require("input")
    flags.output("the matches, or database to add them to", required=True)


def main() -> None:
    """The command; see the module's docstring."""
    inputs, output = [Path(name) for name in _FLAGS.input], cli.check_output(_FLAGS.output, "output")
    for path in inputs:
        if not path.exists():
            raise FileNotFoundError(f"--input: {path} does not exist, expected a file or a folder")
        if output.exists() and path.samefile(output):
            raise ValueError(f"--input and --output are both {path}, expected different files")
    read_matches = 0

    def counted() -> Iterator[Found]:
        nonlocal read_matches
        for found in tqdm(itertools.chain.from_iterable(map(read, inputs)), unit="match"):
            read_matches += 1
            yield found

    added = write(output, counted())
    print(f"{output}: {read_matches} matches" + ("" if added is None else f", {added} of them new"))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
