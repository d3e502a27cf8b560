"""The Trajectory Critic: explanations, reflections, and the reflection memory. Logs: see `collector`."""

from __future__ import annotations

from collections.abc import Sequence

from language_models.asking.questions import Checked, Question, Reply
from language_models.asking.repairs import ask_with_repairs
from language_models.asking.session import Session
from policy_evolve.evolution.prompting import Prompts
from policy_evolve.policies.program import Program

MEMORY_CHARACTERS = 8_000
"""A memory that grows beyond this is condensed, to at most as much where it is capped."""
_REVISIONS = 2
"""Times that a capped memory is asked for until it fits; then its last lines are left out."""


class Critic:
    """A critic that asks for explanations and reflections, and remembers them.

    Args:
      session, prompts: ask for them.
      remembers: whether there is a memory.
      capped: whether it may never have more than `MEMORY_CHARACTERS`: what later results refuted is replaced.

    Attributes:
      memory: the reflection memory as text.
    """

    def __init__(self, session: Session, prompts: Prompts, remembers: bool = True, capped: bool = True):
        self._session = session
        self._prompts = prompts
        self._remembers = remembers
        self._capped = capped
        self._explanations: dict[str, str] = {}
        self.memory = ""

    def explanation(self, program: Program) -> str:
        """Returns an explanation of a policy, asked for once."""
        if program.digest not in self._explanations:
            self._explanations[program.digest] = self._session.reply_to(
                self._prompts.explain(program.source), f"explanation of {program.name}"
            ).strip()
        return self._explanations[program.digest]

    def reflect(self, program: Program, fields: str, log: str, opponent: str = "", outcome: str = "") -> str:
        """Returns a reflection on a policy and its matches, which is added to the memory.

        Args:
          program: the policy.
          fields, log: the log of its matches and what its fields mean.
          opponent: the source of the opponent against which it did worst, if the critic is to see it.
          outcome: a line on what came of the policy, which stands with the reflection in the memory.
        """
        reflection = self._session.reply_to(
            self._prompts.reflect(program.source, fields, log, opponent), f"reflection on {program.name}"
        ).strip()
        if self._remembers:
            head = f"{program.name} ({outcome}):" if outcome else f"{program.name}:"
            self.memory = "\n\n".join(filter(None, [self.memory, f"{head}\n{reflection}"]))
            if len(self.memory) > MEMORY_CHARACTERS:
                self.memory = self._condensed(f"memory after {program.name}")
        return reflection

    def _condensed(self, purpose: str) -> str:
        if not self._capped:
            return self._session.reply_to(self._prompts.simplify(self.memory), purpose).strip()

        def check(text: str) -> Checked[str]:
            text = text.strip()
            over = len(text) - MEMORY_CHARACTERS
            return Checked(text, f"It has {over} characters too many." if over > 0 else None)

        def draft(replies: Sequence[Reply[str]]) -> Question[str]:
            fault = replies[-1].fault if replies else ""
            memory = replies[-1].value if replies else self.memory
            return Question.of(self._prompts.revise(memory, MEMORY_CHARACTERS, fault), purpose, check)

        [replies] = ask_with_repairs(self._session.ask_together, [draft], _REVISIONS)
        return fitting(replies[-1].value, MEMORY_CHARACTERS)


def fitting(memory: str, characters: int) -> str:
    """Returns as many whole lines from the start, where the most important ones stand, as fit; cut where the first does not."""
    if len(memory) <= characters:
        return memory
    kept = memory[:characters]
    return kept.rpartition("\n")[0].rstrip() or kept
