"""Drawings of wrestle: SVG for replays, PNG and GIF through matplotlib."""

from __future__ import annotations

import io
import math
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from games.wrestle import physics
from games.wrestle.physics import Disc, World

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#e07a6a", "#4a78c8")
"""The colours of player 0 (`team_0`) and player 1 (`team_1`)."""

_RING = "#4a9a5a"
_MARKINGS = "#c4c4c4"
_INNER_RADIUS = 50.0
_CROSS = 160.0
_MARGIN = 30.0
_EXTENT = physics.RING_RADIUS + _MARGIN
_DPI = 80
_INCHES = 5.0


def _nose(disc: Disc) -> tuple[float, float]:
    """Returns the end of the line that shows a disc's heading."""
    angle = math.radians(disc.heading)
    return (disc.x + physics.DISC_RADIUS * math.cos(angle), disc.y + physics.DISC_RADIUS * math.sin(angle))


def _energy_share(disc: Disc) -> float:
    return max(disc.energy, 0.0) / physics.MAX_ENERGY


def svg(world: World) -> str:
    """Draws the arena as the text of an SVG file; a bar for each energy, player 0's on the left."""
    cx, cy = physics.CENTRE
    left, top, size = cx - _EXTENT, cy - _EXTENT, 2 * _EXTENT
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='{left:g} {top:g} {size:g} {size:g}'>"
        f"<rect x='{left:g}' y='{top:g}' width='{size:g}' height='{size:g}' fill='white'/>"
        f"<g fill='none' stroke='{_MARKINGS}' stroke-width='3'><circle cx='{cx:g}' cy='{cy:g}' "
        f"r='{_INNER_RADIUS:g}'/><path d='M{cx - _CROSS:g} {cy:g}H{cx + _CROSS:g}M{cx:g} "
        f"{cy - _CROSS:g}V{cy + _CROSS:g}'/></g><circle cx='{cx:g}' cy='{cy:g}' "
        f"r='{physics.RING_RADIUS:g}' fill='none' stroke='{_RING}' stroke-width='5'/>"
    ]
    for player, disc in enumerate(world.discs):
        nose_x, nose_y = _nose(disc)
        bar = left + 8 if player == 0 else left + size - 16
        height = (size - 40) * _energy_share(disc)
        parts.append(
            f"<circle cx='{disc.x:.1f}' cy='{disc.y:.1f}' r='{physics.DISC_RADIUS:g}' "
            f"fill='{COLOURS[player]}'/><path d='M{disc.x:.1f} {disc.y:.1f}L{nose_x:.1f} {nose_y:.1f}' "
            f"stroke='white' stroke-width='4'/>"
            f"<rect x='{bar:g}' y='{top + size - 20 - height:.0f}' width='8' height='{height:.0f}' "
            f"fill='{COLOURS[player]}'/>"
        )
    return "".join(parts) + "</svg>"


def draw(axes: Axes, world: World) -> None:
    """Draws the arena into matplotlib axes, which are cleared first."""
    from matplotlib.patches import Circle, Rectangle

    axes.clear()
    cx, cy = physics.CENTRE
    axes.set_xlim(cx - _EXTENT, cx + _EXTENT)
    axes.set_ylim(cy + _EXTENT, cy - _EXTENT)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.add_patch(Circle(physics.CENTRE, _INNER_RADIUS, fill=False, ec=_MARKINGS, lw=1.5))
    axes.plot([cx - _CROSS, cx + _CROSS], [cy, cy], color=_MARKINGS, lw=1.5)
    axes.plot([cx, cx], [cy - _CROSS, cy + _CROSS], color=_MARKINGS, lw=1.5)
    axes.add_patch(Circle(physics.CENTRE, physics.RING_RADIUS, fill=False, ec=_RING, lw=3))
    for player, disc in enumerate(world.discs):
        out = physics.is_out(disc)
        axes.add_patch(
            Circle(
                (disc.x, disc.y),
                physics.DISC_RADIUS,
                fc=COLOURS[player],
                zorder=3,
                ec="black" if out else "none",
                lw=2,
            )
        )
        nose = _nose(disc)
        axes.plot([disc.x, nose[0]], [disc.y, nose[1]], color="white", lw=2.5, zorder=4)
        bar = cx - _EXTENT + 4 if player == 0 else cx + _EXTENT - 12
        height = 2 * (_EXTENT - 20) * _energy_share(disc)
        axes.add_patch(Rectangle((bar, cy + _EXTENT - 20 - height), 8, height, fc=COLOURS[player]))
    axes.set_title(f"step {world.steps}", fontsize=11)


def png(world: World) -> bytes:
    """Draws the arena as the bytes of a PNG file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_INCHES, _INCHES), layout="constrained")
    draw(figure.subplots(), world)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=_DPI)
    return file.getvalue()


def save_animation(worlds: Sequence[World], path: str | Path, frames_per_second: int = 20) -> None:
    """Writes an animated GIF, one frame for each of `worlds`; a file at `path` is replaced at the end."""
    from matplotlib.animation import FuncAnimation, PillowWriter
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_INCHES, _INCHES), layout="constrained")
    axes = figure.subplots()
    film = FuncAnimation(
        figure, lambda index: draw(axes, worlds[index]), frames=len(worlds), init_func=lambda: None
    )
    path = Path(path)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder) / "film.gif"
        film.save(made, writer=PillowWriter(fps=frames_per_second), dpi=_DPI)
        os.replace(made, path)
