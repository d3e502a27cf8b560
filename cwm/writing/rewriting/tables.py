"""The variables that a verified model computes when it is loaded, as it must be told to whoever writes it in C.

A model in C has no moment at which it could fill a table, so tables are copied, and constants must be numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cwm.writing.rewriting import native_agreement

MOST_CHARACTERS, MOST_TOGETHER = 3_000, 16_000
"""The longest expression of one variable, and of all variables of a module together."""


def constants_and_tables(source: str, value_source: str | None) -> tuple[dict[str, str], ...]:
    """The contents of a model's constants, of its computed variables, and of its value function's.

    Args:
      source: text of the model's module.
      value_source: text of its value function's module, or None.

    Returns:
      Three dicts from a name to a Python expression. Variables that are too long, and those that the text writes
      out already, are left out.

    Raises:
      sandbox.SandboxError: the modules do not run here.
    """
    program = native_agreement.verified_program(source, value_source)
    try:
        constants = {name: repr(value) for name, value in program.call("constants").items()}
        found = [constants]
        for place, text in (("model", source), ("value_function", value_source)):
            names = [name for name in _computed(text or "") if name not in constants]
            written = program.call("written_out", place, names, MOST_CHARACTERS) if names else {}
            found.append(_shortened(written, text or ""))
    finally:
        program.close()
    return tuple(found)


def _computed(source: str) -> list[str]:
    """Names of the variables that the module assigns outside of functions, in order, each once."""
    names: dict[str, None] = {}
    for node in ast.parse(source).body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                names.update((name, None) for name in _names_in(target))
    return list(names)


def _names_in(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _names_in(part)


def _shortened(written: dict[str, str], source: str) -> dict[str, str]:
    """Those that the source does not write out itself, as many as fit together, the short ones first."""
    literals = _literals(source)
    computed = {name: text for name, text in written.items() if literals.get(name) != _normal(text)}
    together, kept = 0, set()
    for name in sorted(computed, key=lambda name: len(computed[name])):
        together += len(computed[name])
        if together > MOST_TOGETHER:
            break
        kept.add(name)
    return {name: text for name, text in computed.items() if name in kept}


def _literals(source: str) -> dict[str, str]:
    """Contents of the variables that the source writes out, as expressions."""
    found: dict[str, str] = {}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.Assign):
            continue
        target = node.targets[0]
        if isinstance(target, ast.Name):
            pairs = [(target, node.value)]
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts))
        else:
            continue
        for name, value in pairs:
            try:
                found[ast.unparse(name)] = repr(ast.literal_eval(value))
            except ValueError:
                found.pop(ast.unparse(name), None)
    return found


def _normal(text: str) -> str:
    return repr(ast.literal_eval(text))
