"""Where the files of Z-machine stories are; none comes with this suite."""

from __future__ import annotations

from pathlib import Path

SUFFIXES = (".z5", ".z3", ".z8", ".z4")


def find_rom(folder: str, name: str) -> str:
    """Returns the file of a story in a folder, by its name without the ending.

    Raises:
      ValueError: there is none.
    """
    for suffix in SUFFIXES:
        path = Path(folder, name + suffix)
        if path.is_file():
            return str(path)
    raise ValueError(
        f"--roms: {folder} has no {name} with one of the endings {' '.join(SUFFIXES)}; copy "
        "it there, or choose other ones"
    )
