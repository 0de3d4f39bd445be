"""What a round looks at, in which order, and what it makes of the answers."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from filon.core import Find, Reason, Request, Response, Step
from filon.core.abilities import Reread
from filon.run.history import Look, Thing
from filon.verbs.refresh.outlook import Known, exposures
from filon.verbs.refresh.revisit import MOST_FAILED, Revisit, conditions

DAY_S = 86_400.0
NOW_S = 100 * DAY_S


class Inner:
    """Follows what it is shown, the newest first."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.waiting: list[Step] = []

    def asking(self, url: str) -> Request:
        return Request(url=url, headers=(("Accept", "any"),))

    def set_aside(self) -> None: ...

    def reread(self, step: Step, response: Response) -> Reread:
        self.shown.append(response.url)
        if response.mime == "text/html":
            reason = Reason(kind="target", expected=0.9, text="it is new")
            self.waiting.append(Step(request=Request(url=f"{response.url}new.csv"), reason=reason))
            return Reread([], 1, 0.9)
        return Reread([Find(kind="file", url=response.url)])

    def propose(self) -> Step | None:
        return self.waiting.pop() if self.waiting else None

    def observe(self, step: Step, response: Response) -> list[Find]:
        return [Find(kind="file", url=response.url)]

    def state(self) -> dict[str, Any]:
        return {"shown": [*self.shown]}

    def restore(self, state: dict[str, Any]) -> None:
        self.shown = [*state["shown"]]

    def summary(self) -> dict[str, Any]:
        return {}


def file(name: str, body: bytes = b"old", seen_s: float = NOW_S - DAY_S) -> Thing:
    url = f"http://a.test/{name}"
    return Thing(url=url, kind="file", at_s=seen_s, sha256=sha256(body).hexdigest())


def page(name: str, weight: float = 1.0) -> Thing:
    url = f"http://a.test/{name}"
    return Thing(url=url, kind="page", at_s=NOW_S - DAY_S, weight=weight, gist="other")


def revisit(*things: Thing, looks: tuple[Look, ...] = (), pages: int = 9) -> tuple[Revisit, Inner]:
    inner = Inner()
    known = Known(things=things, looks=looks, now_s=NOW_S, pages=pages)
    return Revisit(inner, known), inner


def answer(url: str, body: bytes = b"", status: int = 200, **headers: str) -> Response:
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url=url, status=status, headers=pairs, body=body, size_bytes=len(body))


def asked(strategy: Revisit) -> list[str]:
    """Return what is proposed until nothing more is, all of it unchanged."""
    order = []
    while step := strategy.propose():
        order.append(step.request.url.removeprefix("http://a.test/"))
        strategy.observe(step, answer(step.request.url, status=304))
    return order


def test_what_changes_often_comes_first() -> None:
    things = [file(f"{name}/{n}") for name in ("calm", "busy") for n in range(25)]
    looks = tuple(
        Look(
            url=thing.url,
            kind="file",
            round=1,
            tau_s=DAY_S,
            outcome="changed" if "busy" in thing.url else "same",
        )
        for thing in things
        for _ in range(4)
    )
    strategy, _ = revisit(*things, looks=looks)
    order = asked(strategy)
    assert len(order) == len(set(order)) == 50
    assert {name.partition("/")[0] for name in order[:20]} == {"busy"}


def test_what_was_seen_long_ago_comes_first() -> None:
    strategy, _ = revisit(file("late"), file("early", seen_s=0.0), file("later"))
    assert asked(strategy)[0] == "early"


def test_of_pages_those_that_lead_to_files_and_no_more_than_asked_for() -> None:
    strategy, _ = revisit(page("0", 0.0), page("9", 9.0), page("4", 4.0), pages=2)
    assert asked(strategy) == ["9", "4"]


@pytest.mark.parametrize(
    ("body", "status", "finds"), [(b"old", 200, 0), (b"new", 200, 1), (b"", 404, 0), (b"", 503, 0)]
)
def test_a_file_is_a_find_where_it_changed(body: bytes, status: int, finds: int) -> None:
    strategy, inner = revisit(file("a.csv"))
    step = strategy.propose()
    assert step
    found = strategy.observe(step, answer(step.request.url, body, status))
    assert len(found) == len(inner.shown) == finds
    assert strategy.propose() is None


@pytest.mark.parametrize(("status", "looks"), [(503, MOST_FAILED), (429, MOST_FAILED), (403, 30)])
def test_a_host_that_only_fails_is_left_alone(status: int, looks: int) -> None:
    other = replace(file("x"), url="http://b.test/x")
    strategy, _ = revisit(*(file(f"{n}.csv") for n in range(30)), other)
    steps = []
    while step := strategy.propose():
        steps.append(step.request.url)
        is_other = step.request.url == other.url
        strategy.observe(step, answer(step.request.url, status=304 if is_other else status))
    assert other.url in steps
    assert len(steps) == looks + 1


