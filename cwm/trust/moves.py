"""Moves by name: a player's action, an outcome of chance, or the actions of players who choose at once.

Where players choose at once, a move has one entry for each player, in order. Its name is the JSON list of the names of
their actions, null for a player who does not choose there, as in '["Rock", null]': the names are any texts, so that
nothing else joins them without doubt.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import pyspiel

from games.seeing import views

SIMULTANEOUS = pyspiel.PlayerId.SIMULTANEOUS

Move = int | Sequence[int]
"""The number of an action or outcome, or where players choose at once a number for each player, `INVALID_ACTION` for one
who does not choose."""


def joint_name(names: Iterable[str | None]) -> str:
    """The name of a move made at once, from the names of the players' actions."""
    return json.dumps(list(names))


def names_in(joint: str) -> list[str | None]:
    """The names of the players' actions in the name of a move made at once.

    Raises:
      ValueError: it is not a list of names.
    """
    names = json.loads(joint)
    if not isinstance(names, list) or not all(name is None or isinstance(name, str) for name in names):
        raise ValueError(f"expected a JSON list of the names of the players' actions, found {joint!r:.80}")
    return names


def choosing(state: pyspiel.State) -> list[int]:
    """The players who choose in a state in which players choose at once."""
    return [player for player in range(state.num_players()) if state.legal_actions(player)]


def legal_names(state: pyspiel.State) -> tuple[tuple[str, ...], ...]:
    """The names of each player's legal actions in a state in which players choose at once; empty for a player who does
    not choose."""
    return tuple(tuple(views.actions_by_name(state, player)) for player in range(state.num_players()))


def apply(state: pyspiel.State, move: Move) -> None:
    """Makes the move."""
    if state.is_simultaneous_node():
        state.apply_actions(list(move))
    else:
        state.apply_action(move)


def name_of(state: pyspiel.State, move: Move) -> str:
    """The name of a move that can be made in a state."""
    if not state.is_simultaneous_node():
        return views.action_name(state, move)
    return joint_name(
        None if action == pyspiel.INVALID_ACTION else views.action_name(state, action, player)
        for player, action in enumerate(move)
    )


def own_name(state: pyspiel.State, move: Move, player: int) -> str | None:
    """The name of a player's action in a move, None where it does not choose."""
    if state.is_simultaneous_node():
        action = move[player]
        return None if action == pyspiel.INVALID_ACTION else views.action_name(state, action, player)
    return views.action_name(state, move) if state.current_player() == player else None


def from_name(state: pyspiel.State, name: str) -> Move:
    """The move of this name.

    Raises:
      ValueError: no move that can be made has the name.
    """
    if not state.is_simultaneous_node():
        return views.action_from_name(state, name)
    names, movers = names_in(name), choosing(state)
    if [player for player, own in enumerate(names) if own is not None] != movers or (
        len(names) != state.num_players()
    ):
        raise ValueError(
            f"{state.get_game().get_type().short_name}: expected an action for each of the players "
            f"{', '.join(map(str, movers))} of {state.num_players()}, who choose at once, got {name}"
        )
    return [
        pyspiel.INVALID_ACTION if own is None else views.action_from_name(state, own, player)
        for player, own in enumerate(names)
    ]


def every(state: pyspiel.State) -> Iterator[Move]:
    """Yields the moves that can be made, one for each name; those of chance with all outcomes."""
    if state.is_chance_node():
        for name in views.chance_distribution(state):
            yield views.action_from_name(state, name)
    elif not state.is_simultaneous_node():
        yield from views.actions_by_name(state).values()
    else:
        yield from _joint(state, range(state.num_players()))


def _joint(state: pyspiel.State, players: Sequence[int]) -> Iterator[list[int]]:
    if not players:
        yield []
        return
    own = list(views.actions_by_name(state, players[0]).values()) or [pyspiel.INVALID_ACTION]
    for action in own:
        for others in _joint(state, players[1:]):
            yield [action, *others]


def grouped(state: pyspiel.State, actions: Iterable[int]) -> Iterator[Move]:
    """Yields the moves that a history of numbers holds.

    Args:
      state: the state in which the history begins; the caller makes each move in it before asking for the next one.
      actions: as `pyspiel.State.history` gives them, the actions of players who choose at once one after the other; the
        entries of those who do not choose may be left out.
    """
    flat = (action for action in actions if action != pyspiel.INVALID_ACTION)
    for action in flat:
        move: Move = action
        if state.is_simultaneous_node():
            own = iter([action, *(next(flat) for _ in choosing(state)[1:])])
            movers = set(choosing(state))
            move = [
                next(own) if player in movers else pyspiel.INVALID_ACTION
                for player in range(state.num_players())
            ]
        yield move
