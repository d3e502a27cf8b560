"""Small maps, and a language model that answers with fixed plans."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import spielwright  # noqa: F401  (registers every game)
from games.micro_rts.rules import engine, maps
from language_models import Completion, LanguageModelError, Request
from skill_planner.planning import parser
from skill_planner.planning.executor import Executor


def reply(*lines: str) -> str:
    return "\n".join([parser.START, *lines, parser.END])


class Stub:
    """Answers each request with `answer(prompt)`; keeps the requests, and fails after `calls` of them."""

    name = "stub"

    def __init__(self, answer: Callable[[str], str], calls: int | None = None):
        self._answer = answer
        self._calls = calls
        self.requests: list[Request] = []

    def complete(self, request: Request) -> list[Completion]:
        if self._calls is not None and len(self.requests) >= self._calls:
            raise LanguageModelError("the stub is tired")
        self.requests.append(request)
        return [Completion(self._answer(request.messages[0].content), "stop", 100, 10, None, self.name)]


class Play:
    """One player follows a plan in the bare engine, the other does nothing."""

    def __init__(self, text: str, domain, player: int = 0, unit_table: int = 1):
        self.state = engine.State(maps.parse("test", text), unit_table)
        self.player = player
        self.domain = domain
        self.executor = Executor(domain, player)
        self.issued: list[tuple[int, int, object]] = []  # (tick, unit, order)

    def follow(self, *lines: str) -> parser.Plan:
        plan = parser.parse(reply(*lines), self.domain, self.state, self.player)
        self.executor.follow(plan.steps)
        return plan

    def run(self, ticks: int) -> Play:
        for _ in range(ticks):
            orders = self.executor.actions(self.state.clone())
            self.issued += [(self.state.clock, unit, order) for unit, order in orders]
            self.state.issue(self.player, orders)
            self.state.advance()
        return self

    def where(self, unit: int) -> tuple[int, int]:
        return self.state.map.positions[self.state.units[unit].cell]

    def at(self, x: int, y: int):
        return self.state.unit_at(self.state.map.cell(x, y))


@pytest.fixture
def micro_rts():
    from arena.registry.games import load_game

    return load_game("micro_rts(unit_table=1)")


@pytest.fixture
def domain(micro_rts):
    from skill_planner.domains.micro_rts.domain import MicroRTSDomain

    return MicroRTSDomain(micro_rts)


@pytest.fixture
def played(domain):
    return lambda text, player=0: Play(text, domain, player)


@pytest.fixture
def squads(micro_rts):
    from skill_planner.domains.micro_rts.squads.domain import SquadDomain

    return SquadDomain(micro_rts)


@pytest.fixture
def commanded(micro_rts):
    """Plays with squads whose orders are those of the skills: no fight is rehearsed."""
    from skill_planner.domains.micro_rts.squads.domain import SquadDomain

    class Unrehearsed(SquadDomain):
        def actions(self, turn):
            return turn.listed

    unrehearsed = Unrehearsed(micro_rts)

    def start(text: str, *lines: str, player: int = 0) -> Play:
        play = Play(text, unrehearsed, player)
        assert play.follow(*lines).dropped == []
        return play

    return start


@pytest.fixture
def stub():
    return Stub


@pytest.fixture
def reply_of():
    return reply
