"""Asking a portal's own API what it has: one call where its address is known, two where not."""

from filon.core import Request, Response
from filon.core.portal import Listing
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.scout.check import Check
from filon.verbs.discover.strategies.scout.errand import Errand
from filon.verbs.discover.strategies.scout.errands import Errands

#: Software whose first list has an address that follows from the portal's own: it is asked for at
#: once, and its answer confirms the software as well as any other.
STRAIGHT = frozenset(
    ["ckan", "socrata", "opendatasoft", "arcgishub", "dataverse", "dkan", "inveniordm", "datasette"]
)
#: What a page says itself needs no call.
MARKUP = "schema.org"
#: Calls that ask whether an API is there, and calls for one site in all.
MOST_TRIES, MOST_CALLS = 2, 5


class Verifier:
    """Calls of portals' APIs. What `heard` returns: "wait", "yes", "no", or "unknown": no API."""

    def __init__(self, brief: Brief, errands: Errands) -> None:
        self._portals = brief.portals
        self._recognise = brief.recognise
        self._errands = errands

    def look(self, check: Check, response: Response) -> None:
        """Take in what an entry page gives away: its software, and what it says for machines."""
        self.mark(check, response)
        if self._recognise is None:
            return
        known = [place for place in self._recognise(response) if place[0] in self._portals]
        check.places = [place for place in known if place[0] != MARKUP][:MOST_CALLS]

    def mark(self, check: Check, response: Response) -> None:
        """Take in what a page says of its datasets for machines."""
        if MARKUP in self._portals and b"ld+json" in response.body:
            check.haul.mark(self._portals[MARKUP].read(response), "schema.org Dataset")

    def ask(self, check: Check) -> bool:
        """Put the next call in line; False: there is nobody to ask."""
        while check.places and check.calls < MOST_TRIES:
            name, root = check.places.pop(0)
            portal = self._portals[name]
            straight = name in STRAIGHT
            check.root = root if straight else ""
            request = portal.begin(root) if straight else portal.confirm(root)
            if self._call(check, name, "list" if straight else "confirm", request):
                return True
        return False

    def sitemap(self, check: Check) -> bool:
        """Ask a site for its sitemap, once; False: it was asked, or nobody can read it."""
        if check.asked_sitemap or "sitemap" not in self._portals:
            return False
        check.asked_sitemap = True
        root = check.entry.url[: check.entry.url.find("/", 8)]
        return self._call(check, "sitemap", "sitemap", self._portals["sitemap"].confirm(root))

    def _call(self, check: Check, name: str, role: str, request: Request) -> bool:
        errand = Errand(
            kind="call",
            entry=check.entry.url,
            software=name,
            role=role,
            query=check.entry.site,
            parent=check.entry.url,
            origins=tuple(check.candidate.origins[:1]),
            score=check.chance,
        )
        if not self._errands.call(errand, request):
            return False
        check.busy, check.calls = True, check.calls + 1
        return True

    def heard(self, check: Check, errand: Errand, response: Response) -> str:
        """Take in an answer."""
        check.busy = False
        portal = self._portals[errand.software]
        if errand.role == "sitemap":
            return self._links(check, portal.read(response))
        if errand.role == "confirm":
            base = portal.confirmed(response)
            if not base:
                return "wait" if self.ask(check) else "unknown"
            first = portal.begin(base)
            if first.body or first.url not in (errand.url, response.url):
                asked = self._call(check, errand.software, "list", first)
                return "wait" if asked else "unknown"
        return self._listed(check, errand.software, portal.read(response))

    def _listed(self, check: Check, name: str, listing: Listing) -> str:
        check.haul.read(listing, name)
        if check.haul.enough:
            return "yes"
        further = [*([listing.more] if listing.more else []), *listing.also]
        if further and check.calls < MOST_CALLS and self._call(check, name, "list", further[0]):
            return "wait"
        if listing.problem or not check.haul.total:
            return "wait" if self.ask(check) else "unknown"
        return "no" if check.haul.listed else "unknown"

    def _links(self, check: Check, listing: Listing) -> str:
        """Let the dataset pages that a sitemap names be read first; files on it are files."""
        files = [file.url for dataset in listing.datasets for file in dataset.files]
        check.haul.see(files, check.entry.url, check.entry.title)
        pages = tuple(dataset.url for dataset in listing.datasets if not dataset.files)[:50]
        check.meet(pages, len(pages), 1)
        return "yes" if check.haul.enough else "unknown"
