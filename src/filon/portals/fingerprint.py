"""Which software a site runs, guessed from one page of it or from addresses alone.

A guess is a reason to ask the API whether it is there, never a proof: that is `Portal.confirmed`.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from filon.core import Response, UserError
from filon.page.url import host, join, origin
from filon.portals import ADAPTERS
from filon.portals.signals import Recognisable, Rule, Signals, known_signals

#: A guess of this score rests on a signal that names the software.
STRONG = 3
#: All signals stand in the frame of a page, or in its first links; a longer text costs time only.
MOST_BYTES = 512 * 1024
MOST_LINKS = 1_000
#: The adapter that lists a software's datasets where it has none of its own, and where it asks.
BY_FORMAT = {
    "dspace": ("oai-pmh", "/oai/request"),
    "figshare": ("sitemap", "/sitemap/siteindex.xml"),
    "geonode": ("csw", "/catalogue/csw"),
    "jkan": ("dcat-us", ""),
}
#: What a portal of a software often has as well, if its API is not there or not allowed.
BESIDES = {"ckan": "dcat-ap", "dkan": "dcat-us", "socrata": "dcat-us"}
#: Where portals stand beside a main site.
FOLDERS = ("", "/data", "/opendata", "/catalog")
_LINK = re.compile(r"\b(?:href|src|action)\s*=\s*[\"']?([^\"'\s<>]{1,500})", re.IGNORECASE)
_COOKIE = re.compile(r"\s*([^=;\s]+)=")


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A software, how much speaks for it, what does, and where the portal begins."""

    software: str
    score: int
    evidence: tuple[str, ...]
    root: str

    @property
    def strong(self) -> bool:
        """Something names the software: worth a request."""
        return self.score >= STRONG

    @property
    def place(self) -> tuple[str, str]:
        """The name of the adapter to try, and the address to try it at."""
        name, path = BY_FORMAT.get(self.software, (self.software, ""))
        return name, f"{self.root}{path}"


def guess(response: Response) -> list[Guess]:
    """Return the software that a page may come from, the likeliest first.

    >>> page = b'<p>Powered by <a href="https://ckan.org">CKAN</a>'
    >>> guess(Response(url="http://a.org/data/dataset", status=200, body=page))[0].software
    'ckan'
    """
    body = response.body[:MOST_BYTES].decode("utf-8", "replace")
    links = [join(response.url, href) for href in _LINK.findall(body)[:MOST_LINKS]]
    own = host(response.url)
    here = [link for link in dict.fromkeys(links) if link and host(link) == own]
    headers = [f"{name.lower()}: {value}" for name, value in response.headers]
    cookies = [
        match[1]
        for name, value in response.headers
        if name.lower() == "set-cookie" and (match := _COOKIE.match(value))
    ]
    return _ranked([response.url, *here], headers, cookies, body)


def guess_by_address(addresses: Iterable[str]) -> list[Guess]:
    """Return the software that addresses of one site speak for, the likeliest first.

    >>> guess_by_address(["https://geo.example.org/geonetwork/srv/eng/catalog.search"])[0].root
    'https://geo.example.org/geonetwork'
    """
    return _ranked(list(addresses), [], [], "")


def places(guesses: Iterable[Guess]) -> list[tuple[str, str]]:
    """Return what to try, in order: names of adapters, and where their APIs may be.

    Only strong guesses count. What a software has besides its API comes before the API at the
    other places where portals stand beside a main site.

    >>> places(guess_by_address(["https://a.org/open/api/3/action/package_list"]))[:2]
    [('ckan', 'https://a.org/open'), ('dcat-ap', 'https://a.org/open')]
    """
    strong = [each for each in guesses if each.strong]
    first = [each.place for each in strong]
    besides = [(BESIDES[each.software], each.root) for each in strong if each.software in BESIDES]
    others = [
        (each.place[0], f"{origin(each.root)}{folder}")
        for each in strong
        if each.software not in BY_FORMAT
        for folder in FOLDERS
    ]
    return list(dict.fromkeys([*first, *besides, *others]))


def _ranked(addresses: list[str], headers: list[str], cookies: list[str], body: str) -> list[Guess]:
    found = []
    for software, signals in [*known_signals().items(), *_added()]:
        heard = [
            *_heard(signals.header, headers, "header"),
            *_heard(signals.cookie, cookies, "cookie"),
            *_heard(signals.body, [body] if body else [], "page"),
            *_heard(signals.host, list(dict.fromkeys(map(host, addresses[:1]))), "host"),
        ]
        paths, root = _paths(signals, addresses)
        score = sum(weight for weight, _ in [*heard, *paths])
        if score:
            evidence = tuple(sign for _, sign in [*heard, *paths])
            found.append(Guess(software=software, score=score, evidence=evidence, root=root))
    return sorted(found, key=lambda each: -each.score)


@cache
def _added() -> list[tuple[str, Signals]]:
    """Return the signals of the portals that installed packages add; of a broken one, say so."""
    found = []
    for name in ADAPTERS:
        if name not in ADAPTERS.added:
            ADAPTERS.tell_left_out(name)
            continue
        try:
            portal = ADAPTERS[name]
        except UserError as error:
            logging.getLogger(__name__).warning("%s", error)
            continue
        if isinstance(portal, Recognisable):
            found.append((name, portal.signals))
    return found


def _heard(rules: tuple[Rule, ...], texts: list[str], where: str) -> Iterator[tuple[int, str]]:
    """Yield the weight of each rule that holds, and what it found."""
    for pattern, weight in rules:
        match = next((match for text in texts if (match := pattern.search(text))), None)
        if match:
            yield weight, f"{where}: {' '.join(match[0].split())[:80]}"


def _path_at(url: str) -> int:
    at = url.find("/", len("https://"))
    return at if at > 0 else len(url)


def _paths(signals: Signals, addresses: list[str]) -> tuple[list[tuple[int, str]], str]:
    """Return what the addresses say, and the root that they point to."""
    heard: list[tuple[int, str]] = []
    root, best = origin(addresses[0]), 0
    for pattern, weight in signals.path:
        for address in addresses:
            if match := pattern.search(address, _path_at(address)):
                heard.append((weight, f"address: {match[0][:80]}"))
                if weight > best:
                    root, best = address[: match.start()].rstrip("/"), weight
                break
    return heard, root
