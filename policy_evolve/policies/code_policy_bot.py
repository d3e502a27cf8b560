"""A code policy as a bot of OpenSpiel."""

from __future__ import annotations

import hashlib
from typing import Any

import pyspiel

from arena.matches import heads
from arena.matches.forfeit import Forfeit, Unplayable
from policy_evolve.domains.registry import domain_of
from policy_evolve.policies.policy import Policy, PolicyFailure, PolicyLimits
from sandbox import InterpreterMissing, SandboxUnavailable


class CodePolicyBot(pyspiel.Bot):
    """A bot that plays the answers of a policy. Each match has a new process, so that no memory outlives it.

    Args:
      game: any that moves in turn or at once.
      player_id: its seat.
      seed: the seed of the policy's random numbers.
      source: the policy's text.
      limits: the limits of one match.
      interpreter: "cpython", "pypy" or a path.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player_id: int,
        seed: int,
        *,
        source: str,
        limits: PolicyLimits = PolicyLimits(),
        interpreter: str = "cpython",
    ):
        super().__init__()
        self._game = game
        self._player_id = player_id
        self._seed = seed
        self._source = source
        self._limits = limits
        self._interpreter = interpreter
        self._policy: Policy | None = None
        self._notes: dict[str, Any] = {}

    def restart_at(self, state: pyspiel.State) -> None:
        self.restart()

    def restart(self) -> None:
        self.close()
        self._interface = domain_of(self._game).interface(self._game, self._player_id)
        self._moves = 0
        self._notes = {
            "policy": hashlib.sha256(self._source.encode()).hexdigest()[:12],
            "interpreter": self._interpreter,
        }
        try:
            self._policy = Policy(
                self._source, self._seed, self._interface.function, self._limits, self._interpreter
            )
        except PolicyFailure as failure:
            raise Forfeit(failure.kind, str(failure), self._notes) from failure
        except (InterpreterMissing, SandboxUnavailable) as error:
            raise Unplayable(f"policies cannot run on this machine: {error}") from error

    def step(self, state: pyspiel.State) -> int:
        if self._policy is None:
            self.restart()
        if self._moves:
            self._notes = {}
        self._moves += 1
        try:
            answer = self._policy.answer(self._interface.pack(state))
        except PolicyFailure as failure:
            raise Forfeit(failure.kind, str(failure)) from failure
        except (InterpreterMissing, SandboxUnavailable) as error:
            raise Unplayable(f"policies cannot run on this machine any more: {error}") from error
        try:
            return self._interface.action(state, answer)
        except ValueError as error:
            raise Forfeit("illegal", str(error)) from error

    def notes(self) -> dict[str, Any]:
        """Returns for the first move `policy`, the start of the SHA-256 of the source, and the interpreter."""
        return self._notes

    def explain(self) -> list[heads.Panel]:
        """The policy's text, and what it remembers after its last move."""
        program = heads.code("The policy's program", self._source)
        if self._policy is None:
            return [program]
        try:
            kept = self._policy.remembered()
        except PolicyFailure as failure:
            return [program, heads.text("Memory", f"the policy cannot tell it: {failure}")]
        return [
            program,
            heads.table("Memory", ["key", "value"], kept) if kept else heads.text("Memory", "nothing"),
        ]

    def close(self) -> None:
        """Ends the policy's process."""
        if self._policy is not None:
            self._policy.close()
            self._policy = None
