"""Engines of other people as bots: `uci` for chess, `gtp` for Go, Hex and the like.

OpenSpiel has wrappers of its own. They are not used, because its UCI bot ends the whole process when
the engine dies, and its GTP bot waits for ever for one that hangs; here both are forfeits.
"""

from __future__ import annotations

import itertools
import re

import pyspiel

from arena.bots.engine_process import EngineProcess
from arena.matches.forfeit import Forfeit
from arena.registry.bots import register_bot
from games.registration import name_of


class UciBot(pyspiel.Bot):
    """A chess engine that speaks the Universal Chess Interface. It is sent the moves from the start
    with every question, so that it sees repetitions.

    Args:
      engine: the running program.
      limit: the text after `go`, e.g. "nodes 1000".
      options: values of the engine's options by name.
    """

    def __init__(self, engine: EngineProcess, limit: str, options: dict[str, str]):
        super().__init__()
        self._engine = engine
        self._limit = limit
        self._notes: dict[str, int] = {}
        self._ask("uci", "uciok")
        for name, value in options.items():
            self._engine.send(f"setoption name {name} value {value}")
        self.restart()

    def _ask(self, command: str, expected: str) -> str:
        """Sends a command and returns the first line of the answer that starts with `expected`."""
        self._engine.send(command)
        while True:
            line = self._engine.read_line()
            if line.startswith("info ") and " score " in line:
                self._notes = _info(line.split())
            if line.startswith(expected):
                return line

    def restart(self) -> None:
        self._engine.send("ucinewgame")
        self._ask("isready", "readyok")

    def restart_at(self, state: pyspiel.State) -> None:
        self.restart()

    def step(self, state: pyspiel.State) -> int:
        moves = " ".join(move.to_lan() for move in state.moves_history())
        self._engine.send(f"position fen {state.start_fen()}" + (f" moves {moves}" if moves else ""))
        self._notes = {}
        words = self._ask(f"go {self._limit}", "bestmove").split()
        board = state.board()
        by_name = {
            pyspiel.chess.action_to_move(action, board).to_lan(): action for action in state.legal_actions()
        }
        if len(words) < 2 or words[1] not in by_name:
            raise Forfeit(
                "illegal",
                f"the engine answered {' '.join(words)!r}, expected a legal move "
                f"such as bestmove {next(iter(by_name))}",
            )
        return by_name[words[1]]

    def notes(self) -> dict[str, int]:
        """The engine's last words on its search: `depth`, `nodes`, and `score_cp` (hundredths of a
        pawn) or `score_mate` (moves), for the mover; each where the engine gave it."""
        return self._notes

    def close(self) -> None:
        self._engine.quit()


def _info(words: list[str]) -> dict[str, int]:
    found = {}
    for name, value in itertools.pairwise(words):
        if name in ("depth", "nodes", "cp", "mate") and value.lstrip("-").isdecimal():
            found[f"score_{name}" if name in ("cp", "mate") else name] = int(value)
    return found


def _options(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(";") if part.strip()]
    if not all(equals and name.strip() for name, equals, _ in pairs):
        raise ValueError(
            f"bot 'uci', parameter 'options': expected name=value, separated by semicolons, found {text!r}"
        )
    return {name.strip(): value.strip() for name, _, value in pairs}


def _engine(bot: str, command: str, answer_seconds: float) -> EngineProcess:
    if not answer_seconds > 0:
        raise ValueError(
            f"bot {bot!r}, parameter 'answer_seconds': expected more than 0, found {answer_seconds:g}"
        )
    return EngineProcess(bot, command, answer_seconds)


@register_bot("uci", summary="chess only: an engine that speaks UCI, e.g. uci(command=stockfish)")
def _uci(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    command: str,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    options: str = "",
    answer_seconds: float = 60.0,
) -> pyspiel.Bot:
    """See `UciBot`.

    Args:
      game: chess by the usual rules.
      player_id, seed: not used; an engine that has a seed takes it as an option.
      command: program and arguments.
      nodes, depth, movetime: at most one limit per move; movetime is in milliseconds and cannot be
        repeated exactly. 10,000 nodes where none is given.
      options: values of the engine's options, such as `Skill Level=3;Hash=16`.
      answer_seconds: most seconds for an answer; one that takes longer is a forfeit.
    """
    del player_id, seed
    if game.get_type().short_name != "chess" or game.get_parameters().get("chess960"):
        raise ValueError(
            f"bot 'uci' plays chess by the usual rules only, found {name_of(game)}; choose another bot, e.g. mcts"
        )
    limits = {
        name: value
        for name, value in (("nodes", nodes), ("depth", depth), ("movetime", movetime))
        if value is not None
    }
    if len(limits) > 1 or any(value < 1 for value in limits.values()):
        raise ValueError(
            f"bot 'uci': expected at most one of nodes, depth and movetime, at least 1, found {limits}"
        )
    [(name, value)] = (limits or {"nodes": 10_000}).items()
    parsed = _options(options)
    engine = _engine("uci", command, answer_seconds)
    try:
        return UciBot(engine, f"{name} {value}", parsed)
    except Forfeit as forfeit:
        engine.quit()
        raise ValueError(f"{forfeit.reason}, expected it to speak UCI: {command}") from forfeit


