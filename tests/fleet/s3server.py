"""A server that speaks S3 for tests, or what is said where there is none."""

from collections.abc import Iterator
from contextlib import contextmanager

from experiments.s3server import S3, NoS3Error, serving
from fleet.missing import missing

__all__ = ["S3", "serving_s3"]


@contextmanager
def serving_s3() -> Iterator[S3]:
    """Have a server for a while."""
    try:
        with serving() as server:
            yield server
    except NoS3Error as error:
        missing(str(error))
