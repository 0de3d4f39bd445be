from dataclasses import replace

from filon.core import Response, Step
from filon.guards.host_backoff import MAX_QUESTIONS, REST_S, STORM, HostBackoff
from unit.guards.inner import Listed

A, B = "http://a.org/", "http://b.org/"


def later(step: Step, at_s: float, **headers: str) -> Response:
    told = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url=step.request.url, status=429, headers=told, at_s=at_s)


def done(step: Step, at_s: float) -> Response:
    return Response(url=step.request.url, status=200, at_s=at_s)


def next_url(strategy: HostBackoff) -> str:
    step = strategy.propose()
    return step.request.url if step else ""


def test_others_are_asked_while_a_host_rests() -> None:
    strategy = HostBackoff(Listed([f"{A}1", f"{A}2", f"{B}1", f"{B}2"]))
    first = strategy.propose()
    assert first
    strategy.observe(first, later(first, 10.0, Retry_After="100"))
    one = strategy.propose()
    assert one
    assert one.request.url == f"{B}1"
    strategy.observe(one, done(one, 50.0))
    assert next_url(strategy) == f"{B}2"
    assert strategy.propose() is None  # an answer is awaited, and may be late enough


def test_a_host_is_asked_again_when_its_time_has_come() -> None:
    strategy = HostBackoff(Listed([f"{A}1", f"{A}2", f"{B}1", f"{B}2"]))
    first = strategy.propose()
    assert first
    strategy.observe(first, later(first, 10.0))
    one = strategy.propose()
    assert one
    strategy.observe(one, done(one, 10.0 + REST_S))
    assert next_url(strategy) == f"{A}2"


def test_where_nothing_else_is_left_the_web_waits() -> None:
    strategy = HostBackoff(Listed([f"{A}1", f"{A}2"]))
    first = strategy.propose()
    assert first
    strategy.observe(first, later(first, 10.0, Retry_After="100"))
    assert next_url(strategy) == f"{A}2"
    assert strategy.propose() is None


def test_a_host_that_was_not_asked_needs_no_rest() -> None:
    strategy = HostBackoff(Listed([f"{A}1", f"{A}2"]))
    first = strategy.propose()
    assert first
    strategy.observe(first, replace(later(first, 10.0, Retry_After="100"), sent="cached"))
    assert next_url(strategy) == f"{A}2"
    assert strategy.summary()["resting"] == 0


def asks(count: int) -> Listed:
    return Listed([f"{A}{number}" for number in range(count)])


def busy(strategy: HostBackoff, at_s: float) -> str:
    """Send the next step, which is answered by 503; return its URL."""
    step = strategy.propose()
    assert step
    strategy.observe(step, Response(url=step.request.url, status=503, at_s=at_s))
    return step.request.url


def test_few_questions_wait_for_a_host_and_the_rest_are_told_at_once() -> None:
    inner = asks(20)
    strategy = HostBackoff(inner, questions=["link"])
    busy(strategy, 10.0)
    assert next_url(strategy) == f"{A}1"  # nothing else is left: the web waits
    told = [step.request.url for step, answer in inner.seen if answer.sent == "withheld"]
    assert told == [f"{A}{number}" for number in range(1 + MAX_QUESTIONS, 20)]
    assert {answer.status for _, answer in inner.seen} == {503}


def test_no_question_waits_for_a_host_that_goes_on_refusing() -> None:
    inner = asks(20)
    strategy = HostBackoff(inner, questions=["link"])
    sent = [busy(strategy, 100.0 * number) for number in range(STORM)]
    assert strategy.propose() is None
    assert len(inner.seen) == 20
    assert sent == [f"{A}{number}" for number in range(STORM)]


def test_pages_wait_however_often_a_host_refuses() -> None:
    inner = asks(10)
    strategy = HostBackoff(inner, questions=["search"])
    assert [busy(strategy, 1000.0 * number) for number in range(10)] == [
        f"{A}{number}" for number in range(10)
    ]
    assert not any(answer.sent != "yes" for _, answer in inner.seen)


def test_a_host_that_names_a_spacing_is_left_alone_until_it_is_over() -> None:
    strategy = HostBackoff(Spaced([f"{A}1", f"{A}2", f"{B}1", f"{B}2", f"{B}3"]), spacing=True)
    first = strategy.propose()
    assert first
    assert next_url(strategy) == f"{B}1"  # who asked A again now would wait in vain
    strategy.observe(first, replace(done(first, 10.0), took_s=1.0))
    one = strategy.propose()
    assert one
    assert one.request.url == f"{B}2"
    again = HostBackoff(Spaced([]), spacing=True)
    again.restore(strategy.state())
    for either in (strategy, again):
        either.observe(one, done(one, 39.0))
        assert next_url(either) == f"{A}2"


def test_a_host_with_a_spacing_is_waited_for_where_there_is_no_other() -> None:
    strategy = HostBackoff(Spaced([f"{A}1", f"{A}2"]), spacing=True)
    first = strategy.propose()
    assert first
    strategy.observe(first, done(first, 10.0))
    assert next_url(strategy) == f"{A}2"


class Spaced(Listed):
    """Wants thirty seconds between requests to A."""

    def propose(self) -> Step | None:
        step = super().propose()
        if step is None or not step.request.url.startswith(A):
            return step
        return replace(step, request=replace(step.request, delay_s=30.0))
