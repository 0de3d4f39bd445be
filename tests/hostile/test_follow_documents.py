"""Documents with every vice, followed: bounded, counted in the summary, never fatal."""

import asyncio
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from filon.core import Account, Budget, Request, Response, drive
from filon.run.checkpoint import Checkpoint, dump, load
from filon.testing.case import Memory
from filon.verbs.follow.strategies import Brief, build

SEED = "http://seed.example/start"
GOOD = "http://good.example/last"
every = pytest.mark.parametrize("name", ["bfs", "lode"])
Pages = dict[str, tuple[str, bytes]]


@dataclass
class Vicious:
    """A web of given pages; what redirects has its goal for a body. Others hang, or are missing."""

    pages: Pages
    asked: list[str] = field(default_factory=list)

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        if "hang" in request.url:
            return Response(url=request.url, error="timeout", at_s=float(len(self.asked)))
        mime, body = self.pages.get(request.url, ("", b""))
        found = request.url in self.pages
        status = 302 if mime == "redirect" else 200 if found else 404
        header = ("Location", body.decode()) if status == 302 else ("Content-Type", mime)
        bound = request.max_bytes or len(body)
        cut = len(body) > bound
        kept = b"" if status == 302 or (cut and not request.begins) else body[:bound]
        return Response(
            url=request.url,
            status=status,
            headers=(header,),
            body=kept,
            cut="budget" if cut else "",
            size_bytes=len(body),
            wire_bytes=len(kept),
            at_s=float(len(self.asked)),
        )

    async def close(self) -> None:
        pass


@dataclass
class Run:
    found: set[str]
    asked: list[str]
    told: dict[str, Any]
    state: bytes


def run(name: str, pages: Pages, links: Sequence[str], budget: int = 300) -> Run:
    """Follow a seed that links to some URLs and, last, to a good document; return what came."""
    objects = ", ".join(f"<{url}>" for url in [*links, GOOD])
    start = f"<#s> <http://v.example/p> {objects} .".encode()
    good = b"<#a> <http://v.example/p> <#b> ."
    web = Vicious({SEED: ("text/turtle", start), GOOD: ("text/turtle", good), **pages})
    strategy, memory = build(name, Brief(seeds=(SEED,), roles=("object",))), Memory()
    asyncio.run(drive(strategy, web, Account(Budget(requests=budget)), memory))
    state = dump(Checkpoint(state=strategy.state(), flying={}))
    build(name, Brief(seeds=(SEED,))).restore(load(state).state)
    found = {find.url for find in memory.finds}
    assert {SEED, GOOD} <= found
    return Run(found, web.asked, strategy.summary(), state)


BIG = "http://big.example/doc"


@every
@pytest.mark.parametrize("mime", ["text/turtle", "application/ld+json", "text/html"])
def test_a_literal_of_ten_megabytes_is_read(name: str, mime: str) -> None:
    text = "x" * 10_000_000
    body = {
        "text/turtle": f'<#a> <http://v.example/p> "{text}" .',
        "application/ld+json": f'{{"@id": "#a", "http://v.example/p": "{text}"}}',
        "text/html": f'<html><p about="#a" property="http://v.example/p">{text}</p></html>',
    }[mime]
    got = run(name, {BIG: (mime, body.encode())}, [BIG])
    assert BIG in got.found
    # The parser of JSON-LD has a buffer of its own, and stops when that is full.
    assert got.told["troubles"].get("broken", 0) == (mime == "application/ld+json")
    assert len(got.state) < 5_000_000


@every
def test_redirects_in_a_circle_and_without_end_are_left(name: str) -> None:
    pages = {f"http://r.example/{n}": ("redirect", b"/%d" % ((n + 1) % 3)) for n in range(3)}
    pages |= {f"http://e.example/{n}": ("redirect", b"/%d" % (n + 1)) for n in range(500)}
    pages["http://self.example/"] = ("redirect", b"http://self.example/")
    got = run(name, pages, ["http://r.example/0", "http://e.example/0", "http://self.example/"])
    assert len([url for url in got.asked if "r.example" in url]) == 3
    assert len([url for url in got.asked if "//e.example" in url]) <= 11
    assert got.told["troubles"]["redirects"] >= 1


@every
def test_a_hundred_thousand_triples_about_one_subject_are_read_within_bounds(name: str) -> None:
    rows = (f"<http://l.example/{n}>" for n in range(100_000))
    body = f"<#a> <http://v.example/p> {', '.join(rows)} .".encode()
    got = run(name, {BIG: ("text/turtle", body)}, [BIG], budget=30)
    assert BIG in got.found
    assert got.told["triples"] >= 100_000
    assert got.told["frontier"] <= 20_000
    assert len(got.state) < 20_000_000


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "ha">'
    + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
    + b']><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="http://v/">'
    b'<rdf:Description rdf:about="http://a/"><v:p>&a9;</v:p></rdf:Description></rdf:RDF>'
)


