"""A web of hundreds of hosts in one process: real pages, recorded sites, generated portals.

What is true of it is fixed when it is made, before any strategy runs (`truth.py`). Of WebKB only
the pages of the many small departments are here, of the catalogues in English only the half that
nothing was learnt from.
"""

import random
import sqlite3
import zlib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from experiments.discover import apis
from experiments.discover.engine import Engine, share
from experiments.discover.frames import FRAMES, WORDS
from experiments.discover.known import registry
from experiments.discover.prior import abroad, catalogues, halves
from experiments.discover.repository import Repository
from experiments.discover.sites import Made, Maker
from experiments.discover.truth import Truth, census
from filon.compare.replica import Replica
from filon.core import Request, Response
from filon.page.datafile import is_data_file
from filon.page.links import links
from filon.page.text import page_text
from filon.page.url import host

#: The topics of the generated repositories, with the themes of the registry.
TOPICS = {
    "health": "eudatatheme:HEAL",
    "transport": "eudatatheme:TRAN",
    "education": "eudatatheme:EDUC",
}
#: Of each topic: repositories in English and in other languages, and portals without data.
REPOSITORIES, FOREIGN, LOOK_ALIKES = 90, 25, 20
#: Repositories about something else, and what is round them all.
ELSEWHERE, NEWS, HUBS = 120, 60, 75
#: Lists of pages of WebKB, as people kept them then.
LISTS = 60
#: What the engine knows: of the pages, of the backlinks; and the relevant hosts it knows not.
INDEXED, BACKLINKED, UNKNOWN_HOSTS = 0.7, 0.6, 0.15
#: Of all portals here, those that the registry of catalogues has.
REGISTERED = 0.4
HTML = (("Content-Type", "text/html; charset=utf-8"),)


