"""The bots that sit at a table: a person at the other end of a pipe, and bots that are asked once more.

A match is taken up again, after its process has ended or for a look into the heads, by the moves that were made: each
bot is asked as before, so that its memory and its random numbers go the same way, and its answer is replaced by the
move that stands in the record. A bot that answers otherwise, as one that looks at the clock may, is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyspiel

from arena.matches import heads
from arena.matches.forfeit import VOIDING, Forfeit
from arena.registry.forwarding import ForwardingBot
from games.seeing import views


class PersonBot(pyspiel.Bot):
    """A person, or a program, who answers through `ask`.

    Args:
      player_id: the seat.
      ask: waits for the next answer of this seat: the name of an action, or None for a resignation.
    """

    def __init__(self, player_id: int, ask: Callable[[int], str | None]):
        super().__init__()
        self._player_id = player_id
        self._ask = ask

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        by_name = views.actions_by_name(state, self._player_id)
        while (name := self._ask(self._player_id)) not in by_name:
            if name is None:
                raise Forfeit("illegal", "the person resigned")
        return by_name[name]


class SeatedBot(ForwardingBot):
    """A bot at a table: it follows the record as far as there is one, and what is in its head is handed out.

    Args:
      bot: the bot.
      spec: its canonical spec.
      recorded: the actions of this seat that were made before, in order.
      tell: is called after each of its moves with what the bot has to say of it (see `arena.matches.heads`) and its
        own action.
    """

    def __init__(
        self,
        bot: pyspiel.Bot,
        spec: str,
        recorded: Sequence[int],
        tell: Callable[[list[dict[str, object]], int], None],
    ):
        super().__init__(bot)
        self.spec = spec
        self._recorded: Iterator[int] = iter(recorded)
        self._tell = tell
        heads.kept_for(bot)

    def step(self, state: pyspiel.State) -> int:
        recorded = next(self._recorded, None)
        if recorded is not None and isinstance(self._bot, PersonBot):
            return recorded
        action = self._bot.step(state)
        self._tell(heads.explained(self._bot, lambda error: isinstance(error, VOIDING)), action)
        return action if recorded is None else recorded

    def notes(self) -> dict[str, Any] | None:
        return self._bot.notes() if hasattr(self._bot, "notes") else {}

    def close(self) -> None:
        getattr(self._bot, "close", lambda: None)()
