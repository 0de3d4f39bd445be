"""A scheduler of Scrapy that lets `vein` order the requests of a spider.

The spider, its callbacks and its middlewares know nothing of it. What the order is learnt from is
heard by Scrapy's own signals: which answer came, and how many items it gave. Requests arrive while
the callback of a page runs, one by one. When it has ended, the page is read once more for where
they stand on it, and what it led to is learnt.

What is no link of a page, as start requests, forms, redirects and what is tried again, leaves
before the links of its priority, in the order in which it came.
"""

import heapq
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.exceptions import CloseSpider
from scrapy.http import Response as Answer
from scrapy.utils.job import job_dir
from scrapy.utils.misc import build_from_crawler, load_object

from filon.contrib.scrapy.order import Order, Placed
from filon.contrib.scrapy.store import Store
from filon.core import FilonError, MachineError, Response
from filon.page.links import ALONE, Link, links
from filon.page.types import Types
from filon.page.url import key
from filon.run.checkpoint import Checkpoint, UnreadableError, dump, load

logger = logging.getLogger(__name__)
#: Answers after which what was learnt is written down.
CHECKPOINT_EVERY = 500
#: A page whose callback runs is worth waiting for: it mostly takes milliseconds. Not longer, as
#: its items may go through a pipeline that asks others.
WORTH_WAITING_S = 0.5
#: Says that an answer is a find which gave an item.
ITEMS = "items"
#: Where a request stands that is no link of the page it came from, by its callback; and the page
#: of one that came from none.
ELSEWHERE, NO_PAGE = "/request", "spider:"


@dataclass(slots=True)
class New:
    """A request that waits for the end of the callback that it came from.

    pages: those whose callbacks were running then.
    """

    id: int
    url: str
    referer: str
    pages: set[str]
    callback: str
    priority: int


@dataclass(slots=True)
class Flight:
    """A request that has left; url: its name in the order, "" where it is in none."""

    id: int
    url: str
    answer: Answer | None = None
    answered_s: float = 0.0
    items: int = 0
    found: bool | None = None
    placed: Placed = field(default_factory=Placed)

    @property
    def page(self) -> str:
        """The address of the answer, if there is one."""
        return self.answer.url if self.answer else ""


