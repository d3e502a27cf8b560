"""The addresses of the tables at which matches are played."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.registry.specs import parse_spec
from arena.server.publishing import Audience
from arena.server.routes import catalogue
from arena.server.routes.reading import body, check_specs, field, house_of, texts, whole_number
from arena.server.routes.streams import soon, stream
from arena.server.tables import LEFT, OVER, VOID, Refused, Table


def _table(request: Request) -> Table:
    return house_of(request).tables.find(request.path_params["table"])


def _audience(request: Request, table: Table) -> Audience:
    return table.audience(request.headers.get("x-key"))


async def _new_table(request: Request) -> Response:
    house, value = house_of(request), await body(request)
    game, seats = field(value, "game", str), texts(value, "seats")
    house.permissions.check_game(game)
    await check_specs(house, seats)
    seed = field(value, "seed", int, None)
    if seed is not None and any(parse_spec(spec).name == "human" for spec in seats):
        raise Refused("seed: a person who knows the seed knows the cards, so it is drawn where people play")
    if seed is not None and not 0 <= seed < 2**63:
        raise Refused(f"seed: expected 0 to 2**63 - 1, found {seed}")
    told = await house.once(f"game {game}", catalogue.game_told, game)
    if told["players"] != len(seats):
        raise Refused(f"{game} has {told['players']} seats, found {len(seats)} players")
    pace = min(max(float(field(value, "pace", float, 0.0)), 0.0), 10.0)
    table = await asyncio.to_thread(house.tables.add, game, seats, seed=seed, pace=pace)
    return JSONResponse({"id": table.id, "keys": table.keys}, status_code=201)


async def _told_table(request: Request) -> Response:
    table = _table(request)
    audience = _audience(request, table)
    await asyncio.to_thread(table.start)
    return JSONResponse({**table.told(), "seat": audience if isinstance(audience, int) else None})


async def _move(request: Request) -> Response:
    table, value = _table(request), await body(request)
    table.play(_seat(request, table), field(value, "number", int), field(value, "name", str))
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
    house, table = house_of(request), _table(request)
    audience = _audience(request, table)
    start = whole_number(request.query_params.get("from", "0"))
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
            if not await soon(news):
                yield ": alive\n\n"

    return stream(house, events, table.listen, table.forget)


GET = {
    "/api/tables/{table}": _told_table,
    "/api/tables/{table}/events": _table_events,
    "/api/tables/{table}/heads/{number:int}": _table_head,
}
POST = {
    "/api/tables": _new_table,
    "/api/tables/{table}/move": _move,
    "/api/tables/{table}/resign": _resign,
    "/api/tables/{table}/leave": _leave,
}