def test_a_page_that_changed_is_read_and_what_is_new_is_asked_for() -> None:
    strategy, inner = revisit(page("list/"), file("a.csv"))
    steps = [strategy.propose(), strategy.propose()]
    (first,) = [step for step in steps if step and step.request.url.endswith("list/")]
    strategy.observe(first, answer(first.request.url, b"<p>new", content_type="text/html"))
    assert inner.shown == ["http://a.test/list/"]
    step = strategy.propose()
    assert step
    assert step.request.url == "http://a.test/list/new.csv"
    assert strategy.observe(step, answer(step.request.url, b"x"))


def test_where_a_file_is_sent_on_to_is_asked_for() -> None:
    strategy, _ = revisit(file("a.csv"))
    step = strategy.propose()
    assert step
    assert not strategy.observe(step, answer(step.request.url, status=301, location="/b.csv"))
    moved = strategy.propose()
    assert moved
    assert (moved.request.url, moved.parent) == ("http://a.test/b.csv", "http://a.test/a.csv")
    assert strategy.observe(moved, answer(moved.request.url, b"old"))


def test_a_long_answer_is_kept_and_compared_later() -> None:
    strategy, _ = revisit(file("a.csv"))
    step = strategy.propose()
    assert step
    long = Response(url=step.request.url, status=200, body=b"old", size_bytes=99, spool="part")
    assert len(strategy.observe(step, long)) == 1


@pytest.mark.parametrize("thing", [file("a.csv"), page("list/")])
def test_an_answer_that_was_cut_tells_nothing(thing: Thing) -> None:
    strategy, inner = revisit(thing)
    step = strategy.propose()
    assert step
    before = strategy.summary()
    cut = replace(answer(step.request.url, b"<p>new", content_type="text/html"), cut="budget")
    assert not strategy.observe(step, cut)
    assert not inner.shown
    assert strategy.summary() == before  # neither changed nor unchanged


def test_the_server_is_asked_for_what_changed_since() -> None:
    thing = Thing(url="http://a.test/", kind="file", at_s=0.0, etag='"1"', modified="Mon")
    assert dict(conditions(thing)) == {"If-None-Match": '"1"', "If-Modified-Since": "Mon"}
    gone = Thing(url="http://a.test/", kind="file", at_s=0.0, etag='"1"', is_gone=True)
    assert conditions(gone) == ()


def test_the_time_of_a_page_with_many_files_runs_faster() -> None:
    few, many, plain = exposures([page("a", 1.0), page("b", 3.0), file("c")])
    assert many > few
    assert plain == 1.0


def test_what_a_portal_says_has_changed_comes_first_and_the_rest_is_left() -> None:
    things = [file(f"{n}.csv") for n in range(30)]
    things.append(replace(file("part.csv"), parent="http://a.test/set"))
    strategy, _ = revisit(*things, page("list/"))
    changed = {"http://a.test/7.csv", "http://a.test/set", "http://a.test/unknown.csv"}
    same = {thing.url for thing in things[:20]}
    strategy.hear_changes(changed, same)
    step = strategy.propose()
    assert step
    assert "a list says that it has changed" in step.reason.text
    strategy.observe(step, answer(step.request.url, status=304))
    order = [step.request.url.removeprefix("http://a.test/"), *asked(strategy)]
    assert set(order[:2]) == {"7.csv", "part.csv"}
    assert set(order[2:]) == {*(f"{n}.csv" for n in range(20, 30)), "list/"}


def test_the_dates_of_a_sitemap_say_where_to_look() -> None:
    things = [file(f"{n}.csv") for n in range(40)]
    sitemap = Thing(url="http://a.test/sitemap.xml", kind="list", at_s=0.0, gist="other")
    strategy, _ = revisit(*things, sitemap)
    seen, later = "1970-04-01", "1970-04-12"  # each was seen on day 99, in the middle of April
    entries = "".join(
        f"<url><loc>{thing.url}</loc><lastmod>{later if n == 33 else seen}</lastmod></url>"
        for n, thing in enumerate(things)
    )
    order: list[str] = []
    while step := strategy.propose():
        order.append(step.request.url.removeprefix("http://a.test/"))
        body = f"<urlset>{entries}</urlset>".encode()
        is_list = order[-1] == "sitemap.xml"
        told = answer(step.request.url, body if is_list else b"", 200 if is_list else 304)
        strategy.observe(step, told)
    after = order[order.index("sitemap.xml") + 1 :]
    assert len(order) == 41
    assert after[0] == "33.csv" or "33.csv" not in after


def test_what_was_heard_is_kept() -> None:
    things = [file(f"{n}.csv") for n in range(30)]
    strategy, _ = revisit(*things)
    strategy.hear_changes({things[3].url}, {things[4].url})
    again, _ = revisit(*things)
    again.restore(strategy.state())
    one, other = strategy.propose(), again.propose()
    assert one
    assert one == other
    assert one.request.url == things[3].url
