"""The addresses of tournaments and leagues."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.server import started
from arena.server.routes.reading import body, check_specs, field, house_of, texts
from arena.server.tables import Refused


async def _new_run(request: Request) -> Response:
    house, value = house_of(request), await body(request)
    if field(value, "kind", str, "tournament") == "league":
        run = await asyncio.to_thread(house.runs.add, started.league(house.league))
        return JSONResponse({"id": run.id}, status_code=201)
    game, bots = field(value, "game", str), texts(value, "bots")
    house.permissions.check_game(game)
    await check_specs(house, bots)
    num_games, seed = field(value, "num_games", int, None), field(value, "seed", int, 0)
    plies = field(value, "opening_plies", int, 0)
    if num_games is not None and not 1 <= num_games <= 10**6:
        raise Refused(f"num_games: expected 1 to 1,000,000, found {num_games}")
    if not 0 <= seed < 2**31 or not 0 <= plies < 1000:
        raise Refused("seed, opening_plies: expected 0 or more")
    asked = started.tournament(game, bots, num_games=num_games, seed=seed, opening_plies=plies)
    run = await asyncio.to_thread(house.runs.add, asked)
    return JSONResponse({"id": run.id}, status_code=201)


async def _stop_run(request: Request) -> Response:
    await asyncio.to_thread(house_of(request).runs.find(request.path_params["run"]).stop)
    return JSONResponse({})


async def _resume_run(request: Request) -> Response:
    await asyncio.to_thread(house_of(request).runs.find(request.path_params["run"]).resume)
    return JSONResponse({})


POST = {"/api/runs": _new_run, "/api/runs/{run}/stop": _stop_run, "/api/runs/{run}/resume": _resume_run}
