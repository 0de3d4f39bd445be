"""The protocol of reconciliation clients, replayed over loopback."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from filon.core import MachineError, Record
from filon.verbs.enrich.reconcile import Desk, desk_of, offer
from filon.verbs.enrich.reconciler import Reconciler
from filon.verbs.enrich.records import Book, Fetched, write_book
from patience import PATIENCE_S

RECORDS = [
    Record(id="a", url="http://x.example/a", fields={"name": "Mali <b>", "capital": "Bamako"}),
    Record(id="b", fields={"name": "Malta", "capital": "Valletta"}),
]


def desk(port: int = 0) -> Desk:
    service = Reconciler(RECORDS, title="States", name_field="name", space="http://x.example/")
    return Desk(service, port)


def talk(*requests: tuple[str, dict[str, str], str]) -> list[tuple[int, str]]:
    """Send requests (path, parameters, method) to a service on loopback."""

    async def go() -> list[tuple[int, str]]:
        halt, up = asyncio.Event(), asyncio.get_running_loop().create_future()
        service = asyncio.create_task(offer(desk(), ready=up.set_result, halt=halt))
        base = await up
        try:
            return [await asyncio.to_thread(send, base, *request) for request in requests]
        finally:
            halt.set()
            await service

    return asyncio.run(go())


def send(base: str, path: str, parameters: dict[str, str], method: str) -> tuple[int, str]:
    body = urlencode(parameters).encode() if method == "POST" else None
    query = f"?{urlencode(parameters)}" if parameters and body is None else ""
    try:
        with urlopen(f"{base}{path}{query}", body, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode()
    except OSError as error:
        return getattr(error, "code", 0), ""


def told(answer: tuple[int, str]) -> Any:
    assert answer[0] == 200
    return json.loads(answer[1])


def test_a_client_finds_the_service_reconciles_and_extends_its_data() -> None:
    queries = json.dumps({"q0": {"query": "malta", "limit": 1}, "q1": {"query": "nowhere"}})
    wanted = json.dumps({"ids": ["b"], "properties": [{"id": "capital"}]})
    manifest, batch, proposed, rows = talk(
        ("/", {}, "GET"),
        ("/", {"queries": queries}, "POST"),
        ("/properties", {"type": "record"}, "GET"),
        ("/", {"extend": wanted}, "POST"),
    )
    assert told(manifest)["versions"] == ["0.2"]
    assert told(batch)["q0"]["result"][0]["id"] == "b"
    assert told(batch)["q1"] == {"result": []}
    assert {one["id"] for one in told(proposed)["properties"]} == {"name", "capital"}
    assert told(rows)["rows"] == {"b": {"capital": [{"str": "Valletta"}]}}


def test_queries_come_by_get_as_well_and_old_clients_get_jsonp() -> None:
    parameters = {"queries": json.dumps({"q0": {"query": "malta"}}), "callback": "take"}
    (answer,) = talk(("/", parameters, "GET"))
    assert answer[1].startswith("take({")
    assert answer[1].endswith("});")


def test_a_callback_that_is_no_name_is_not_echoed() -> None:
    (answer,) = talk(("/", {"callback": "alert(1)//"}, "GET"))
    assert told(answer)["name"] == "States"


def test_a_preview_shows_a_record_and_runs_nothing_that_it_holds() -> None:
    shown, missing = talk(("/preview", {"id": "a"}, "GET"), ("/preview", {"id": "z"}, "GET"))
    assert "Mali &lt;b&gt;" in shown[1]
    assert missing[0] == 404


def test_what_is_not_understood_is_the_clients_error() -> None:
    broken, unknown = talk(("/", {"queries": "{"}, "POST"), ("/elsewhere", {}, "GET"))
    assert (broken[0], unknown[0]) == (400, 404)


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    async def twice() -> None:
        halt, up = asyncio.Event(), asyncio.get_running_loop().create_future()
        first = asyncio.create_task(offer(desk(), ready=up.set_result, halt=halt))
        port = int((await up).rsplit(":", 1)[1])
        try:
            await offer(desk(port), ready=lambda base: None, halt=asyncio.Event())
        finally:
            halt.set()
            await first

    with pytest.raises(MachineError, match="cannot be had"):
        asyncio.run(twice())


def test_the_records_of_an_enrichment_can_be_served(tmp_path: Path) -> None:
    fetched = [
        Fetched(Record(id=f"b{n}", fields={"title": title, "year": str(1990 + n)}), 1, 1.0)
        for n, title in enumerate(["War and peace", "The idiot", "Dead souls"])
    ]
    meta = {"source": "box", "table": "books.csv", "name_field": "title"}
    write_book(tmp_path, Book(fetched=fetched, matches=[], meta=meta))
    served = desk_of(tmp_path)
    asked = {"queries": json.dumps({"q0": {"query": "Dead souls"}})}
    said = json.loads(served.answer("/", asked).body)
    assert said["q0"]["result"][0]["id"] == "b2"
    assert "books.csv" in json.loads(served.answer("/", {}).body)["name"]
