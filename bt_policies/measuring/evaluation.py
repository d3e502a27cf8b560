"""Trees in many different games: which games, one match, and figures with intervals over all."""

from __future__ import annotations

import concurrent.futures
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arena.registry.specs import split_specs
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.registry import domain_of
from bt_policies.measuring.metrics import METRICS, Figures
from bt_policies.trees.dsl import parse
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.runtime import Trace
from bt_policies.trees.vocabularies import words_of
from runs import played_once
from runs.intervals import RESAMPLES, bootstrap_interval
from runs.played_once import MemoryStore
from runs.progress import Bar

MODES = ("tdm", "control", "elimination", "dm")
MAPS = ("rooms", "corridors", "caves", "open")
_STREAM = 9_731


@dataclass(frozen=True)
class Policy:
    """The trees that play, one or one for each member of a team, as texts of the language; and the way in
    which they run. Or, without trees, the name of a script of the game.
    """

    trees: tuple[str, ...]
    memory: str = "none"
    tasks: str = "rule"
    script: str = ""


OTHER_GAMES = 1_000_003
"""A seed and the seed that is this much larger have no game in common."""


def trials(
    game: str,
    games: int,
    seed: int,
    *,
    opponents: str = "",
    modes: Sequence[str] = MODES,
    maps: Sequence[str] = MAPS,
    families: Sequence[str] = (),
) -> list[Trial]:
    """Returns different games to judge a tree by; the same arguments give the same games.

    Args:
      game: a game string. For fps_arena the parameters that it gives stay; of the others, `map_seed` is
        different in each game, and mode, map, and size (32 to 40) vary.
      games: the number of games.
      seed: other seeds give other maps, 0 or more.
      opponents: strengths, trees or bots, comma-separated, which take turns; empty for the game's default.
      modes, maps: those that fps_arena is played with.
      families: families of variants that take turns (`domains.fps_families`); none for the rules as given.

    Raises:
      ValueError: the game, an opponent or a family is unknown.
    """
    domain = domain_of(game)
    listed = split_specs(opponents or domain.default_opponent)
    rng = np.random.default_rng([_STREAM, seed])
    made = []
    for index in range(games):
        match_seed = int(rng.integers(2**31))
        # After each opponent has met a family, the next one has its turn.
        family = families[index // len(listed) % len(families)] if families else ""
        completed = domain.complete(game, rng, modes, maps, family)
        opponent = domain.opponent(listed[index % len(listed)])
        made.append(Trial(completed, index // len(listed) % 2, opponent, match_seed, family))
    return made


def play(
    trial: Trial,
    policy: Policy,
    traced: bool = False,
    record: bool = False,
    watch: Callable[[Any], None] | None = None,
) -> dict[str, Any]:
    """Plays one match.

    Args:
      trial, policy: which, and who plays it.
      traced: whether to count what nodes do.
      record: whether to keep a match of fps_arena for drawings.
      watch: told what a tree sees, before each of its ticks.

    Returns:
      `figures` (see `metrics.Figures`), `traces`, one for each tree as `Trace.to_json`, empty unless
      `traced`, and `match`, in fps_arena with `record`: the match with its frames.

    Raises:
      ValueError: a tree does not fit the game, or the opponent is unknown.
    """
    if policy.script:
        return {**domain_of(trial.game).play_script(trial, policy.script), "traces": []}
    vocabulary = words_of(trial.game)
    trees = [parse(text) for text in policy.trees]
    traces = [Trace([[0, 0, 0] for _ in tree.nodes()]) for tree in trees] if traced else []

    def maker(index: int) -> Callable[[int], TreePlayer]:
        def make_player(seed: int) -> TreePlayer:
            trace = Trace() if traced else None
            player = TreePlayer(
                trees[index],
                vocabulary,
                seed,
                memory=policy.memory,
                tasks=policy.tasks,
                trace=trace,
                watch=watch,
            )
            started.append((index, trace))
            return player

        return make_player

    started: list[tuple[int, Trace | None]] = []
    makers = [maker(index) for index in range(len(trees))]
    result = domain_of(trial.game).play(trial, makers, record)
    for index, trace in started:
        if trace is not None and trace.ticks:
            traces[index].add(trace)
    result["traces"] = [trace.to_json() for trace in traces]
    return result


@dataclass
class Evaluation:
    """The figures of all matches.

    Attributes:
      figures: the figures of each match, in the order of the trials.
      traces: one for each tree, empty unless traced.
    """

    figures: list[Figures]
    traces: list[Trace] = field(default_factory=list)

    def value(self, metric: str) -> float | None:
        """Returns the sum of numerators by the sum of denominators; None where the latter is 0."""
        above, below = np.array([each[metric] for each in self.figures], float).sum(axis=0)
        return float(above / below) if below else None

    def interval(self, metric: str, seed: int = 0) -> tuple[float, float] | None:
        """Returns the 95 % bootstrap interval over matches; None where there are too few of them for both
        ends, as where a resample may hold no kill at all and the ticks between kills have no bound.
        """
        # Matches that say nothing, such as those without a zone about the time in it, are no matches here.
        clusters = np.array([each[metric] for each in self.figures if any(each[metric])], float)
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = bootstrap_interval(clusters, np.random.default_rng(seed))
        return ends if ends is not None and np.isfinite(ends).all() else None

    def difference(
        self, other: Evaluation, metric: str, seed: int = 0
    ) -> tuple[float, float | None, float | None] | None:
        """Returns how much larger the value is than another policy's in the same matches, with both ends of a
        95 % bootstrap interval that resamples matches for both together; None where one of them has no value,
        and None for the ends where a resample may have none.

        Raises:
          ValueError: the other one played another number of matches.
        """
        if len(self.figures) != len(other.figures):
            raise ValueError(
                f"difference of {metric}: expected the same {len(self.figures)} matches, "
                "found "
                f"{len(other.figures)}"
            )
        values = self.value(metric), other.value(metric)
        if None in values:
            return None
        chosen = np.random.default_rng(seed).integers(len(self.figures), size=(RESAMPLES, len(self.figures)))
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = [
                sums[..., 0] / sums[..., 1]
                for sums in (
                    np.array([each[metric] for each in one.figures], float)[chosen].sum(axis=1)
                    for one in (self, other)
                )
            ]
            low, high = np.quantile(ratios[0] - ratios[1], [0.025, 0.975])
        ends = (float(low), float(high)) if np.isfinite([low, high]).all() else (None, None)
        return (values[0] - values[1], *ends)

    def summary(self) -> dict[str, Any]:
        """Returns `value`, `low`, `high` and `matches` of all metrics; those that no match had are left
        out.
        """
        found = {}
        for name in METRICS:
            if not self.figures or name not in self.figures[0] or self.value(name) is None:
                continue
            low, high = self.interval(name) or (None, None)
            found[name] = {"value": self.value(name), "low": low, "high": high, "matches": len(self.figures)}
        return found


def evaluate(
    policy: Policy,
    listed: Sequence[Trial],
    executor: concurrent.futures.Executor,
    *,
    traced: bool = False,
    bar: Bar | None = None,
) -> Evaluation:
    """Plays all trials; see `evaluate_all`."""
    (found,) = evaluate_all([policy], listed, executor, traced=traced, bar=bar)
    return found


def evaluate_all(
    policies: Sequence[Policy],
    listed: Sequence[Trial],
    executor: concurrent.futures.Executor,
    *,
    traced: bool = False,
    bar: Bar | None = None,
) -> list[Evaluation]:
    """Plays all trials with each policy. A trial is played by all of them in a row, so that what a game computes of its
    map serves them all: in fps_arena a tree that follows another one on a map takes a third of the time.

    Args:
      policies: the policies that play.
      listed: from `trials`.
      executor: an executor of `runs.executors`.
      traced: whether to count what nodes do.
      bar: moved by one for each trial.

    Returns:
      The evaluation of each policy.

    Raises:
      ValueError: as `play`.
    """
    play_one = functools.partial(_play_each, policies=tuple(policies), traced=traced)
    results = played_once.play(dict(enumerate(listed)), play_one, MemoryStore(), executor, bar=bar)
    made = []
    for index, policy in enumerate(policies):
        traces = [Trace() for _ in policy.trees] if traced else []
        for result in results:
            for trace, record in zip(traces, result[index]["traces"]):
                trace.add(Trace.from_json(record))
        made.append(Evaluation([result[index]["figures"] for result in results], traces))
    return made


def _play_each(trial: Trial, policies: Sequence[Policy], traced: bool) -> list[dict[str, Any]]:
    return [play(trial, policy, traced) for policy in policies]
