"""The admission of a policy to the Global Pool, by its matches against each member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from policy_evolve.matches.evaluation import tally
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.policies.program import Program

_EVIDENCE = ("win_rate", "wins", "draws", "losses", "score", "low", "high", "ahead")


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


AMONG_MANY = Bar(0.1, -0.1, 1.0)
"""What suits more than two players, who finish level whenever a third one takes it all, and whose results are mostly luck
where cards are dealt."""


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
        result = tally(played, program, member)
        rows[member.name] = {"win_rate": result.win_rate, **asdict(result), **ahead(played, program, member)}
    return by_rows(rows, bar, None if newest is None else newest.name)


def ahead(played: Sequence[tuple[Pairing, Outcome]], program: Program, member: Program) -> dict[str, float]:
    """Returns of a policy in matches of more than two players `ahead`, by how much its mean return is above that of a
    member in the matches of both, in utilities of the game; nothing of two players.

    Somebody who never bets finishes ahead of all who bet and lost, and yet loses to whoever won: places alone would admit it.
    """
    if not played or len(played[0][0].seats) == 2:
        return {}
    both = [match for match in played if match[0].seats_of(program) and match[0].seats_of(member)]
    own, other = tally(both, program, member), tally(both, member, program)
    return {"ahead": own.mean_return - other.mean_return}


def by_rows(rows: Mapping[str, Mapping[str, Any]], bar: Bar, newest: str | None) -> Verdict:
    """Judges a policy by its results.

    Args:
      rows: by member the fields of the policy's `Tally` against it, its `win_rate`, and among more than two players how
        far it is `ahead`.
      bar: what has to be reached.
      newest: the member against which the lower end of the score's interval must be above one half; None for nobody.
    """
    evidence = {name: {field: row[field] for field in _EVIDENCE if field in row} for name, row in rows.items()}
    refused = []
    for name, row in evidence.items():
        if row["win_rate"] < bar.floor:
            refused.append(f"its win rate against {name} is {row['win_rate']:.2f}, below {bar.floor:g}")
        if name == newest and row["low"] <= 0.5:
            refused.append(
                f"that it beats {name} is not shown: {row['score']:.2f} ({row['low']:.2f}-{row['high']:.2f})"
            )
        if name == newest and row.get("ahead", 0.0) < 0:
            refused.append(f"its mean return is {-row['ahead']:.3f} below that of {name}")
    mean = sum(row["win_rate"] for row in evidence.values()) / len(evidence)
    if mean < bar.mean:
        refused.append(f"its mean win rate is {mean:.2f}, below {bar.mean:g}")
    draws = sum(row["draws"] for row in evidence.values())
    matches = draws + sum(row["wins"] + row["losses"] for row in evidence.values())
    if draws > bar.most_draws * matches:
        refused.append(f"{draws} of its {matches} matches are draws")
    return Verdict(mean, evidence, tuple(refused))
