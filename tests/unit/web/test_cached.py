"""What was asked before is at hand, costs nothing and holds no secret; calls are counted."""

import asyncio
import multiprocessing
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from filon.core import Account, Budget, MachineError, Request, Response
from filon.guards.retry import retry_after_s
from filon.web.cached import Cache, Cached, QuotaCount, cache_path
from patience import PATIENCE_S

ASKED = Request(url="http://box.test/search?q=a&key={secret:KEY}")


class Counting:
    """A web that answers everything, and counts."""

    def __init__(self, answer: Callable[[Request], Response]) -> None:
        self.calls = 0
        self._answer = answer

    async def fetch(self, request: Request) -> Response:
        self.calls += 1
        return self._answer(request)

    async def close(self) -> None:
        pass


def good(request: Request) -> Response:
    body = f"answer to {request.url}".encode()
    headers = (("Content-Type", "text/plain"), ("Set-Cookie", "sid=1"))
    size = len(body)
    return Response(
        url=request.url,
        status=200,
        headers=headers,
        body=body,
        size_bytes=size,
        wire_bytes=size,
        at_s=1000.0,
        took_s=0.5,
    )


def ask(path: Path, inner: Counting, *requests: Request, since_s: float = 0.0) -> list[Response]:
    async def run() -> list[Response]:
        web = Cached(inner, Cache(path), since_s=since_s, good=lambda r: b"captcha" not in r.body)
        try:
            return [await web.fetch(request) for request in requests]
        finally:
            await web.close()

    return asyncio.run(run())


def test_the_second_answer_is_at_hand_also_for_another_process(tmp_path: Path) -> None:
    inner = Counting(good)
    first, second = ask(tmp_path / "c.sqlite", inner, ASKED, ASKED)
    (third,) = ask(tmp_path / "c.sqlite", inner, ASKED)
    assert inner.calls == 1
    assert first.sent == "yes"
    assert second == third
    assert second.sent == "cached"
    assert (second.body, second.status, second.at_s) == (first.body, 200, 1000.0)
    assert second.mime == "text/plain"
    assert (second.wire_bytes, second.took_s) == (0, 0.0)


def test_an_answer_at_hand_is_given_back_to_the_budget(tmp_path: Path) -> None:
    account = Account(Budget(requests=1))
    inner = Counting(good)
    ask(tmp_path / "c.sqlite", inner, ASKED)
    (held,) = ask(tmp_path / "c.sqlite", inner, ASKED)
    grant = account.grant(ASKED, 0.0)
    account.settle(grant, held, 0, 0.0)
    assert account.refusal(0.0) == ""


@pytest.mark.parametrize(
    "other",
    [
        replace(ASKED, url="http://box.test/search?q=b&key={secret:KEY}"),
        replace(ASKED, method="POST", body=b"q=a"),
        replace(ASKED, headers=(("Accept", "text/html"),)),
    ],
)
def test_another_question_is_another_answer(other: Request, tmp_path: Path) -> None:
    inner = Counting(good)
    ask(tmp_path / "c.sqlite", inner, ASKED, other)
    assert inner.calls == 2


def test_bounds_and_delays_are_no_part_of_the_question(tmp_path: Path) -> None:
    inner = Counting(good)
    ask(tmp_path / "c.sqlite", inner, ASKED, replace(ASKED, delay_s=9.0, max_s=5.0, max_bytes=7))
    assert inner.calls == 1


@pytest.mark.parametrize(
    "bad",
    [
        {"status": 500},
        {"status": 429},
        {"status": 0, "error": "timeout"},
        {"cut": "budget"},
        {"spool": "file"},
        {"body": b"captcha"},
    ],
)
def test_only_good_answers_are_kept(bad: dict[str, object], tmp_path: Path) -> None:
    inner = Counting(lambda request: replace(good(request), **bad))  # type: ignore[arg-type]
    ask(tmp_path / "c.sqlite", inner, ASKED, ASKED)
    assert inner.calls == 2


def test_older_answers_are_asked_for_again_where_they_are_not_wanted(tmp_path: Path) -> None:
    inner = Counting(good)
    ask(tmp_path / "c.sqlite", inner, ASKED)
    ask(tmp_path / "c.sqlite", inner, ASKED, since_s=1000.0)
    assert inner.calls == 1
    ask(tmp_path / "c.sqlite", inner, ASKED, since_s=1001.0)
    assert inner.calls == 2


def test_cookies_are_not_kept(tmp_path: Path) -> None:
    _, held = ask(tmp_path / "c.sqlite", Counting(good), ASKED, ASKED)
    assert held.header("set-cookie") == ""


