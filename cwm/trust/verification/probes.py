"""A copy of a model's program with probes, made without running it, which tell the lines and conditions reached.

Probes are put in by the parent, on the syntax tree: one at the start of each *block*, a run of statements that
is left only at its end, and one around each *condition*, the smallest expression that decides a branch (of
`if`, `while`, a conditional expression, a filter, or an operand of `and` and `or`), which notes how it came out.
Coverage of conditions in this sense is "condition coverage" of software testing (DO-178C, section 6.4.4.2 asks
for a stronger form).

The copy runs in a sealed worker of its own beside the tests, never in place of the model: the verdicts are
about the program as it is. Its report is the program's claim, which it could forge; nothing is settled by it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

_TEXT = 100
"""Characters of a condition that are shown."""
_PROLOGUE = """
_cwm_hits = bytearray({size})
def _cwm_if(_cwm_place, _cwm_value):
    _cwm_hits[_cwm_place + (1 if _cwm_value else 0)] = 1
    return _cwm_value
"""


@dataclass(frozen=True)
class Block:
    """A run of statements: numbers of its lines, those of nested blocks left out, the function that it stands
    in ("" at the module's top level), and whether it does nothing but raise."""

    lines: tuple[int, ...]
    function: str
    raises: bool


@dataclass(frozen=True)
class Condition:
    """An expression that decides a branch: its line, function and text, and whether one of its outcomes leads
    to nothing but a raised error."""

    line: int
    function: str
    text: str
    guard: bool


@dataclass(frozen=True)
class Probed:
    """A program with probes. Probe i is that of block i; condition j has the two probes after those of the
    blocks at 2j for false and 2j + 1 for true."""

    source: str
    blocks: tuple[Block, ...]
    conditions: tuple[Condition, ...]

    @property
    def size(self) -> int:
        """Number of probes."""
        return len(self.blocks) + 2 * len(self.conditions)


def with_probes(source: str) -> Probed:
    """The program with probes.

    Raises:
      SyntaxError, ValueError: the source does not parse.
    """
    tree = ast.parse(source)
    start = 0
    while start < len(tree.body) and _stays_first(tree.body[start]):
        start += 1
    writer = _Writer()
    body = writer.suite(tree.body[start:])
    for node in writer.wrapped:  # known only now: conditions come after the blocks
        node.args[0].value = len(writer.blocks) + 2 * node.args[0].value
    size = len(writer.blocks) + 2 * len(writer.conditions)
    tree.body = tree.body[:start] + ast.parse(_PROLOGUE.format(size=size)).body + body
    return Probed(ast.unparse(ast.fix_missing_locations(tree)), tuple(writer.blocks), tuple(writer.conditions))


def _stays_first(node: ast.stmt) -> bool:
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


def _leaves(node: ast.stmt) -> bool:
    """Whether a compound statement may leave the run of statements that it stands in."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return False
    return not _is_simple(node) and any(
        isinstance(inner, (ast.Return, ast.Raise, ast.Break, ast.Continue)) for inner in ast.walk(node)
    )


def _is_simple(node: ast.stmt) -> bool:
    return not getattr(node, "body", None)


def _own_lines(node: ast.stmt) -> range:
    """The lines of a statement without those of the blocks in it."""
    if _is_simple(node):
        return range(node.lineno, node.end_lineno + 1)
    return range(node.lineno, max(node.lineno + 1, node.body[0].lineno))


def _only_raises(statements: list[ast.stmt]) -> bool:
    return bool(statements) and isinstance(statements[-1], (ast.Raise, ast.Assert)) and len(statements) == 1


class _Writer(ast.NodeTransformer):
    """Puts the probes in."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.conditions: list[Condition] = []
        self.wrapped: list[ast.Call] = []
        self._functions: list[str] = []

    def suite(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """A suite of statements with a probe at the start of each block."""
        runs: list[list[ast.stmt]] = [[]]
        for node in statements:
            runs[-1].append(node)
            if _leaves(node):
                runs.append([])
        written: list[ast.stmt] = []
        for run in filter(None, runs):
            lines = tuple(line for node in run for line in _own_lines(node))
            place = len(self.blocks)
            self.blocks.append(Block(lines, ".".join(self._functions), _only_raises(run)))
            written += ast.parse(f"_cwm_hits[{place}] = 1").body
            written += [self.visit(node) for node in run]
        return written

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, name, self.suite(value))
            elif isinstance(value, list):
                value[:] = [self.visit(one) if isinstance(one, ast.AST) else one for one in value]
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        return node

    def _visit_scope(self, node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
        self._functions.append(node.name)
        self.generic_visit(node)
        self._functions.pop()
        return node

    visit_FunctionDef = visit_ClassDef = _visit_scope

    def visit_If(self, node: ast.If) -> ast.AST:
        test = self._condition(node.test, _only_raises(node.body) or _only_raises(node.orelse))
        node.test = ast.Constant(True)  # so that it is not visited twice
        self.generic_visit(node)
        node.test = test
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        return self.visit_If(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._condition(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = self.visit(node.iter)
        node.ifs = [self._condition(one) for one in node.ifs]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        *first, last = node.values
        # The last operand of `x or []` is a value and decides nothing, unless it is a comparison.
        node.values = [self._condition(one) for one in first] + [self._truth(last)]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            node.value = self._truth(node.value)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        node.elt = self._truth(node.elt)
        node.generators = [self.visit(one) for one in node.generators]
        return node

    def _truth(self, node: ast.expr) -> ast.expr:
        """A condition where the expression is a truth value by its form, else as it is."""
        negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        return self._condition(node) if negated or isinstance(node, ast.Compare) else self.visit(node)

    def _condition(self, node: ast.expr, guard: bool = False) -> ast.expr:
        if isinstance(node, ast.Constant):
            return node
        if isinstance(node, ast.BoolOp):
            node.values = [self._condition(one, guard) for one in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._condition(node.operand, guard)
            return node
        text = ast.unparse(node)
        text = text if len(text) <= _TEXT else f"{text[: _TEXT - 3]}..."
        place = ast.Constant(len(self.conditions))
        self.conditions.append(Condition(node.lineno, ".".join(self._functions), text, guard))
        call = ast.Call(ast.Name("_cwm_if", ast.Load()), [place, self.visit(node)], [])
        self.wrapped.append(call)
        return ast.copy_location(call, node)
