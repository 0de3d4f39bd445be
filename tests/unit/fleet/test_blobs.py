"""Blobs in a folder; those in a bucket are held to the same by a real server."""

import asyncio
from pathlib import Path

import pytest

from blobs_checks import CHECKS
from filon.core import MachineError, UserError
from filon.fleet.blobs import FolderBlobs, blobs_at


@pytest.mark.parametrize("check", CHECKS)
def test_a_folder_keeps_what_blobs_promise(check: str, tmp_path: Path) -> None:
    asyncio.run(CHECKS[check](FolderBlobs(tmp_path / "blobs"), tmp_path))


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("a file")
    with pytest.raises(MachineError, match="cannot be written"):
        asyncio.run(FolderBlobs(tmp_path / "blobs").put("a/1", b"one"))


@pytest.mark.parametrize("place", ["gs://bucket", "s3//bucket://"])
def test_a_place_that_is_none_is_told_in_a_sentence(place: str) -> None:
    with pytest.raises(UserError, match="s3://"):
        blobs_at(place)
