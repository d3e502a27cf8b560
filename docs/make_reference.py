"""Makes the pages of docs/reference/ from the docstrings:

    python docs/make_reference.py

Reads the sources without running them. The pages are built, not tracked.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from spielwright_packages import PACKAGES  # noqa: E402  (the suite need not be installed)

OUTPUT = ROOT / "docs" / "reference"
_SKIPPED = {"models", "recordings", "prompts", "templates", "world_models", "code_policies"}


def _modules(package: Path) -> Iterator[Path]:
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).parts
        if (not _SKIPPED & set(parts[:-1]) and not path.stem.startswith("_")) or parts == ("__init__.py",):
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
    for name in PACKAGES:
        docstring = ast.get_docstring(ast.parse((ROOT / name / "__init__.py").read_text("utf-8"))) or name
        parts = [part for path in _modules(ROOT / name) for part in _module(path)]
        made[f"{name}.md"] = "\n\n".join([f"# {name}", *parts]) + "\n"
        rows.append(f"| [{name}]({name}.md) | {docstring.partition(chr(10))[0]} |")
    made["README.md"] = (
        "\n".join(
            [
                "# Reference",
                "",
                "Made from the docstrings by `docs/make_reference.py`.",
                "",
                "| package | |",
                "|---|---|",
                *rows,
            ]
        )
        + "\n"
    )
    return made


def main() -> None:
    """Writes the pages, and removes those of packages that are gone."""
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
