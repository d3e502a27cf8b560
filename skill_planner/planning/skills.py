"""The parameterized skill, and the parts that a game must provide to be played with skills.

A skill is the paper's tuple (policy, parameter space, initiation, termination) of section III-A. Nothing
here knows of a particular game: a `Domain` brings the skills, the words of the prompt, and a `Turn`, the
joint action of one game step in the making, which skills fill.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from language_models.grammars import Form


class Skill(Protocol):
    """A parameterized skill u = (pi, Theta, I, beta).

    Attributes:
      name: as it stands in square brackets, e.g. "Harvest Mineral".
      signature: its parameters as the prompt shows them, e.g. "(x, y)".
      description: its effect in words, for the prompt; one sentence or two.
    """

    name: str
    signature: str
    description: str

    def read(self, words: Sequence[str], state: Any, player: int) -> tuple[Any, ...]:
        """Returns the parameters Theta that the words of a plan's line stand for, in `state`.

        Raises:
          ValueError: they stand for none; one clause that says why, for log and prompt.
        """
        ...

    def form(self, state: Any, player: int) -> Form | None:
        """Theta as the form that a local model's plan is held to: the texts between the round brackets. None where
        there are no parameters in this state. May be left out."""
        ...

    def available(self, turn: Turn, step: Step) -> bool:
        """Returns whether the skill can act now, I(s). It lays claim to the units that it needs, so that those
        of the steps behind it in the plan look for others.
        """
        ...

    def act(self, turn: Turn, step: Step) -> None:
        """Adds the first action that leads towards the goal to the turn, pi(a | s, theta). Asked at each game
        step anew, so that a second action is never carried out in a state it was not meant for.
        """
        ...

    def done(self, turn: Turn, step: Step) -> bool:
        """Returns whether the skill has ended in this state, beta(s); it is then deleted from the plan."""
        ...


@dataclass(eq=False)
class Step:
    """One line of a plan, u(theta).

    Attributes:
      skill: u.
      parameters: theta, as `Skill.read` gave them.
      line: as the language model wrote it, trimmed.
      condition: says in which turns the line counts; None for all. A line that does not count claims nothing.
      memory: the data that the skill keeps between game steps, such as the unit that it has claimed.
    """

    skill: Skill
    parameters: tuple[Any, ...]
    line: str
    condition: Callable[[Turn], bool] | None = None
    memory: dict[Any, Any] = field(default_factory=dict)


class Dropped(NamedTuple):
    """A line of a reply that is no valid skill, and why."""

    line: str
    reason: str


class Plan(NamedTuple):
    """The content of a reply: the valid steps Q_t in their order, and the lines that were dropped."""

    steps: list[Step]
    dropped: list[Dropped]


class Turn(Protocol):
    """The joint action of one game step in the making; what else it has is up to the domain."""

    state: Any
    player: int


class Conditions(Protocol):
    """The conditions that a plan's lines may begin with, as `when CONDITION: [Skill](parameters)`.

    Attributes:
      description: what a condition may say, for the prompt.
    """

    description: str

    def read(self, text: str) -> Callable[[Any], bool]:
        """Returns the test of a turn that the text stands for.

        Raises:
          ValueError: it stands for none; one clause that says why.
        """
        ...

    def form(self) -> Form:
        """The texts that `read` takes."""
        ...


class Domain(Protocol):
    """A game that can be played with skills.

    Attributes:
      name: the name of the game, as the prompt says it.
      skills: the library U.
      examples: for few-shot prompts, each a situation with a plan.
      tips: the tips of an expert.
      unit_of_time: the unit that the planning interval k counts, e.g. "ticks".
      interval: k, where the user does not say another.
      conditions: what lines of a plan may depend on; None for nothing.
    """

    name: str
    skills: tuple[Skill, ...]
    examples: tuple[str, ...]
    tips: tuple[str, ...]
    unit_of_time: str
    interval: int
    conditions: Conditions | None

    def clock(self, state: Any) -> int:
        """Returns the number of game steps played, t."""
        ...

    def instruction(self) -> str:
        """Returns the first lines of the prompt."""
        ...

    def manual(self) -> str:
        """Returns the rules, as briefly as they can be told."""
        ...

    def sample_plan(self) -> tuple[str, ...]:
        """Returns the lines that show the form of a plan."""
        ...

    def situation(self, state: Any, player: int) -> str:
        """Returns the textual observation: what `player` sees, in words that are the same for either
        player.
        """
        ...

    def opponent(self, state: Any, player: int) -> str:
        """Returns lines on the opponent's deeds so far, and what they suggest."""
        ...

    def report(self, before: Any, state: Any, player: int) -> str:
        """Returns what has come of the last plan, in words, between the state that it was made for and this
        one; empty where the game has no such words."""
        ...

    def closing(self, state: Any, player: int) -> str:
        """Returns the last lines of the prompt, which say on which side the player is."""
        ...

    def turn(self, state: Any, player: int, steps: Sequence[Step]) -> Turn:
        """Returns an empty joint action, which knows what the steps have claimed before."""
        ...

    def finish(self, turn: Turn) -> None:
        """Adds what is done without a plan."""
        ...

    def actions(self, turn: Turn) -> list[Any]:
        """Returns the joint action as the bot takes it."""
        ...
