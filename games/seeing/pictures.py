"""Games that draw themselves.

A module that brings a game may bring its picture too:

    from games.seeing.pictures import register_picture

    def picture(state: pyspiel.State) -> bytes | str:
        return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'>...</svg>"

    register_picture("my_game", picture)

Replays then show it in place of a board or of text. The picture shows the whole state; it is shown as
an image, so that nothing in an SVG runs or loads anything.

A game that hides things is drawn for each who looks by a second function, `register_seat_picture`: it is given the
player too, or None for those who watch and may see only what everybody may.
"""

from __future__ import annotations

import base64
from collections.abc import Callable

import pyspiel

Picture = Callable[[pyspiel.State], bytes | str]
"""A function from a state to the bytes of a PNG file, or the text of an SVG one (with its `xmlns`)."""

SeatPicture = Callable[[pyspiel.State, int | None], str | None]
"""A function from a state and a player to the text of an SVG of what this player may see; of what everybody may see
for None. None where there is nothing to draw."""

_PNG_START = b"\x89PNG\r\n\x1a\n"

_PICTURES: dict[str, Picture] = {}
_SEAT_PICTURES: dict[str, SeatPicture] = {}


def register_picture(short_name: str, picture: Picture) -> None:
    """Makes `picture` draw the states of the game with this OpenSpiel short name.

    Raises:
      ValueError: the game has another picture already.
    """
    if _PICTURES.setdefault(short_name, picture) is not picture:
        raise ValueError(f"register_picture: {short_name!r} has a picture already: register each game once")


def register_seat_picture(short_name: str, picture: SeatPicture) -> None:
    """Makes `picture` draw the game with this OpenSpiel short name as a player sees it.

    It must draw from what the player may know, such as the observation string, and from nothing else.

    Raises:
      ValueError: the game has another picture of this kind already.
    """
    if _SEAT_PICTURES.setdefault(short_name, picture) is not picture:
        raise ValueError(
            f"register_seat_picture: {short_name!r} has such a picture already: register each game once"
        )


def seat_picture_url(state: pyspiel.State, player: int | None) -> str | None:
    """Returns the picture that a player has of a state as a `data:` URL; None where there is none.

    Args:
      state: any state.
      player: the player who looks; None for one who sees only what everybody may.

    Raises:
      ValueError: the game's function returned something else than the text of an SVG.
    """
    name = state.get_game().get_type().short_name
    draw = _SEAT_PICTURES.get(name)
    drawn = None if draw is None else draw(state, player)
    return None if drawn is None else _url(name, drawn)


def picture_url(state: pyspiel.State) -> str | None:
    """Returns the picture of a state as a `data:` URL; None where its game has none.

    Raises:
      ValueError: the game's function returned neither a PNG file nor the text of an SVG one.
    """
    name = state.get_game().get_type().short_name
    draw = _PICTURES.get(name)
    if draw is None:
        return None
    return _url(name, draw(state))


def _url(name: str, drawn: object) -> str:
    if isinstance(drawn, bytes) and drawn.startswith(_PNG_START):
        kind, content = "image/png", drawn
    elif isinstance(drawn, str) and "<svg" in drawn:
        kind, content = "image/svg+xml", drawn.encode("utf-8")
    else:
        raise ValueError(f"picture of {name}: expected the bytes of a PNG file or SVG text, got {drawn!r:.40}")
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"
