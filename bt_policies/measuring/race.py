"""A race of trees (PORTAL, section 3.6, with fewer matches for those that lose): fresh matches in each round, all trees
in the first of them, the better half in more (successive halving: Jamieson and Talwalkar, 2016).

A tree's reward is a paired difference: its figures less those of a reference tree in the very same matches, so that
easy and hard matches are no part of it. It is the mean over all matches that the tree has played, those of earlier
rounds included; whoever stays in the race plays fresh ones in each round, so that early luck wears off.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import math
from collections.abc import Callable, Sequence
from typing import Any

from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.evaluation import Evaluation, Policy, evaluate_all
from bt_policies.measuring.gains import Gain, gain
from bt_policies.trees.runtime import Trace
from runs.played_once import JsonLinesStore
from runs.progress import Bar


def digest(text: str) -> str:
    """Returns 16 hexadecimal digits that tell texts apart."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Race:
    """The matches of a search; what was played is kept in a file and not played again.

    Args:
      matches: from the number of a round to its matches, the first ones for all.
      rungs: the numbers of matches after which the worse half drops out, rising; the last one is where a round ends.
      reference: the text of the tree that all are compared with.
      metrics: the rewards, of equal weight.
      memory: of the composites of all trees but the reference, which has none.
      store: where figures are kept.
      executor: plays matches.
      progress: whether matches show a bar on stderr, one step for each match that all trees play.
    """

    def __init__(
        self,
        matches: Callable[[int], Sequence[Trial]],
        rungs: Sequence[int],
        reference: str,
        metrics: Sequence[str],
        memory: str,
        store: JsonLinesStore,
        executor: concurrent.futures.Executor,
        progress: bool = False,
    ):
        self._matches, self._rungs, self._metrics = matches, tuple(rungs), tuple(metrics)
        self._reference, self._memory = reference, memory
        self._store, self._executor, self._progress = store, executor, progress
        self._listed: dict[int, Sequence[Trial]] = {}
        self._played: dict[str, list[tuple[int, int]]] = {}
        self._known: dict[str, Evaluation] = {}

    def trials(self, number: int) -> Sequence[Trial]:
        """The matches of a round."""
        if number not in self._listed:
            self._listed[number] = self._matches(number)
        return self._listed[number]

    def run(self, number: int, texts: Sequence[str], keep: int) -> list[str]:
        """Races trees through a round; returns those that reached its end, the best one first.

        Args:
          number: of the round.
          texts: the trees, each once.
          keep: how many at least reach the end.
        """
        runners = list(dict.fromkeys(texts))
        for rung in range(len(self._rungs)):
            if rung:
                runners = runners[: max(keep, math.ceil(len(runners) / 2))]
            self._play([*runners, self._reference], number, rung)
            for text in runners:
                self._played.setdefault(text, []).append((number, rung))
            runners.sort(key=lambda text: -self.reward(text).mean)
        return runners

    def reward(self, text: str) -> Gain:
        """The gain over the reference in all matches that a tree has played."""
        return self._gain(text, self._reference, self._played.get(text, []))

    def against(self, text: str, other: str) -> Gain:
        """The gain over another tree in the matches that both have played."""
        both = [part for part in self._played.get(text, []) if part in self._played.get(other, [])]
        return self._gain(text, other, both)

    def last(self, text: str) -> tuple[Evaluation, Evaluation, list[Trial]]:
        """The figures of a tree, traced in the first matches, those of the reference, and the matches: of the last
        round that the tree was in.
        """
        number = self._played[text][-1][0]
        parts = [part for part in self._played[text] if part[0] == number]
        own, reference = ([self._found(one, *part) for part in parts] for one in (text, self._reference))
        return _joined(own), _joined(reference), [trial for part in parts for trial in self._part(*part)]

    def tried(self, text: str, changed: Sequence[str], number: int, games: int) -> list[Gain]:
        """The gains of changed trees over the tree in the first matches of a round, up to a rung."""
        parts = [(number, rung) for rung, stop in enumerate(self._rungs) if stop <= games]
        for part in parts:
            self._play([*changed, text], *part)
        return [self._gain(one, text, parts) for one in changed]

    def figures(self, text: str) -> list[dict[str, Any]]:
        """The figures of all matches that a tree has played."""
        return [one for part in self._played.get(text, []) for one in self._found(text, *part).figures]

    def _gain(self, text: str, other: str, parts: Sequence[tuple[int, int]]) -> Gain:
        own, others = (
            [one for part in parts for one in self._found(each, *part).figures] for each in (text, other)
        )
        return gain(self._metrics, own, others)

    def _part(self, number: int, rung: int) -> Sequence[Trial]:
        return self.trials(number)[self._rungs[rung - 1] if rung else 0 : self._rungs[rung]]

    def _play(self, texts: Sequence[str], number: int, rung: int) -> None:
        """Has trees play a part of a round that have not played it."""
        known, listed = self._store.known(), self._part(number, rung)
        new = [text for text in dict.fromkeys(texts) if _key(text, number, rung) not in known]
        if not new:
            return
        policies = [Policy((text,), "none" if text == self._reference else self._memory) for text in new]
        with Bar(total=len(listed), unit="match", leave=False, disable=not self._progress) as bar:
            # What nodes do is counted in the matches that all play.
            made = evaluate_all(policies, listed, self._executor, traced=rung == 0, bar=bar)
        for text, found in zip(new, made):
            traces = [trace.to_json() for trace in found.traces]
            self._store.keep(_key(text, number, rung), {"figures": found.figures, "traces": traces})

    def _found(self, text: str, number: int, rung: int) -> Evaluation:
        key = _key(text, number, rung)
        if key not in self._known:
            line = self._store.outcome(key)
            self._known[key] = Evaluation(
                [{name: tuple(pair) for name, pair in one.items()} for one in line["figures"]],
                [Trace.from_json(trace) for trace in line["traces"]],
            )
        return self._known[key]


def _key(text: str, number: int, rung: int) -> str:
    return f"{digest(text)} {number} {rung}"


def _joined(parts: Sequence[Evaluation]) -> Evaluation:
    """Returns the figures of all parts, and the traces of the first one, which has them."""
    return Evaluation([one for part in parts for one in part.figures], parts[0].traces)
