"""Doors: modules that lead from an old dotted name to the module that has moved.

A package keeps its doors in a folder of their own, which it puts on its search path:

    __path__.append(os.path.join(os.path.dirname(__file__), "doors"))

A door is a file there, named like the old module, of a docstring and one call:

    open_door(__name__, "games.seeing.views")
"""

from __future__ import annotations

import importlib
import runpy
import sys


def open_door(name: str, target: str) -> None:
    """Makes an old module name stand for the module that has moved.

    Imported, both names are the same module object. Run with `python -m`, the target runs as the program, its
    flags and exit code included.

    Args:
      name: the door's `__name__`.
      target: the dotted name of the module now.

    Raises:
      ImportError: there is no module `target`, or it cannot be imported.
    """
    if name == "__main__":
        runpy.run_module(target, run_name="__main__", alter_sys=True)
    else:
        sys.modules[name] = importlib.import_module(target)
