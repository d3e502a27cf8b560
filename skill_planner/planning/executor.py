"""The skill executor of the paper's section IV-C: carries out a plan, one game step at a time."""

from __future__ import annotations

from typing import Any

from skill_planner.planning.skills import Domain, Step


class Executor:
    """An executor that holds a plan Q_t and turns it into joint actions.

    At each game step it deletes the steps that have ended (equation 8), collects the active ones
    (equation 5) in the order of the plan, has each add its first action (equations 6 and 7), and
    forgets all but that: the next step starts from the state as it is then.

    Attributes:
      steps: the remaining steps of the plan.
      active: the number of them that acted in the last turn.
      acting: those steps.

    Args:
      domain: the domain that is played.
      player: for whom.
    """

    def __init__(self, domain: Domain, player: int):
        self._domain = domain
        self._player = player
        self.follow([])

    def follow(self, steps: list[Step]) -> None:
        """Takes a new plan; whatever the old one had claimed is free."""
        self.steps = list(steps)
        self.active = 0
        self.acting: list[Step] = []

    def actions(self, state: Any) -> list[Any]:
        """Returns the joint action for `state`; with an empty plan what the domain does without one."""
        turn = self._domain.turn(state, self._player, self.steps)
        ended = [step for step in self.steps if step.skill.done(turn, step)]
        if ended:
            self.steps = [step for step in self.steps if step not in ended]
            turn = self._domain.turn(state, self._player, self.steps)
        active = [step for step in self.steps if _counts(step, turn) and step.skill.available(turn, step)]
        for step in active:
            step.skill.act(turn, step)
        self.active, self.acting = len(active), active
        self._domain.finish(turn)
        return self._domain.actions(turn)


def _counts(step: Step, turn: Any) -> bool:
    return step.condition is None or step.condition(turn)
