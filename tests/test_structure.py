"""How the house is built: which package may import which, no cycles, no command used as a library, short folders."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

from spielwright_packages import PACKAGES

ROOT = Path(__file__).parents[1]
METHODS = ("cwm", "bt_policies", "skill_planner", "policy_evolve", "mcdml")
BELOW_METHODS = {"runs", "artefacts", "sandbox", "language_models", "games", "arena"}
ALLOWED: dict[str, set[str]] = {
    "runs": set(),
    "artefacts": set(),
    "sandbox": set(),
    "language_models": {"runs"},
    "games": {"runs"},
    "arena": {"runs", "games", "language_models"},
    **{method: BELOW_METHODS for method in METHODS},
    "benchmarks": set(PACKAGES),
}
"""Package -> the other packages that its modules may import."""
COMMANDS_MAY = {"games": {"arena"}}
"""Package -> what its commands may import too."""
MODULES_MAY = {"arena.quickstart": {"cwm"}}
"""Module -> what it alone may import too."""

MOST_ENTRIES = 16
MORE_ENTRIES = {"arena": 24, "bt_policies": 18}
"""Folders that may show more."""
DATA = ("artefacts/", "language_models/recordings/", "openspiel_views/rules/documented/", "traces/")
"""Folders of data, which nobody reads through."""


def sources() -> dict[str, Path]:
    """Module -> file, of every package."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            relative = path.relative_to(ROOT)
            if relative.as_posix() != "artefacts/__init__.py" and relative.as_posix().startswith(DATA):
                continue
            if "models" in relative.parts:  # programs that language models wrote
                continue
            found[".".join(relative.with_suffix("").parts).removesuffix(".__init__")] = path
    return found


SOURCES = sources()


@functools.cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(SOURCES[module].read_text("utf-8"))


@functools.cache
def imports(module: str) -> frozenset[str]:
    """The suite's modules that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in SOURCES else node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return frozenset((found & SOURCES.keys()) - {module})


def is_command(module: str) -> bool:
    """Whether the file ends by running `cli.run`."""
    last = tree_of(module).body[-1:]
    return bool(last) and isinstance(last[0], ast.If) and "cli.run(" in ast.unparse(last[0])


@functools.cache
def commands() -> frozenset[str]:
    return frozenset(filter(is_command, SOURCES))


def cycles() -> set[frozenset[str]]:
    """The groups of modules each of which imports, over others of the group, all others (Tarjan 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: set[frozenset[str]] = set()

    def visit(module: str) -> None:
        order[module] = low[module] = len(order)
        stack.append(module)
        for other in sorted(imports(module)):
            if other not in order:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], order[other])
        if low[module] == order[module]:
            at = stack.index(module)
            if len(stack) - at > 1:
                found.add(frozenset(stack[at:]))
            del stack[at:]

    for module in SOURCES:
        if module not in order:
            visit(module)
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_lies_below_it(package):
    for module in SOURCES:
        if module.partition(".")[0] != package:
            continue
        allowed = ALLOWED[package] | {package} | MODULES_MAY.get(module, set())
        if module in commands():
            allowed |= COMMANDS_MAY.get(package, set())
        wrong = {other for other in imports(module) if other.partition(".")[0] not in allowed}
        assert not wrong, f"{module} imports {', '.join(sorted(wrong))}"


def test_no_files_import_each_other_in_a_circle():
    assert cycles() == set()


def test_a_command_is_imported_by_nobody():
    assert len(commands()) > 40
    used = {
        other: sorted(module for module in SOURCES if other in imports(module))
        for other in commands()
        if any(other in imports(module) for module in SOURCES)
    }
    assert not used, used


def test_importing_a_command_defines_no_flags():
    for module in commands():
        body = [node for node in tree_of(module).body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        for node in body:
            assert "DEFINE_" not in ast.unparse(node), f"{module} defines a flag outside of a function"


def test_no_folder_is_longer_than_a_glance():
    too_long = {}
    for top in (*PACKAGES, "tests"):
        for folder in [ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())]:
            name = folder.relative_to(ROOT).as_posix()
            if "__pycache__" in name or any(f"/{data}" in f"/{name}/" for data in DATA):
                continue
            entries = [entry for entry in folder.iterdir() if entry.name != "__pycache__"]
            if len(entries) > MORE_ENTRIES.get(name, MOST_ENTRIES):
                too_long[name] = len(entries)
    assert not too_long


def test_whatever_lies_in_a_package_is_installed_with_it():
    """Programs are by themselves; of all else the patterns of setup.py must speak, but for the READMEs."""
    [call] = [
        node.value for node in ast.parse((ROOT / "setup.py").read_text()).body if isinstance(node, ast.Expr)
    ][1:]
    data = next(ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg == "package_data")
    left_out, seen = [], 0
    for name in PACKAGES:
        for path in (ROOT / name).rglob("*"):
            if (
                name == "benchmarks"
                or path.is_dir()
                or path.suffix in (".py", ".pyc")
                or path.name == "README.md"
            ):
                continue
            package = next(parent for parent in path.parents if (parent / "__init__.py").exists())
            patterns = [*data[""], *data.get(".".join(package.relative_to(ROOT).parts), [])]
            seen += 1
            if not any(path.relative_to(package).match(pattern) for pattern in patterns):
                left_out.append(str(path))
    assert seen > 100 and left_out == []
