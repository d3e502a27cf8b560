"""The admission of a policy to the Global Pool, by its matches against each member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from policy_evolve.matches.evaluation import tally
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.policies.program import Program

_EVIDENCE = ("win_rate", "wins", "draws", "losses", "score", "low", "high")


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
      newest: the member that has to be beaten beyond doubt, see `by_rows`; None for nobody.
    """
    rows = {}
    for member in members:
        pair = {program.digest, member.digest}
        met = [match for match in played if pair == {seated.digest for seated in match[0].seats}]
        result = tally(met, program)
        rows[member.name] = {"win_rate": result.win_rate, **asdict(result)}
    return by_rows(rows, bar, None if newest is None else newest.name)


def by_rows(rows: Mapping[str, Mapping[str, Any]], bar: Bar, newest: str | None) -> Verdict:
    """Judges a policy by its results.

    Args:
      rows: by member the fields of the policy's `Tally` against it, and its `win_rate`.
      bar: what has to be reached.
      newest: the member against which the lower end of the score's interval must be above one half; None for nobody.
    """
    evidence = {name: {field: row[field] for field in _EVIDENCE} for name, row in rows.items()}
    refused = []
    for name, row in evidence.items():
        if row["win_rate"] < bar.floor:
            refused.append(f"its win rate against {name} is {row['win_rate']:.2f}, below {bar.floor:g}")
        if name == newest and row["low"] <= 0.5:
            refused.append(
                f"that it beats {name} is not shown: {row['score']:.2f} ({row['low']:.2f}-{row['high']:.2f})"
            )
    mean = sum(row["win_rate"] for row in evidence.values()) / len(evidence)
    if mean < bar.mean:
        refused.append(f"its mean win rate is {mean:.2f}, below {bar.mean:g}")
    draws = sum(row["draws"] for row in evidence.values())
    matches = draws + sum(row["wins"] + row["losses"] for row in evidence.values())
    if draws > bar.most_draws * matches:
        refused.append(f"{draws} of its {matches} matches are draws")
    return Verdict(mean, evidence, tuple(refused))
