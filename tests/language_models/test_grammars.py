"""Forms of answers and their grammars. A grammar is checked by what it lets pass: GBNF without recursion reads as a
regular expression once its rules are put in their places."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language_models.grammars import (
    Characters,
    Grammar,
    Json,
    OneOf,
    Repeated,
    Rule,
    Sequence,
    lines,
    texts_of,
    to_gbnf,
)

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[()|?*+]|[a-z][a-z0-9-]*|\s+')
_ESCAPE = re.compile(r"\\(x[0-9A-F]{2}|.)")


def _regex(expression, rules):
    parts = []
    for token in _TOKEN.findall(expression):
        if token[0] == '"':
            text = _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if m[1][0] == "x" else m[1], token[1:-1])
            parts.append(f"(?:{re.escape(text)})")
        elif token.isspace():
            continue
        elif token[0].isalpha():
            parts.append(f"(?:{_regex(rules[token], rules)})")
        else:
            parts.append("(?:" if token == "(" else token)
    return "".join(parts)


def matcher(form):
    rules = dict(line.split(" ::= ", 1) for line in to_gbnf(form).split("\n")[:-1])
    pattern = re.compile(_regex(rules["root"], rules))
    return lambda text: pattern.fullmatch(text) is not None


def test_a_choice():
    assert to_gbnf(OneOf("fold", "call")) == 'root ::= ("fold" | "call")\n'
    accepts = matcher(Sequence("ACTION: ", OneOf("go north", "go", 'say "hi\\there"\n')))
    assert accepts("ACTION: go") and accepts("ACTION: go north") and accepts('ACTION: say "hi\\there"\n')
    assert not accepts("go") and not accepts("ACTION: go  north") and not accepts("ACTION: go ")


@settings(max_examples=100, deadline=None, database=None)
@given(st.lists(st.text(min_size=1), min_size=1, max_size=5), st.text())
def test_any_text_can_be_chosen_and_no_other(texts, other):
    accepts = matcher(OneOf(*texts))
    assert all(accepts(text) for text in texts)
    assert accepts(other) == (other in texts)


def test_the_lines_of_a_plan():
    number = Characters("0-9", 1, 2)
    plan = lines(Sequence("[", OneOf("Move", "Build"), "](", Repeated(number, 0, 2, ", "), ")"), 1, 3)
    accepts = matcher(plan)
    assert accepts("[Move]()\n") and accepts("[Build](3, 12)\n[Move](1)\n[Move](1)\n")
    assert not accepts("") and not accepts("[Move](1)") and not accepts("[Sit](1)\n")
    assert not accepts("[Move](1, 2, 3)\n") and not accepts("[Move](,1)\n") and not accepts("[Move](100)\n")
    assert not accepts("[Move]()\n" * 4)


@pytest.mark.parametrize(
    "least, most", [(0, None), (1, None), (2, None), (0, 1), (1, 1), (0, 3), (2, 3), (3, 3)]
)
@pytest.mark.parametrize("between", ["", ", "])
def test_how_often_something_is_repeated(least, most, between):
    accepts = matcher(Repeated("x", least, most, between))
    for times in range(6):
        assert accepts(between.join(["x"] * times)) == (times >= least and (most is None or times <= most))


def test_a_form_that_holds_itself():
    text = to_gbnf(
        Grammar(
            Rule("node"), (("node", OneOf("leaf", Sequence("(", Repeated(Rule("node"), 1, None, " "), ")"))),)
        )
    )
    assert text == 'root ::= node\nnode ::= ("leaf" | ("(" (node (" " node)*) ")"))\n'


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: OneOf(), "no options"),
        (lambda: Repeated("x", 3, 2), "least=3 and most=2"),
        (lambda: Grammar("x", (("root", "y"),)), "a rule 'root'"),
        (lambda: Grammar("x", (("Big", "y"),)), "a rule 'Big'"),
        (lambda: to_gbnf(Sequence("a", Rule("gone"))), "no rule 'gone'"),
        (lambda: to_gbnf(Grammar("x", (("a", "b"), ("a", "c")))), "two rules 'a'"),
        (lambda: to_gbnf(3), "3 is no form"),
        (lambda: to_gbnf(Json({"$ref": "#/a"})), r"'\$ref'"),
        (lambda: to_gbnf(Json({"type": "thing"})), "type 'thing'"),
        (lambda: to_gbnf(Json({"enum": []})), "empty list"),
        (lambda: to_gbnf(Json({"type": "object", "required": ["a"], "properties": {"b": {}}})), "requires 'a'"),
    ],
)
def test_what_is_no_form(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_few_texts_are_listed():
    form = Sequence("ACTION: ", OneOf("a", Sequence("b", OneOf("1", "2")), "a"))
    assert texts_of(form) == ("ACTION: a", "ACTION: b1", "ACTION: b2")
    assert texts_of(form, most=2) is None
    assert texts_of(Sequence(*[OneOf("a", "b")] * 30)) is None
    assert texts_of(OneOf("a", Characters("0-9"))) is None


PRIOR = {
    "type": "object",
    "required": ["number", "probability"],
    "properties": {
        "number": {"type": "integer", "minimum": 1, "maximum": 12},
        "probability": {"type": "number", "minimum": 0, "maximum": 1},
    },
}


def test_json_by_a_schema():
    schema = {
        "type": "object",
        "required": ["actions"],
        "properties": {"actions": {"type": "array", "minItems": 1, "maxItems": 2, "items": PRIOR}},
    }
    accepts = matcher(Json(schema))

    def says(*pairs):
        return accepts(json.dumps({"actions": [{"number": n, "probability": p} for n, p in pairs]}))

    assert says((1, 0.25)) and says((12, 1), (3, 0)) and says((2, 1.0))
    assert not says() and not says((1, 0.5), (2, 0.5), (3, 0.5))
    assert not says((13, 0.5)) and not says((0, 0.5)) and not says((1, -0.5)) and not says((1, 1.5))
    assert not accepts('{"actions": []}') and not accepts("{}") and not accepts('{"actions": [{"number": 1}]}')


@settings(max_examples=200, deadline=None, database=None)
@given(
    st.dictionaries(st.sampled_from("abcde"), st.booleans(), min_size=1),
    st.sets(st.sampled_from("abcde")),
    st.dictionaries(st.sampled_from("abcde"), st.integers(-99, 99)),
)
def test_properties_may_be_left_out_where_they_are_not_required(properties, required, value):
    """The cases of the commas: any set of properties, required or not, against any object."""
    required &= set(properties)
    value = {name: value[name] for name in properties if name in value} | value
    schema = {
        "type": "object",
        "properties": {name: {"type": "integer"} for name in properties},
        "required": sorted(required),
    }
    valid = required <= set(value) <= set(properties)
    assert matcher(Json(schema))(json.dumps(value)) == valid


leaves = st.sampled_from(
    [
        ({"type": "string"}, st.text(st.characters(codec="utf-8"), max_size=5)),
        ({"type": "string", "maxLength": 3}, st.text('ab"\\', max_size=3)),
        ({"type": "integer"}, st.integers(-(10**12), 10**12)),
        ({"type": "integer", "minimum": -3, "maximum": 30}, st.integers(-3, 30)),
        ({"type": "integer", "minimum": 0, "maximum": 10**6}, st.integers(0, 10**6)),
        ({"type": "number"}, st.integers(-(10**6), 10**6).map(lambda n: n / 100)),
        ({"type": ["boolean", "null"]}, st.sampled_from([True, False, None])),
        ({"enum": ["x", 1, {"a": [1, 2]}]}, st.sampled_from(["x", 1, {"a": [1, 2]}])),
        ({"const": "é"}, st.just("é")),
    ]
)


def arrays(inner):
    return st.lists(inner[1], min_size=1, max_size=3)


schemas = st.recursive(
    leaves,
    lambda inner: st.one_of(
        inner.map(lambda i: ({"type": "array", "items": i[0], "minItems": 1}, arrays(i))),
        inner.map(lambda i: ({"anyOf": [{"type": "null"}, i[0]]}, i[1] | st.none())),
        inner.map(
            lambda i: (
                {"type": "object", "properties": {"k": i[0], "l": i[0]}, "required": ["k", "l"]},
                st.tuples(i[1], i[1]).map(lambda values: dict(zip("kl", values))),
            )
        ),
    ),
    max_leaves=4,
)


@settings(max_examples=200, deadline=None, database=None)
@given(schemas.flatmap(lambda pair: st.tuples(st.just(pair[0]), pair[1])))
def test_what_a_schema_allows_passes(pair):
    schema, value = pair
    assert matcher(Json(schema))(json.dumps(value, ensure_ascii=False))


@settings(max_examples=100, deadline=None, database=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text('ab"\\\n', max_size=4),
        lambda inner: (
            st.lists(inner, max_size=2) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=2)
        ),
        max_leaves=4,
    )
)
def test_any_json_passes_an_empty_schema(value):
    accepts = matcher(Json({}))
    depth = _depth(value)
    assert accepts(json.dumps(value)) == (depth <= 4)
    assert not accepts(json.dumps(value) + ",")


def _depth(value):
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)
