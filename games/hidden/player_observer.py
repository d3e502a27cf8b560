"""The knowledge of one player in a game made from `Rules`, as strings and tensors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import pyspiel

from games.hidden.dynamics import Position
from games.hidden.rules import NUM_PLAYERS, Rules
from games.seeing.observers import pieces_of_tensor, require_one_player


class Observable(Protocol):
    """The part of a state that an observer reads; see `hidden_information.HiddenInformationState`."""

    @property
    def position(self) -> Position: ...

    def memory(self, player: int) -> tuple[int, ...]: ...

    def seen(self, player: int) -> dict[str, Any]: ...


class PlayerObserver:
    """The knowledge of one player, as OpenSpiel's PyObserver (see `observation.py`).

    Without perfect recall, `dict` holds `player`, one-hot of shape (2,), and the pieces that the rules write;
    the string is the view's data as JSON. With perfect recall, `dict` holds `player` and `memory`
    of shape (max_events, num_events), one one-hot row for each event noticed; the string lists the
    events in words. `tensor` is the same memory as `dict`, flat; None where there is no tensor.
    """

    def __init__(
        self, rules: Rules, iig_obs_type: pyspiel.IIGObservationType, params: Mapping[str, Any] | None
    ) -> None:
        """Raises as `require_one_player`."""
        require_one_player(iig_obs_type, params)
        self._rules, self._recalls = rules, iig_obs_type.perfect_recall
        self.tensor, self.dict = None, {}
        if self._recalls and not rules.memory_tensor:
            return
        shapes = {"memory": (rules.max_events, rules.num_events)} if self._recalls else rules.pieces
        self.tensor, self.dict = pieces_of_tensor({"player": (NUM_PLAYERS,), **shapes})

    def set_from(self, state: Observable, player: int) -> None:
        """Updates `tensor` and `dict` to the knowledge of `player` in `state`."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if self._recalls:
            memory = state.memory(player)
            self.dict["memory"][np.arange(len(memory)), memory] = 1
        else:
            self._rules.write(state.position, player, self.dict)

    def string_from(self, state: Observable, player: int) -> str:
        """Returns the knowledge of `player` in `state` as a string."""
        if self._recalls:
            events = ", ".join(map(self._rules.event_name, state.memory(player)))
            return f"player {player}: {events or 'nothing yet'}"
        return json.dumps({"player": player, **state.seen(player)})
