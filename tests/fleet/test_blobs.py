"""Blobs in a bucket, of a server that speaks S3: moto's."""

import asyncio
from pathlib import Path
from uuid import uuid4

import pytest

from blobs_checks import CHECKS
from filon.core import MachineError
from filon.fleet.blobs import S3Blobs
from fleet.s3server import S3


@pytest.fixture
def bucket(s3: S3, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in s3.environment().items():
        monkeypatch.setenv(name, value)
    return f"{s3.bucket('blobs')}/{uuid4().hex}"


@pytest.mark.parametrize("check", CHECKS)
def test_a_bucket_keeps_what_blobs_promise(check: str, bucket: str, tmp_path: Path) -> None:
    asyncio.run(CHECKS[check](S3Blobs(bucket), tmp_path))


def test_a_bucket_that_fails_for_a_while_is_waited_for(s3: S3, bucket: str) -> None:
    async def use() -> None:
        blobs = S3Blobs(bucket)
        s3.refuse(0.5)
        refused = s3.refused
        await blobs.put("a/1", b"one")
        assert s3.refused > refused
        assert await blobs.get("a/1") == b"one"

    asyncio.run(use())


def test_a_bucket_that_stays_away_is_told(s3: S3, bucket: str) -> None:
    async def use() -> None:
        s3.refuse(3600)
        try:
            with pytest.raises(MachineError, match=r"The bucket s3://blobs/\w+ failed"):
                await S3Blobs(bucket, retry_s=0.3).put("a/1", b"one")
        finally:
            s3.refuse(0)

    asyncio.run(use())
