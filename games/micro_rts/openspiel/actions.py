"""Orders as OpenSpiel's action numbers.

A list of orders is built one order at a time, so that an action is a unit, named by its cell, with an
order for it; the last action of a list is `DONE`. On a board of n cells the numbers are

    0                                 done
    1 + 65 * cell + slot              an order to the unit on the cell
    1 + 65 * n + (ticks - 1)          the length of the wait just chosen (with `any_orders` only)

and the 65 slots are: move, harvest and return in four directions each (0-11), produce a type, from Base
to Ranged, in a direction (12-35), attack one of the 28 cells within a distance of 3 (36-63), wait (64).
"""

from __future__ import annotations

from games.micro_rts.rules import orders
from games.micro_rts.rules.maps import Map
from games.micro_rts.rules.orders import ATTACK, DEFAULT_WAIT, WAIT, Order

DONE = 0
_FIRST = 1
_TARGETS = tuple((dx, dy) for dy in range(-3, 4) for dx in range(-3, 4) if 0 < dx * dx + dy * dy <= 9)
_ATTACK_SLOT, _WAIT_SLOT, _SLOTS = 36, 64, 65

_SLOT_OF = {
    order: slot
    for slot, order in enumerate(
        [make(direction) for make in (orders.move, orders.harvest, orders.deliver) for direction in range(4)]
        + [orders.produce(direction, kind) for kind in range(1, 7) for direction in range(4)]
    )
}
_ORDER_OF = {slot: order for order, slot in _SLOT_OF.items()}


class ActionCodec:
    """A translator between orders and action numbers on one board.

    Attributes:
      num_actions: number of action numbers.
      longest_wait: the longest wait that has a number; 0 where waits have one length only.
    """

    def __init__(self, board: Map, longest_wait: int = 0):
        self._board = board
        self._first_length = _FIRST + _SLOTS * board.width * board.height
        self.longest_wait = longest_wait
        self.num_actions = self._first_length + longest_wait
        # Each number is looked up often, and worked out once.
        self._decoded: dict[int, tuple[int, Order]] = {}

    def encode(self, cell: int, order: Order) -> int:
        """Returns the action that gives the unit on `cell` the order.

        Raises:
          ValueError: an attack on a cell further than 3 away, production of a resource, or a wait of
            another length than `DEFAULT_WAIT` where waits have one length only. The rules refuse the
            former two, and a refused order is a wait.
        """
        slot = _SLOT_OF.get(order)
        if slot is None:
            slot = self._other_slot(cell, order)
        return _FIRST + _SLOTS * cell + slot

    def _other_slot(self, cell: int, order: Order) -> int:
        if order.kind == WAIT and (self.longest_wait or order.arg == DEFAULT_WAIT):
            return _WAIT_SLOT
        if order.kind == ATTACK and order.arg >= 0:
            x, y = self._board.positions[cell]
            target_x, target_y = self._board.positions[order.arg]
            offset = (target_x - x, target_y - y)
            if offset in _TARGETS:
                return _ATTACK_SLOT + _TARGETS.index(offset)
        expected = f"a wait of {DEFAULT_WAIT} ticks or " if order.kind == WAIT else ""
        what = orders.describe(order, self._board.width)
        raise ValueError(
            f"micro_rts: no action stands for {what!r} of the unit at "
            f"{self._board.positions[cell]}; expected {expected}an order from the "
            "unit's legal list"
        )

    def encode_length(self, ticks: int) -> int:
        """Returns the action that gives the length of the wait just chosen; more than `longest_wait` counts as
        that, and less than 1 as 1.
        """
        return self._first_length + min(max(ticks, 1), self.longest_wait) - 1

    def lengths(self) -> list[int]:
        """Returns all actions that give the length of a wait."""
        return list(range(self._first_length, self.num_actions))

    def decode(self, action: int) -> tuple[int, Order]:
        """Returns the cell of the unit and the order that an action gives it; a wait is one of `DEFAULT_WAIT`.

        Raises:
          ValueError: the action gives no order on this board.
        """
        decoded = self._decoded.get(action)
        if decoded is None:
            decoded = self._decoded[action] = self._decode(action)
        return decoded

    def _decode(self, action: int) -> tuple[int, Order]:
        if not _FIRST <= action < self._first_length:
            raise ValueError(
                f"micro_rts: expected an action from {_FIRST} to {self._first_length - 1}, "
                f"which give orders, found {action}"
            )
        cell, slot = divmod(action - _FIRST, _SLOTS)
        order = _ORDER_OF.get(slot)
        if order is None:
            order = orders.wait() if slot == _WAIT_SLOT else self._attack(cell, slot)
        return cell, order

    def _attack(self, cell: int, slot: int) -> Order:
        x, y = self._board.positions[cell]
        dx, dy = _TARGETS[slot - _ATTACK_SLOT]
        return orders.attack(self._board.cell(x + dx, y + dy))

    def decode_length(self, action: int) -> int:
        """Returns the length in ticks that the action gives to a wait.

        Raises:
          ValueError: the action gives no length.
        """
        if not self._first_length <= action < self.num_actions:
            raise ValueError(
                f"micro_rts: expected an action from {self._first_length} to "
                f"{self.num_actions - 1}, which give lengths of waits, found {action}"
            )
        return action - self._first_length + 1
