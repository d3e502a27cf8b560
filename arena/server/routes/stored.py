"""The addresses of databases: their standings as they change, and the matches in them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.registry.written import MOST_CHARACTERS
from arena.server.routes import catalogue
from arena.server.routes.house import House
from arena.server.routes.reading import body, check_specs, field, house_of, texts, whole_number
from arena.server.routes.streams import stream
from arena.server.tables import Refused
from arena.store.database import Database

_PAGE_OF_MATCHES = 100


async def _watch_events(request: Request) -> Response:
    house = house_of(request)
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

    return stream(house, events, watch.listen, watch.forget)


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
    path = house_of(request).database(request.path_params["database"])
    before = request.query_params.get("before")
    return JSONResponse(
        await asyncio.to_thread(_matches, path, None if before is None else whole_number(before))
    )


def _match(request: Request) -> tuple[str, int]:
    path = house_of(request).database(request.path_params["database"])
    if not path.exists():
        raise HTTPException(404, "no match has been stored here yet")
    return str(path), request.path_params["number"]


async def _stored(request: Request) -> Response:
    text = await house_of(request).ask(catalogue.match_told, *_match(request))
    return Response(text, media_type="application/json")


async def _stored_heads(request: Request) -> Response:
    house = house_of(request)
    path, number = _match(request)
    task = await house.ask(catalogue.match_task, path, number)
    found = await asyncio.to_thread(house.heads.of, (path, number), task)
    return JSONResponse(found)


async def _stored_page(request: Request) -> Response:
    text = await house_of(request).ask(catalogue.report_page, *_match(request))
    return download(text.encode(), "text/html; charset=utf-8", f"match-{request.path_params['number']}.html")


async def _stored_gif(request: Request) -> Response:
    content = await house_of(request).ask(catalogue.match_gif, *_match(request))
    return download(content, "image/gif", f"match-{request.path_params['number']}.gif")


async def _report(request: Request) -> Response:
    path = house_of(request).database(request.path_params["database"])
    text = await house_of(request).ask(catalogue.report_page, str(path))
    return download(text.encode(), "text/html; charset=utf-8", "report.html")


def download(content: bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


async def _continue(request: Request) -> Response:
    house, value = house_of(request), await body(request)
    path, number = _match(request)
    task = await house.ask(catalogue.match_task, path, number)
    if task["opening_length"]:
        raise Refused("a match with a random opening cannot be taken up by other players")
    count, seats = field(value, "moves", int), texts(value, "seats")
    await check_specs(house, seats)
    if len(seats) != len(task["seats"]) or not 0 <= count <= len(task["recorded"]):
        raise Refused("expected as many players and at most as many moves as the match had")
    edited = _edited(house, value, len(seats))
    if edited:
        try:
            seats = await house.ask(
                catalogue.with_texts, str(house.tables.texts), task["game"], tuple(seats), edited
            )
        except ValueError as error:
            raise Refused(str(error)) from error
    table = await asyncio.to_thread(
        house.tables.add, task["game"], seats, seed=task["seed"], recorded=task["recorded"][:count]
    )
    return JSONResponse({"id": table.id, "keys": table.keys}, status_code=201)


def _edited(house: House, value: Mapping[str, Any], seats: int) -> dict[int, str]:
    """The texts that players get, by seat.

    Raises:
      Refused: they are no texts of seats, or too long; or others than the owner can reach the server.
    """
    found = field(value, "texts", dict, {})
    if found and house.permissions.remote:
        raise Refused("a player's text is edited on the owner's machine only")
    texts = {whole_number(seat): text for seat, text in found.items()}
    for seat, text in texts.items():
        if seat >= seats or not isinstance(text, str) or len(text) > MOST_CHARACTERS:
            raise Refused(f"texts: expected a text of at most {MOST_CHARACTERS:,} characters for a seat")
    return texts


async def _player_text(request: Request) -> Response:
    house = house_of(request)
    if house.permissions.remote:
        raise HTTPException(403, "a player's text is edited on the owner's machine only")
    try:
        found = await house.ask(catalogue.player_text, *_match(request), request.path_params["seat"])
    except ValueError as error:
        raise Refused(str(error)) from error
    return JSONResponse(found)


GET = {
    "/api/watch/{database}/events": _watch_events,
    "/api/watch/{database}/report": _report,
    "/api/watch/{database}/matches": _match_list,
    "/api/watch/{database}/matches/{number:int}": _stored,
    "/api/watch/{database}/matches/{number:int}/heads": _stored_heads,
    "/api/watch/{database}/matches/{number:int}/texts/{seat:int}": _player_text,
    "/api/watch/{database}/matches/{number:int}/page": _stored_page,
    "/api/watch/{database}/matches/{number:int}/gif": _stored_gif,
}
POST = {"/api/watch/{database}/matches/{number:int}/continue": _continue}
