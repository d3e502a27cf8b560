"""PNG files and animated GIFs from Pillow's images; Pillow comes with matplotlib."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from runs import cli

_COLOURS = 64
_LAST_MILLISECONDS = 2000


def png(image: Image.Image) -> bytes:
    """Returns an image as the bytes of a PNG file."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def save_gif(images: Iterable[Image.Image], path: str | Path, milliseconds: int) -> None:
    """Writes an animated GIF, whole or not at all; the last image is held for two seconds.

    Args:
      images: one or more, all of one size; drawn one at a time, so that only small copies are held.
      path: the file to write; one that is there is replaced.
      milliseconds: the time for which each other image is shown.

    Raises:
      ValueError: there is no image.
      OSError: the file cannot be written.
    """
    # GIF allows 256 colours; fewer make smaller files, and drawings have few.
    shown = [image.quantize(_COLOURS) for image in images]
    if not shown:
        raise ValueError("animation: expected at least one image, found none; draw one position or more")
    with cli.writing(path, binary=True) as file:
        shown[0].save(
            file,
            "GIF",
            save_all=True,
            append_images=shown[1:],
            loop=0,
            duration=[milliseconds] * (len(shown) - 1) + [_LAST_MILLISECONDS],
        )
