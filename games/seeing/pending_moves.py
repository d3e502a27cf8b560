"""Games whose players move at once, played in turn: what a player may know there.

OpenSpiel's `turn_based_simultaneous_game(game=...)` asks the players one after the other and applies their moves
together. Until then the moves of those asked earlier are pending: the state holds them, and no player may know
them. Its information states hide them; a search on its states must not see them either.
"""

from __future__ import annotations

from collections.abc import Callable

import pyspiel


def is_turn_based(game: pyspiel.Game) -> bool:
    """Whether the game is one whose players move at once, converted."""
    return game.get_type().short_name == "turn_based_simultaneous_game"


def simultaneous_state(state: pyspiel.State) -> pyspiel.State:
    """The state of the inner game, without the pending moves."""
    return state.simultaneous_game_state().clone()  # OpenSpiel's own lives no longer than the outer one


def pending(state: pyspiel.State) -> int:
    """How many moves of a converted game have been made and not yet been applied."""
    inner = simultaneous_state(state)
    if not inner.is_simultaneous_node():
        return 0
    return sum(bool(inner.legal_actions(player)) for player in range(state.current_player()))


def can_resample(game: pyspiel.Game) -> bool:
    """Whether nothing but pending moves is hidden in a converted game."""
    inner = simultaneous_state(game.new_initial_state()).get_game()
    return inner.get_type().information != pyspiel.GameType.Information.IMPERFECT_INFORMATION


def resampled(state: pyspiel.State, player: int, draw: Callable[[], float]) -> pyspiel.State:
    """A state that the player to move cannot tell from this one.

    Args:
      state: of a converted game, where each pending move is drawn anew, uniformly; or of another game, which
        resamples itself.
      player: who is to move.
      draw: numbers from [0, 1).

    Raises:
      pyspiel.SpielError, NotImplementedError: another game does not resample.
    """
    game = state.get_game()
    if not is_turn_based(game):
        return state.resample_from_infostate(player, draw)
    unseen = pending(state)
    if not unseen:
        return state.clone()
    history = state.history()
    drawn = game.new_initial_state()
    for action in history[: len(history) - unseen]:
        drawn.apply_action(action)
    for _ in range(unseen):
        legal = drawn.legal_actions()
        drawn.apply_action(legal[int(draw() * len(legal))])
    return drawn


def turn_based_state(turn_based: pyspiel.Game, state: pyspiel.State, player: int) -> pyspiel.State:
    """The state of the converted game in which a player decides, with what it knows.

    Args:
      turn_based: the converted game.
      state: of the game whose players move at once; not over.
      player: who decides there. The pending moves of the players before are their lowest, which its information
        state does not show.
    """
    converted = turn_based.new_initial_state()
    for action in state.history():
        if action != pyspiel.INVALID_ACTION:
            converted.apply_action(action)
    while state.is_simultaneous_node() and converted.current_player() != player:
        converted.apply_action(converted.legal_actions()[0])
    return converted
