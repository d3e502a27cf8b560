from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.registry.specs import BotSpec, format_spec, parse_spec, split_specs


@pytest.mark.parametrize(
    "text, name, parameters",
    [
        ("random", "random", {}),
        (" random ( ) ", "random", {}),
        ("mcts(simulations=1000)", "mcts", {"simulations": "1000"}),
        ("a( x = 1 , y = two words )", "a", {"x": "1", "y": "two words"}),
        ("a(model=/home/o'neill/run-1.d/m)", "a", {"model": "/home/o'neill/run-1.d/m"}),
        (
            "a(model=openai:gpt@http://localhost:8000/v1?k=v)",
            "a",
            {"model": "openai:gpt@http://localhost:8000/v1?k=v"},
        ),
        ("a(game=hex(board_size=5,rows=(1,2)),b=1)", "a", {"game": "hex(board_size=5,rows=(1,2))", "b": "1"}),
        ("a(x='1,2)',y=\"it's\")", "a", {"x": "1,2)", "y": "it's"}),
        ("a(x=)", "a", {"x": ""}),
    ],
)
def test_parses(text, name, parameters):
    assert parse_spec(text) == BotSpec(name, parameters)


@pytest.mark.parametrize(
    "text, part",
    [
        ("", "expected a name"),
        ("(x=1)", "expected a name"),
        ("1st", "expected a name"),
        ("a(x=1", "expected ')'"),
        ("a(x=1))", "without its '('"),
        ("a(x=(1)", "not closed"),
        ("a(x='1)", "not closed"),
        ("a(x='1'2)", "after its closing quote"),
        ("a(1)", "expected parameter=value"),
        ("a(x=1,,y=2)", "expected parameter=value"),
        ("a(x=1,x=2)", "'x' is given twice"),
    ],
)
def test_bad_specs_are_refused_in_one_line(text, part):
    with pytest.raises(ValueError) as caught:
        parse_spec(text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_splits_only_at_outer_commas():
    assert split_specs("a(x=1,y=(2,3)), b ,c(z='),(')") == ["a(x=1,y=(2,3))", "b", "c(z='),(')"]


@pytest.mark.parametrize("text", ["", "a,", ",a", "a,,b", "a(x=1", "a)"])
def test_bad_lists_are_refused(text):
    with pytest.raises(ValueError):
        split_specs(text)


_VALUES = st.one_of(
    st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(alphabet="ab/:=.,() '-@", max_size=12)
)


@given(st.dictionaries(st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True), _VALUES, max_size=4))
def test_format_is_the_inverse_of_parse(parameters):
    text = format_spec(BotSpec("bot", parameters))
    expected = {
        key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in parameters.items()
    }
    assert parse_spec(text) == BotSpec("bot", expected)
    assert split_specs(f"{text},{text}") == [text, text]


def test_a_value_that_cannot_be_quoted_is_refused():
    with pytest.raises(ValueError, match="both kinds of quotes"):
        format_spec(BotSpec("a", {"x": "'\","}))
