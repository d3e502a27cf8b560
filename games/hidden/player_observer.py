"""What one player knows of a game made from `Rules`, as strings and tensors."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyspiel

if TYPE_CHECKING:
    from games.hidden.hidden_information import HiddenInformationState, Rules

_NUM_PLAYERS = 2


def require_one_player(iig_obs_type: pyspiel.IIGObservationType, params: dict | None) -> None:
    """Raises ValueError for parameters, and if it is not one player's knowledge that is asked."""
    if params:
        raise ValueError(f"observer: observations take no parameters, got {params!r}.")
    one_player = pyspiel.PrivateInfoType.SINGLE_PLAYER
    if not iig_obs_type.public_info or iig_obs_type.private_info != one_player:
        raise ValueError(
            "observer: only all that one player knows can be observed (public_info=True, "
            f"private_info=SINGLE_PLAYER), got {iig_obs_type}."
        )


def pieces_of_tensor(shapes: Mapping[str, Sequence[int]]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """A flat tensor of zeros, and by name its pieces, which share its memory and have these shapes."""
    tensor = np.zeros(sum(math.prod(shape) for shape in shapes.values()), np.float32)
    pieces, start = {}, 0
    for name, shape in shapes.items():
        stop = start + math.prod(shape)
        pieces[name] = tensor[start:stop].reshape(shape)
        start = stop
    return tensor, pieces


class PlayerObserver:
    """What one player knows, as OpenSpiel's PyObserver (see `observation.py`).

    Of a moment: `dict` holds `player`, one-hot of shape (2,), and the pieces that the rules write;
    the string is the view's data as JSON. With perfect recall: `dict` holds `player` and `memory`
    of shape (max_events, num_events), one one-hot row for each event noticed; the string lists the
    events in words. `tensor` is the same memory as `dict`, flat; None where there is no tensor.
    """

    def __init__(self, rules: Rules, iig_obs_type: pyspiel.IIGObservationType, params: dict | None) -> None:
        """Raises as `require_one_player`."""
        require_one_player(iig_obs_type, params)
        self._rules, self._recalls = rules, iig_obs_type.perfect_recall
        self.tensor, self.dict = None, {}
        if self._recalls and not rules.memory_tensor:
            return
        shapes = {"memory": (rules.max_events, rules.num_events)} if self._recalls else rules.pieces
        self.tensor, self.dict = pieces_of_tensor({"player": (_NUM_PLAYERS,), **shapes})

    def set_from(self, state: HiddenInformationState, player: int) -> None:
        """Updates `tensor` and `dict` to what `player` knows in `state`."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if self._recalls:
            memory = state.memory(player)
            self.dict["memory"][np.arange(len(memory)), memory] = 1
        else:
            self._rules.write(state.position, player, self.dict)

    def string_from(self, state: HiddenInformationState, player: int) -> str:
        """Returns what `player` knows in `state` as a string."""
        if self._recalls:
            events = ", ".join(map(self._rules.event_name, state.memory(player)))
            return f"player {player}: {events or 'nothing yet'}"
        return json.dumps({"player": player, **state.seen(player)})
