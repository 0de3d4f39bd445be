"""The scheduler without a reactor: the test plays the engine."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.request import RequestFingerprinter

from filon.contrib.scrapy import Scheduler

START = "http://a.test/"


class Small(Spider):
    name = "small"
    start_urls = [START]  # noqa: RUF012

    def other(self, response: Response, *_: object, **__: object) -> None: ...


class Engine:
    """Does with a scheduler what Scrapy's engine does, one request at a time."""

    def __init__(self, web: Mapping[str, Response], /, **settings: object) -> None:
        self.web = web
        self.crawler = Crawler(Small, {"FILON_PRIOR": "none", "FILON_TYPES": "csv", **settings})
        self.crawler.stats = MemoryStatsCollector(self.crawler)
        self.crawler.request_fingerprinter = RequestFingerprinter(self.crawler)
        self.downloader, self.scraper = (
            SimpleNamespace(active=set()),
            SimpleNamespace(slot=SimpleNamespace(active=set())),
        )
        self.crawler.engine = self  # type: ignore[assignment]
        self.scheduler = Scheduler.from_crawler(self.crawler)
        self.crawler.spider = self.spider = Small.from_crawler(self.crawler)
        self.scheduler.open(self.spider)

    def stat(self, name: str) -> Any:
        return self.crawler.stats.get_value(name) if self.crawler.stats else None

    def send(self) -> Request | None:
        """Let a request leave."""
        request = self.scheduler.next_request()
        if request:
            self.downloader.active.add(request)
        return request

    def answer(self, request: Request, items: int = 0) -> list[Request]:
        """Answer it; return what the spider asked for."""
        self.downloader.active.remove(request)
        response = self.web.get(request.url)
        if response is None:
            return []
        response.request = request
        notify = self.crawler.signals.send_catch_log
        notify(signals.response_received, response=response, request=request, spider=self.spider)
        self.scraper.slot.active.add(request)
        asked = list(self.parse(response))
        for each in asked:
            self.scheduler.enqueue_request(each)
        for item in range(items):
            notify(signals.item_scraped, item=item, response=response, spider=self.spider)
        self.scraper.slot.active.remove(request)
        return asked

    def parse(self, response: Response) -> Iterator[Request]:
        if isinstance(response, HtmlResponse):
            for href in response.css("a::attr(href)").getall():
                yield Request(response.urljoin(href), headers={"Referer": response.url})

    def crawl(self, most: int = 1000) -> list[str]:
        """Go on to the end; return what was asked for."""
        went: list[str] = []
        while len(went) < most and (request := self.send()):
            went.append(request.url.removeprefix(START))
            self.answer(request)
        return went


def page(path: str, *hrefs: str) -> HtmlResponse:
    items = "".join(f"<li><a href='{href}'>{href}</a>" for href in hrefs)
    body = f"<html><body><ul>{items}</ul>".encode()
    return HtmlResponse(START + path, body=body, headers={"Content-Type": "text/html"})


def csv(path: str) -> TextResponse:
    return TextResponse(START + path, body=b"a,b\n1,2\n", headers={"Content-Type": "text/csv"})


SITE = {
    each.url: each
    for each in (
        page("", "news.html", "data.html", "about.html"),
        page("news.html", *(f"news{n}.html" for n in range(8))),
        *(page(f"news{n}.html") for n in range(8)),
        page("data.html", *(f"d{n}.csv" for n in range(4))),
        *(csv(f"d{n}.csv") for n in range(4)),
        page("about.html"),
    )
}


@contextmanager
def begun(web: Mapping[str, Response] = SITE, /, **settings: object) -> Iterator[Engine]:
    engine = Engine(web, **settings)
    engine.scheduler.enqueue_request(Request(START, meta={"is_start_request": True}))
    yield engine
    engine.scheduler.close("finished")


def test_everything_is_asked_for_once_and_files_as_soon_as_they_are_known() -> None:
    with begun() as engine:
        went = engine.crawl()
    assert went[0] == ""
    assert sorted(went) == sorted(url.removeprefix(START) for url in SITE)
    at = went.index("data.html")
    assert sorted(went[at + 1 : at + 5]) == [f"d{n}.csv" for n in range(4)]
    assert not engine.scheduler.has_pending_requests()


def test_the_stats_are_those_of_scrapy_and_a_few_more() -> None:
    with begun() as engine:
        count = len(engine.crawl())
    for name in ("enqueued", "enqueued/memory", "dequeued", "dequeued/memory"):
        assert engine.stat(f"scheduler/{name}") == count
    assert engine.stat("filon/answers") == count
    assert engine.stat("filon/finds") == 4
    assert engine.stat("filon/finds_left_estimate") == 0


