"""Bots around other bots."""

from __future__ import annotations

import pyspiel


def restart(bot: pyspiel.Bot, state: pyspiel.State) -> None:
    """Restarts a bot at the first state of a game, by `restart_at` where it has one of its own: that of
    the base class raises."""
    if type(bot).restart_at is pyspiel.Bot.restart_at:
        bot.restart()
    else:
        bot.restart_at(state)


class ForwardingBot(pyspiel.Bot):
    """Hands on what a match asks of every bot; what else there is, such as a policy, its derived classes hand on.

    Args:
      bot: the bot that plays.
    """

    def __init__(self, bot: pyspiel.Bot):
        super().__init__()
        self._bot = bot

    def restart_at(self, state: pyspiel.State) -> None:
        restart(self._bot, state)

    def provides_force_action(self) -> bool:
        return self._bot.provides_force_action()

    def force_action(self, state: pyspiel.State, action: int) -> None:
        self._bot.force_action(state, action)

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        self._bot.inform_action(state, player_id, action)

    def inform_actions(self, state: pyspiel.State, actions: list[int]) -> None:
        self._bot.inform_actions(state, actions)

    def step(self, state: pyspiel.State) -> int:
        return self._bot.step(state)
