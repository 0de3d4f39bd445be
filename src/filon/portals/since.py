"""What was modified since a moment: how it is written, and what of a list that is.

Most portals can filter by the date of a dataset. Where one cannot, it lists the newest first, or
all in one answer; then what is older is left out here.
"""

from abc import ABC, abstractmethod
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from filon.core import Request, Response
from filon.core.portal import Listing, Portal, TellsChanges
from filon.page.dates import dated

#: How far to go back before the last walk: indexes lag, and clocks differ. CKAN's own harvester
#: takes as much.
OVERLAP = timedelta(hours=1)


def stamp(moment: datetime) -> str:
    """Return a moment as search indexes have it, in whole seconds.

    >>> stamp(datetime(2024, 5, 31, 12, 0, 0, 999, tzinfo=UTC))
    '2024-05-31T12:00:00Z'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def recent(listing: Listing, moment: datetime) -> Listing:
    """Return a list without what it says was modified before a moment: that is the same.

    A dataset with a date alone counts until that day is over; one without any is kept.
    """
    from_ = moment.replace(microsecond=0)
    spans = [dated(dataset.modified) for dataset in listing.datasets]
    both = list(zip(listing.datasets, spans, strict=True))
    kept = tuple(dataset for dataset, span in both if not span or span.last >= from_)
    same = tuple(dataset.id for dataset, span in both if span and span.last < from_)
    return replace(listing, datasets=kept, same=same)


def first(portal: Portal, base: str, moment: datetime) -> Request:
    """Return the request for what has changed; where a portal cannot tell, for all."""
    if isinstance(portal, TellsChanges):
        return portal.since(base, moment)
    return portal.begin(base)


def changes(portal: Portal, response: Response, moment: datetime) -> Listing:
    """Return what an answer lists that has changed, or of which that is not known."""
    if isinstance(portal, TellsChanges):
        return portal.changes(response, moment)
    return recent(portal.read(response), moment)


def is_refused(listing: Listing) -> bool:
    """Say whether an answer to the first request means that the portal takes no such filter."""
    return listing.problem in ("query", "schema") and not listing.more


class Filters(ABC):
    """Portals that list only what has changed, if they are asked so.

    What is older is left out nevertheless: some know days only, some read over what they are asked.
    """

    whole: ClassVar[bool] = False

    @abstractmethod
    def read(self, response: Response) -> Listing:
        """Return what an answer lists."""

    def changes(self, response: Response, moment: datetime) -> Listing:
        """Return what an answer lists that was modified since."""
        return recent(self.read(response), moment)


class ListsAll(Filters):
    """Portals that list all in one answer, with dates."""

    whole = True

    @abstractmethod
    def begin(self, base: str) -> Request:
        """Return the request for all datasets."""

    def since(self, base: str, moment: datetime) -> Request:
        """Return the same request: what is older is left out of the answer."""
        return self.begin(base)
