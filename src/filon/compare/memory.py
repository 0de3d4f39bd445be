"""Links of pages that were read before: many runs on one replica parse each page once."""

from collections.abc import Collection

from filon.core import Response
from filon.page.links import Link, Placed, Wanted, links


class LinkMemory:
    """Reads the links off a page, and remembers them by URL.

    Equal links are kept once: the menu of a site stands on each of its pages.
    """

    def __init__(self) -> None:
        self._pages: dict[tuple[str, str, frozenset[str]], list[Link]] = {}
        self._links: dict[Link, Link] = {}

    def read(
        self,
        response: Response,
        *,
        around: str = "",
        wanted: Wanted | None = None,
        placed: Placed | None = None,
        heads: Collection[str] = (),
    ) -> list[Link]:
        """Return the links of a page, for `Brief.read`; what is around them is known already."""
        key = (response.url, around, frozenset(heads))
        if key not in self._pages:
            mime = response.header("content-type")
            found = links(response.body, response.url, mime, around=around, heads=heads)
            self._pages[key] = [self._links.setdefault(link, link) for link in found]
        found = self._pages[key]
        return [link for link in found if wanted(link.url)] if wanted else found