def test_answers_can_be_counted_and_forgotten(tmp_path: Path) -> None:
    ask(tmp_path / "c.sqlite", Counting(good), ASKED)
    cache = Cache(tmp_path / "c.sqlite")
    try:
        assert (cache.held().answers, cache.held().oldest_s) == (1, 1000.0)
        assert cache.clear(older_s=4e9) == 0
        assert cache.clear() == 1
        assert cache.held().answers == 0
    finally:
        cache.close()


def _fill(path: Path, start: int) -> None:
    urls = (f"http://box.test/?q={number}" for number in range(start, start + 50))
    ask(path, Counting(good), *(Request(url=url) for url in urls))


def test_two_processes_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(path, start)) for start in (0, 25)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE_S)
    assert [worker.exitcode for worker in workers] == [0, 0]
    cache = Cache(path)
    try:
        assert cache.held().answers == 75
    finally:
        cache.close()


def test_a_broken_cache_is_told(tmp_path: Path) -> None:
    (tmp_path / "c.sqlite").write_bytes(b"not a database, and long enough to be looked at" * 20)
    with pytest.raises(MachineError, match="cannot be used"):
        Cache(tmp_path / "c.sqlite")
    with pytest.raises(MachineError, match=r"cannot be used: \w[\w ]+\.$"):
        Cache(tmp_path / "c.sqlite/within a file")


def test_the_place_is_the_users_cache_or_what_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FILON_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_path() == tmp_path / "filon" / "answers.sqlite"
    monkeypatch.setenv("FILON_CACHE", "/elsewhere")
    assert cache_path() == Path("/elsewhere")


BOX = "http://box.test"
CALL = Request(url=f"{BOX}/search?q=a")


class Failing:
    """A web that answers nothing but 500, and counts. late: it sends nothing any more."""

    def __init__(self, *, late: bool = False) -> None:
        self.calls = 0
        self.late = late

    async def fetch(self, request: Request) -> Response:
        if self.late:
            return Response(url=request.url, cut="time", sent="withheld")
        self.calls += 1
        return Response(url=request.url, status=500)

    async def close(self) -> None:
        pass


def call(
    path: Path, times: int, now_s: float, quota: int = 3, request: Request = CALL
) -> tuple[int, list[Response]]:
    """Ask from a run of its own; return how many calls left, and the answers."""
    inner = Failing()

    async def run() -> list[Response]:
        web = QuotaCount(inner, path, {BOX: (quota, 100.0)}, clock=lambda: now_s)
        try:
            return [await web.fetch(request) for _ in range(times)]
        finally:
            await web.close()

    answers = asyncio.run(run())
    return inner.calls, answers


def test_a_second_run_has_only_what_the_first_has_left(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    assert call(path, 2, 1000.0)[0] == 2
    sent, answers = call(path, 3, 1010.0)
    assert sent == 1
    assert [answer.status for answer in answers] == [500, 429, 429]
    assert retry_after_s(answers[-1]) == 90.0
    assert "not asked" in answers[-1].detail
    assert [answer.sent for answer in answers] == ["yes", "withheld", "withheld"]


def test_a_call_is_forgotten_when_its_window_is_over(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    assert call(path, 3, 1000.0)[0] == 3
    assert call(path, 5, 1099.0)[0] == 0
    assert call(path, 5, 1100.0)[0] == 3


def test_a_larger_plan_counts_what_was_called_before(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    assert call(path, 3, 1000.0)[0] == 3
    assert call(path, 9, 1001.0, quota=5)[0] == 2


def test_other_places_are_not_counted(tmp_path: Path) -> None:
    other = Request(url="http://other.test/search?q=a")
    assert call(tmp_path / "calls.sqlite", 9, 1000.0, request=other)[0] == 9


def test_a_call_that_did_not_leave_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"

    async def late() -> Response:
        web = QuotaCount(Failing(late=True), path, {BOX: (3, 100.0)}, clock=lambda: 1000.0)
        try:
            return await web.fetch(CALL)
        finally:
            await web.close()

    assert call(path, 1, 1000.0)[0] == 1
    assert asyncio.run(late()).cut == "time"
    assert call(path, 5, 1001.0)[0] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_what_runs_share_is_its_owners_alone(tmp_path: Path) -> None:
    for path in (tmp_path / "made/new.sqlite", tmp_path / "old.sqlite"):
        if path.name == "old.sqlite":
            path.touch()
            path.chmod(0o644)
        held = Cache(path)
        modes = {file.stat().st_mode & 0o777 for file in path.parent.glob(f"{path.name}*")}
        held.close()
        assert modes == {0o600}
