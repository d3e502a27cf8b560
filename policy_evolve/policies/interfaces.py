"""The observations that a policy gets of a game, and the meaning of its answers.

Any game: the observation is a dictionary with

* `player`: the policy's own number;
* `data`: what the player sees (`games.seeing.views.View.data`), and `text`, the same for a reader;
* `legal`: the names of the legal actions, in the game's order, each once;
* `history`: the names of what has happened in this match: everything in a game of perfect information,
  otherwise what this player noticed, its own actions included.

The answer is one of the names in `legal`, or its index there as an int. Domains (`policy_evolve.domains`) may have
interfaces of their own.
"""

from __future__ import annotations

from typing import Any, Protocol

import pyspiel

from games import NamedHistory
from games.seeing import views


class Interface(Protocol):
    """The way in which one player of one match sees the game.

    Attributes:
      function: the function of `policy_evolve.policies.driver` that takes what `pack` returns.
    """

    function: str

    def pack(self, state: pyspiel.State) -> dict[str, Any]:
        """Returns the observation at `state`, where the player is to move, in the form in which it is sent."""

    def action(self, state: pyspiel.State, answer: object) -> int:
        """Returns the action that an answer of the policy, a JSON value, stands for.

        Raises:
          ValueError: for none.
        """


class ViewInterface:
    """The interface to any game through its view; see `Interface`."""

    function = "act_on_view"

    def __init__(self, game: pyspiel.Game, player: int):
        self._player = player
        hides = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
        self._history = NamedHistory(game, player if hides else None)
        self._sent = 0

    def pack(self, state: pyspiel.State) -> dict[str, Any]:
        seen = views.view(state, self._player)
        names = self._history.update(state)
        new, self._sent = names[self._sent :], len(names)
        return {
            "player": self._player,
            "data": seen.data,
            "text": seen.text,
            "legal": seen.legal,
            "history": new,
        }

    def action(self, state: pyspiel.State, answer: object) -> int:
        legal = views.actions_by_name(state, self._player)
        if isinstance(answer, int) and not isinstance(answer, bool):
            if not 0 <= answer < len(legal):
                raise ValueError(
                    f"the policy answered {answer}, expected an index of legal, 0 to "
                    f"{len(legal) - 1}, or one of its names"
                )
            return list(legal.values())[answer]
        if not isinstance(answer, str):
            raise ValueError(
                f"the policy answered {answer!r:.80}, expected one of the names in legal or an index of it"
            )
        return views.action_from_name(state, answer, self._player)
