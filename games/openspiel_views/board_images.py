"""Positions as images, for animations: boards of pieces, and text where a game has no board."""

from __future__ import annotations

import functools
import io

import pyspiel
from matplotlib import font_manager
from PIL import Image, ImageDraw, ImageFont

from games.openspiel_views.board_drawings import Board, Piece, board

CELL = 48
_MARGIN = 16
_INKS = {
    "red": "#cf3f32",
    "blue": "#2a6cb8",
    "yellow": "#f0b323",
    "white": "#fffdf8",
    "black": "#23272c",
    "plain": "#6b7480",
}
_PAPER, _INK, _LINE = "#fbfaf7", "#1e2329", "#cfc9bc"
_GROUNDS = {"checkered": ("#ece3d2", "#b99a74"), "crossings": ("#e3bd7f",) * 2, "drop": ("#2f5f9e",) * 2}
_TEXT_SIZE = (560, 420)


@functools.cache
def _font(size: int, mono: bool = False) -> ImageFont.FreeTypeFont:
    family = "DejaVu Sans Mono" if mono else "DejaVu Sans"
    return ImageFont.truetype(font_manager.findfont(family), size)


def _micro_rts(state: pyspiel.State) -> Image.Image:
    from games.micro_rts import drawing  # these three here, since few matches are animated

    return drawing.image(state.position())


def _wrestle(state: pyspiel.State) -> Image.Image:
    from games.wrestle import drawing

    return Image.open(io.BytesIO(drawing.png(state.world)))


def _fps_arena(state: pyspiel.State) -> Image.Image:
    from games.fps_arena import drawing

    return Image.open(io.BytesIO(drawing.picture(state.rules, state.position)))


_OWN = {"micro_rts": _micro_rts, "wrestle": _wrestle, "fps_arena": _fps_arena}


def position_image(state: pyspiel.State) -> Image.Image:
    """Returns a picture of the whole state; all states of one match have one size.

    Args:
      state: any state.
    """
    own = _OWN.get(state.get_game().get_type().short_name)
    if own is not None:
        return own(state).convert("RGB")
    drawn = board(state)
    if drawn is None or drawn.shape == "backgammon":
        return _text_image(str(state))
    return _board_image(drawn)


def _text_image(text: str) -> Image.Image:
    image = Image.new("RGB", _TEXT_SIZE, _PAPER)
    lines = text.strip("\n").split("\n")
    widest = max(1, *(len(line) for line in lines))
    size = int(min(20, (_TEXT_SIZE[0] - 40) / widest / 0.61, (_TEXT_SIZE[1] - 40) / len(lines) / 1.25))
    ImageDraw.Draw(image).multiline_text((20, 20), "\n".join(lines), _INK, _font(max(7, size), mono=True))
    return image


def _board_image(drawn: Board) -> Image.Image:
    rows = drawn.rows
    columns = max(map(len, rows))
    shifts = drawn.shape == "hexagons"
    image = Image.new(
        "RGB",
        (
            int(2 * _MARGIN + CELL * (columns if not shifts else columns - len(rows) / 2 + 0.5)),
            2 * _MARGIN + CELL * len(rows),
        ),
        _PAPER,
    )
    pen = ImageDraw.Draw(image)
    light, dark = _GROUNDS.get(drawn.shape, (_PAPER, _PAPER))
    for number, row in enumerate(rows):
        indent = len(row) - len(row.lstrip()) if shifts else 0
        for place, cell in enumerate(row.lstrip() if shifts else row):
            x, y = _MARGIN + CELL * (place + indent / 2), _MARGIN + CELL * number
            box = (x, y, x + CELL, y + CELL)
            pen.rectangle(box, dark if (len(rows) - 1 - number + place) % 2 == 0 else light)
            if drawn.shape == "squares":
                pen.rectangle(box, outline=_LINE)
            elif drawn.shape == "drop":
                pen.ellipse(_within(box, 5), _PAPER)
            elif drawn.shape == "crossings":
                middle = (x + CELL / 2, y + CELL / 2)
                pen.line((x, middle[1], x + CELL, middle[1]), "#6f5330")
                pen.line((middle[0], y, middle[0], y + CELL), "#6f5330")
            elif shifts:
                pen.ellipse(_within(box, 2), "#f2efe8", _LINE)
            if cell in drawn.pieces:
                _piece(pen, drawn.pieces[cell], box)
    return image


def _within(box: tuple[float, ...], by: float) -> tuple[float, float, float, float]:
    return box[0] + by, box[1] + by, box[2] - by, box[3] - by


def _piece(pen: ImageDraw.ImageDraw, piece: Piece, box: tuple[float, ...]) -> None:
    ink = _INKS[piece.colour]
    if piece.sign in ("disc", "king"):
        pen.ellipse(_within(box, 6), ink, "#4b4f55")
        if piece.sign == "king":
            pen.ellipse(_within(box, 16), "#f0b323")
    elif piece.sign == "ring":
        pen.ellipse(_within(box, 9), outline=ink, width=6)
    elif piece.sign == "cross":
        left, top, right, bottom = _within(box, 11)
        pen.line((left, top, right, bottom), ink, 6)
        pen.line((left, bottom, right, top), ink, 6)
    elif piece.sign in ("block", "unknown"):
        pen.rectangle(_within(box, 6), "#8b9199")
    else:
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        rim = "#2b2e33" if piece.colour == "white" else None
        pen.text(middle, piece.sign, ink, _font(34), "mm", stroke_width=1 if rim else 0, stroke_fill=rim)
