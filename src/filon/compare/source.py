"""What a replica is made of: something recorded that tells what each URL answered."""

from typing import NamedTuple, Protocol


class Head(NamedTuple):
    """An answer before its body.

    status: 0 where none came; `error` says why.
    mime: the Content-Type as it was sent, empty where none was.
    path: where the source has the body, empty where it has none.
    """

    status: int
    mime: str = ""
    location: str = ""
    path: str = ""
    host: str = ""
    error: str = ""


class Body(NamedTuple):
    """A body, or the beginning of one of `size_bytes`; `cut` where it was not recorded."""

    data: bytes
    size_bytes: int
    mime: str
    cut: str = ""


class Source(Protocol):
    """Where the answers of a replica lie."""

    name: str
    start: str

    def look(self, url: str) -> Head:
        """Answer all but the body."""

    def load(self, head: Head) -> Body:
        """Read the body that belongs to an answer."""

    def close(self) -> None:
        """Let go of files."""
