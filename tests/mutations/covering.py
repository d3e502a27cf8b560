"""Which tests plausibly cover a module: those of its package, the nearest by imports first."""

from __future__ import annotations

import ast
import functools
import re
from collections import deque
from pathlib import Path

PACKAGES = ("runs", "games", "language_models", "sandbox", "arena", "cwm", "bt_policies", "skill_planner",
            "policy_evolve", "mcdml")  # fmt: skip
ALSO = {
    "runs": ("arena", "language_models", "policy_evolve"),
    "games/micro_rts": ("skill_planner", "bt_policies"),
    "games/fps_arena": ("bt_policies",),
    "games/text": ("mcdml",),
    "games/seeing": ("cwm",),
    "sandbox": ("cwm/worker",),
}
"""Folders of tests beside a package's own, by the beginning of a module's path."""
FAR = 4
"""Tests of the same package count up to so many imports away, those in the module's own folder always."""
FAR_ELSEWHERE = 2
DOORS = Path("tests/runs/test_doors.py")
"""The test of all old names: it finds the files of the folders `doors` and imports none of them by name."""
LEFT_OUT = {
    "tests/sandbox/test_attacks.py": "attacks run here for real where a mutation has opened the seal",
    "tests/test_docs.py": "it reads the documentation",
}


class Covering:
    """The tests of a tree.

    Args:
      root: of the tree.
    """

    def __init__(self, root: Path):
        self._root = root
        files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
        files += [path for path in [root / "spielwright.py"] if path.is_file()]
        self._modules = {_module(path.relative_to(root)): path.relative_to(root) for path in files}
        self._tests = [
            path.relative_to(root)
            for path in sorted((root / "tests").rglob("test_*.py"))
            if str(path.relative_to(root)) not in LEFT_OUT and "mutations" not in path.parts
        ]

    @functools.cache  # noqa: B019  (one object for a run)
    def _imports(self, path: Path) -> frozenset[Path]:
        """The suite's files that a file imports or names."""
        source = (self._root / path).read_text(encoding="utf-8")
        names = set(re.findall(rf"\b(?:{'|'.join(PACKAGES)})(?:\.\w+)+", source))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.update(f"{node.module}.{alias.name}" for alias in node.names)
                names.add(node.module)
        found = {self._modules[name] for name in names if name in self._modules}
        if path.parts[0] == "tests":
            fixtures = (folder / "conftest.py" for folder in path.parents if folder != Path("."))
            found |= {conftest for conftest in fixtures if (self._root / conftest).is_file()}
        return frozenset(found - {path})

    def _distances(self, module: Path) -> dict[Path, int]:
        """By how many imports each test leads to a module."""
        found = {}
        for test in self._tests:
            seen, queue = {test}, deque([(test, 0)])
            while queue:
                path, distance = queue.popleft()
                if path == module:
                    found[test] = distance
                    break
                for after in self._imports(path) - seen:
                    seen.add(after)
                    queue.append((after, distance + 1))
        return found

    def tests(self, file: str) -> list[str]:
        """The files of tests for a module's path, the likeliest to fail first."""
        module = Path(file)
        folders = [module.parts[0], *(folder for start, also in ALSO.items() if file.startswith(start)
                                      for folder in also)]  # fmt: skip
        distances = self._distances(module)

        own = next(
            (
                folder
                for folder in module.parents
                if any(test.parent == "tests" / folder for test in self._tests)
            ),
            None,
        )

        def is_own(test: Path) -> bool:
            return own is not None and test.parent == "tests" / own

        def is_elsewhere(test: Path) -> bool:
            return test.parts[1] != module.parts[0]

        def rank(test: Path) -> tuple[int, int, str]:
            return distances.get(test, 99) - 2 * is_own(test) + is_elsewhere(test), -len(test.parts), str(test)

        chosen = [
            test
            for test in self._tests
            if any(str(test).startswith(f"tests/{folder}/") for folder in folders)
            and (is_own(test) or distances.get(test, 99) <= (FAR_ELSEWHERE if is_elsewhere(test) else FAR))
        ]
        first = [DOORS] if "doors" in module.parts else []
        return [str(test) for test in first + sorted(set(chosen).difference(first), key=rank)]


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
