"""Makes the pages of docs/reference/ from the docstrings:

    python docs/make_reference.py

Reads the sources without running them. A test compares the pages with what this would write.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "docs" / "reference"
ROOMS = {
    "games": "ground-truth games and views",
    "language_models": "one protocol, its backends, recording, budgets, retries",
    "sandbox": "the sealed worker in which every generated program runs",
    "arena": "bots by name, matches, records, ratings, the report",
    "cwm": "code world models",
    "bt_policies": "behaviour trees",
    "skill_planner": "parameterized skills",
    "policy_evolve": "code policies that evolve",
    "mcdml": "tree search with a language model's prior and memories",
    "benchmarks": "measuring commands, not installed",
}
_SKIPPED = {"models", "policies", "recordings", "prompts", "templates", "examples", "trees"}


def _modules(room: Path) -> Iterator[Path]:
    for path in sorted(room.rglob("*.py")):
        parts = path.relative_to(room).parts
        if not _SKIPPED & set(parts[:-1]) and not path.stem.startswith("_") or parts == ("__init__.py",):
            yield path


def _public(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node


def _quoted(docstring: str) -> str:
    """As it stands: the docstrings are laid out for a fixed-width reader."""
    fence = "````" if "```" in docstring else "```"
    return f"{fence}text\n{docstring.strip()}\n{fence}"


def _signature(node: ast.FunctionDef) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returns}"


def _described(node: ast.FunctionDef | ast.ClassDef, level: int) -> Iterator[str]:
    docstring = ast.get_docstring(node)
    if docstring is None:
        return
    if isinstance(node, ast.FunctionDef):
        yield f"{'#' * level} `{_signature(node)}`"
    else:
        bases = ", ".join(map(ast.unparse, node.bases))
        yield f"{'#' * level} class `{node.name}{f'({bases})' if bases else ''}`"
    yield _quoted(docstring)
    if isinstance(node, ast.ClassDef):
        for method in _public(node.body):
            yield from _described(method, level + 1)


def _module(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    docstring = ast.get_docstring(tree)
    if docstring is None:
        return
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    yield f"## {name}"
    yield _quoted(docstring)
    for node in _public(tree.body):
        yield from _described(node, 3)


def pages() -> dict[str, str]:
    """Name of the file -> its text."""
    made = {}
    rows = []
    for room, purpose in ROOMS.items():
        if (ROOT / room).is_dir():
            parts = [part for path in _modules(ROOT / room) for part in _module(path)]
            made[f"{room}.md"] = "\n\n".join([f"# {room}: {purpose}", *parts]) + "\n"
            rows.append(f"| [{room}]({room}.md) | {purpose} |")
    made["README.md"] = "\n".join(["# Reference", "", "Made from the docstrings by `docs/make_reference.py`.", "",
                                   "| room | |", "|---|---|", *rows]) + "\n"
    return made


def main() -> None:
    """Writes the pages, and removes those of rooms that are gone."""
    OUTPUT.mkdir(exist_ok=True)
    made = pages()
    for path in OUTPUT.glob("*.md"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (OUTPUT / name).write_text(text, "utf-8")
    print(f"{OUTPUT.relative_to(ROOT)}: {len(made)} pages")


if __name__ == "__main__":
    main()
