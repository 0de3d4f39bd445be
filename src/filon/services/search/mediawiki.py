"""Wikipedia, or another wiki, as a collection of hubs that people made.

Backlinks are the wiki's pages that link to a host; outlinks are a page's links to other sites.
"""

import re
from collections.abc import Mapping
from urllib.parse import parse_qs, unquote, urlsplit

from filon.core import Request
from filon.services.search.described import Described
from filon.services.search.searcher import check
from filon.services.source import Source


class MediaWiki(Described):
    """A wiki, by its api.php."""

    def __init__(self, name: str, sources: Mapping[str, Source]) -> None:
        self._by_id = sources["extlinks-id"]
        super().__init__(name, {each: sources[each] for each in ("backlinks", "outlinks")})

    @classmethod
    def complete(cls, parameters: Mapping[str, str]) -> dict[str, str]:
        """Take its index.php to be beside its api.php, where it is not given."""
        known = dict(parameters)
        if "url" in known:
            known.setdefault("index", re.sub(r"api\.php$", "index.php", known["url"].rstrip("/")))
        return known

    def takes(self, operator: str, query: str) -> bool:
        """Say whether this can be asked: only pages of the wiki itself have outlinks here."""
        of_wiki = "://" not in query or urlsplit(query).netloc == urlsplit(self.origin).netloc
        return super().takes(operator, query) and (operator == "backlinks" or of_wiki)

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request; a page of the wiki is known by its number or by its title."""
        check(self, operator)
        number = parse_qs(urlsplit(query).query).get("curid", [""])[0]
        if operator == "outlinks" and number:
            return self._by_id.request(number, page)
        return super().request(operator, query, page)

    def prepare(self, operator: str, query: str) -> str:
        """Return the host of a URL, or the title of a page of the wiki."""
        if operator == "backlinks":
            host = urlsplit(query).netloc if "://" in query else query.strip("/")
            # The wildcard stands for the name without www. too.
            return f"*.{host[4:]}" if host.startswith("www.") else host
        return _title(query)


def _title(query: str) -> str:
    if "://" not in query:
        return query
    parts = urlsplit(query)
    named = parse_qs(parts.query).get("title", [""])[0]
    path = parts.path.partition("/wiki/")[2] or parts.path.rpartition("/")[2]
    number = parse_qs(parts.query).get("curid", [""])[0]
    return (named or number or unquote(path)).replace("_", " ")
