"""Flies a plan: asks for one, and has the executor carry it out."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from typing import Any

from absl import logging

from arena.matches import heads
from arena.matches.forfeit import Unplayable
from language_models import LanguageModel, LanguageModelError
from language_models.asking.call_notes import CallNotes
from skill_planner.planning import parser, planner
from skill_planner.planning.executor import Executor
from skill_planner.planning.planner import Past, Variant
from skill_planner.planning.skills import Domain, Step


def plan_panels(
    plan: Sequence[str],
    left: Sequence[Step],
    acting: Sequence[Step],
    dropped: Sequence[tuple[str, str]],
    answer: str,
) -> list[heads.Panel]:
    """The panels of a plan.

    Args:
      plan: its lines as it was made.
      left: the steps that have not ended.
      acting: those that acted in the last turn.
      dropped: lines that could not be read, each with the reason.
      answer: the language model's answer.
    """
    waiting, now = {step.line for step in left}, {step.line for step in acting}
    lines = [
        {
            "text": line,
            "mark": "now" if line in now else None,
            "remark": "acts" if line in now else "waits" if line in waiting else "has ended",
        }
        for line in plan
    ]
    lines += [{"text": line, "mark": "dropped", "remark": reason} for line, reason in dropped]
    return [
        {"kind": "lines", "title": "Plan", "lines": lines},
        *([heads.text("Answer of the language model", answer)] if answer else []),
    ]


class Pilot:
    """The planner and executor of one player (the paper's algorithm 1).

    A new plan is asked for at the first decision at or after each multiple of k. An empty plan is no
    error: the executor then does what the domain does without one.

    Attributes:
      notes: the notes of the last call of `actions` if it asked for a plan, else empty; see `plap`'s notes.

    Args:
      domain: the domain that is played.
      player: for whom.
      seed: the seed of the match, in the requests.
      model: answers.
      variant: the way in which it is prompted.
    """

    def __init__(self, domain: Domain, player: int, seed: int, model: LanguageModel, variant: Variant):
        variant.check(domain)
        self._domain, self._player, self._seed = domain, player, seed
        self._model, self._variant = model, variant
        self._executor = Executor(domain, player)
        self.restart()

    def restart(self) -> None:
        """Forgets the match played before."""
        self._next = 0
        self._past = Past()
        self._executor.follow([])
        self._plan_text: list[str] = []
        self._dropped: list[tuple[str, str]] = []
        self._answer = ""
        self.notes: dict[str, Any] = {}

    def actions(self, state: Any) -> list[Any]:
        """Returns the joint action for this state.

        Raises:
          Unplayable: the language model failed.
        """
        clock = self._domain.clock(state)
        if clock >= self._next:
            self._plan(state, clock)
            self._next = (clock // self._variant.k + 1) * self._variant.k
        return self._executor.actions(state)

    def explain(self) -> list[heads.Panel]:
        """The plan, its lines marked that acted in the last turn or have ended, those that were dropped, and the
        answer that it was read from."""
        return plan_panels(
            self._plan_text, self._executor.steps, self._executor.acting, self._dropped, self._answer
        )

    def _plan(self, state: Any, clock: int) -> None:
        request = planner.request(self._domain, self._variant, state, self._player, self._seed, self._past)
        asked = CallNotes.asked(request, keep_prompt=False)
        start = time.perf_counter()
        try:
            completion = self._model.complete(request)[0]
        except LanguageModelError as error:
            raise Unplayable(str(error)) from error
        seconds = time.perf_counter() - start
        plan = parser.parse(completion.text, self._domain, state, self._player)
        for line, reason in plan.dropped:
            logging.warning(
                "plap, player %d, %s %d: dropped %r: %s",
                self._player,
                self._domain.unit_of_time,
                clock,
                line,
                reason,
            )
        if self._variant.feedback:  # the only one that looks back
            self._past = Past(copy.deepcopy(state), [step.line for step in plan.steps], plan.dropped)
        self._executor.follow(plan.steps)
        self._plan_text = [step.line for step in plan.steps]
        self._dropped = [(line, reason) for line, reason in plan.dropped]
        self._answer = completion.text
        self.notes = {
            "clock": clock,
            **asked.answered(request, completion, seconds=seconds).to_notes(),
            "plan": [step.line for step in plan.steps],
            "dropped": [list(entry) for entry in plan.dropped],
        }