_VERTEX = re.compile(r"[a-z0-9]+")


class GtpBot(pyspiel.Bot):
    """A program that speaks the Go Text Protocol, version 2 (Farneback 2002).

    Args:
      engine: the running program.
      game: one for two players, whose moves have names that end with a GTP vertex: `a1`, `B a1`, `B PASS`.
      player_id: its seat; the first one plays black.
    """

    def __init__(self, engine: EngineProcess, game: pyspiel.Game, player_id: int):
        super().__init__()
        self._engine = engine
        self._game = game
        self._player_id = player_id
        self._ask("name")

    def _ask(self, command: str) -> str:
        self._engine.send(command)
        lines: list[str] = []
        while True:
            line = self._engine.read_line()
            if line:
                lines.append(line)
            elif lines:
                break
        answer = "\n".join(lines)
        if not answer.startswith("="):
            raise Forfeit("crash", f"the engine answered {answer!r} to {command!r}")
        return answer[1:].strip()

    def restart(self) -> None:
        parameters = self._game.get_parameters()
        if "board_size" in parameters:
            self._ask(f"boardsize {parameters['board_size']}")
        self._ask("clear_board")
        if "komi" in parameters:
            self._ask(f"komi {parameters['komi']}")

    def restart_at(self, state: pyspiel.State) -> None:
        self.restart()
        past = self._game.new_initial_state()
        for move in state.full_history():
            self.inform_action(past, move.player, move.action)
            past.apply_action(move.action)

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        self._ask(f"play {'bw'[player_id]} {_vertex(state, player_id, action)}")

    def step(self, state: pyspiel.State) -> int:
        answer = self._ask(f"genmove {'bw'[self._player_id]}").lower()
        if answer == "resign":
            raise Forfeit("illegal", "the engine resigned")
        by_vertex = {_vertex(state, self._player_id, action): action for action in state.legal_actions()}
        if answer not in by_vertex:
            raise Forfeit(
                "illegal",
                f"the engine answered {answer!r}, expected a legal move such as {next(iter(by_vertex))}",
            )
        return by_vertex[answer]

    def close(self) -> None:
        self._engine.quit()


def _vertex(state: pyspiel.State, player_id: int, action: int) -> str:
    return state.action_to_string(player_id, action).split()[-1].lower()


@register_bot(
    "gtp",
    summary="a program that speaks the Go Text Protocol, for go, hex and other board "
    "games, e.g. gtp(command=gnugo --mode gtp)",
)
def _gtp(
    game: pyspiel.Game, player_id: int, seed: int, *, command: str, answer_seconds: float = 60.0
) -> pyspiel.Bot:
    """See `GtpBot`; an answer that takes longer than `answer_seconds` is a forfeit. An engine that has a
    seed takes it as an argument."""
    del seed
    game_type = game.get_type()
    if (
        game.num_players() != 2
        or game_type.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL
        or game_type.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
        or game_type.information != pyspiel.GameType.Information.PERFECT_INFORMATION
    ):
        raise ValueError(
            f"bot 'gtp' plays board games of two players without chance and secrets, and "
            f"{name_of(game)} is none; choose another bot, e.g. random"
        )
    if game.get_parameters().get("handicap"):
        raise ValueError(f"bot 'gtp' knows no handicap, found {name_of(game)}; use handicap=0")
    state = game.new_initial_state()
    vertices = [_vertex(state, state.current_player(), action) for action in state.legal_actions()]
    if len(set(vertices)) < len(vertices) or not all(_VERTEX.fullmatch(name) for name in vertices):
        raise ValueError(
            f"bot 'gtp' needs moves whose names end with a vertex such as a1, and those of "
            f"{name_of(game)} do not, e.g. {state.action_to_string(state.legal_actions()[0])!r}"
        )
    engine = _engine("gtp", command, answer_seconds)
    try:
        return GtpBot(engine, game, player_id)
    except Forfeit as forfeit:
        engine.quit()
        raise ValueError(f"{forfeit.reason}, expected it to speak GTP: {command}") from forfeit
