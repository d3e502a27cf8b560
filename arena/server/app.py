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
import contextlib
import functools
import importlib.resources
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.server.routes import at_tables, catalogue, catalogued, running, stored
from arena.server.routes.house import House
from arena.server.tables import Refused

_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
}


def _files() -> dict[str, tuple[bytes, str]]:
    """The files of the page by name, read once: no address ever becomes the path of a file."""
    found = {}
    for package, folder in (("arena.page", "templates"), ("arena.server", "static")):
        for entry in importlib.resources.files(package).joinpath(folder).iterdir():
            ending = Path(entry.name).suffix
            if ending in _KINDS:
                found[entry.name] = entry.read_bytes(), _KINDS[ending]
    return found


async def _page(request: Request) -> Response:
    content, kind = request.app.state.files["index.html"]
    return Response(content, media_type=kind, headers={"cache-control": "no-cache"})


async def _static(request: Request) -> Response:
    found = request.app.state.files.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404, "there is no such file")
    return Response(found[0], media_type=found[1], headers={"cache-control": "no-cache"})


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


_PAGES = ("/", "/play", "/games", "/table/{table}", "/watch/{database}", "/match/{database}/{number:int}")
_GET = {
    **dict.fromkeys(_PAGES, _page),
    "/static/{name}": _static,
    **catalogued.GET,
    **at_tables.GET,
    **stored.GET,
}
_POST = {**at_tables.POST, **stored.POST, **running.POST}


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
