"""Matches as OpenSpiel writes histories, to and from.

`pyspiel.serialize_game_and_state` writes a text with the game's string and, in its section [State],
the actions one to a line. A game written in Python adds a pickle of its state there, which the
functions below never load: a pickle from a stranger may do anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import pyspiel

from arena.matches.positions import positions, possible_actions
from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.registry.games import load_game

_SECTIONS = re.compile(r"\[Game\]\n(?P<game>.*)\n\[State\]\n(?P<state>.*)", re.DOTALL)
_PYTHON_HISTORY = re.compile(r"^history=([-\d:,]*)$", re.MULTILINE)
_CPP_HISTORY = re.compile(r"(-?\d+\n)*\n*")


def serialized(record: MatchRecord) -> str:
    """The last position of a match with the way there, for `pyspiel.deserialize_game_and_state`.

    Raises:
      ValueError: the game does not allow the moves, or does not give back what it wrote.
    """
    game = load_game(record.game)
    for state, _ in positions(game, record.moves):
        pass
    text = pyspiel.serialize_game_and_state(game, state)
    try:
        _, again = pyspiel.deserialize_game_and_state(text)
    except (pyspiel.SpielError, ValueError, TypeError, RuntimeError) as error:
        raise ValueError(
            f"OpenSpiel cannot read back what it wrote of a match of {record.game} ({error})"
            "; export another format"
        ) from error
    if again.history() != state.history() or str(again) != str(state):
        raise ValueError(
            f"OpenSpiel reads something else than it wrote of a match of {record.game}; export another format"
        )
    return text


def read_serialized(text: str) -> tuple[str, list[int]]:
    """The game string and the actions in a text of `pyspiel.serialize_game_and_state`. Where players
    move at once, their actions follow each other, `pyspiel.INVALID_ACTION` for one without a choice.

    Raises:
      ValueError: it is no such text.
    """
    sections = _SECTIONS.search(text)
    if not sections:
        raise ValueError(
            "expected the sections [Game] and [State] that pyspiel.serialize_game_and_state "
            f"writes, found {text[:60]!r}"
        )
    game, state = sections["game"].strip(), sections["state"]
    python = _PYTHON_HISTORY.search(state)
    if python:
        actions = [int(pair.rpartition(":")[2]) for pair in python[1].split(",") if pair]
    elif _CPP_HISTORY.fullmatch(state):
        actions = [int(line) for line in state.split()]
    else:
        raise ValueError(f"expected one action to a line behind [State], found {state[:60]!r}")
    return game, actions


def moves_of(game: pyspiel.Game, actions: Sequence[int]) -> list[Move]:
    """The moves that a history of `read_serialized` stands for.

    Raises:
      ValueError: the game does not allow an action, or the history ends between moves made at once.
    """
    state = game.new_initial_state()
    players = range(game.num_players())
    moves: list[Move] = []
    rest = list(actions)
    while rest:
        done = len(actions) - len(rest)
        if state.is_terminal():
            raise ValueError(f"action number {done}: the game has ended, found {len(rest)} more actions")
        movers = list(players) if state.is_simultaneous_node() else [state.current_player()]
        if len(rest) < len(movers):
            raise ValueError(
                f"action number {done}: expected actions of {len(movers)} players, found {len(rest)}"
            )
        chosen, rest = rest[: len(movers)], rest[len(movers) :]
        for player, action in zip(movers, chosen):
            legal = possible_actions(state, player)
            if legal and action not in legal:
                raise ValueError(
                    f"action number {done}: {action} is not among the {len(legal)} legal ones "
                    f"of player {player}"
                )
            if legal:
                moves.append(Move(player, action))
        if state.is_simultaneous_node():
            state.apply_actions(chosen)
        else:
            state.apply_action(chosen[0])
    return moves


def to_line(match_id: int, record: MatchRecord) -> str:
    """One line of JSON, which `from_line` reads, with the history under `serialized`."""
    forfeit = record.forfeit and {
        "player": record.forfeit.player,
        "kind": record.forfeit.kind,
        "reason": record.forfeit.reason,
    }
    return json.dumps(
        {
            "match": match_id,
            "game": record.game,
            "seats": record.seats,
            "seed": record.seed,
            "opening_plies": record.opening_plies,
            "opening_length": record.opening_length,
            "move_seconds": record.move_seconds,
            "returns": record.returns,
            "forfeit": forfeit,
            "serialized": serialized(record),
        }
    )


def from_line(line: str) -> MatchRecord:
    """The match of a line that `to_line` wrote; times and notes are not in it.

    Raises:
      ValueError: it is no such line.
    """
    try:
        value: Mapping = json.loads(line)
        _, actions = read_serialized(value["serialized"])
        forfeit = value["forfeit"]
        return MatchRecord(
            game=value["game"],
            seats=tuple(value["seats"]),
            seed=value["seed"],
            opening_plies=value["opening_plies"],
            move_seconds=value["move_seconds"],
            opening_length=value["opening_length"],
            moves=tuple(moves_of(load_game(value["game"]), actions)),
            returns=tuple(value["returns"]),
            forfeit=forfeit and ForfeitRecord(**forfeit),
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not a match with an OpenSpiel history: {error!r}") from error
