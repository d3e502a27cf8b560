"""The channels through which a game tells a player something, and what a player was told until a moment."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import observation

from games.seeing import views

OBSERVATION = "observation string"
OBSERVATION_TENSOR = "observation tensor"
STRUCT = "observation struct"
INFORMATION = "information state string"
INFORMATION_TENSOR = "information state tensor"
PUBLIC = "public observation"
VIEW = "view of this suite"
LEGAL = "legal actions"
RETURNS = "returns so far"
TURN = "whose turn it is"

NAMES = (OBSERVATION, OBSERVATION_TENSOR, STRUCT, INFORMATION, INFORMATION_TENSOR, PUBLIC)
"""Channels that a game may lack."""

OBSERVATIONS = "observations"
INFORMATION_STATES = "information states"
REFERENCES = {
    OBSERVATIONS: (OBSERVATION, OBSERVATION_TENSOR),
    INFORMATION_STATES: (INFORMATION, INFORMATION_TENSOR),
}
"""Reference -> its channels; the first one that a game has is followed through the whole game."""

Move = int | tuple[int, ...]
"""An action, or at a simultaneous node the actions of all players."""

Reader = Callable[[pyspiel.State, int], Any]

_PROBES = 3
"""Random games in which a channel is tried."""
_PROBE_STEPS = 40


def to_act(state: pyspiel.State, player: int) -> bool:
    """Returns whether `player` chooses an action here."""
    if state.is_terminal() or state.is_chance_node():
        return False
    return state.is_simultaneous_node() or state.current_player() == player


def _tensor(values: Sequence[float]) -> bytes:
    return np.asarray(values, np.float32).tobytes()


def _public_reader(game: pyspiel.Game) -> Reader:
    kind = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = observation.make_observation(game, kind)
    return lambda state, player: observer.string_from(state, player)


def _view_reader(state: pyspiel.State, player: int) -> str:
    seen = views.view(state, player)
    return f"{json.dumps(seen.data)}\n{seen.text}"


def _readers(game: pyspiel.Game) -> dict[str, Reader]:
    readers: dict[str, Reader] = {
        OBSERVATION: lambda state, player: state.observation_string(player),
        OBSERVATION_TENSOR: lambda state, player: _tensor(state.observation_tensor(player)),
        STRUCT: lambda state, player: state.to_observation_struct(player).to_json(),
        INFORMATION: lambda state, player: state.information_state_string(player),
        INFORMATION_TENSOR: lambda state, player: _tensor(state.information_state_tensor(player)),
    }
    if type(views.view_of(game)) is not views.GameView:  # the generic view shows nothing of its own
        readers[VIEW] = _view_reader
    try:
        readers[PUBLIC] = _public_reader(game)
    except Exception:  # whatever a game raises that has no such observer
        pass
    return readers


def read(reader: Reader, state: pyspiel.State, player: int) -> Any:
    """Returns what a channel tells; None where it has nothing to tell, which games say by raising."""
    try:
        return reader(state, player)
    except Exception:  # games refuse in C++ and in Python, each in its own way
        return None


def channels(game: pyspiel.Game, rng: np.random.Generator) -> dict[str, Reader]:
    """Returns the channels that a game has, by name, found by asking for them in random play.

    Args:
      game: any game; what its type declares is not trusted.
      rng: draws the random play.
    """
    readers, found = _readers(game), set()
    for _ in range(_PROBES):
        state = game.new_initial_state()
        for _ in range(_PROBE_STEPS):
            if state.is_terminal():
                break
            missing = [name for name in readers if name not in found]
            found.update(name for name in missing if read(readers[name], state, 0) is not None)
            apply(state, random_move(state, rng))
    return {
        **{name: reader for name, reader in readers.items() if name in found},
        LEGAL: lambda state, player: tuple(state.legal_actions(player)) if to_act(state, player) else None,
        RETURNS: lambda state, player: (state.returns()[player], state.rewards()[player]),
        TURN: lambda state, player: to_act(state, player),
    }


def reference_channels(names: Sequence[str]) -> dict[str, str]:
    """Returns for each reference that a game has the channel that is followed."""
    found = {}
    for reference, candidates in REFERENCES.items():
        present = [name for name in candidates if name in names]
        if present:
            found[reference] = present[0]
    return found


def random_move(state: pyspiel.State, rng: np.random.Generator) -> Move:
    """Returns a random move; chance is drawn by its probabilities, players uniformly."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        weights = np.asarray(weights) / np.sum(weights)
        return int(outcomes[rng.choice(len(outcomes), p=weights)])
    if state.is_simultaneous_node():
        return tuple(_any(state.legal_actions(player), rng) for player in range(state.num_players()))
    return _any(state.legal_actions(), rng)


