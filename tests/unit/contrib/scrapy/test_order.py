from filon.contrib.scrapy.order import Order, Placed
from filon.core import Response
from filon.page.links import Link
from filon.page.types import Types

START = "http://a.test/"


def link(url: str, place: str = "li") -> Link:
    return Link(url, f"/html/body/{place}/a", "", "a")


def order(*urls: str, priority: int = 0, types: str = "csv") -> Order:
    made = Order(Types.parse(types) if types else None, START, "none")
    made.place([link(url) for url in urls], START, priority, Placed())
    return made


def csv(url: str) -> Response:
    headers = (("Content-Type", "text/csv"),)
    return Response(url=url, status=200, headers=headers, body=b"a,b\n1,2\n", size_bytes=8)


def html(url: str) -> Response:
    headers = (("Content-Type", "text/html"),)
    return Response(url=url, status=200, headers=headers, body=b"<html><p>x", size_bytes=10)


def test_what_looks_like_a_find_is_chosen_before_a_page() -> None:
    assert order("http://a.test/news.html", "http://a.test/d.csv").choose() == "http://a.test/d.csv"


def test_a_higher_priority_goes_before_a_better_look() -> None:
    waiting = order("http://a.test/d.csv")
    waiting.place([link("http://a.test/news.html")], START, 5, Placed())
    assert waiting.top == 5
    assert waiting.choose() == "http://a.test/news.html"
    assert waiting.top == 0


def test_while_little_is_known_the_next_answer_is_awaited() -> None:
    waiting = order("http://a.test/1.csv", "http://a.test/2.csv")
    first = waiting.choose()
    assert first
    assert waiting.choose() is None
    assert waiting.settle(first, csv(first), Placed(), None)
    assert waiting.choose() == "http://a.test/2.csv"


def test_where_nothing_tells_by_its_look_the_order_learns_from_what_came() -> None:
    waiting = order(types="")
    placed = Placed()
    for number in range(12):
        for place in ("dull", "good"):
            waiting.place([link(f"http://a.test/{place}/{number}", place)], START, 0, placed)
    chosen = []
    while url := waiting.choose():
        chosen.append("good" in url)
        waiting.settle(url, html(url), Placed(), "good" in url)
    assert len(chosen) == 24
    assert sum(chosen[:14]) >= 10


def test_pages_that_lead_to_files_are_preferred() -> None:
    waiting = order(*(f"http://a.test/{kind}/{n}/" for kind in ("x", "y") for n in range(10)))
    went = []
    while url := waiting.choose():
        placed = Placed()
        if "/y/" in url and url.endswith("/"):
            waiting.place([link(f"{url}{n}.csv", "td") for n in range(3)], url, 0, placed)
        went.append(url)
        waiting.settle(url, csv(url) if url.endswith("csv") else html(url), placed, None)
    assert len(went) == 20 + 30
    last = max(at for at, url in enumerate(went) if url.endswith("csv"))
    assert last < 46


def test_a_failure_is_no_find_and_nothing_waits_for_it() -> None:
    waiting = order("http://a.test/1.csv", "http://a.test/2.csv")
    url = waiting.choose()
    assert url
    assert not waiting.settle(url, Response(url=url, error="connect"), Placed(), None)
    assert waiting.choose()


def test_a_frame_is_asked_for_next() -> None:
    waiting = order("http://a.test/f/")
    url = waiting.choose()
    assert url
    placed = Placed()
    frame = Link("http://a.test/menu.html", "/html/frameset/frame", "", "frame")
    waiting.place([link("http://a.test/1.csv"), frame], url, 0, placed)
    waiting.settle(url, html(url), placed, None)
    assert waiting.choose() == "http://a.test/menu.html"
    waiting.settle("http://a.test/menu.html", html("http://a.test/menu.html"), Placed(), None)
    assert waiting.choose() == "http://a.test/1.csv"
    assert not len(waiting)


def test_what_was_learnt_is_kept_and_what_waits_is_not() -> None:
    waiting = order("http://a.test/1.csv", "http://a.test/2.csv", "http://a.test/x")
    url = waiting.choose()
    assert url
    waiting.settle(url, csv(url), Placed(), None)
    again = order()
    again.restore(waiting.state())
    assert again.choose() is None
    assert again.forecast.finds == 1
    again.place([link("http://a.test/x"), link("http://a.test/2.csv")], START, 0, Placed())
    assert again.choose() == "http://a.test/2.csv"
    assert again.kinds.left() >= 0
