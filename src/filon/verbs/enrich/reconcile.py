"""Serve records to OpenRefine and other reconciliation clients, in two versions of their API.

At the root stands version 0.2, which OpenRefine speaks; below `/1.0` the draft of 1.0. One address
cannot have both: their manifests say different things by the same words.
"""

import asyncio
import html
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from filon.core import FilonError, Record
from filon.core.background import in_thread
from filon.page.values import read_json
from filon.verbs.enrich.name_lookup import NameLookup, UnaskedError
from filon.verbs.enrich.reconciler import KINDS, NEW, OLD, TYPE, Question, Reconciler, question
from filon.web.serve import LOOPBACK, Reply, serve

#: Where a client is told to find the service, unless the user says otherwise.
PORT = 8001
#: Below it is the draft of the next version.
DRAFT = "/1.0"
_NOT_FOUND = Reply(b'{"error": "not found"}', status=404)
_STYLE = (
    "body{font:14px sans-serif;margin:8px}th{text-align:left;vertical-align:top;"
    "padding-right:1em}h1{font-size:16px}"
)


class Endpoint:
    """The paths of a reconciliation service.

    lookup: asks a service for what is not at hand; None: only what is at hand is offered.
    """

    def __init__(
        self, reconciler: Reconciler, port: int = 0, lookup: NameLookup | None = None
    ) -> None:
        self._reconciler = reconciler
        self.port = port
        self._lookup = lookup
        self._turn = asyncio.Lock()  # an index is made once, and by one thread

    @property
    def base(self) -> str:
        """The URL to give to a client."""
        return f"http://{LOOPBACK}:{self.port}"

    async def answer(self, path: str, given: Mapping[str, str]) -> Reply:
        """Answer a request; what is not understood is told as a client's error."""
        path, version = path.rstrip("/"), OLD
        if path == DRAFT or path.startswith(f"{DRAFT}/"):
            path, version = path.removeprefix(DRAFT), NEW
        try:
            if version == NEW:
                return await self._new(path, given)
            return await self._old(path, given)
        except UnaskedError as error:
            return _error(error.status, str(error))
        except FilonError as error:
            return _error(503, str(error))
        except KeyError as error:
            return _error(400, f"not understood: {error.args[0]} is lacking")
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            return _error(400, f"not understood: {error}")

    async def _old(self, path: str, given: Mapping[str, str]) -> Reply:
        service, callback = self._reconciler, given.get("callback", "")
        if path == "" and "queries" in given:
            batch = read_json(given["queries"])
            if not isinstance(batch, dict):
                raise ValueError("queries are an object, with a query under each of its names")
            found = await self._found([question(query) for query in batch.values()])
            results = {key: {"result": each} for key, each in zip(batch, found, strict=True)}
            return _said(results, callback)
        if path == "" and "extend" in given:
            return _said(service.extend(read_json(given["extend"])), callback)
        if path == "":
            return _said(service.manifest(self.base), callback)
        if path == "/properties":
            return _said(service.properties(_number(given, "limit")), callback)
        if path.startswith("/flyout/") and path.removeprefix("/flyout/") in KINDS:
            return self._flyout(path.removeprefix("/flyout/"), given.get("id", ""), callback)
        return await self._both(path, given, callback)

    async def _new(self, path: str, given: Mapping[str, str]) -> Reply:
        service = self._reconciler
        if path == "":
            return _said(service.manifest(self.base + DRAFT, NEW))
        if path in ("/match", "/reconcile"):  # as it was called in the first drafts
            batch = read_json(given["queries"])
            if not isinstance(batch, list) or not all(_has_conditions(each) for each in batch):
                raise ValueError("queries are a list of objects, each with conditions")
            found = await self._found([question(query) for query in batch])
            return _said({"results": [{"candidates": each} for each in found]})
        if path == "/extend":
            wanted = {name: read_json(given[name]) for name in ("ids", "properties")}
            return _said(service.extend(wanted, NEW))
        if path == "/extend/propose":
            return _said(service.properties(_number(given, "limit")))
        return await self._both(path, given)

    async def _both(self, path: str, given: Mapping[str, str], callback: str = "") -> Reply:
        """Answer what is the same in both versions."""
        service = self._reconciler
        if path.startswith("/suggest/") and path.removeprefix("/suggest/") in KINDS:
            kind, cursor = path.removeprefix("/suggest/"), _number(given, "cursor")
            async with self._turn:
                found = await in_thread(service.suggest, kind, given.get("prefix", ""), cursor)
            return _said(found, callback)
        if path in ("/view", "/preview"):
            record = service.record(given.get("id", ""))
            return _page(service.name(record), _shown(record)) if record else _NOT_FOUND
        if path == "/about":
            return _page(service.title, self._about())
        return _NOT_FOUND

    async def _found(self, questions: list[Question]) -> list[list[dict[str, Any]]]:
        """Return the candidates for each question."""
        service = self._reconciler
        if self._lookup is None:
            async with self._turn:
                return await in_thread(lambda: [service.candidates(asked) for asked in questions])
        known = {asked.name for asked in questions if service.record(asked.id)}
        names = [asked.name for asked in questions if asked.name not in known]
        brought = await self._lookup.ask(names)
        for records in brought.values():
            service.hold(records)
        return [service.candidates(asked, brought.get(asked.name, ())) for asked in questions]

    def _flyout(self, kind: str, id_: str, callback: str) -> Reply:
        """Answer with a small view of an entity, a property or a type."""
        record = self._reconciler.record(id_)
        if kind == "entity" and record is None:
            return _NOT_FOUND
        shown = _shown(record) if kind == "entity" and record else f"<p>{html.escape(id_)}</p>"
        if kind == "type" and id_ != TYPE["id"]:
            return _NOT_FOUND
        return _said({"id": id_, "html": shown}, callback)

    def _about(self) -> str:
        service = self._reconciler
        lines = [f"{len(service):,} records are at hand.", f"Fields: {service.fields_told()}"]
        lines += [f"Version {OLD}: {self.base}", f"Version {NEW}: {self.base}{DRAFT}"]
        lines += self._lookup.told() if self._lookup else ["No call is made to anybody."]
        return "".join(f"<p>{html.escape(line)}</p>" for line in lines)


