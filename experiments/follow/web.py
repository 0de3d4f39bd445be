"""A Linked Data web in process: real descriptions, published as a plan says."""

import html
import random
from pathlib import Path

import pyoxigraph as ox

from experiments.follow import wild
from experiments.follow.graphs import descriptions
from experiments.follow.plan import PAGE, Place, Plan, draw
from filon.core import Request, Response

_RELATION = ox.NamedNode("http://purl.org/dc/terms/relation")
_TITLE = ox.NamedNode("http://purl.org/dc/terms/title")
_MENTIONS = (
    ox.NamedNode("http://xmlns.com/foaf/0.1/page"),
    ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#seeAlso"),
    ox.NamedNode("http://purl.org/dc/terms/source"),
    _RELATION,
    ox.NamedNode("http://xmlns.com/foaf/0.1/depiction"),
)
#: Other things that a description mentions beside those of its graph: a vocabulary's own links
#: lead upwards, and a web of them alone would fall to pieces.
RELATED = 2
_RDF_TYPES = {
    "text/turtle": (ox.RdfFormat.TURTLE, "ttl"),
    "application/rdf+xml": (ox.RdfFormat.RDF_XML, "rdf"),
    "application/ld+json": (ox.RdfFormat.JSON_LD, "jsonld"),
    "application/n-triples": (ox.RdfFormat.N_TRIPLES, "nt"),
}
#: Answers without RDF in types that often hold some.
_PLAIN = {
    "api": ("application/json", b'{"status": "ok", "items": []}'),
    "text": ("text/plain", b"A note: nothing to see here.\n" * 20),
    "feed": ("application/xml", b'<?xml version="1.0"?><rss version="2.0"><channel/></rss>'),
}
#: What the words around a description weigh.
_FILLER = "<p>" + "Lorem ipsum dolor sit amet, consectetur adipiscing elit. " * 20 + "</p>"


