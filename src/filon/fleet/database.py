"""What a store in SQL needs of a database, and how values get there."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Row = dict[str, Any]


class Ask(Protocol):
    """Sends one statement; $1, $2, … stand for the values."""

    async def __call__(self, query: str, *values: Any) -> list[Row]:
        """Return its rows."""


class Database(Protocol):
    """SQLite or PostgreSQL; statements that both understand, and words for the rest.

    words: what stands for a {word} in the schema.
    """

    statements: int
    words: dict[str, str]

    @property
    def dialect(self) -> str:
        """Which of the two it is: "sqlite" or "postgresql"."""

    @property
    def skip(self) -> str:
        """What ends a query whose rows are to be changed: not those that others change now."""

    @property
    def of_sites(self) -> str:
        """The same, where only the rows of the table sites are changed."""

    @property
    def prelude(self) -> tuple[str, ...]:
        """Statements before those of the schema."""

    def rows(self, mark: str, **columns: str) -> str:
        """Return a source of rows for a query: a parameter that is a JSON list of objects."""

    async def ask(self, query: str, *values: Any) -> list[Row]:
        """Return the rows of one statement."""

    async def urgently(self, query: str, *values: Any) -> list[Row]:
        """Do the same, on a connection of its own: what all else waits for does not hold it up."""

    async def together(self, work: Callable[[Ask], Awaitable[T]]) -> T:
        """Do some statements as one, all or nothing; `work` may be called more than once."""

    async def has_table(self, name: str) -> bool:
        """Say whether there is such a table."""

    async def alone(self, work: Callable[[Ask], Awaitable[T]]) -> T:
        """Do some statements, and nobody else meanwhile who asks for the same."""

    def has_any(self, mark: str) -> str:
        """Return a condition on finds: they have one of the words of a parameter, a JSON list."""

    def has_all(self, mark: str) -> str:
        """Return the same: they have all of them."""

    async def close(self) -> None:
        """Let go of it."""


def packed(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as one parameter; what no database takes is replaced.

    >>> packed([{"name": "a\\x00b", "size": 1}])
    '[{"name": "a\\\\ufffdb", "size": 1}]'
    """
    return json.dumps([{name: plain(value) for name, value in row.items()} for row in rows])


def plain(value: Any) -> Any:
    """Return a value without what no database takes: NUL and halves of characters."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    return value
