"""Where a fleet keeps bytes: names with what they hold, written once and never changed.

What is there is whole: who reads a name sees all of it or nothing. Two who write the same name at
once do not mix: one of them is told that it exists.
"""

import asyncio
import contextlib
import os
import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from filon.core import MachineError, UserError
from filon.core.extras import extra
from filon.core.suggest import unknown

#: A bucket that fails is asked again for so long: it may well be gone for a minute or two. Longer
#: than five minutes a signature does not hold.
RETRY_S = 240.0
#: The longest pause between two tries.
PAUSE_S = 5.0
#: An object that is longer goes up in parts, which cannot be create-only: only what is named after
#: its content is so long.
PARTS_BYTES = 64 << 20


class ExistsError(Exception):
    """There is something of that name already."""


class Blobs(Protocol):
    """Bytes by name; names have slashes, and say in which order they are listed."""

    async def put(self, key: str, data: bytes | Path) -> None:
        """Keep bytes, or what a file holds; ExistsError where the name is taken.

        Such a file is never written to again: it may be one with the blob.
        """

    async def get(self, key: str) -> bytes:
        """Return what a name holds; KeyError where there is nothing."""

    async def download(self, key: str, path: Path) -> None:
        """Write what a name holds to a file; KeyError where there is nothing."""

    async def list(self, prefix: str) -> Sequence[str]:
        """Return the names below a folder, in their order."""

    async def close(self) -> None:
        """Let go of it."""


def blobs_at(place: str) -> Blobs:
    """Return the blobs of a folder, or of a bucket: s3://bucket/path.

    >>> type(blobs_at("/tmp/blobs")).__name__
    'FolderBlobs'
    """
    scheme, is_url, _ = place.partition("://")
    if not is_url:
        return FolderBlobs(Path(place))
    if scheme != "s3":
        raise unknown("place for --blobs", f"{scheme}://", ("s3://",))
    return S3Blobs(place)


class FolderBlobs:
    """A folder: on this machine, or one that all machines see."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __repr__(self) -> str:
        return f"<FolderBlobs {str(self.folder)!r}>"

    def path(self, key: str) -> Path:
        """Return where a name is."""
        return self.folder / key

    async def put(self, key: str, data: bytes | Path) -> None:
        """Keep bytes, or what a file holds."""
        if isinstance(data, Path):
            await asyncio.to_thread(self._put, key, data)
        else:
            self._put(key, data)

    def _put(self, key: str, data: bytes | Path) -> None:
        path = self.path(key)
        part = path.with_name(f".{uuid4().hex}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._write(part, data)
            os.link(part, path)  # which never replaces what is there
        except FileExistsError:
            raise ExistsError(key) from None
        except OSError as error:
            raise MachineError(f"{path} cannot be written: {error.strerror or error}.") from error
        finally:
            with contextlib.suppress(OSError):  # there is none
                part.unlink()

    def _write(self, part: Path, data: bytes | Path) -> None:
        if not isinstance(data, Path):
            part.write_bytes(data)
            return
        try:
            os.link(data, part)  # no second copy on the same disk
        except OSError:
            shutil.copyfile(data, part)

    async def get(self, key: str) -> bytes:
        """Return what a name holds."""
        try:
            return await asyncio.to_thread(self.path(key).read_bytes)
        except FileNotFoundError:
            raise KeyError(key) from None

    async def download(self, key: str, path: Path) -> None:
        """Write what a name holds to a file."""
        try:
            await asyncio.to_thread(shutil.copyfile, self.path(key), path)
        except FileNotFoundError:
            raise KeyError(key) from None

    async def list(self, prefix: str) -> list[str]:
        """Return the names below a folder."""
        below = self.folder / prefix
        files = (path for path in below.rglob("*") if not path.name.startswith("."))
        return sorted(
            path.relative_to(self.folder).as_posix() for path in files if not path.is_dir()
        )

    async def close(self) -> None:
        """Let go of nothing."""


class S3Blobs:
    """A bucket, or a folder in one, of any service that speaks S3.

    Who may use it, and where it is, is said as AWS's own programs have it: by the environment
    (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL) or the machine's role.
    A service that fails is waited for, `retry_s` at most.
    """

    def __init__(self, url: str, *, retry_s: float = RETRY_S) -> None:
        obstore = extra("fleet", f"Blobs in {url} need obstore", "obstore", "obstore.store")
        endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
        plain: Any = {"allow_http": True} if endpoint.startswith("http://") else {}
        pause = {"max_backoff": timedelta(seconds=PAUSE_S)}
        again: Any = {
            "max_retries": 1000,
            "backoff": pause,
            "retry_timeout": timedelta(seconds=retry_s),
        }
        self._url, self._api = url, obstore
        try:
            self._store = obstore.store.S3Store.from_url(
                url, client_options=plain or None, retry_config=again
            )
        except (obstore.exceptions.BaseError, ValueError) as error:
            raise UserError(f"The bucket {url} is not understood: {_said(error)}.") from error

    def __repr__(self) -> str:
        return f"<S3Blobs {self._url!r}>"

    async def put(self, key: str, data: bytes | Path) -> None:
        """Keep bytes, or what a file holds."""
        try:
            if _size(data) > PARTS_BYTES:
                await self._put_parts(key, data)
            else:
                body = await asyncio.to_thread(data.read_bytes) if isinstance(data, Path) else data
                await self._api.put_async(self._store, key, body, mode="create")
        except self._api.exceptions.AlreadyExistsError:
            raise ExistsError(key) from None
        except self._api.exceptions.BaseError as error:
            raise self._failed(error) from error

    async def _put_parts(self, key: str, data: bytes | Path) -> None:
        try:
            await self._api.head_async(self._store, key)
        except FileNotFoundError:
            await self._api.put_async(self._store, key, data, use_multipart=True)
        else:
            raise ExistsError(key)

    async def get(self, key: str) -> bytes:
        """Return what a name holds."""
        try:
            found = await self._api.get_async(self._store, key)
            return bytes(await found.bytes_async())
        except FileNotFoundError:
            raise KeyError(key) from None
        except self._api.exceptions.BaseError as error:
            raise self._failed(error) from error

    async def download(self, key: str, path: Path) -> None:
        """Write what a name holds to a file."""
        try:
            found = await self._api.get_async(self._store, key)
            with path.open("wb") as file:
                async for some in found.stream(min_chunk_size=1 << 20):
                    file.write(some)
        except FileNotFoundError:
            raise KeyError(key) from None
        except self._api.exceptions.BaseError as error:
            raise self._failed(error) from error

    async def list(self, prefix: str) -> list[str]:
        """Return the names below a folder."""
        try:
            found = await self._api.list(self._store, prefix).collect_async()
        except self._api.exceptions.BaseError as error:
            raise self._failed(error) from error
        return sorted(one["path"] for one in found)

    async def close(self) -> None:
        """Let go of nothing: its connections end with it."""

    def _failed(self, error: Exception) -> MachineError:
        return MachineError(f"The bucket {self._url} failed: {_said(error)}.")


def _size(data: bytes | Path) -> int:
    return data.stat().st_size if isinstance(data, Path) else len(data)


def _said(error: Exception) -> str:
    """Return what an error says, without what it shows of the code."""
    return " ".join(str(error).split("\n\nDebug source")[0].split()).rstrip(".")[:300]
