"""The two pools of PolicyEvolve: elite policies of all iterations, and the attempts of the current one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from policy_evolve.matches.evaluation import Tally
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.policies.program import Program

INITIAL_ELO = 1200.0
ELO_K = 32.0
ADMISSION = 0.6
"""The score against the opponents from which on a policy enters the Global Pool in edition 1."""


@dataclass
class Member:
    """A policy of the Global Pool: since which iteration (0: from the start), and its Elo rating."""

    program: Program
    iteration: int
    elo: float = INITIAL_ELO


def expected_score(own: float, other: float) -> float:
    """Returns the score that a player rated `own` reaches against one rated `other` on average (equation
    1).
    """
    return 1 / (1 + 10 ** ((other - own) / 400))


class GlobalPool:
    """The elite policies. Starts with the programs given, such as a random one."""

    def __init__(self, programs: Iterable[Program]):
        self.members = [Member(program, 0) for program in programs]

    def __contains__(self, program: Program) -> bool:
        return any(member.program.digest == program.digest for member in self.members)

    def admit(self, program: Program, iteration: int) -> Member:
        """Adds a policy that is not there yet, with the initial rating."""
        self.members.append(Member(program, iteration))
        return self.members[-1]

    def record(self, one: Program, other: Program, score: float) -> None:
        """Updates both ratings after a match in which `one` scored `score` (equation 1, K = 32)."""
        first, second = self._member(one), self._member(other)
        change = ELO_K * (score - expected_score(first.elo, second.elo))
        first.elo += change
        second.elo -= change

    def record_match(self, pairing: Pairing, outcome: Outcome) -> None:
        """Updates the ratings of all members of a match.

        Among more than two, each two seats of different members count as a match of the two by the order of their returns;
        K is shared out among a seat's opponents, and all expectations are those from before the match.
        """
        members = [self._member(program) for program in pairing.seats]
        changes = [
            (
                members[seat],
                members[other],
                ELO_K
                / (len(members) - 1)
                * (outcome.against(seat, other) - expected_score(members[seat].elo, members[other].elo)),
            )
            for seat, other in itertools.combinations(range(len(members)), 2)
            if members[seat] is not members[other]
        ]
        for first, second, change in changes:
            first.elo += change
            second.elo -= change

    def _member(self, program: Program) -> Member:
        return next(member for member in self.members if member.program.digest == program.digest)

    def top(self, count: int) -> list[Member]:
        """Returns the members rated highest, best first; of equals, the newer one first."""
        ordered = sorted(enumerate(self.members), key=lambda item: (-item[1].elo, -item[0]))
        return [member for _, member in ordered[:count]]

    def sample(self, count: int, temperature: float, rng: np.random.Generator) -> list[Member]:
        """Draws up to `count` different members, one after the other, each with a probability
        proportional to exp(elo / temperature) among those left (equation 2, which has temperature 1: so
        small that the member rated highest is drawn first always)."""
        left = list(self.members)
        drawn = []
        while left and len(drawn) < count:
            highest = max(member.elo for member in left)
            weights = np.array([math.exp((member.elo - highest) / temperature) for member in left])
            drawn.append(left.pop(int(rng.choice(len(left), p=weights / weights.sum()))))
        return drawn


@dataclass(frozen=True)
class Attempt:
    """A policy of the current iteration: how it did against its opponents, what the critic said, the log of its matches, and
    the figure by which attempts are ranked."""

    program: Program
    tally: Tally
    reflection: str
    log: str
    rank: float


class LocalPool:
    """The attempts since the last promotion."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []

    def reset(self) -> None:
        """Forgets everything, after a promotion."""
        self.attempts = []

    def best(self) -> Attempt:
        """Returns the attempt ranked highest; of equals, the newest one."""
        return max(reversed(self.attempts), key=lambda attempt: attempt.rank)