class Scheduler(BaseScheduler):
    """Hands out requests in the order of `vein`.

    FILON_TYPES says which answers are finds, as `filon harvest --types`. FILON_FINDS does so in its
    place: "items", or a function of an answer, by its name or itself. FILON_PRIOR is what `vein`
    knows of other sites, as `--prior`.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make a scheduler by the settings of a crawler."""
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        dupefilter = load_object(settings["DUPEFILTER_CLASS"])
        self._crawler = crawler
        self._dupefilter: BaseDupeFilter = build_from_crawler(dupefilter, crawler)
        self._finds: str | Callable[[Answer], object] | None = None
        self._is_refused = False
        self._tells_unkept = settings.getbool("SCHEDULER_DEBUG")
        self._flights: dict[Request, Flight] = {}
        self._going_on: dict[int, Flight] = {}  # redirected, or tried again, by the new number
        self._plain: list[tuple[int, int]] = []  # a heap: negative priority, number
        self._new: list[New] = []
        self._numbers: dict[str, int] = {}  # of what waits in the order, by address
        self._answers = 0

    def open(self, spider: Spider) -> Any:
        """Take up what an earlier session has left, and listen."""
        self._spider = spider
        connect = self._crawler.signals.connect
        try:
            self._begin(spider)
        except (FilonError, ValueError) as error:
            # From here an exception would lead to pages of Scrapy's own code and not to the end.
            logger.error("%s", error)
            self._is_refused = True
            connect(self._refuse, signal=signals.spider_idle)
            return None
        connect(self._hear_answer, signal=signals.response_received)
        connect(self._hear_item, signal=signals.item_scraped)
        return self._dupefilter.open()

    def _begin(self, spider: Spider) -> None:
        settings = self._crawler.settings
        self._finds = _finds(settings.get("FILON_FINDS"))
        types = None if self._finds else _types(settings.getlist("FILON_TYPES", ["data"]))
        starts = [url for url in getattr(spider, "start_urls", ()) if _is_web(url)]
        start = [*starts, "http://example.org/"][0]
        self._order = Order(types, start, settings.get("FILON_PRIOR", ""))
        self._store = Store(spider, job_dir(settings))
        self._take_up()

    def _refuse(self) -> None:
        raise CloseSpider("filon_settings")

    def close(self, reason: str) -> Any:
        """Learn from what came last, and write it down."""
        if not self._is_refused:
            self._settle(everything=True)
            self._keep()
            self._tell_forecast()
            self._store.close()
        return self._dupefilter.close(reason)

    def __len__(self) -> int:
        if self._is_refused:
            return 0
        return len(self._order) + len(self._plain) + len(self._new)

    def has_pending_requests(self) -> bool:
        """Tell whether anything waits."""
        return len(self) > 0

    # What comes in.

    def enqueue_request(self, request: Request) -> bool:
        """Take a request; False where the dupefilter knows it."""
        if self._is_refused:
            return False
        if not request.dont_filter and self._dupefilter.request_seen(request):
            self._dupefilter.log(request, self._spider)
            self._arrive(request)
            return False
        number, unkept = self._store.add(request)
        if unkept:
            self._tell_unkept(request, unkept)
        if file := getattr(self._dupefilter, "file", None):
            file.flush()  # what is known to be asked for has to be so after a kill, too
        self._count("enqueued", number)
        flight = self._stopover(request)
        if flight:
            self._going_on[number] = flight
        if flight or not self._is_link(request):
            heapq.heappush(self._plain, (-request.priority, number))
            return True
        referer, pages = _referer(request), {each.page for each in self._flights.values()} - {""}
        pages = {referer} & pages or pages
        callback = getattr(request.callback, "__name__", "parse")
        self._new.append(New(number, request.url, referer, pages, callback, request.priority))
        self._numbers[request.url] = number
        return True

    def _stopover(self, request: Request) -> Flight | None:
        """Return the flight of which a redirect, or another try, is the rest."""
        meta = request.meta
        origin = meta.get("redirect_urls", [request.url])[0]
        if not ("redirect_urls" in meta or "retry_times" in meta):
            return None
        # A callback may hand on the `meta` of its own answer, while that is still being scraped.
        for sent, flight in self._flights.items():
            begun = sent.meta.get("redirect_urls", [sent.url])[0]
            if begun == origin and flight.answer is None and not self._is_busy(sent):
                del self._flights[sent]
                self._store.done(flight.id)
                return flight
        return None

    def _arrive(self, request: Request) -> None:
        """Take note that a redirect leads to what was asked for, or waits: that is as good now."""
        flight = self._stopover(request)
        if flight and flight.url:
            self._order.arrive(flight.url, request.url)
            self._count_answer(is_find=False)

    def _is_link(self, request: Request) -> bool:
        """Tell whether a request can be rated by its address, which nothing else that waits has."""
        is_plain = request.method == "GET" and not request.body and _is_web(request.url)
        is_known = request.url in self._numbers or request.url in self._order
        is_start = request.meta.get("is_start_request") and not _referer(request)
        return is_plain and not is_known and not is_start

    # What goes out.

    def next_request(self) -> Request | None:
        """Return what is worth most; None: nothing waits, or an answer is to be awaited."""
        if self._is_refused:
            return None
        self._settle()
        top = self._order.top
        if self._plain and (top is None or -self._plain[0][0] >= top):
            return self._send_plain()
        if url := "" if self._is_reading() else self._order.choose():
            return self._send(self._numbers.pop(url), url)
        # What is awaited may be among these, as another try of less priority.
        return self._send_plain() if self._plain else None

    def _is_reading(self) -> bool:
        """Tell whether a page is about to say what it leads to."""
        since_s = time.monotonic() - WORTH_WAITING_S
        return any(flight.answered_s > since_s for flight in self._flights.values())

    def _send_plain(self) -> Request:
        return self._send(heapq.heappop(self._plain)[1], "")

    def _send(self, number: int, url: str) -> Request:
        request = self._store.take(number)
        flight = self._going_on.pop(number, None) or Flight(number, url)
        flight.id = number
        if not flight.url and request.url not in self._order and request.url not in self._numbers:
            flight.url = request.url
            self._order.send(request.url)
        self._flights[request] = flight
        self._count("dequeued", number)
        return request

    # What came of it.

    def _hear_answer(self, response: Answer, request: Request) -> None:
        if flight := self._flights.get(request):
            flight.answer, flight.answered_s = response, time.monotonic()
            if callable(self._finds):
                flight.found = False  # whatever becomes of the next line
                flight.found = bool(self._finds(response))

    def _hear_item(self, response: Answer | None) -> None:
        request = response.request if response is not None else None
        if request is not None and (flight := self._flights.get(request)):
            flight.items += 1

    def _is_busy(self, request: Request) -> bool:
        """Tell whether a request is on its way, or its answer is being scraped."""
        engine = self._crawler.engine
        scraping = engine.scraper.slot if engine else None
        is_scraped = scraping is not None and request in scraping.active
        return is_scraped or (engine is not None and request in engine.downloader.active)

    def _settle(self, *, everything: bool = False) -> None:
        """Learn from the requests whose answers have been scraped."""
        over = [sent for sent in self._flights if everything or not self._is_busy(sent)]
        for request in over:
            self._learn(request, self._flights.pop(request))
        if orphans := [one for one in self._new if not one.pages]:
            self._place([(one, one.referer or NO_PAGE, _nowhere(one)) for one in orphans], Placed())

    def _learn(self, request: Request, flight: Flight) -> None:
        response = _response(request, flight.answer)
        self._read(response, flight.placed)
        self._store.done(flight.id)
        if not flight.url:
            return
        found = flight.items > 0 if self._finds == ITEMS else flight.found
        is_find = self._order.settle(flight.url, response, flight.placed, found)
        self._count_answer(is_find=is_find)

    def _count_answer(self, *, is_find: bool) -> None:
        stats = self._crawler.stats
        stats.inc_value("filon/answers")
        if is_find:
            stats.inc_value("filon/finds")
        self._answers += 1
        if self._answers % CHECKPOINT_EVERY == 0:
            self._keep()

    def _read(self, response: Response, placed: Placed) -> None:
        """Place the requests that a page led to."""
        page = response.url
        perhaps = [one for one in self._new if page in one.pages]
        if not perhaps:
            return
        known = _links(response, {key(one.url) for one in perhaps})
        mine = []
        for one in perhaps:
            link = known.get(key(one.url))
            if link or len(one.pages) == 1:
                mine.append((one, page, link or _nowhere(one)))
            one.pages.discard(page)
        self._place(mine, placed)

    def _place(self, new: list[tuple[New, str, Link]], placed: Placed) -> None:
        """Let requests wait in the order, by where they stand on a page."""
        groups: dict[tuple[int, str], list[Link]] = {}
        for one, page, link in new:
            link = link._replace(url=one.url)
            groups.setdefault((one.priority, page), []).append(link)
            self._store.place(one.id, page, link)
        for (priority, page), found in groups.items():
            self._order.place(found, page, priority, placed)
        done = {one.id for one, _, _ in new}
        self._new = [one for one in self._new if one.id not in done]

    # Keeping and telling.

    def _take_up(self) -> None:
        if state := self._store.learnt:
            try:
                self._order.restore(load(state).state)
            except (UnreadableError, MachineError) as error:
                logger.warning("What was learnt before cannot be read, and is left out: %s", error)
        by_page: dict[tuple[int, str], list[Link]] = {}
        kept_before = self._store.kept()
        for kept in kept_before:
            if kept.link and kept.link.url not in self._numbers:
                self._numbers[kept.link.url] = kept.id
                by_page.setdefault((kept.priority, kept.page), []).append(kept.link)
            else:
                heapq.heappush(self._plain, (-kept.priority, kept.id))
        for (priority, page), found in by_page.items():
            self._order.place(found, page, priority, Placed())
        if kept_before:
            logger.info("Resuming crawl (%d requests scheduled)", len(kept_before))

    def _keep(self) -> None:
        self._store.learn(dump(Checkpoint(state=self._order.state())))

    def _tell_forecast(self) -> None:
        forecast = self._order.summary()["forecast"]
        left = round(forecast["mean"], 1) if forecast else None  # None: it is too early to tell
        self._crawler.stats.set_value("filon/finds_left_estimate", left)

    def _tell_unkept(self, request: Request, why: str) -> None:
        self._crawler.stats.inc_value("scheduler/unserializable")
        if self._tells_unkept:
            logger.warning("Unable to serialize request: %s - reason: %s", request, why)
            self._tells_unkept = False

    def _count(self, what: str, number: int) -> None:
        where = "disk" if self._store.is_on_disk(number) else "memory"
        for name in (f"scheduler/{what}", f"scheduler/{what}/{where}"):
            self._crawler.stats.inc_value(name)


