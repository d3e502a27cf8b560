"""The documents say what is so: README's session, links, commands and folders, and the bounds on their length."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from pathlib import Path

import pytest

import spielwright  # noqa: F401
from spielwright_packages import PACKAGES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)
DOCUMENTS = sorted(
    path
    for path in [
        *ROOT.glob("*.md"),
        *(path for name in (*PACKAGES, "docs", "tests") for path in (ROOT / name).rglob("*.md")),
    ]
    if ROOT / "docs" / "reference" not in path.parents
)


def name(path):
    return str(path.relative_to(ROOT))


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def prose(path):
    """A document without its code."""
    return CODE.sub("", path.read_text(encoding="utf-8"))


def anchors(path):
    """The anchors that GitHub gives to the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(path):
    """The links of a document to files that are not there, or to headings that their file does not have."""
    for target in re.findall(r"\]\(([^()\s]+)\)", prose(path)):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        linked = path.parent / file if file else path
        if not linked.exists() or (anchor and anchor not in anchors(linked)):
            yield target


def test_the_session_works_when_pasted():
    session = blocks("python")[0]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(session, "README.md", "exec"), {})
    promised = re.findall(r"print\(.*\)\s+# (.*)", session)
    assert len(promised) == 3 and printed.getvalue().splitlines() == promised


def test_the_two_set_up_commands_stand_on_lines_of_their_own():
    lines = README.splitlines()
    assert "pip install . && python -m arena.quickstart" in lines
    assert "pip install '.[test]' && pytest" in lines


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_every_link_leads_somewhere(path):
    assert not list(broken_links(path))


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A heading: here\n[a](page.md#a-heading-here) [b](#there) [c](gone.md) [d](https://e.org/f)\n"
    )
    assert list(broken_links(page)) == ["#there", "gone.md"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_documented_modules_exist(path):
    for module in re.findall(r"python -m (\w[\w.]*)", path.read_text(encoding="utf-8")):
        if module not in ("pip", "venv", "pytest"):
            file = ROOT / module.replace(".", "/")
            assert file.with_suffix(".py").exists() or (file / "__main__.py").exists(), module


def test_the_folders_of_the_readme_are_there():
    (tree,) = blocks("text")
    folders = re.findall(r"^(\w+)/ ", tree, re.MULTILINE)
    assert len(folders) == len(tree.splitlines()) and all((ROOT / folder).is_dir() for folder in folders)
    assert set(PACKAGES) <= set(folders)


def test_the_front_documents_stay_short():
    assert len(README.splitlines()) <= 80
    assert len((ROOT / "BUILD_NOTES.md").read_text(encoding="utf-8").split()) <= 1500
    assert len(re.findall(r"^\* ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)) <= 10


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "results" / "tables").glob("*.csv")), ids=name)
def test_every_row_of_a_table_is_whole(path):
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert rows and all(len(row) == len(header) for row in rows)


def test_every_dependency_has_its_reason():
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")
    notes = (ROOT / "BUILD_NOTES.md").read_text(encoding="utf-8").partition("## Dependencies")[2]
    packages = re.findall(r'"([\w-]+)(?:\[\w+\])?(?:==|>=)', setup)
    assert len(packages) > 15
    for package in set(packages):
        assert re.search(rf"^\|[^|]*\b{re.escape(package)}\b[^|]*\|", notes, re.MULTILINE), package
