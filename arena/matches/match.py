"""One match: random opening, duplicate dice, the bots' moves, the returns.

Why not `evaluate_bots`: it stops at the first misbehaviour, and keeps neither moves nor times.

Opening and chance: see `arena.matches.openings`.

Players who move at once are all asked from the same state, in the order of their seats, and none learns
what another one did before all have answered. Each is asked whatever happened to the others: if several
forfeit in one such step, the forfeit is that of the lowest seat, so that over a mirrored pair nobody gains
by it, and its reason names the others.
"""

from __future__ import annotations

import functools
import math
import operator
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TypeVar

import pyspiel

from arena.matches.chance import Dice, chance_outcome
from arena.matches.forfeit import VOIDING, Forfeit, Unplayable, forfeit_returns, json_copy, one_line
from arena.matches.openings import opening_actions
from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.registry.bots import canonical, make_bot
from arena.registry.games import is_cpp_game, load_game
from arena.registry.live import Live, as_bot
from games.registration import name_of
from runs.seeds import bot_seed, versions

_T = TypeVar("_T")

Observer = Callable[[pyspiel.State, Sequence[Move]], None]
"""A function that is called with a clone of each state of a match and the moves that led to it: at the start with none,
then after each move, or after all moves that are made at once."""


class _Broken(Exception):
    """Carries the forfeit of a match out of its loop."""

    def __init__(self, forfeit: ForfeitRecord):
        super().__init__(forfeit.reason)
        self.forfeit = forfeit


