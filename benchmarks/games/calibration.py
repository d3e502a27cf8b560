"""Measures how good the priors of MC-DML are, against a planner that knows the world.

    python -m benchmarks.games.calibration --llm=recorded:calibration.jsonl --json=calibration.json
    python -m benchmarks.games.calibration --llm=local --priors=continuations,verbalized

In states on the way to the most points of text adventures, and some random moves away from it, each kind of prior is asked for
the valid actions' probabilities, as the search asks. An action is right if by the planner (`games.text.adventure_engine.Adventure.advice`)
the story then ends with the most points without a move more. Shown are, by state, the probability of right actions together, whether the likeliest action is right, the
Brier score (Brier 1950; the mean of (probability - right)^2 over the actions, 0 at best), and the logarithm of the probability of right actions, with 95 %
intervals over layouts; and by probability how many actions of that probability are right (a reliability curve). Two nulls ask nothing: all actions alike,
and the first valid action always.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.rating.intervals import score_interval
from benchmarks.support.adventure_states import right_actions, states_of
from games.text.adventure_layout import SIZES
from language_models.asking.client import Ask, Client
from mcdml.asking.clients import make_client
from mcdml.asking.priors import KINDS, Query, Reading, make_prior, uniform
from mcdml.asking.situations import situation, steps_before
from runs import cli, flags
from runs.suggestions import nearest
from runs.tables import text_table

NULLS = ("uniform", "first action")
BINS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Edges of the reliability curve."""
SURE = 0.999
"""Probability that the null of the first action gives it: with 1 the logarithm of all others would be infinite."""

_FLAGS = flags.FLAGS


@dataclass(frozen=True)
class Case:
    """A state that priors are asked for.

    Attributes:
      layout: number of the adventure.
      query: what is asked.
      right: for each valid action whether it is right.
    """

    layout: int
    query: Query
    right: np.ndarray


@dataclass(frozen=True)
class Judged:
    """One prior in one state: its layout, the probabilities of the actions, and which are right."""

    layout: int
    probabilities: np.ndarray
    right: np.ndarray

    @property
    def on_right(self) -> float:
        """The probability of the right actions together."""
        return float(self.probabilities[self.right].sum())

    @property
    def first_is_right(self) -> float:
        """1 if the likeliest action is right, a share where several are likeliest."""
        return float(self.right[self.probabilities == self.probabilities.max()].mean())

    @property
    def brier(self) -> float:
        return float(np.mean((self.probabilities - self.right) ** 2))


def cases_of(layouts: Sequence[int], size: str, count: int, detour: int, in_trial: int) -> list[Case]:
    """The cases of all layouts; see `states_of`."""
    return [
        Case(layout, Query(situation(state, steps_before(state, in_trial))), right_actions(state))
        for layout in layouts
        for state in states_of(layout, size, count, detour)
    ]


def apart(cases: Sequence[Case]) -> list[int]:
    """The cases by number in an order in which those of one adventure are far apart, so that no reader of a part of them
    learns of an adventure from another request."""
    met: dict[int, int] = {}
    turns = []
    for case in cases:
        turns.append(met.get(case.layout, 0))
        met[case.layout] = turns[-1] + 1
    return sorted(range(len(cases)), key=turns.__getitem__)


def null_readings(name: str, cases: Sequence[Case]) -> list[Reading]:
    """What one of `NULLS` says."""
    readings = []
    for case in cases:
        actions = len(case.query.situation.actions)
        chances = uniform(actions)
        if name == "first action":
            chances = np.full(actions, (1 - SURE) / (actions - 1))
            chances[0] = SURE
        readings.append(Reading(chances, True))
    return readings


def row_of(name: str, judged: Sequence[Judged], unreadable: int) -> dict[str, object]:
    """The figures of one prior: means over states, the first three with their intervals over layouts, and its curve."""
    layouts = [one.layout for one in judged]
    row: dict[str, object] = {"prior": name, "states": len(judged), "unreadable": unreadable}
    for what in ("on_right", "first_is_right", "brier"):
        values = [getattr(one, what) for one in judged]
        row[what] = float(np.mean(values))
        row[f"{what}_low"], row[f"{what}_high"] = score_interval(layouts, values)
    row["log"] = float(np.mean([math.log(max(one.on_right, 1e-12)) for one in judged]))
    row["curve"] = curve(
        [p for one in judged for p in one.probabilities], [r for one in judged for r in one.right]
    )
    return row


