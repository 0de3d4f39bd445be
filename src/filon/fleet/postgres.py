"""PostgreSQL as a store: many machines, one truth.

A server that is restarted, or a network that is down for a while, is waited for: what was asked is
asked again, which changes nothing a second time. Beats have a connection of their own.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Self

from filon.core import MachineError, UserError
from filon.core.extras import extra
from filon.fleet.database import Ask, Row, T
from filon.fleet.store import PATIENCE_S
from filon.page.url import split

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

#: Between two tries, at first and at most.
FIRST_S, MOST_S = 0.1, 5.0
#: Connections of a process besides that of its beats: it has few questions at a time.
CONNECTIONS = 4
#: A statement that takes longer is given up; so is one to a server that has vanished.
TIMEOUT_S = 60.0
#: A step to newer tables may take longer, as an index of many finds does; who waits for its turn
#: asks so often.
STEP_S, TURN_S = 86_400.0, 0.2
#: So long it may take to connect: one that goes down takes connections and never answers.
CONNECT_S = 10.0
#: So long the server may take to say goodbye.
CLOSE_S = 5.0
#: The number by which those who change the tables wait for each other; any would do.
_LOCK = 7_203_615_551
_CLOCK = """
CREATE OR REPLACE FUNCTION moment_s() RETURNS DOUBLE PRECISION LANGUAGE sql VOLATILE AS
'SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)'
"""


_WORDS = "string_to_array(words, ' ')"


class Postgres:
    """A PostgreSQL that speaks as `filon.fleet.sql` wants it to.

    patience_s: how long a server is waited for that does not answer.
    """

    dialect = "postgresql"
    skip = "FOR UPDATE SKIP LOCKED"
    of_sites = "FOR UPDATE OF sites SKIP LOCKED"
    prelude = (_CLOCK,)

    def __init__(self, address: str, *, patience_s: float = PATIENCE_S) -> None:
        self.statements = 0
        self.words = {
            "loose": "WITH (fillfactor = 70)",
            "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
            "if_missing": "IF NOT EXISTS",
        }
        self._pg = extra("fleet", "A store in PostgreSQL needs asyncpg", "asyncpg")
        self._address, self._patience_s = address, patience_s
        self._name = f"The PostgreSQL at {split(address).hostname or 'this machine'}"
        self._patience = {"timeout": CONNECT_S, "command_timeout": TIMEOUT_S}
        self._pool: Any = None
        self._own: Any = None
        self._heart = asyncio.Lock()

    async def open(self) -> Self:
        """Connect, or say why not: a server that was never there is not waited for."""
        pg = self._pg
        try:
            self._own = await self._connect()
            self._pool = pg.create_pool(
                self._address, min_size=0, max_size=CONNECTIONS, **self._patience
            )
            await self._pool
        except (pg.InvalidAuthorizationSpecificationError, pg.InvalidPasswordError) as error:
            raise UserError(f"{self._name} does not let us in: {error}.") from None
        except (pg.InvalidCatalogNameError, pg.ClientConfigurationError, ValueError) as error:
            raise UserError(f"{self._name} cannot be used: {error}.") from None
        except (OSError, pg.PostgresError, pg.InterfaceError, pg.InternalClientError) as error:
            raise MachineError(f"{self._name} does not answer: {error or 'no reason'}.") from None
        return self

    async def _connect(self) -> Any:
        return await self._pg.connect(self._address, **self._patience)

    def rows(self, mark: str, **columns: str) -> str:
        """Return a source of rows for a query: a parameter that is JSON."""
        kinds = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        return f"(SELECT * FROM json_to_recordset(CAST({mark} AS json)) AS q ({kinds}))"

    async def ask(self, query: str, *values: Any) -> list[Row]:
        """Return the rows of one statement."""
        return await self._patiently(lambda: self._once(self._pool.acquire(), query, values))

    async def urgently(self, query: str, *values: Any) -> list[Row]:
        """Do the same on a connection that nothing else has."""
        return await self._patiently(lambda: self._once(self._heartbeat(), query, values))

    async def _once(
        self, connecting: AbstractAsyncContextManager[Any], query: str, values: tuple[Any, ...]
    ) -> list[Row]:
        async with connecting as connection:
            self.statements += 1
            return [dict(row) for row in await connection.fetch(query, *values)]

    @asynccontextmanager
    async def _heartbeat(self) -> "AsyncIterator[Any]":
        async with self._heart:
            if self._own is None or self._own.is_closed():
                self._own = await self._connect()
            try:
                yield self._own
            except BaseException:
                # It may be about to close without knowing it: the next beat has another.
                self._own.terminate()
                self._own = None
                raise

    async def together(self, work: Callable[[Ask], Awaitable[T]]) -> T:
        """Do some statements as one, and all of it again where the connection broke."""

        async def once() -> T:
            async with self._pool.acquire() as connection, connection.transaction():
                self.statements += 2
                return await work(self._asking(connection))

        return await self._patiently(once)

    def _asking(self, connection: Any, timeout_s: float = TIMEOUT_S) -> Ask:
        async def ask(query: str, *values: Any) -> list[Row]:
            self.statements += 1
            return [dict(row) for row in await connection.fetch(query, *values, timeout=timeout_s)]

        return ask

    async def alone(self, work: Callable[[Ask], Awaitable[T]]) -> T:
        """Do some statements one by one, and nobody else meanwhile who asks for the same.

        They are not one transaction: an index that is made beside the work of others cannot be.
        """

        async def once() -> T:
            async with self._pool.acquire() as connection:
                # Not in a statement that waits: an index that is made beside the work waits for
                # all that began before it, and so for who waits for it.
                take = "SELECT pg_try_advisory_lock($1)"
                while not await connection.fetchval(take, _LOCK):  # noqa: ASYNC110, another process
                    await asyncio.sleep(TURN_S)
                try:
                    return await work(self._asking(connection, STEP_S))
                finally:
                    await connection.execute("SELECT pg_advisory_unlock($1)", _LOCK)

        return await self._patiently(once)

    async def _patiently(self, once: Callable[[], Awaitable[T]]) -> T:
        """Do something, and again while the server is away or two were in each other's way."""
        until_s, wait_s = time.monotonic() + self._patience_s, FIRST_S
        pg = self._pg
        while True:
            try:
                return await once()
            except (
                *(OSError, TimeoutError, pg.PostgresConnectionError, pg.InterfaceError),
                *(pg.OperatorInterventionError, pg.TransactionRollbackError),
                *(pg.InsufficientResourcesError, pg.InvalidCachedStatementError),
                pg.ReadOnlySQLTransactionError,  # of a replica that is about to take over
                pg.InternalClientError,  # of a connection that broke in the midst of an answer
            ) as error:
                if time.monotonic() + wait_s > until_s:
                    raise MachineError(f"{self._name} does not answer: {error}.") from error
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, MOST_S)

    async def has_table(self, name: str) -> bool:
        """Say whether there is such a table."""
        (row,) = await self.ask("SELECT to_regclass($1) IS NOT NULL AS is_there", name)
        return bool(row["is_there"])

    def has_any(self, mark: str) -> str:
        """Return a condition on finds: they have one of the words of a parameter."""
        return f"{_WORDS} && {_listed(mark)}"

    def has_all(self, mark: str) -> str:
        """Return the same: they have all of them."""
        return f"{_WORDS} @> {_listed(mark)}"

    async def close(self) -> None:
        """Let go of the connections."""
        for one in filter(None, (self._own, self._pool)):
            try:
                async with asyncio.timeout(CLOSE_S):
                    await one.close()
            except (
                *(OSError, TimeoutError, self._pg.PostgresError, self._pg.InterfaceError),
                self._pg.InternalClientError,
            ):
                one.terminate()


def _listed(mark: str) -> str:
    return f"ARRAY(SELECT json_array_elements_text(CAST({mark} AS json)))"
