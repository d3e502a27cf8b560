"""All failed transitions of a program in groups of what they have in common, with the shortest example of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cwm.trust.checks import Failure, Mismatch, same_data
from cwm.trust.trajectories import CHANCE, Trajectory
from cwm.writing import coverage
from cwm.writing.prompting.failures import show_failure
from cwm.writing.prompting.wording import clip, compact, some

SHOWN_GROUPS = 6
OTHERS_SHOWN = 3
EXAMPLE_BUDGET = 3_500
"""Most characters of an example."""
SEEN_BUDGET = 1_200
"""Most characters of the state before it."""
VALUE_BUDGET = 400
"""Most characters of one value."""
NAMES_SHOWN = 12
HISTORY_SHOWN = 30


@dataclass
class Group:
    """Failed transitions with the same kind of action and the same things wrong.

    Attributes:
      action: the kind of action, with who acts.
      wrong: what comes out wrong, sorted.
      first: failures that do not follow on a failed transition, the ones after the fewest moves first.
      later: number of failures that do, and so may be mere consequences.
      passed: number of transitions with the same kind of action that pass.
      example: the failure after the fewest moves as text, with what was seen before it.
    """

    action: str
    wrong: tuple[str, ...]
    first: list[Failure] = field(default_factory=list)
    later: int = 0
    passed: int = 0
    example: str = ""

    @property
    def title(self) -> str:
        return f"{self.action}; wrong: {', '.join(self.wrong)}"

    @property
    def counts(self) -> str:
        """How often it happens, in a sentence."""
        games = len({failure.game for failure in self.first})
        return (
            f"{len(self.first)} transition{'s' * (len(self.first) != 1)} of {games} game{'s' * (games != 1)}, and "
            f"{self.later} that may be consequences; {self.passed} with this kind of action pass."
        )

    @property
    def others(self) -> list[str]:
        """A line about each of the next failures."""
        return [_in_a_line(failure) for failure in self.first[1 : 1 + OTHERS_SHOWN]]


def grouped(
    failures: Sequence[Sequence[Failure]], trajectories: Sequence[Trajectory], breaches: Iterable[Failure] = ()
) -> list[Group]:
    """The groups of all failures, those with the most failures that are no consequences first.

    Args:
      failures: for each recorded game its failed transitions in order (`checks.every_failure`).
      trajectories: the recorded games.
      breaches: failures that belong to no recorded game, such as those of random play; each is a group.
    """
    groups: dict[tuple[str, tuple[str, ...]], Group] = {}
    passed: Counter[str] = Counter()
    for own, trajectory in zip(failures, trajectories, strict=True):
        kinds = [_action(step.player, step.action) for step in trajectory.steps if step.action is not None]
        failed = {failure.transition for failure in own}
        reached = max(failed) if any(failure.error for failure in own) else len(kinds) - 1
        passed.update(kind for number, kind in enumerate(kinds) if number not in failed and number <= reached)
        for failure in own:
            key = kinds[failure.transition], _wrong(failure)
            group = groups.setdefault(key, Group(*key))
            if failure.transition - 1 in failed:
                group.later += 1
            else:
                group.first.append(failure)
    found = [group for group in groups.values() if group.first]
    for group in found:
        group.passed = passed[group.action]
        group.first.sort(key=lambda failure: len(failure.history))
        shortest = group.first[0]
        group.example = _example(shortest, trajectories[shortest.game])
    found.sort(key=lambda group: (-len(group.first), len(group.first[0].history)))
    outside = [
        Group("play inside the module", ("the contract",), [failure], example=show_failure(failure))
        for failure in breaches
    ]
    return outside + found


def _action(player: int, name: str) -> str:
    """The kind of an action, with who acts: `chance: deal _`, `player: light _`."""
    return f"{'chance' if player == CHANCE else 'player'} plays `{coverage.pattern(name)}`"


def _wrong(failure: Failure) -> tuple[str, ...]:
    """What comes out wrong, without the values."""
    if failure.error:
        last = failure.error["lines"][-1] if failure.error["lines"] else ""
        return (f"{failure.error['message'].partition(':')[0]} {last}".strip(),)
    found = {one for mismatch in failure.mismatches for one in _aspects(mismatch)}
    return tuple(sorted(found)) or ("the action is not known in this state",)


def _aspects(mismatch: Mismatch) -> Iterable[str]:
    where = mismatch.where.removeprefix("initial state: ")
    if where.startswith("observation"):
        return (f"observation `{path}`" for path in _fields(mismatch.expected, mismatch.found))
    if where.startswith("names of the legal actions"):
        return _legal_aspects(mismatch.expected, mismatch.found)
    return (where.removesuffix(" after the action").removesuffix(" before the action"),)


def _legal_aspects(expected: Sequence[str], found: Sequence[str]) -> Iterable[str]:
    missing = {coverage.pattern(name) for name in expected if name not in found}
    extra = {coverage.pattern(name) for name in found if name not in expected}
    yield from (f"legal `{kind}` missing" for kind in sorted(missing)[:3])
    yield from (f"illegal `{kind}` offered" for kind in sorted(extra)[:3])


def _fields(expected: Any, found: Any) -> list[str]:
    """The fields of an observation that differ."""
    if not (isinstance(expected, dict) and isinstance(found, dict)):
        return ["all of it"]
    missing = object()
    return [
        str(key)
        for key in dict.fromkeys([*expected, *found])
        if not same_data(expected.get(key, missing), found.get(key, missing))
    ]


def _example(failure: Failure, game: Trajectory) -> str:
    """A failure with the state before it, and what comes out wrong in the fields that differ; equal views once."""
    before = game.steps[failure.transition].observations
    alike = all(same_data(before[0], other) for other in before)
    seen = compact(before[0]) if alike else "; ".join(f"player {p}: {compact(o)}" for p, o in enumerate(before))
    history = failure.history[-HISTORY_SHOWN:]
    hidden = len(failure.history) - len(history)
    earlier = f"[... {hidden} earlier], " if hidden else ""
    lines = [
        f"After {len(failure.history)} actions: {earlier}{', '.join(history) or 'none'}.",
        f"What is observed there: {clip(seen, SEEN_BUDGET)}",
        f"The next action is: {failure.action}.",
        *dict.fromkeys(_told(mismatch, alike) for mismatch in failure.mismatches),
    ]
    if failure.error:
        lines.append(
            f"The call {failure.error['call'] or 'of the module'} failed with {failure.error['message']}"
        )
        lines += [f"  {line}" for line in failure.error["lines"]]
    return clip("\n".join(lines), EXAMPLE_BUDGET)


def _told(mismatch: Mismatch, alike: bool) -> str:
    """One difference in a line."""
    where = mismatch.where
    if alike and where.startswith("observation"):
        where = "observation after the action"
    return f"Wrong {where}: {_values(mismatch)}"


def _values(mismatch: Mismatch) -> str:
    expected, found = mismatch.expected, mismatch.found
    if mismatch.where.startswith("names of the legal actions"):
        missing = [name for name in expected if name not in found]
        extra = [name for name in found if name not in expected]
        right = [name for name in found if name in expected]
        return (
            f"missing {some(missing, NAMES_SHOWN) or 'none'}; not legal {some(extra, NAMES_SHOWN) or 'none'}; right "
            f"{some(right, NAMES_SHOWN) or 'none'}"
        )
    if isinstance(expected, dict) and isinstance(found, dict):
        fields = _fields(expected, found)
        expected, found = ({key: one.get(key) for key in fields} for one in (expected, found))
    return f"expected {clip(compact(expected), VALUE_BUDGET)}, found {clip(compact(found), VALUE_BUDGET)}"


def _in_a_line(failure: Failure) -> str:
    last = ", ".join(failure.history[-3:])
    shown = "; ".join(list(dict.fromkeys(map(_values, failure.mismatches)))[:2])
    return f"Also after {len(failure.history)} actions ({last or 'none'}), then {failure.action}: {shown}"
