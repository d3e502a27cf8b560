"""Any game with written rules as a `Domain`: what a player sees is its situation, actions go by their names."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pyspiel

from games.seeing import rulebook, views
from skill_planner.domains.any_game.choice import Choice
from skill_planner.domains.any_game.fields import FieldConditions
from skill_planner.domains.any_game.skills import SKILLS
from skill_planner.planning.planner import render
from skill_planner.planning.skills import Step

_SHOWN = 40
"""The number of actions that a prompt names."""


class AnyGameDomain:
    """The domain of any game, see `skills.Domain`. States are those of OpenSpiel; game steps are moves.

    Args:
      game: the game; it has written rules (`games.seeing.rulebook`).
      seed: of the choice among the actions that a plan leaves, and of conditions of chance.

    Raises:
      ValueError: nobody has written its rules down.
    """

    skills = SKILLS
    tips = ()
    unit_of_time = "moves"
    interval = 100

    def __init__(self, game: pyspiel.Game, seed: int = 0):
        self.name = game.get_type().short_name
        self.examples = tuple(render(f"any_game/example{number}.txt") for number in (1, 2))
        self._rules = rulebook.rules(game)
        self._rng = random.Random(seed)
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        self.conditions = FieldConditions(tuple(views.view(state, 0).data))

    def clock(self, state: pyspiel.State) -> int:
        return state.move_number()

    def instruction(self) -> str:
        return render("any_game/instruction.j2", name=self.name)

    def manual(self) -> str:
        return render("any_game/manual.j2", rules=self._rules)

    def sample_plan(self) -> tuple[str, ...]:
        return "when chance 0.2: [Prefer](raise)", "[Avoid](fold)"

    def situation(self, state: pyspiel.State, player: int) -> str:
        seen = views.view(state, player)
        return render(
            "any_game/situation.j2", text=seen.text, actions=seen.legal[:_SHOWN], more=len(seen.legal) - _SHOWN
        )

    def opponent(self, state: pyspiel.State, player: int) -> str:
        """Returns nothing: what the others did stands in the situation, where the player may know it."""
        return ""

    def report(self, before: pyspiel.State, state: pyspiel.State, player: int) -> str:
        return ""

    def closing(self, state: pyspiel.State, player: int) -> str:
        return render("any_game/closing.j2", player=player)

    def turn(self, state: pyspiel.State, player: int, steps: Sequence[Step]) -> Choice:
        return Choice(state, player, self._rng)

    def finish(self, turn: Choice) -> None:
        """Chooses one of the actions that are left at random."""
        turn.left = [turn.rng.choice(turn.left)]

    def actions(self, turn: Choice) -> list[int]:
        return [turn.actions[turn.left[0]]]
