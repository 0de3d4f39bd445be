"""Where handlers find the runs of the home: who looks after them, and the list of them."""

from collections.abc import AsyncIterator

from aiohttp import web

from filon.dispatch.dispatcher import Dispatcher
from filon.dispatch.run_list import RunList

#: `request.app[DISPATCHER]`, `request.app[RUN_LIST]`.
DISPATCHER = web.AppKey("dispatcher", Dispatcher)
RUN_LIST = web.AppKey("runs", RunList)


async def looked_after(app: web.Application) -> AsyncIterator[None]:
    """Look after the runs of the home as long as the server is there."""
    async with app[DISPATCHER].at_work():
        yield