def _finds(setting: object) -> str | Callable[[Answer], object] | None:
    """Return what FILON_FINDS says."""
    if not setting or setting == ITEMS:
        return ITEMS if setting else None
    try:
        function: object = load_object(setting) if isinstance(setting, str) else setting
    except (ImportError, NameError, ValueError):  # no module, nothing of that name, no name at all
        function = None
    if not callable(function):
        raise ValueError(
            f"FILON_FINDS is {setting!r}: write 'items', or name a function of a response, "
            "like 'myproject.finds.is_report'."
        )
    return function


def _types(words: list[str]) -> Types:
    return Types.parse(",".join(words))


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _referer(request: Request) -> str:
    return (request.headers.get("Referer") or b"").decode("latin-1")


def _nowhere(new: New) -> Link:
    """Return a link for a request that is none on its page, as one that was read off JSON."""
    return Link(new.url, f"{ELSEWHERE}/{new.callback}", "", "request")


def _response(request: Request, answer: Answer | None) -> Response:
    """Return an answer of Scrapy's as one of ours."""
    if answer is None:
        return Response(url=request.url, error="connect", at_s=time.time())
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in answer.headers.items()
        for value in values
    )
    return Response(
        url=answer.url,
        status=answer.status,
        headers=headers,
        body=answer.body,
        size_bytes=len(answer.body),
        wire_bytes=len(answer.body),
        at_s=time.time(),
    )


def _links(response: Response, names: set[str]) -> dict[str, Link]:
    """Return where on a page addresses of these names are linked first."""
    mime = response.header("content-type")
    if "html" not in mime:
        return {}
    found = links(
        response.body, response.url, mime, around=ALONE, wanted=lambda url: key(url) in names
    )
    return {key(link.url): link for link in reversed(found)}
