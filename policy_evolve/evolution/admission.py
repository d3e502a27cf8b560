"""The admission of a policy to the Global Pool, by its matches against each member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from policy_evolve.matches.evaluation import tally
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.policies.program import Program


@dataclass(frozen=True)
class Bar:
    """What a policy must reach.

    Attributes:
      mean: the mean over members of the win rate (equation 3 of PolicyEvolve, wins less losses by matches, -1 to 1).
      floor: the win rate against each of them.
      most_draws: the share of draws among all matches from which on a policy adds nothing.
    """

    mean: float = 0.6
    floor: float = 0.0
    most_draws: float = 0.5


@dataclass(frozen=True)
class Verdict:
    """What came of it.

    Attributes:
      win_rate: the mean over members of the win rate.
      evidence: for each member by name `wins`, `draws`, `losses`, `win_rate`, and the score with its interval.
      refused: why the policy is not admitted, a sentence each; empty if it is.
    """

    win_rate: float
    evidence: dict[str, dict[str, Any]]
    refused: tuple[str, ...]

    @property
    def admitted(self) -> bool:
        return not self.refused


def judged(
    played: Sequence[tuple[Pairing, Outcome]],
    program: Program,
    members: Sequence[Program],
    bar: Bar,
    newest: Program | None = None,
) -> Verdict:
    """Judges a policy by its matches.

    Args:
      played: matches, among them some of it against each member; others do not count.
      program: the policy.
      members: those that count: the Global Pool's but for the random one, which alone counts where it is alone.
      bar: what has to be reached.
      newest: the member against which the lower end of the score's interval must be above one half; None for nobody.
    """
    evidence, refused, draws, matches = {}, [], 0, 0
    for member in members:
        met = [
            (pairing, outcome)
            for pairing, outcome in played
            if {program.digest, member.digest} == {seated.digest for seated in pairing.seats}
        ]
        result = tally(met, program)
        fields = asdict(result)
        evidence[member.name] = {
            "win_rate": round(result.win_rate, 4),
            **{name: fields[name] for name in ("wins", "draws", "losses", "score", "low", "high")},
        }
        draws += result.draws
        matches += result.wins + result.draws + result.losses
        if result.win_rate < bar.floor:
            refused.append(f"its win rate against {member.name} is {result.win_rate:.2f}, below {bar.floor:g}")
        if member is newest and result.low <= 0.5:
            refused.append(
                f"that it beats {member.name} is not shown: {result.score:.2f} ({result.low:.2f}-{result.high:.2f})"
            )
    mean = sum(row["win_rate"] for row in evidence.values()) / len(evidence)
    if mean < bar.mean:
        refused.append(f"its mean win rate is {mean:.2f}, below {bar.mean:g}")
    if draws > bar.most_draws * matches:
        refused.append(f"{draws} of its {matches} matches are draws")
    return Verdict(mean, evidence, tuple(refused))
