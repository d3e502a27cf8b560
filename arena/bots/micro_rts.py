"""The native players of `micro_rts` as bots that the arena knows by name."""

from __future__ import annotations

import random

import pyspiel

from arena.registry.bots import register_bot
from games.micro_rts.bots.naive_mcts import NaiveMcts
from games.micro_rts.bots.random_biased import RandomBiased
from games.micro_rts.bots.rushes import BarracksRush, WorkerRush
from games.micro_rts.bots.vanguard import Vanguard
from games.micro_rts.openspiel.players import ScriptBot
from games.micro_rts.rules.unit_tables import HEAVY, LIGHT, RANGED


@register_bot(
    "micro_rts_random_biased", summary="MicroRTS: random orders, attacks and harvests five times as likely"
)
def _random_biased(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    return ScriptBot(game, player_id, RandomBiased(random.Random(seed)))


@register_bot(
    "micro_rts_worker_rush",
    summary="MicroRTS: one worker harvests, all others attack at once",
    deterministic=True,
)
def _worker_rush(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    del seed
    return ScriptBot(game, player_id, WorkerRush())


@register_bot(
    "micro_rts_light_rush",
    summary="MicroRTS: barracks, then light units that attack at once",
    deterministic=True,
)
def _light_rush(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    del seed
    return ScriptBot(game, player_id, BarracksRush(LIGHT))


@register_bot(
    "micro_rts_heavy_rush",
    summary="MicroRTS: barracks, then heavy units that attack at once",
    deterministic=True,
)
def _heavy_rush(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    del seed
    return ScriptBot(game, player_id, BarracksRush(HEAVY))


@register_bot(
    "micro_rts_ranged_rush",
    summary="MicroRTS: barracks, then ranged units that attack at once",
    deterministic=True,
)
def _ranged_rush(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    del seed
    return ScriptBot(game, player_id, BarracksRush(RANGED))


@register_bot(
    "micro_rts_naive_mcts", summary="MicroRTS: Monte-Carlo tree search with naive sampling and random playouts"
)
def _naive_mcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    iterations: int | None = None,
    milliseconds: float | None = None,
    horizon: int = 100,
    max_depth: int = 10,
    e_0: float = 0.4,
    e_l: float = 0.3,
    e_g: float = 0.0,
) -> pyspiel.Bot:
    """See `NaiveMcts`.

    Args:
      game: `micro_rts`.
      player_id: its seat.
      seed: seed of the search and its playouts.
      iterations: playouts per decision; 100 where `milliseconds` is not given either.
      milliseconds: time per decision, in place of `iterations`; results then depend on the machine.
      horizon: ticks that it looks ahead.
      max_depth: decisions in the tree.
      e_0, e_l, e_g: shares of random choices, as in the paper.

    Raises:
      ValueError: another game, both limits, or a value out of range.
    """
    if iterations is None and milliseconds is None:
        iterations = 100
    seconds = None if milliseconds is None else milliseconds / 1000
    return ScriptBot(
        game,
        player_id,
        NaiveMcts(
            random.Random(seed),
            iterations=iterations,
            seconds=seconds,
            horizon=horizon,
            max_depth=max_depth,
            e_0=e_0,
            e_l=e_l,
            e_g=e_g,
        ),
    )


@register_bot(
    "micro_rts_vanguard",
    summary="MicroRTS: a script of our own that rehearses its plans before it chooses one",
    deterministic=True,
)
def _vanguard(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    del seed
    return ScriptBot(game, player_id, Vanguard())
