"""The ground truth's own searches under one name for each kind of game: the yardsticks of world models."""

from __future__ import annotations

import random
import time

import pyspiel

from arena.bots.reference import MctsBot, check_search_parameters
from arena.matches.heads import Panel
from arena.registry.bots import make_bot, register_bot

_TRIAL = 100
"""Simulations that tell how fast a search is; fewer do not."""


class TimedMctsBot(pyspiel.Bot):
    """OpenSpiel's MCTS with as many simulations for a move as fit into a time.

    OpenSpiel's search knows no clock. A move gets the simulations that fit at the rate of the move before; the first
    one those at the rate of a trial, which is thrown away and not counted.

    Args:
      game: a sequential game of perfect information with rewards at the end only.
      seed: seed of the searches and rollouts; the same one does not give the same match, since time counts.
      seconds: wall-clock time of a move, positive.
      options: `rollouts`, `uct_c` and `solve` of `arena.bots.reference.MctsBot`.
    """

    def __init__(self, game: pyspiel.Game, seed: int, *, seconds: float, **options: float):
        super().__init__()
        self._game, self._rng = game, random.Random(seed)
        self._seconds, self._options = seconds, options
        self._rate = 0.0
        self._notes: dict[str, float] = {}
        self.explains = False
        self._last: MctsBot | None = None

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        if not self._rate:
            self._search(state, _TRIAL)
        return self._search(state, max(2, int(self._seconds * self._rate)))

    def _search(self, state: pyspiel.State, simulations: int) -> int:
        bot = MctsBot(self._game, self._rng.randrange(2**31), simulations=simulations, **self._options)
        bot.explains, self._last = self.explains, bot
        start = time.perf_counter()
        action = bot.step(state)
        elapsed = time.perf_counter() - start
        self._notes = bot.notes()
        if self._notes["simulations"] >= _TRIAL:
            self._rate = self._notes["simulations"] / elapsed
        return action

    def notes(self) -> dict[str, float]:
        """See `MctsBot.notes`."""
        return self._notes

    def explain(self) -> list[Panel]:
        """See `MctsBot.explain`."""
        return [] if self._last is None else self._last.explain()


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
    seconds: float = 0.0,
) -> pyspiel.Bot:
    """See `mcts`, and `smcts` for `simulations`, `rollouts` and `uct_c` where players move at once. With `seconds`
    in place of `simulations`, in a game of perfect information, see `TimedMctsBot`."""
    if seconds:
        check_search_parameters("gt_mcts", game, simulations=2, rollouts=rollouts, uct_c=uct_c)
        if game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION or seconds < 0:
            raise ValueError(
                "bot 'gt_mcts', parameter 'seconds': expected a positive number and a game of perfect information, "
                f"found {seconds} and {game}"
            )
        return TimedMctsBot(game, seed, seconds=seconds, rollouts=rollouts, uct_c=uct_c, solve=solve)
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