def test_the_dupefilter_decides_what_is_asked_for_again() -> None:
    with begun() as engine:
        assert not engine.scheduler.enqueue_request(Request(START))
        assert engine.scheduler.enqueue_request(Request(START, dont_filter=True))
        assert engine.crawl().count("") == 2


def test_priorities_are_kept() -> None:
    with begun() as engine:
        engine.crawl(1)
        for path, priority in (("x.csv", -1), ("dull.html", 9), ("form", 4)):
            method = "POST" if path == "form" else "GET"
            request = Request(START + path, priority=priority, method=method)
            engine.scheduler.enqueue_request(request)
        went = engine.crawl()
    assert went[:2] == ["dull.html", "form"]
    assert went[-1] == "x.csv"


def test_several_are_in_flight_only_when_something_is_known() -> None:
    with begun() as engine:
        first = engine.send()
        assert first
        assert engine.send() is None
        engine.answer(first)
        assert engine.send()
        assert engine.send() is None
        assert engine.scheduler.has_pending_requests()


def test_the_next_link_waits_for_what_a_page_that_is_being_read_leads_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = [1000.0]
    monkeypatch.setattr("filon.contrib.scrapy.scheduler.time.monotonic", lambda: now_s[0])
    with begun() as engine:
        monkeypatch.setattr(engine.scheduler._order, "_is_cold", lambda: False)
        engine.crawl(1)
        asked: list[Request | None] = []

        def parse(response: Response) -> Iterator[Request]:
            asked.append(engine.send())
            now_s[0] += 1.0  # a callback that takes its time keeps nobody waiting
            asked.append(engine.send())
            yield from Engine.parse(engine, response)

        monkeypatch.setattr(engine, "parse", parse)
        request = engine.send()
        assert request
        engine.answer(request)
    assert asked[0] is None
    assert asked[1] is not None


def test_a_failed_request_is_learnt_from_and_the_next_one_leaves() -> None:
    with begun({START: page("", "gone.csv", "also-gone.csv")}) as engine:
        assert len(engine.crawl()) == 3
    assert engine.stat("filon/answers") == 3
    assert engine.stat("filon/finds") is None


def test_a_redirect_goes_on_at_once_and_counts_for_the_link_that_led_there() -> None:
    web = {START: page("", "go", "b.html"), f"{START}there.csv": csv("there.csv")}
    with begun(web) as engine:
        engine.crawl(1)
        while (request := engine.send()) and request.url != f"{START}go":
            engine.answer(request)
        assert request
        engine.downloader.active.remove(request)
        moved = request.replace(
            url=f"{START}there.csv", dont_filter=True, meta={"redirect_urls": [request.url]}
        )
        engine.scheduler.enqueue_request(moved)
        assert engine.crawl()[0] == "there.csv"
    assert engine.stat("filon/finds") == 1
    assert engine.stat("filon/answers") == 3  # the start, the redirect with its goal, b.html


def test_what_a_redirect_leads_to_leaves_next_where_it_waits_already() -> None:
    links = ("go.csv", "y.csv", "z.csv", "there/")
    with begun({START: page("", *links), f"{START}there/": page("there/")}) as engine:
        engine.crawl(1)
        request = engine.send()
        assert request
        assert request.url == f"{START}go.csv"
        engine.downloader.active.remove(request)
        moved = request.replace(url=f"{START}there/", meta={"redirect_urls": [request.url]})
        assert not engine.scheduler.enqueue_request(moved)
        rest = engine.crawl()
    assert rest[0] == "there/"
    assert engine.stat("filon/answers") == 1 + len(links)


def test_another_try_of_less_priority_does_not_keep_everybody_waiting() -> None:
    with begun({START: page("", "a.html", "b.html")}) as engine:
        engine.crawl(1)
        request = engine.send()
        assert request
        engine.downloader.active.remove(request)
        engine.scheduler.enqueue_request(
            request.replace(dont_filter=True, priority=-1, meta={"retry_times": 1})
        )
        assert len(engine.crawl()) == 2
    assert engine.stat("filon/answers") == 3


