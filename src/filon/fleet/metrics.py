"""How a fleet stands, in the text format that Prometheus reads (version 0.0.4)."""

import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

from filon.core import UserError
from filon.fleet.model import Member, Overview
from filon.fleet.store import Store
from filon.web.serve import listening

CONTENT = "text/plain; version=0.0.4; charset=utf-8"
#: To look at all sites may take so much of the time, and no more: who asks often is told again.
SHARE = 0.05
Sample = tuple[Mapping[str, str], float]


def metrics(seen: Overview, workers: Iterable[Member], statements: int = 0) -> str:
    """Return all figures of a fleet as text.

    statements: that this process has sent to the store.
    """
    alive = [worker for worker in workers if worker.is_alive]
    ended = {state: number for state, number in seen.states.items() if state}
    standing = {"held": seen.held, "open": seen.states.get("", 0) - seen.held, **ended}
    bounds = {name: bound for name, bound in seen.budget.items() if bound is not None}
    families: list[tuple[str, str, str, list[Sample]]] = [
        ("sites", "gauge", "Sites by how they stand.", _by("state", standing)),
        ("dead_letters", "gauge", "Sites that ended with a trouble.", _one(seen.dead_letters)),
        ("requests_total", "counter", "Requests that were sent.", _one(seen.requests)),
        ("bytes_total", "counter", "Bytes that were received.", _one(seen.bytes)),
        ("finds_total", "counter", "Files that were found.", _one(seen.finds)),
        ("cpu_seconds_total", "counter", "CPU time that sites took.", _one(seen.cpu_s)),
        ("stored_bytes", "gauge", "Bytes that are kept of sites.", _one(seen.stored_bytes)),
        ("budget", "gauge", "What may be spent in all.", _by("of", bounds)),
        ("drawn_requests", "gauge", "Of the budget, in use or spent.", _one(seen.drawn_requests)),
        ("drawn_bytes", "gauge", "Of the budget, in use or spent.", _one(seen.drawn_bytes)),
        ("lost_requests", "gauge", "Drawn by workers that died.", _one(seen.lost_requests)),
        ("paused", "gauge", "1: the fleet pauses.", _one(seen.is_paused)),
        ("workers", "gauge", "Workers that are alive.", _one(len(alive))),
        ("worker_sites", "gauge", "Sites that a worker holds.", _each(alive, "sites")),
        ("worker_flying", "gauge", "Requests without an answer yet.", _each(alive, "flying")),
        ("worker_memory_bytes", "gauge", "Memory of a worker.", _each(alive, "memory_bytes")),
        (
            "worker_requests_total",
            "counter",
            "Requests of a worker, as its commits tell.",
            _by("worker", {worker.name: worker.used_requests for worker in alive}),
        ),
        (
            "worker_quiet_seconds",
            "gauge",
            "Since a worker was heard.",
            _by("worker", {worker.name: worker.quiet_s for worker in alive}),
        ),
        ("statements_total", "counter", "Statements of this process.", _one(statements)),
    ]
    return "".join(
        line
        for name, kind, told, samples in families
        for line in _family(name, kind, told, samples)
    )


def _one(value: float) -> list[Sample]:
    return [({}, value)]


def _by(label: str, values: Mapping[str, float]) -> list[Sample]:
    return [({label: name}, value) for name, value in values.items()]


def _each(workers: Iterable[Member], name: str) -> list[Sample]:
    return _by("worker", {worker.name: getattr(worker.figures, name) for worker in workers})


def _family(name: str, kind: str, told: str, samples: list[Sample]) -> list[str]:
    full = f"filon_fleet_{name}"
    lines = [f"# HELP {full} {told}\n", f"# TYPE {full} {kind}\n"]
    for labels, value in samples:
        named = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        lines.append(
            f"{full}{{{named}}} {float(value)!r}\n" if named else f"{full} {float(value)!r}\n"
        )
    return lines


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


class Exporter:
    """Answers who scrapes, with figures that are as fresh as is cheap."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._text = ""
        self._until_s = float("-inf")

    async def answer(self, request: web.Request) -> web.Response:
        """Return the figures."""
        began_s = time.monotonic()
        if began_s >= self._until_s:
            seen, workers = await self._store.overview(), await self._store.workers()
            self._text = metrics(seen, workers, self._store.statements)
            took_s = time.monotonic() - began_s
            self._until_s = began_s + took_s / SHARE
        return web.Response(body=self._text.encode(), headers={"Content-Type": CONTENT})


def place_of(text: str) -> tuple[str, int]:
    """Return host and port; a UserError where a text names none.

    >>> place_of("9100"), place_of("[::]:9100")
    (('127.0.0.1', 9100), ('::', 9100))
    """
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal()) or int(port) > 65535:
        raise UserError(f"--metrics takes a port or HOST:PORT, not {text!r}.")
    return host.strip("[]") or "127.0.0.1", int(port)


@asynccontextmanager
async def metrics_served(store: Store, place: str) -> AsyncIterator[int]:
    """Serve the figures at PORT or HOST:PORT, under /metrics; yield the port; 0: any."""
    host, port = place_of(place)
    app = web.Application()
    app.router.add_get("/metrics", Exporter(store).answer)

    def taken(why: str) -> UserError:
        return UserError(f"Metrics cannot be served at {place}: {why}.")

    async with listening(app, host, port, taken) as at:
        yield at
