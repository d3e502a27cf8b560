"""Pairs of moments that one player cannot tell apart, from random play.

A pair is found in two ways. Two random games may tell the player the same by chance. And a random game has
*twins*: one move that is not the player's is exchanged for another, and the game is played on with the same moves,
or, where these are not legal, with others, as long as the player is told the same.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyspiel

from games.seeing.leaks import channels
from games.seeing.leaks.channels import Listener, Moment, Move
from games.seeing.leaks.findings import Recall

Pair = tuple[Moment, Moment]

_ORDINARY = 4
"""One game of so many is just random; it gets one of so many twins."""
_SILENT = 12
"""Random games of which the one with the rarest move is chosen."""
_SILENT_SHARE = 0.02
"""Share of the time in which they are played at most."""

_OTHERS = 4
"""Other moves that are tried at most where a twin cannot make the same one."""
_FIRST_TRIES = 3
"""Moves that are tried at most in place of the one that is exchanged."""


@dataclass
class Walk:
    """A random game: its moves, and each player's moments; `ended` is False where it was cut off."""

    moves: list[Move] = field(default_factory=list)
    moments: list[list[Moment]] = field(default_factory=list)
    ended: bool = False


def _silent(game: pyspiel.Game, rng: np.random.Generator, max_moves: int, until: float) -> list[Move]:
    """Returns the moves of a random game that nobody listens to."""
    state, moves = game.new_initial_state(), []
    while not state.is_terminal() and len(moves) < max_moves and time.monotonic() < until:
        moves.append(channels.random_move(state, rng))
        channels.apply(state, moves[-1])
    return moves


class Rarest:
    """Chooses, of several random games, the one with the rarest move, so that rare phases of a game are met.

    Args:
      game: the game.
      rng: draws the games.
      max_moves: number of moves after which a game is cut off.
    """

    def __init__(self, game: pyspiel.Game, rng: np.random.Generator, max_moves: int) -> None:
        self._game, self._rng, self._max_moves = game, rng, max_moves
        self._made: Counter[Move] = Counter()

    def moves(self, until: float) -> list[Move]:
        """Returns the moves of the chosen game; `until` is the time after which no further one is drawn."""
        drawn = []
        while len(drawn) < _SILENT and time.monotonic() < until:
            drawn.append(_silent(self._game, self._rng, self._max_moves, until))
            self._made.update(set(drawn[-1]))
        return min(drawn, key=lambda moves: min(map(self._made.get, moves), default=0), default=[])


def walk(
    game: pyspiel.Game,
    listener: Listener,
    rng: np.random.Generator,
    max_moves: int,
    until: float,
    wanted: Sequence[Move] = (),
) -> Walk:
    """Plays one random game.

    Args:
      game: the game.
      listener: reads what the players are told.
      rng: draws the moves.
      max_moves: number of moves after which the game is cut off.
      until: time (`time.monotonic`) after which it is cut off.
      wanted: its first moves, as far as they are legal.
    """
    state = game.new_initial_state()
    players = range(game.num_players())
    played = Walk(moments=[[listener.hear(state.clone(), (), player)] for player in players])
    while not state.is_terminal() and len(played.moves) < max_moves and time.monotonic() < until:
        number = len(played.moves)
        follows = number < len(wanted) and channels.is_legal(state, wanted[number])
        move = wanted[number] if follows else channels.random_move(state, rng)
        own = [channels.own_part(state, move, player) for player in players]
        channels.apply(state, move)
        played.moves.append(move)
        kept = state.clone()
        for player, moments in enumerate(played.moments):
            moments.append(listener.hear(kept, tuple(played.moves), player, moments[-1], own[player]))
    played.ended = state.is_terminal()
    return played


def _apart(one: Moment, other: Moment) -> bool:
    """Returns whether two moments are of different games; equal moves may hide chance drawn inside the game."""
    return one.moves != other.moves or (_samples(one.state) and str(one.state) != str(other.state))


def _samples(state: pyspiel.State) -> bool:
    """Returns whether the game draws its chance itself, so that one move has many outcomes."""
    return state.get_game().get_type().chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC


