"""The ground truth's own searches under one name for each kind of game: the yardsticks of world models."""

from __future__ import annotations

import pyspiel

from arena.registry.bots import make_bot, register_bot


@register_bot(
    "gt_mcts",
    summary="the search on the ground truth, the yardstick of cwm_mcts: OpenSpiel's MCTS, or smcts where players move at once",
)
def _gt_mcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    simulations: int = 1000,
    rollouts: int = 1,
    uct_c: float = 2.0,
    solve: bool = True,
) -> pyspiel.Bot:
    """See `mcts`, and `smcts` for `simulations`, `rollouts` and `uct_c` where players move at once."""
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        spec = f"smcts(simulations={simulations},rollouts={rollouts},uct_c={uct_c})"
        return make_bot(spec, game, player_id, seed)
    return make_bot(
        f"mcts(simulations={simulations},rollouts={rollouts},uct_c={uct_c},solve={str(solve).lower()})",
        game,
        player_id,
        seed,
    )


@register_bot("gt_ismcts", summary="OpenSpiel's IS-MCTS on the ground truth, the yardstick of cwm_ismcts")
def _gt_ismcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    simulations: int = 1000,
    rollouts: int = 1,
    uct_c: float = 2.0,
    ties: str = "lowest",
) -> pyspiel.Bot:
    return make_bot(
        f"ismcts(simulations={simulations},rollouts={rollouts},uct_c={uct_c},ties={ties})",
        game,
        player_id,
        seed,
    )
