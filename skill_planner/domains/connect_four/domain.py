"""Connect four as a `Domain`; its game steps are plies, and a plan is for some of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyspiel

from skill_planner.domains.connect_four.board import DISCS, Move
from skill_planner.domains.connect_four.skills import SKILLS, central
from skill_planner.planning import planner
from skill_planner.planning.planner import render
from skill_planner.planning.skills import Step

_PROMPTS = Path(planner.__file__).parent / "prompts"


class ConnectFourDomain:
    """The domain of connect four, see `skills.Domain`. States are those of OpenSpiel."""

    name = "connect four"
    skills = SKILLS
    unit_of_time = "plies"
    interval = 6
    conditions = None

    def __init__(self) -> None:
        self.examples = tuple(
            (_PROMPTS / f"connect_four/example{number}.txt").read_text(encoding="utf-8").strip()
            for number in (1, 2)
        )
        self.tips = tuple((_PROMPTS / "connect_four/tips.txt").read_text(encoding="utf-8").splitlines())

    def clock(self, state: pyspiel.State) -> int:
        return state.move_number()

    def instruction(self) -> str:
        return render("connect_four/instruction.j2")

    def manual(self) -> str:
        return render("connect_four/manual.j2")

    def sample_plan(self) -> tuple[str, ...]:
        return "[Win Now]()", "[Drop Disc](2)"

    def situation(self, state: pyspiel.State, player: int) -> str:
        rows = Move(state, player).rows[::-1]
        # The own discs are # for either player, so that the words are the same.
        own = str.maketrans({DISCS[player]: "#", DISCS[1 - player]: "o"})
        return render(
            "connect_four/situation.j2",
            ply=state.move_number(),
            rows=[row.translate(own) for row in rows],
            numbers="".join(str(column % 10) for column in range(len(rows[0]))),
        )

    def opponent(self, state: pyspiel.State, player: int) -> str:
        turn = Move(state, player)
        moves = [entry.action for entry in state.full_history() if entry.player == 1 - player]
        return render(
            "connect_four/opponent.j2",
            moves=moves,
            threats=[column for column in turn.legal() if turn.completes(column, 1 - player)],
        )

    def report(self, before: pyspiel.State, state: pyspiel.State, player: int) -> str:
        return ""

    def closing(self, state: pyspiel.State, player: int) -> str:
        return render("connect_four/closing.j2", side=("first", "second")[player])

    def turn(self, state: pyspiel.State, player: int, steps: Sequence[Step]) -> Move:
        return Move(state, player)

    def finish(self, turn: Move) -> None:
        """Plays, where no skill has a move, the column with room that is nearest to the centre."""
        if turn.column is None:
            turn.propose(central(turn)[0])

    def actions(self, turn: Move) -> list[int]:
        return [turn.column]
