"""A small Linked Data web on loopback, with what is true of it, and a store that takes updates."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

from loopback import Page

TURTLE = {"Content-Type": "text/turtle"}
WORDS = "http://words.invalid/"


def turtle(body: str, **headers: str) -> Page:
    prefixes = f"@prefix w: <{WORDS}> .\n"
    return Page(body=(prefixes + body).encode(), headers={**TURTLE, **headers})


def chain(documents: int) -> dict[str, Page]:
    """Return a web of things that are sent on to their descriptions, and pages in between.

    Thing n mentions the things 2n and 2n+1, a page and something that is gone; each has a blank
    node with the same label.
    """
    pages = {"/robots.txt": Page(status=404)}
    for n in range(1, documents + 1):
        near = " , ".join(f"</id/{m}>" for m in (2 * n, 2 * n + 1) if m <= documents)
        said = f"</id/{n}> a w:Thing ; w:page </page/{n}> , </gone/{n}> ; w:part _:x ."
        said += f" _:x w:number {n} ."
        if near:
            said += f" </id/{n}> w:near {near} ."
        pages[f"/id/{n}"] = Page(status=303, headers={"Location": f"/doc/{n}"})
        pages[f"/doc/{n}"] = turtle(said)
        pages[f"/page/{n}"] = Page(body=b"<!doctype html><p>nothing for machines</p>")
    return pages


class Quad(NamedTuple):
    """A quad as texts: the names of nodes, the values of literals."""

    subject: str
    predicate: str
    object: str
    graph: str


def quads(path: Path) -> list[Quad]:
    """Read N-Quads as strictly as a store does."""
    read = ox.parse(path=str(path), format=ox.RdfFormat.N_QUADS)
    return [Quad(*(_text(term) for term in quad)) for quad in read]


def _text(term: Any) -> str:
    return str(term) if isinstance(term, ox.BlankNode) else str(term.value)


@dataclass
class Endpoint:
    """A store that takes updates: where, and what it was sent.

    refuse: the number of the update, from 1, that is answered with a 500.
    """

    url: str = ""
    store: ox.Store = field(default_factory=ox.Store)
    updates: int = 0
    refuse: int = 0
    password: str = ""


@contextmanager
def endpoint(refuse: int = 0, password: str = "") -> Iterator[Endpoint]:
    """Hold a store behind SPARQL updates until the block ends."""
    held = Endpoint(refuse=refuse, password=password)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            held.updates += 1
            if held.password and self.headers.get("Authorization") != held.password:
                self._end(401, b"who are you?")
            elif held.updates == held.refuse:
                self._end(500, b"out of order")
            elif self.headers["Content-Type"] != "application/sparql-update":
                self._end(415, b"")
            else:
                held.store.update(body)
                self._end(204, b"")

        def _end(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    held.url = f"http://127.0.0.1:{server.server_address[1]}/update"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield held
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
