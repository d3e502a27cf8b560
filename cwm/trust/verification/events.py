"""Bounds on the errors that held-out games did not show, for each kind of event.

Held-out games are drawn independently of each other, transitions of one game are not; so the unit is the game.
Of the n games that show a kind of event, k show the model err at it: the share of such games in which it errs
is at most the upper end of Clopper and Pearson's one-sided interval,

    1 - 0.05 ** (1 / n)  where k = 0 (the "rule of three", about 3 / n),
    the 0.95 quantile of Beta(k + 1, n - k)  else,

with a confidence of 95 % for each kind by itself. The bound holds for games as the held-out ones are played,
not for those of better players.

Source: C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits illustrated in the case of the
binomial, Biometrika 26 (1934), 404-413.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scipy import special  # scipy.stats has the same quantiles, and takes most of a second to import

from cwm.trust.checks import Failure
from cwm.trust.trajectories import Trajectory
from cwm.writing import coverage

CONFIDENCE = 0.95


def upper_bound(failures: int, trials: int, confidence: float = CONFIDENCE) -> float:
    """Clopper and Pearson's one-sided upper bound of a rate.

    Args:
      failures: number of failures seen, 0 .. trials.
      trials: number of independent trials, at least 0.
      confidence: the confidence, in (0, 1).

    Returns:
      The bound, in [0, 1]; 1 without any trial.

    Raises:
      ValueError: an argument is out of range.
    """
    if not 0 <= failures <= trials or not 0 < confidence < 1:
        raise ValueError(
            f"upper bound: expected 0 <= failures <= trials and a confidence in (0, 1), found {failures}, "
            f"{trials} and {confidence}"
        )
    return 1.0 if failures == trials else float(special.betaincinv(failures + 1, trials - failures, confidence))


@dataclass(frozen=True)
class Event:
    """One kind of event in the held-out games.

    Attributes:
      kind: the player to act, the words of the action, the next player; at the end of a game also gains and losses.
      transitions: number of transitions of this kind, up to the first failure of each game.
      games: number of games that show it.
      failed: number of games whose first failure is of this kind.
      at_most: upper bound, with 95 % confidence, of the share of games with an error at it among those that show it.
    """

    kind: str
    transitions: int
    games: int
    failed: int
    at_most: float


@dataclass(frozen=True)
class Events:
    """All kinds of events, the rarest first.

    Attributes:
      games, failed: number of held-out games, and of those with a failure.
      at_most: upper bound, with 95 % confidence, of the share of such games in which the model errs; where it
        never erred, a kind of event that nobody saw comes up in no larger share of them either.
      kinds: the kinds of events that were seen.
    """

    games: int
    failed: int
    at_most: float
    kinds: tuple[Event, ...]

    def to_json(self) -> dict[str, Any]:
        return {"confidence": CONFIDENCE, **asdict(self)}


def bound(games: Sequence[Trajectory], failures: Sequence[Failure]) -> Events:
    """Bounds the errors by kinds of events.

    Args:
      games: the held-out games.
      failures: the first failure of each game that has one, with the game's index.
    """
    first = {failure.game: failure.transition for failure in failures}
    transitions: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    showing: defaultdict[str, set[int]] = defaultdict(set)
    for index, game in enumerate(games):
        # After its first failure a replay is lost: what comes then is neither right nor wrong.
        for number, kind in enumerate(kinds_of(game)[: first.get(index, len(game.steps)) + 1]):
            transitions[kind] += 1
            showing[kind].add(index)
            failed[kind] += first.get(index) == number
    found = [
        Event(kind, count, len(showing[kind]), failed[kind], upper_bound(failed[kind], len(showing[kind])))
        for kind, count in transitions.items()
    ]
    found.sort(key=lambda event: (event.games, event.transitions, event.kind))
    return Events(len(games), len(failures), upper_bound(len(failures), len(games)), tuple(found))


def kinds_of(game: Trajectory) -> list[str]:
    """The kind of each transition of a recorded game as text (`cwm.writing.coverage.kinds`)."""
    texts = []
    for (actor, words, followed), after in zip(coverage.kinds(game), game.steps[1:]):
        text = f"{actor}: {words}, then {followed}"
        if followed == "end":
            text += " " + "".join("-0+"[(amount > 0) - (amount < 0) + 1] for amount in after.returns)
        texts.append(text)
    return texts
