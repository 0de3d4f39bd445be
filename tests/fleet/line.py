"""A line to a server of this machine that can be cut, as a network is: nobody is told of it."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Line:
    """Leads connections to a port; while it is cut, nothing gets through either way."""

    def __init__(self, to_port: int) -> None:
        self.port = 0
        self._to_port = to_port
        self._whole, self._over = asyncio.Event(), asyncio.Event()
        self._whole.set()

    async def serve(self, begun: threading.Event) -> None:
        """Be there until `stop`."""
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        begun.set()
        await self._over.wait()
        server.close()

    def cut(self) -> None:
        """Let nothing through from now on."""
        self._loop.call_soon_threadsafe(self._whole.clear)

    def mend(self) -> None:
        """Let through what waits, and what comes."""
        self._loop.call_soon_threadsafe(self._whole.set)

    def stop(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._over.set)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            there, back = await asyncio.open_connection("127.0.0.1", self._to_port)
            await asyncio.gather(self._pump(reader, back), self._pump(there, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()


@contextmanager
def line(to_port: int) -> Iterator[Line]:
    """Have a line for a while."""
    made, begun = Line(to_port), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(made.serve(begun)), daemon=True)
    thread.start()
    begun.wait()
    try:
        yield made
    finally:
        made.stop()
        thread.join()
