"""Responses of server-sent events."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse

from arena.server.routes.house import House

ALIVE_SECONDS = 15.0
"""Seconds after which a stream with no news says that it is alive."""
_MOST_STREAMS = 400


async def soon(news: asyncio.Event) -> bool:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(news.wait(), ALIVE_SECONDS)
    return news.is_set()


def stream(
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
