"""JSON schemas as grammars in GBNF.

llama.cpp can make grammars from schemas itself, and allows so much white space that small models fill their answers
with it; here there is none but one blank behind commas and colons. Of a schema the grammar keeps: types, `enum`,
`const`, `anyOf` and `oneOf` (alike), properties in their order with those that are not required left out at
will, lengths of arrays and strings, and ranges of whole numbers where they hold at most 1,000; of other ranges it keeps
the sign and the number of digits before the point. Keywords that only narrow values further (`pattern`, `format`,
`multipleOf`, `uniqueItems` and annotations) are left to the reader of the answer; those that refer or combine
(`$ref`, `allOf`, `not`, ...) are refused.
"""

from __future__ import annotations

import json
from typing import Any

MOST_NUMBERS = 1000
_REFUSED = (
    "$ref",
    "allOf",
    "not",
    "if",
    "patternProperties",
    "prefixItems",
    "dependentRequired",
    "dependentSchemas",
    "contains",
)
_STRING_CHARACTER = r'([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))'
_DIGITS = 15
_ANY_DEPTH = 4


def literal(text: str) -> str:
    """A text as it stands in a grammar."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = "".join(c if c >= " " and c != "\x7f" else f"\\x{ord(c):02X}" for c in escaped)
    return f'"{escaped}"'


def times(least: int, most: int | None) -> str:
    """The suffix for the number of times that the preceding item is repeated."""
    if (least, most) == (1, 1):
        return ""
    if most is None:
        return {0: "*", 1: "+"}.get(least, f"{{{least},}}")
    return f"{{{least},{most}}}"


def expression(schema: Any, rules: dict[str, str]) -> str:
    """The right side of a rule for JSON by a schema; adds the rules that it refers to.

    Raises:
      ValueError: the schema is none, or has what no grammar is made from.
    """
    if schema is True or schema == {}:
        return _any_value(rules)
    if not isinstance(schema, dict):
        raise ValueError(f"a JSON schema is {json.dumps(schema)[:60]}, expected an object")
    refused = [keyword for keyword in _REFUSED if keyword in schema]
    if refused:
        raise ValueError(f"the JSON schema has {refused[0]!r}, which no grammar is made from")
    if "const" in schema:
        return _value(schema["const"])
    if "enum" in schema:
        return _either([_value(value) for value in schema["enum"]])
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return _either([expression(option, rules) for option in schema[keyword]])
    kinds = schema.get("type", "object" if "properties" in schema else "array" if "items" in schema else None)
    if isinstance(kinds, list):
        return _either([expression(schema | {"type": kind}, rules) for kind in kinds])
    makers = {"object": _object, "array": _array, "string": _string, "integer": _integer, "number": _number}
    constants = {"boolean": '("true" | "false")', "null": '"null"', None: ""}
    if kinds in makers:
        return makers[kinds](schema, rules)
    if kinds not in constants:
        raise ValueError(
            f"the JSON schema has type {kinds!r}, expected one of {', '.join(makers)}, boolean, null"
        )
    return constants[kinds] or _any_value(rules)


def _either(options: list[str]) -> str:
    if not options:
        raise ValueError("the JSON schema has an empty list of alternatives")
    return f"({' | '.join(options)})"


def _value(value: Any) -> str:
    return literal(json.dumps(value, ensure_ascii=False, separators=(", ", ": ")))


def _object(schema: dict[str, Any], rules: dict[str, str]) -> str:
    """Properties in their order. The optional ones are the reason for the case distinction: the comma stands before a
    property where one stands before it."""
    required = set(schema.get("required", ()))
    properties = schema.get("properties", {})
    unknown = required - set(properties)
    if unknown:
        raise ValueError(f"the JSON schema requires {min(unknown)!r}, which is none of its properties")
    if not properties:
        return '"{}"' if schema.get("additionalProperties") is False else _any_object(rules)
    pairs = [
        (name in required, f"{literal(json.dumps(name, ensure_ascii=False) + ': ')} {expression(inner, rules)}")
        for name, inner in properties.items()
    ]
    # From the back: what may follow where something stands before, and where nothing does.
    after = first = ""
    for needed, pair in reversed(pairs):
        begun = f"{pair} {after}".strip()
        first = begun if needed else f"({begun} | {first})" if first else f"({begun})?"
        after = f'(", " {pair}){"" if needed else "?"} {after}'.strip()
    return f'("{{" {first} "}}")'


def _array(schema: dict[str, Any], rules: dict[str, str]) -> str:
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    if most == 0:
        return '"[]"'
    item = expression(schema.get("items", {}), rules)
    more = times(max(0, least - 1), None if most is None else most - 1)
    items = f'({item} (", " {item}){more})' if more != "{0,0}" else f"({item})"
    return f'("[" {items}{"" if least else "?"} "]")'


def _string(schema: dict[str, Any], rules: dict[str, str]) -> str:
    rules.setdefault("json-character", _STRING_CHARACTER)
    length = times(schema.get("minLength", 0), schema.get("maxLength"))
    return f'("\\"" json-character{length} "\\"")'


def _integer(schema: dict[str, Any], rules: dict[str, str]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    low = schema["exclusiveMinimum"] + 1 if low is None and "exclusiveMinimum" in schema else low
    high = schema["exclusiveMaximum"] - 1 if high is None and "exclusiveMaximum" in schema else high
    if low is not None and high is not None and high - low < MOST_NUMBERS:
        return _either([f'"{number}"' for number in range(int(low), int(high) + 1)])
    return f"({_sign(low)}{_whole(low, high)})"


def _number(schema: dict[str, Any], rules: dict[str, str]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    fraction = '("." [0-9]{1,6})?'
    if low is not None and high is not None and low >= -1 and high <= 1:
        one = ' | "1" (".0")?' if max(high, -low) >= 1 else ""
        return f'({_sign(low)}("0" {fraction}{one}))'
    return f"({_sign(low)}{_whole(low, high)} {fraction})"


def _sign(low: float | None) -> str:
    return '"-"? ' if low is None or low < 0 else ""


def _whole(low: float | None, high: float | None) -> str:
    digits = _DIGITS
    if low is not None and high is not None:
        digits = len(str(int(max(abs(low), abs(high)))))
    return f'("0" | [1-9] [0-9]{{0,{digits - 1}}})'


def _any_value(rules: dict[str, str], depth: int = _ANY_DEPTH) -> str:
    """Any JSON, nested a few levels deep at most, so that an answer comes to an end."""
    name = f"json-any-{depth}"
    if name not in rules:
        rules[name] = ""
        options = [_string({}, rules), _number({}, rules), '"true"', '"false"', '"null"']
        if depth:
            inner = _any_value(rules, depth - 1)
            options.append(f'("[" ({inner} (", " {inner})*)? "]")')
            options.append(_any_object(rules, depth))
        rules[name] = _either(options)
    return name


def _any_object(rules: dict[str, str], depth: int = _ANY_DEPTH) -> str:
    inner, key = _any_value(rules, depth - 1), _string({}, rules)
    return f'("{{" ({key} ": " {inner} (", " {key} ": " {inner})*)? "}}")'
