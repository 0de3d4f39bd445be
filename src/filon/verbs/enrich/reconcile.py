"""Serve what a run has fetched to OpenRefine and other reconciliation clients."""

import asyncio
import html
import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from filon.core import Record
from filon.page.values import read_json
from filon.run import readonly
from filon.verbs.enrich.reconciler import Reconciler
from filon.verbs.enrich.records import meta, reading_book
from filon.web.serve import LOOPBACK, Reply, serve

#: Where a client is told to find the service, unless the user says otherwise.
PORT = 8001
_NOT_FOUND = Reply(b'{"error": "not found"}', status=404)


def desk_of(run_path: Path, port: int = PORT) -> "Desk":
    """Return a service over the records of an enrichment."""
    with reading_book(run_path) as book:
        about = meta(book)
        rows = book.execute("SELECT id, url, fields FROM records ORDER BY record").fetchall()
    records = [
        Record(id=row["id"], url=row["url"], fields=json.loads(row["fields"])) for row in rows
    ]
    source = about.get("source", "")
    title = f"{source}, as fetched for {Path(about.get('table', '')).name}"
    space = str(readonly.config(run_path).get("url") or "http://127.0.0.1/")
    name_field = about.get("name_field", "")
    return Desk(Reconciler(records, title=title, name_field=name_field, space=space), port)


class Desk:
    """The paths of a reconciliation service."""

    def __init__(self, reconciler: Reconciler, port: int = 0) -> None:
        self._reconciler = reconciler
        self.port = port

    @property
    def base(self) -> str:
        """The URL to give to a client."""
        return f"http://{LOOPBACK}:{self.port}"

    def answer(self, path: str, given: Mapping[str, str]) -> Reply:
        """Answer a request; what is not understood is told as a client's error."""
        try:
            return self._answer(path.rstrip("/"), given)
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            message = json.dumps({"error": f"not understood: {error}"})
            return Reply(message.encode(), status=400)

    def _answer(self, path: str, given: Mapping[str, str]) -> Reply:
        service = self._reconciler
        callback = given.get("callback", "")
        if path == "" and "queries" in given:
            return _said(service.reconcile(read_json(given["queries"])), callback)
        if path == "" and "extend" in given:
            return _said(service.extend(read_json(given["extend"])), callback)
        if path == "":
            return _said(service.manifest(self.base), callback)
        if path == "/properties":
            return _said(service.properties(), callback)
        if path.startswith("/suggest/"):
            kind = path.removeprefix("/suggest/")
            if kind in ("entity", "property", "type"):
                cursor = int(given.get("cursor") or 0)
                return _said(service.suggest(kind, given.get("prefix", ""), cursor), callback)
        if path in ("/view", "/preview"):
            record = service.record(given.get("id", ""))
            return Reply(_shown(record).encode(), "text/html") if record else _NOT_FOUND
        return _NOT_FOUND


async def offer(
    desk: Desk,
    *,
    ready: Callable[[str], None],
    halt: asyncio.Event | None = None,
    origins: Collection[str] = (),
) -> None:
    """Serve until halted; ready: called with the URL to give to a client.

    origins: whose pages may ask besides those of this machine.
    """

    def up(port: int) -> None:
        desk.port = port
        ready(desk.base)

    await serve(desk.answer, desk.port, ready=up, halt=halt or asyncio.Event(), origins=origins)


def _said(what: dict[str, Any], callback: str) -> Reply:
    text = json.dumps(what, ensure_ascii=False)
    if callback.isidentifier():  # older clients ask for JSONP
        return Reply(f"{callback}({text});".encode(), "application/javascript")
    return Reply(text.encode())


def _shown(record: Record) -> str:
    rows = "".join(
        f"<tr><th>{html.escape(field)}</th><td>{html.escape(value)}</td></tr>"
        for field, value in record.fields.items()
        if value
    )
    link = html.escape(record.url, quote=True)
    source = f'<p><a href="{link}">{link}</a></p>' if link.startswith("http") else ""
    return (
        '<!doctype html><meta charset="utf-8"><title>Record</title>'
        "<style>body{font:14px sans-serif}th{text-align:left;vertical-align:top;"
        f"padding-right:1em}}</style><table>{rows}</table>{source}"
    )
