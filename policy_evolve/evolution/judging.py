"""The matches of new policies, and whether they enter the Global Pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from policy_evolve.evolution.admission import Verdict, judged
from policy_evolve.evolution.exploiters import Exploiter, Exploiters
from policy_evolve.evolution.pools import ADMISSION, GlobalPool
from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.evaluation import Evaluator, Tally, mirrored, tally, unique
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.policies.program import Program

_OPPONENTS, _EVALUATION, _RATED, _RATING, _EVIDENCE, _EXPLOITED = range(6)
"""Independent streams of random numbers of one iteration."""


@dataclass(frozen=True)
class Judged:
    """A policy and its matches.

    Attributes:
      program: the policy.
      played: all of its matches.
      tally: their results, all opponents together.
      opponents: the names of those met.
      verdict: None in edition 1.
      promoted: whether it is to enter the pool.
      hardest: the opponent against which it did worst.
      exploiter: the best response to it, and `exploited` its matches with it, which do not count among its results; None
        where it is not judged by it.
    """

    program: Program
    played: list[tuple[Pairing, Outcome]]
    tally: Tally
    opponents: list[str]
    verdict: Verdict | None
    promoted: bool
    hardest: Program
    exploiter: Exploiter | None = None
    exploited: Sequence[tuple[Pairing, Outcome]] = ()

    @property
    def rank(self) -> tuple[bool, float]:
        if self.exploiter is not None:
            return self.promoted, -self.exploiter.nash_conv
        return self.promoted, self.tally.score if self.verdict is None else self.verdict.win_rate


class Judge:
    """Plays the matches of a run.

    Args:
      settings: the run's.
      evaluator: plays them.
      pool: the Global Pool.
      exploiters: find the best response to each policy, which must then be less exploitable than the newest member, in
        place of beating it; None for a run without.
    """

    def __init__(
        self, settings: Settings, evaluator: Evaluator, pool: GlobalPool, exploiters: Exploiters | None = None
    ):
        self._settings = settings
        self._evaluator = evaluator
        self._pool = pool
        self._exploiters = exploiters

    def _play(self, pairings: list[Pairing]) -> list[tuple[Pairing, Outcome]]:
        return list(zip(pairings, self._evaluator.play(pairings)))

    def _mirrored(
        self, one: Program, other: Program, matches: int, entropy: tuple[int, ...], company: Sequence[Program]
    ) -> list[Pairing]:
        entropy = self._settings.seed, *entropy
        starts, players = self._evaluator.rules.starts, self._evaluator.rules.players
        return mirrored(one, other, matches, entropy, starts, players=players, company=company)

    def _members(self) -> list[Program]:
        """The members that count: all but the random one, which counts where it is alone."""
        programs = [member.program for member in self._pool.members]
        return programs[1:] or programs

    def judge(self, number: int, programs: Sequence[Program]) -> list[Judged]:
        """Judges the candidates of an iteration, the best one first; at most one is promoted."""
        settings = self._settings
        rng = np.random.default_rng([settings.seed, number, _OPPONENTS])
        if settings.edition == 1:
            opponents = [
                one.program for one in self._pool.sample(settings.opponents, settings.temperature, rng)
            ]
            return [self._by_score(number, program, opponents) for program in programs]
        temperature = settings.temperature if settings.hard_opponents else float("inf")
        known = self._members()
        drawn = self._pool.sample(len(self._pool.members), temperature, rng)
        opponents = [member.program for member in drawn if member.program in known][: settings.opponents]
        screened = [self._screened(number, program, opponents) for program in programs]
        screened.sort(key=lambda one: one.rank, reverse=True)
        for index, one in enumerate(screened):
            if one.promoted:
                screened[index] = self._proved(number, one)
                if screened[index].promoted:
                    break
        ranked = sorted(screened, key=lambda one: one.rank, reverse=True)
        return [ranked[0], *(replace(one, promoted=False) for one in ranked[1:])]

    def _by_score(self, number: int, program: Program, opponents: list[Program]) -> Judged:
        played = self._evaluation(number, program, opponents)
        result = tally(played, program)
        names = [opponent.name for opponent in opponents]
        return Judged(program, played, result, names, None, result.score >= ADMISSION, opponents[0])

    def _evaluation(
        self, number: int, program: Program, opponents: list[Program]
    ) -> list[tuple[Pairing, Outcome]]:
        return self._play(
            [
                pairing
                for index, opponent in enumerate(opponents)
                for pairing in self._mirrored(
                    program, opponent, self._settings.matches, (number, _EVALUATION, index), opponents
                )
            ]
        )

    def _screened(self, number: int, program: Program, opponents: list[Program]) -> Judged:
        played = self._evaluation(number, program, opponents)
        screened = self._verdict(program, played, opponents, None)
        return screened if self._exploiters is None else self._exploited(number, screened)

    def _exploited(self, number: int, screened: Judged) -> Judged:
        """The same policy after matches against the best response to it."""
        exploiter = self._exploiters.of(screened.program)
        newest = self._members()[-1]
        bar = self._exploiters.of(newest).nash_conv
        refused = screened.verdict.refused
        exploited = []
        if exploiter.program is None:
            refused += (f"it fails somewhere in the game: {exploiter.fault}",)
        else:
            entropy = number, _EXPLOITED
            exploited = self._play(
                self._mirrored(
                    screened.program, exploiter.program, self._settings.matches, entropy, [exploiter.program]
                )
            )
            if exploiter.nash_conv >= bar:
                refused += (
                    f"its NashConv is {exploiter.nash_conv:.3f}, not below that of {newest.name}, {bar:.3f}",
                )
        verdict = replace(screened.verdict, refused=refused)
        return replace(
            screened, verdict=verdict, promoted=verdict.admitted, exploiter=exploiter, exploited=exploited
        )

    def _proved(self, number: int, screened: Judged) -> Judged:
        """The same policy after matches against every member; the newest one must be beaten beyond doubt, unless
        exploitability decides."""
        members = self._members()
        pairings = [
            pairing
            for index, member in enumerate(members)
            for pairing in self._mirrored(
                screened.program, member, self._settings.evidence, (number, _EVIDENCE, index), members
            )
        ]
        proof = self._play(pairings)
        newest = members[-1] if self._exploiters is None else None
        proved = self._verdict(screened.program, proof, members, newest)
        played = screened.played + proof
        return replace(
            proved,
            played=played,
            tally=tally(played, proved.program),
            exploiter=screened.exploiter,
            exploited=screened.exploited,
        )

    def _verdict(
        self,
        program: Program,
        played: list[tuple[Pairing, Outcome]],
        opponents: list[Program],
        newest: Program | None,
    ) -> Judged:
        verdict = judged(played, program, opponents, self._settings.bar(), newest)
        hardest = min(opponents, key=lambda opponent: verdict.evidence[opponent.name]["win_rate"])
        names = [opponent.name for opponent in opponents]
        return Judged(program, played, tally(played, program), names, verdict, verdict.admitted, hardest)

    def rate(self, number: int) -> None:
        """Lets some members play each other, the newest among them, and updates their ratings."""
        settings = self._settings
        rng = np.random.default_rng([settings.seed, number, _RATED])
        *others, newest = [member.program for member in self._pool.members]
        chosen = rng.permutation(len(others))[: settings.rated - 1]
        programs = [others[index] for index in sorted(chosen)] + [newest]
        pairs = [(one, other) for index, one in enumerate(programs) for other in programs[index + 1 :]]
        pairings = [
            pairing
            for index, (one, other) in enumerate(pairs)
            for pairing in self._mirrored(
                one, other, settings.rating_matches, (number, _RATING, index), programs
            )
        ]
        played = unique(self._play(pairings))
        # In an order that favours nobody: later results weigh more.
        for index in rng.permutation(len(played)):
            pairing, outcome = played[index]
            self._pool.record_match(pairing, outcome)
