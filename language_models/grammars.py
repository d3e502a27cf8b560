"""The form that an answer must have: declared once, as data, and made into a grammar for models that take one.

    form = Sequence("ACTION: ", OneOf("fold", "call", "raise"))
    print(to_gbnf(form))         # root ::= "ACTION: " ("fold" | "call" | "raise")

A method declares the form from the same names and parameters that its parser reads. Local models are held to every
form; online ones to JSON and, as an enumeration, to forms with few texts (`texts_of`), and read the rest in the
prompt only, which says it in words anyhow.

GBNF is llama.cpp's notation for grammars (its file grammars/README.md).
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import Any

from language_models import json_grammars

MOST_TEXTS = 500
"""Most texts of a form that are still listed as an enumeration."""

_RULE_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclasses.dataclass(frozen=True, init=False)
class OneOf:
    """One of several forms; a string is the form of just that text."""

    options: tuple[Form, ...]

    def __init__(self, *options: Form):
        if not options:
            raise ValueError("OneOf has no options: expected at least one.")
        object.__setattr__(self, "options", options)


@dataclasses.dataclass(frozen=True, init=False)
class Sequence:
    """Several forms, one after the other."""

    parts: tuple[Form, ...]

    def __init__(self, *parts: Form):
        object.__setattr__(self, "parts", parts)


@dataclasses.dataclass(frozen=True)
class Repeated:
    """A form several times.

    Attributes:
      form: the form that is repeated.
      least: least number of times, 0 or more.
      most: most times, or None for any number.
      between: the form between two of them.
    """

    form: Form
    least: int = 0
    most: int | None = None
    between: Form = ""

    def __post_init__(self) -> None:
        if self.least < 0 or (self.most is not None and self.most < max(1, self.least)):
            raise ValueError(
                f"Repeated has least={self.least} and most={self.most}: expected 0 <= least <= most."
            )


@dataclasses.dataclass(frozen=True)
class Characters:
    """Text of given characters.

    Attributes:
      allowed: a class as in regular expressions, without its brackets: `a-z0-9_`, or `^\\n` for all but.
      least: least number of characters, 0 or more.
      most: most characters, or None for any number.
    """

    allowed: str
    least: int = 1
    most: int | None = 1


@dataclasses.dataclass(frozen=True)
class Rule:
    """The form that a `Grammar` has under this name, so that forms may hold themselves."""

    name: str


@dataclasses.dataclass(frozen=True)
class Grammar:
    """A form that needs names.

    Attributes:
      start: the form itself.
      rules: pairs (name, form); names of small letters, digits and dashes, other than `root`.
    """

    start: Form
    rules: tuple[tuple[str, Form], ...]

    def __post_init__(self) -> None:
        for name, _ in self.rules:
            if not _RULE_NAME.fullmatch(name) or name == "root" or name.startswith("json-"):
                raise ValueError(
                    f"A grammar has a rule {name!r}: expected small letters, digits and dashes, other than 'root' "
                    "and not beginning with 'json-'."
                )


@dataclasses.dataclass(frozen=True)
class Json:
    """JSON by a schema.

    Attributes:
      schema: a JSON Schema as in `Request.json_schema`; see `json_grammars` for the parts that a grammar keeps.
    """

    schema: dict[str, Any] = dataclasses.field(hash=False)


Form = str | OneOf | Sequence | Repeated | Characters | Rule | Grammar | Json


def lines(line: Form, least: int, most: int) -> Form:
    """A form with a line break after each, `least` to `most` times, as in a plan."""
    return Repeated(Sequence(line, "\n"), least, most)


def to_gbnf(form: Form) -> str:
    """The grammar of a form, in GBNF.

    Raises:
      ValueError: a rule is missing or named twice, or a JSON schema has what no grammar is made from.
    """
    rules: dict[str, str] = {}
    root = _expression(form, rules)
    text = "".join(f"{name} ::= {body}\n" for name, body in [("root", root), *rules.items()])
    missing = _references(form) - set(rules)
    if missing:
        raise ValueError(f"the grammar has no rule {min(missing)!r}")
    return text


def texts_of(form: Form, most: int = MOST_TEXTS) -> tuple[str, ...] | None:
    """All texts that have a form, in order and each once, or None where they are more than `most` or not all given."""
    match form:
        case str():
            texts = [form]
        case OneOf():
            parts = [texts_of(option, most) for option in form.options]
            if None in parts:
                return None
            texts = list(itertools.chain.from_iterable(parts))
        case Sequence():
            texts = [""]
            for part in form.parts:
                following = texts_of(part, most)
                if following is None or len(texts) * len(following) > most:
                    return None
                texts = [before + after for before in texts for after in following]
        case _:
            return None
    texts = list(dict.fromkeys(texts))
    return tuple(texts) if len(texts) <= most else None


def _expression(form: Form, rules: dict[str, str]) -> str:
    """The right side of a rule; adds the rules that it refers to."""
    match form:
        case str():
            return json_grammars.literal(form)
        case OneOf():
            return _bracketed(" | ".join(_expression(option, rules) for option in form.options))
        case Sequence():
            return _bracketed(" ".join(_expression(part, rules) for part in form.parts) or '""')
        case Repeated():
            return _repeated(form, rules)
        case Characters():
            return f"[{form.allowed}]{json_grammars.times(form.least, form.most)}"
        case Rule():
            return form.name
        case Grammar():
            for name, inner in form.rules:
                if name in rules:
                    raise ValueError(f"the grammar has two rules {name!r}")
                rules[name] = ""  # taken, for forms that hold themselves
                rules[name] = _expression(inner, rules)
            return _expression(form.start, rules)
        case Json():
            return json_grammars.expression(form.schema, rules)
    raise ValueError(f"{form!r} is no form")


def _repeated(form: Repeated, rules: dict[str, str]) -> str:
    inner = _expression(form.form, rules)
    if form.between == "":
        return _bracketed(inner) + json_grammars.times(form.least, form.most)
    between = _expression(form.between, rules)
    more = json_grammars.times(max(0, form.least - 1), None if form.most is None else form.most - 1)
    repeated = f"({inner} ({between} {inner}){more})"
    return repeated if form.least else f"{repeated}?"


def _bracketed(expression: str) -> str:
    return f"({expression})"


def _references(form: Form) -> set[str]:
    match form:
        case Rule():
            return {form.name}
        case OneOf():
            inner = form.options
        case Sequence():
            inner = form.parts
        case Repeated():
            inner = (form.form, form.between)
        case Grammar():
            inner = (form.start, *(body for _, body in form.rules))
        case _:
            inner = ()
    return set().union(*(_references(part) for part in inner))
