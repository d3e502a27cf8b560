"""The Trajectory Critic: explanations, reflections, and the reflection memory. Logs: see `collector`."""

from __future__ import annotations

from language_models.asking.session import Session
from policy_evolve.evolution.prompting import Prompts
from policy_evolve.policies.program import Program

MEMORY_CHARACTERS = 8_000
"""A memory that grows beyond this is condensed."""


class Critic:
    """A critic that asks for explanations and reflections, and remembers them.

    Attributes:
      memory: the reflection memory as text, condensed when it grew beyond `MEMORY_CHARACTERS`.
    """

    def __init__(self, session: Session, prompts: Prompts, remembers: bool = True):
        self._session = session
        self._prompts = prompts
        self._remembers = remembers
        self._explanations: dict[str, str] = {}
        self.memory = ""

    def explanation(self, program: Program) -> str:
        """Returns an explanation of a policy, asked for once."""
        if program.digest not in self._explanations:
            self._explanations[program.digest] = self._session.reply_to(
                self._prompts.explain(program.source), f"explanation of {program.name}"
            ).strip()
        return self._explanations[program.digest]

    def reflect(self, program: Program, fields: str, log: str) -> str:
        """Returns a reflection on a policy and its matches, which is added to the memory."""
        reflection = self._session.reply_to(
            self._prompts.reflect(program.source, fields, log), f"reflection on {program.name}"
        ).strip()
        if self._remembers:
            self.memory = "\n\n".join(filter(None, [self.memory, f"{program.name}:\n{reflection}"]))
            if len(self.memory) > MEMORY_CHARACTERS:
                self.memory = self._session.reply_to(
                    self._prompts.simplify(self.memory), f"memory after {program.name}"
                ).strip()
        return reflection
