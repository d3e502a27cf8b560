"""What syntheses come to: accuracy on held-out games after each call, what stays wrong, and tables with intervals."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.cwm.cells import Store, digest, game_of
from benchmarks.cwm.planted import TWINS
from benchmarks.cwm.seal import likely_named, sealed
from benchmarks.cwm.side_by_side import Synthesis
from cwm.trust import checks, held_out
from cwm.trust.trajectories import Trajectory
from cwm.trust.verification import events
from runs.intervals import RESAMPLES, wilson_interval

SETTLED = 0.999
"""Accuracy from which on a game counts as learnt, beside 1."""


@dataclass(frozen=True)
class Accuracy:
    """A program on held-out games.

    Attributes:
      passed, transitions: transitions that it passes, and all.
      wrong: the kinds of events at which it errs first: words, number of games in which it errs there, number of games
        that show the kind at all before an error, and of held-out games.
    """

    passed: int
    transitions: int
    wrong: tuple[tuple[str, int, int, int], ...] = ()

    @property
    def share(self) -> float:
        return self.passed / self.transitions


@dataclass(frozen=True)
class Measured:
    """A run with its accuracies.

    Attributes:
      synthesis: the run.
      accuracies: of the best program after each call.
      max_calls: most calls of the run.
    """

    synthesis: Synthesis
    accuracies: tuple[Accuracy, ...]
    max_calls: int

    @property
    def final(self) -> float:
        return self.accuracies[-1].share

    def at(self, call: int) -> float:
        """Accuracy after so many calls; a run that has ended keeps its last one."""
        return self.accuracies[min(call, len(self.accuracies)) - 1].share

    def call_of(self, level: float = 1.0) -> int | None:
        """The number of the first call from which on the accuracy is at least `level` to the end; None where it never is."""
        good = None
        for number, accuracy in enumerate(self.accuracies, 1):
            good = (good or number) if accuracy.share >= level else None
        return good

    def calls_to(self, level: float = 1.0) -> int:
        """The same; one more than there could be where it never is."""
        return self.call_of(level) or self.max_calls + 1

    @property
    def named(self) -> bool:
        """Whether the false sentence of a wrong text is called false, by a first look at the words; in other texts whether
        any sentence is."""
        cell, sentences = self.synthesis.run.cell, self.synthesis.contradictions
        return likely_named(sealed()[cell.game], sentences) if cell.text == "wrong" else bool(sentences)

    def known_at(self, level: float = 1.0) -> tuple[int, int] | None:
        """Transitions seen, and plies of the oracle among them, at that call."""
        call = self.call_of(level)
        if call is None:
            return None
        state = self.synthesis.states[call - 1]
        return state.known, state.plies

    def to_json(self) -> dict[str, Any]:
        run = self.synthesis.run
        return {
            **run.cell._asdict(),
            "refiner": run.refiner,
            "solved": self.synthesis.solved,
            "calls": len(self.synthesis.states),
            "calls_to_1": self.call_of(),
            "known_at_1": self.known_at(),
            "named": self.named,
            "contradictions": list(self.synthesis.contradictions),
            "contradictions_by_call": [list(own) for own in self.synthesis.contradictions_by_call],
            "models": list(self.synthesis.models),
            "by_call": [
                {
                    **{key: value for key, value in asdict(state).items() if key != "source"},
                    "accuracy": accuracy.share,
                }
                for state, accuracy in zip(self.synthesis.states, self.accuracies, strict=True)
            ],
            "wrong": [list(one) for one in self.accuracies[-1].wrong],
        }


@functools.cache
def held_out_games(game: str, transitions: int, number: int) -> tuple[Trajectory, ...]:
    """The held-out games of a game; those of a twin are the known game's, which can be searched, under the twin's words."""
    if game in TWINS:
        return tuple(in_words(game, held_out_games(TWINS[game][0], transitions, number)))
    return tuple(held_out.test_games(game_of(game), transitions, number))


def in_words(twin: str, games: Iterable[Trajectory]) -> Iterator[Trajectory]:
    """Games of the known game as games of its twin."""
    words = TWINS[twin][1]
    for game in games:
        steps = [
            replace(
                step,
                observations=tuple(map(words.relooked, step.observations)),
                action=None if step.action is None else words.renamed(step.action),
                legal=None if step.legal is None else tuple(map(words.renamed, step.legal)),
                chance=step.chance and {words.renamed(name): chance for name, chance in step.chance.items()},
            )
            for step in game.steps
        ]
        yield Trajectory(twin, game.num_players, tuple(steps))


def accuracy(source: str | None, game: str, transitions: int, number: int, store: Store) -> Accuracy:
    """A program on the held-out games; without a program nothing is right."""
    tests = held_out_games(game, transitions, number)
    if source is None:
        return Accuracy(0, sum(len(one.actions) for one in tests))
    key = digest("held out", game, str(transitions), str(number), source)
    known = store.get(key)
    if known is None:
        passed, total, failures = 0, 0, []
        for _, verdicts, failure in checks.tested_games(source, tests):
            passed, total = passed + sum(verdicts), total + len(verdicts)
            failures += [failure] if failure is not None else []
        known = [passed, total, _wrong(tests, failures)]
        store.put(key, known)
    return Accuracy(known[0], known[1], tuple(map(tuple, known[2])))


def _wrong(tests: Sequence[Trajectory], failures: Sequence[checks.Failure]) -> list[tuple[str, int, int, int]]:
    if any(failure.game < 0 for failure in failures):
        return [("the contract", len(tests), len(tests), len(tests))]
    found = events.bound(tests, failures)
    wrong = [(event.kind, event.failed, event.games, found.games) for event in found.kinds if event.failed]
    return sorted(wrong, key=lambda one: -one[1])


def measured(
    syntheses: Iterable[Synthesis], max_calls: int, transitions: int, number: int, store: Store
) -> list[Measured]:
    """The runs with the accuracies of all their programs."""
    return [
        Measured(
            one,
            tuple(
                accuracy(state.source, one.run.cell.game, transitions, number, store) for state in one.states
            ),
            max_calls,
        )
        for one in syntheses
    ]


def median_interval(values: Sequence[float], rng: np.random.Generator) -> tuple[float, float]:
    """The 95 % percentile interval of a median by the bootstrap over the values."""
    drawn = rng.choice(np.asarray(values, float), size=(RESAMPLES, len(values)))
    low, high = np.quantile(np.median(drawn, axis=1), [0.025, 0.975])
    return float(low), float(high)


def _calls(value: float, most: int) -> str:
    return f">{most}" if value > most else f"{value:g}"


def by_text(found: Sequence[Measured]) -> list[list[str]]:
    """A row for each game, text and refiner: medians over seeds."""
    rows = [
        ["game, text, refiner", "runs", "calls to 1.0", "transitions", "plies", "final", ">= .999", "named"]
    ]
    for key in dict.fromkeys(_key(one) for one in found):
        own = [one for one in found if _key(one) == key]
        most = own[0].max_calls
        known = [one.known_at() for one in own if one.known_at() is not None]
        rows.append(
            [
                ", ".join(key),
                str(len(own)),
                _calls(statistics.median(one.calls_to() for one in own), most),
                f"{statistics.median(seen for seen, _ in known):g}" if known else "-",
                f"{statistics.median(plies for _, plies in known):g}" if known else "-",
                f"{statistics.median(one.final for one in own):.4f}",
                f"{sum(one.final >= SETTLED for one in own)}/{len(own)}",
                str(sum(one.named for one in own)),
            ]
        )
    return rows


def _key(one: Measured) -> tuple[str, str, str]:
    run = one.synthesis.run
    return run.cell.game, run.cell.text, run.refiner


def by_refiner(found: Sequence[Measured], rng: np.random.Generator) -> list[list[str]]:
    """A row for each text and refiner, over all games: the median of calls with its interval, the share of runs at 1 with
    Wilson's, oracle plies, and the share of runs that name the false sentence (`Measured.named`)."""
    rows = [
        [
            "text, refiner",
            "runs",
            "calls to 1.0, median",
            "to .999",
            "at 1.0",
            ">= .999",
            "plies, median",
            "named",
        ]
    ]
    for text, refiner in dict.fromkeys(_key(one)[1:] for one in found):
        own = [one for one in found if _key(one)[1:] == (text, refiner)]
        rows.append(
            [
                f"{text}, {refiner}",
                str(len(own)),
                *(
                    _median([one.calls_to(level) for one in own], own[0].max_calls, rng)
                    for level in (1.0, SETTLED)
                ),
                _share(sum(one.call_of() is not None for one in own), len(own)),
                _share(sum(one.final >= SETTLED for one in own), len(own)),
                f"{statistics.median(one.synthesis.states[-1].plies for one in own):g}",
                _share(sum(one.named for one in own), len(own)),
            ]
        )
    return rows


