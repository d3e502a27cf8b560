"""The conditions of lines for squads: quantities counted by hand, truth, and what is refused."""

from __future__ import annotations

import operator
import random
from decimal import Decimal

import hypothesis
import pytest
from hypothesis import strategies

from games.micro_rts.rules import engine, maps
from language_models.backends.null import drawn
from skill_planner.domains.micro_rts.squads.conditions import QUANTITIES, MicroRTSConditions
from skill_planner.domains.micro_rts.squads.turn import SquadTurn

CONDITIONS = MicroRTSConditions()
POSITION = """
........
........
........
bank 7 3
unit Resource - 0 0 1 12
unit Resource - 7 2 1 5
unit Base 0 2 0 10 0
unit Barracks 0 2 2 4 0
unit Worker 0 1 0 1 0
unit Worker 0 3 0 1 0
unit Light 0 4 2 3 0
unit Ranged 0 3 2 1 0
unit Base 1 6 0 10 0
unit Worker 1 7 1 1 0
unit Heavy 1 6 2 2 0
unit Heavy 1 7 0 4 0
"""
# Player 0: 1 + 1 of the workers, 3 x 2 of the light unit, 1 x 1 x 2 of the ranged one: 10.
# Player 1: 1 of the worker, 2 x 4 and 4 x 4 of the heavy ones: 25.
VALUES = {
    "tick": "30",
    "money": "7",
    "enemy money": "3",
    "minerals": "17",
    "strength": "0.4",
    "distance": "4",  # from (6, 2) to the barracks
    "own worker": "2",
    "own light": "1",
    "own heavy": "0",
    "own ranged": "1",
    "own soldiers": "2",
    "own all": "4",
    "own base": "1",
    "own barracks": "1",
    "enemy worker": "1",
    "enemy light": "0",
    "enemy heavy": "2",
    "enemy ranged": "0",
    "enemy soldiers": "2",
    "enemy all": "3",
    "enemy base": "1",
    "enemy barracks": "0",
}
OPERATORS = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "==": operator.eq,
}


def turn_of(text: str, player: int = 0) -> SquadTurn:
    state = engine.State(maps.parse("test", text), 1)
    state.advance(30)
    return SquadTurn(state, player, [])


TURN = turn_of(POSITION)


def holds(text: str, turn: SquadTurn = TURN) -> bool:
    return CONDITIONS.read(text)(turn)


def test_quantities_are_those_counted_by_hand():
    assert QUANTITIES.keys() == VALUES.keys()
    for name, value in VALUES.items():
        assert holds(f"{name} = {value}"), name


def test_the_opponent_sees_them_from_its_side():
    turn = turn_of(POSITION, 1)
    for text in ("money = 3", "enemy money = 7", "own heavy = 2", "enemy light = 1", "strength = 2.5"):
        assert holds(text, turn)
    # From the worker at (3, 0) to the base at (6, 0).
    assert holds("distance = 3", turn)


def test_own_workers_that_harvest_are_no_fighters():
    turn = turn_of(POSITION)
    turn.harvesting = {turn.state.unit_at(turn.state.map.cell(1, 0)).id}
    assert holds("strength = 0.36", turn)


def test_without_enemy_fighters_strength_and_distance_are_far_above_all_bounds():
    turn = turn_of("...\nbank 0 0\nunit Worker 0 0 0 1 0\nunit Base 1 2 0 10 0\n")
    assert holds("strength = 99 and distance = 99", turn)


def test_without_own_fighters_strength_is_zero():
    turn = turn_of("...\nbank 0 0\nunit Base 0 0 0 10 0\nunit Worker 1 2 0 1 0\n")
    assert holds("strength = 0 and distance = 2", turn)


def test_without_buildings_the_distance_is_that_to_the_nearest_unit():
    turn = turn_of(
        ".....\nunit Worker 0 0 0 1 0\nunit Light 0 1 0 4 0\nunit Light 1 4 0 4 0\nunit Base 1 2 0 9 0\n"
    )
    assert holds("distance = 3", turn)


NUMBERS = strategies.one_of(
    strategies.sampled_from(sorted(set(VALUES.values()))),
    strategies.integers(0, 99999).map(str),
    strategies.decimals(0, 50, places=1).map(str),
    strategies.decimals(0, 5, places=3).map(str),
)
SPACES = strategies.sampled_from(["", " ", "  "])
COMPARISONS = strategies.tuples(
    strategies.sampled_from(sorted(VALUES)), SPACES, strategies.sampled_from(sorted(OPERATORS)), SPACES, NUMBERS
)


@hypothesis.given(strategies.lists(COMPARISONS, min_size=1, max_size=4))
@hypothesis.settings(deadline=None)
def test_a_condition_holds_where_all_of_its_comparisons_do(comparisons):
    expected = all(
        OPERATORS[sign](Decimal(VALUES[name]), Decimal(number)) for name, _, sign, _, number in comparisons
    )
    assert holds(" and ".join(map("".join, comparisons))) == expected


def test_plurals_and_wide_spaces_are_taken():
    assert holds("own  workers = 2 and enemy bases = 1  and  ticks >= 30")


def test_every_text_of_the_form_is_read():
    rng = random.Random(0)
    texts = {drawn(CONDITIONS.form(), rng) for _ in range(300)}
    assert len(texts) > 200 and {holds(text) for text in texts} == {True, False}


@pytest.mark.parametrize(
    "text, said",
    [
        ("gold >= 3", "no such quantity 'gold'; expected one of tick, money, "),
        ("worker >= 3", "no such quantity 'worker'; .*own worker"),
        ("own field > 1", "no such quantity 'own field'"),
        ("money", "expected a condition such as .*, found 'money'"),
        ("money 5", "found 'money 5'"),
        ("money >= five", "found 'money >= five'"),
        ("money >= -1", "found 'money >= -1'"),
        ("money => 1", "found 'money => 1'"),
        ("money != 1", "found 'money != 1'"),
        ("money >= 1 or tick > 5", "found 'money >= 1 or tick > 5'"),
        ("5 <= money", "found '5 <= money'"),
        ("tick >= 123456", "found 'tick >= 123456'"),
        ("strength > 0.1234", "found 'strength > 0.1234'"),
        ("money >= 1 and", "found ''"),
        ("", "found ''"),
        ("money >= " + "9" * 200, "found 'money >= 9{31}'$"),
    ],
)
def test_what_is_no_condition_is_refused_with_what_was_found(text, said):
    with pytest.raises(ValueError, match=said):
        CONDITIONS.read(text)