class _Match:
    """The state of a match in progress; nothing a bot receives is shared with it."""

    def __init__(
        self,
        game: pyspiel.Game,
        bots: Sequence[pyspiel.Bot],
        names: Sequence[str],
        seed: int,
        move_seconds: float | None,
        observer: Observer | None = None,
    ):
        self._game = game
        self._bots = bots
        self._names = names
        self._dice = Dice(seed)
        self._rolled = 0
        self._move_seconds = move_seconds
        self._observer = observer
        self.state = game.new_initial_state()
        self.moves: list[Move] = []
        self._observed(())

    def _observed(self, moves: Sequence[Move]) -> None:
        if self._observer is not None:
            self._observer(self.state.clone(), moves)

    def _ask(self, seat: int, question: Callable[[], _T]) -> _T:
        """Calls into the bot at `seat`; whatever it raises becomes its forfeit, unless it is not its doing."""
        notes = None
        try:
            return question()
        except Forfeit as forfeit:
            kind, reason, notes = forfeit.kind, forfeit.reason, forfeit.notes
        except VOIDING as error:
            raise _void(self._names[seat], seat, error) from error
        except Exception as error:  # a bot's fault, of whatever kind, ends its match and no other
            kind, reason = "crash", f"{type(error).__name__}: {error}"
        raise _Broken(ForfeitRecord(seat, kind, one_line(reason), notes))

    def start(self) -> None:
        for seat, bot in enumerate(self._bots):
            # The base class's restart_at raises, so it is called only where a bot has its own.
            if type(bot).restart_at is pyspiel.Bot.restart_at:
                self._ask(seat, bot.restart)
            else:
                self._ask(seat, functools.partial(bot.restart_at, self.state.clone()))

    def _inform(self, move: Move, seats: Iterator[int]) -> None:
        for seat in seats:
            self._ask(
                seat,
                functools.partial(self._bots[seat].inform_action, self.state.clone(), move.player, move.action),
            )

    def _apply(self, move: Move) -> None:
        self.moves.append(move)
        self.state.apply_action(move.action)
        self._observed((move,))

    def play_opening(self, opening: Sequence[Move]) -> None:
        """Applies moves that no bot chose. Their supposed mover is told by `force_action` where it
        provides that, and otherwise informed like the others; so are all of moves made at once."""
        rest = list(opening)
        while rest:
            if self.state.is_simultaneous_node():
                movers = sum(bool(self.state.legal_actions(seat)) for seat in range(len(self._bots)))
                self._apply_at_once({move.player: move for move in rest[:movers]})
                del rest[:movers]
                continue
            move = rest.pop(0)
            self._rolled += move.player == pyspiel.PlayerId.CHANCE
            seats = set(range(len(self._bots)))
            if move.player in seats and self._bots[move.player].provides_force_action():
                seats.remove(move.player)
                self._ask(
                    move.player,
                    functools.partial(self._bots[move.player].force_action, self.state.clone(), move.action),
                )
            self._inform(move, iter(sorted(seats)))
            self._apply(move)

    def _step(self, seat: int, legal: Sequence[int]) -> Move:
        bot, view = self._bots[seat], self.state.clone()
        start = time.perf_counter()
        answer = self._ask(seat, lambda: bot.step(view))
        seconds = round(time.perf_counter() - start, 6)
        try:
            action = operator.index(answer)
        except TypeError:
            action = None
        if self._move_seconds is not None and seconds > self._move_seconds:
            raise self._refused(
                seat, "timeout", f"the move took {seconds:.3f} s, allowed are {self._move_seconds:g} s"
            )
        if action not in legal or isinstance(answer, bool):
            shown = ", ".join(map(str, legal[:10])) + (", ..." if len(legal) > 10 else "")
            raise self._refused(
                seat, "illegal", f"played {answer!r:.80}, expected one of {len(legal)} legal actions: {shown}"
            )
        return Move(seat, action, seconds, self._ask(seat, functools.partial(_notes, bot)))

    def _refused(self, seat: int, kind: str, reason: str) -> _Broken:
        """The forfeit of a bot that gave an answer which does not count."""
        try:
            notes = _notes(self._bots[seat])
        except Exception:  # the match is over already, for what the bot did before
            notes = None
        return _Broken(ForfeitRecord(seat, kind, one_line(reason), notes))

    def play_on(self) -> None:
        """Plays to the end of the game; raises `_Broken` for a forfeit."""
        limit = self._game.max_game_length()
        decisions = 0
        while not self.state.is_terminal():
            if self.state.is_chance_node():
                move = Move(pyspiel.PlayerId.CHANCE, chance_outcome(self.state, self._dice[self._rolled]))
                self._rolled += 1
                self._inform(move, iter(range(len(self._bots))))
                self._apply(move)
                continue
            decisions += 1
            if decisions > limit:
                raise ValueError(
                    f"game {name_of(self._game)} goes on after {limit} decisions, expected it to "
                    "end by its own max_game_length"
                )
            if self.state.is_simultaneous_node():
                self._play_joint_move()
                continue
            mover = self.state.current_player()
            legal = self.state.legal_actions(mover)
            if not legal:
                raise ValueError(
                    f"game {name_of(self._game)} offers player {mover} no legal action after "
                    f"{len(self.moves)} moves, expected at least one before the game ends"
                )
            move = self._step(mover, legal)
            self._inform(move, (s for s in range(len(self._bots)) if s != mover))
            self._apply(move)

    def _play_joint_move(self) -> None:
        moves: dict[int, Move] = {}
        forfeits: list[ForfeitRecord] = []
        for seat in range(len(self._bots)):
            legal = self.state.legal_actions(seat)
            if legal:
                try:
                    moves[seat] = self._step(seat, legal)
                except _Broken as broken:
                    forfeits.append(broken.forfeit)
        if forfeits:
            raise _Broken(_first_of(forfeits))
        self._apply_at_once(moves)

    def _apply_at_once(self, moves: Mapping[int, Move]) -> None:
        """Applies the moves of all players who have one, by seat and in the order of the seats."""
        joint = [
            moves[seat].action if seat in moves else pyspiel.INVALID_ACTION for seat in range(len(self._bots))
        ]
        for seat, bot in enumerate(self._bots):
            self._ask(seat, functools.partial(bot.inform_actions, self.state.clone(), joint))
        self.moves.extend(moves.values())
        self.state.apply_actions(joint)
        self._observed(tuple(moves.values()))


def _void(name: str, seat: int, error: Exception) -> Unplayable:
    return Unplayable(f"bot {name!r} cannot play as player {seat}: {one_line(str(error))}")


def _first_of(forfeits: Sequence[ForfeitRecord]) -> ForfeitRecord:
    """The forfeit that stands for those of one step."""
    first, *others = forfeits
    said = "".join(
        f"; in the same step player {other.player} forfeited too ({other.kind}): {other.reason}"
        for other in others
    )
    return replace(first, reason=one_line(first.reason + said)) if said else first


def _notes(bot: pyspiel.Bot) -> dict[str, object] | None:
    return json_copy(bot.notes()) if hasattr(bot, "notes") else None


_match_games: dict[tuple[str, int], pyspiel.Game] = {}
"""C++ games that have been loaded and found fit: they do not change, and to look one up takes longer
than a short match. Python games are made anew, as each may hold state or stand for a file."""


