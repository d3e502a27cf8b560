"""Our maps, states and orders as the real engine's objects, and back.

Orders travel in the fields of recorded games (see `replay`): code, parameter, x, y, type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.micro_rts.java.jvm import Library
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.maps import Map
from games.micro_rts.rules.orders import ATTACK, PRODUCE, WAIT, Order
from games.micro_rts.rules.unit_tables import TABLES
from games.micro_rts.rules.units import Unit

Fields = list[int]
"""An order: code, parameter, x, y, type."""


def order_fields(order: Order, board: Map) -> Fields:
    """Returns an order of ours."""
    if order.kind == ATTACK:
        x, y = board.positions[order.arg] if order.arg >= 0 else (-1, -1)
        return [ATTACK, -1, x, y, -1]
    return [order.kind, order.arg, 0, 0, order.type]


def action_fields(action: Any) -> Fields:
    """Returns a UnitAction of the engine."""
    kind = action.getType()
    if kind == ATTACK:
        return [ATTACK, -1, action.getLocationX(), action.getLocationY(), -1]
    return [kind, action.getDirection(), 0, 0, action.getUnitType().ID if kind == PRODUCE else -1]


def list_fields(player_action: Any) -> list[list[int]]:
    """Returns a PlayerAction of the engine: [unit's number there, *fields] for each order."""
    return [[pair.m_a.getID(), *action_fields(pair.m_b)] for pair in player_action.getActions()]


class RealGame:
    """A game in the engine, at its start.

    Attributes:
      library: the engine's classes.
      types: its UnitTypeTable.
      state: its GameState.
    """

    def __init__(self, library: Library, board: Map, unit_table: int, policy: int):
        self.library = library
        self.types = library.UnitTypeTable(unit_table, policy)
        self._physical = library.PhysicalGameState(board.width, board.height)
        self._physical.setTerrain([int(wall) for wall in board.walls])
        for player, bank in enumerate(board.banks):
            self._physical.addPlayer(library.Player(player, bank))
        self.units = self._physical.getUnits()
        self._players = [self._physical.getPlayer(player) for player in (0, 1)]
        for number, unit in enumerate(board.units):
            self.units.add(self.new_unit(number, *unit))
        self.count_units_from(len(board.units))
        self.state = library.GameState(self._physical, self.types)

    def count_units_from(self, number: int) -> None:
        """Sets the number of the next new unit, which all games of a process count on together. Bots
        iterate over hash tables of such numbers, so that a game repeats only with the same ones."""
        self.library.Unit.next_ID = number

    def new_unit(self, number: int, kind: int, player: int, x: int, y: int, hp: int, carried: int) -> Any:
        """Returns a Unit that stands nowhere yet."""
        unit = self.library.Unit(number, player, self.types.getUnitType(kind), x, y, carried)
        unit.setHitPoints(hp)
        return unit

    def action(self, fields: Sequence[int]) -> Any:
        """Returns a UnitAction."""
        kind, arg, x, y, unit_type = fields
        if kind == ATTACK:
            return self.library.UnitAction(kind, x, y)
        if kind == PRODUCE:
            return self.library.UnitAction(kind, arg, self.types.getUnitType(unit_type))
        return self.library.UnitAction(kind, arg)

    @property
    def banks(self) -> list[int]:
        return [player.getResources() for player in self._players]

    def set_banks(self, banks: Sequence[int]) -> None:
        for player, bank in zip(self._players, banks):
            player.setResources(bank)


class Mirror(RealGame):
    """A game in the engine that is brought to the positions of a game of ours, one after the other.

    The engine's bots remember units by identity, so that a unit of ours stays the same object there; it has
    the same number.
    """

    def __init__(self, library: Library, state: State):
        number = next(number for number, table in TABLES.items() if table is state.table)
        super().__init__(library, state.map, number, state.policy)
        self._board = state.map
        self._by_id: dict[int, Any] = {}

    def show(self, state: State, waiting: Mapping[int, tuple[int, int]]) -> None:
        """Brings the engine's state to a position.

        Args:
          state: the position.
          waiting: units that the bot is to find waiting though they have no job: id -> (issued, ticks).
        """
        self.units.clear()
        self._by_id = {unit_id: self._shown(unit) for unit_id, unit in state.units.items()}
        for java_unit in self._by_id.values():
            self.units.add(java_unit)
        self.count_units_from(max(state.units) + 1)
        self.set_banks(state.banks)
        self.library.set_time(self.state, state.clock)
        running = self.state.getUnitActions()
        running.clear()
        jobs = [
            (unit_id, order_fields(job.order, self._board), job.issued) for unit_id, job in state.jobs.items()
        ]
        jobs += [(unit_id, [WAIT, ticks, 0, 0, -1], issued) for unit_id, (issued, ticks) in waiting.items()]
        for unit_id, fields, issued in jobs:
            unit = self._by_id[unit_id]
            running.put(unit, self.library.Assignment(unit, self.action(fields), issued))

    def _shown(self, unit: Unit) -> Any:
        x, y = self._board.positions[unit.cell]
        shown = self._by_id.get(unit.id)
        if shown is None:
            return self.new_unit(unit.id, unit.type, unit.player, x, y, unit.hp, unit.carried)
        shown.setX(x)
        shown.setY(y)
        shown.setHitPoints(unit.hp)
        shown.setResources(unit.carried)
        return shown
