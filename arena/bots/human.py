"""The bot `human`: a person at the terminal."""

from __future__ import annotations

import difflib
import io
import multiprocessing
import shutil
import sys
import textwrap
import threading
from collections.abc import Sequence
from typing import TextIO

import pyspiel

from arena.matches.board_text import board_text
from arena.matches.forfeit import Forfeit
from arena.registry.bots import register_bot
from games.seeing import views

HELP = """\
Type a move: its name, its number in the list, or the beginning of its name if no other begins so.
You are then asked once more: Enter plays it, u takes it back, another move replaces it.
A ! behind the move plays it at once.

  list [begin]   all moves, or those that begin so, with their numbers
  board          the board again
  undo           what can be taken back and when
  resign         give up (so does Ctrl-D; Ctrl-C ends the whole command)
  ?              this help
"""

_GIVEN_UP = "illegal"
"""The kind of forfeit of a person who makes no legal move any more."""

_RESIGN = "resign "
"""The sign that the person resigns; no move has this name, as names have no blanks at their ends."""


class Console:
    """A dialogue in lines.

    Args:
      read, write: streams of text; standard input and output where None.
      columns, rows: size of the page; that of the terminal where None.
    """

    def __init__(
        self,
        read: TextIO | None = None,
        write: TextIO | None = None,
        columns: int | None = None,
        rows: int | None = None,
    ):
        if read is None and isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # a stray byte is a typing error, not the end
        self._read = read or sys.stdin
        self._write = write or sys.stdout
        size = shutil.get_terminal_size()
        self.columns = columns or size.columns
        self.rows = rows or size.lines

    def show(self, text: str = "") -> None:
        encoding = getattr(self._write, "encoding", None) or "utf-8"
        self._write.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        self._write.flush()

    def ask(self, prompt: str) -> str:
        """The next line, with single blanks only.

        Raises:
          Forfeit: the input has ended.
        """
        self._write.write(prompt)
        self._write.flush()
        line = self._read.readline()
        if not line:
            self.show()
            raise Forfeit(_GIVEN_UP, "the person left: the input has ended")
        return " ".join(line.split())


class Ambiguous(ValueError):
    """Raised where the typed text names no move, or several; the message says so."""


