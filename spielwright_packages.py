"""Makes the suite's packages win over a user's folders of the same names.

The suite's packages carry plain names (`games`, `arena`, ...), which a folder of the user's own may
carry too. Importing this module (each package does so first) has two effects: from then on each of
these names is looked up beside this very file before anything else on `sys.path`; and where a
foreign package of that name was imported earlier, the import stops with a sentence that names both.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys

PACKAGES = (
    "runs",
    "artefacts",
    "games",
    "language_models",
    "sandbox",
    "arena",
    "cwm",
    "bt_policies",
    "skill_planner",
    "policy_evolve",
    "mcdml",
    "benchmarks",
)
"""Top-level packages of the suite. `benchmarks` lies in the source tree only and is not installed."""

_HERE = os.path.dirname(os.path.abspath(__file__))


class _PackageFinder(importlib.abc.MetaPathFinder):
    """Finds the packages in `PACKAGES` beside this file, whatever else lies on `sys.path`."""

    def find_spec(self, fullname, path=None, target=None):
        if path is not None or fullname not in PACKAGES:
            return None
        init = os.path.join(_HERE, fullname, "__init__.py")
        if not os.path.exists(init):
            return None
        return importlib.util.spec_from_file_location(
            fullname, init, submodule_search_locations=[os.path.dirname(init)]
        )


def _refuse_foreign_packages() -> None:
    """Raises ImportError where a name in `PACKAGES` is already taken by somebody else's package."""
    for package in PACKAGES:
        module = sys.modules.get(package)
        if module is None:
            continue
        origin = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", [])), "?")
        own = os.path.join(_HERE, package)
        if os.path.dirname(os.path.abspath(origin)) != own and os.path.abspath(origin) != own:
            raise ImportError(
                f"the package {package!r} was already imported from {origin}, but spielwright needs its "
                f"own in {own}; import spielwright before that one, or rename it"
            )


_refuse_foreign_packages()
sys.meta_path.insert(0, _PackageFinder())
