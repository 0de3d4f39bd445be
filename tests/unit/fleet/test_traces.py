"""Traces of a worker, by OpenTelemetry's own SDK: kept in memory, or sent to a collector here."""

import asyncio
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from experiments.fleet_web import Serving, hosts, serving
from filon.core import Budget, MachineError, UserError
from filon.fleet.blobs import FolderBlobs
from filon.fleet.model import Commit, Lease
from filon.fleet.ray_workers import TAKEN
from filon.fleet.settings import FleetSettings
from filon.fleet.site_list import site_of
from filon.fleet.store import opened
from filon.fleet.traces import EXPORTER, Spans, Traces, traces_here
from filon.fleet.worker import Worker

SITES = 2


@pytest.fixture
def kept() -> Any:
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    return memory.InMemorySpanExporter()


@pytest.fixture
def spans(kept: Any) -> Spans:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    return Spans(provider)


@pytest.fixture
def web() -> Iterator[Serving]:
    with serving(0.005) as web:
        yield web


def harvest(folder: Path, web: Serving, traces: Traces | None) -> None:
    """Let a worker harvest all sites."""
    settings = FleetSettings(delay=0.0, connect_to=(web.connect_to,), budget="1000")

    async def live() -> None:
        async with opened(str(folder / "fleet.sqlite"), lease_s=settings.lease) as store:
            await store.create(settings.config(), Budget.parse("1000"))
            await store.add(site_of(f"http://{host}/") for host in hosts(SITES))
            blobs = FolderBlobs(folder / "blobs")
            worker = Worker(store, blobs, folder / "w", settings, traces=traces)
            assert await worker.run() == "exhausted"

    asyncio.run(live())


def lease(name: str) -> Lease:
    return Lease(site=site_of(f"http://{name}/"), epoch=3)


def test_a_site_is_a_span_from_its_lease_to_its_end_and_commits_link_to_it(
    web: Serving, tmp_path: Path, kept: Any, spans: Spans
) -> None:
    harvest(tmp_path, web, spans)
    told = kept.get_finished_spans()
    sites = {span.attributes["filon.site"]: span for span in told if span.name == "site"}
    assert set(sites) == set(hosts(SITES))
    for span in sites.values():
        assert span.attributes["filon.epoch"] == 1
        assert span.attributes["filon.state"] == "exhausted"
        assert span.attributes["filon.requests"] > span.attributes["filon.finds"] > 0
        assert span.status.is_ok or span.status.is_unset
    linked = {link.context.span_id for span in told if span.name == "commit" for link in span.links}
    assert linked == {span.context.span_id for span in sites.values()}


def test_a_site_that_ended_with_a_trouble_or_was_lost_is_a_failure(kept: Any, spans: Spans) -> None:
    for name in ("dead.test", "lost.test", "back.test"):
        spans.leased("w1", lease(name))
    spans.ended(Commit(site="dead.test", epoch=3, state="nothing", note="It did not answer."))
    spans.lost("lost.test")
    spans.ended(Commit(site="back.test", epoch=3, release=True))
    spans.lost("back.test")  # which it is not: it was given back
    told = {span.attributes["filon.site"]: span.status for span in kept.get_finished_spans()}
    assert told["dead.test"].description == "It did not answer."
    assert told["lost.test"].description == "The lease was lost."
    assert [name for name, status in told.items() if not status.is_ok and not status.is_unset] == [
        "dead.test",
        "lost.test",
    ]


def test_a_commit_that_fails_is_told(kept: Any, spans: Spans) -> None:
    with pytest.raises(MachineError), spans.committing("w1", [Commit(site="a", epoch=1)]):
        raise MachineError("The store is away.")
    (span,) = kept.get_finished_spans()
    assert (span.name, span.status.is_ok) == ("commit", False)


def test_nothing_is_traced_unless_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(EXPORTER, raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)  # it is not even looked for
    assert type(traces_here()) is Traces
    monkeypatch.setenv(EXPORTER, "none")
    assert type(traces_here()) is Traces


def test_who_asks_without_the_extra_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EXPORTER, "otlp")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(UserError, match=r"pip install 'filon\[traces\]'"):
        traces_here()
    monkeypatch.setenv(EXPORTER, "zipkin")
    with pytest.raises(UserError, match="'zipkin': otlp, console and none are known"):
        traces_here()


def test_the_variables_go_with_workers_on_ray() -> None:
    assert EXPORTER.startswith(TAKEN)


def test_spans_reach_a_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    heard: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv(EXPORTER, "otlp")
        place = f"http://127.0.0.1:{server.server_address[1]}"
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", place)
        traces = traces_here()
        traces.leased("w1", lease("a.test"))
        traces.ended(Commit(site="a.test", epoch=3, state="exhausted"))
        traces.close()
        server.shutdown()
    ((path, body),) = heard
    assert path == "/v1/traces"
    assert b"filon-fleet" in body
    assert b"a.test" in body
