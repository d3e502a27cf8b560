"""The opponent model of MicroRTS: counted on small maps by hand."""

from __future__ import annotations

import pytest

from skill_planner.domains.micro_rts import opponent_model

OWN = "......\n......\n......\nbank 0 0\nunit Base 0 0 0 10 0\n"
THEIR_BASE = "unit Base 1 5 2 10 0\n"
WORKER_RUSH, BARRACKS_FIRST, NO_BASE, UNCLEAR = (
    "expect a worker rush",
    "It goes for barracks",
    "It has no base",
    "no clear strategy",
)


def units(kind, *cells):
    return "".join(f"unit {kind} 1 {x} {y} 1 0\n" for x, y in cells)


@pytest.mark.parametrize(
    ("their", "near", "hints"),
    [
        (THEIR_BASE, 0, [UNCLEAR]),
        # The base is at (0, 0): (3, 0) and (1, 2) are three steps away, (2, 2) and (4, 0) four.
        (THEIR_BASE + units("Light", (3, 0), (4, 0)) + units("Heavy", (1, 2)), 2, ["mostly with light units"]),
        (THEIR_BASE + units("Heavy", (2, 2), (3, 2)) + units("Ranged", (4, 2)), 0, ["mostly with heavy units"]),
        (THEIR_BASE + units("Worker", (5, 0), (5, 1), (4, 1)), 0, [UNCLEAR]),
        (THEIR_BASE + units("Worker", (5, 0), (5, 1), (4, 1), (4, 2)), 0, [WORKER_RUSH]),
        (
            THEIR_BASE + units("Worker", (5, 0), (5, 1), (4, 1), (4, 2)) + units("Ranged", (3, 2)),
            0,
            ["mostly with ranged units"],
        ),
        (THEIR_BASE + "unit Barracks 1 4 2 4 0\n", 0, [BARRACKS_FIRST]),
        (units("Worker", (1, 0)), 1, [NO_BASE]),
    ],
)
def test_what_it_shows_is_what_is_said(played, their, near, hints):
    text = opponent_model.describe(played(OWN + their).state, 0)
    assert f"{near} of its fighters are within 3 steps" in text
    said = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(said) == len(hints) and all(hint in line for hint, line in zip(hints, said))