class DiscoverWeb:
    """Answers for all its hosts and for the services. quota: calls of each service."""

    def __init__(self, data: Path, seed: int, quota: int = 3_000) -> None:
        self._data, self._seed, self._quota = data, seed, quota
        self._bodies: dict[str, tuple[bytes, str]] = {}
        self.labels: dict[str, str] = {}
        self._links: dict[str, list[str]] = {}
        self._read_webkb()
        paths = sorted((data / "harvest" / "replicas").glob("*.sqlite"))
        self._replicas = {f"{path.stem}.test": Replica.open(path) for path in paths}
        self.made = self._make()
        self._bodies |= {url: (body.encode(), "") for url, body in self.made.pages.items()}
        self._hosts = {host(url) for url in self._bodies} | set(self._replicas)
        self._engine = self._index()
        self.known = [
            told | {"link": url}
            for url, told in sorted(self.made.listed.items())
            if share(seed, "registry", url) < REGISTERED
        ]
        self.registry = registry(self.known)

    def _read_webkb(self) -> None:
        path = self._data / "discover" / "webkb.sqlite"
        database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        rows = "SELECT url, label, mime, body FROM page WHERE university = 'misc'"
        for url, label, mime, body in database.execute(rows):
            self._bodies[url], self.labels[url] = (body, mime), label
        pairs = (
            "SELECT a.url, b.url FROM link JOIN page a ON a.rowid = source "
            "JOIN page b ON b.rowid = target WHERE a.university = 'misc' AND b.university = 'misc'"
        )
        for source, target in sorted(database.execute(pairs)):
            self._links.setdefault(source, []).append(target)
        database.close()

    def _make(self) -> Made:
        known = catalogues(self._data / "discover")
        names = halves(known)[1]
        random.Random(self._seed).shuffle(names)
        here = [known[name] for name in names]
        foreign = [one for one in abroad(self._data / "discover") if one["langs"][0] in WORDS]
        random.Random(self._seed).shuffle(foreign)
        maker = Maker(self._seed)
        for topic in TOPICS:
            mine = [one for one in here if topic in _topics(one)]
            theirs = [one for one in foreign if topic in _topics(one)]
            for one in (*mine[:REPOSITORIES], *theirs[:FOREIGN]):
                maker.repository(one, _topics(one))
            for one in mine[REPOSITORIES : REPOSITORIES + LOOK_ALIKES]:
                maker.look_alike(one)
        for one in [one for one in here if not _topics(one)][:ELSEWHERE]:
            maker.repository(one, ())
        maker.write()
        for number in range(NEWS):
            maker.news(number, [str(one["description"]) for one in here[:400]])
        recorded = [replica.start for replica in self._replicas.values()]
        others = [*maker.made.others, *sorted(self.labels)[::40], *recorded * 3]
        maker.hubs(HUBS, list(TOPICS), others)
        maker.lists(LISTS, self.labels)
        return maker.made

    def _index(self) -> Engine:
        """Return an engine that knows its part."""
        unknown = {
            name
            for name in {*map(host, self.made.homes), *map(host, self.labels)}
            if share(self._seed, "unknown", name) < UNKNOWN_HOSTS
        }
        texts, shown = {}, dict(self._links)
        for url in sorted(self._bodies):
            if url.endswith(".xml"):
                continue
            if url in self.made.pages:
                shown[url] = [link.url for link in links(self.body(url), url)]
            if host(url) not in unknown and share(self._seed, "indexed", url) < INDEXED:
                texts[url] = _text(self.body(url), self._bodies[url][1])
        for replica in self._replicas.values():
            if share(self._seed, "indexed", replica.start) < INDEXED:
                texts[replica.start] = _text(replica.answer(Request(url=replica.start)).body, "")
        thinned = {source: self._thinned(source, found) for source, found in shown.items()}
        return Engine(texts, thinned, self._seed, self._quota)

    def _thinned(self, source: str, found: Iterable[str]) -> list[str]:
        kept = (url for url in found if host(url) != host(source))
        return [u for u in kept if share(self._seed, "back", f"{source} {u}") < BACKLINKED]

    def body(self, url: str) -> bytes:
        """Return the bytes of a page."""
        body = self._bodies[url][0]
        return zlib.decompress(body) if url in self.labels else body

    def renew(self) -> None:
        """Give the services fresh quotas, for another run."""
        self._engine.calls.clear()

    @property
    def calls(self) -> int:
        """How often the services were asked since."""
        return self._engine.calls.total()

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        name = host(request.url)
        if reply := self._engine.answer(request):
            return reply
        if name == host(self.registry.origin):
            body = self.registry.respond(request.url)
            status = 404 if body is None else 200
            return Response(url=request.url, status=status, body=body or b"", sent="cached")
        if name == apis.DISCOVERY_HOST:
            asked = parse_qs(urlsplit(request.url).query).get("domains", [""])[0]
            return apis.discovery(self.made.repositories.get(asked), request)
        if name in self._replicas:
            return self._replicas[name].answer(request)
        if name not in self._hosts:
            return Response(url=request.url, error="dns")
        return self._page(request, f"http://{request.url.partition('://')[2]}")

    def _page(self, request: Request, url: str) -> Response:
        """Answer for a host that is here. url: the address, whatever the scheme was."""
        own = self.repository(host(url))
        if url in self._bodies and request.method != "POST":
            mime = self._bodies[url][1] or _mime(url)
            head = (("Content-Type", mime), *_extra(own))
            return Response(url=request.url, status=200, headers=head, body=self.body(url))
        if own and (reply := apis.answer(own, request, f"http://{host(url)}")):
            return reply
        if own and is_data_file(url):
            head = (("Content-Type", "text/csv"),)
            return Response(url=request.url, status=200, headers=head, body=b"id,value\n1,2\n")
        for other in (f"{url}/", f"{url}index.html", f"{url}/index.html"):
            if other in self._bodies:
                return Response(url=request.url, status=301, headers=(("Location", other),))
        return Response(url=request.url, status=404, headers=HTML, body=b"<p>Not found")

    def repository(self, name: str) -> Repository | None:
        """Return the portal of a host, or the one whose mirror it is."""
        return self.made.repositories.get(self.original(name))

    def original(self, name: str) -> str:
        """Return the host whose mirror a host is; itself where it is none."""
        return self.made.mirrors.get(name, name)

    def labelled(self, label: str) -> dict[str, list[str]]:
        """Return the pages of a label by host: the truth for sites."""
        found: dict[str, list[str]] = {}
        for url in sorted(self.labels):
            if label == self.labels[url]:
                found.setdefault(host(url).removeprefix("www."), []).append(url)
        return found

    @cached_property
    def truth(self) -> dict[str, Truth]:
        """All repositories by host, without mirrors: see `truth.Truth`."""
        homes = dict(self.made.homes) | dict.fromkeys(self.made.others, ())
        homes |= {replica.start: ("recorded",) for replica in self._replicas.values()}
        return census(self.answer, homes, self.made.repositories)

    @property
    def repositories(self) -> dict[str, tuple[str, ...]]:
        """The hosts from whose home page ten files are within three links: their topics."""
        return {name: told.topics for name, told in self.truth.items() if told.html}


def _topics(catalogue: dict[str, Any]) -> tuple[str, ...]:
    return tuple(topic for topic, theme in TOPICS.items() if theme in catalogue["topics"])


def _text(body: bytes, mime: str) -> tuple[str, str]:
    told = page_text(body, mime)
    return told.title, f"{told.meta} {told.text}"[:8_000]


def _mime(url: str) -> str:
    return "text/xml" if url.endswith(".xml") else "text/html; charset=utf-8"


def _extra(own: Repository | None) -> tuple[tuple[str, str], ...]:
    return FRAMES[own.software].headers if own and own.signed and own.software in FRAMES else ()
