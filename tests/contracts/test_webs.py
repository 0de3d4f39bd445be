"""The contract of every Web: `filon.testing` on each class of the package that is one.

Those that stand before a server are in BUILDERS, and held to what only the network can do to them;
those that have their answers at hand are in AT_HAND. A class that is in neither is told.
"""

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from contracts.package import classes
from filon.compare.replica import Replica
from filon.core import Find, Request, Response, Step, Web
from filon.fleet.asked_hosts import AskedHosts
from filon.fleet.fence import Fence, Fenced, now_s
from filon.fleet.site_list import site_of
from filon.run.folder import RunFolder
from filon.testing import ToyDiscovery, ToySite, ToyTable, acheck_web, check_web
from filon.testing.site import HOST
from filon.verbs.acquire.known import Known
from filon.verbs.acquire.part import Lent
from filon.verbs.discover import DiscoverSettings
from filon.verbs.discover.job import DiscoverWeb
from filon.web import WEBS, Cached, Keyed, Live, Local, Options, Polite, QuotaCount, Split
from filon.web.cached import Cache
from filon.web.recorded import Recorded
from hostile.server import Server
from hostile.site import FILES
from patience import PATIENCE_S
from replicas import write_replica

Build = Callable[[Server], Awaitable[Web]]
Scene = Callable[[Web, Server], Awaitable[None]]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a web keeps, it keeps in a file of the folder at hand."""
    monkeypatch.chdir(tmp_path)


def options(server: Server) -> Options:
    host = urlsplit(server.url("/")).hostname
    return Options(connect_to=(f"{host}{server.rule}",), idle_s=2.0, head_s=4.0)


async def build_live(server: Server) -> Web:
    return Live(options(server))


async def build_polite(server: Server) -> Web:
    return Polite(Live(options(server)), delay_s=0.0)


async def build_keyed(server: Server) -> Web:
    return Keyed(Live(options(server)), {"KEY": "s3cr3t-t0ken"}, [server.url("/")])


async def build_cached(server: Server) -> Web:
    """Stand it where nothing is at hand: what is, is tested in unit/web/test_cached.py."""
    return Cached(Live(options(server)), Cache(Path("cache.sqlite")), since_s=float("inf"))


async def build_nearby(server: Server) -> Web:
    return Local(Live(options(server)), {"local.invalid": lambda url: None})


async def build_apart(server: Server) -> Web:
    return Split(Live(Options()), Live(options(server)), [server.url("/").rstrip("/")])


async def build_quota(server: Server) -> Web:
    allowed = {server.url("/").rstrip("/"): (1_000_000, 3600.0)}
    return QuotaCount(Live(options(server)), Path("quota.sqlite"), allowed)


BUILDERS: dict[str, Build] = {
    "split": build_apart,
    "cached": build_cached,
    "keyed": build_keyed,
    "live": build_live,
    "local": build_nearby,
    "polite": build_polite,
    "quota": build_quota,
}

every_web = pytest.mark.parametrize("name", sorted(WEBS))
ROWS = b"year,value\n" + b"2024,1\n" * 20


def at_hand_replica(folder: Path) -> tuple[Web, str]:
    site = write_replica(folder, pages={"rows.csv": ("text/csv", ROWS)})
    return Replica.open(site), "http://portal.test/rows.csv"


def at_hand_recorded(folder: Path) -> tuple[Web, str]:
    url, size = "http://site.test/rows.csv", len(ROWS)
    step = Step(request=Request(url=url))
    answer = Response(
        url=url,
        status=200,
        headers=(("Content-Type", "text/csv"),),
        body=ROWS,
        size_bytes=size,
        wire_bytes=size,
        at_s=1.7e9,
    )
    with RunFolder.create(folder / "run", {}) as run:
        run.record(run.begin(step), step, answer, [Find(kind="file", url=url)], idle=False)
    return Recorded(folder / "run"), url


def at_hand_toy(folder: Path) -> tuple[Web, str]:
    return ToySite(), f"{HOST}/files/0-0.csv"


def at_hand_ways(folder: Path) -> tuple[Web, str]:
    settings = DiscoverSettings(topic="rivers", cache=str(folder / "answers.sqlite"))
    return DiscoverWeb(settings, (), ToySite()), f"{HOST}/files/0-0.csv"


def at_hand_lent(folder: Path) -> tuple[Web, str]:
    return Lent(ToySite()), f"{HOST}/files/0-0.csv"


def at_hand_known(folder: Path) -> tuple[Web, str]:
    """Know a run that was told nothing: what one was told is tested in its own room."""
    return Known(ToySite(), folder / "nowhere"), f"{HOST}/files/0-0.csv"


def at_hand_fenced(folder: Path) -> tuple[Web, str]:
    """Stand behind a fence that is open: what a closed one does is tested in its own room."""
    fence = Fence(1.0)
    fence.extend(now_s(), 3600.0)
    return Fenced(ToySite(), fence), f"{HOST}/files/0-0.csv"


def at_hand_asked_hosts(folder: Path) -> tuple[Web, str]:
    """Take every host that is asked for: what a refusal does is tested in its own room."""
    url = f"{HOST}/files/0-0.csv"

    async def hold(places: Collection[str]) -> bool:
        return True

    return AskedHosts(ToySite(), site_of(url), hold, delay_s=0.0, by_name=True), url


#: Webs that need no server: how to make one in a folder, and what to ask it for.
AT_HAND: dict[type, Callable[[Path], tuple[Web, str]]] = {
    Recorded: at_hand_recorded,
    Replica: at_hand_replica,
    ToySite: at_hand_toy,
    DiscoverWeb: at_hand_ways,
    AskedHosts: at_hand_asked_hosts,
    Fenced: at_hand_fenced,
    Known: at_hand_known,
    Lent: at_hand_lent,
}


#: Webs of cases that answer what strategies ask them for, and hold no file to be had in parts.
OF_CASES = {ToyDiscovery, ToyTable}


def test_every_web_of_the_registry_can_be_built_here() -> None:
    assert set(BUILDERS) == set(WEBS)


def test_every_web_of_the_package_is_here() -> None:
    webs = {kind for kind in classes() if inspect.iscoroutinefunction(getattr(kind, "fetch", None))}
    # Services that cases ask in place of a web hold no file.
    services = {kind for kind in webs if kind.__module__.startswith("filon.testing.")} - {ToySite}
    assert webs - services == {*WEBS.values(), *AT_HAND}


@every_web
def test_it_keeps_the_contract(name: str) -> None:
    async def run() -> None:
        async with Server(tick_s=0.02) as server:
            await acheck_web(lambda: BUILDERS[name](server), server.url(FILES[0]))

    asyncio.run(asyncio.wait_for(run(), PATIENCE_S))


@pytest.mark.parametrize("kind", AT_HAND, ids=lambda kind: kind.__name__)
def test_what_is_at_hand_keeps_the_contract(kind: type, tmp_path: Path) -> None:
    web, url = AT_HAND[kind](tmp_path)

    async def make() -> Web:
        return web

    check_web(make, url)


@asynccontextmanager
async def standing(name: str) -> AsyncIterator[tuple[Web, Server]]:
    async with Server(tick_s=0.02) as server:
        web = await BUILDERS[name](server)
        try:
            yield web, server
        finally:
            await web.close()


def play(name: str, scene: Scene) -> None:
    async def run() -> None:
        async with standing(name) as (web, server):
            await asyncio.wait_for(scene(web, server), PATIENCE_S)

    asyncio.run(run())


@every_web
def test_an_answer_has_status_headers_body_size_and_time(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        before_s = time.time()
        answer = await web.fetch(Request(url=server.url(FILES[0])))
        assert (answer.url, answer.status) == (server.url(FILES[0]), 200)
        assert (answer.error, answer.cut, answer.spool) == ("", "", "")
        assert answer.mime == "text/csv"
        assert answer.body.startswith(b"row,value\n")
        assert answer.size_bytes == answer.wire_bytes == len(answer.body)
        assert before_s <= answer.at_s <= time.time()
        assert answer.took_s >= 0

    play(name, scene)


@every_web
def test_a_redirect_is_an_answer_of_its_own(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        answer = await web.fetch(Request(url=server.url("/old")))
        assert (answer.status, answer.header("location")) == (301, "/old/x")
        assert answer.redirects

    play(name, scene)


@every_web
@pytest.mark.parametrize(
    "vice", ["silent", "close-at-once", "http-0.9", "header-huge", "bomb-gzip"]
)
def test_a_remote_failure_is_a_response_and_never_an_exception(name: str, vice: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        answer = await web.fetch(Request(url=server.url(f"/vice/{vice}")))
        assert isinstance(answer, Response)
        assert answer.error
        assert answer.at_s > 0
        assert not answer.ok

    play(name, scene)


@every_web
def test_many_requests_at_once_are_all_answered(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        urls = [server.url(path) for path in FILES]
        answers = await asyncio.gather(*(web.fetch(Request(url=url)) for url in urls))
        assert [answer.url for answer in answers] == urls
        assert all(answer.ok for answer in answers)

    play(name, scene)


@every_web
def test_a_cancelled_request_stops_and_does_no_harm(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        task = asyncio.ensure_future(web.fetch(Request(url=server.url("/vice/silent"))))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait([task], timeout=PATIENCE_S)
        assert task.cancelled()
        answer = await web.fetch(Request(url=server.url(FILES[0])))
        assert answer.ok

    play(name, scene)


@every_web
def test_closing_is_possible_before_the_first_request_and_twice(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        await web.close()
        await web.close()

    play(name, scene)
