import random
from collections import Counter
from dataclasses import replace
from email.utils import formatdate
from typing import Any

import pytest

from filon.core import Response, Step
from filon.guards.retry import MAX_WAITING, RetryGuard
from unit.guards.inner import Listed, answer, run

URL = "http://a.org/x"


def failure(status: int = 0, error: str = "", at_s: float = 100.0, after: str = "") -> Response:
    headers = (("Retry-After", after),) if after else ()
    return Response(url=URL, status=status, error=error, at_s=at_s, headers=headers)


def first_and_retry(
    response: Response, method: str = "GET"
) -> tuple[Listed, RetryGuard, Step | None]:
    inner = Listed([URL], method)
    strategy = RetryGuard(inner)
    step = strategy.propose()
    assert step is not None
    assert strategy.observe(step, response) == []
    return inner, strategy, strategy.propose()


@pytest.mark.parametrize(
    "response",
    [failure(status) for status in (429, 500, 502, 503, 504)]
    + [failure(error=error) for error in ("timeout", "connect", "closed")]
    + [failure(200, "closed")],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_passing_failure_is_tried_again(response: Response, method: str) -> None:
    inner, strategy, retry = first_and_retry(response, method)
    assert retry is not None
    assert inner.seen == []
    assert retry.reason.kind == "retry"
    assert "try 2 of 3" in retry.reason.text
    assert (retry.reason.arm, retry.reason.score) == ("7", 0.5)
    assert (retry.request.url, retry.request.method) == (URL, method)
    assert retry.request.unwanted == ("image/",)
    good = Response(url=URL, status=200, at_s=200.0)
    assert len(strategy.observe(retry, good)) == 1
    assert inner.seen == [(inner.proposed[0], good)]
    assert strategy.propose() is None


@pytest.mark.parametrize(
    "response",
    [failure(status) for status in (200, 301, 400, 403, 404, 410, 501, 999)]
    + [failure(error=error) for error in ("dns", "tls", "private", "robots", "bomb", "protocol")]
    + [failure(503, after="3601"), failure(429, after="9" * 30)],
)
def test_other_answers_are_final(response: Response) -> None:
    is_final(response)


def is_final(response: Response) -> None:
    inner = Listed([URL])
    strategy = RetryGuard(inner)
    step = strategy.propose()
    assert step is not None
    strategy.observe(step, response)
    assert inner.seen == [(step, response)]
    assert strategy.propose() is None


def to_itself(location: str, cookie: str = "seen=1; Path=/") -> Response:
    headers = (("Location", location), *((("Set-Cookie", cookie),) if cookie else ()))
    return Response(url=URL, status=302, at_s=100.0, headers=headers)


@pytest.mark.parametrize("location", [URL, "/x", "x#top"])
def test_a_page_that_wants_its_cookie_back_is_asked_for_once_more_and_at_once(
    location: str,
) -> None:
    inner, strategy, retry = first_and_retry(to_itself(location))
    assert retry is not None
    assert retry.request.not_before_s == 100.0
    assert retry.reason.text == "the page wants its cookie back: try 2 of 3"
    strategy.observe(retry, to_itself(location))
    assert inner.seen == [(inner.proposed[0], to_itself(location))]
    assert strategy.propose() is None


@pytest.mark.parametrize("response", [to_itself("/y"), to_itself(URL, cookie="")])
def test_other_redirects_are_final(response: Response) -> None:
    is_final(response)


def test_what_is_posted_is_posted_once() -> None:
    inner, _, retry = first_and_retry(failure(503), "POST")
    assert retry is None
    assert len(inner.seen) == 1


def test_a_name_that_resolved_before_may_do_so_again() -> None:
    inner = Listed([URL, "http://a.org/y"])
    strategy = RetryGuard(inner)
    for response in (failure(200), failure(error="dns")):
        step = strategy.propose()
        assert step is not None
        strategy.observe(step, response)
    retry = strategy.propose()
    assert retry is not None
    assert retry.reason.kind == "retry"


def test_the_wait_doubles_and_the_last_answer_is_handed_over() -> None:
    inner = Listed([URL])
    strategy = RetryGuard(inner, tries=4, base_s=2.0)
    waits: list[float] = []
    last = failure()
    while step := strategy.propose():
        at_s = 1000.0 + len(waits)
        waits.append(step.request.not_before_s - at_s + 1 if waits else 0.0)
        last = failure(503, at_s=at_s)
        strategy.observe(step, last)
    assert waits == [0, 2, 4, 8]
    assert inner.seen == [(inner.proposed[0], last)]
    assert strategy.summary() == {**inner.summary(), "retries": 3}


def test_the_wait_is_at_most_a_minute() -> None:
    _, _, retry = first_and_retry(failure(503))
    assert retry is not None
    strategy = RetryGuard(Listed([URL]), tries=12)
    longest = 0.0
    now_s = 1000.0
    while step := strategy.propose():
        longest = max(longest, step.request.not_before_s - now_s)
        now_s += 100
        strategy.observe(step, failure(503, at_s=now_s))
    assert longest == 60


@pytest.mark.parametrize(
    ("after", "due_s"),
    [
        ("7", 107.0),
        (" 30 ", 130.0),
        (formatdate(160, usegmt=True), 160.0),
        ("0", 101.0),
        (formatdate(50, usegmt=True), 101.0),
        ("soon", 101.0),
        ("-5", 101.0),
        ("³", 101.0),
        ("Mon, 99 Foo 9999 99:99:99 GMT", 101.0),
    ],
)
def test_retry_after_is_kept_in_seconds_or_as_a_date(after: str, due_s: float) -> None:
    _, _, retry = first_and_retry(failure(503, after=after))
    assert retry is not None
    assert retry.request.not_before_s == due_s


def test_other_steps_go_on_until_a_retry_is_due() -> None:
    inner = Listed([f"http://a.org/{i}" for i in range(6)])
    strategy = RetryGuard(inner)
    order = []
    for at_s in (100.0, 100.5, 103.0, 104.0):
        step = strategy.propose()
        assert step is not None
        order.append(step.request.url[-1])
        status = 503 if len(order) == 1 else 200
        strategy.observe(step, answer(step, {step.request.url: failure(status, at_s=at_s)}))
    assert order == ["0", "1", "2", "0"]


def test_retries_come_in_the_order_in_which_they_are_due() -> None:
    strategy = RetryGuard(Listed([f"http://a.org/{i}" for i in range(3)]))
    steps = [strategy.propose() for _ in range(3)]
    for step, after in zip(steps, ("9", "5", "5"), strict=True):
        assert step is not None
        strategy.observe(step, failure(503, after=after))
    retries = [strategy.propose() for _ in range(4)]
    assert [retry and retry.request.url[-1] for retry in retries] == ["1", "2", "0", None]


def test_a_site_that_fails_as_a_whole_does_not_fill_the_memory() -> None:
    inner = Listed([f"http://a.org/{i}" for i in range(MAX_WAITING + 5)])
    strategy = RetryGuard(inner)
    for _ in range(MAX_WAITING + 5):
        step = strategy.propose()
        assert step is not None
        strategy.observe(step, failure(503, at_s=0.0))
    assert len(inner.seen) == 5


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("parallel", [1, 3, 8])
def test_no_step_is_lost_or_answered_twice(seed: int, parallel: int) -> None:
    chance = random.Random(seed)
    urls = [f"http://a.org/{i}" for i in range(60)]
    statuses = [200, 404, 500, 503, 429]
    says = {url: Response(url=url, status=chance.choice(statuses), at_s=5.0) for url in urls}
    inner = Listed(urls)
    steps = run(RetryGuard(inner), says, parallel=parallel, chance=chance)
    assert Counter(step.request.url for step, _ in inner.seen) == Counter(urls)
    assert {step for step, _ in inner.seen} == set(inner.proposed)
    sent = Counter(step.request.url for step in steps)
    assert all(sent[url] == (3 if says[url].status >= 429 else 1) for url in urls)


@pytest.mark.parametrize("what", [{"status": 200}, {"error": "headers"}], ids=["body", "head"])
def test_what_is_beyond_its_share_of_the_bytes_is_asked_for_once_more_and_at_once(
    what: dict[str, Any],
) -> None:
    short = Response(url=URL, cut="budget", at_s=100.0, **what)
    inner, strategy, retry = first_and_retry(short)
    assert retry is not None
    assert retry.request.not_before_s <= 100.0
    assert "share of the bytes" in retry.reason.text
    strategy.observe(retry, short)
    assert strategy.propose() is None
    assert inner.seen == [(inner.proposed[0], short)]


def test_an_answer_that_was_not_sent_for_is_final() -> None:
    inner, _, retry = first_and_retry(replace(failure(429), sent="cached"))
    assert retry is None
    assert [response.status for _, response in inner.seen] == [429]
