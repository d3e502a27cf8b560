"""The addresses of the server: pages, and below /api/ what they show, as JSON.

    GET  /api/home                                 tables, runs, databases
    GET  /api/bots, /api/games, /api/featured      what there is
    GET  /api/game?name=, /api/fits?game=          one game, and which bots play it
    POST /api/tables                               {game, seats, seed, pace}: a table, and the keys of its seats
    GET  /api/tables/ID, .../events, .../heads/N   the table, its frames as they come, what a bot had to say
    POST /api/tables/ID/move, /resign, /leave      {number, name}
    GET  /api/watch/ID, .../events, .../matches    a database, its standings as they change, its matches
    GET  /api/watch/ID/report, .../matches/N[/heads|/page|/gif]
    POST /api/watch/ID/matches/N/continue          {moves, seats}: a table that goes on from there
    POST /api/runs, /api/runs/ID/stop, .../resume  tournaments and leagues

A seat's key travels in the header `X-Key`, never in an address.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import importlib.resources
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from arena.registry.specs import parse_spec
from arena.server import catalogue, started
from arena.server.heads import Heads
from arena.server.permissions import MOST_SEATS, Permissions
from arena.server.publishing import Audience
from arena.server.tables import LEFT, OVER, PLAYING, VOID, Refused, Table, Tables
from arena.server.watching import Watch
from arena.store.database import Database
from runs.worker_pool import WorkerPool

PLAYED = "played"
"""The database of the matches that were played at tables."""
ALIVE_SECONDS = 15.0
"""Seconds after which a stream with no news says that it is alive."""
_MOST_STREAMS = 400
_PAGE_OF_MATCHES = 100
_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass
class House:
    """All that a server holds.

    Attributes:
      tables, runs: what is played.
      permissions: what visitors may name.
      databases: further databases to look at, by id.
      prepares: whether what the first page shows is found when the server starts, and not when it is asked for.
      league: configuration of the league that can be started; None for the one that ships.
    """

    tables: Tables
    runs: started.Runs
    permissions: Permissions
    databases: Mapping[str, Path]
    league: str | None = None
    pool: concurrent.futures.Executor = field(default_factory=lambda: WorkerPool(2))
    prepares: bool = True
    heads: Heads = field(default_factory=Heads)
    watches: dict[Path, Watch] = field(default_factory=dict)
    told: dict[str, asyncio.Future] = field(default_factory=dict)
    streams: int = 0

    async def ask(self, fn: Callable[..., Any], *arguments: object) -> Any:
        """The result of a function that runs in a process beside."""
        return await asyncio.wrap_future(self.pool.submit(fn, *arguments))

    async def once(self, name: str, fn: Callable[..., Any], *arguments: object) -> Any:
        """As `ask`, but a result that does not change is kept."""
        if name not in self.told or (self.told[name].done() and self.told[name].exception()):
            if len(self.told) > 200:
                self.told.clear()
            self.told[name] = asyncio.ensure_future(self.ask(fn, *arguments))
        return await asyncio.shield(self.told[name])

    def database(self, number: str) -> Path:
        """The file of a database by its id.

        Raises:
          KeyError: there is none.
        """
        if number == PLAYED:
            return self.tables.database
        if number in self.databases:
            return self.databases[number]
        return self.runs.find(number).database

    def watch(self, number: str) -> Watch:
        path = self.database(number)
        return self.watches.setdefault(path, Watch(path))

    def close(self) -> None:
        self.heads.close()
        self.tables.close()
        self.pool.shutdown(wait=False, cancel_futures=True)


def _files() -> dict[str, tuple[bytes, str]]:
    """The files of the page by name, read once: no address ever becomes the path of a file."""
    found = {}
    for package, folder in (("arena.page", "templates"), ("arena.server", "static")):
        for entry in importlib.resources.files(package).joinpath(folder).iterdir():
            ending = Path(entry.name).suffix
            if ending in _KINDS:
                found[entry.name] = entry.read_bytes(), _KINDS[ending]
    return found


def _house(request: Request) -> House:
    return request.app.state.house


async def _body(request: Request) -> dict[str, Any]:
    try:
        value = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Refused("expected JSON") from None
    if not isinstance(value, dict):
        raise Refused("expected a JSON object")
    return value


def _field(value: Mapping[str, Any], name: str, kind: type, default: Any = ...) -> Any:
    """A field of a request, checked.

    Raises:
      Refused: it is missing, or of another type.
    """
    found = value.get(name, default)
    if found is ...:
        raise Refused(f"{name}: expected {kind.__name__}, found nothing")
    fits = isinstance(found, kind) and not (kind in (int, float) and isinstance(found, bool))
    if found is not default and not (fits or (kind is float and isinstance(found, int))):
        raise Refused(f"{name}: expected {kind.__name__}, found {found!r:.60}")
    return found


def _texts(value: Mapping[str, Any], name: str) -> list[str]:
    found = _field(value, name, list)
    if not all(isinstance(one, str) for one in found) or not 1 <= len(found) <= MOST_SEATS:
        raise Refused(f"{name}: expected 1 to {MOST_SEATS} texts")
    return found


# Pages and files.


async def _page(request: Request) -> Response:
    content, kind = request.app.state.files["index.html"]
    return Response(content, media_type=kind, headers={"cache-control": "no-cache"})


async def _static(request: Request) -> Response:
    found = request.app.state.files.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404, "there is no such file")
    return Response(found[0], media_type=found[1], headers={"cache-control": "no-cache"})


# What there is.


async def _home(request: Request) -> Response:
    house = _house(request)
    return JSONResponse(
        {
            "tables": [table.told() for table in house.tables.all()[:100]],
            "runs": [run.told() for run in house.runs.all()],
            "databases": [{"id": number, "name": path.name} for number, path in house.databases.items()],
            "played": house.tables.database.exists(),
            "remote": house.permissions.remote,
            "offered": list(house.permissions.offered),
        }
    )


async def _bots(request: Request) -> Response:
    return JSONResponse(await _house(request).once("bots", catalogue.bots_told))


async def _games(request: Request) -> Response:
    return JSONResponse(await _house(request).once("games", catalogue.games_told))


async def _featured(request: Request) -> Response:
    return JSONResponse(await _house(request).once("featured", catalogue.featured_told))


async def _game(request: Request) -> Response:
    house, name = _house(request), request.query_params.get("name", "")
    house.permissions.check_game(name)
    return JSONResponse(await house.once(f"game {name}", catalogue.game_told, name))


async def _fits(request: Request) -> Response:
    house, game = _house(request), request.query_params.get("game", "")
    house.permissions.check_game(game)
    bots = await house.once("bots", catalogue.bots_told)
    names = tuple(bot["name"] for bot in bots if not any(one["required"] for one in bot["parameters"]))
    return JSONResponse(await house.once(f"fits {game}", catalogue.fits, game, names))


async def _check_specs(house: House, specs: Sequence[str]) -> None:
    known = {bot["name"]: bot for bot in await house.once("bots", catalogue.bots_told)}
    shipped: dict[str, set[str]] = {}
    for bot in known.values():
        for parameter in bot["parameters"]:
            shipped.setdefault(parameter["name"], set()).update(parameter.get("choices", ()))
    for spec in specs:
        house.permissions.check_bot(spec, known, shipped)


# Tables.


def _table(request: Request) -> Table:
    return _house(request).tables.find(request.path_params["table"])


def _audience(request: Request, table: Table) -> Audience:
    return table.audience(request.headers.get("x-key"))


async def _new_table(request: Request) -> Response:
    house, value = _house(request), await _body(request)
    game, seats = _field(value, "game", str), _texts(value, "seats")
    house.permissions.check_game(game)
    await _check_specs(house, seats)
    seed = _field(value, "seed", int, None)
    if seed is not None and any(parse_spec(spec).name == "human" for spec in seats):
        raise Refused("seed: a person who knows the seed knows the cards, so it is drawn where people play")
    if seed is not None and not 0 <= seed < 2**63:
        raise Refused(f"seed: expected 0 to 2**63 - 1, found {seed}")
    told = await house.once(f"game {game}", catalogue.game_told, game)
    if told["players"] != len(seats):
        raise Refused(f"{game} has {told['players']} seats, found {len(seats)} players")
    pace = min(max(float(_field(value, "pace", float, 0.0)), 0.0), 10.0)
    table = await asyncio.to_thread(house.tables.add, game, seats, seed=seed, pace=pace)
    return JSONResponse({"id": table.id, "keys": table.keys}, status_code=201)


async def _told_table(request: Request) -> Response:
    table = _table(request)
    audience = _audience(request, table)
    await asyncio.to_thread(table.start)
    return JSONResponse({**table.told(), "seat": audience if isinstance(audience, int) else None})


async def _move(request: Request) -> Response:
    table, value = _table(request), await _body(request)
    table.play(_seat(request, table), _field(value, "number", int), _field(value, "name", str))
    return JSONResponse({})


def _seat(request: Request, table: Table) -> int:
    audience = _audience(request, table)
    if not isinstance(audience, int):
        raise HTTPException(403, "this needs the key of a seat")
    return audience


async def _resign(request: Request) -> Response:
    table = _table(request)
    table.resign(_seat(request, table))
    return JSONResponse({})


async def _leave(request: Request) -> Response:
    table = _table(request)
    if table.keys:
        _seat(request, table)  # where people sit, only they may end the match
    await asyncio.to_thread(table.leave)
    return JSONResponse({})


async def _table_head(request: Request) -> Response:
    table = _table(request)
    number = request.path_params["number"]
    audience = _audience(request, table)
    newest = table.now(audience)[1]
    if table.state != OVER and "made" not in newest:
        raise HTTPException(403, "what others think is shown when the match is over")
    return JSONResponse(table.heads.get(number, []))


async def _table_events(request: Request) -> Response:
    house, table = _house(request), _table(request)
    audience = _audience(request, table)
    start = _number(request.query_params.get("from", "0"))
    await asyncio.to_thread(table.start)

    async def events(news: asyncio.Event) -> AsyncIterator[str]:
        number = start
        while True:
            news.clear()
            state = table.state
            first, frames = table.frames(audience, number)
            for place, frame in enumerate(frames):
                yield f"id: {first + place}\nevent: frame\ndata: {frame}\n\n"
            number = first + len(frames)
            if state in (OVER, VOID, LEFT):
                yield f"event: end\ndata: {json.dumps(table.told())}\n\n"
                return
            if not await _soon(news):
                yield ": alive\n\n"

    return _stream(house, events, table.listen, table.forget)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise Refused(f"expected a whole number, found {text[:40]!r}")
    return int(text)


async def _soon(news: asyncio.Event) -> bool:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(news.wait(), ALIVE_SECONDS)
    return news.is_set()


def _stream(
    house: House,
    events: Callable[[asyncio.Event], AsyncIterator[str | bytes]],
    listen: Callable[[Callable[[], None]], None],
    forget: Callable[[Callable[[], None]], None],
) -> Response:
    """A response of server-sent events, which ends with its reader."""
    if house.streams >= _MOST_STREAMS:
        raise HTTPException(503, f"{_MOST_STREAMS} streams are open, which is the most")
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has been closed
            loop.call_soon_threadsafe(news.set)

    async def told() -> AsyncIterator[str | bytes]:
        house.streams += 1
        listen(tell)
        try:
            async for event in events(news):
                yield event
        finally:
            forget(tell)
            house.streams -= 1

    return StreamingResponse(told(), media_type="text/event-stream", headers={"cache-control": "no-store"})


# Databases.


async def _watch_events(request: Request) -> Response:
    house = _house(request)
    number = request.path_params["database"]
    watch = house.watch(number)

    async def events(news: asyncio.Event) -> AsyncIterator[str | bytes]:
        seen = 0
        running = None
        while True:
            news.clear()
            newest, text = watch.news()
            if newest > seen:
                seen = newest
                yield b"event: standings\ndata: " + text + b"\n\n"
            now = _run_told(house, number)
            if now != running:
                running = now
                yield f"event: run\ndata: {json.dumps(now)}\n\n"
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), 2.0)
            if not news.is_set():
                yield ": alive\n\n"

    return _stream(house, events, watch.listen, watch.forget)


def _run_told(house: House, number: str) -> dict[str, object] | None:
    try:
        return house.runs.find(number).told()
    except KeyError:
        return None


def _opened(path: Path) -> Database:
    if not path.exists():
        raise HTTPException(404, "no match has been stored here yet")
    return Database(path, must_exist=True)


def _matches(path: Path, before: int | None) -> list[dict[str, object]]:
    with _opened(path) as database:
        ids = [number for number in database.match_ids() if before is None or number < before]
        found = []
        for number in reversed(ids[-_PAGE_OF_MATCHES:]):
            record = database.match(number)
            found.append(
                {
                    "id": number,
                    "game": record.game,
                    "seats": list(record.seats),
                    "returns": list(record.returns),
                    "forfeit": record.forfeit and record.forfeit.player,
                    "moves": len(record.moves),
                    "ended": record.ended,
                }
            )
    return found


async def _match_list(request: Request) -> Response:
    path = _house(request).database(request.path_params["database"])
    before = request.query_params.get("before")
    return JSONResponse(await asyncio.to_thread(_matches, path, None if before is None else _number(before)))


def _match(request: Request) -> tuple[str, int]:
    path = _house(request).database(request.path_params["database"])
    if not path.exists():
        raise HTTPException(404, "no match has been stored here yet")
    return str(path), request.path_params["number"]


async def _stored(request: Request) -> Response:
    text = await _house(request).ask(catalogue.match_told, *_match(request))
    return Response(text, media_type="application/json")


async def _stored_heads(request: Request) -> Response:
    house = _house(request)
    path, number = _match(request)
    task = await house.ask(catalogue.match_task, path, number)
    found = await asyncio.to_thread(house.heads.of, (path, number), task)
    return JSONResponse(found)


async def _stored_page(request: Request) -> Response:
    text = await _house(request).ask(catalogue.report_page, *_match(request))
    return _download(text.encode(), "text/html; charset=utf-8", f"match-{request.path_params['number']}.html")


async def _stored_gif(request: Request) -> Response:
    content = await _house(request).ask(catalogue.match_gif, *_match(request))
    return _download(content, "image/gif", f"match-{request.path_params['number']}.gif")


async def _report(request: Request) -> Response:
    path = _house(request).database(request.path_params["database"])
    text = await _house(request).ask(catalogue.report_page, str(path))
    return _download(text.encode(), "text/html; charset=utf-8", "report.html")


def _download(content: bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


async def _continue(request: Request) -> Response:
    house, value = _house(request), await _body(request)
    path, number = _match(request)
    task = await house.ask(catalogue.match_task, path, number)
    if task["opening_length"]:
        raise Refused("a match with a random opening cannot be taken up by other players")
    count, seats = _field(value, "moves", int), _texts(value, "seats")
    await _check_specs(house, seats)
    if len(seats) != len(task["seats"]) or not 0 <= count <= len(task["recorded"]):
        raise Refused("expected as many players and at most as many moves as the match had")
    table = await asyncio.to_thread(
        house.tables.add, task["game"], seats, seed=task["seed"], recorded=task["recorded"][:count]
    )
    return JSONResponse({"id": table.id, "keys": table.keys}, status_code=201)


# Runs.


async def _new_run(request: Request) -> Response:
    house, value = _house(request), await _body(request)
    if _field(value, "kind", str, "tournament") == "league":
        run = await asyncio.to_thread(house.runs.add, started.league(house.league))
        return JSONResponse({"id": run.id}, status_code=201)
    game, bots = _field(value, "game", str), _texts(value, "bots")
    house.permissions.check_game(game)
    await _check_specs(house, bots)
    num_games, seed = _field(value, "num_games", int, None), _field(value, "seed", int, 0)
    plies = _field(value, "opening_plies", int, 0)
    if num_games is not None and not 1 <= num_games <= 10**6:
        raise Refused(f"num_games: expected 1 to 1,000,000, found {num_games}")
    if not 0 <= seed < 2**31 or not 0 <= plies < 1000:
        raise Refused("seed, opening_plies: expected 0 or more")
    asked = started.tournament(game, bots, num_games=num_games, seed=seed, opening_plies=plies)
    run = await asyncio.to_thread(house.runs.add, asked)
    return JSONResponse({"id": run.id}, status_code=201)


async def _stop_run(request: Request) -> Response:
    await asyncio.to_thread(_house(request).runs.find(request.path_params["run"]).stop)
    return JSONResponse({})


async def _resume_run(request: Request) -> Response:
    await asyncio.to_thread(_house(request).runs.find(request.path_params["run"]).resume)
    return JSONResponse({})


Endpoint = Callable[[Request], Awaitable[Response]]


def _guarded(endpoint: Endpoint) -> Endpoint:
    """Turns what the library raises into an answer of one sentence."""

    @functools.wraps(endpoint)
    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except HTTPException as error:
            return JSONResponse({"error": error.detail}, error.status_code)
        except KeyError:
            return JSONResponse({"error": "there is no such thing here"}, 404)
        except Refused as error:
            return JSONResponse({"error": str(error)}, 409)
        except (ValueError, ImportError, OSError, ChildProcessError, sqlite3.Error) as error:
            return JSONResponse({"error": " ".join(str(error).split())[:500] or type(error).__name__}, 400)

    return answered


_GET = {
    "/": _page,
    "/play": _page,
    "/games": _page,
    "/table/{table}": _page,
    "/watch/{database}": _page,
    "/match/{database}/{number:int}": _page,
    "/static/{name}": _static,
    "/api/home": _home,
    "/api/bots": _bots,
    "/api/games": _games,
    "/api/featured": _featured,
    "/api/game": _game,
    "/api/fits": _fits,
    "/api/tables/{table}": _told_table,
    "/api/tables/{table}/events": _table_events,
    "/api/tables/{table}/heads/{number:int}": _table_head,
    "/api/watch/{database}/events": _watch_events,
    "/api/watch/{database}/report": _report,
    "/api/watch/{database}/matches": _match_list,
    "/api/watch/{database}/matches/{number:int}": _stored,
    "/api/watch/{database}/matches/{number:int}/heads": _stored_heads,
    "/api/watch/{database}/matches/{number:int}/page": _stored_page,
    "/api/watch/{database}/matches/{number:int}/gif": _stored_gif,
}
_POST = {
    "/api/tables": _new_table,
    "/api/tables/{table}/move": _move,
    "/api/tables/{table}/resign": _resign,
    "/api/tables/{table}/leave": _leave,
    "/api/watch/{database}/matches/{number:int}/continue": _continue,
    "/api/runs": _new_run,
    "/api/runs/{run}/stop": _stop_run,
    "/api/runs/{run}/resume": _resume_run,
}


def make_app(house: House) -> Starlette:
    """The application without its guard (`arena.server.guard`)."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        # The first visitor shall not wait for what takes seconds and never changes.
        wanted = (
            (("featured", catalogue.featured_told), ("bots", catalogue.bots_told)) if house.prepares else ()
        )
        for name, fn in wanted:
            asyncio.ensure_future(house.once(name, fn)).add_done_callback(lambda done: done.exception())
        yield
        house.close()

    routes = [Route(path, _guarded(endpoint), methods=["GET"]) for path, endpoint in _GET.items()]
    routes += [Route(path, _guarded(endpoint), methods=["POST"]) for path, endpoint in _POST.items()]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.add_middleware(GZipMiddleware, minimum_size=2000)
    app.state.house = house
    app.state.files = _files()
    return app


__all__ = ["PLAYED", "PLAYING", "House", "make_app"]
