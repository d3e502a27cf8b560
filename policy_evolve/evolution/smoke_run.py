"""A trial whether a policy runs: a match in each seat against random players, with the traceback if it does
not.
"""

from __future__ import annotations

import statistics
from pathlib import Path

from policy_evolve.matches.rules import MatchRules
from policy_evolve.policies import solving
from policy_evolve.policies.policy import PolicyFailure
from policy_evolve.policies.program import Program
from policy_evolve.policies.readability import counted_characters
from policy_evolve.policies.trying import answer_seconds
from runs.played_once import JsonLinesStore
from sandbox import ProgramError

_CLOCKED = 3
"""Times that a policy which seems too slow is clocked."""
_LENIENCE = 1.5
"""A module is refused that has so many times the characters that its writer was told, where indentation and comments cost nothing:
a language model cannot count them. Told 10,000, 12,000 or 16,000 it wrote 10 to 40 % more."""


def _traceback(failure: PolicyFailure) -> str:
    error = failure.error
    if not isinstance(error, ProgramError):
        return str(error)
    lines = [f"  {line}" for line in error.traceback_lines if not line.startswith("driver:")]
    return "\n".join(["Traceback (most recent call last):", *lines, f"{error.type_name}: {error.message}"])


def fault(
    rules: MatchRules, source: str, *, bare: bool = False, think_ms: float = 0.0, refuse_solvers: bool = False
) -> str | None:
    """Returns the fault of a policy that plays: a traceback, or a sentence; None if there is none.

    Args:
      rules: the rules of the matches.
      source: the policy's text.
      bare: whether its indentation and comments cost nothing.
      think_ms: milliseconds of CPU time that a move may take on average, 0 for any. It is the median that is looked at,
        in the fastest of `_CLOCKED` trials, as other work on the machine makes some moves slow.
      refuse_solvers: whether signs of solving the game inside are a fault, see `policies.solving`.
    """
    allowed = rules.limits.characters
    characters = counted_characters(source) if bare else len(source)
    if allowed and characters > (_LENIENCE * allowed if bare else allowed):
        return f"The module has {characters} characters, {characters - allowed} more than allowed."
    try:
        seats = range(rules.players)
        took = [_milliseconds(rules, source, seat) for seat in seats]
        for seat in [*seats] * (_CLOCKED - 1):
            if think_ms and max(took) > think_ms:
                took[seat] = min(took[seat], _milliseconds(rules, source, seat))
    except PolicyFailure as failure:
        return _traceback(failure)
    except ValueError as error:
        return f"Illegal answer of act: {error}"
    if think_ms and max(took) > think_ms:
        return f"Its moves took {max(took):.1f} ms each, {think_ms:g} ms are allowed on average."
    found = solving.signs(rules, source) if refuse_solvers else ()
    if found:
        return f"The module shows signs of solving the game inside, which is not allowed: {'; '.join(found)}."
    return None


def _milliseconds(rules: MatchRules, source: str, seat: int) -> float:
    return 1000 * statistics.median(answer_seconds(rules, source, seat) or [0.0])


class Trials:
    """The trials of policies, each made once and kept in a file: what a loaded machine made of a time limit
    stays.

    Args:
      path: JSON Lines, read now and added to.
      rules: the rules of the matches.
      bare, think_ms, refuse_solvers: see `fault`.

    Raises:
      ValueError: the file is damaged.
    """

    def __init__(
        self,
        path: Path,
        rules: MatchRules,
        *,
        bare: bool = False,
        think_ms: float = 0.0,
        refuse_solvers: bool = False,
    ):
        self._rules = rules
        self._demands = {"bare": bare, "think_ms": think_ms, "refuse_solvers": refuse_solvers}
        self._store = JsonLinesStore(path)

    def fault(self, program: Program) -> str | None:
        """Returns the same as the function `fault`."""
        return self._store.once(
            program.digest, lambda: {"fault": fault(self._rules, program.source, **self._demands)}
        )["fault"]
