"""The game itself: units, jobs, orders and ticks. Knows nothing of OpenSpiel, and is fast to copy.

A tick: both players choose orders from the same state, `issue` takes player 0's list and then player
1's, and `advance` moves the clock and carries out the jobs that are due. A unit without an order stays free.

    state.issue(0, orders_of_player_0)      # [(unit id, Order), ...]
    state.issue(1, orders_of_player_1)
    state.advance()                         # one tick; `advance_idle` skips ticks in which nobody is free

Order matters in four places, all of them rules of the game: the unit list (new units at its end), the
jobs (in the order in which they were issued, unless a unit that has a job gets another: its place
stays), a player's list, and player 0 before player 1. Units and jobs are kept in dicts, whose order of
insertion is just that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from games.micro_rts.rules.legal import is_legal, legal_orders
from games.micro_rts.rules.maps import Map
from games.micro_rts.rules.orders import ATTACK, HARVEST, MOVE, PRODUCE, RETURN, Order, duration, wait
from games.micro_rts.rules.unit_tables import FINETUNED, RESOURCE, TABLES, UnitType
from games.micro_rts.rules.units import EMPTY, WALL, Job, Tally, Unit

CANCEL_BOTH, COIN, ALTERNATE = 1, 2, 3
"""The conflict policies for two orders of one tick that want the same cell, or more money than there is: both
are cancelled, a coin decides, or the new one and the old one win in turn."""

_NEVER = 1 << 62


class Draws(Protocol):
    """A source of chance: `below(n)` draws a whole number in [0, n); `clone()` copies it."""

    def below(self, bound: int) -> int: ...

    def clone(self) -> Draws: ...


class State:
    """A game in progress.

    Attributes:
      map, table, policy: the rules of the game; see `Map`, `unit_tables` and `CANCEL_BOTH`.
      clock: ticks played.
      units: id -> `Unit`, in the order of the unit list.
      jobs: id -> `Job` of the unit, in the order in which they are carried out.
      banks: the players' money; may go below 0.
      at: by cell, the id of the unit there, `EMPTY`, or `WALL`. One more entry at the end is `WALL`, so
        that `at[-1]`, off the board, is one.
      counts: number of units of each player.
      over: whether the game has ended; tested after each tick.

    Args:
      board: the map to start from.
      unit_table: 1 (original), 2 (finetuned) or 3 (non-deterministic damage).
      policy: `CANCEL_BOTH`, `COIN` or `ALTERNATE`.
      coins, damages: sources of chance for policy 2 and for table 3; needed by these only.

    Raises:
      ValueError: no such table or policy, or a source of chance is missing.
    """

    __slots__ = (
        "map",
        "table",
        "policy",
        "clock",
        "units",
        "jobs",
        "banks",
        "at",
        "counts",
        "over",
        "_next_id",
        "_next_due",
        "_clashes",
        "_coins",
        "_damages",
        "_tallies",
        "_acting",
    )

    def __init__(
        self,
        board: Map,
        unit_table: int = FINETUNED,
        policy: int = CANCEL_BOTH,
        *,
        coins: Draws | None = None,
        damages: Draws | None = None,
    ):
        if unit_table not in TABLES:
            raise ValueError(f"unit table: expected 1, 2 or 3, found {unit_table}")
        if policy not in (CANCEL_BOTH, COIN, ALTERNATE):
            raise ValueError(f"conflict policy: expected 1, 2 or 3, found {policy}")
        self.map, self.table, self.policy = board, TABLES[unit_table], policy
        if policy == COIN and coins is None:
            raise ValueError("conflict policy 2 tosses coins: pass coins, e.g. JavaRandom(seed)")
        if damages is None and any(low < high for low, high in (kind.damage for kind in self.table)):
            raise ValueError(f"unit table {unit_table} draws damage: pass damages, e.g. JavaRandom(seed)")
        self._coins, self._damages = coins, damages
        self.clock, self._clashes, self._next_id, self._next_due = 0, 0, 0, _NEVER
        self.banks = list(board.banks)
        self.units: dict[int, Unit] = {}
        self.jobs: dict[int, Job] = {}
        self.at = [WALL if wall else EMPTY for wall in board.walls] + [WALL]
        self.counts = [0, 0]
        self.over = False
        self._tallies = [0] * 8
        self._acting: dict[int, Unit] = {}
        for unit in board.units:
            self._add(unit.type, unit.player, board.cell(unit.x, unit.y), unit.hp, unit.carried)

    def clone(self) -> State:
        """Returns a state that shares nothing with this one that changes."""
        copy = State.__new__(State)
        copy.map, copy.table, copy.policy, copy.clock = self.map, self.table, self.policy, self.clock
        copy.units, copy.jobs = self.units.copy(), self.jobs.copy()
        copy.banks, copy.at, copy.counts = self.banks.copy(), self.at.copy(), self.counts.copy()
        copy.over, copy._next_id, copy._next_due = self.over, self._next_id, self._next_due
        copy._clashes, copy._tallies = self._clashes, self._tallies.copy()
        copy._coins = self._coins and self._coins.clone()
        copy._damages = self._damages and self._damages.clone()
        copy._acting = {}
        return copy

    def draw_from(self, coins: Draws, damages: Draws) -> None:
        """Replaces the sources of chance."""
        self._coins, self._damages = coins, damages

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    @property
    def winner(self) -> int:
        """The player that alone has units once the game is over; -1 for nobody, or not over."""
        alive = [player for player in (0, 1) if self.counts[player]]
        return alive[0] if self.over and len(alive) == 1 else -1

    def tally(self, player: int) -> Tally:
        """Returns the player's resources harvested and spent, units produced, and damage done to the
        opponent.
        """
        return Tally(*self._tallies[4 * player : 4 * player + 4])

    def kind(self, unit: Unit) -> UnitType:
        """Returns the unit's row of the unit table."""
        return self.table[unit.type]

    def unit_at(self, cell: int) -> Unit | None:
        """Returns the unit on a cell, None for none; `cell` may be -1, off the board."""
        return self.units.get(self.at[cell])

    def units_of(self, player: int) -> list[Unit]:
        """Returns the player's units (-1: resource fields), in the order of the unit list."""
        return [unit for unit in self.units.values() if unit.player == player]

    def free_units(self, player: int) -> list[Unit]:
        """Returns the player's units that have no job, in the order of the unit list."""
        jobs = self.jobs
        return [unit for unit in self.units.values() if unit.player == player and unit.id not in jobs]

    @property
    def anybody_free(self) -> bool:
        """Whether a unit of either player has no job."""
        return len(self.jobs) < self.counts[0] + self.counts[1]

    def legal_orders(self, unit: Unit) -> list[Order]:
        """Returns the unit's legal orders, see `legal.legal_orders`."""
        return legal_orders(self, unit)

    def order_time(self, unit: Unit, order: Order) -> int:
        """Returns the ticks that the order takes this unit."""
        return duration(order, self.table[unit.type], self.table)

    # --- orders -----------------------------------------------------------------------------------

    def issue(self, player: int, orders: Iterable[tuple[int, Order]]) -> None:
        """Gives a player's orders, (unit id, order), in this order.

        An order outside its unit's legal list (`legal_orders`, all of them looked up before the first
        is given) becomes a wait as long as it would have taken. Orders that clash with running ones
        become waits too, as the conflict policy has it. A unit that has a job may get another, which
        replaces it.

        Raises:
          ValueError: a unit does not exist or is not the player's; no order of the list is given then.
        """
        checked = []
        for unit_id, order in orders:
            unit = self.units.get(unit_id)
            if unit is None or unit.player != player:
                whose = "does not exist" if unit is None else f"belongs to player {unit.player}"
                raise ValueError(
                    f"orders of player {player} at tick {self.clock}: unit {unit_id} {whose}; "
                    "order own living units only"
                )
            if not is_legal(self, unit, order):
                order = wait(self.order_time(unit, order))
            checked.append((unit, order))
        for unit, order in checked:
            self._start(unit, order)

    def _start(self, unit: Unit, order: Order) -> None:
        """Makes a legal order the unit's job, after settling its clashes."""
        clock, kind = self.clock, order.kind
        due = clock + duration(order, self.table[unit.type], self.table)
        if kind != MOVE and kind != PRODUCE:
            job = Job(order, clock, due, -1, 0)
        else:
            cell = self.map.neighbours[unit.cell][order.arg]
            cost = self.table[order.type].cost if kind == PRODUCE else 0
            job = Job(order, clock, due, cell, cost)
            money = max(0, self.banks[unit.player])
            for other_id, other in self.jobs.items():
                if other.cell == cell or (
                    cost
                    and other.cost
                    and other.cost + cost > money
                    and self.units[other_id].player == unit.player
                ):
                    job = self._settle(job, other_id, other)
        self.jobs[unit.id] = job
        if job.due < self._next_due:
            self._next_due = job.due

    def _settle(self, job: Job, other_id: int, other: Job) -> Job:
        """Returns the fate of a new job that clashes with a running one; cancels that one where it must."""
        clock = self.clock
        if other.issued != clock:
            return Job(wait(1), clock, clock + 1, -1, 0)
        ticks = min(job.due, other.due) - clock
        cancelled = Job(wait(ticks), clock, clock + ticks, -1, 0)
        spare_new = spare_old = False
        if self.policy == COIN:
            spare_old = self._coins.below(2) == 0
            spare_new = not spare_old
        elif self.policy == ALTERNATE:
            spare_old = self._clashes % 2 == 0
            spare_new = not spare_old
            self._clashes += 1
        if not spare_old:
            self.jobs[other_id] = cancelled
            self._next_due = min(self._next_due, cancelled.due)
        return job if spare_new else cancelled

    # --- time -------------------------------------------------------------------------------------

    def advance(self, ticks: int = 1) -> None:
        """Lets `ticks` ticks pass, without orders after the first; stops at the end of the game."""
        end = self.clock + ticks
        while self.clock < end and not self.over:
            self.clock += 1
            if self._next_due <= self.clock:
                self._run_due()
            self.over = not (self.counts[0] and self.counts[1])
            if not self.over and self._next_due > self.clock:
                # Nothing can change before the next job is due.
                self.clock = min(end, self._next_due - 1)

    def advance_idle(self, limit: int) -> None:
        """Lets at least one tick pass, and then all in which no unit of either player is free, but not
        beyond the clock `limit`; stops at the end of the game."""
        self.advance()
        while not self.over and not self.anybody_free and self.clock < limit:
            self.advance(min(self._next_due, limit) - self.clock)

    def _run_due(self) -> None:
        clock, jobs, units = self.clock, self.jobs, self.units
        due = [(unit_id, job) for unit_id, job in jobs.items() if job.due <= clock]
        # A unit that is killed in this tick still carries out a job that is due in it.
        acting = self._acting = {unit_id: units[unit_id] for unit_id, _ in due}
        for unit_id, _ in due:
            del jobs[unit_id]
        for unit_id, job in due:
            if job.order.kind:
                alive = unit_id in units
                self._apply(units[unit_id] if alive else acting[unit_id], job.order, alive)
        self._acting = {}
        self._next_due = min([job.due for job in jobs.values()], default=_NEVER)

    def _apply(self, unit: Unit, order: Order, alive: bool) -> None:
        kind = order.kind
        if kind == MOVE:
            if alive:
                cell = self.map.neighbours[unit.cell][order.arg]
                self.at[unit.cell] = EMPTY
                self.at[cell] = unit.id
                self.units[unit.id] = Unit(unit.id, unit.type, unit.player, cell, unit.hp, unit.carried)
        elif kind == ATTACK:
            self._hit(unit, order.arg)
        elif kind == HARVEST:
            self._harvest(unit, self.map.neighbours[unit.cell][order.arg], alive)
        elif kind == RETURN:
            store = self.unit_at(self.map.neighbours[unit.cell][order.arg])
            if store is not None and self.table[store.type].stores and unit.carried > 0:
                self.banks[unit.player] += unit.carried
                if alive:
                    self.units[unit.id] = unit._replace(carried=0)
        elif kind == PRODUCE:
            product = self.table[order.type]
            self._add(order.type, unit.player, self.map.neighbours[unit.cell][order.arg], product.hp, 0)
            self.banks[unit.player] -= product.cost
            self._tallies[4 * unit.player + 1] += product.cost
            self._tallies[4 * unit.player + 2] += 1

    def _hit(self, unit: Unit, cell: int) -> None:
        target = self.unit_at(cell)
        if target is None:
            return
        damage, most = self.table[unit.type].damage
        if most > damage:
            damage += self._damages.below(most - damage + 1)
        if target.player == 1 - unit.player:
            self._tallies[4 * unit.player + 3] += min(damage, target.hp)
        if target.hp <= damage:
            self._remove(target)
        else:
            self.units[target.id] = target._replace(hp=target.hp - damage)

    def _harvest(self, unit: Unit, cell: int, alive: bool) -> None:
        source = self.unit_at(cell)
        if source is None or unit.carried:
            return
        source = source._replace(carried=source.carried - 1)
        if source.carried <= 0:
            self._remove(source)
        else:
            self.units[source.id] = source
        if alive:
            self.units[unit.id] = unit._replace(carried=1)
            self._tallies[4 * unit.player] += 1

    def _add(self, kind: int, player: int, cell: int, hp: int, carried: int) -> None:
        unit_id = self._next_id
        self._next_id += 1
        self.units[unit_id] = Unit(unit_id, kind, player, cell, hp, carried)
        self.at[cell] = unit_id
        if kind != RESOURCE:
            self.counts[player] += 1

    def _remove(self, unit: Unit) -> None:
        del self.units[unit.id]
        if unit.id in self._acting:
            self._acting[unit.id] = unit
        self.jobs.pop(unit.id, None)
        self.at[unit.cell] = EMPTY
        if unit.type != RESOURCE:
            self.counts[unit.player] -= 1
