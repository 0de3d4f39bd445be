"""Portal software as pure functions: how its datasets are asked for, and read off an answer.

The nouns that adapters (filon.portals) fill and strategies read. An adapter never raises for what
a server says: an answer that is not as documented is a Listing with a problem. It keeps nothing
between two answers: what the next request needs stands in the last.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from filon.core.request import Request
from filon.core.response import Response
from filon.core.service import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of a dataset, as the portal describes it.

    format: the name of the format as filon.page.formats knows it; "" where it is not told.
    mime: its media type; "" where the portal does not say.
    again: the same data as the file before it, in another format.
    """

    url: str
    name: str = ""
    format: str = ""
    mime: str = ""
    size_bytes: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A dataset. url: its page, for people. modified: as the portal writes it."""

    id: str
    title: str = ""
    description: str = ""
    url: str = ""
    files: tuple[File, ...] = ()
    licence: str = ""
    modified: str = ""
    publisher: str = ""
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Reply):
    """What one answer lists.

    A dataset may come in parts, in several answers: see `filon.portals.walk.gathered`.
    more: the request for what follows. also: further lists, in any order.
    same, gone: the ids of datasets that are as they were, and of those that were deleted, and
        their pages, where only what has changed was asked for and the portal tells of others.
    """

    datasets: tuple[Dataset, ...] = ()
    more: Request | None = None
    also: tuple[Request, ...] = ()
    same: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class Portal(Protocol):
    """Software that many portals run, or a format that many publish.

    A root is the URL of a portal without the last slash; a base is what `begin` needs to know.
    """

    @property
    def name(self) -> str:
        """The software, as the catalogue registry names it."""

    def confirm(self, root: str) -> Request:
        """Return the request whose answer says whether the portal runs this software."""

    def confirmed(self, response: Response) -> str:
        """Return the base of the API if the answer says so; else the empty string."""

    def begin(self, base: str) -> Request:
        """Return the request for the first datasets."""

    def read(self, response: Response) -> Listing:
        """Return what an answer lists."""


@runtime_checkable
class TellsChanges(Protocol):
    """Portal software that can be asked for what has changed: an ability that not every one has.

    A search index lags behind its database, and clocks differ: who asks for what has changed since
    a walk through all lists had better go back a little before it (see `filon.portals.OVERLAP`).
    """

    @property
    def whole(self) -> bool:
        """Whether it names all datasets even so: what it leaves out has vanished."""

    def since(self, base: str, moment: datetime) -> Request:
        """Return the request for the first datasets that were modified since a moment."""

    def changes(self, response: Response, moment: datetime) -> Listing:
        """Return what an answer lists that was modified since, or of which that is not known."""


#: Which software a page may come from, and where its API may be: the likeliest first; mostly none.
Recognise = Callable[[Response], Sequence[tuple[str, str]]]
