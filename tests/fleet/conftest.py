"""Real parts for the fleet: PostgreSQL, an S3 server and a Ray cluster, once for a file of tests.

Where CI decides what is merged, a missing one is a failure; elsewhere the tests skip, and say so.
"""

from collections.abc import Iterator

import pytest

from experiments.postgresql import PostgreSQL
from experiments.raycluster import RayCluster
from fleet.postgresql import serving_postgresql
from fleet.raycluster import serving_ray
from fleet.s3server import S3, serving_s3


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgreSQL]:
    """A PostgreSQL server on loopback."""
    with serving_postgresql() as server:
        yield server


@pytest.fixture(scope="module")
def s3() -> Iterator[S3]:
    """An S3 server on loopback."""
    with serving_s3() as server:
        yield server


@pytest.fixture(scope="module")
def ray_cluster() -> Iterator[RayCluster]:
    """A Ray cluster on this machine: a head without a CPU, and two nodes with one each."""
    with serving_ray() as cluster:
        yield cluster
