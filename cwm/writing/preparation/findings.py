"""What was found before a synthesis, as a table of a few lines."""

from __future__ import annotations

from dataclasses import dataclass

GOOD, NOTE, REFUSED = "", "note", "no"


@dataclass(frozen=True)
class Finding:
    """One line of the table.

    Attributes:
      subject: what was looked at.
      text: what was found; for a refusal the one sentence that says what, expected, and what to do.
      verdict: `GOOD`; `NOTE` where the user should know; `REFUSED` where the run cannot be made.
    """

    subject: str
    text: str
    verdict: str = GOOD


@dataclass(frozen=True)
class Preparation:
    """All that was found, in the order in which it was looked at."""

    findings: tuple[Finding, ...]

    @property
    def refusal(self) -> str | None:
        """The first reason for which the run cannot be made; None where it can."""
        return next((finding.text for finding in self.findings if finding.verdict == REFUSED), None)

    def table(self) -> str:
        """The findings, one a line."""
        width = max(len(finding.subject) for finding in self.findings)
        return "\n".join(
            f"  {finding.subject:{width}}  {finding.verdict:4}  {finding.text}" for finding in self.findings
        )

    def __add__(self, other: Preparation) -> Preparation:
        return Preparation(self.findings + other.findings)
