"""What each audience of a running match may see of it: the only way from a state to a browser.

A `Publisher` follows a match and makes *frames*, JSON-able, one stream of them for each audience:

* a seat: what `games.seeing.views` shows to this player, its picture and its legal actions;
* `PUBLIC`, those who hold no seat: everything in a game in which everybody sees everything, and else only what
  all players notice alike;
* `ALL`: everything, for the server's owner to give out.

A frame is made where somebody is to choose, or at the end, and only for those who have something new to see: the order
in which cards are dealt is told to nobody, and in a game such as phantom
tic-tac-toe not even the number of the others' moves is told; `made`, the number of moves, is in the frames of those
who see everything. Times of moves, seeds and notes of bots are in no frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict

import pyspiel

from arena.matches.board_text import board_text
from arena.matches.records import Move
from games.openspiel_views import board_drawings
from games.seeing import pending_moves, views
from games.seeing.pictures import picture_url, seat_picture_url

PUBLIC = "public"
ALL = "all"
Audience = int | str
"""A seat, `PUBLIC` or `ALL`."""
Frame = dict[str, object]

PUBLIC_BOARDS = ("micro_rts",)
"""Games that hide something, though not what lies on the board."""
_COLOUR_CODES = re.compile(r"\x1b\[[0-9;]*m")


def all_see_all(game: pyspiel.Game) -> bool:
    """Whether every player sees the whole state at every moment."""
    perfect = pyspiel.GameType.Information.PERFECT_INFORMATION
    return game.get_type().information == perfect and not pending_moves.is_turn_based(game)


def _told(text: str) -> str:
    return _COLOUR_CODES.sub("", text).strip("\n")


def _drawn(board: board_drawings.Board | None) -> dict[str, object] | None:
    return None if board is None else asdict(board)


def movers(state: pyspiel.State) -> list[int]:
    """The players who are to choose, -1 for chance; none at the end."""
    if state.is_terminal():
        return []
    if state.is_simultaneous_node():
        return [player for player in range(state.num_players()) if state.legal_actions(player)]
    return [int(state.current_player())]


def seen(state: pyspiel.State, audience: Audience) -> Frame:
    """The position as an audience sees it: `text`, `board`, `picture`, `to_move`, `legal`, `over`, `returns`.

    Args:
      state: any state.
      audience: who looks.
    """
    everything = audience == ALL or all_see_all(state.get_game())
    if isinstance(audience, int):
        text = board_text(state, audience)
        board = board_drawings.board(state, audience)
        picture = seat_picture_url(state, audience) or (picture_url(state) if everything else None)
        legal = list(views.view(state, audience).legal)
    else:
        legal = []
        if everything:
            hides = not all_see_all(state.get_game())
            text = str(state) if hides else board_text(state, 0)
            board = board_drawings.board(state)
            picture = picture_url(state) or (None if hides else seat_picture_url(state, None))
        else:
            text = ""
            board = board_drawings.board(state, 0) if _name(state) in PUBLIC_BOARDS else None
            picture = seat_picture_url(state, None)
    over = state.is_terminal()
    return {
        "text": _told(text),
        "board": _drawn(board),
        "picture": picture,
        "to_move": movers(state),
        "legal": legal,
        "over": over,
        "returns": [float(value) for value in state.returns()] if over else None,
    }


def _name(state: pyspiel.State) -> str:
    return state.get_game().get_type().short_name


def noticed(before: pyspiel.State, moves: Sequence[Move], audience: Audience) -> list[dict[str, object]]:
    """The moves that led from a state to the next one, as far as an audience notices them: `player` and `name`.

    Args:
      before: the state in which they were made.
      moves: one move, or one of each player who had a choice where players move at once.
      audience: who looks.
    """
    everything = audience == ALL or all_see_all(before.get_game())
    if everything:
        return [_event(move, views.action_name(before, move.action, move.player)) for move in moves]
    if before.is_simultaneous_node():
        return [
            _event(move, views.action_name(before, move.action, move.player))
            for move in moves
            if move.player == audience
        ]
    [move] = moves
    if isinstance(audience, int):
        told = views.noticed(before, move.action, audience)
    else:
        # What everybody is told in the same words is no secret; two who see different cards are told different ones.
        words = {views.noticed(before, move.action, player) for player in range(before.num_players())}
        told = words.pop() if len(words) == 1 else None
    return [] if told is None else [_event(move, told)]


def _event(move: Move, name: str) -> dict[str, object]:
    return {"player": move.player, "name": _told(name)}


class Publisher:
    """Follows one match and tells each audience what is new to it.

    Args:
      audiences: those to be told.
    """

    def __init__(self, audiences: Iterable[Audience]):
        self._last: dict[Audience, Frame | None] = dict.fromkeys(audiences)
        self._events: dict[Audience, list[dict[str, object]]] = {audience: [] for audience in self._last}
        self._moved: set[Audience] = set()
        self._before: pyspiel.State | None = None
        self._made = 0

    def update(self, state: pyspiel.State, moves: Sequence[Move]) -> dict[Audience, Frame]:
        """The frames of those for whom something has changed.

        Args:
          state: the state that was reached; it is kept.
          moves: the moves that led to it, none at the start.
        """
        self._made += len(moves)
        self._moved |= {move.player for move in moves}
        if moves:
            for audience, events in self._events.items():
                events += noticed(self._before, moves, audience)
        self._before = state
        if state.is_chance_node():
            return {}
        open_game = all_see_all(state.get_game())
        turn_goes_on = {move.player for move in moves} == {int(state.current_player())}
        made = {}
        for audience, last in self._last.items():
            everything = audience == ALL or open_game
            if turn_goes_on and not everything and audience != int(state.current_player()):
                continue  # what others try, such as a taken cell in phantom go, is not for this audience
            frame, events = seen(state, audience), self._events[audience]
            # Whoever has moved is told so, even where all looks as before.
            if events or frame != last or audience in self._moved:
                made[audience] = {**frame, "events": events}
                self._events[audience] = []
                self._moved.discard(audience)
                if everything:
                    made[audience]["made"] = self._made
            self._last[audience] = frame
        return made
