"""The domain of MicroRTS with squads: the same game, other skills, and a situation that shows what decides."""

from __future__ import annotations

from collections.abc import Sequence

from games.micro_rts.bots import skirmish
from games.micro_rts.rules.engine import State, Unit
from games.micro_rts.rules.orders import Order
from skill_planner.domains.micro_rts.domain import MicroRTSDomain
from skill_planner.domains.micro_rts.parameters import MOBILE, NAMES
from skill_planner.domains.micro_rts.squads import conditions, who
from skill_planner.domains.micro_rts.squads.skills import SQUAD_SKILLS
from skill_planner.domains.micro_rts.squads.turn import SquadTurn
from skill_planner.planning.planner import render
from skill_planner.planning.skills import Step


class SquadDomain(MicroRTSDomain):
    """See `MicroRTSDomain`."""

    conditions = conditions.MicroRTSConditions()
    library = SQUAD_SKILLS
    words = "micro_rts/squads"

    def manual(self) -> str:
        return f"{super().manual()}\n{who.DESCRIPTION[0].upper()}{who.DESCRIPTION[1:]}."

    def sample_plan(self) -> tuple[str, ...]:
        return "[Harvest](2)", "[Train](worker, 4)", "when strength >= 1: [Attack](all, nearest)"

    def situation(self, state: State, player: int) -> str:
        turn = self.turn(state, player, [])
        return "\n".join(
            [
                super().situation(state, player),
                render(
                    "micro_rts/squads/strength.j2",
                    own=turn.force(player),
                    enemy=turn.force(1 - player),
                    strength=conditions.strength(turn),
                    distance=conditions.distance(turn),
                    tally=state.tally(player),
                    enemy_tally=state.tally(1 - player),
                    harvesters=len(turn.enemy_harvesters()),
                ),
            ]
        )

    def report(self, before: State, state: State, player: int) -> str:
        counts = [
            [(NAMES[kind], [_count(one, side, kind) for one in (before, state)]) for kind in (*MOBILE, 1, 2)]
            for side in (player, 1 - player)
        ]
        earned = [
            [now - then for then, now in zip(before.tally(side), state.tally(side))]
            for side in (player, 1 - player)
        ]
        return render(
            "micro_rts/squads/report.j2",
            ticks=state.clock - before.clock,
            own=[entry for entry in counts[0] if any(entry[1])],
            enemies=[entry for entry in counts[1] if any(entry[1])],
            earned=earned,
        )

    def turn(self, state: State, player: int, steps: Sequence[Step]) -> SquadTurn:
        return SquadTurn(state, player, steps)

    def finish(self, turn: SquadTurn) -> None:
        """As `MicroRTSDomain.finish`; who has no order even then makes way for harvesters."""
        super().finish(turn)
        turn.make_way()
        turn.end()

    def actions(self, turn: SquadTurn) -> list[tuple[int, Order]]:
        """Returns the orders of the plan's lines; those of units in contact are settled by rehearsal."""
        return skirmish.improved(turn.state, turn.player, turn.listed)

    def _line(self, state: State, unit: Unit) -> str:
        line = super()._line(state, unit)
        return f"#{unit.id} {line}" if unit.type in MOBILE else line


def _count(state: State, player: int, kind: int) -> int:
    return sum(unit.type == kind for unit in state.units_of(player))
