"""Makes a page about the matches in a database.

    python -m arena.report --db=matches.db --output=report.html

One HTML file that needs nothing else: ratings, crosstable, ratings over time, results by seat,
forfeits, costs, and a viewer that replays matches move by move. It opens from a disk, on a phone or a
large screen, and may be sent to anybody; it loads nothing from anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from tqdm import tqdm

from arena.page.collecting import collect
from arena.page.render import render
from arena.store.database import Database
from runs import cli, flags

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.db(read=True)
    flags.output("the page, such as report.html", required=True)
    flags.experiment("show")
    flags.DEFINE_integer("replays", 200, "Most matches that can be replayed in the page.", lower_bound=0)
    flags.DEFINE_string("title", None, "Title of the page; made from the games by default.")
    flags.seed("the choice of replays and of the bootstrap")


def _progress(rows: Sequence[int], what: str) -> Sequence[int]:
    return tqdm(rows, unit=what)


def main() -> None:
    """The command; see the module's docstring."""
    output = cli.check_output(_FLAGS.output, "output")
    with Database(_FLAGS.db, must_exist=True) as database:
        page = collect(
            database,
            experiment=_FLAGS.experiment,
            replays=_FLAGS.replays,
            seed=_FLAGS.seed,
            title=_FLAGS.title,
            progress=_progress,
            adversaries=None,
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
