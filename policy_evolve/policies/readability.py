"""How readable a policy's text is, and how long it is where indentation and comments cost nothing."""

from __future__ import annotations

import ast
import io
import tokenize
from typing import NamedTuple

_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.comprehension, ast.match_case)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
LONG_LINE = 100


class Readability(NamedTuple):
    """Measures of a text.

    Attributes:
      functions: the number of functions.
      most_complex: McCabe's cyclomatic complexity of the most complex function, or of the module's own statements.
      mean_complexity: the mean over functions; that of the module's own statements where there are none.
      long_lines: the share of lines, empty ones left out, of more than `LONG_LINE` characters.
      longest_line: the characters of the longest line.
      comments: the share of such lines that are a comment.
    """

    functions: int
    most_complex: int
    mean_complexity: float
    long_lines: float
    longest_line: int
    comments: float


def counted_characters(source: str) -> int:
    """Returns the characters of a text without indentation, comments, empty lines and spaces at the ends of lines; all
    characters of what is no Python."""
    try:
        comments = {
            token.start: token.string
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type == tokenize.COMMENT
        }
    except (tokenize.TokenError, SyntaxError):
        return len(source)
    lines = source.splitlines()
    for (row, column), text in comments.items():
        lines[row - 1] = lines[row - 1][:column] + lines[row - 1][column + len(text) :]
    bare = [line.strip() for line in lines]
    return sum(len(line) + 1 for line in bare if line)


def _complexity(node: ast.AST) -> int:
    """One, and one for each branch of the node that is not in a function within it."""
    count, waiting = 1, list(ast.iter_child_nodes(node))
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, _FUNCTIONS):
            continue
        count += isinstance(inner, _BRANCHES)
        if isinstance(inner, ast.BoolOp):
            count += len(inner.values) - 1
        if isinstance(inner, ast.comprehension):
            count += len(inner.ifs)
        waiting.extend(ast.iter_child_nodes(inner))
    return count


def readability(source: str) -> Readability:
    """Measures a text.

    Raises:
      SyntaxError: it is no Python.
    """
    tree = ast.parse(source)
    found = [_complexity(node) for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    own = _complexity(tree)
    lines = [line for line in source.splitlines() if line.strip()] or [""]
    return Readability(
        len(found),
        max([own, *found]),
        sum(found) / len(found) if found else float(own),
        sum(len(line) > LONG_LINE for line in lines) / len(lines),
        max(map(len, lines)),
        sum(line.lstrip().startswith("#") for line in lines) / len(lines),
    )
