"""Where handlers find the runs of the home: who looks after them, and the list of them."""

from collections.abc import AsyncIterator

from aiohttp import web

from filon.dispatch.dispatcher import Dispatcher
from filon.dispatch.shelf import Shelf

#: `request.app[DISPATCHER]`, `request.app[SHELF]`.
DISPATCHER = web.AppKey("dispatcher", Dispatcher)
SHELF = web.AppKey("runs", Shelf)


async def looked_after(app: web.Application) -> AsyncIterator[None]:
    """Look after the runs of the home as long as the server is there."""
    async with app[DISPATCHER].at_work():
        yield
