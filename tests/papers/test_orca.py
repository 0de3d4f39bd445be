"""ORCA's measures on its node types: all triples, nothing forbidden, every delay kept."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from experiments.follow.orca import KINDS, OrcaWeb, Visit
from experiments.follow.orca_trial import Outcome, follow, outcome, trial
from filon.core import Request
from filon.web.live import Live, Options
from filon.web.polite import Polite

every = pytest.mark.parametrize("strategy", ["bfs", "lode"])


def check(told: Outcome) -> None:
    assert set(told.recall) == set(KINDS)
    assert min(told.recall.values()) >= 0.95
    assert told.micro >= 0.95
    assert told.macro >= 0.95
    assert told.forbidden == 0


@every
@pytest.mark.parametrize("seed", range(5))
def test_nearly_all_triples_of_every_node_type_come_and_nothing_forbidden(
    strategy: str, seed: int
) -> None:
    told = trial(OrcaWeb(seed=seed), strategy, seed=seed)
    check(told)
    assert len(told.gaps) == 10
    assert min(told.gaps.values()) >= 1.0


@every
@pytest.mark.parametrize(("orders", "cap"), [(True, 10_000), (False, 500)])
def test_large_nodes_come_whole_and_in_few_requests(strategy: str, orders: bool, cap: int) -> None:
    web = OrcaWeb(seed=7, nodes=5, triples=2_500, orders=orders, cap=cap)
    check(trial(web, strategy))
    asked = [visit for visit in web.visits if visit.host.startswith("sparql")]
    assert len(asked) <= 3 + 2_500 // min(1_000, cap) + 4


def test_without_shortcuts_there_is_something_to_miss() -> None:
    told = trial(OrcaWeb(seed=1), "heuristic")
    assert min(told.recall["sparql"], told.recall["ckan"]) < 0.5


@contextmanager
def serving(web: OrcaWeb) -> Iterator[int]:
    """Serve an ORCA web on loopback, node by node as the Host header says."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            host = self.headers["Host"]
            url = f"http://{host}{self.path}"
            size = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(size)
            closed = self.path.startswith("/closed/")
            web.visits.append(Visit(host, url, time.monotonic(), closed))
            answer = web.answer(Request(url=url, method=self.command, body=body))
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        do_POST = do_GET  # noqa: N815  (the name that http.server calls)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_the_same_over_real_sockets() -> None:
    web = OrcaWeb(seed=3, nodes=5, triples=60, delay_s=0.2)

    async def run(port: int) -> Outcome:
        live = Live(Options(connect_to=(f"::127.0.0.1:{port}",)))
        harvest = await follow(web.seeds, Polite(live, 0.0), "lode", parallel=4)
        return outcome(web, harvest, web.visits)

    with serving(web) as port:
        told = asyncio.run(run(port))
    check(told)
    # The server's clock sees arrivals, and threads may be late: a fifth less is still kept.
    assert min(told.gaps.values()) >= 0.8
