"""Pictures of MicroRTS positions, and animations of games.

Colours follow the original: resource fields are green, bases light grey, barracks dark grey, workers
small and grey, lights orange, heavies larger and yellow, ranged units turquoise; a blue rim is player
0's, a red one player 1's. A line shows where a unit moves, attacks (red), harvests or delivers (green),
or produces (a hollow square); a bar at the bottom shows the hit points that are left.

Pillow draws; it comes with matplotlib.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from games.micro_rts.palette import BOARD, CELL, FILLS, GRID, LINES, RIMS, WALL
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import ATTACK, PRODUCE, WAIT
from games.micro_rts.rules.unit_tables import HEAVY, LIGHT, RANGED, WORKER
from games.micro_rts.rules.units import Unit
from games.seeing import images

_HEADER = 24
_MARGINS = {WORKER: 11, LIGHT: 8, HEAVY: 5, RANGED: 8}


def image(state: State) -> Image.Image:
    """Draws the position as an RGB image, 40 pixels a cell, with the clock and the banks above the board."""
    board = state.map
    canvas = Image.new("RGB", (board.width * CELL + 1, board.height * CELL + 1 + _HEADER), BOARD)
    draw = ImageDraw.Draw(canvas)
    font = ImageFont.load_default(12)
    _write_header(draw, state, font)
    for cell, (x, y) in enumerate(board.positions):
        left, top = x * CELL, y * CELL + _HEADER
        fill = WALL if board.walls[cell] else None
        draw.rectangle((left, top, left + CELL, top + CELL), fill=fill, outline=GRID)
    for unit in state.units.values():
        _draw_unit(draw, state, unit, font)
    for unit in state.units.values():
        _draw_job(draw, state, unit)
    return canvas


def _write_header(draw: ImageDraw.ImageDraw, state: State, font: ImageFont.ImageFont) -> None:
    left = 4
    for text, colour in (
        (f"{state.clock}", "black"),
        (f"{state.banks[0]}", RIMS[0]),
        (f"{state.banks[1]}", RIMS[1]),
    ):
        draw.text((left, 5), text, fill=colour, font=font)
        left += draw.textlength(text, font=font) + 14
    if state.over:
        winner = state.winner
        text, colour = ("draw", "black") if winner < 0 else (f"player {winner} wins", RIMS[winner])
        draw.text((left, 5), text, fill=colour, font=font)


def _draw_unit(draw: ImageDraw.ImageDraw, state: State, unit: Unit, font: ImageFont.ImageFont) -> None:
    left, top = _corner(state, unit.cell)
    rim = "#1e7a26" if unit.player < 0 else RIMS[unit.player]
    margin = _MARGINS.get(unit.type)
    if margin is None:
        draw.rectangle(
            (left + 4, top + 4, left + CELL - 4, top + CELL - 4), fill=FILLS[unit.type], outline=rim, width=3
        )
    else:
        draw.ellipse(
            (left + margin, top + margin, left + CELL - margin, top + CELL - margin),
            fill=FILLS[unit.type],
            outline=rim,
            width=3,
        )
    if unit.carried:
        draw.text((left + CELL // 2, top + CELL // 2), str(unit.carried), fill="black", font=font, anchor="mm")
    most = state.kind(unit).hp
    if unit.hp < most:
        length = (CELL - 8) * unit.hp / most
        draw.rectangle((left + 4, top + CELL - 4, left + CELL - 4, top + CELL - 2), fill="#c0c0c0")
        draw.rectangle((left + 4, top + CELL - 4, left + 4 + length, top + CELL - 2), fill="#20a020")


def _draw_job(draw: ImageDraw.ImageDraw, state: State, unit: Unit) -> None:
    job = state.jobs.get(unit.id)
    if job is None or job.order.kind == WAIT:
        return
    order = job.order
    cell = order.arg if order.kind == ATTACK else state.map.neighbours[unit.cell][order.arg]
    left, top = _corner(state, cell)
    if order.kind == PRODUCE:
        draw.rectangle(
            (left + 12, top + 12, left + CELL - 12, top + CELL - 12), outline=RIMS[unit.player], width=2
        )
        return
    own_left, own_top = _corner(state, unit.cell)
    half = CELL // 2
    draw.line((own_left + half, own_top + half, left + half, top + half), fill=LINES[order.kind], width=2)


def _corner(state: State, cell: int) -> tuple[int, int]:
    x, y = state.map.positions[cell]
    return x * CELL, y * CELL + _HEADER


def png(state: State) -> bytes:
    """Returns the position as the bytes of a PNG file."""
    return images.png(image(state))


def save_animation(states: Iterable[State], path: str | Path, milliseconds: int = 100) -> None:
    """Writes an animated GIF of these positions, the last one held for a while; whole or not at all.

    Args:
      states: the positions, at least one.
      path: the file to write; one that is there is replaced.
      milliseconds: the time for which each position is shown.

    Raises:
      ValueError: there is no position.
      OSError: the file cannot be written.
    """
    images.save_gif(map(image, states), path, milliseconds)
