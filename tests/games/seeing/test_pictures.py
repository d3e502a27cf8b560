from __future__ import annotations

import base64

import pyspiel
import pytest

from games.seeing import pictures

PNG = b"\x89PNG\r\n\x1a\n" + b"anything"
SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'>\u265a</svg>"


@pytest.fixture
def draw(monkeypatch):
    """Makes a function the picture of tic_tac_toe, and returns its URL of a state."""
    monkeypatch.setattr(pictures, "_PICTURES", {})

    def drawn(function):
        pictures.register_picture("tic_tac_toe", function)
        return pictures.picture_url(pyspiel.load_game("tic_tac_toe").new_initial_state())

    return drawn


@pytest.mark.parametrize("picture, kind", [(PNG, "image/png"), (SVG, "image/svg+xml")])
def test_a_picture_becomes_a_data_url(draw, picture, kind):
    start, _, content = draw(lambda state: picture).partition(",")
    assert start == f"data:{kind};base64"
    assert base64.b64decode(content) == (picture if isinstance(picture, bytes) else picture.encode())


def test_the_function_gets_the_state(draw):
    content = draw(lambda state: f"<svg>{state}</svg>").partition(",")[2]
    assert base64.b64decode(content) == b"<svg>...\n...\n...</svg>"


@pytest.mark.parametrize("picture", [b"GIF89a", "no svg", None, b"<svg/>"])
def test_anything_else_is_refused(draw, picture):
    with pytest.raises(ValueError, match="picture of tic_tac_toe: expected the bytes of a PNG file or SVG"):
        draw(lambda state: picture)


def test_a_game_without_a_picture_has_none():
    assert pictures.picture_url(pyspiel.load_game("kuhn_poker").new_initial_state()) is None


def test_registering_twice_is_refused(draw):
    draw(lambda state: SVG)
    with pytest.raises(ValueError, match="'tic_tac_toe' has a picture already"):
        pictures.register_picture("tic_tac_toe", lambda state: PNG)