def _median(calls: Sequence[int], most: int, rng: np.random.Generator) -> str:
    low, high = median_interval(calls, rng)
    return f"{_calls(statistics.median(calls), most)} [{_calls(low, most)}, {_calls(high, most)}]"


def _share(count: int, total: int) -> str:
    low, high = wilson_interval(count, total)
    return f"{count}/{total} [{low:.2f}, {high:.2f}]"


def differences(found: Sequence[Measured], rng: np.random.Generator) -> list[list[str]]:
    """For each text and each two refiners the paired difference in calls to 1 and in final accuracy, with 95 % intervals by
    the bootstrap over games; a run that does not get there counts with one call more than it could have had."""
    rows = [["text", "difference", "cells", "calls to 1.0", "calls to .999", "final accuracy"]]
    by_run = {one.synthesis.run: one for one in found}
    for text in dict.fromkeys(run.cell.text for run in by_run):
        refiners = dict.fromkeys(run.refiner for run in by_run)
        for second, first in combinations(refiners, 2):
            pairs = [
                (one, by_run[one.synthesis.run._replace(refiner=second)])
                for one in found
                if _key(one)[1:] == (text, first) and one.synthesis.run._replace(refiner=second) in by_run
            ]
            if not pairs:
                continue
            games = [one.synthesis.run.cell.game for one, _ in pairs]
            calls, near = (
                [float(one.calls_to(level) - other.calls_to(level)) for one, other in pairs]
                for level in (1.0, SETTLED)
            )
            final = [one.final - other.final for one, other in pairs]
            rows.append(
                [
                    text,
                    f"{first} - {second}",
                    str(len(pairs)),
                    _difference(games, calls, rng, "+.2f"),
                    _difference(games, near, rng, "+.2f"),
                    _difference(games, final, rng, "+.4f"),
                ]
            )
    return rows