def test_a_callback_may_hand_on_its_meta() -> None:
    with begun({START: page("", "a.html")}) as engine:
        request = engine.send()
        assert request
        request.meta["retry_times"] = 1
        engine.parse = lambda response: iter(  # type: ignore[method-assign]
            [Request(f"{START}next", meta=dict(request.meta))] if response.url == START else []
        )
        engine.answer(request)
        assert engine.crawl() == ["next"]
    assert engine.stat("filon/answers") == 2


def test_items_are_finds_where_the_setting_says_so() -> None:
    with begun(FILON_FINDS="items") as engine:
        while request := engine.send():
            engine.answer(request, items=2 if "news" in request.url else 0)
    assert engine.stat("filon/finds") == 9


def wanted(response: Response) -> bool:
    return "about" in response.url


@pytest.mark.parametrize("setting", [wanted, lambda response: "about" in response.url])
def test_a_function_says_what_a_find_is(setting: object) -> None:
    with begun(FILON_FINDS=setting) as engine:
        engine.crawl()
    assert engine.stat("filon/finds") == 1


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"FILON_FINDS": "itmes"}, "write 'items', or name a function"),
        ({"FILON_FINDS": 3}, "write 'items', or name a function"),
        ({"FILON_FINDS": "nowhere.at_all"}, "nowhere"),
        ({"FILON_TYPES": ""}, "No file type is named"),
        ({"FILON_TYPES": "cvs"}, "cvs"),
        ({"FILON_PRIOR": "nowhere.npz"}, "nowhere.npz"),
    ],
)
def test_a_setting_that_means_nothing_is_told_and_nothing_is_asked_for(
    settings: dict[str, object], says: str, caplog: pytest.LogCaptureFixture
) -> None:
    with begun(**settings) as engine:
        assert engine.crawl() == []
        assert not engine.scheduler.has_pending_requests()
        ended = engine.crawler.signals.send_catch_log(signals.spider_idle, dont_log=CloseSpider)
    assert [type(told.value) for _, told in ended] == [CloseSpider]
    (record,) = (record for record in caplog.records if record.levelname == "ERROR")
    assert says in record.getMessage()


def test_requests_that_are_no_links_of_a_page_are_learnt_by_their_callback() -> None:
    """An API lists pages: nothing of them stands on a page that could be read."""
    listing = TextResponse(START, body=b"[]", headers={"Content-Type": "application/json"})
    web: dict[str, Response] = {START: listing}
    web |= {f"{START}{n}": csv(str(n)) for n in range(0, 20, 2)}
    with begun(web) as engine:
        engine.parse = lambda response: (  # type: ignore[method-assign]
            Request(f"{START}{n}", callback=engine.spider.other if n % 2 else None)
            for n in range(20 if response.url == START else 0)
        )
        went = engine.crawl()
    assert len(went) == 21
    assert sum(int(path) % 2 == 0 for path in went[1:14]) == 10


def test_an_interrupted_job_goes_on_where_it_was(tmp_path: Path) -> None:
    job = {"JOBDIR": str(tmp_path)}
    with begun(**job) as engine:
        first = engine.crawl(6)
    again = Engine(SITE, **job)
    assert len(again.scheduler) == engine.stat("scheduler/enqueued") - 6
    assert again.scheduler._order.forecast.requests == 6
    rest = again.crawl()
    again.scheduler.close("finished")
    assert sorted(first + rest) == sorted(url.removeprefix(START) for url in SITE)
    assert engine.stat("scheduler/dequeued/disk") == 6


def test_a_killed_job_asks_again_for_what_was_in_flight(tmp_path: Path) -> None:
    job = {"JOBDIR": str(tmp_path)}
    engine = Engine(SITE, **job)
    engine.scheduler.enqueue_request(Request(START, meta={"is_start_request": True}))
    engine.crawl(2)
    flying = engine.send()
    assert flying
    # As after kill -9: files are closed, and nothing that was learnt is written.
    engine.scheduler._dupefilter.close("killed")
    engine.scheduler._store.close()
    again = Engine(SITE, **job)
    rest = again.crawl()
    again.scheduler.close("finished")
    assert flying.url.removeprefix(START) in rest
    assert len({*rest}) == len(rest) == len(SITE) - 2


def test_notes_that_cannot_be_read_are_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job = {"JOBDIR": str(tmp_path)}
    with begun(**job) as engine:
        engine.crawl(3)
        engine.scheduler._keep = lambda: engine.scheduler._store.learn(b"?")  # type: ignore[method-assign]
    again = Engine(SITE, **job)
    assert "left out" in caplog.text
    assert len(again.crawl()) == len(SITE) - 3
    again.scheduler.close("finished")
