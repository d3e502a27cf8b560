"""A page about the matches in a database:

    python -m arena.report --db=matches.db --output=report.html

One HTML file that needs nothing else: ratings, crosstable, ratings over time, results by seat,
forfeits, costs, and a viewer that replays matches move by move. It opens from a disk, on a phone or a
large screen, and may be sent to anybody; it loads nothing from anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from absl import flags
from tqdm import tqdm

from arena.page.collecting import collect
from arena.page.render import render
from arena.store.database import Database
from runs import cli

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    # Not at import: other commands have flags of the same names.
    flags.DEFINE_string("db", None, "Database of matches, as arena.tournament --db writes it.")
    flags.DEFINE_string("output", None, "File for the page, such as report.html.")
    flags.DEFINE_integer(
        "experiment", None, "Number of the only experiment to show; all by default.", lower_bound=1
    )
    flags.DEFINE_integer("replays", 200, "At most so many matches can be replayed in the page.", lower_bound=0)
    flags.DEFINE_string("title", None, "Title of the page; made from the games by default.")
    flags.DEFINE_integer("seed", 0, "Seed of the choice of replays and of the bootstrap.", lower_bound=0)


def _progress(rows: Sequence[int], what: str) -> Sequence[int]:
    return tqdm(rows, unit=what)


def main() -> None:
    """The command; see the module's docstring."""
    for name in ("db", "output"):
        if not _FLAGS[name].value:
            raise ValueError(f"--{name} is missing; run with --help for an example")
    output = cli.check_output(_FLAGS.output, "output")
    with Database(_FLAGS.db, must_exist=True) as database:
        page = collect(
            database,
            experiment=_FLAGS.experiment,
            replays=_FLAGS.replays,
            seed=_FLAGS.seed,
            title=_FLAGS.title,
            progress=_progress,
        )
    text = render(page)
    cli.write_text(output, text)
    print(
        f"{output}: {page.matches:,} matches, {len(page.replays):,} of them with replay, "
        f"{len(text.encode('utf-8')) / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
