"""Views: the part of a state that one player may see, for any OpenSpiel game.

A `View` is the only window on a game that prompts, tree conditions, skills and evolved policies
get: they never hold a state, so none can peek at hidden cards or at future dice.

    >>> import pyspiel
    >>> from games.seeing import views
    >>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    >>> state.apply_action(views.action_from_name(state, "x(1,1)"))
    >>> seen = views.view(state, 1)
    >>> seen.data
    {'board': ['...', '.x.', '...']}
    >>> seen.to_move, seen.legal[:2]
    (1, ('o(0,0)', 'o(0,1)'))

The generic `GameView` serves every game; a subclass handed to `register_view` gives one game data
with more structure, or better names. Actions are known by *name*, unique per effect: where a game
has several actions for one thing, they share a name, and the lowest of them stands for all.
"""

from __future__ import annotations

import difflib
import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyspiel

_PERFECT = pyspiel.GameType.Information.PERFECT_INFORMATION


@dataclass(frozen=True)
class View:
    """The part of a state that `player` may see.

    Attributes:
      player: the player that looks, 0 to number of players - 1.
      to_move: the player to move, or one of OpenSpiel's special ids: -1 chance, -2 all at once
        (simultaneous), -3 mean field, -4 nobody (the game is over).
      data: JSON-able; its fields are documented by `describe(game)`.
      text: the same for a reader.
      legal: the names of the player's legal actions, in the order of the game's action numbers,
        each name once; empty if the player is not to move.
    """

    player: int
    to_move: int
    data: dict[str, Any]
    text: str
    legal: tuple[str, ...]


class GameView:
    """The way in which one game is seen; this class is the generic view that fits every game.

    Subclass it for a game whose states deserve more structure, override what should differ, and
    hand an instance to `register_view`. A view must not show more than the player may know.
    """

    def data(self, state: pyspiel.State, player: int) -> dict[str, Any]:
        """Returns the view of `player` as JSON-able data.

        The generic view gives OpenSpiel's observation struct where the game has one, and else
        `{"observation": ...}`, the observation string, or `{"information_state": ...}` where the
        game has no observation string. The full struct is used for games of perfect information
        only.
        """
        game_type = state.get_game().get_type()
        if _has_struct(state, "Observation"):
            return json.loads(state.to_observation_struct(player).to_json())
        if game_type.information == _PERFECT and _has_struct(state, "State"):
            return json.loads(state.to_struct().to_json())
        if game_type.provides_observation_string:
            return {"observation": state.observation_string(player)}
        return {"information_state": state.information_state_string(player)}

    def text(self, state: pyspiel.State, player: int) -> str:
        """Returns the view of `player` as text.

        The generic view gives the observation string, but in games of imperfect information the
        information state string, which remembers earlier observations, where the game has one.
        """
        game_type = state.get_game().get_type()
        remembers = game_type.information != _PERFECT and game_type.provides_information_state_string
        if remembers or not game_type.provides_observation_string:
            return state.information_state_string(player)
        return state.observation_string(player)

    def action_names(self, state: pyspiel.State, player: int, actions: Sequence[int]) -> list[str]:
        """Returns the name of each of `actions` of `player` (-1: chance), in the order given.

        Actions with equal names must have equal effects. The generic view gives OpenSpiel's own
        action strings, without white space around them.
        """
        return [state.action_to_string(player, action).strip() for action in actions]

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of the fields of `data`, for a prompt."""
        state = game.new_initial_state()
        game_type = game.get_type()
        if _has_struct(state, "Observation") or (
            game_type.information == _PERFECT and _has_struct(state, "State")
        ):
            return "The fields are those of OpenSpiel's own description of what the player sees."
        if game_type.provides_observation_string:
            return "- `observation`: what the player sees, as one string in OpenSpiel's notation."
        return (
            "- `information_state`: all that the player has seen so far, as one string in OpenSpiel's notation."
        )

    def noticed(self, state: pyspiel.State, action: int, player: int) -> str | None:
        """Returns the part of a step that `player` notices; None if only that it is made.

        The generic view gives the name of the player's own actions, and in games of perfect
        information of all actions and outcomes of chance.

        Args:
          state: the state before the step; not one where all players move at once.
          action: the action of the player to move, or the outcome of chance.
          player: the player that watches.
        """
        mover = int(state.current_player())
        if mover == player or state.get_game().get_type().information == _PERFECT:
            return self.action_names(state, mover, [action])[0]
        return None

    def terms(self, game: pyspiel.Game) -> dict[str, Any]:
        """Returns the terms that the text of the rules needs beside the game's parameters (`games.rules`)."""
        return {}


class FieldsView(GameView):
    """The base of views whose data says all there is to say: the text is its fields, one a line."""

    def text(self, state: pyspiel.State, player: int) -> str:
        """Returns the fields of the data, one a line."""
        return "\n".join(f"{field}: {json.dumps(value)}" for field, value in self.data(state, player).items())


def _has_struct(state: pyspiel.State, kind: str) -> bool:
    """Says whether the game describes its states (kind `State`) or observations as JSON.

    Asked of the classes that OpenSpiel exports, because trying it on a game that has none makes
    C++ print to the standard error.
    """
    method = "_to_struct" if kind == "State" else "_to_observation_struct"
    if hasattr(state, method):
        return True
    return _exports_struct(state.get_game().get_type().short_name, kind)


@functools.cache
def _exports_struct(short_name: str, kind: str) -> bool:
    exported = getattr(pyspiel, short_name, None)
    return any(name.endswith(f"{kind}Struct") for name in dir(exported))


_GENERIC = GameView()
_VIEWS: dict[str, GameView] = {}


