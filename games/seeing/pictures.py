"""Games that draw themselves.

A module that brings a game may bring its picture too:

    from games.seeing.pictures import register_picture

    def picture(state: pyspiel.State) -> bytes | str:
        return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'>...</svg>"

    register_picture("my_game", picture)

Replays then show it in place of a board or of text. The picture shows the whole state; it is shown as
an image, so that nothing in an SVG runs or loads anything.
"""

from __future__ import annotations

import base64
from collections.abc import Callable

import pyspiel

Picture = Callable[[pyspiel.State], bytes | str]
"""A function from a state to the bytes of a PNG file, or the text of an SVG one (with its `xmlns`)."""

_PNG_START = b"\x89PNG\r\n\x1a\n"

_PICTURES: dict[str, Picture] = {}


def register_picture(short_name: str, picture: Picture) -> None:
    """Makes `picture` draw the states of the game with this OpenSpiel short name.

    Raises:
      ValueError: the game has another picture already.
    """
    if _PICTURES.setdefault(short_name, picture) is not picture:
        raise ValueError(f"register_picture: {short_name!r} has a picture already: register each game once")


def picture_url(state: pyspiel.State) -> str | None:
    """Returns the picture of a state as a `data:` URL; None where its game has none.

    Raises:
      ValueError: the game's function returned neither a PNG file nor the text of an SVG one.
    """
    name = state.get_game().get_type().short_name
    draw = _PICTURES.get(name)
    if draw is None:
        return None
    drawn = draw(state)
    if isinstance(drawn, bytes) and drawn.startswith(_PNG_START):
        kind, content = "image/png", drawn
    elif isinstance(drawn, str) and "<svg" in drawn:
        kind, content = "image/svg+xml", drawn.encode("utf-8")
    else:
        raise ValueError(f"picture of {name}: expected the bytes of a PNG file or SVG text, got {drawn!r:.40}")
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"
