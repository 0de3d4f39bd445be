"""A web of hundreds of hosts in one process: real pages, recorded sites, generated portals.

What is true of it is fixed when it is made, before any strategy runs: which hosts have pages of a
label, and from which home pages ten data files are within three links. Of WebKB only the pages of
the many small departments are here, of the catalogues only the half that nothing was learnt from.
"""

import random
import sqlite3
import zlib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from filon.bench.discover.engine import HOME, Engine, share
from filon.bench.discover.portals import Made, Maker
from filon.bench.discover.prior import catalogues, halves
from filon.bench.replica import Replica
from filon.core import Request, Response
from filon.page.datafile import is_data_file
from filon.page.links import links
from filon.page.text import page_text
from filon.page.url import host, key

#: The topics of the generated repositories, with the themes of the registry.
TOPICS = {
    "health": "eudatatheme:HEAL",
    "transport": "eudatatheme:TRAN",
    "education": "eudatatheme:EDUC",
}
REPOSITORIES, LOOK_ALIKES, NEWS, HUBS = 40, 30, 40, 30  # the first of each topic
#: What the engine knows: of the pages, of the backlinks; and the relevant hosts it knows not.
INDEXED, BACKLINKED, UNKNOWN_HOSTS = 0.7, 0.6, 0.15
HTML = (("Content-Type", "text/html"),)


class DiscoverWeb:
    """Answers for all its hosts and for the engine."""

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
        maker = Maker(self._seed)
        for topic, theme in TOPICS.items():
            mine = [known[name] for name in names if theme in known[name]["topics"]]
            for catalogue in mine[:REPOSITORIES]:
                maker.repository(catalogue, topic)
            for catalogue in mine[REPOSITORIES : REPOSITORIES + LOOK_ALIKES // len(TOPICS)]:
                maker.look_alike(catalogue)
        texts = [str(known[name]["description"]) for name in names[:400]]
        for number in range(NEWS):
            maker.news(number, texts)
        maker.partners()
        recorded = [replica.start for replica in self._replicas.values()]
        maker.hubs(HUBS, [*maker.made.others, *sorted(self.labels)[::40], *recorded * 3])
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
            if url in self.made.pages:
                shown[url] = [link.url for link in links(self.body(url), url)]
            if host(url) not in unknown and share(self._seed, "indexed", url) < INDEXED:
                texts[url] = self._text(url)
        for replica in self._replicas.values():
            if share(self._seed, "indexed", replica.start) < INDEXED:
                told = page_text(replica.answer(Request(url=replica.start)).body)
                texts[replica.start] = f"{told.meta} {told.text}"[:8_000]
        thinned = {source: self._thinned(source, found) for source, found in shown.items()}
        return Engine(texts, thinned, self._seed, self._quota)

    def _text(self, url: str) -> str:
        told = page_text(self.body(url), self._bodies[url][1])
        return f"{told.meta} {told.text}"[:8_000]

    def _thinned(self, source: str, found: Iterable[str]) -> list[str]:
        kept = (url for url in found if host(url) != host(source))
        return [u for u in kept if share(self._seed, "back", f"{source} {u}") < BACKLINKED]

    def body(self, url: str) -> bytes:
        """Return the bytes of a page."""
        body = self._bodies[url][0]
        return zlib.decompress(body) if url in self.labels else body

    def renew(self) -> None:
        """Give the engine a fresh quota, for another run."""
        self._engine.calls = 0

    @property
    def calls(self) -> int:
        """How often the engine was asked since."""
        return self._engine.calls

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        url, name = request.url, host(request.url)
        if url.startswith(HOME):
            return self._engine.answer(request)
        if name in self._replicas:
            return self._replicas[name].answer(request)
        if name not in self._hosts:
            return Response(url=url, error="dns")
        if url in self._bodies:
            mime = self._bodies[url][1] or "text/html"
            head = (("Content-Type", mime),)
            return Response(url=url, status=200, headers=head, body=self.body(url))
        for other in (f"{url}/", f"{url}index.html", f"{url}/index.html"):
            if other in self._bodies:
                return Response(url=url, status=301, headers=(("Location", other),))
        return Response(url=url, status=404, headers=HTML, body=b"<p>Not found")

    def labelled(self, label: str) -> dict[str, list[str]]:
        """Return the pages of a label by host: the truth for sites."""
        found: dict[str, list[str]] = {}
        for url in sorted(self.labels):
            if label == self.labels[url]:
                found.setdefault(host(url).removeprefix("www."), []).append(url)
        return found

    @cached_property
    def repositories(self) -> dict[str, str]:
        """The hosts from whose home page ten data files are within three links: their topic."""
        homes = dict(self.made.homes) | dict.fromkeys(self.made.others, "")
        homes |= {replica.start: "recorded" for replica in self._replicas.values()}
        return {host(url): topic for url, topic in homes.items() if self._leads(url)}

    def _leads(self, home: str) -> bool:
        files: set[str] = set()
        level, seen = [home], {key(home)}
        for _ in range(4):
            after = []
            for url in level:
                response = self.answer(Request(url=url))
                if response.redirects:
                    after.append(response.header("location"))
                    continue
                for link in links(response.body, url):
                    if is_data_file(link.url):
                        files.add(link.url)
                    elif host(link.url) == host(home) and key(link.url) not in seen:
                        seen.add(key(link.url))
                        after.append(link.url)
                if len(files) >= 10:
                    return True
            level = after
        return False