def load_match_game(game_string: str, players: int) -> pyspiel.Game:
    """Loads a game that `play_match` can play with this many players.

    Raises:
      ValueError: it is unknown, has another number of players, draws its chance outcomes by itself
        (its matches could not be repeated), is a mean-field game, or has no bounds of utility.
    """
    if (game_string, players) in _match_games:
        return _match_games[game_string, players]
    game = load_game(game_string)
    game_type = game.get_type()
    if game.num_players() != players:
        raise ValueError(
            f"number of players of game {game_string!r}: expected {players}, one for each "
            f"bot of a match, found {game.num_players()}"
        )
    if game_type.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise ValueError(
            f"game {game_string!r} samples its chance outcomes by itself, so that its "
            "matches cannot be repeated; expected a game with explicit chance outcomes"
        )
    if game_type.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise ValueError(
            f"game {game_string!r} is a mean-field game, expected one whose players move in turn or at once"
        )
    if not all(map(math.isfinite, (game.min_utility(), game.max_utility()))):
        raise ValueError(
            f"game {game_string!r} has no finite bounds of utility, which a forfeit "
            "needs; expected finite min_utility and max_utility"
        )
    if is_cpp_game(game):
        _match_games[game_string, players] = game
    return game


def play_match(
    game_string: str,
    seats: Sequence[str | Live],
    seed: int,
    *,
    opening_plies: int = 0,
    move_seconds: float | None = None,
    joint_openings: bool = False,
    observer: Observer | None = None,
) -> MatchRecord:
    """Plays one match.

    Bots receive clones of the state. A bot that answers with an illegal action, takes too long, or
    raises an exception forfeits (see `forfeit_returns`); a bot chooses the kind itself by raising
    `Forfeit`. KeyboardInterrupt passes through, and so do errors that are no bot's doing, see `Unplayable`.

    Args:
      game_string: an OpenSpiel game.
      seats: the bots by seat; each is a spec string, or a bot, which is used as it is and not closed, or an OpenSpiel
        policy, from which actions are sampled. A bot's attribute `spec`, where it has one, names it in the record.
      seed: an integer in [0, 2**63). Opening, chance and the seeds of bots made here follow from it.
      opening_plies, joint_openings: see `opening_actions`.
      move_seconds: limit per call of `step`, above 0; None for none. A bot in this process cannot be
        interrupted, so its time is measured after its move: one that hangs hangs the match.
      observer: is called with every state, see `Observer`; what it raises ends the match.

    Raises:
      Unplayable: the match is void, as a bot lacks what it needs: a recording or an answer in it, a key, a
        model that answers, an interpreter, a package.
      ValueError: an argument is out of range or names no such game or bot; a bot refuses the game;
        the game breaks its own rules (no legal action, longer than its max_game_length).
    """
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed of a match: expected 0 to 2**63 - 1, found {seed}")
    if opening_plies < 0:
        raise ValueError(f"opening_plies: expected 0 or more, found {opening_plies}")
    if move_seconds is not None and not move_seconds > 0:
        raise ValueError(f"move_seconds: expected more than 0, found {move_seconds}")
    game = load_match_game(game_string, len(seats))
    opening = opening_actions(game, seed, opening_plies, joint_openings)
    with ExitStack() as to_close:
        bots, names = [], []
        for seat, bot in enumerate(seats):
            if isinstance(bot, str):
                names.append(canonical(bot))
                try:
                    bots.append(make_bot(bot, game, seat, bot_seed(seed, seat)))
                except VOIDING as error:
                    raise _void(names[-1], seat, error) from error
                to_close.callback(getattr(bots[-1], "close", lambda: None))
            else:
                names.append(getattr(bot, "spec", None) or type(bot).__name__)
                bots.append(as_bot(bot, names[-1], seat, bot_seed(seed, seat)))
        match = _Match(game, bots, names, seed, move_seconds, observer)
        forfeit = None
        try:
            match.start()
            match.play_opening(opening)
            match.play_on()
            returns = tuple(float(value) for value in match.state.returns())
        except _Broken as broken:
            forfeit = broken.forfeit
            returns = forfeit_returns(game, forfeit.player)
    return MatchRecord(
        game=game_string,
        seats=tuple(names),
        seed=seed,
        opening_plies=opening_plies,
        move_seconds=move_seconds,
        opening_length=min(len(opening), len(match.moves)),
        moves=tuple(match.moves),
        returns=returns,
        forfeit=forfeit,
        versions=dict(versions()),
        ended=time.time(),
    )
