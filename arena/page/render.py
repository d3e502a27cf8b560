"""The page as HTML, from the templates beside this file."""

from __future__ import annotations

import base64
import hashlib
import re

import jinja2
from markupsafe import Markup

from arena.matches.records import FORFEIT_KINDS
from arena.page.page import Page
from arena.page.replays import as_script
from arena.rating.bradley_terry import SMOOTHING

_SCRIPTS = ("elements.js", "boards.js", "moves.js", "replay.js")


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
