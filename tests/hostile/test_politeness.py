"""Politeness, proven from the server's own log."""

import asyncio
from itertools import pairwise

from filon.core import Request
from filon.web import Live, Options, Polite
from hostile.server import Entry, Server

#: The two ends do not share a scheduler's tick; a request may be read this much sooner.
JITTER_S = 0.02


def gaps_s(log: list[Entry]) -> list[float]:
    return [after.t - before.t for before, after in pairwise(log)]


def test_spacing_is_kept_and_one_connection_used_with_many_requests_waiting() -> None:
    async def run() -> None:
        async with Server() as server:
            web = Polite(Live(Options(connect_to=(server.rule,))), delay_s=0.2)
            targets = ["/robots.txt", "/", "/data/1", "/vice/cookies", "/old", "/nowhere"]
            await asyncio.gather(*(web.fetch(Request(url=server.url(t))) for t in targets))
            await web.close()
            assert server.targets() == targets
            assert min(gaps_s(server.log)) >= 0.2 - JITTER_S
            assert (server.connections, server.most_connections) == (1, 1)

    asyncio.run(run())


def test_no_more_than_one_connection_is_open_even_when_answers_are_cut() -> None:
    async def run() -> None:
        async with Server() as server:
            web = Polite(Live(Options(connect_to=(server.rule,))), delay_s=0.05)
            cut = ("text/html",)
            urls = [server.url("/vice/endless"), server.url("/"), server.url("/data/1")] * 2
            await asyncio.gather(*(web.fetch(Request(url=url, unwanted=cut)) for url in urls))
            await web.close()
            assert len(server.log) == 6
            assert server.most_connections == 1

    asyncio.run(run())


def test_the_delay_that_robots_txt_asks_for_is_kept() -> None:
    async def run() -> None:
        async with Server() as server:
            web = Polite(Live(Options(connect_to=(server.rule,))), delay_s=0.0)
            requests = [Request(url=server.url("/"), delay_s=0.15) for _ in range(4)]
            await asyncio.gather(*map(web.fetch, requests))
            await web.close()
            assert min(gaps_s(server.log)) >= 0.15 - JITTER_S

    asyncio.run(run())


def test_retry_after_is_kept_for_the_host_that_asked_and_no_other() -> None:
    async def run() -> None:
        async with Server() as server:
            web = Polite(Live(Options(connect_to=(server.rule,))), delay_s=0.0)
            refusal = await web.fetch(Request(url=server.url("/vice/429-retry-after")))
            assert refusal.status == 429
            waiting = [server.url("/"), server.url("/", "other.test")]
            await asyncio.gather(*(web.fetch(Request(url=url)) for url in waiting))
            await web.close()
            times = {entry.host: entry.t for entry in server.log[1:]}
            assert times["hostile.test"] - server.log[0].t >= 1.0 - JITTER_S
            assert times["other.test"] - server.log[0].t < 0.5

    asyncio.run(run())


def test_every_request_is_sent_exactly_once_also_past_vices_with_eight_in_flight() -> None:
    async def run() -> None:
        vices = ["close-at-once", "reset", "close-in-body", "http-0.9", "204", "chunks-broken"]
        async with Server(tick_s=0.01) as server:
            web = Polite(Live(Options(connect_to=(server.rule,))), delay_s=0.0, per_host=8)
            targets = [f"/vice/{name}" for name in vices] * 10
            await asyncio.gather(*(web.fetch(Request(url=server.url(t))) for t in targets))
            await web.close()
            assert sorted(server.targets()) == sorted(targets)
            assert server.most_connections <= 8

    asyncio.run(run())
