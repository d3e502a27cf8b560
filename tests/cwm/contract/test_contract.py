"""What the static reading of a model finds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cwm import contract
from sandbox import DEFAULT_PRELOAD


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "pig", "three_heaps"])
def test_hand_written_models_keep_the_contract(source_of, name):
    assert contract.breaches(source_of(name)) == []


@pytest.mark.parametrize(
    "change, expected",
    [
        (
            lambda s: s.replace("def legal_actions(state)", "def legal_moves(state)"),
            "the function legal_actions(state) is missing",
        ),
        (lambda s: s.replace("MAX_GAME_LENGTH", "LENGTH"), "the constant MAX_GAME_LENGTH is missing"),
        (lambda s: s + "\nimport os\n", "'os' cannot be imported"),
        (lambda s: s + "\nfrom numpy import array\n", "'numpy' cannot be imported"),
        (lambda s: s + "\ndef helper(returns):\n    return returns\n", "hides the required function"),
        (lambda s: s.replace("def returns(state)", "def returns(state, player)"), "takes 2 parameters"),
        (lambda s: s + "\nif True print(1)\n", "does not parse at line"),
    ],
)
def test_a_breach_is_named(source_of, change, expected):
    found = contract.breaches(change(source_of("tic_tac_toe")))
    assert any(expected in sentence for sentence in found), found


def test_conditional_and_looped_definitions_count():
    source = "\n".join(f"{c.name} = 1" for c in contract.CONSTANTS)
    source += "\nif True:\n" + "\n".join(
        f"    def {f.name}({', '.join(f.parameters)}): return 0" for f in contract.FUNCTIONS
    )
    assert contract.breaches(source) == []


def test_every_importable_module_is_in_the_worker():
    assert set(contract.IMPORTABLE) <= set(DEFAULT_PRELOAD)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_no_text_makes_the_reader_fail(text):
    assert all(isinstance(sentence, str) for sentence in contract.breaches(text))
