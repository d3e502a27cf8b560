"""Measures how many ticks of `fps_arena` a second are played, by the number of players.

    python -m benchmarks.games.fps_arena --json=fps_arena.json

Soldiers of middling strength play team deathmatch for 600 ticks on 32 by 32 cells, each match of a round on
another kind of map. Contestants: the bare engine, which is given the orders of those soldiers; the engine
with what all players see, remember and hear read at each tick; whole matches, decisions included; the same
on maps of which nothing is computed yet; the orders through OpenSpiel, without and with the observation
tensors of all players. Contestants take turns; each figure is the median of the rounds, by the clock and by
the processor's time of this process. A tick of a match with n players is n player-ticks.
"""

from __future__ import annotations

import functools
import json
import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pyspiel

import games  # noqa: F401  (registers the game)
from games.fps_arena.knowing.observation import Observation
from games.fps_arena.play import match
from games.fps_arena.play.scripted import Medium
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.maps import Arena
from games.fps_arena.rules.parameters import MAP_KINDS, Rules
from games.fps_arena.rules.setting import forget
from runs import cli, flags
from runs.tables import text_table

_FLAGS = flags.FLAGS

PLAYERS = (2, 4, 8)
_FIELDS = (
    "visible_enemies",
    "remembered_enemies",
    "allies",
    "noises",
    "pickups",
    "hurt",
    "can_fire",
    "reloading",
    "ammo_share",
    "lead",
)


class Recording(NamedTuple):
    """A match: its rules and seed, and the orders of all players at each tick."""

    rules: Rules
    seed: int
    orders: list[list[int]]


class _Noting(Medium):
    """A soldier of middling strength that notes its orders."""

    def start(self, rules: Rules, arena: Arena, player: int, seed: int) -> None:
        super().start(rules, arena, player, seed)
        self.orders = [0] * rules.ticks

    def act(self, observation: Observation) -> int:
        self.orders[observation.tick] = order = super().act(observation)
        return order


@functools.lru_cache(maxsize=256)
def recording(players: int, seed: int, ticks: int = 600) -> Recording:
    """Returns the match with this seed; the kind of its map changes from seed to seed."""
    rules = Rules(players=players, mode="tdm", map=MAP_KINDS[seed % len(MAP_KINDS)], map_seed=seed, ticks=ticks)
    soldiers = [_Noting() for _ in range(players)]
    match.play(rules, soldiers, seed)
    return Recording(rules, seed, [list(orders) for orders in zip(*(one.orders for one in soldiers))])


def play_engine(recorded: Recording, observe: bool = False) -> State:
    """Plays the orders on the bare engine."""
    state = State.start(recorded.rules, recorded.seed)
    seen = [Observation(state, player) for player in range(recorded.rules.players)]
    for orders in recorded.orders:
        if observe:
            for one in seen:
                one.refresh(state)
                for field in _FIELDS:
                    getattr(one, field)
        state.step(orders)
    return state


def play_match(recorded: Recording, new_map: bool = False) -> State:
    """Plays the match, decided anew."""
    if new_map:
        forget()
    soldiers = [Medium() for _ in range(recorded.rules.players)]
    return match.play(recorded.rules, soldiers, recorded.seed).state


def play_pyspiel(recorded: Recording, observe: bool = False) -> State:
    """Plays the orders through OpenSpiel."""
    rules = recorded.rules
    game = pyspiel.load_game(
        "fps_arena",
        {
            "players": rules.players,
            "mode": "tdm",
            "map": rules.map,
            "map_seed": rules.map_seed,
            "ticks": rules.ticks,
        },
    )
    state, observer = game.new_initial_state(), game.make_py_observer()
    state.apply_action(recorded.seed)
    for orders in recorded.orders:
        if observe:
            for player in range(rules.players):
                observer.set_from(state, player)
        state.apply_actions(orders)
    return state.position


CONTESTANTS: dict[str, Callable[[Recording], State]] = {
    "engine": play_engine,
    "engine and observations": functools.partial(play_engine, observe=True),
    "matches": play_match,
    "matches on new maps": functools.partial(play_match, new_map=True),
    "OpenSpiel": play_pyspiel,
    "OpenSpiel and tensors": functools.partial(play_pyspiel, observe=True),
}
"""Name -> the function that plays one match."""


def measure(recordings: Sequence[Recording], rounds: int) -> dict[str, dict[str, float]]:
    """Returns for each contestant ticks a second, ticks a second of processor time, and microseconds of it for
    a player-tick: medians of rounds in which it plays all recordings, after one that is not measured.
    """
    players = recordings[0].rules.players
    rates: dict[str, list[tuple[float, float, float]]] = {contestant: [] for contestant in CONTESTANTS}
    for number in range(rounds + 1):
        for contestant, play in CONTESTANTS.items():
            clock, processor = time.perf_counter(), time.process_time()
            ticks = sum(play(recorded).tick for recorded in recordings)
            clock, processor = time.perf_counter() - clock, time.process_time() - processor
            if number:
                rates[contestant].append((ticks / clock, ticks / processor, processor / ticks / players * 1e6))
    return {
        contestant: dict(
            zip(
                ("ticks_per_second", "ticks_per_cpu_second", "us_per_player_tick"),
                map(statistics.median, zip(*measured)),
            )
        )
        for contestant, measured in rates.items()
    }


def _define_flags() -> None:
    flags.DEFINE_integer("matches", 4, "Matches of each contestant in a round.", lower_bound=1)
    flags.DEFINE_integer("rounds", 5, "Rounds of each contestant; figures are medians.", lower_bound=1)
    flags.seed("the first match", highest=900)
    flags.json("the figures")


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    figures = {}
    for players in PLAYERS:
        recordings = [recording(players, _FLAGS.seed + number) for number in range(_FLAGS.matches)]
        figures[players] = measure(recordings, _FLAGS.rounds)
        print(
            text_table(
                [
                    [f"{players} players", "ticks/s", "ticks/CPU s", "us/player-tick"],
                    *(
                        [
                            contestant,
                            f"{rates['ticks_per_second']:,.0f}",
                            f"{rates['ticks_per_cpu_second']:,.0f}",
                            f"{rates['us_per_player_tick']:.1f}",
                        ]
                        for contestant, rates in figures[players].items()
                    ),
                ]
            ),
            end="\n\n",
        )
    if output:
        cli.write_text(output, json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
