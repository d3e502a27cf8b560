"""A table for programs: the tools by which an agent lists, plays and looks, over the Model Context Protocol.

The protocol is JSON-RPC 2.0, one message a line (https://modelcontextprotocol.io, revision 2025-06-18); what is spoken
here is what tools need of it. An agent sees of a match what its own seats may see, and the record when it is over.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from arena.matches.positions import transcript
from arena.registry.descriptions import all_bots, all_games
from arena.server.table_process import HUMAN
from arena.server.tables import OVER, PLAYING, Refused, Table, Tables
from arena.store.database import Database

PROTOCOLS = ("2025-06-18", "2025-03-26", "2024-11-05")
WAIT_SECONDS = 60.0
"""Most seconds that an answer waits for the other players."""
_YOU = "you"
_MOST_LISTED = 60
_MOST_MOVES = 400

_PARSE_ERROR, _INVALID_REQUEST, _NO_METHOD, _INVALID_PARAMS = -32700, -32600, -32601, -32602


def _schema(required: Iterable[str] = (), **properties: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


_TEXT = {"type": "string"}
_MATCH = {"match": {"type": "string", "description": "Id that start_match returned."}}
_SEAT = {"seat": {"type": "integer", "description": "One of your seats; needed where you hold several."}}

TOOLS = (
    (
        "list_games",
        "Lists games by name, with their numbers of players.",
        _schema(search={**_TEXT, "description": "A part of the name or title."}),
    ),
    (
        "list_bots",
        "Lists the bots to play against, with their parameters.",
        _schema(search={**_TEXT, "description": "A part of the name or summary."}),
    ),
    (
        "start_match",
        "Starts a match. Seats are named in order: `you` for a seat of yours, or a bot such as mcts(simulations=200).",
        _schema(
            ("game", "seats"),
            game={**_TEXT, "description": "Game string, such as connect_four or kuhn_poker(players=3)."},
            seats={"type": "array", "items": _TEXT, "description": "A player for each seat."},
        ),
    ),
    (
        "look",
        "Shows a match as your seat may see it, once it is your turn or over: position, moves since, legal moves.",
        _schema(("match",), **_MATCH, **_SEAT),
    ),
    (
        "legal_moves",
        "Lists your legal moves, those that hold `search` in their names.",
        _schema(("match",), **_MATCH, **_SEAT, search=_TEXT),
    ),
    (
        "play_move",
        "Plays a move by its name and shows the match when it is your turn again.",
        _schema(("match", "move"), **_MATCH, **_SEAT, move={**_TEXT, "description": "Name of a legal move."}),
    ),
    ("resign", "Gives a match up at your turn.", _schema(("match",), **_MATCH, **_SEAT)),
    ("record", "Shows all of a match that is over.", _schema(("match",), **_MATCH)),
)
"""Name, description and schema of the arguments of each tool."""


class Agent:
    """The tools for one agent.

    Args:
      folder: where its matches are kept, see `arena.server.tables.Tables`.
    """

    def __init__(self, folder: Path):
        self._tables = Tables(folder)
        self._told: dict[tuple[str, int], int] = {}

    def close(self) -> None:
        self._tables.close()

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The answer of a tool.

        Raises:
          ValueError: an argument is missing or wrong, or a wish cannot be granted.
          KeyError: there is no such tool.
        """
        [schema] = [schema for known, _, schema in TOOLS if known == name] or [None]
        if schema is None:
            raise KeyError(name)
        _check(arguments, schema)
        return getattr(self, f"_{name}")(**arguments)

    def _list_games(self, search: str = "") -> str:
        found = [
            f"{game['name']}: {game['title']}, {game['players'][0]} to {game['players'][1]} players"
            for game in all_games()
            if search.lower() in f"{game['name']} {game['title']}".lower()
        ]
        return _some(found, "games")

    def _list_bots(self, search: str = "") -> str:
        found = []
        for bot in all_bots():
            if bot["name"] == HUMAN or search.lower() not in f"{bot['name']} {bot['summary']}".lower():
                continue
            named = ", ".join(
                f"{one['name']}=<{one['type']}>" if one["required"] else f"{one['name']}={one['default']}"
                for one in bot["parameters"]
            )
            found.append(
                f"{bot['name']}({named}): {bot['summary']}" if named else f"{bot['name']}: {bot['summary']}"
            )
        return _some(found, "bots")

    def _start_match(self, game: str, seats: list[str]) -> str:
        table = self._tables.add(game, [HUMAN if seat == _YOU else seat for seat in seats])
        own = sorted(table.keys)
        if not own:
            self._wait(table, lambda: table.state != PLAYING)
            return self._told_end(table)
        return f"match {table.id}; you are player {' and '.join(map(str, own))}\n" + self._look(
            table.id, own[0]
        )

    def _table(self, match: str) -> Table:
        try:
            return self._tables.find(match)
        except KeyError:
            raise Refused(f"there is no match {match!r}; start_match returns ids") from None

    def _seat_of(self, table: Table, seat: int | None) -> int:
        if seat is None and len(table.keys) == 1:
            return next(iter(table.keys))
        if seat not in table.keys:
            raise Refused(f"seat: expected one of yours, {sorted(table.keys)}, found {seat}")
        return seat

    @staticmethod
    def _wait(table: Table, true: Callable[[], bool]) -> None:
        news = threading.Event()
        table.listen(news.set)
        try:
            if not true():
                news.wait(0)
            left = WAIT_SECONDS
            while not true() and left > 0:
                news.wait(0.05)
                news.clear()
                left -= 0.05
        finally:
            table.forget(news.set)

    def _look(self, match: str, seat: int | None = None) -> str:
        table = self._table(match)
        seat = self._seat_of(table, seat)
        table.start()
        self._wait(table, lambda: table.state != PLAYING or bool(_turns(table)))
        first = self._told.get((match, seat), 0)
        _, frames = table.frames(seat, first)
        self._told[match, seat] = first + len(frames)
        events = [event for frame in frames for event in json.loads(frame)["events"]]
        lines = [f"{_who(event['player'], seat)}: {event['name']}" for event in events]
        _, now = table.now(seat)
        parts = ["what happened:\n" + "\n".join(lines)] if lines else []
        if now:
            parts.append(f"position as player {seat} sees it:\n{now['text']}")
        if table.state != PLAYING:
            parts.append(self._told_end(table))
        elif now.get("legal"):
            parts.append(f"your turn; {_some(now['legal'], 'legal moves', _MOST_MOVES)}")
        elif _turns(table):
            parts.append(f"it is the turn of your player {' and '.join(map(str, _turns(table)))}")
        else:
            parts.append("the others have not moved yet; look again")
        return "\n\n".join(parts)

    def _told_end(self, table: Table) -> str:
        if table.state != OVER:
            return f"the match has no result: {table.reason or table.state}"
        with Database(self._tables.database, must_exist=True) as database:
            record = database.match(table.match)
        ending = f"player {record.forfeit.player} forfeits: {record.forfeit.reason}; " if record.forfeit else ""
        return f"the match is over: {ending}returns by player {list(record.returns)}"

    def _legal_moves(self, match: str, seat: int | None = None, search: str = "") -> str:
        table = self._table(match)
        legal = table.now(self._seat_of(table, seat))[1].get("legal", [])
        found = [name for name in legal if search.lower() in name.lower()]
        return _some(found, "legal moves", _MOST_MOVES)

    def _play_move(self, match: str, move: str, seat: int | None = None) -> str:
        table = self._table(match)
        seat = self._seat_of(table, seat)
        number, _ = table.now(seat)
        table.play(seat, number, move.strip())
        others = [own for own in table.keys if own != seat]
        self._wait(
            table,
            lambda: (
                table.state != PLAYING
                or table.now(seat)[0] > number
                or any(own in others for own in _turns(table))
            ),
        )
        return self._look(match, seat)

    def _resign(self, match: str, seat: int | None = None) -> str:
        table = self._table(match)
        table.resign(self._seat_of(table, seat))
        self._wait(table, lambda: table.state != PLAYING)
        return self._told_end(table)

    def _record(self, match: str) -> str:
        table = self._table(match)
        if table.state != OVER:
            raise Refused("the record is shown when the match is over")
        with Database(self._tables.database, must_exist=True) as database:
            return "\n".join(transcript(database.match(table.match)))