def curve(probabilities: Sequence[float], right: Sequence[bool]) -> list[dict[str, float]]:
    """For each of `BINS` that holds any: the mean probability of its actions, the share of right ones, their number."""
    chances, hits = np.asarray(probabilities), np.asarray(right, float)
    place = np.clip(np.digitize(chances, BINS) - 1, 0, len(BINS) - 2)
    return [
        {
            "probability": float(chances[place == index].mean()),
            "right": float(hits[place == index].mean()),
            "actions": int((place == index).sum()),
        }
        for index in range(len(BINS) - 1)
        if (place == index).any()
    ]


def measure(
    client: Client, cases: Sequence[Case], kinds: Sequence[str], temperatures: Sequence[float]
) -> list[dict[str, object]]:
    """The rows of `NULLS`, then of each kind of prior at each temperature, which is asked for once."""
    rows = [_row(name, cases, null_readings(name, cases)) for name in NULLS]
    order = apart(cases)
    for kind in kinds:
        asking = make_prior(kind)
        [answers] = client.answer([Ask([asking.request(cases[place].query) for place in order])])
        for temperature in temperatures:
            prior = make_prior(kind, temperature=temperature)
            readings = {
                place: prior.read(cases[place].query, completions) for place, completions in zip(order, answers)
            }
            name = f"{kind}, temperature {temperature:g}"
            rows.append(_row(name, cases, [readings[place] for place in range(len(cases))]))
    return rows


def _row(name: str, cases: Sequence[Case], readings: Sequence[Reading]) -> dict[str, object]:
    judged = [Judged(case.layout, reading.probabilities, case.right) for case, reading in zip(cases, readings)]
    return row_of(name, judged, sum(not reading.readable for reading in readings))


def show(rows: Sequence[dict[str, object]]) -> None:
    """Prints the figures and the curves."""

    def interval(row: dict[str, object], what: str) -> str:
        return f"{row[what]:.3f} [{row[what + '_low']:.3f}, {row[what + '_high']:.3f}]"

    lines = [["prior", "on right actions", "likeliest is right", "Brier score", "log", "states", "unreadable"]]
    for row in rows:
        figures = [interval(row, what) for what in ("on_right", "first_is_right", "brier")]
        lines.append([row["prior"], *figures, f"{row['log']:.2f}", str(row["states"]), str(row["unreadable"])])
    print(text_table(lines) + "\n")
    lines = [["prior", "probability", "right", "actions"]]
    for row in rows:
        lines += [
            [row["prior"], f"{one['probability']:.3f}", f"{one['right']:.3f}", str(one["actions"])]
            for one in row["curve"]
        ]
    print(text_table(lines))


def _define_flags() -> None:
    flags.llm()
    flags.DEFINE_list("priors", ["verbalized"], f"Kinds of prior: {', '.join(KINDS)}.")
    flags.DEFINE_list(
        "temperatures", ["1", "5"], "Temperatures of the softmax over a prior's log-probabilities."
    )
    flags.DEFINE_enum("size", "medium", list(SIZES), "Size of the adventures.")
    flags.DEFINE_integer("layouts", 25, "Number of adventures.", lower_bound=2)
    flags.DEFINE_integer("first_layout", 3000, "Number of the first one.", lower_bound=0)
    flags.DEFINE_integer("states", 4, "States of each.", lower_bound=1)
    flags.DEFINE_integer("detour", 3, "Most random moves away from the planner's way.", lower_bound=0)
    flags.DEFINE_integer("in_trial", 1, "Number of earlier steps that a prompt shows.", lower_bound=0)
    flags.budget()
    flags.record()
    flags.json()


def main() -> None:
    """The command; see the module's docstring."""
    F = _FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    for kind in F.priors:
        if kind not in KINDS:
            raise ValueError(f"--priors: unknown {kind!r}; {nearest(kind, KINDS)}")
    try:
        temperatures = [float(text) for text in F.temperatures]
    except ValueError:
        raise ValueError(f"--temperatures: expected numbers, found {','.join(F.temperatures)}") from None
    layouts = range(F.first_layout, F.first_layout + F.layouts)
    cases = cases_of(layouts, F.size, F.states, F.detour, F.in_trial)
    client = make_client(F.llm, record=F.record, budget=F.budget)
    rows = measure(client, cases, F.priors, temperatures)
    if output is not None:
        cli.write_text(output, json.dumps({"llm": client.name, "rows": rows}, indent=1) + "\n")
    print(f"{len(cases)} states, {client.name}")
    show(rows)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
