"""What was discovered as a catalogue of catalogues in DCAT 3, written as Turtle."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from filon.page.url import parse
from filon.run.export.dcat import OWN, PREFIXES, licence
from filon.verbs.discover.found.site import Site

#: What is told as software and has no API of its own.
_NO_API = frozenset({"", "schema.org", "sitemap"})


def catalogue(sites: Iterable[Site], name: str, config: Mapping[str, Any], at_s: float) -> str:
    """Return the whole of it: the run is a dcat:Catalog, and so is each repository."""
    run = ox.NamedNode(f"{OWN}run:{quote(name, safe='')}")
    written = ox.serialize(_triples(run, sites, config, at_s), None, **_TURTLE)
    lines = (written or b"").decode("utf-8").splitlines(keepends=True)
    # The library has no order for them.
    prefixes = sorted(line for line in lines if line.startswith("@prefix"))
    return "".join([*prefixes, *lines[len(prefixes) :]])


_TURTLE: dict[str, Any] = {"format": ox.RdfFormat.TURTLE, "prefixes": PREFIXES}


def _triples(
    run: ox.NamedNode, sites: Iterable[Site], config: Mapping[str, Any], at_s: float
) -> Iterator[ox.Triple]:
    about = str(config.get("topic") or "") or "sites like the examples"
    yield ox.Triple(run, _a(), _name("dcat:Catalog"))
    yield ox.Triple(run, _name("dct:title"), ox.Literal(f"Discovered: {about}"))
    moment = datetime.fromtimestamp(at_s, UTC).isoformat(timespec="seconds")
    when = ox.Literal(moment, datatype=_name("xsd:dateTime"))
    yield ox.Triple(run, _name("dct:modified"), when)
    nodes = {ox.NamedNode(url): site for site in sites if (url := parse(site.url))}
    for node, site in nodes.items():
        link = "dcat:catalog" if site.kind == "repository" else "dcat:resource"
        yield ox.Triple(run, _name(link), node)
    for node, site in nodes.items():
        yield from _site(run, node, site)


def _site(run: ox.NamedNode, node: ox.NamedNode, site: Site) -> Iterator[ox.Triple]:
    is_catalogue = site.kind == "repository"
    yield ox.Triple(node, _a(), _name("dcat:Catalog" if is_catalogue else "dcat:Resource"))
    yield ox.Triple(node, _name("foaf:homepage"), node)
    yield ox.Triple(node, _name("dct:title"), ox.Literal(_text(site.title or site.site)))
    reason = f"Found because {site.why}."
    described = f"{reason} Verified: {site.verified}." if site.verified else reason
    yield ox.Triple(node, _name("dct:description"), ox.Literal(_text(described)))
    if site.licence:
        yield ox.Triple(node, *_licence(site.licence))
    if site.modified:
        yield ox.Triple(node, _name("dct:modified"), ox.Literal(_text(site.modified)))
    for name in ("rank", "files", "datasets", "score"):
        if number := getattr(site, name):
            yield ox.Triple(node, ox.NamedNode(f"{OWN}{name}"), ox.Literal(number))
    if site.software not in _NO_API:
        yield from _service(run, node, site)


def _service(run: ox.NamedNode, node: ox.NamedNode, site: Site) -> Iterator[ox.Triple]:
    """A portal whose software is known can be asked by its API."""
    service = ox.NamedNode(f"{node.value.partition('#')[0]}#service")
    yield ox.Triple(run, _name("dcat:service"), service)
    yield ox.Triple(service, _a(), _name("dcat:DataService"))
    yield ox.Triple(service, _name("dcat:endpointURL"), node)
    named = f"{site.software} of {site.title or site.site}"
    yield ox.Triple(service, _name("dct:title"), ox.Literal(_text(named)))
    yield ox.Triple(service, ox.NamedNode(f"{OWN}software"), ox.Literal(_text(site.software)))


def _licence(text: str) -> tuple[ox.NamedNode, ox.NamedNode | ox.Literal]:
    name, value = licence(text)
    address = name == "dct:license"
    return _name(name), ox.NamedNode(value) if address else ox.Literal(_text(value))


def _a() -> ox.NamedNode:
    return ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def _name(short: str) -> ox.NamedNode:
    prefix, _, name = short.partition(":")
    return ox.NamedNode(PREFIXES[prefix] + name)


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