def _turns(table: Table) -> list[int]:
    """The seats of the agent that are to choose and have not done so."""
    return [seat for seat in sorted(table.keys) if table.turn(seat)]


def _who(player: int, seat: int) -> str:
    return "chance" if player < 0 else "you" if player == seat else f"player {player}"


def _some(found: list[str], what: str, most: int = _MOST_LISTED) -> str:
    more = [f"... and {len(found) - most} more; search for a part of the name"] if len(found) > most else []
    return "\n".join([f"{len(found)} {what}:", *found[:most], *more])


_KINDS = {"string": str, "integer": int, "array": list}


def _check(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    properties = schema["properties"]
    for name in schema["required"]:
        if name not in arguments:
            raise Refused(f"{name} is missing")
    for name, value in arguments.items():
        if name not in properties:
            raise Refused(f"{name}: no such argument; expected {', '.join(properties) or 'none'}")
        kind = _KINDS[properties[name]["type"]]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Refused(f"{name}: expected {properties[name]['type']}, found {value!r:.60}")
        if kind is list and not all(isinstance(one, str) for one in value):
            raise Refused(f"{name}: expected texts, found {value!r:.60}")


def answer(agent: Agent, line: str) -> dict[str, Any] | None:
    """The answer to one message, None where none is due.

    Args:
      agent: the tools.
      line: the message, JSON.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, _PARSE_ERROR, "expected JSON")
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return _error(None, _INVALID_REQUEST, "expected a JSON-RPC request with a method")
    number = message.get("id")
    if number is None:
        return None  # a notification
    parameters = message.get("params") or {}
    if not isinstance(parameters, dict):
        return _error(number, _INVALID_PARAMS, "params: expected an object")
    match message["method"]:
        case "initialize":
            wanted = parameters.get("protocolVersion")
            result: dict[str, Any] = {
                "protocolVersion": wanted if wanted in PROTOCOLS else PROTOCOLS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "spielwright", "version": "0.1.0"},
            }
        case "ping":
            result = {}
        case "tools/list":
            result = {
                "tools": [
                    {"name": name, "description": told, "inputSchema": schema} for name, told, schema in TOOLS
                ]
            }
        case "tools/call":
            arguments = parameters.get("arguments") or {}
            if not isinstance(arguments, dict):
                return _error(number, _INVALID_PARAMS, "arguments: expected an object")
            try:
                result = _content(agent.call(str(parameters.get("name")), arguments), False)
            except KeyError:
                return _error(number, _INVALID_PARAMS, f"unknown tool {parameters.get('name')!r:.80}")
            except (ValueError, OSError, ImportError) as error:
                result = _content(" ".join(str(error).split()), True)
        case unknown:
            return _error(number, _NO_METHOD, f"unknown method {unknown!r:.80}")
    return {"jsonrpc": "2.0", "id": number, "result": result}


def _content(text: str, wrong: bool) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": wrong}


def _error(number: object, code: int, sentence: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": sentence}}


def serve(agent: Agent, read: IO[str], write: IO[str]) -> None:
    """Answers messages, one a line, until there are no more."""
    for line in read:
        if not line.strip():
            continue
        made = answer(agent, line)
        if made is not None:
            write.write(json.dumps(made, ensure_ascii=False) + "\n")
            write.flush()
