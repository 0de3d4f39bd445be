"""Portal software as strategies see it; filon.portals has what does the work."""

from collections.abc import Callable, Sequence
from typing import Protocol

from filon.core import Request, Response


class Offer(Protocol):
    """A file as a portal lists it; again: the file before it, in another format."""

    @property
    def url(self) -> str:
        """Its address."""

    @property
    def mime(self) -> str:
        """Its media type; "" where the portal does not say."""

    @property
    def again(self) -> bool:
        """Whether it repeats the file before it."""

    @property
    def format(self) -> str:
        """The name of its format; "" where it is not told."""


class Entry(Protocol):
    """A dataset."""

    @property
    def url(self) -> str:
        """Its page."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def description(self) -> str:
        """What it is about."""

    @property
    def keywords(self) -> Sequence[str]:
        """The same in words."""

    @property
    def licence(self) -> str:
        """What may be done with it; "" where it is not told."""

    @property
    def modified(self) -> str:
        """When it was changed last, as the portal writes it."""

    @property
    def files(self) -> Sequence[Offer]:
        """Its files."""


class Leaf(Protocol):
    """An answer of a portal's API."""

    @property
    def datasets(self) -> Sequence[Entry]:
        """What it lists."""

    @property
    def more(self) -> Request | None:
        """What follows."""

    @property
    def also(self) -> Sequence[Request]:
        """Further lists."""

    @property
    def total(self) -> int | None:
        """How many datasets there are, as the portal says; None where it does not."""

    @property
    def problem(self) -> str:
        """One of core.provider.PROBLEMS; "" if there is none."""

    @property
    def detail(self) -> str:
        """What is wrong with it."""


class Portal(Protocol):
    """A portal software: see filon.portals."""

    def confirm(self, root: str) -> Request:
        """Ask whether the API is there."""

    def confirmed(self, response: Response) -> str:
        """Return the base of the API; "" if it is not there."""

    def begin(self, base: str) -> Request:
        """Ask for the first list."""

    def read(self, response: Response) -> Leaf:
        """Read a list."""


#: Which software a page may come from, and where its API may be: the likeliest first; mostly none.
Recognise = Callable[[Response], Sequence[tuple[str, str]]]
