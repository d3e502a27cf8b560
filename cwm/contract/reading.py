"""The static reading of a model's program: where it breaks the contract, found without running it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence

from cwm.contract.functions import CONSTANTS, IMPORTABLE, Function, functions_of


def breaches(source: str, hidden: bool = False, simultaneous: bool = False) -> list[str]:
    """Reads a model's source without running it and lists where it breaks the contract.

    Args:
      source: text of the module.
      hidden: whether the game hides information, so that `HIDDEN_FUNCTIONS` are required too.
      simultaneous: whether players choose at once, so that `SIMULTANEOUS_FUNCTIONS` are required too.

    Returns:
      One sentence per breach, empty where none was found: syntax errors, missing constants or
      functions, wrong parameter counts, imports that a worker does not have, and parameters that
      shadow a required function (which breaks calls inside that function).
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f" at line {line}" if line else ""
        return [f"the module does not parse{where}: {getattr(error, 'msg', None) or error}"]
    found = []
    functions, names = _module_names(tree)
    for constant in CONSTANTS:
        if constant.name not in names:
            found.append(f"the constant {constant.name} is missing ({constant.meaning})")
    wanted = functions_of(hidden, simultaneous)
    for function in wanted:
        found += _function_breaches(function, functions, names)
    required = {function.name for function in wanted}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            arguments = node.args
            for argument in arguments.posonlyargs + arguments.args + arguments.kwonlyargs:
                if argument.arg in required:
                    found.append(
                        f"line {node.lineno}: a parameter is named {argument.arg!r}, which "
                        f"hides the required function of that name"
                    )
    return found + import_breaches(tree)


@functools.lru_cache(maxsize=64)
def defines(source: str, name: str) -> bool:
    """Whether a model's source, which is read and not run, binds this name at its top level."""
    try:
        return name in _module_names(ast.parse(source))[1]
    except (SyntaxError, ValueError):
        return False


def _module_names(tree: ast.Module) -> tuple[dict[str, ast.FunctionDef], set[str]]:
    """Functions and all names bound at the top level, conditional and looped statements included."""
    functions: dict[str, ast.FunctionDef] = {}
    names: set[str] = set()
    pending = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = node
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name.split(".")[0]) for alias in node.names)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    pending.append(child)
            for child in ast.walk(node):
                if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                    names.add(child.id)
    return functions, names


def _function_breaches(function: Function, functions: dict[str, ast.FunctionDef], names: set[str]) -> list[str]:
    if function.name not in names:
        return [f"the function {function.signature} is missing"]
    node = functions.get(function.name)
    if node is None:  # bound some other way, such as by assignment: only running it can tell
        return []
    arguments = node.args
    most = len(arguments.posonlyargs) + len(arguments.args)
    least = most - len(arguments.defaults)
    wanted = len(function.parameters)
    if not (least <= wanted <= most or (arguments.vararg and least <= wanted)):
        return [f"line {node.lineno}: {function.name} takes {most} parameters, expected {function.signature}"]
    return []


def extension_breach(source: str, function: Function) -> str | None:
    """The fault of a module that extends a model by one function, found without running it.

    Args:
      source: text of the module; it may import `model` and the modules that a model may import.
      function: the function that it must define.

    Returns:
      One sentence, or None.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        return f"the program does not parse: {error}"
    found = import_breaches(tree, ("model", *IMPORTABLE)) + _function_breaches(function, *_module_names(tree))
    return found[0] if found else None


def import_breaches(tree: ast.Module, allowed: Sequence[str] = IMPORTABLE) -> list[str]:
    """One sentence for each import, anywhere in a module, of a module that is not allowed."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = ["." * node.level + (node.module or "")]
        else:
            continue
        found += [
            f"line {node.lineno}: the module {module!r} cannot be imported here; allowed are "
            f"{', '.join(allowed)}"
            for module in modules
            if module not in (*allowed, "__future__")
        ]
    return found