@every
@pytest.mark.parametrize("mime", ["application/rdf+xml", "text/xml", "text/html", "text/turtle"])
def test_a_billion_laughs_are_not_laughed(name: str, mime: str) -> None:
    tracemalloc.start()
    got = run(name, {BIG: (mime, LAUGHS)}, [BIG])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert BIG not in got.found
    assert peak < 100_000_000
    assert got.told["troubles"]["broken"] == 1


@every
def test_relative_names_without_a_base_are_taken_from_the_address(name: str) -> None:
    pages = {
        "http://rel.example/a/t": ("text/turtle", b"<x> <p> <../y> ."),
        "http://rel.example/a/n": ("application/n-triples", b"<x> <p> <y> .\n"),
        "http://rel.example/a/bad": (
            "text/turtle",
            b"@base <mailto:x> . <x> <p> <y>, <http://[> .",
        ),
        "http://rel.example/a/j": ("application/ld+json", b'{"@id": "x", "@type": "../z"}'),
    }
    got = run(name, pages, list(pages))
    assert "http://rel.example/a/t" in got.found
    assert "http://rel.example/y" in got.asked
    assert all(url.startswith("http") for url in got.asked)


@every
def test_contexts_that_hang_are_asked_for_once_and_counted(name: str) -> None:
    links = [f"http://ld.example/{n}" for n in range(100)]
    pages = {
        url: (
            "application/ld+json",
            b'{"@context": "http://hang.example/%d", "@id": "#x", "p": "v"}' % (at % 80),
        )
        for at, url in enumerate(links)
    }
    got = run(name, pages, links)
    hanging = [url for url in got.asked if "hang" in url]
    assert len(hanging) == len(set(hanging)) == 50
    assert got.told["shortcuts"]["contexts"] == {"kept": 0, "failed": 50}
    assert set(links) <= got.found


@every
def test_a_context_that_is_too_long_or_goes_in_circles_is_left(name: str) -> None:
    long = b'{"@context": {"p": "http://v.example/p", "x": "%s"}}' % (b"y" * 2_000_000)
    pages = {
        "http://ld.example/1": (
            "application/ld+json",
            b'{"@context": "/long", "@id": "#x", "p": 1}',
        ),
        "http://ld.example/long": ("application/ld+json", long),
        "http://ld.example/2": (
            "application/ld+json",
            b'{"@context": "/circle", "@id": "#x", "p": 1}',
        ),
        "http://ld.example/circle": ("redirect", b"/circle"),
    }
    got = run(name, pages, ["http://ld.example/1", "http://ld.example/2"])
    assert got.told["shortcuts"]["contexts"] == {"kept": 0, "failed": 2}
    assert len([url for url in got.asked if "circle" in url]) <= 7


@every
def test_catalogues_that_name_far_too_much_are_bounded(name: str) -> None:
    void = "@prefix void: <http://rdfs.org/ns/void#> . " + " ".join(
        f"<#{n}> void:sparqlEndpoint <http://hang{n}.example/s> . "
        f"<#d{n}> void:dataDump <http://d.example/{n}> ."
        for n in range(1_000)
    )
    endless = b'{"success": true, "result": {"count": 99999999, "results": [{"resources": []}]}}'
    ckan = "http://c.example/api/3/action/package_search"
    pages = {
        BIG: ("text/turtle", void.encode()),
        ckan: ("application/json", endless),
        **{f"{ckan}?rows=100&start={n}": ("application/json", endless) for n in range(20_000)},
    }
    got = run(name, pages, [ckan, BIG], budget=4_000)
    assert len([url for url in got.asked if url.startswith(ckan)]) <= 101
    assert len({url.split("/")[2] for url in got.asked if "hang" in url}) <= 200 + 800
    assert len([url for url in got.asked if "query=" in url]) <= 200


@every
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000,
        b'{"@context": ' * 5_000,
        b"<a>" * 100_000,
        b"\x1f\x8b\x08" + b"\0" * 1_000,
        b"PK\x03\x04" + b"\xff" * 100,
        b"BZh9" + b"\0" * 1_000,
        b"@prefix : <http://x/> . " + b"(" * 100_000,
        b"<html>" + b"<div typeof=x>" * 20_000,
        b'{"head": {"vars": ["s", "p", "o"]}, "results": {"bindings": [{"s": 1}, 2, {}]}}',
        b'{"success": true, "result": {"results": 7, "count": "x"}}',
    ],
)
@pytest.mark.parametrize("mime", ["text/turtle", "application/ld+json", "text/html", ""])
def test_nonsense_of_every_kind_is_survived(name: str, body: bytes, mime: str) -> None:
    run(name, {BIG: (mime, body)}, [BIG, "http://c.example/api/3/action/x"])
