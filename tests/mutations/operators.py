"""The small changes that can be made to a module, one at a time.

Left out are places where a change is no defect or is not for tests to see: docstrings and annotations,
f-strings and what is raised (messages), what is printed or logged, flags' definitions, decorators, assertions,
`if __name__ == "__main__"`, keyword arguments of time and layout, the looks of charts, and in modules that draw
constants and calls.
"""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
SMALL = 10
"""Whole numbers up to here are changed by one."""
SAID = re.compile(
    r"_?(say|print|log|logging|warn|warning|info|debug|progress|DEFINE_\w+|set_help|add_argument)"
)
"""Names of calls whose arguments are read by people."""
LOOKS = re.compile(
    r"add_patch|annotate|grid|legend|set_(title|xlabel|ylabel|xlim|ylim|xticks|yticks)|tick_params|tight_layout"
)
"""Names of calls that say how a chart looks."""
MATTERS_OF_FORM = {"daemon", "encoding", "exist_ok", "flush", "help", "indent", "maxsize", "parents", "separators",
                   "stacklevel", "timeout"}  # fmt: skip
SYMMETRIC = {"getattr", "hasattr", "isinstance", "issubclass", "max", "min"}
"""Calls whose two arguments are not swapped: nothing would change, or nothing would run."""
DRAWINGS = re.compile(r"(^|/)(draw|animate|plot|charts|render|pictures|gallery|\w*drawing)\w*\.py$")


@dataclass(frozen=True, order=True)
class Mutation:
    """One change of one file.

    Attributes:
      file: path from the root of the tree.
      line, column: where it begins, from 1 and from 0.
      operator: its kind.
      before, after: the text that is replaced, and by what.
      start: offset of `before` in the file's text.
    """

    file: str
    line: int
    column: int
    operator: str
    before: str
    after: str
    start: int

    def apply(self, text: str) -> str:
        """The file's text with the change.

        Raises:
          ValueError: the text is not the one that the mutation was found in.
        """
        end = self.start + len(self.before)
        if text[self.start : end] != self.before:
            raise ValueError(f"{self.file}:{self.line}: expected {self.before!r}; the file has changed")
        return text[: self.start] + self.after + text[end:]


class _Text:
    """A module's text by line and column, as syntax trees (columns in UTF-8 bytes) and tokens give them."""

    def __init__(self, text: str):
        self.text = text
        self._lines = [line + "\n" for line in text.split("\n")]
        self._starts = [0, *itertools.accumulate(map(len, self._lines))]
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        self._tokens = [
            (self._starts[token.start[0] - 1] + token.start[1], token.string)
            for token in tokens
            if token.type in (tokenize.OP, tokenize.NAME)
        ]

    def offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.AST) -> tuple[int, int]:
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def find(self, start: int, end: int, words: str) -> tuple[int, int]:
        """The span of an operator, of one token or two, between two operands."""
        first, *second = words.split()
        inside = [token for token in self._tokens if start <= token[0] < end]
        at = next(number for number, token in enumerate(inside) if token[1] == first)
        last = inside[at + 1] if second else inside[at]
        return inside[at][0], last[0] + len(last[1])

    def place(self, offset: int) -> tuple[int, int]:
        line = self.text.count("\n", 0, offset)
        return line + 1, offset - self._starts[line]


_TOKENS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
           ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not"}  # fmt: skip


def _name(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _is_said(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    owner = getattr(getattr(node.func, "value", None), "id", "")
    return bool(SAID.fullmatch(_name(node)) or SAID.fullmatch(owner) or LOOKS.fullmatch(_name(node)))


def _is_guard(node: ast.AST) -> bool:
    """`if __name__ == ...` and `if TYPE_CHECKING`."""
    return isinstance(node, ast.If) and bool(re.search(r"__name__|TYPE_CHECKING", ast.unparse(node.test)))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that may be changed."""
    if isinstance(node, (ast.JoinedStr, ast.Assert, ast.Raise, ast.Import, ast.ImportFrom)):
        return
    if _is_said(node) or _is_guard(node):
        return
    if isinstance(node, ast.Call) and _name(node) in ("TypeVar", "NewType", "Literal"):
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.keyword) and child.arg in MATTERS_OF_FORM:
                continue
            if isinstance(child, ast.AST):
                yield child


def _raises_what_cannot_happen(node: ast.Raise) -> bool:
    return node.exc is not None and bool(
        re.match(r"AssertionError|NotImplementedError|SystemExit", ast.unparse(node.exc))
    )


class _Finder:
    """Collects (start, end, after, operator) over a syntax tree."""

    def __init__(self, text: _Text, draws: bool):
        self._text, self._draws = text, draws
        self.found: list[tuple[int, int, str, str]] = []

    def visit(self, node: ast.AST) -> None:
        kind = getattr(self, f"_at_{type(node).__name__.lower()}", None)
        if kind is not None:
            kind(node)
        for child in _children(node):
            self.visit(child)

    def _add(self, span: tuple[int, int], after: str, operator: str) -> None:
        self.found.append((*span, after, operator))

    def _source(self, node: ast.AST) -> str:
        start, end = self._text.span(node)
        return self._text.text[start:end]

    def _between(self, left: ast.AST, right: ast.AST, words: str) -> tuple[int, int]:
        return self._text.find(self._text.span(left)[1], self._text.span(right)[0], words)

    def _at_compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:]):
            kind = type(operator)
            self._add(self._between(left, right, _TOKENS[kind]), COMPARISONS[kind], "comparison")

    def _at_boolop(self, node: ast.BoolOp) -> None:
        before, after = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:]):
            self._add(self._between(left, right, before), after, "and/or")

    def _at_unaryop(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add(self._text.span(node), f"({self._source(node.operand)})", "not")

    def _at_constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add(self._text.span(node), str(not node.value), "truth value")
        elif type(node.value) is int and node.value <= SMALL and not self._draws:
            for step in (1, -1):
                after = node.value + step
                self._add(self._text.span(node), str(after) if after >= 0 else f"({after})", "constant")

    def _at_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and not _is_said(node.value) and not self._draws:
            self._add(self._text.span(node), "pass", "dropped call")

    def _at_raise(self, node: ast.Raise) -> None:
        if not _raises_what_cannot_happen(node):
            self._add(self._text.span(node), "pass", "dropped raise")

    def _at_call(self, node: ast.Call) -> None:
        name = _name(node)
        if isinstance(node.func, ast.Name) and name in ("min", "max"):
            self._add(self._text.span(node.func), "max" if name == "min" else "min", "min/max")
        if len(node.args) != 2 or name in SYMMETRIC or _is_said(node):
            return
        first, second = map(self._source, node.args)
        if first != second and not any(isinstance(argument, ast.Starred) for argument in node.args):
            start, end = self._text.span(node.args[0])[0], self._text.span(node.args[1])[1]
            middle = self._text.text[self._text.span(node.args[0])[1] : self._text.span(node.args[1])[0]]
            if "(" not in middle and ")" not in middle:
                self._add((start, end), f"{second}{middle}{first}", "swapped arguments")


def mutations(file: str, source: str) -> list[Mutation]:
    """All mutations of a module, in the order of their places.

    Args:
      file: its path from the root of the tree.
      source: its text.
    """
    text = _Text(source)
    finder = _Finder(text, draws=bool(DRAWINGS.search(file)))
    finder.visit(ast.parse(source))
    return sorted(
        Mutation(file, *text.place(start), operator, source[start:end], after, start)
        for start, end, after, operator in finder.found
    )
