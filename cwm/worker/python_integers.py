"""Keeps C arithmetic out of compiled Python.

Cython computes in C where it knows C types for all operands: `1 << len(x)` is a shift of 64 bits,
`2 if x else 0.5` a C double, `-isinstance(x, int)` a negated truth value. It knows them for numbers,
comparisons and calls of built-in functions; never for names (type inference is off), attributes and
the results of the program's functions. `Exact` rewrites a syntax tree so that one operand of each such
operation is the result of a function of the module, hence a Python object, and the operation
Python's own. tests/cwm/expressions.txt holds what this was found and is checked with; it is no
proof for all of Python.
"""

from __future__ import annotations

import ast
import operator

PLAIN = "__spielwright_object"
"""The function that returns its argument; a name that no program has."""

_FOLDED = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Pow: operator.pow,
}
_LARGEST = 1 << 62
_LONGEST_SHIFT = 62


def _integer(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def _fold(node: ast.BinOp) -> ast.expr | None:
    """Two integers as one, where the result fits into a machine word; else None."""
    left, right = _integer(node.left), _integer(node.right)
    function = _FOLDED.get(type(node.op))
    if left is None or right is None or function is None:
        return None
    if isinstance(node.op, (ast.LShift, ast.RShift, ast.Pow)) and not 0 <= right <= _LONGEST_SHIFT:
        return None
    if abs(left) > _LARGEST or (isinstance(node.op, (ast.FloorDiv, ast.Mod)) and right == 0):
        return None
    value = function(left, right)
    return ast.copy_location(ast.Constant(value), node) if 0 <= value <= _LARGEST else None


def _typed(node: ast.expr) -> bool:
    """Whether Cython may know a C type for this expression; also says so of some without."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        return False
    if isinstance(node, ast.Subscript):
        return _typed(node.value)
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Name) and node.func.id == PLAIN)
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, (str, type(None)))
    return not isinstance(
        node, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr, ast.Lambda)
    )


def _plain(node: ast.expr) -> ast.expr:
    name = ast.copy_location(ast.Name(PLAIN, ast.Load()), node)
    return ast.copy_location(ast.Call(name, [node], []), node)


class Exact(ast.NodeTransformer):
    """See the module's docstring and `rewrite`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        folded = _fold(node)
        if folded is not None:
            return folded
        if _typed(node.left) and _typed(node.right):
            if isinstance(node.left, ast.Constant) and not isinstance(node.right, ast.Constant):
                node.right = _plain(node.right)
            else:
                node.left = _plain(node.left)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if (
            not isinstance(node.op, ast.Not)
            and _typed(node.operand)
            and (not isinstance(node.operand, ast.Constant) or isinstance(node.operand.value, bool))
        ):
            node.operand = _plain(node.operand)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if _typed(node.body) and _typed(node.orelse):
            node.body = _plain(node.body)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        # Comparisons joined by `and` stay truth values, so the usual condition costs nothing.
        if not all(map(_truth, node.values)) and all(map(_typed, node.values)):
            node.values[0] = _plain(node.values[0])
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        # Iterating over a literal of bytes would give bytes.
        return _plain(node) if isinstance(node.value, bytes) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        operands = [node.left, *node.comparators]
        if any(isinstance(x, ast.Constant) and isinstance(x.value, float) for x in operands):
            # As C doubles, integers above 2**53 would equal their neighbours.
            node.left, *node.comparators = [
                _plain(x) if isinstance(x, ast.Call) and _typed(x) else x for x in operands
            ]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("max", "min") and node.args:
            # Written out by Cython as a comparison of its arguments, in a type common to them.
            if not isinstance(node.args[0], ast.Starred) and _typed(node.args[0]):
                node.args[0] = _plain(node.args[0])
        return node


def _truth(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Compare)
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
        or (isinstance(node, ast.BoolOp) and all(map(_truth, node.values)))
    )


def rewrite(tree: ast.Module) -> ast.Module:
    """Rewrites a module's tree in place, once, and defines `PLAIN` where it begins.

    Returns:
      The tree, whose line numbers no longer mean anything.
    """
    if any(isinstance(node, ast.FunctionDef) and node.name == PLAIN for node in tree.body):
        return tree
    Exact().visit(tree)
    first = 0
    for index, node in enumerate(tree.body):
        docstring = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            first = index + 1
        else:
            break
    tree.body[first:first] = ast.parse(f"def {PLAIN}(value):\n    return value\n").body
    return ast.fix_missing_locations(tree)
