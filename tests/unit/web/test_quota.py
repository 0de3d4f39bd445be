"""What a service allows is kept over runs, also where a call was refused or failed."""

import asyncio
from pathlib import Path

from filon.core import Request, Response
from filon.guards.retry import retry_after_s
from filon.web.quota import QuotaCount

BOX = "http://box.test"
ASKED = Request(url=f"{BOX}/search?q=a")


class Counting:
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


def ask(
    path: Path, times: int, now_s: float, quota: int = 3, request: Request = ASKED
) -> tuple[int, list[Response]]:
    """Ask from a run of its own; return how many calls left, and the answers."""
    inner = Counting()

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
    assert ask(path, 2, 1000.0)[0] == 2
    sent, answers = ask(path, 3, 1010.0)
    assert sent == 1
    assert [answer.status for answer in answers] == [500, 429, 429]
    assert retry_after_s(answers[-1]) == 90.0
    assert "not asked" in answers[-1].detail
    assert [answer.sent for answer in answers] == ["yes", "withheld", "withheld"]


def test_a_call_is_forgotten_when_its_window_is_over(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    assert ask(path, 3, 1000.0)[0] == 3
    assert ask(path, 5, 1099.0)[0] == 0
    assert ask(path, 5, 1100.0)[0] == 3


def test_a_larger_plan_counts_what_was_called_before(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    assert ask(path, 3, 1000.0)[0] == 3
    assert ask(path, 9, 1001.0, quota=5)[0] == 2


def test_other_places_are_not_counted(tmp_path: Path) -> None:
    other = Request(url="http://other.test/search?q=a")
    assert ask(tmp_path / "calls.sqlite", 9, 1000.0, request=other)[0] == 9


def test_a_call_that_did_not_leave_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"

    async def late() -> Response:
        web = QuotaCount(Counting(late=True), path, {BOX: (3, 100.0)}, clock=lambda: 1000.0)
        try:
            return await web.fetch(ASKED)
        finally:
            await web.close()

    assert ask(path, 1, 1000.0)[0] == 1
    assert asyncio.run(late()).cut == "time"
    assert ask(path, 5, 1001.0)[0] == 2
