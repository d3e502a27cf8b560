"""Ratings of teams by a vision model that is shown mini-maps, blind (PORTAL, section 4.2, figure 5).

Each team plays the same matches, against the same opponents. The sheets of all matches are shuffled and bear no
names, and every sheet is one request of its own. Mean ratings come with 95 % bootstrap intervals over matches, and
with the differences from the first team, matched by game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bt_policies.measuring import vision
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.fps_arena import recorded
from bt_policies.measuring.vision import DIMENSIONS, Judgement
from language_models import LanguageModel
from language_models.asking.questions import Question
from language_models.asking.session import Session
from runs import cli
from runs.intervals import bootstrap_interval
from runs.tables import text_table

Ratings = list[list[dict[str, float] | None]]
"""The ratings by team and match: dimension -> rating; None where the answer could not be read."""


def question(trial: Trial, team: str, purpose: str) -> Question[dict[str, Judgement] | None]:
    """Plays a match and asks about one side of it.

    Args:
      trial: a trial of fps_arena.
      team: a strength or a tree, on the trial's side.
      purpose: label of the request.
    """
    return vision.question(recorded(trial, team, trial.side), trial.side, purpose)


def rate(
    teams: Sequence[str],
    listed: Sequence[Trial],
    model: LanguageModel,
    seed: int,
    progress: Callable[[], None] = lambda: None,
) -> tuple[Ratings, list[dict[str, Any]]]:
    """Asks about every team in every match, in an order drawn at random.

    Args:
      teams: strengths or trees.
      listed: matches, the same for all.
      model: sees pictures.
      seed: the seed of the order, and of the requests.
      progress: called for each match that was played.

    Returns:
      The ratings, and for each request its team, match, answer and, where it could not be read, fault.

    Raises:
      language_models.LanguageModelError: the model gave up.
      ValueError: a team is unknown.
    """
    pairs = [(team, match) for team in range(len(teams)) for match in range(len(listed))]
    order = np.random.default_rng(seed).permutation(len(pairs))
    questions = []
    for sheet, index in enumerate(order, start=1):
        team, match = pairs[index]
        questions.append(question(listed[match], teams[team], f"bt mini-map, sheet {sheet}"))
        progress()
    ratings: Ratings = [[None] * len(listed) for _ in teams]
    answers = []
    for index, reply in zip(order, Session(model, seed).ask_together(questions)):
        team, match = pairs[index]
        answer = {
            "team": teams[team],
            "match": match,
            "game": listed[match].game,
            "reply": reply.text,
            "fault": reply.fault,
        }
        if reply.value is not None:
            ratings[team][match] = {name: one.rating for name, one in reply.value.items()}
        answers.append(answer)
    return ratings, answers


def summary(ratings: Ratings, seed: int = 0) -> list[dict[str, dict[str, Any]]]:
    """Returns for each team, by dimension, `mean`, its interval `low` and `high`, how many sheets were
    `rated`; and the mean difference from the first team in the same matches, `gain`, with `gain_low` and
    `gain_high`.
    """
    found = []
    for own in ratings:
        entry = {}
        for name in DIMENSIONS:
            known = [one[name] for one in own if one is not None]
            gains = [
                one[name] - first[name]
                for one, first in zip(own, ratings[0])
                if one is not None and first is not None
            ]
            low, high = _interval(known, seed)
            gain_low, gain_high = _interval(gains, seed)
            entry[name] = {
                "mean": float(np.mean(known)) if known else None,
                "low": low,
                "high": high,
                "rated": len(known),
                "gain": float(np.mean(gains)) if gains else None,
                "gain_low": gain_low,
                "gain_high": gain_high,
            }
        found.append(entry)
    return found


def _interval(values: Sequence[float], seed: int) -> tuple[float | None, float | None]:
    return bootstrap_interval([(value, 1) for value in values], np.random.default_rng(seed)) or (None, None)


def table(teams: Sequence[str], found: Sequence[dict[str, dict[str, Any]]]) -> str:
    """Returns the means and intervals, a team in each row."""
    rows = [["team", *DIMENSIONS]]
    for team, entry in zip(teams, found):
        rows.append(
            [
                Path(team).stem,
                *(
                    "-"
                    if one["mean"] is None
                    else f"{one['mean']:.1f}"
                    if one["low"] is None
                    else f"{one['mean']:.1f} ({one['low']:.1f}-{one['high']:.1f})"
                    for one in entry.values()
                ),
            ]
        )
    return text_table(rows)


def draw(teams: Sequence[str], found: Sequence[dict[str, dict[str, Any]]], path: Path) -> None:
    """Writes a PNG with a group of bars for each dimension."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9.5, 4), dpi=120)
    width = 0.8 / len(teams)
    places = np.arange(len(DIMENSIONS))
    for number, (team, entry) in enumerate(zip(teams, found)):
        means = [one["mean"] or 0.0 for one in entry.values()]
        spread = [
            [
                max(0.0, mean - (one["low"] if one["low"] is not None else mean)),
                max(0.0, (one["high"] if one["high"] is not None else mean) - mean),
            ]
            for mean, one in zip(means, entry.values())
        ]
        axes.bar(
            places + (number - (len(teams) - 1) / 2) * width,
            means,
            width * 0.92,
            label=Path(team).stem,
            yerr=np.array(spread).T,
            capsize=2,
        )
    axes.set_xticks(places, [name.replace("_", " ") for name in DIMENSIONS])
    axes.set_ylabel("rating")
    axes.set_ylim(0, vision.HIGH)
    axes.grid(axis="y", alpha=0.25)
    axes.legend(ncols=min(len(teams), 5), loc="upper center", fontsize=8)
    figure.tight_layout()
    with cli.writing(path, binary=True) as file:
        figure.savefig(file, format="png", metadata={"Software": None})
    pyplot.close(figure)