def register_view(short_name: str, game_view: GameView) -> None:
    """Makes `game_view` the view of the game with this OpenSpiel short name.

    Raises:
      ValueError: if the game has a view of another class already.
    """
    known = _VIEWS.get(short_name)
    if known is not None and type(known) is not type(game_view):
        raise ValueError(
            f"register_view: {short_name!r} has the view {type(known).__name__} already, got "
            f"{type(game_view).__name__}: register each game once."
        )
    _VIEWS[short_name] = game_view


def view_of(game: pyspiel.Game) -> GameView:
    """Returns the view registered for the game, or the generic one."""
    return _VIEWS.get(game.get_type().short_name, _GENERIC)


def describe(game: pyspiel.Game) -> str:
    """Returns the meaning of the fields of a view's `data` in this game, for a prompt."""
    return view_of(game).describe(game)


def view(state: pyspiel.State, player: int) -> View:
    """Returns the view that `player` has of `state`.

    Raises:
      ValueError: if the game has no such player.
    """
    players = state.num_players()
    if not 0 <= player < players:
        raise ValueError(f"view: player must be from 0 to {players - 1}, got {player}.")
    game_view = view_of(state.get_game())
    to_move = state.current_player()
    acts = to_move == player or to_move == pyspiel.PlayerId.SIMULTANEOUS
    return View(
        player=player,
        to_move=int(to_move),
        data=game_view.data(state, player),
        text=game_view.text(state, player),
        legal=tuple(actions_by_name(state, player)) if acts else (),
    )


def action_name(state: pyspiel.State, action: int, player: int | None = None) -> str:
    """Returns the name of a legal action of the player to move, or of an outcome of chance.

    Args:
      state: the state where the action can be taken.
      action: OpenSpiel's action number.
      player: the player whose action it is; needed only where all players move at once.

    Raises:
      ValueError: if the game is over, or all move at once and `player` is None.
    """
    mover = _mover(state, player)
    return view_of(state.get_game()).action_names(state, mover, [action])[0]


def actions_by_name(state: pyspiel.State, player: int | None = None) -> dict[str, int]:
    """Returns the legal actions, or the outcomes of chance, by name and in the game's order.

    Of actions that share a name, and so an effect, the lowest is given.

    Args:
      state: any state; a finished game has no actions.
      player: the player whose actions they are; needed only where all players move at once. A player that
        is not to move has none.

    Raises:
      ValueError: if all move at once and `player` is None.
    """
    if state.is_terminal() or state.is_mean_field_node():
        return {}
    mover = _mover(state, player)
    if player is not None and player != mover:
        return {}
    if state.is_simultaneous_node():
        actions = state.legal_actions(mover)
    else:
        actions = state.legal_actions()
    names = view_of(state.get_game()).action_names(state, mover, actions)
    by_name: dict[str, int] = {}
    for name, action in zip(names, actions, strict=True):
        by_name.setdefault(name, action)
    return by_name


def action_from_name(state: pyspiel.State, name: str, player: int | None = None) -> int:
    """Returns the legal action, or the outcome of chance, of this name.

    Args:
      state: the state where the action is to be taken.
      name: as in `View.legal`; white space around it does not count.
      player: the player whose action it is; needed only where all players move at once.

    Raises:
      ValueError: if no legal action has the name; the message holds the nearest ones that do.
    """
    by_name = actions_by_name(state, player)
    action = by_name.get(name.strip())
    if action is None:
        raise ValueError(_unknown_name(state, name, list(by_name)))
    return action


def chance_distribution(state: pyspiel.State) -> dict[str, float]:
    """Returns the probability of each outcome of chance by name, equal names added up.

    Raises:
      ValueError: if it is not chance that moves.
    """
    if not state.is_chance_node():
        raise ValueError(
            f"chance_distribution: chance (-1) must be to move, got {int(state.current_player())}."
        )
    outcomes = state.chance_outcomes()
    names = action_names(state, [outcome for outcome, _ in outcomes])
    distribution: dict[str, float] = {}
    for name, (_, probability) in zip(names, outcomes, strict=True):
        distribution[name] = distribution.get(name, 0.0) + probability
    return distribution


def noticed(state: pyspiel.State, action: int, player: int) -> str | None:
    """Returns the part of a step that `player` notices; None if only that it is made.

    The player's own actions are given by name. A sequence of these, one for each step of a game,
    holds nothing that the player may not know.

    Raises:
      ValueError: if the game is over, or all players move at once.
    """
    if state.is_simultaneous_node():
        raise ValueError("noticed: one player or chance must be to move, got a simultaneous move.")
    _mover(state, None)
    return view_of(state.get_game()).noticed(state, action, player)


def action_names(state: pyspiel.State, actions: Sequence[int]) -> list[str]:
    """Returns the names of several actions of the player to move or of chance, in order.

    Raises:
      ValueError: as `action_name`.
    """
    return view_of(state.get_game()).action_names(state, _mover(state, None), actions)


def _mover(state: pyspiel.State, player: int | None) -> int:
    """Returns the player whose actions are meant: the one to move, or `player` if all move at once."""
    if state.is_terminal():
        raise ValueError("action names: the state must have someone to move, got a finished game.")
    if not state.is_simultaneous_node():
        return int(state.current_player())
    if player is None:
        raise ValueError("action names: all players move at once here, so give `player`, got None.")
    return player


def _unknown_name(state: pyspiel.State, name: str, legal: list[str]) -> str:
    nearest = difflib.get_close_matches(name, legal, n=3, cutoff=0.3) or legal[:3]
    shown = ", ".join(repr(candidate) for candidate in nearest) or "none"
    game_name = state.get_game().get_type().short_name
    return (
        f"{game_name}: expected one of the {len(legal)} legal actions, got {name!r}; the nearest are {shown}."
    )
