"""A real PostgreSQL for tests, or what is said where there is none."""

from collections.abc import Iterator
from contextlib import contextmanager

from experiments.postgresql import NoPostgreSQLError, PostgreSQL, serving
from fleet.missing import missing


@contextmanager
def serving_postgresql() -> Iterator[PostgreSQL]:
    """Have a server for a while."""
    try:
        with serving() as server:
            yield server
    except NoPostgreSQLError as error:
        missing(str(error).rstrip("."))
