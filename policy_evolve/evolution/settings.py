"""The settings of a run of an evolution."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import pyspiel

from policy_evolve.domains.registry import domain_of
from policy_evolve.evolution.admission import AMONG_MANY, Bar
from policy_evolve.matches.rules import MatchRules, match_game
from policy_evolve.policies.policy import PolicyLimits
from policy_evolve.policies.program import Program
from policy_evolve.policies.shipped import read_source

THINK_MS = 2.0
BATCH = 50
"""Matches that one pair of workers plays side by side, where the game can."""
_LATER = ("refuse_solvers", "exploiter")


@dataclass(frozen=True)
class Settings:
    """The settings of a run. All but `patience` tell runs apart: a resumed run must have the same.

    Attributes:
      game: an OpenSpiel game string, for two players or more.
      seed: the seed of the run, 0 to 21,000.
      opponents: how many of the Global Pool a new policy meets at most (k).
      matches: against each of them, even (L); with more than two players rounded up to whole blocks, see
        `evaluation.mirrored`, as all numbers of matches.
      temperature: the temperature of the softmax over Elo that draws them, see `pools.GlobalPool.sample`.
      rated: how many members are rated anew after a promotion, the new one among them (n).
      rating_matches: between each two of them, even (t).
      max_debug: calls of the debug module for one policy.
      opening_plies: random moves at the start of each match; -1 for what suits the game: none where
        chance makes matches differ, else as many as its domain says.
      edition: 2, or 1 to repeat recordings that were made before there was a second one: admission by a score of .60
        against the opponents met, logs of numbers, a memory without a bound, no reflection without two steps, and
        none of the settings from `candidates` on.
      hints, two_step, memory, local_pool, hard_opponents: the ablations: hints in the task's description; reflections,
        instead of logs straight to the planner; memory of reflections; improvements of attempts that failed, instead of
        a new policy each time; opponents by the softmax, instead of all alike.
      move_seconds, match_seconds, characters: see `policy.PolicyLimits`. Without a bound on their length
        policies grow from one iteration to the next, and with them the prompts and the time of a move. Indentation and
        comments do not count.
      interpreter: the interpreter of the policies.
      information: the task's description; empty for what ships with the package.
      islands: the islands of the population, see the module's docstring; 1 is the paper's method.
      patience: stop after as many iterations without a promotion; 0 for never.
      candidates: policies that each iteration asks for by one prompt; the one that does best counts.
      seed_policies: policies that the Global Pool starts with beside the random one, see `shipped.read_source`.
      niches: quality diversity, see `niches`: new policies start from the best one and the best of other styles.
      evidence: matches against each member of the Global Pool, even, before a policy is admitted to it.
      admission, floor, most_draws: see `admission.Bar`; None for its values with two players, and those of
        `admission.AMONG_MANY` with more.
      think_ms: milliseconds that a move may take on average, which the prompt says and the debug module enforces; 0 for
        any, -1 for `THINK_MS` where matches are played in batches, else any. What a policy computes is most of what a
        match takes.
      batch: see `MatchRules`; -1 for `BATCH` where the game can be played so, else 0.
      continuous, starts: see `MatchRules`; only where matches are played in batches.
      refuse_solvers: whether a policy that shows signs of solving the game inside does not count, see `policies.solving`;
        the prompt says so.
      exploiter: whether policies are judged by the best response to them too, see `exploiters`; in small games of two.
    """

    game: str
    seed: int = 0
    opponents: int = 3
    matches: int = 10
    temperature: float = 200.0
    rated: int = 6
    rating_matches: int = 4
    max_debug: int = 3
    opening_plies: int = -1
    hints: bool = True
    two_step: bool = True
    memory: bool = True
    move_seconds: float = 1.0
    match_seconds: float = 60.0
    characters: int = 10_000
    interpreter: str = "cpython"
    information: str = ""
    islands: int = 1
    patience: int = 0
    edition: int = 2
    candidates: int = 1
    seed_policies: tuple[str, ...] = ()
    local_pool: bool = True
    hard_opponents: bool = True
    niches: bool = False
    evidence: int = 100
    admission: float | None = None
    floor: float | None = None
    most_draws: float | None = None
    think_ms: float = -1.0
    batch: int = -1
    continuous: bool = True
    starts: tuple[str, ...] = ("standard", "middle", "rim")
    refuse_solvers: bool = False
    exploiter: bool = False

    def __post_init__(self) -> None:
        for name, low in (
            ("opponents", 1),
            ("rated", 2),
            ("max_debug", 0),
            ("opening_plies", -1),
            ("seed", 0),
            ("islands", 1),
            ("patience", 0),
            ("characters", 0),
            ("candidates", 1),
            ("batch", -1),
            ("think_ms", -1),
        ):
            if getattr(self, name) < low:
                raise ValueError(f"{name}: expected at least {low}, found {getattr(self, name)}")
        for name in ("matches", "rating_matches", "evidence"):
            if getattr(self, name) < 2 or getattr(self, name) % 2:
                raise ValueError(
                    f"{name}: expected an even number of at least 2, as matches are played in "
                    f"mirrored pairs, found {getattr(self, name)}"
                )
        if not self.temperature > 0:
            raise ValueError(f"temperature: expected more than 0, found {self.temperature}")
        if self.edition not in (1, 2):
            raise ValueError(f"edition: expected 1 or 2, found {self.edition}")
        if self.edition == 1 and (self.candidates > 1 or self.seed_policies or self.niches):
            raise ValueError(
                "edition: expected 2 with several candidates, policies in the first pool or niches, found 1"
            )
        if self.edition == 1 and (self.refuse_solvers or self.exploiter):
            raise ValueError("edition: expected 2 with refused solvers or an exploiter, found 1")
        if self.seed > 21_000:
            raise ValueError(f"seed: expected 0 to 21000, found {self.seed}")
        suits = Bar() if match_game(self.game).num_players() == 2 else AMONG_MANY
        for name, value in (
            ("admission", suits.mean),
            ("floor", suits.floor),
            ("most_draws", suits.most_draws),
        ):
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)  # frozen

    def identity(self) -> dict[str, Any]:
        """Returns the settings that must agree for a run to be resumed; runs of earlier versions lack what is `_LATER`."""
        fields = {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }
        unset = {name for name in _LATER if not fields[name]}
        return {name: value for name, value in fields.items() if name not in {"patience", "batch", *unset}}

    def match_rules(self) -> MatchRules:
        """Returns the rules by which the run's matches are played."""
        limits = PolicyLimits(self.move_seconds, self.match_seconds, characters=self.characters)
        opening = self.opening_plies
        if opening < 0:
            chance = match_game(self.game).get_type().chance_mode
            deals = chance != pyspiel.GameType.ChanceMode.DETERMINISTIC
            opening = 0 if deals else domain_of(self.game).opening_plies
        if self.edition == 1 or domain_of(self.game).referee is None or self.batch == 0:
            return MatchRules(self.game, opening, limits, self.interpreter)
        batch = BATCH if self.batch < 0 else self.batch
        return MatchRules(
            self.game, opening, limits, self.interpreter, batch, self.continuous, tuple(self.starts)
        )

    def milliseconds(self) -> float:
        """Returns the milliseconds that a move may take on average, 0 for any."""
        if self.edition == 1:
            return 0.0
        return self.think_ms if self.think_ms >= 0 else THINK_MS * bool(self.match_rules().batch)

    def bar(self) -> Bar:
        """Returns what a policy must reach."""
        return Bar(self.admission, self.floor, self.most_draws)


def random_program(game: str) -> Program:
    """Returns the random policy with which a Global Pool starts."""
    return Program("random", read_source(domain_of(game).random_policy))