def _any(actions: Sequence[int], rng: np.random.Generator) -> int:
    return int(actions[rng.integers(len(actions))]) if actions else 0


def is_legal(state: pyspiel.State, move: Move) -> bool:
    """Returns whether a move, made in another state, can be made here."""
    if state.is_simultaneous_node():
        if not isinstance(move, tuple):
            return False
        everyone = enumerate(move)
        return all(action in (state.legal_actions(player) or [0]) for player, action in everyone)
    if isinstance(move, tuple):
        return False
    if state.is_chance_node():
        return any(outcome == move and weight > 0 for outcome, weight in state.chance_outcomes())
    return move in state.legal_actions()


def apply(state: pyspiel.State, move: Move) -> None:
    """Makes a legal move."""
    if isinstance(move, tuple):
        state.apply_actions(list(move))
    else:
        state.apply_action(move)


def own_part(state: pyspiel.State, move: Move, player: int) -> int | None:
    """Returns what `player` itself does in a move; None where others act."""
    if isinstance(move, tuple):
        return move[player]
    return move if state.current_player() == player else None


class Moment:
    """A state as one player meets it.

    Attributes:
      state: the state.
      moves: all moves that led there.
      player: the player.
      readers: the channels.
      told: reference -> hash of all that it has told from the start on, own actions and the number of
        moves included.
      recall: hash of the information states in which the player has acted so far, and of its actions.
    """

    def __init__(
        self, readers: Mapping[str, Reader], state: pyspiel.State, moves: tuple[Move, ...], player: int
    ) -> None:
        self.state, self.moves, self.player = state, moves, player
        self.readers = readers
        self.told: dict[str, int] = {}
        self.recall = 0
        self._values: dict[str, int | None] = {}

    def value(self, channel: str) -> int | None:
        """Returns a hash of what a channel tells; None where it tells nothing."""
        if channel not in self._values:
            value = read(self.readers[channel], self.state, self.player)
            self._values[channel] = None if value is None else hash(value)
        return self._values[channel]

    def text(self, channel: str) -> Any:
        """Returns what a channel tells."""
        return read(self.readers[channel], self.state, self.player)


class Listener:
    """Follows what one player is told.

    Args:
      readers: the channels.
    """

    def __init__(self, readers: Mapping[str, Reader]) -> None:
        self.readers = readers
        self.references = reference_channels(list(readers))

    def hear(
        self,
        state: pyspiel.State,
        moves: tuple[Move, ...],
        player: int,
        before: Moment | None = None,
        own: int | None = None,
    ) -> Moment:
        """Returns the next moment of a player.

        Args:
          state: the state, which is kept: it must not change any more.
          moves: the moves that led there.
          player: the player.
          before: its moment one move earlier; None at the start.
          own: its own part in that move.
        """
        moment = Moment(self.readers, state, moves, player)
        for reference, channel in self.references.items():
            earlier = before.told[reference] if before else None
            moment.told[reference] = hash((earlier, own, moment.value(channel)))
        state_before = self.references.get(INFORMATION_STATES)
        if before is not None:
            acted = own is not None and state_before is not None
            moment.recall = hash((before.recall, before.value(state_before), own)) if acted else before.recall
        return moment

    def equal_references(self, one: Moment, other: Moment) -> list[str]:
        """Returns the references by which a player cannot tell two of its moments apart."""
        return [name for name in self.references if one.told[name] == other.told[name]]
