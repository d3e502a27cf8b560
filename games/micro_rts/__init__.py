"""MicroRTS without Java: a real-time strategy game on a small grid.

Two players harvest resources, build, train units and fight, all at once; a player without units loses.
The game is Santiago Ontañón's (The Combinatorial Multi-Armed Bandit Problem and its Application to
Real-Time Strategy Games, AIIDE 2013); this is an independent implementation of its rules as the engine
inside gym-microrts 0.4.3 plays them, checked against recorded games of that engine (see `replay`).

`rules.engine` is the game itself, without OpenSpiel; `rules.orders`, `rules.unit_tables` and `rules.maps` are
its parts.

    >>> from games.micro_rts.rules import engine, maps
    >>> from games.micro_rts.rules.orders import LEFT, UP, move, produce
    >>> from games.micro_rts.rules.unit_tables import WORKER
    >>> state = engine.State(maps.load("basesWorkers8x8"))
    >>> base, worker = state.units_of(0)
    >>> state.issue(0, [(base.id, produce(UP, WORKER)), (worker.id, move(LEFT))])
    >>> state.advance(50)
    >>> len(state.units_of(0)), state.clock
    (3, 50)
"""

from runs import doors as _doors

__path__ += _doors.folders(__file__)
