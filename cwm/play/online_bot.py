"""A bot whose world model is revised between its games: `online=true` of cwm_mcts and cwm_ismcts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pyspiel

from cwm.contract import manifest, model_folders
from cwm.writing.learning import Learner
from language_models import LanguageModelError, from_spec


class OnlineBot(pyspiel.Bot):
    """Plays as another bot does and keeps the game in mind; after the match its learner learns from it.

    While a match goes on nothing is asked and the model stays the same. Where the language model gives up,
    the game is not learnt from and a line on stderr says so; play goes on with the model there is.

    Args:
      bot: the bot that plays, on the learner's newest model.
      player_id: its seat.
      learner: the learner of its world model.
    """

    def __init__(self, bot: pyspiel.Bot, player_id: int, learner: Learner):
        super().__init__()
        self._bot = bot
        self._player_id = player_id
        self._learner = learner
        self._actions: list[int] = []
        games = learner.games()
        self._notes = {"online_games": len(games), "online_calls": sum(game.calls for game in games)}

    def restart_at(self, state: pyspiel.State) -> None:
        self._actions = state.history()
        self._bot.restart_at(state)

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        self._actions = [*state.history(), action]

    def step(self, state: pyspiel.State) -> int:
        self._actions = state.history()
        action = self._bot.step(state)
        self._actions.append(action)
        return action

    def notes(self) -> dict[str, Any]:
        """The notes of the bot, and the numbers of games and calls that its model has learnt from."""
        return {**self._bot.notes(), **self._notes}

    def close(self) -> None:
        """Learns from the match, if there was one."""
        if not self._actions:
            return
        try:
            self._learner.learn(self._learner.observed(self._actions, self._player_id))
        except LanguageModelError as error:
            print(f"online learning: the game is not learnt from, {error}", file=sys.stderr)


def make(
    game: pyspiel.Game,
    player_id: int,
    *,
    bot: str,
    model: str,
    llm: str,
    calls: int,
    keep: str,
    play: Callable[[manifest.Model], pyspiel.Bot],
) -> OnlineBot:
    """The online bot of a spec.

    Args:
      game: the game that is played.
      player_id: its seat.
      bot: the spec's name, for errors.
      model: the first model; of a folder with several always the same one is taken.
      llm: spec of the language model.
      calls: most calls of the language model, over all matches that share the folder.
      keep: folder of the learner.
      play: a function that makes the bot that plays on a model.

    Raises:
      ValueError: `keep` is missing or `calls` negative; or as `Learner` and `model_folders.drawn` raise.
    """
    if not keep:
        raise ValueError(
            f"bot {bot!r}: online=true keeps what it learns, expected a folder for it; add keep=FOLDER"
        )
    if calls < 0:
        raise ValueError(f"bot {bot!r}, parameter 'calls': expected 0 or more, found {calls}")
    learner = Learner(keep, game, model_folders.drawn(model, game, 0), from_spec(llm), calls=calls)
    return OnlineBot(play(learner.current()), player_id, learner)
