"""The bots of the real engine as players of our `micro_rts`, in the arena like any other.

micro_rts_real(name=CoacAI)
micro_rts_real(name=NaiveMCTS,iterations=200,jar=/path/to/microrts.jar)
"""

from __future__ import annotations

import pyspiel

from arena.registry.bots import register_bot
from games.micro_rts.java.real_script import RealScript
from games.micro_rts.openspiel.players import ScriptBot


@register_bot(
    "micro_rts_real",
    summary="MicroRTS: a bot of the real engine; needs Java and its jar",
    source="MicroRTS, Java",
)
def _real(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    name: str,
    jar: str | None = None,
    iterations: int | None = None,
    milliseconds: int | None = None,
) -> pyspiel.Bot:
    """See `RealScript`.

    Args:
      game: `micro_rts`.
      player_id: its seat.
      seed: seed of its random choices.
      name: class of the bot, e.g. CoacAI, NaiveMCTS, WorkerRush, LightRush or RandomBiasedAI.
      jar: path of microrts.jar; the one that MICRORTS_JAR names where it is not given.
      iterations: playouts per decision, for bots that search.
      milliseconds: time per decision, in place of `iterations`; results then depend on the machine.

    Raises:
      ValueError: another game, no such bot, or a limit that makes no sense.
      ImportError: JPype1 is missing.
      OSError: the jar or Java is missing.
    """
    return ScriptBot(
        game, player_id, RealScript(name, jar=jar, seed=seed, iterations=iterations, milliseconds=milliseconds)
    )
