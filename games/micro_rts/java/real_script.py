"""A bot of the real engine as a script for our `micro_rts`.

At each decision the position is shown to the bot as a state of its own engine, before any order of the
tick. Its orders are played as they are; those that our game has no action for are carried out by the bot's own
book-keeping, as the engine would: a wait of one tick leaves the unit out of the list, and a wait of another
length, or an order that the rules refuse and so turn into such a wait, leaves it out until then.
"""

from __future__ import annotations

import random

from games.micro_rts.java import jvm
from games.micro_rts.java.mirror import Mirror, list_fields
from games.micro_rts.java.recorded import recorded_order
from games.micro_rts.rules import orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.legal import is_legal
from games.micro_rts.rules.orders import Order


class RealScript:
    """A `players.Script` that asks a bot of the engine for its orders.

    A new bot is made for each game, and its generators are seeded; those that all bots of a process share
    are seeded before each decision. With a limit of iterations the same seed gives the same game; not so
    with CoacAI, whose attackers draw from a generator that nobody can seed.

    Args:
      name: class of the bot, e.g. CoacAI, NaiveMCTS, WorkerRush; with packages where several have one name.
      jar: see `jvm.start`, also for the errors that it raises.
      seed: seed of its chance, in [0, 2**31).
      iterations: playouts for each decision, for bots that search.
      milliseconds: time for each decision, in place of `iterations`; results then depend on the machine.

    Raises:
      ValueError: no such bot, both limits, a limit below 1 or for a bot that has none.
    """

    def __init__(
        self,
        name: str,
        *,
        jar: str | None = None,
        seed: int = 0,
        iterations: int | None = None,
        milliseconds: int | None = None,
    ):
        if iterations is not None and milliseconds is not None:
            raise ValueError(f"bot {name!r}: expected iterations or milliseconds, found both; drop one")
        for what, value in (("iterations", iterations), ("milliseconds", milliseconds)):
            if value is not None and value < 1:
                raise ValueError(f"bot {name!r}, {what}: expected 1 or more, found {value}")
        self._name, self._seed = name, seed
        self._iterations, self._milliseconds = iterations, milliseconds
        self._library = jvm.start(jar)
        self._class = self._library.ai_class(name)
        limited = iterations is not None or milliseconds is not None
        if limited and not issubclass(self._class, self._library.BudgetAI):
            raise ValueError(f"bot {name!r} has no limit of iterations or milliseconds; leave it out")
        self.restart()

    def restart(self) -> None:
        self._mirror: Mirror | None = None
        self._rng = random.Random(self._seed)
        self._waiting: dict[int, tuple[int, int]] = {}

    def _start(self, state: State) -> Mirror:
        mirror = Mirror(self._library, state)
        self._ai = self._class(mirror.types)
        self._ai.reset()
        self._library.seed_ai(self._ai, self._rng.getrandbits(32))
        if self._iterations is not None or self._milliseconds is not None:
            self._ai.setIterationsBudget(self._iterations or -1)
            self._ai.setTimeBudget(self._milliseconds or -1)
        return mirror

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        """Returns the orders of the bot.

        Raises:
          ValueError: it orders a unit that is busy or not its own, which our game refuses.
        """
        if self._mirror is None:
            self._mirror = self._start(state)
        self._waiting = {
            unit_id: (issued, ticks)
            for unit_id, (issued, ticks) in self._waiting.items()
            if issued + ticks > state.clock and unit_id in state.units
        }
        self._mirror.show(state, self._waiting)
        self._library.seed_shared(self._rng.getrandbits(32))
        answer = self._ai.getAction(player, self._mirror.state)
        listed = []
        for unit_id, *fields in list_fields(answer):
            unit, order = state.units[unit_id], recorded_order(state, fields)
            if unit.player != player or unit_id in state.jobs or unit_id in self._waiting:
                whose = "is not its own" if unit.player != player else "has a job"
                raise ValueError(
                    f"bot {self._name!r} orders unit {unit_id} at tick {state.clock}, which {whose}"
                )
            if not is_legal(state, unit, order):
                order = orders.wait(state.order_time(unit, order))
            if order.kind != orders.WAIT or order.arg == orders.DEFAULT_WAIT:
                listed.append((unit_id, order))
            elif order.arg > 1:
                self._waiting[unit_id] = state.clock, order.arg
        return listed