class LodWeb:
    """Answers as the hosts of a plan do, and knows the truth. Counts what it is asked.

    folder: ../shared/data/follow. seed: of the plan. part: which namespaces, of "tune" and
    "report", so that what was chosen on one is measured on the other. manner: of the plan, "hosts"
    (each with a few sections) or "wild" (resolvers, file hosts, many forms of names).
    """

    def __init__(
        self,
        folder: Path,
        *,
        seed: int,
        hosts: int = 1_200,
        things: int = 8_000,
        part: str = "report",
        manner: str = "hosts",
    ) -> None:
        told = descriptions(folder)
        names = _connected(told, _part(sorted(told), part), seed, things)
        self.plan: Plan = (wild.draw if manner == "wild" else draw)(names, seed, hosts)
        names = [name for name in names if name in self.plan.of_thing]
        self._triples = self._rewritten({name: told[name] for name in names}, seed)
        self.log: list[tuple[str, str]] = []

    def _rewritten(self, told: dict[str, list[ox.Triple]], seed: int) -> dict[str, list[ox.Triple]]:
        """Return descriptions with the URIs of this web, and with pages that they mention."""
        dice, urls = (
            random.Random(seed + 1),
            {name: place.url for name, place in self.plan.of_thing.items()},
        )
        pages = list(self.plan.pages)
        dice.shuffle(pages)
        share = len(pages) / max(1, len(told))
        rewritten, given, names = {}, 0.0, sorted(told)
        for name in names:
            triples = [_moved(triple, urls) for triple in told[name]]
            given += share
            while given >= 1 and pages:
                page = pages.pop()
                given -= 1
                predicate = _MENTIONS[-1] if page.endswith(".png") else dice.choice(_MENTIONS[:-1])
                triples.append(ox.Triple(ox.NamedNode(urls[name]), predicate, ox.NamedNode(page)))
            for other in dice.sample(names, RELATED):
                goal = ox.NamedNode(urls[other])
                predicate = dice.choice((_RELATION, _MENTIONS[1]))
                triples.append(ox.Triple(ox.NamedNode(urls[name]), predicate, goal))
            rewritten[name] = triples
        for name, url in urls.items():
            if name.startswith(PAGE):
                home, goal = ox.NamedNode(url), ox.NamedNode(urls[dice.choice(names)])
                title = ox.Literal(f"A page about {name}")
                rewritten[name] = [ox.Triple(home, _TITLE, title), ox.Triple(home, _RELATION, goal)]
        return rewritten

    # The truth.

    def relevant(self, url: str) -> bool:
        """Say whether a URL leads to a document with RDF."""
        place = self._place(url)[0]
        return place is not None and self.plan.has_rdf(place)

    def thing(self, url: str) -> str:
        """Return the thing that a document describes, "" where it describes none."""
        place = self._place(url)[0]
        return place.thing if place and self.plan.has_rdf(place) else ""

    def triples(self, thing: str) -> int:
        """Return how many triples describe a thing."""
        return len(self._triples[thing])

    @property
    def things(self) -> list[str]:
        """All things with a document that has RDF."""
        places = self.plan.of_thing.values()
        return [place.thing for place in places if self.plan.has_rdf(place)]

    def seeds(self, count: int, seed: int) -> list[str]:
        """Return URIs with RDF to start with, on about half as many hosts."""
        by_host: dict[str, list[str]] = {}
        for thing in self.things:
            url = self.plan.of_thing[thing].url
            by_host.setdefault(url.split("/")[2], []).append(url)
        dice = random.Random(seed + 2)
        hosts = dice.sample(sorted(by_host), min(len(by_host), max(1, count // 2)))
        urls = sorted(url for host in hosts for url in by_host[host])
        return dice.sample(urls, min(count, len(urls)))

    # The web.

    async def fetch(self, request: Request) -> Response:
        """Answer as the host does."""
        self.log.append((request.method, request.url))
        return self.answer(request)

    async def close(self) -> None:
        """Nothing is open."""

    def answer(self, request: Request) -> Response:
        """Return what the host says, without counting."""
        status, mime, body, location = self._say(request)
        headers = (("Content-Type", mime),) if mime else ()
        if location:
            headers = (*headers, ("Location", location))
        cut = "type" if body and any(_fits(mime, one) for one in request.unwanted) else ""
        whole = b"" if cut or request.method == "HEAD" else body
        return Response(
            url=request.url,
            status=status,
            headers=headers,
            body=whole,
            cut=cut,
            size_bytes=len(body),
            wire_bytes=len(whole),
            at_s=float(len(self.log)),
        )

    def _place(self, url: str) -> tuple[Place | None, str]:
        """Return the place that a URL belongs to, and the syntax where it is a data document."""
        base, _, ending = url.rpartition("~")
        if base and ending in ("ttl", "rdf", "jsonld", "nt", "htm"):
            return self.plan.places.get(base), ending
        return self.plan.places.get(url), ""

    def _say(self, request: Request) -> tuple[int, str, bytes, str]:
        place, ending = self._place(request.url)
        if place is None or place.profile == "missing":
            return 404, "text/html", b"<html><body>Not found</body></html>", ""
        if place.profile == "soft-missing":
            return 200, "text/html", b"<html><body>We could not find that.</body></html>", ""
        if place.profile == "image":
            return 200, "image/png", b"\x89PNG\r\n\x1a\n", ""
        if place.profile in _PLAIN:
            return 200, *_PLAIN[place.profile], ""
        if not place.thing or place.profile == "html":
            return 200, "text/html", self._html(""), ""
        return self._described(place, ending, request)

    def _described(
        self, place: Place, ending: str, request: Request
    ) -> tuple[int, str, bytes, str]:
        triples = self._triples[place.thing]
        if ending == "htm":
            return 200, "text/html", self._html(""), ""
        for mime, (syntax, name) in _RDF_TYPES.items():
            if ending == name:
                return 200, mime, _serialised(triples, syntax), ""
        profile = place.profile
        if profile == "negotiated":
            return 303, "", b"", f"{place.url}~{self._negotiated(request)}"
        if profile == "turtle":
            return 200, "text/turtle", _serialised(triples, ox.RdfFormat.TURTLE), ""
        if profile == "plain":
            return 200, "text/plain", _serialised(triples, ox.RdfFormat.TURTLE), ""
        if profile == "json":
            return 200, "application/json", _serialised(triples, ox.RdfFormat.JSON_LD), ""
        if profile == "xml":
            return 200, "application/xml", _serialised(triples, ox.RdfFormat.RDF_XML), ""
        if profile == "html+jsonld":
            block = _serialised(triples, ox.RdfFormat.JSON_LD).decode().replace("</", "<\\/")
            inside = f'<script type="application/ld+json">{block}</script>'
            return 200, "text/html", self._html(inside), ""
        if profile == "html+rdfa":
            return 200, "text/html", self._html(_rdfa(triples)), ""
        link = f'<link rel="alternate" type="text/turtle" href="{html.escape(place.url)}~ttl">'
        return 200, "text/html", self._html("", link), ""

    def _negotiated(self, request: Request) -> str:
        """Return the ending of the document that a host chooses by the Accept header."""
        accept = next((value for name, value in request.headers if name.lower() == "accept"), "*/*")
        host = request.url.split("/")[2]
        if host in self.plan.picky and "text/html" in accept:
            return "htm"
        offers = [(_weight(accept, mime), ending) for mime, (_, ending) in _RDF_TYPES.items()]
        best = max(weight for weight, _ in offers)
        if not best or ("text/html" in accept and best <= _weight(accept, "text/html")):
            return "htm"
        return next(ending for weight, ending in offers if weight == best)

    def _html(self, inside: str, head: str = "") -> bytes:
        return (
            f"<!DOCTYPE html><html><head><title>A page</title>{head}</head>"
            f"<body><nav><a href='/'>Home</a></nav>{_FILLER}{inside}</body></html>"
        ).encode()


def _part(names: list[str], part: str) -> list[str]:
    """Return the things of one part of the namespaces."""
    return [
        name
        for name in names
        if (sum(name.rpartition("/")[0].encode()) % 10 < 3) == (part == "tune")
    ]


def _connected(
    told: dict[str, list[ox.Triple]], names: list[str], seed: int, count: int
) -> list[str]:
    """Return so many things that mention each other, starting from some by chance."""
    dice, left, kept = random.Random(seed), dict.fromkeys(names), dict[str, None]()
    pending: list[str] = []
    while left and len(kept) < count:
        if not pending:
            pending.append(dice.choice(list(left)))
        thing = pending.pop(dice.randrange(len(pending)))
        if thing not in left:
            continue
        del left[thing]
        kept[thing] = None
        for triple in told[thing]:
            for term in (triple.subject, triple.object):
                if isinstance(term, ox.NamedNode) and term.value in left:
                    pending.append(term.value)
    return sorted(kept)


def _moved(triple: ox.Triple, urls: dict[str, str]) -> ox.Triple:
    subject, object_ = triple.subject, triple.object
    if isinstance(subject, ox.NamedNode) and subject.value in urls:
        subject = ox.NamedNode(urls[subject.value])
    if isinstance(object_, ox.NamedNode) and object_.value in urls:
        object_ = ox.NamedNode(urls[object_.value])
    return ox.Triple(subject, triple.predicate, object_)


def _serialised(triples: list[ox.Triple], syntax: ox.RdfFormat) -> bytes:
    return ox.serialize(triples, format=syntax) or b""


def _rdfa(triples: list[ox.Triple]) -> str:
    said = []
    for triple in triples:
        about, name = html.escape(_node(triple.subject)), html.escape(triple.predicate.value)
        if isinstance(triple.object, ox.Literal):
            value = html.escape(triple.object.value)
            said.append(f'<p about="{about}" property="{name}">{value}</p>')
        else:
            target = html.escape(_node(triple.object))
            said.append(f'<p about="{about}" rel="{name}" resource="{target}"></p>')
    return "".join(said)


def _node(term: object) -> str:
    if isinstance(term, ox.BlankNode):
        return f"_:{term.value}"
    return term.value if isinstance(term, ox.NamedNode) else ""


def _fits(mime: str, unwanted: str) -> bool:
    return mime == unwanted or (unwanted.endswith("/") and mime.startswith(unwanted))


def _weight(accept: str, mime: str) -> float:
    """Return the q-value that an Accept header gives to a type."""
    best = 0.0
    for part in accept.split(","):
        name, _, rest = part.strip().partition(";")
        quality = float(rest.strip().removeprefix("q=") or 1) if rest else 1.0
        if name.strip() in (mime, f"{mime.split('/')[0]}/*", "*/*"):
            best = quality if name.strip() == mime else max(best, quality)
            if name.strip() == mime:
                return quality
    return best
