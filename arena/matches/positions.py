"""Stored matches, move by move, and whether the game agrees with them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pyspiel

from arena.matches.forfeit import forfeit_returns
from arena.matches.match import load_match_game
from arena.matches.records import MatchRecord, Move


def positions(game: pyspiel.Game, moves: Sequence[Move]) -> Iterator[tuple[pyspiel.State, tuple[Move, ...]]]:
    """Yields each position of a match with the moves made there: one move, or one of each player who had a
    choice where players move at once; at last the final position with no moves. The states belong to
    the caller.

    Raises:
      ValueError: the game does not allow the next move; the sentence is the first difference.
    """
    state = game.new_initial_state()
    number = 0
    while number < len(moves):
        if state.is_terminal():
            raise ValueError(f"move {number}: the game has ended, found {len(moves) - number} more moves")
        if state.is_simultaneous_node():
            movers = [player for player in range(game.num_players()) if state.legal_actions(player)]
        else:
            movers = [state.current_player()]
        played = tuple(moves[number : number + len(movers)])
        for player, move in zip(movers, played):
            _check_move(state, player, move, number)
            number += 1
        if len(played) < len(movers):
            raise ValueError(
                f"move {number}: expected a move of player {movers[len(played)]} at the same "
                "time as the ones before it, found none"
            )
        yield state.clone(), played
        if state.is_simultaneous_node():
            actions = {move.player: move.action for move in played}
            state.apply_actions(
                [actions.get(player, pyspiel.INVALID_ACTION) for player in range(game.num_players())]
            )
        else:
            state.apply_action(played[0].action)
    yield state, ()


def _check_move(state: pyspiel.State, player: int, move: Move, number: int) -> None:
    if move.player != player:
        raise ValueError(f"move {number}: expected {_who(player)} to act, found {_who(move.player)}")
    legal = possible_actions(state, player)
    if move.action not in legal:
        raise ValueError(
            f"move {number}: action {move.action} of {_who(player)} is not among its {len(legal)} legal ones"
        )


def possible_actions(state: pyspiel.State, player: int) -> list[int]:
    """The actions that `player`, one of those to act, may choose here; chance included."""
    if player == pyspiel.PlayerId.CHANCE:
        return [action for action, probability in state.chance_outcomes() if probability > 0]
    return state.legal_actions(player)


def _who(player: int) -> str:
    return "chance" if player == pyspiel.PlayerId.CHANCE else f"player {player}"


def check(record: MatchRecord) -> None:
    """Plays a match again by its stored moves.

    Raises:
      ValueError: the game is unknown or differs from the record; the sentence is the first
        difference.
    """
    game = load_match_game(record.game, len(record.seats))
    for state, _ in positions(game, record.moves):
        pass
    if record.forfeit is None:
        if not state.is_terminal():
            raise ValueError(
                f"the match ends after {len(record.moves)} moves without a forfeit, expected "
                "the game to have ended"
            )
        returns = tuple(state.returns())
    else:
        if state.is_terminal():
            raise ValueError("the game has ended, expected no forfeit")
        returns = forfeit_returns(game, record.forfeit.player)
    if record.returns != returns:
        raise ValueError(f"returns are {list(record.returns)}, expected {list(returns)}")


def transcript(record: MatchRecord) -> Iterator[str]:
    """The match as text, piece by piece."""
    game = load_match_game(record.game, len(record.seats))
    yield f"{record.game}, seed {record.seed}"
    for seat, spec in enumerate(record.seats):
        yield f"player {seat}: {spec}"
    number = 0
    for state, played in positions(game, record.moves):
        yield f"\n{str(state).rstrip()}"
        for move in played:
            name = state.action_to_string(move.player, move.action)
            time = "" if move.seconds is None else f", {move.seconds:g} s"
            opening = ", opening" if number < record.opening_length else ""
            notes = "" if move.notes is None else f"  {json.dumps(move.notes, ensure_ascii=False)}"
            yield f"{number}. {_who(move.player)}: {name} ({move.action}{time}{opening}){notes}"
            number += 1
    if record.forfeit is not None:
        notes = record.forfeit.notes
        yield (
            f"player {record.forfeit.player} forfeits ({record.forfeit.kind}): {record.forfeit.reason}"
            + ("" if notes is None else f"  {json.dumps(notes, ensure_ascii=False)}")
        )
    yield f"returns: {list(record.returns)}"
