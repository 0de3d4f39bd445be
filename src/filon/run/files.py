"""The data files, stored once each and named by their content, never by the web."""

import errno
import hashlib
import os
import shutil
from pathlib import Path


class Files:
    """The folder files/ of a run: ab/abcdef… is the file whose SHA-256 is abcdef…"""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        """Where the file of that hash is, or would be."""
        return self.folder / sha256[:2] / sha256

    def put(self, body: bytes) -> str:
        """Store a body and return its SHA-256."""
        sha256 = hashlib.sha256(body).hexdigest()
        if not self._holds(sha256, len(body)):
            part = self._part()
            part.write_bytes(body)
            self._place(part, sha256)
        return sha256

    def take(self, spool: Path) -> str:
        """Move a downloaded file in and return its SHA-256."""
        with spool.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        if self._holds(sha256, spool.stat().st_size):
            spool.unlink()
        else:
            self._move(spool, sha256)
        return sha256

    def beginning(self, sha256: str, size_bytes: int) -> bytes:
        """Read the first bytes of a file."""
        with self.path(sha256).open("rb") as file:
            return file.read(size_bytes)

    def _move(self, spool: Path, sha256: str) -> None:
        try:
            self._place(spool, sha256)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            part = self._part()
            shutil.copyfile(spool, part)
            self._place(part, sha256)
            spool.unlink()

    def _holds(self, sha256: str, size_bytes: int) -> bool:
        # The size too: a power cut can leave a file shorter than it was.
        try:
            return self.path(sha256).stat().st_size == size_bytes
        except FileNotFoundError:
            return False

    def _part(self) -> Path:
        # One name is enough, as one process writes at a time, and a crash leaves one file at most.
        self.folder.mkdir(exist_ok=True)
        return self.folder / "part"

    def _place(self, part: Path, sha256: str) -> None:
        path = self.path(sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        os.replace(part, path)
