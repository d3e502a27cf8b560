"""Old names of modules: a file of two lines in a package's folder `doors` keeps such a name working.

    from runs.doors import open_door

    open_door(__name__, "arena.store.database")

That file is `arena/doors/store/database.py`; arena's `__init__` adds the folders of its doors to its `__path__`
(`folders`), so that `from arena.database import Database` and `python -m arena.database` find it.
"""

from __future__ import annotations

import importlib
import pkgutil
import runpy
import sys
from collections.abc import Callable
from pathlib import Path


def open_door(name: str, target: str, *arguments: str) -> None:
    """Lets a module of an old name be the one of the new name.

    Args:
      name: the door's `__name__`. Where it is `__main__`, the target is run as a command; otherwise it is
        imported, and from then on both names stand for one module object, as do those of a package's modules.
      target: the new name.
      *arguments: words that come before the user's own when the target is run as a command.
    """
    if name == "__main__":
        sys.argv[1:1] = arguments
        runpy.run_module(target, run_name="__main__", alter_sys=True)
        return
    module = importlib.import_module(target)
    sys.modules[name] = module
    for found in pkgutil.iter_modules(getattr(module, "__path__", ())):
        open_door(f"{name}.{found.name}", f"{target}.{found.name}")


def folders(package: str) -> list[str]:
    """Returns the folders of the doors of a package, for its `__path__`.

    Args:
      package: `__file__` of the package's `__init__`.
    """
    doors = Path(package).parent / "doors"
    return [
        str(doors),
        *(str(path) for path in sorted(doors.iterdir()) if path.is_dir() and path.name != "__pycache__"),
    ]


def handed_on(package: str, module: str) -> Callable[[str], object]:
    """Returns the `__getattr__` of a package that was a module once: it has that module's public names still.

    Args:
      package: its `__name__`.
      module: the module in which the names lie now; imported when one of them is asked for.
    """

    def find(name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            return getattr(importlib.import_module(module), name)
        except AttributeError:
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return find