class Moves:
    """The legal moves of one turn, as a person names them.

    Args:
      names: names of the moves, each once, in the game's order.
    """

    def __init__(self, names: Sequence[str]):
        self.names = list(names)
        # Where moves have numbers for names, their places in the list need another form.
        self._sign = "#" if any(name.isdecimal() for name in self.names) else ""

    def find(self, text: str) -> str:
        """The move that `text` means: by name, by name in the other case, by number, by beginning; a `!`
        at the end does not count.

        Raises:
          Ambiguous: no move or several moves are meant.
        """
        spoken = {" ".join(name.split()): name for name in self.names}
        if text in spoken:
            return spoken[text]
        text = text.removesuffix("!").rstrip()
        if text in spoken:
            return spoken[text]
        for found in (
            [name for key, name in spoken.items() if key.lower() == text.lower()],
            self._by_number(text),
            self.beginning(text),
        ):
            if len(found) == 1:
                return found[0]
            if found:
                raise Ambiguous(f"{text!r} may be {_either(found)}; type more of it")
        close = difflib.get_close_matches(text, spoken, n=3, cutoff=0.4)
        hint = (
            f"did you mean {_either(close)}?" if close else "list shows the moves, resign gives up, Ctrl-C ends"
        )
        raise Ambiguous(f"no move is called {text!r}; {hint}")

    def _by_number(self, text: str) -> list[str]:
        digits = text.removeprefix("#")
        if not digits.isdecimal() or not text.startswith(self._sign):
            return []
        if not 1 <= int(digits) <= len(self.names):
            raise Ambiguous(f"there is no move number {digits}, expected 1 to {len(self.names)}")
        return [self.names[int(digits) - 1]]

    def beginning(self, text: str) -> list[str]:
        """The moves whose names begin with `text`, in either case."""
        return [name for name in self.names if " ".join(name.split()).lower().startswith(text.lower())]

    def lines(self, columns: int, names: Sequence[str] | None = None) -> list[str]:
        """The moves, or those of `names`, with their numbers, in columns."""
        numbers = {name: number for number, name in enumerate(self.names, start=1)}
        chosen = self.names if names is None else names
        digits = len(f"{self._sign}{len(self.names)}")
        cells = [f"{self._sign}{numbers[name]}".rjust(digits) + f" {name}" for name in chosen]
        width = max(map(len, cells), default=0) + 3
        per_line = max(1, (columns - 2) // width)
        return [
            "  " + "".join(cell.ljust(width) for cell in cells[i : i + per_line]).rstrip()
            for i in range(0, len(cells), per_line)
        ]


def _either(names: Sequence[str]) -> str:
    shown = list(names[:6])
    more = f" or one of {len(names) - 6} others" if len(names) > 6 else ""
    return " or ".join(shown) + more


class HumanBot(pyspiel.Bot):
    """Asks a person, who is shown this player's view (`games.seeing.views`) and nothing else.

    Args:
      game: any game.
      player_id: the person's seat.
      console: the terminal at which the person sits.
      confirm: whether each move is asked for once more before it is played.
      handover: whether to clear the page and wait before each turn, for several people at one
        terminal who have secrets.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player_id: int,
        *,
        console: Console,
        confirm: bool = True,
        handover: bool = False,
    ):
        super().__init__()
        self._name = game.get_type().short_name
        self._secrets = game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        self._player_id = player_id
        self._console = console
        self._confirm = confirm
        self._handover = handover
        self._news: list[str] = []

    def restart_at(self, state: pyspiel.State) -> None:
        self._news = []

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        noticed = views.noticed(state, action, self._player_id)
        if noticed is not None:
            who = "chance" if player_id == pyspiel.PlayerId.CHANCE else f"player {player_id}"
            self._news.append(f"{who}: {noticed}")

    def inform_actions(self, state: pyspiel.State, actions: list[int]) -> None:
        if self._secrets:  # what others did may be secret; the view shows what may be seen
            return
        for player, action in enumerate(actions):
            if state.legal_actions(player):
                self._news.append(f"player {player}: {views.action_name(state, action, player)}")

    def step(self, state: pyspiel.State) -> int:
        by_name = views.actions_by_name(state, self._player_id)
        moves = Moves(list(by_name))
        if self._handover:
            self._console.show("\n" * self._console.rows)
            self._console.ask(f"Player {self._player_id} is to move: Enter when nobody else looks. ")
        self._show_board(state)
        self._show_moves(moves)
        name = self._chosen(state, moves)
        self._news = []
        return by_name[name]

    def _show_board(self, state: pyspiel.State) -> None:
        self._console.show(
            f"\n=== {self._name}: you are player {self._player_id}, move {state.move_number() + 1}"
        )
        if self._news:
            self._console.show(
                textwrap.fill("since your last move: " + ", ".join(self._news), self._console.columns)
            )
        self._console.show(textwrap.indent(board_text(state, self._player_id), "  "))

    def _show_moves(self, moves: Moves) -> None:
        lines = moves.lines(self._console.columns)
        room = max(1, self._console.rows // 3)
        plural = "move" if len(moves.names) == 1 else "moves"
        self._console.show(f"{len(moves.names)} legal {plural}:")
        self._console.show("\n".join(lines[:room]))
        if len(lines) > room:
            self._console.show("  ... and more; list shows all, list a those that begin with a")

    def _show_list(self, moves: Moves, beginning: str) -> None:
        chosen = moves.beginning(beginning)
        lines = moves.lines(self._console.columns, chosen) or [f"  none begins with {beginning!r}"]
        page = max(1, self._console.rows - 2)
        for start in range(0, len(lines), page):
            self._console.show("\n".join(lines[start : start + page]))
            if start + page < len(lines) and self._console.ask("Enter shows more, q ends the list: "):
                return

    def _chosen(self, state: pyspiel.State, moves: Moves) -> str:
        """The name of the move that the person wants in the end.

        Raises:
          Forfeit: the person resigns, or the input has ended.
        """
        prompt = "Your move (? for help): "
        line = self._console.ask(prompt)
        while True:
            wish = self._wish(state, moves, line)
            if wish is None:
                line = self._console.ask(prompt)
                continue
            resigns = wish == _RESIGN
            at_once = line.endswith("!") and line not in moves.names
            if at_once or not (self._confirm or resigns):
                answer = ""
            else:
                effect = "gives up" if resigns else "plays it"
                answer = self._console.ask(f"  {wish.strip()}: Enter {effect}, u takes it back: ")
            if answer.lower() in ("u", "undo", "n", "no"):
                line = self._console.ask(f"Taken back. {prompt}")
            elif answer.lower() not in ("", "y", "yes"):
                line = answer
            elif resigns:
                raise Forfeit(_GIVEN_UP, "the person resigned")
            else:
                return wish

    def _wish(self, state: pyspiel.State, moves: Moves, line: str) -> str | None:
        """The move that a line asks for, or `_RESIGN`; None after a command that has been carried out, or
        a mistake that has been named."""
        word, _, rest = line.partition(" ")
        command = "" if line in moves.names else word.lower()
        match command:
            case "?" | "help":
                self._console.show(HELP)
            case "list":
                self._show_list(moves, rest)
            case "board":
                self._show_board(state)
            case "undo":
                self._console.show(
                    "There is nothing to take back: "
                    + (
                        "a move can be taken back when it is asked for once more."
                        if self._confirm
                        else "human(confirm=true) asks before it plays a move."
                    )
                )
            case "resign" | "resign!":
                return _RESIGN
            case _ if line:
                try:
                    return moves.find(line)
                except Ambiguous as error:
                    self._console.show(f"  {error}")
        return None


@register_bot("human", summary="a person at this terminal, who is shown what the player may see")
def _human(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    confirm: bool = True,
    handover: bool = False,
    terminal: bool = True,
) -> pyspiel.Bot:
    """See `HumanBot`. `terminal=false` takes the moves from a file or pipe as well."""
    del seed
    if (
        multiprocessing.parent_process() is not None
        or threading.current_thread() is not threading.main_thread()
    ):
        raise ValueError(
            "bot 'human' needs the terminal, which worker processes and threads do not have; "
            "use --executor=inline"
        )
    if terminal and not sys.stdin.isatty():
        raise ValueError(
            "bot 'human' reads the moves from a terminal and standard input is none; write "
            "human(terminal=false) to take them from a file or pipe"
        )
    return HumanBot(game, player_id, console=Console(), confirm=confirm, handover=handover)
