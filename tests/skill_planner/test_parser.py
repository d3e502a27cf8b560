"""The parser: what it takes, what it drops, and that nothing makes it fail."""

from __future__ import annotations

import hypothesis
import pytest
from hypothesis import strategies

from games.micro_rts.rules import engine, maps
from skill_planner.domains.micro_rts import parameters
from skill_planner.planning import parser

LINES = [
    "[Deploy Unit](worker, (3, 3))",
    "[Harvest Mineral](0, 0)",
    "[Build Building](barracks, (4, 4))",
    "[Produce Unit](worker, east)",
    "[Attack Enemy](light, base)",
]


@pytest.fixture
def state():
    return engine.State(maps.load("basesWorkers8x8"), 1)


def names(plan):
    return [(step.skill.name, step.parameters) for step in plan.steps]


def test_all_skills_with_their_parameters(domain, state, reply_of):
    plan = parser.parse(reply_of(*LINES), domain, state, 0)
    assert plan.dropped == []
    assert names(plan) == [
        ("Deploy Unit", (3, 27)),
        ("Harvest Mineral", (0,)),
        ("Build Building", (2, 36)),
        ("Produce Unit", (3, 1)),
        ("Attack Enemy", (4, 1)),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "[Harvest Mineral] (0, 0)",
        "- [harvest mineral](0,0)",
        "1. [Harvest_Mineral]((0, 0))",
        "* [ Harvest  Mineral ]( 0 , 0 )  # the nearest",
        '[Harvest Mineral]("0", "0")',
    ],
)
def test_harmless_differences_of_form_are_taken(domain, state, reply_of, line):
    assert names(parser.parse(reply_of(line), domain, state, 0)) == [("Harvest Mineral", (0,))]


@pytest.mark.parametrize(
    "line, expected",
    [
        ("[Produce Unit](WORKER, East)", ("Produce Unit", (3, 1))),
        ("[Attack Enemy](Light, BASE)", ("Attack Enemy", (4, 1))),
        ("[Build Building](Barracks, (4, 4))", ("Build Building", (2, 36))),
    ],
)
def test_parameters_are_taken_in_upper_and_lower_case(domain, state, reply_of, line, expected):
    plan = parser.parse(reply_of(line), domain, state, 0)
    assert names(plan) == [expected] and plan.dropped == []


def test_the_last_start_marker_counts_and_text_around_does_not(domain, state, reply_of):
    first = reply_of("[Attack Enemy](worker, base)")
    plan = parser.parse(f"For example:\n{first}\nMy plan:\n{reply_of(LINES[1])}\nGood luck", domain, state, 0)
    assert names(plan) == [("Harvest Mineral", (0,))] and plan.dropped == []


def test_a_reply_cut_off_keeps_its_whole_lines(domain, state):
    plan = parser.parse(f"{parser.START}\n{LINES[1]}\n[Produce Un", domain, state, 0)
    assert names(plan) == [("Harvest Mineral", (0,))]
    assert [reason for _, reason in plan.dropped] == [
        "not of the form [SKILL NAME](PARAMETERS)",
        f"the reply has no line {parser.END}",
    ]


@pytest.mark.parametrize("reply", ["", "   \n", "I would attack.", "\n".join(LINES)])
def test_without_a_start_marker_there_is_no_plan(domain, state, reply):
    plan = parser.parse(reply, domain, state, 0)
    assert plan.steps == [] and len(plan.dropped) == 1 and "no line START" in plan.dropped[0].reason


def test_an_empty_plan_is_empty(domain, state, reply_of):
    assert parser.parse(reply_of(), domain, state, 0) == ([], [])
    assert parser.parse("```\n" + reply_of("```", "") + "\n```", domain, state, 0) == ([], [])


def test_a_plan_without_end_is_cut(domain, state, reply_of):
    plan = parser.parse(reply_of(*[LINES[3]] * (parser.MOST_LINES + 2)), domain, state, 0)
    assert len(plan.steps) == parser.MOST_LINES and len(plan.dropped) == 2


MUTATIONS = strategies.lists(
    strategies.tuples(
        strategies.integers(0, 400),
        strategies.sampled_from(["insert", "delete", "replace"]),
        strategies.one_of(strategies.sampled_from(list("[](),\n -_09AZ\"'\0é🂡²")), strategies.characters()),
    ),
    max_size=12,
)


@hypothesis.given(lines=strategies.lists(strategies.sampled_from(LINES), max_size=8), mutations=MUTATIONS)
@hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
def test_mutated_plans_never_fail_and_every_line_is_accounted_for(domain, state, reply_of, lines, mutations):
    text = reply_of(*lines)
    for place, kind, letter in mutations:
        place %= len(text) + 1
        text = text[:place] + (letter if kind != "delete" else "") + text[place + (kind != "insert") :]
    plan = parser.parse(text, domain, state, 0)
    assert all(isinstance(reason, str) and reason for _, reason in plan.dropped)
    if not mutations:
        assert len(plan.steps) == len(lines) and not plan.dropped
    for step in plan.steps:  # what is taken can be read again
        assert step.skill in domain.skills


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("99999", "0"), r"\(99999, 0\) is off the map of 8 x 8 cells"),
        (("-1", "7"), r"\(-1, 7\) is off the map"),
        (("100000", "0"), r"a location \(x, y\) of whole numbers, found \(100000, 0\)"),
        (("1.5", "0"), "whole numbers"),
    ],
)
def test_a_location_is_two_short_numbers_on_the_map(state, words, said):
    with pytest.raises(ValueError, match=said):
        parameters.cell(words, state)
    assert parameters.cell(("7", "7"), state) == 63
