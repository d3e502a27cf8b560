"""Reads a world model's C source before any compiler does, and lists where it breaks the rules of `native.h`.

A compiler obeys its input: `#include` and `#embed` read files, attributes run code when an object is loaded,
inline assembly is anything at all. So what may stand in a model is listed by tokens, and all else is refused.
Tricks by which text becomes other tokens later (line continuations, trigraphs, digraphs, pasting, macros with
parameters) are refused as such, so that what is read here is what the compiler reads.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cwm.contract.functions import CONSTANTS

MAX_SOURCE_BYTES = 300_000

FUNCTIONS = (
    "initial_state",
    "current_player",
    "legal_actions",
    "chance_outcomes",
    "apply_action",
    "returns",
    "action_name",
    "observation",
)
HIDDEN_FUNCTIONS = ("information_state", "resample")
OPTIONAL_FUNCTIONS = ("value", "rollout")
SIMULTANEOUS_FUNCTIONS = ("player_legal_actions", "apply_actions", "player_action_name")
"""What a model defines, by `native.h`, and by `native_at_once.h` where players choose at once; see `cwm.contract.functions` for the meanings."""

_KEYWORDS = {
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "float", "for",
    "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
    "switch", "typedef", "union", "unsigned", "void", "while",
}  # fmt: skip
_REFUSED = {
    "asm": "inline assembly",
    "extern": "a name from outside",
    "goto": "a jump",
    "volatile": "volatile memory",
    "typeof": "typeof",
    "alloca": "memory of a length that is not fixed",
    "clock_gettime": "the clock",
}
_SAFE_BUILTINS = frozenset(
    f"__builtin_{name}{size}"
    for name in ("popcount", "ctz", "clz", "ffs", "parity")
    for size in ("", "l", "ll")
) | {"__builtin_expect"}
_UNDERSCORED = _SAFE_BUILTINS | {"_Bool", "_Static_assert"}
_RESERVED = re.compile(
    r"core_|uct_|ismcts_|games_|native_|CORE_|ISMCTS_|NATIVE_|Uct[A-Z]|Ismcts[A-Z]|Native[A-Z]"
)
_RESERVED_AT_ONCE = re.compile(r"smcts_|SMCTS_|Smcts[A-Z]")

_TOKEN = re.compile(
    r"""(?P<space>[ \t]+|/\*[\s\S]*?\*/|//[^\n]*)
    | (?P<line>\n)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*)
    | (?P<string>"(?:[^"\\\n]|\\[^\n])*")
    | (?P<character>'(?:[^'\\\n]|\\[^\n])+')
    | (?P<sign><:|:>|<%|%>|%:|\#\#|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|[][(){}.,;:?!~^&|=<>+*/%#-])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A token of C: its kind (name, number, string, character or sign), text and line."""

    kind: str
    text: str
    line: int
    first_in_line: bool
    glued: bool
    """Whether it follows the token before it without a space."""


class _Unreadable(ValueError):
    """Text that is not C as it may stand here."""


def _tokens(source: str) -> list[Token]:
    found: list[Token] = []
    at, line, first, glued = 0, 1, True, False
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None or (source.startswith("/*", at) and match.lastgroup != "space"):
            raise _Unreadable(f"line {line}: unexpected text {source[at : at + 20]!r}")
        kind, text = match.lastgroup or "", match.group()
        if kind in ("space", "line"):
            glued = False
        else:
            found.append(Token(kind, text, line, first, glued))
            first, glued = False, True
        first = first or kind == "line"
        line += text.count("\n")
        at = match.end()
    return found


def _text_breaches(source: str) -> Iterator[str]:
    if len(source) > MAX_SOURCE_BYTES:
        yield f"the source has {len(source)} characters, expected at most {MAX_SOURCE_BYTES}"
    for pattern, what in (
        (r"[^\n\t -~]", "a character that is not printable ASCII"),
        (r"\\[ \t]*(\n|$)", "a line that is continued by a backslash"),
        (r"\?\?[=/'()!<>-]", "a trigraph"),
    ):
        match = re.search(pattern, source)
        if match:
            yield f"line {source.count(chr(10), 0, match.start()) + 1}: {what} is not allowed"


def _token_breaches(tokens: Sequence[Token]) -> Iterator[str]:
    """Breaches that one token and the ones beside it show."""
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        where = f"line {token.line}: "
        if token.kind == "name":
            if token.text in _REFUSED:
                yield f"{where}{token.text!r} is not allowed ({_REFUSED[token.text]})"
            elif token.text.startswith("_") and token.text not in _UNDERSCORED:
                yield f"{where}the name {token.text!r} begins with an underscore, which is not allowed"
            elif _RESERVED.match(token.text):
                yield _belongs(token)
            if following is not None and following.glued and following.kind in ("string", "character"):
                yield f"{where}a string with the prefix {token.text!r} is not allowed"
        elif token.text in ("<:", ":>", "<%", "%>", "%:"):
            yield f"{where}the digraph {token.text!r} is not allowed"
        elif token.text == "[" and following is not None and following.text == "[":
            yield f"{where}an attribute is not allowed"
        elif token.text == "##" or (token.text == "#" and not _is_definition(tokens, index)):
            yield f"{where}the only directive that is allowed is '#define NAME VALUE', without parameters"


def _belongs(token: Token) -> str:
    return f"line {token.line}: the name {token.text!r} belongs to the search; choose another"


def _is_definition(tokens: Sequence[Token], index: int) -> bool:
    """Whether the `#` at this place opens the definition of an object-like macro of a free name."""
    if not tokens[index].first_in_line or index + 2 >= len(tokens):
        return False
    directive, name, after = (
        tokens[index + 1 : index + 4] if index + 3 < len(tokens) else (*tokens[index + 1 : index + 3], None)
    )
    return (
        directive.text == "define"
        and name.kind == "name"
        and not directive.first_in_line
        and not name.first_in_line
        and name.text not in _KEYWORDS
        and name.text not in FUNCTIONS + HIDDEN_FUNCTIONS + OPTIONAL_FUNCTIONS + SIMULTANEOUS_FUNCTIONS
        and not (after is not None and after.text == "(" and after.glued)
    )


def _without_directives(tokens: Sequence[Token]) -> list[Token]:
    kept: list[Token] = []
    skipping = False
    for token in tokens:
        if token.first_in_line:
            skipping = token.text == "#"
        if not skipping:
            kept.append(token)
    return kept


def _function_pointers(tokens: Sequence[Token]) -> Iterator[str]:
    """Declarators and calls such as `(*f)(`: pointers to functions, which a model has no need of."""
    text = [token.text for token in tokens]
    for index in range(len(text) - 3):
        if text[index : index + 2] != ["(", "*"]:
            continue
        end = index + 2
        while end < len(text) and (text[end] in "*[]" or tokens[end].kind in ("name", "number")):
            end += 1
        if text[end : end + 2] == [")", "("]:
            yield f"line {tokens[index].line}: a pointer to a function is not allowed"


_Declaration = list[tuple[Token, int]]
"""The tokens of one declaration, each with the depth of brackets around it."""


def _declarations(tokens: Sequence[Token]) -> Iterator[_Declaration]:
    """What stands outside functions, one after the other, the bodies of functions included."""
    current: _Declaration = []
    depth = 0
    for token in tokens:
        if token.text in ("}", ")", "]"):
            depth -= 1
        current.append((token, depth))
        if token.text in ("{", "(", "["):
            depth += 1
        if depth == 0 and (token.text == ";" or (token.text == "}" and _function_name(current))):
            yield current
            current = []
    if current:
        yield current


def _outside(declaration: _Declaration) -> list[Token]:
    return [token for token, depth in declaration if depth == 0]


def _function_name(declaration: _Declaration) -> str:
    """The name of the function that a declaration defines, or ''."""
    outside = _outside(declaration)
    texts = [token.text for token in outside]
    if "=" in texts or texts[-2:] != ["{", "}"] or texts[-4:-2] != ["(", ")"] or len(outside) < 6:
        return ""
    name = outside[-5]
    return name.text if name.kind == "name" and name.text not in _KEYWORDS else ""


def _declaration_breaches(declarations: Sequence[_Declaration], defined: Sequence[str]) -> Iterator[str]:
    """Variables that can change, outside functions or static in them, and functions from elsewhere."""
    for declaration in declarations:
        outside = _outside(declaration)
        texts = [token.text for token in outside]
        where = f"line {outside[0].line}: "
        if _function_name(declaration):
            yield from _static_breaches(declaration)
        elif texts[0] in ("typedef", "_Static_assert", ";"):
            continue
        elif "(" in texts and "=" not in texts:
            name = outside[texts.index("(") - 1].text
            if name not in defined:
                yield f"{where}the function {name!r} is declared and not defined here"
        elif texts[0] in ("struct", "enum", "union") and texts[-2:] == ["}", ";"]:
            continue
        elif "const" not in texts:
            yield f"{where}a variable outside functions must be const"


def _static_breaches(declaration: _Declaration) -> Iterator[str]:
    inside = [token for token, depth in declaration if depth]
    for index, token in enumerate(inside):
        if token.text != "static":
            continue
        rest = [after.text for after in inside[index : index + 6]]
        if "const" not in rest[: rest.index("=") if "=" in rest else None]:
            yield f"line {token.line}: a static variable must be const"


@functools.lru_cache(maxsize=64)
def functions_defined(source: str) -> frozenset[str]:
    """Names of the functions that a source defines; empty where it cannot be read."""
    try:
        tokens = _without_directives(_tokens(source))
    except _Unreadable:
        return frozenset()
    return frozenset(_function_name(declaration) for declaration in _declarations(tokens)) - {""}


@functools.lru_cache(maxsize=64)
def breaches(source: str, hidden: bool | None = None, simultaneous: bool | None = None) -> tuple[str, ...]:
    """Reads a model's C source without compiling it and lists where it breaks the rules of `native.h`, and of
    `native_at_once.h` where players choose at once.

    Args:
      source: text of `model.c`.
      hidden: whether the game hides information, so that `HIDDEN_FUNCTIONS` are required too; None for
        whatever the source defines, both or none of them.
      simultaneous: whether players choose at once, so that `SIMULTANEOUS_FUNCTIONS` are required too; None for
        whatever the source defines, all or none of them.

    Returns:
      One sentence per breach, empty where none was found.
    """
    found = list(_text_breaches(source))
    if found:
        return tuple(found)
    try:
        tokens = _tokens(source)
    except _Unreadable as error:
        return (str(error),)
    found += _token_breaches(tokens)
    program = _without_directives(tokens)
    found += _function_pointers(program)
    declarations = list(_declarations(program))
    defined = {_function_name(declaration) for declaration in declarations} - {""}
    found += _declaration_breaches(declarations, sorted(defined))
    names = {token.text for token in tokens if token.kind == "name"}
    found += [f"the constant {c.name} is missing ({c.meaning})" for c in CONSTANTS if c.name not in names]
    if "State" not in names:
        found.append("the type State is missing")
    if hidden is None:
        hidden = any(name in defined for name in HIDDEN_FUNCTIONS)
    if hidden and "Information" not in names:
        found.append("the type Information is missing")
    if simultaneous is None:
        simultaneous = any(name in defined for name in SIMULTANEOUS_FUNCTIONS)
    if simultaneous:
        found += [_belongs(t) for t in tokens if t.kind == "name" and _RESERVED_AT_ONCE.match(t.text)]
    wanted = FUNCTIONS + (HIDDEN_FUNCTIONS if hidden else ()) + (SIMULTANEOUS_FUNCTIONS if simultaneous else ())
    found += [f"the function {name} is missing" for name in wanted if name not in defined]
    return tuple(found)


def header() -> str:
    """The text of `native.h`, which comes before a model and tells whoever writes one what to write."""
    return _text_of("native.h")


def headers(simultaneous: bool) -> str:
    """The whole contract as one text; `simultaneous` for a game in which players choose at once."""
    return f"{header()}\n{header_at_once()}" if simultaneous else header()


def header_at_once() -> str:
    """The text of `native_at_once.h`, which stands behind `native.h` where players choose at once."""
    return _text_of("native_at_once.h")


def _text_of(name: str) -> str:
    return importlib.resources.files("cwm.contract").joinpath(name).read_text(encoding="utf-8")