async def offer(
    endpoint: Endpoint,
    *,
    ready: Callable[[str], None],
    halt: asyncio.Event | None = None,
    origins: Collection[str] = (),
) -> None:
    """Serve until halted; ready: called with the URL to give to a client.

    origins: whose pages may ask besides those of this machine.
    """

    def up(port: int) -> None:
        endpoint.port = port
        ready(endpoint.base)

    await serve(
        endpoint.answer, endpoint.port, ready=up, halt=halt or asyncio.Event(), origins=origins
    )


def _said(what: dict[str, Any], callback: str = "") -> Reply:
    text = json.dumps(what, ensure_ascii=False)
    if callback.isidentifier():  # older clients ask for JSONP
        return Reply(f"{callback}({text});".encode(), "application/javascript")
    return Reply(text.encode())


def _error(status: int, message: str) -> Reply:
    return Reply(json.dumps({"error": message}).encode(), status=status)


def _number(given: Mapping[str, str], name: str) -> int:
    try:
        return max(0, int(given.get(name) or 0))
    except ValueError:
        raise ValueError(f"{name} is a whole number") from None


def _has_conditions(query: Any) -> bool:
    return isinstance(query, dict) and bool(query.get("conditions"))


def _page(title: str, body: str) -> Reply:
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}'
    main = f"<main><h1>{html.escape(title)}</h1>{body}</main>"
    text = f"{head}</title><style>{_STYLE}</style>{main}</html>"
    return Reply(text.encode(), "text/html")


def _shown(record: Record) -> str:
    rows = "".join(
        f'<tr><th scope="row">{html.escape(field)}</th><td>{html.escape(value)}</td></tr>'
        for field, value in record.fields.items()
        if value
    )
    link = html.escape(record.url, quote=True)
    source = f'<p><a href="{link}">{link}</a></p>' if link.startswith(("http:", "https:")) else ""
    return f"<table>{rows}</table>{source}"
