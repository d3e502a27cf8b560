"""What is taken from a request, checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request

from arena.server.permissions import MOST_SEATS
from arena.server.routes import catalogue
from arena.server.routes.house import House
from arena.server.tables import Refused


def house_of(request: Request) -> House:
    return request.app.state.house


async def body(request: Request) -> dict[str, Any]:
    try:
        value = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Refused("expected JSON") from None
    if not isinstance(value, dict):
        raise Refused("expected a JSON object")
    return value


def field(value: Mapping[str, Any], name: str, kind: type, default: Any = ...) -> Any:
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


def texts(value: Mapping[str, Any], name: str) -> list[str]:
    found = field(value, name, list)
    if not all(isinstance(one, str) for one in found) or not 1 <= len(found) <= MOST_SEATS:
        raise Refused(f"{name}: expected 1 to {MOST_SEATS} texts")
    return found


def whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise Refused(f"expected a whole number, found {text[:40]!r}")
    return int(text)


async def check_specs(house: House, specs: Sequence[str]) -> None:
    known = {bot["name"]: bot for bot in await house.once("bots", catalogue.bots_told)}
    shipped: dict[str, set[str]] = {}
    for bot in known.values():
        for parameter in bot["parameters"]:
            shipped.setdefault(parameter["name"], set()).update(parameter.get("choices", ()))
    for spec in specs:
        house.permissions.check_bot(spec, known, shipped)
