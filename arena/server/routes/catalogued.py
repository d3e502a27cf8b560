"""The addresses that say what there is: games, bots, tables, runs and databases."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.server.routes import catalogue
from arena.server.routes.reading import house_of


async def _home(request: Request) -> Response:
    house = house_of(request)
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
    return JSONResponse(await house_of(request).once("bots", catalogue.bots_told))


async def _games(request: Request) -> Response:
    return JSONResponse(await house_of(request).once("games", catalogue.games_told))


async def _featured(request: Request) -> Response:
    return JSONResponse(await house_of(request).once("featured", catalogue.featured_told))


async def _game(request: Request) -> Response:
    house, name = house_of(request), request.query_params.get("name", "")
    house.permissions.check_game(name)
    return JSONResponse(await house.once(f"game {name}", catalogue.game_told, name))


async def _fits(request: Request) -> Response:
    house, game = house_of(request), request.query_params.get("game", "")
    house.permissions.check_game(game)
    bots = await house.once("bots", catalogue.bots_told)
    names = tuple(bot["name"] for bot in bots if not any(one["required"] for one in bot["parameters"]))
    return JSONResponse(await house.once(f"fits {game}", catalogue.fits, game, names))


GET = {
    "/api/home": _home,
    "/api/bots": _bots,
    "/api/games": _games,
    "/api/featured": _featured,
    "/api/game": _game,
    "/api/fits": _fits,
}
