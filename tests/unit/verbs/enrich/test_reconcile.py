"""The protocol of reconciliation clients, replayed over loopback."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from filon.core import MachineError, Record
from filon.verbs.enrich.reconcile import DRAFT, Endpoint, offer
from filon.verbs.enrich.reconciler import Reconciler
from patience import PATIENCE_S
from reconciliation import check

RECORDS = [
    Record(id="a", url="http://x.example/a", fields={"name": "Mali <b>", "capital": "Bamako"}),
    Record(id="b", fields={"name": "Malta", "capital": "Valletta"}),
]


def endpoint(port: int = 0) -> Endpoint:
    service = Reconciler(RECORDS, title="States", name_field="name", space="http://x.example/")
    return Endpoint(service, port)


def talk(
    *requests: tuple[str, dict[str, str], str],
    headers: dict[str, str] | None = None,
    body: bytes = b"",
    origins: tuple[str, ...] = (),
) -> list[tuple[int, str]]:
    """Send requests (path, parameters, method) to a service on loopback."""
    return [(status, text) for status, text, _ in _talk(requests, headers or {}, body, origins)]


def _talk(
    requests: Sequence[tuple[str, dict[str, str], str]],
    headers: dict[str, str],
    body: bytes = b"",
    origins: tuple[str, ...] = (),
) -> list[tuple[int, str, str]]:
    """The same, with whose pages may read the answer."""

    async def go() -> list[tuple[int, str, str]]:
        halt, up = asyncio.Event(), asyncio.get_running_loop().create_future()
        service = asyncio.create_task(
            offer(endpoint(), ready=up.set_result, halt=halt, origins=origins)
        )
        base = await up
        try:
            return [
                await asyncio.to_thread(send, base, *request, headers, body) for request in requests
            ]
        finally:
            halt.set()
            await service

    return asyncio.run(go())


def send(
    base: str,
    path: str,
    parameters: dict[str, str],
    method: str,
    headers: dict[str, str],
    body: bytes,
) -> tuple[int, str, str]:
    data = (body or urlencode(parameters).encode()) if method == "POST" else None
    query = f"?{urlencode(parameters)}" if parameters and data is None else ""
    request = Request(f"{base}{path}{query}", data, headers, method=method)
    try:
        with urlopen(request, timeout=PATIENCE_S) as answer:
            readers = answer.headers.get("Access-Control-Allow-Origin", "")
            return answer.status, answer.read().decode(), readers
    except OSError as error:
        return getattr(error, "code", 0), "", ""


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
    refine = {"Referer": "http://127.0.0.1:3333/project"}
    (answer,) = talk(("/", parameters, "GET"), headers=refine)
    assert answer[1].startswith("take({")
    assert answer[1].endswith("});")


def test_a_callback_that_is_no_name_is_not_echoed() -> None:
    here = {"Referer": "http://localhost:3333/"}
    (answer,) = talk(("/", {"callback": "alert(1)//"}, "GET"), headers=here)
    assert told(answer)["name"] == "States"


def test_a_preview_shows_a_record_and_runs_nothing_that_it_holds() -> None:
    shown, missing = talk(("/preview", {"id": "a"}, "GET"), ("/preview", {"id": "z"}, "GET"))
    assert "Mali &lt;b&gt;" in shown[1]
    assert missing[0] == 404


def test_what_is_not_understood_is_the_clients_error() -> None:
    broken, unknown = talk(("/", {"queries": "{"}, "POST"), ("/elsewhere", {}, "GET"))
    assert (broken[0], unknown[0]) == (400, 404)
    reply = asyncio.run(endpoint().answer("/", {"queries": "[]"}))
    assert reply.status == 400
    assert b"queries are an object" in reply.body


@pytest.mark.parametrize(
    "queries",
    ["{", "[1]", "7", "null", '"x"', "NaN", "[" * 100_000, '{"q": {"limit": "x"}}', '{"q": [[]]}'],
)
def test_no_query_breaks_the_service(queries: str) -> None:
    by_form, extended = talk(
        ("/", {"queries": queries}, "POST"), ("/", {"extend": queries}, "POST")
    )
    assert by_form[0] in (200, 400)
    assert extended[0] in (200, 400)


def test_a_limit_beyond_all_numbers_is_none() -> None:
    (answer,) = talk(("/", {"queries": '{"q": {"query": "malta", "limit": 1e999}}'}, "POST"))
    assert told(answer)["q"]["result"][0]["id"] == "b"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"queries": {"q0": {"query": "malta"}}}', 200),
        (b"{", 400),
        (b"[]", 400),
        (b"\xff\xfe", 400),
        (b"", 400),
        (b'{"queries": "{"}', 400),
    ],
)
def test_a_body_of_json_is_read_or_refused(body: bytes, status: int) -> None:
    sent = {"Content-Type": "application/json"}
    (answer,) = talk(("/", {"x": "y"}, "POST"), headers=sent, body=body or b" ")
    assert answer[0] == status
    assert status != 200 or told(answer)["q0"]["result"][0]["id"] == "b"


@pytest.mark.parametrize(
    ("path", "given", "sentence"),
    [
        ("/1.0/match", {}, "queries is lacking"),
        ("/1.0/extend", {"ids": "[]"}, "properties is lacking"),
        ("/", {"extend": "[]"}, "an object with ids and properties"),
        ("/suggest/entity", {"prefix": "m", "cursor": "x"}, "cursor is a whole number"),
    ],
)
def test_what_is_wrong_with_a_question_is_told_in_words_of_the_protocol(
    path: str, given: dict[str, str], sentence: str
) -> None:
    reply = asyncio.run(endpoint().answer(path, given))
    assert reply.status == 400
    assert sentence in json.loads(reply.body)["error"]


def test_a_form_in_a_charset_that_is_none_is_refused() -> None:
    sent = {"Content-Type": "application/x-www-form-urlencoded; charset=undefined"}
    (answer,) = talk(("/", {}, "POST"), headers=sent, body=b"queries=\xff")
    assert answer[0] == 400


@pytest.mark.parametrize(
    "name", ["evil.example", "evil.example:8001", "127.0.0.1.evil.example", ""]
)
def test_a_name_of_strangers_that_leads_here_is_refused(name: str) -> None:
    (answer,) = talk(("/", {}, "GET"), headers={"Host": name})
    assert answer[0] in (400, 421)


@pytest.mark.parametrize(
    ("page", "status", "readers"),
    [
        ("", 200, ""),
        ("http://127.0.0.1:3333", 200, "http://127.0.0.1:3333"),
        ("http://localhost:3333", 200, "http://localhost:3333"),
        ("https://evil.example", 403, ""),
        ("null", 403, ""),
    ],
)
def test_pages_of_this_machine_may_read_and_others_may_not(
    page: str, status: int, readers: str
) -> None:
    headers = {"Origin": page} if page else {}
    ((code, _, allowed),) = _talk([("/", {}, "GET")], headers)
    assert (code, allowed) == (status, readers)


@pytest.mark.parametrize("asked", ["https://refine.example", "*"])
def test_whose_pages_may_read_besides_can_be_asked_for(asked: str) -> None:
    page = {"Origin": "https://refine.example"}
    ((code, _, allowed),) = _talk([("/", {}, "GET")], page, origins=(asked,))
    assert (code, allowed) == (200, "https://refine.example")


@pytest.mark.parametrize("headers", [{}, {"Referer": "https://evil.example/"}])
def test_a_page_of_strangers_gets_no_script_to_run(headers: dict[str, str]) -> None:
    (answer,) = talk(("/", {"callback": "take"}, "GET"), headers=headers)
    assert told(answer)["name"] == "States"


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    async def twice() -> None:
        halt, up = asyncio.Event(), asyncio.get_running_loop().create_future()
        first = asyncio.create_task(offer(endpoint(), ready=up.set_result, halt=halt))
        port = int((await up).rsplit(":", 1)[1])
        try:
            await offer(endpoint(port), ready=lambda base: None, halt=asyncio.Event())
        finally:
            halt.set()
            await first

    with pytest.raises(MachineError, match="cannot be had: it is in use by another program"):
        asyncio.run(twice())


QUERIES = {"q0": {"query": "malta", "limit": 1}, "q1": {"query": "nowhere"}}
WANTED = {"ids": ["b", "z"], "properties": [{"id": "capital"}]}
CONDITIONS = [{"conditions": [{"matchType": "name", "propertyValue": "malta"}]}]


def test_every_answer_of_version_0_2_is_as_the_specification_demands() -> None:
    asked = {
        "manifest": ("/", {}, "GET"),
        "results": ("/", {"queries": json.dumps(QUERIES)}, "POST"),
        "properties": ("/properties", {"type": "record", "limit": "1"}, "GET"),
        "extend": ("/", {"extend": json.dumps(WANTED)}, "POST"),
    }
    for what, answer in zip(asked, talk(*asked.values()), strict=True):
        check("0.2", what, told(answer))
    kinds = {"entity": "b", "property": "capital", "type": "record"}
    suggested = talk(
        *((f"/suggest/{kind}", {"prefix": id_[0]}, "GET") for kind, id_ in kinds.items())
    )
    flown = talk(*((f"/flyout/{kind}", {"id": id_}, "GET") for kind, id_ in kinds.items()))
    for answer in suggested:
        check("0.2", "suggest", told(answer))
    for answer, id_ in zip(flown, kinds.values(), strict=True):
        check("0.2", "flyout", told(answer))
        assert told(answer)["id"] == id_
    assert "Valletta" in told(flown[0])["html"]


def test_every_answer_of_the_draft_of_1_0_is_as_the_specification_demands() -> None:
    asks = {"manifest": "", "properties": "/extend/propose?type=record"}
    asks |= {
        f"suggest {kind}": f"/suggest/{kind}?prefix=m" for kind in ("entity", "property", "type")
    }
    answers = talk(*((f"{DRAFT}{path}", {}, "GET") for path in asks.values()))
    for what, answer in zip(asks, answers, strict=True):
        check("1.0-draft", what.split()[0], told(answer))
    sent = {"Content-Type": "application/json"}
    body = json.dumps({"queries": CONDITIONS}).encode()
    for path in ("/match", "/reconcile"):
        (answer,) = talk((f"{DRAFT}{path}", {}, "POST"), headers=sent, body=body)
        check("1.0-draft", "results", told(answer))
        assert told(answer)["results"][0]["candidates"][0]["id"] == "b"
    (answer,) = talk(
        (f"{DRAFT}/extend", {}, "POST"), headers=sent, body=json.dumps(WANTED).encode()
    )
    check("1.0-draft", "extend", told(answer))


@pytest.mark.parametrize(
    "body",
    [
        b'{"queries": {"q0": {"query": "malta"}}}',
        b'{"queries": [{"type": "record"}]}',
        b'{"queries": [{"conditions": []}]}',
        b'{"queries": [{"conditions": [{"matchType": "name"}]}]}',
        b"{}",
    ],
)
def test_the_draft_refuses_queries_that_are_none(body: bytes) -> None:
    sent = {"Content-Type": "application/json"}
    (answer,) = talk((f"{DRAFT}/match", {}, "POST"), headers=sent, body=body)
    assert answer[0] == 400


def test_what_there_is_and_that_it_costs_nothing_is_told_on_a_page() -> None:
    about, unknown = talk(("/about", {}, "GET"), ("/flyout/entity", {"id": "z"}, "GET"))
    assert "No call is made" in about[1]
    assert unknown[0] == 404


@pytest.mark.parametrize(
    ("page", "status"), [("http://localhost:3333", 204), ("https://evil.example", 403)]
)
def test_a_browser_that_asks_before_it_sends_json_is_told(page: str, status: int) -> None:
    asked = {"Origin": page, "Access-Control-Request-Method": "POST"}
    ((code, _, readers),) = _talk([(f"{DRAFT}/match", {}, "OPTIONS")], asked)
    assert (code, readers) == (status, page if status == 204 else "")
