"""Mini-maps of `fps_arena`: pictures of one moment, contact sheets, animations, and a whole match at once.

Walls are dark, low cover brown, the control point is ringed and filled in its owner's colour. A soldier is
a disc in its team's colour (each for itself: its own) with its number, a nose that shows where it looks and
a bar of its health; behind it the way of the last ticks. A line is a shot, thick and bright if it hit; a
cross in the killer's colour is where somebody fell. Green squares are health, yellow ones ammunition,
violet ones weapons (S shotgun, N sniper).

Pillow draws; it comes with matplotlib.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from games.fps_arena.play.match import Frame, frame
from games.fps_arena.rules import terrain
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.orders import DIRECTIONS
from games.fps_arena.rules.parameters import Rules
from games.fps_arena.rules.setting import Setting, setting_of
from games.seeing.images import png, save_gif

COLOURS = ("#2563eb", "#dc2626", "#16a34a", "#ea8a00", "#9333ea", "#0891b2", "#db2777", "#65a30d")
"""The colour of each team, by number."""

_FLOOR, _WALL, _LOW, _ZONE = "#f3f0e8", "#3b3f46", "#b08a5a", "#c9c4b5"
_PICKUPS = {
    "health": ("#22a045", "+"),
    "ammo": ("#d8a800", "="),
    "shotgun": ("#8b5cf6", "S"),
    "sniper": ("#8b5cf6", "N"),
}
_OVER = 2
"""Pictures are drawn at this many times their size, then made smaller, which smooths the edges."""
_HEADER = 26
_TRAIL = 40
_KILL_TICKS = 60
_SHOT_TICKS = 3


def _cell(size: int) -> int:
    """Returns the pixels of a cell."""
    return max(10, min(18, 576 // size))


class _Canvas:
    """A picture in the making, in units of cells of the map."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.size = setting.rules.size
        self.unit = _cell(self.size) * _OVER
        self.top = _HEADER * _OVER
        self.image = _floor(setting).copy()
        self.draw = ImageDraw.Draw(self.image)

    def at(self, cell: int) -> tuple[float, float]:
        """Returns the middle of a cell."""
        return ((cell % self.size + 0.5) * self.unit, (cell // self.size + 0.5) * self.unit + self.top)

    def disc(self, cell: int, radius: float, **style: object) -> None:
        """Draws a circle, its radius in cells."""
        x, y = self.at(cell)
        radius *= self.unit
        self.draw.ellipse((x - radius, y - radius, x + radius, y + radius), **style)

    def write(
        self, place: tuple[float, float], text: str, colour: str, points: int, anchor: str = "mm"
    ) -> None:
        """Writes text of a size in pixels of the finished picture."""
        self.draw.text(place, text, fill=colour, font=_font(points * _OVER), anchor=anchor)

    def finished(self) -> Image.Image:
        """Returns the picture."""
        return self.image.reduce(_OVER)


@functools.lru_cache(maxsize=8)
def _font(points: int) -> ImageFont.ImageFont:
    return ImageFont.load_default(points)


@functools.lru_cache(maxsize=4)
def _floor(setting: Setting) -> Image.Image:
    """Returns the part of a picture that does not change: floor, low cover and walls."""
    size, unit = setting.rules.size, _cell(setting.rules.size) * _OVER
    image = Image.new("RGB", (size * unit, size * unit + _HEADER * _OVER), "white")
    draw = ImageDraw.Draw(image)
    for cell, height in enumerate(setting.arena.heights):
        left, top = cell % size * unit, cell // size * unit + _HEADER * _OVER
        box = (left, top, left + unit - 1, top + unit - 1)
        if height == terrain.WALL:
            draw.rectangle(box, fill=_WALL)
        else:
            draw.rectangle(box, fill=_FLOOR, outline="#e9e5da")
            if height == terrain.LOW:
                inset = unit // 8
                draw.rectangle((left + inset, top + inset, left + unit - inset, top + unit - inset), fill=_LOW)
    return image


def image(setting: Setting, frames: Sequence[Frame], index: int = -1) -> Image.Image:
    """Draws one moment of a match as an RGB image: `frames[index]`, and the trails and events before it."""
    index %= len(frames)
    canvas, now = _Canvas(setting), frames[index]
    _draw_zone(canvas, now)
    _draw_pickups(canvas, now.pickups)
    first = max(0, index - _TRAIL)
    _draw_trails(canvas, frames[first : index + 1], faded=True)
    _draw_kills(canvas, [one for one in frames[: index + 1] if one.tick > now.tick - _KILL_TICKS])
    _draw_shots(canvas, [one for one in frames[first : index + 1] if one.tick > now.tick - _SHOT_TICKS])
    for player in range(setting.rules.players):
        _draw_soldier(canvas, player, *now.soldiers[player])
    _write_header(canvas, now, f"tick {now.tick}")
    return canvas.finished()


def overview(setting: Setting, frames: Sequence[Frame]) -> Image.Image:
    """Draws a whole match: all ways, where everybody fell, and the control point at the end."""
    canvas, last = _Canvas(setting), frames[-1]
    _draw_zone(canvas, last)
    _draw_pickups(canvas, [True] * len(setting.arena.pickups))
    _draw_trails(canvas, frames, faded=False)
    _draw_kills(canvas, frames)
    _write_header(canvas, last, f"ticks 0 to {last.tick}")
    return canvas.finished()


def _colour(canvas: _Canvas, player: int) -> str:
    return COLOURS[canvas.setting.rules.team(player)]


def _mixed(colour: str, share: float) -> tuple[int, int, int]:
    """Returns the colour over floor, `share` of it."""
    return tuple(
        round(share * int(colour[i : i + 2], 16) + (1 - share) * int(_FLOOR[i : i + 2], 16)) for i in (1, 3, 5)
    )


def _draw_zone(canvas: _Canvas, now: Frame) -> None:
    if canvas.setting.rules.mode != "control":
        return
    colour = _ZONE if now.owner < 0 else _mixed(COLOURS[now.owner], 0.35)
    half = canvas.unit / 2
    for cell in canvas.setting.arena.zone:
        x, y = canvas.at(cell)
        canvas.draw.rectangle((x - half, y - half, x + half, y + half), fill=colour)
    middle = canvas.size * canvas.unit / 2
    reach = (canvas.setting.rules.zone_radius + 0.4) * canvas.unit
    canvas.draw.ellipse(
        (middle - reach, middle - reach + canvas.top, middle + reach, middle + reach + canvas.top),
        outline="#55504a",
        width=2 * _OVER,
    )


def _draw_pickups(canvas: _Canvas, there: Sequence[bool]) -> None:
    half = 0.34 * canvas.unit
    for spot, present in zip(canvas.setting.arena.pickups, there):
        colour, sign = _PICKUPS[spot.kind]
        x, y = canvas.at(spot.cell)
        canvas.draw.rectangle(
            (x - half, y - half, x + half, y + half),
            fill=colour if present else None,
            outline=colour,
            width=_OVER,
        )
        if present:
            canvas.write((x, y), sign, "white", 10)


def _draw_trails(canvas: _Canvas, frames: Sequence[Frame], faded: bool) -> None:
    last = len(frames) - 1
    for player in range(canvas.setting.rules.players):
        colour = _colour(canvas, player)
        # Soldiers that go the same way would hide each other's.
        shift = (player - (canvas.setting.rules.players - 1) / 2) * 0.1 * canvas.unit
        for number in range(last):
            (cell, _, health), (there, _, later) = (
                frames[number].soldiers[player],
                frames[number + 1].soldiers[player],
            )
            if cell == there or not health or not later:
                continue
            (x, y), (to_x, to_y) = canvas.at(cell), canvas.at(there)
            share = 0.25 + 0.55 * (number + 1) / last if faded else 0.6
            canvas.draw.line(
                (x + shift, y + shift, to_x + shift, to_y + shift),
                fill=_mixed(colour, share),
                width=2 * _OVER if faded else 1 * _OVER,
            )


def _draw_kills(canvas: _Canvas, frames: Sequence[Frame]) -> None:
    reach = 0.32 * canvas.unit
    for one in frames:
        for event in one.events:
            if event[0] == "kill":
                x, y = canvas.at(one.soldiers[event[2]][0])
                for slope in (1, -1):
                    ends = (x - reach, y - slope * reach, x + reach, y + slope * reach)
                    canvas.draw.line(ends, fill="white", width=5 * _OVER)
                    canvas.draw.line(ends, fill=_colour(canvas, event[1]), width=3 * _OVER)


def _draw_shots(canvas: _Canvas, frames: Sequence[Frame]) -> None:
    for one in frames:
        for event in one.events:
            if event[0] == "shot":
                _, shooter, target, hits = event
                ends = (*canvas.at(one.soldiers[shooter][0]), *canvas.at(one.soldiers[target][0]))
                canvas.draw.line(
                    ends,
                    fill=_mixed(_colour(canvas, shooter), 1.0 if hits else 0.5),
                    width=3 * _OVER if hits else _OVER,
                )


def _draw_soldier(canvas: _Canvas, player: int, cell: int, facing: int, health: int) -> None:
    if not health:
        return
    colour = _colour(canvas, player)
    x, y = canvas.at(cell)
    dx, dy = DIRECTIONS[facing]
    length = math.hypot(dx, dy)
    ahead_x, ahead_y = dx / length * canvas.unit, dy / length * canvas.unit
    nose = [
        (x + 1.4 * ahead_x, y + 1.4 * ahead_y),
        (x - 0.6 * ahead_y, y + 0.6 * ahead_x),
        (x + 0.6 * ahead_y, y - 0.6 * ahead_x),
    ]
    canvas.draw.polygon(nose, fill=colour, outline="white")
    canvas.disc(cell, 0.62, fill=colour, outline="white", width=_OVER)
    canvas.write((x, y), str(player), "white", 12)
    left, top, wide = x - 0.6 * canvas.unit, y + 0.7 * canvas.unit, 1.2 * canvas.unit
    share = health / canvas.setting.rules.health
    canvas.draw.rectangle((left, top, left + wide, top + 3 * _OVER), fill="#50545c")
    canvas.draw.rectangle(
        (left, top, left + wide * share, top + 3 * _OVER),
        fill="#3ddc5a" if share > 0.5 else "#ffb020" if share > 0.25 else "#ff4040",
    )


def _write_header(canvas: _Canvas, now: Frame, said: str) -> None:
    rules = canvas.setting.rules
    x, y = 6.0 * _OVER, canvas.top / 2
    font = _font(13 * _OVER)
    words = [(said, "black"), (rules.mode, "#606060")]
    words += [
        (f"{'player' if rules.mode == 'dm' else 'team'} {team}: {score}", COLOURS[team])
        for team, score in enumerate(now.scores)
    ]
    if rules.mode == "control":
        owner = ("nobody", "#606060") if now.owner < 0 else (f"team {now.owner}", COLOURS[now.owner])
        words += [("point of", "#606060"), owner]
    if rules.teams > 4:
        words = [words[0]] + [(str(score), COLOURS[team]) for team, score in enumerate(now.scores)]
    for text, colour in words:
        canvas.draw.text((x, y), text, fill=colour, font=font, anchor="lm")
        x += canvas.draw.textlength(text, font=font) + 9 * _OVER


def contact_sheet(setting: Setting, frames: Sequence[Frame], count: int = 9, columns: int = 3) -> Image.Image:
    """Draws moments of a match, evenly spaced from the first to the last, in rows.

    Raises:
      ValueError: `count` or `columns` is below 1.
    """
    if count < 1 or columns < 1:
        raise ValueError(f"contact sheet: expected 1 picture and 1 column or more, found {count} and {columns}")
    last = len(frames) - 1
    shown = [
        image(setting, frames, last if count == 1 else round(number * last / (count - 1)))
        for number in range(count)
    ]
    return tiled(shown, columns)


def tiled(images: Sequence[Image.Image], columns: int) -> Image.Image:
    """Joins images of one size in rows, with a gap between them."""
    gap = 8
    wide, high = images[0].size
    rows = math.ceil(len(images) / columns)
    columns = min(columns, len(images))
    sheet = Image.new("RGB", (columns * (wide + gap) - gap, rows * (high + gap) - gap), "white")
    for number, one in enumerate(images):
        sheet.paste(one, (number % columns * (wide + gap), number // columns * (high + gap)))
    return sheet


def save_animation(
    setting: Setting, frames: Sequence[Frame], path: str | Path, every: int = 2, milliseconds: int = 80
) -> None:
    """Writes an animated GIF of a match, the last moment held; whole or not at all.

    Args:
      setting: the setting of the match.
      frames: all of its moments, at least one.
      path: the file to write; one that is there is replaced.
      every: number of moments from one drawn moment to the next; the last one is always drawn.
      milliseconds: the time for which each is shown.

    Raises:
      ValueError: there is no frame.
      OSError: the file cannot be written.
    """
    if not frames:
        raise ValueError("animation: expected at least one frame, found none; play with record=True")
    last = len(frames) - 1
    save_gif((image(setting, frames, index) for index in (*range(0, last, every), last)), path, milliseconds)


def picture(rules: Rules, state: State | None) -> bytes:
    """Draws a state of the game as PNG; the empty map for None, before the start."""
    setting = setting_of(rules)
    if state is None:
        return png(_Canvas(setting).finished())
    # A few colours are enough, and a match has hundreds of pictures.
    return png(image(setting, [frame(state)]).quantize(64, dither=Image.Dither.NONE))
