"""A page about the matches in a database:

    python -m arena.report --db=matches.db --output=report.html

One HTML file that needs nothing else: ratings, crosstable, ratings over time, results by seat,
forfeits, costs, and a viewer that replays matches move by move. It opens from a disk, on a phone or a
large screen, and may be sent to anybody; it loads nothing from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence

import jinja2
from absl import flags
from markupsafe import Markup
from tqdm import tqdm

from arena.matches.records import FORFEIT_KINDS
from arena.page.collecting import Page, collect
from arena.page.replays import as_script
from arena.rating.bradley_terry import SMOOTHING
from arena.store.database import Database
from runs import cli

_SCRIPTS = ("elements.js", "boards.js", "moves.js", "replay.js")

_FLAGS = flags.FLAGS


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _breakable(name: str) -> Markup:
    """A bot's spec with places where a line may break."""
    return Markup("<wbr>").join(re.split(r"(?<=[(,_/:])", name))


def _anchor(place: float) -> str:
    """The class of a tick's label, so that the first and the last one stay inside the chart."""
    return "end" if place > 92 else "mid" if place > 8 else ""


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("arena.page"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters |= {
    "counted": _counted,
    "share": _share,
    "number": "{:,}".format,
    "breakable": _breakable,
    "anchor": _anchor,
    "script": lambda value: Markup(as_script(value)),
}


def _hash(text: str) -> str:
    """A Content-Security-Policy source that allows exactly this text."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _source(name: str) -> str:
    return _ENVIRONMENT.loader.get_source(_ENVIRONMENT, name)[0]


def render(page: Page) -> str:
    """The report as HTML.

    Texts of bots and games are escaped or stand in JSON, and the page's policy allows no script and no
    style but its own, and no connection to anywhere.
    """
    # Not through the engine's escaping: these two are the page's own code.
    style = _ENVIRONMENT.get_template("report.css.j2").render()
    script = "\n" + "".join(map(_source, _SCRIPTS))
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    replays = [{"id": one.id, "summary": one.summary, "data": one.data} for one in page.replays]
    return _ENVIRONMENT.get_template("report.html.j2").render(
        page=page,
        replays=replays,
        style=Markup(style),
        script=Markup(script),
        policy=Markup(policy),
        kinds=FORFEIT_KINDS,
        smoothing=SMOOTHING,
    )


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