def _difference(games: Sequence[str], values: Sequence[float], rng: np.random.Generator, form: str) -> str:
    low, high = paired_interval(games, values, rng)
    return f"{statistics.fmean(values):{form}} [{low:{form}}, {high:{form}}]"


def paired_interval(
    games: Sequence[str], values: Sequence[float], rng: np.random.Generator
) -> tuple[float, float]:
    """The 95 % percentile interval of a mean, whole games drawn again and again."""
    groups = [[value for own, value in zip(games, values) if own == game] for game in dict.fromkeys(games)]
    sums = np.array([[sum(group), len(group)] for group in groups], float)
    drawn = sums[rng.integers(len(groups), size=(RESAMPLES, len(groups)))].sum(axis=1)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975])
    return float(low), float(high)


def by_calls(found: Sequence[Measured], rng: np.random.Generator) -> list[list[str]]:
    """Mean held-out accuracy after 1, 2, 3, 5, 10 and 20 calls by text and refiner, with the interval over games."""
    most = max(one.max_calls for one in found)
    calls = [call for call in (1, 2, 3, 5, 10, 20) if call <= most]
    rows = [["text, refiner", *(f"{call} call{'s' * (call != 1)}" for call in calls)]]
    for text, refiner in dict.fromkeys(_key(one)[1:] for one in found):
        own = [one for one in found if _key(one)[1:] == (text, refiner)]
        games = [one.synthesis.run.cell.game for one in own]
        cells = []
        for call in calls:
            values = [one.at(call) for one in own]
            low, high = paired_interval(games, values, rng)
            cells.append(f"{statistics.fmean(values):.3f} [{low:.3f}, {high:.3f}]")
        rows.append([f"{text}, {refiner}", *cells])
    return rows


def what_stays_wrong(found: Sequence[Measured], most: int = 3) -> list[list[str]]:
    """The kinds of events at which final programs err, with the share of held-out games that show them."""
    rows = [["game, text, refiner, seed", "errs at", "games with an error there", "games that show it"]]
    for one in found:
        for kind, failed, showing, games in one.accuracies[-1].wrong[:most]:
            run = one.synthesis.run
            rows.append(
                [
                    f"{run.cell.game}, {run.cell.text}, {run.refiner}, {run.cell.seed}",
                    kind,
                    f"{failed}/{games}",
                    f"{showing / games:.1%}",
                ]
            )
    return rows
