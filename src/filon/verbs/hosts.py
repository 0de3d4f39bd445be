"""Who asks which host: no two rounds at once, and only so many in all."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    nullcontext,
)

#: Gives a host, as soon as nobody else asks it.
Alone = Callable[[str], AbstractAsyncContextManager[None]]


def at_will(_: str) -> AbstractAsyncContextManager[None]:
    """Give a host at once: there is nobody else."""
    return nullcontext()


class Hosts:
    """Gives hosts to rounds, each to one at a time.

    at_once: rounds that are under way together.
    """

    def __init__(self, at_once: int) -> None:
        self._room = asyncio.Semaphore(at_once)
        self._locks: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def given(self, names: Iterable[str]) -> AsyncIterator[Alone]:
        """Wait for all hosts of a round, then for room.

        It gives what the round asks for a host that it meets late, when it is done with all others:
        it lets go of these, so that no two wait for each other.
        """
        async with AsyncExitStack() as held:
            for name in sorted(set(names)):  # in one order, for the same reason
                await held.enter_async_context(self._locks.setdefault(name, asyncio.Lock()))
            await held.enter_async_context(self._room)

            @asynccontextmanager
            async def alone(name: str) -> AsyncIterator[None]:
                await held.aclose()
                async with self.given([name]):
                    yield

            yield alone
