"""Failed tests as a prompt shows them."""

from __future__ import annotations

from typing import Any

from cwm.trust.checks import Failure
from cwm.writing.prompting.wording import clip, compact, some

VALUE_BUDGET = 1_200
"""Most characters of one expected or found value in a failed test."""
HISTORY_SHOWN = 30


def show_failure(failure: Failure) -> str:
    """A failed test in words: the actions that led there, the expected value, and the found one."""
    if failure.game < 0 and failure.breach and not failure.history:
        return f"The module breaks the contract: {failure.breach}."
    lines = []
    kind = "In a random game inside the module" if failure.game < 0 else "In a recorded game"
    shown = failure.history[-HISTORY_SHOWN:]
    hidden = len(failure.history) - len(shown)
    before = f"[... {hidden} earlier], " if hidden else ""
    lines.append(
        f"{kind}, after these {len(failure.history)} actions: {before}{', '.join(shown) if shown else 'none'}."
    )
    if failure.action is not None:
        lines.append(f"The next action is: {failure.action}.")
    if failure.breach:
        lines.append(f"The contract is broken: {failure.breach}.")
    for mismatch in failure.mismatches:
        lines.append(_show_mismatch(mismatch.where, mismatch.expected, mismatch.found))
    if failure.error:
        lines.append(
            f"The call {failure.error['call'] or 'of the module'} failed with {failure.error['message']}"
        )
        lines += [f"  {line}" for line in failure.error["lines"]]
    return "\n".join(lines)


def _show_mismatch(where: str, expected: Any, found: Any) -> str:
    if where.startswith("names of the legal actions"):
        missing = [name for name in expected if name not in found]
        extra = [name for name in found if name not in expected]
        return (
            f"Wrong {where}: missing from the module's list: {some(missing) or 'none'}; "
            f"in it but not legal: {some(extra) or 'none'}; right: "
            f"{some([name for name in found if name in expected], 10) or 'none'}."
        )
    return (
        f"Wrong {where}:\n  expected {clip(compact(expected), VALUE_BUDGET)}\n"
        f"  found    {clip(compact(found), VALUE_BUDGET)}"
    )
