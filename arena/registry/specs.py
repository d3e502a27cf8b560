"""Spec strings: a bot's name with its parameters, `mcts(simulations=1000,solve=false)`.

Grammar, blanks around every part being free:

    specs  = spec {"," spec}
    spec   = bot | bot "(" [pair {"," pair}] ")"
    bot    = name  |  path of a Python file ":" name, as in mybot.py:MyBot
    pair   = key "=" value
    value  = text in '...' or "..."  |  text whose commas, if any, stand inside brackets

so a value may hold `:`, `/`, `=`, blanks and balanced round brackets without quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_FILE = re.compile(r"(?P<path>[^(),]*\.py):(?P<attribute>[A-Za-z_][A-Za-z0-9_]*)\Z")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


@dataclass(frozen=True)
class BotSpec:
    """A parsed spec.

    Attributes:
      name: the bot's name in the registry, or `FILE.py:NAME` for a class or factory in a file.
      parameters: parameter name -> value, in the order written. `parse_spec` leaves each value a
        string; `arena.registry.bots.resolve` converts them to the types that the bot declares.
    """

    name: str
    parameters: Mapping[str, object] = field(default_factory=dict)


def split_file(name: str) -> tuple[str, str] | None:
    """(path, class or factory) of a bot in a file, None for the name of a registered bot."""
    found = _FILE.match(name)
    return None if found is None else (found["path"], found["attribute"])


def _outer_commas(text: str, what: str) -> Iterator[str]:
    """Yields the parts of `text` between commas that stand outside brackets and quotes."""
    depth, quote, start = 0, "", 0
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"" and _opens_value(text, at):
            quote = char
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth < 0:
                raise ValueError(f"{what} {text!r} has a ')' without its '(' at character {at + 1}")
        elif char == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    if quote:
        raise ValueError(f"{what} {text!r} has a {quote} that is not closed")
    if depth:
        raise ValueError(f"{what} {text!r} has a '(' that is not closed, expected ')' at its end")
    yield text[start:]


def _opens_value(text: str, at: int) -> bool:
    # An apostrophe inside a path (`model=/home/o'neill`) is text; a quote counts only right after
    # an equals sign.
    return text[:at].rstrip().endswith("=")


def _unquoted(value: str, text: str) -> str:
    if value[:1] in ("'", '"'):
        if len(value) < 2 or value[-1] != value[0]:
            raise ValueError(
                f"bot spec {text!r}: the value {value!r} goes on after its closing quote, "
                "expected ',' or ')' there"
            )
        return value[1:-1]
    return value


def parse_spec(text: str) -> BotSpec:
    """Reads one spec string; the values stay strings.

    Raises:
      ValueError: the text does not follow the grammar, or names a parameter twice.
    """
    stripped = text.strip()
    name, bracket, rest = stripped.partition("(")
    name = name.strip()
    if name.endswith(".py") or not (_NAME.match(name) or _FILE.match(name)):
        form = f"{name}:MyBot" if name.endswith(".py") else "mcts or mcts(simulations=100)"
        raise ValueError(f"bot spec {text!r}: expected a name such as {form}, found {name!r}")
    if not bracket:
        return BotSpec(name)
    if not rest.endswith(")"):
        raise ValueError(f"bot spec {text!r}: expected ')' as its last character, found {stripped[-1]!r}")
    parameters: dict[str, object] = {}
    inner = rest[:-1]
    for pair in _outer_commas(inner, "bot spec parameters") if inner.strip() else ():
        key, equals, value = pair.partition("=")
        key = key.strip()
        if not equals or not _KEY.match(key):
            raise ValueError(
                f"bot spec {text!r}: expected parameter=value between the commas, found {pair.strip()!r}"
            )
        if key in parameters:
            raise ValueError(f"bot spec {text!r}: parameter {key!r} is given twice, expected once")
        parameters[key] = _unquoted(value.strip(), text)
    return BotSpec(name, parameters)


def split_specs(text: str) -> list[str]:
    """Splits a comma-separated list of specs, leaving commas inside brackets alone.

    Raises:
      ValueError: an entry is empty, or brackets or quotes do not match.
    """
    parts = [part.strip() for part in _outer_commas(text, "list of bots")]
    if not all(parts):
        raise ValueError(f"list of bots {text!r}: expected a bot's name between the commas, found nothing")
    return parts


def format_value(value: object) -> str:
    """Writes one parameter's value as it stands in a spec.

    Raises:
      ValueError: it needs quotes and holds both kinds.
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    try:
        plain = text and list(_outer_commas("=" + text, "value")) == ["=" + text]
    except ValueError:
        plain = False
    if plain and text == text.strip() and text[0] not in "'\"":
        return text
    for quote in "\"'":
        if quote not in text:
            return quote + text + quote
    raise ValueError(
        f"the parameter value {text!r} holds both kinds of quotes and needs some around "
        "it, so it cannot be written in a bot spec; rename the file or shorten the text"
    )


def format_spec(spec: BotSpec) -> str:
    """Writes a spec so that `parse_spec` reads back the same name and parameters.

    Raises:
      ValueError: a value needs quotes and holds both kinds.
    """
    if not spec.parameters:
        return spec.name
    pairs = ",".join(f"{key}={format_value(value)}" for key, value in spec.parameters.items())
    return f"{spec.name}({pairs})"
