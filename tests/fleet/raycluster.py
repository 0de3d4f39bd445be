"""A real Ray cluster for tests, or what is said where there is none."""

from collections.abc import Iterator
from contextlib import contextmanager

from experiments.raycluster import NoRayError, RayCluster, serving
from fleet.missing import missing


@contextmanager
def serving_ray() -> Iterator[RayCluster]:
    """Have a cluster for a while."""
    try:
        with serving() as cluster:
            yield cluster
    except NoRayError as error:
        missing(str(error))