class Collisions:
    """Finds moments of several games of which a player was told the same."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._last: dict[tuple, Moment] = {}

    def add(self, played: Walk) -> Iterator[Pair]:
        """Yields the pairs that a further game makes with those before."""
        for moments in played.moments:
            for moment in moments:
                met: set[int] = set()
                for reference, told in moment.told.items():
                    key = (reference, moment.player, len(moment.moves), told)
                    other = self._last.get(key)
                    if other is not None and id(other) not in met and _apart(other, moment):
                        met.add(id(other))
                        yield other, moment
                    self._last[key] = moment


class Twins:
    """Makes twins of random games.

    Args:
      listener: reads what the players are told.
      rng: draws the exchanged moves, and those that are no longer legal.
    """

    def __init__(self, listener: Listener, rng: np.random.Generator) -> None:
        self._listener = listener
        self._rng = rng

    def pairs(self, played: Walk, player: int, at: int) -> Iterator[Pair]:
        """Yields the moments of a game beside those of a twin, from the exchanged move on.

        Args:
          played: the game.
          player: who is to be told the same.
          at: the number of the move that is exchanged, which is not only the player's.
        """
        base = played.moments[player]
        first = self._exchanged(base, at, played.moves[at])
        if first is None:
            return
        displaced, twin = played.moves[at], first
        for number in range(at + 1, len(base)):
            if _apart(base[number], twin):
                yield base[number], twin
            if number == len(played.moves):
                return
            following = self._next(base, number, twin, played.moves[number], displaced)
            if following is None:
                return
            twin = following

    def _exchanged(self, base: list[Moment], at: int, move: Move) -> Moment | None:
        """Returns the twin after another move than `move`, one of which the player is told the same."""
        state, player = base[at].state, base[at].player
        again = state.is_chance_node() and _samples(state)
        others = [other for other in self._others(state, player, move) if other != move or again]
        others = others * _FIRST_TRIES if again else others
        for other in others[:_FIRST_TRIES]:
            twin = self._after(base[at], other)
            if self._listener.equal_references(base[at + 1], twin):
                return twin
        return None

    def _next(
        self, base: list[Moment], number: int, twin: Moment, move: Move, displaced: Move
    ) -> Moment | None:
        """Returns the twin one move later; None where the player can tell it from the game."""
        here, player = base[number].state, twin.player
        if channels.to_act(here, player) != channels.to_act(twin.state, player) or twin.state.is_terminal():
            return None
        candidates = [move for move in (move, displaced) if channels.is_legal(twin.state, move)]
        if channels.own_part(here, move, player) is not None:
            if move not in candidates:
                return None
            candidates = [move]
        else:
            candidates += self._others(twin.state, player, move)
        for candidate in candidates[: 1 + _OTHERS]:
            after = self._after(twin, candidate)
            if self._listener.equal_references(base[number + 1], after):
                return after
        return None

    def _after(self, before: Moment, move: Move) -> Moment:
        state = before.state.clone()
        own = channels.own_part(state, move, before.player)
        channels.apply(state, move)
        return self._listener.hear(state, (*before.moves, move), before.player, before, own)

    def _others(self, state: pyspiel.State, player: int, move: Move) -> list[Move]:
        """Returns moves of the others in random order; at a simultaneous node the player's own part stays."""
        if state.is_terminal() or state.is_mean_field_node():
            return []
        if state.is_chance_node():
            moves = [outcome for outcome, weight in state.chance_outcomes() if weight > 0]
        elif state.is_simultaneous_node():
            drawn = [list(channels.random_move(state, self._rng)) for _ in range(_OTHERS)]
            own = move[player] if isinstance(move, tuple) else None
            moves = [tuple(own if seat == player else a for seat, a in enumerate(joint)) for joint in drawn]
        elif state.current_player() == player:
            return []
        else:
            moves = state.legal_actions()
        return [moves[index] for index in self._rng.permutation(len(moves))[: 2 * _OTHERS]]


def _alone(played: Walk, player: int, at: int) -> bool:
    """Returns whether a move is the player's alone."""
    state = played.moments[player][at].state
    return not state.is_simultaneous_node() and state.current_player() == player


def pairs(
    game: pyspiel.Game,
    listener: Listener,
    *,
    num_games: int,
    twins: int,
    seed: int,
    max_moves: int,
    until: float,
    progress: Callable[[int], None],
    recall: Recall | None = None,
) -> Iterator[Pair]:
    """Yields pairs of moments of which the player was told the same by one reference at least.

    Args:
      game: the game.
      listener: reads what the players are told.
      num_games: number of random games.
      twins: number of twins of each game that was chosen for a rare move; the others get fewer.
      seed: seed of the random play.
      max_moves: number of moves after which a game is cut off.
      until: time (`time.monotonic`) after which no further game begins.
      progress: called with the number of games so far after each of them.
      recall: is shown the moments of each game.
    """
    rng = np.random.default_rng(seed)
    rarest = Rarest(game, rng, max_moves)
    share = max(0.0, until - time.monotonic()) * _SILENT_SHARE
    collisions, maker = Collisions(listener), Twins(listener, rng)
    for number in range(num_games):
        if time.monotonic() >= until:
            return
        chosen = number % _ORDINARY > 0
        wanted = rarest.moves(time.monotonic() + share) if chosen else []
        played = walk(game, listener, rng, max_moves, until, wanted)
        for moment in itertools.chain(*played.moments) if recall else ():
            recall.add(moment)
        yield from collisions.add(played)
        for _ in range((twins if chosen else -(-twins // _ORDINARY)) if played.moves else 0):
            if time.monotonic() >= until:
                return
            player = int(rng.integers(game.num_players()))
            hidden = [at for at in range(len(played.moves)) if not _alone(played, player, at)]
            if hidden:
                yield from maker.pairs(played, player, int(rng.choice(hidden)))
        progress(number + 1)
