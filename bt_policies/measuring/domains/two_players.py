"""A game for two, played in the arena against a bot."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyspiel

from arena.matches.match import play_match
from arena.registry.bots import canonical, make_bot
from arena.registry.games import load_game
from bt_policies.measuring.domains.domain import Trial
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.vocabularies import module_of
from runs.seeds import bot_seed


class _Counted(pyspiel.Bot):
    """A bot that counts the decisions of a tree's bot."""

    def __init__(self, bot: pyspiel.Bot):
        super().__init__()
        self._bot = bot
        self.decisions = self.undecided = 0

    def restart_at(self, state: pyspiel.State) -> None:
        self._bot.restart_at(state)

    def step(self, state: pyspiel.State) -> int:
        action = self._bot.step(state)
        self.decisions += 1
        self.undecided += "undecided" in self._bot.notes()
        return action


@dataclass(frozen=True)
class TwoPlayers:
    """The domain of a game for two, see `domain.Domain`.

    Attributes:
      reference, default_opponent: see `domain.Domain`.
      opening_plies: random moves at the start, so that matches between deterministic players differ.
    """

    reference: str
    default_opponent: str = "random"
    opening_plies: int = 0
    metrics: ClassVar = ("score", "undecided", "mean_return", "decisions")
    outputs: ClassVar = ("choice",)
    mini_maps: ClassVar = False
    seated: ClassVar = True
    scripts: ClassVar = ()

    def complete(
        self, game: str, rng: np.random.Generator, modes: Sequence[str], maps: Sequence[str], family: str = ""
    ) -> str:
        if family:
            raise ValueError(f"families: {game} has no variants, found {family!r}")
        return game

    def parity(self, game: str) -> float:
        return 0.5

    def opponent(self, name: str) -> str:
        return canonical(name)

    def play(
        self, trial: Trial, makers: Sequence[Callable[[int], TreePlayer]], record: bool = False
    ) -> dict[str, Any]:
        game = load_game(trial.game)
        if game.num_players() != 2:
            raise ValueError(f"evaluation: expected a game for two, found {game} for {game.num_players()}")
        module = module_of(trial.game)
        counted = _Counted(module.make_bot(game, trial.side, bot_seed(trial.seed, trial.side), makers[0]))
        other = make_bot(trial.opponent, game, 1 - trial.side, bot_seed(trial.seed, 1 - trial.side))
        seats: list[Any] = [counted, other] if trial.side == 0 else [other, counted]
        try:
            played = play_match(trial.game, seats, trial.seed, opening_plies=self.opening_plies)
        finally:
            getattr(other, "close", lambda: None)()
        if played.forfeit is not None and played.forfeit.player == trial.side:
            raise RuntimeError(f"the tree's bot forfeited a match of {trial.game}: {played.forfeit.reason}")
        own, others = played.returns[trial.side], played.returns[1 - trial.side]
        return {
            "figures": {
                "score": (1.0 if own > others else 0.5 if own == others else 0.0, 1),
                "mean_return": (own, 1),
                "undecided": (counted.undecided, counted.decisions),
                "decisions": (counted.decisions, 1),
            }
        }

    def play_script(self, trial: Trial, name: str) -> dict[str, Any]:
        raise ValueError(f"{trial.game} is measured with trees only, found {name!r}")

    def frozen(self, seen: Any) -> Any:
        return copy.copy(seen)
