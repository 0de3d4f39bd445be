"""Remote JSON-LD contexts: each is asked for once, kept, and the documents that wait read again.

All of it is bounded: how many contexts, how long they are and may take, and which documents
wait. A context that fails or hangs is not asked for again; its documents stay as they were read.
"""

import json
from dataclasses import dataclass
from typing import Any

from filon.core import Request, Response
from filon.core.forms import KEYS, LIST, Form, each, pairs, row
from filon.core.state import Stateful, stored
from filon.page.url import join
from filon.verbs.follow.rdf.jsonld import name, terms

#: Contexts of one run, and what each may weigh and take.
MOST, MOST_BYTES, MOST_S = 50, 1_000_000, 20.0
#: Documents that wait to be read again, and the longest of them.
WAITING, WAITING_BYTES = 50, 500_000
HOPS = 5
_ACCEPT = "application/ld+json, application/json;q=0.9"


@dataclass(slots=True)
class Waiting:
    """A document that names a context which is on its way."""

    url: str
    content_type: str
    body: bytes
    candidate: dict[str, Any]
    names: list[str]


class Contexts(Stateful):
    """The cache, and who waits for what. `known` is by `jsonld.name`, as readers want it."""

    STATE = (
        stored("known", pairs(Form(json.dumps, json.loads))),
        "failed",
        stored("_asked", KEYS),
        stored("_pending", KEYS),
        stored("_waiting", each(row(Waiting, names=LIST))),
    )

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}
        self.failed = 0
        self._asked: dict[str, None] = {}  # by name, as all that follows
        self._pending: dict[str, None] = {}
        self._waiting: list[Waiting] = []

    def want(self, missing: tuple[str, ...], waiting: Waiting) -> list[str]:
        """Let a document wait for contexts; return those to ask for."""
        urls = []
        for url in missing:
            if not url.startswith(("http://", "https://")) or name(url) in self._asked:
                continue
            if len(self._asked) < MOST:
                self._asked[name(url)] = self._pending[name(url)] = None
                urls.append(url)
        hoped = [one for one in dict.fromkeys(map(name, missing)) if one in self._pending]
        if hoped and len(self._waiting) < WAITING and len(waiting.body) <= WAITING_BYTES:
            waiting.names = hoped
            self._waiting.append(waiting)
        return urls

    def request(self, url: str) -> Request:
        """Return the request for a context."""
        headers = (("Accept", _ACCEPT),)
        return Request(url=url, headers=headers, max_bytes=MOST_BYTES, max_s=MOST_S)

    def moved(self, response: Response, hops: int) -> str:
        """Return where a context has moved to; "" where it has not, or too often."""
        if not response.redirects or hops >= HOPS:
            return ""
        return join(response.url, response.header("location"))

    def take(self, named: str, response: Response) -> list[Waiting]:
        """Keep a context by the name that documents use; return those that can be read now."""
        context = terms(response.body) if response.ok and not response.cut else {}
        if context:
            self.known[name(named)] = context
        else:
            self.failed += 1
        self._pending.pop(name(named), None)
        ready = []
        for one in self._waiting:
            if name(named) in one.names:
                one.names.remove(name(named))
                if not one.names:
                    ready.append(one)
        self._waiting = [one for one in self._waiting if one.names]
        return ready if self.known else []
