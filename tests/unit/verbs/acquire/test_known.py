"""What a run of the same whole has been told is not asked for again."""

import asyncio
from pathlib import Path

import pytest

from filon.core import Reason, Request, Response, Step
from filon.run.folder import RunFolder
from filon.verbs.acquire.known import Known, pages

HTML = (("Content-Type", "text/html"),)


class _Web:
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        return Response(url=request.url, status=200)

    async def close(self) -> None:
        pass


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run that was told of some pages."""
    answers = {
        "whole": Response(url="", status=200, headers=HTML, body=b"<p>whole", size_bytes=8),
        "missing": Response(url="", status=404, headers=HTML),
        "busy": Response(url="", status=503, headers=HTML),
        "cut": Response(url="", status=200, headers=HTML, cut="type", size_bytes=9),
        "failed": Response(url="", error="timeout"),
    }
    with RunFolder.create(tmp_path / "discover", {}) as made:
        for number, (name, answer) in enumerate(answers.items(), start=1):
            step = Step(request=Request(url=f"http://a.test/{name}"), reason=Reason(kind="page"))
            made.begin(step)
            response = Response(
                url=step.request.url,
                status=answer.status,
                headers=answer.headers,
                body=answer.body,
                error=answer.error,
                cut=answer.cut,
                size_bytes=answer.size_bytes,
                wire_bytes=20,
                at_s=5.0,
            )
            made.record(number, step, response, [], idle=False)
    return tmp_path / "discover"


def _fetched(run: Path, request: Request) -> tuple[Response, list[str]]:
    web = _Web()

    async def fetch() -> Response:
        known = Known(web, run)
        try:
            return await known.fetch(request)
        finally:
            await known.close()

    return asyncio.run(fetch()), web.asked


@pytest.mark.parametrize(("name", "status"), [("whole", 200), ("missing", 404)])
def test_what_came_whole_is_at_hand_and_costs_nothing(run: Path, name: str, status: int) -> None:
    response, asked = _fetched(run, Request(url=f"http://a.test/{name}"))
    assert (response.status, response.sent, response.wire_bytes) == (status, "cached", 0)
    assert response.at_s > 5.0
    assert not asked


@pytest.mark.parametrize("name", ["busy", "cut", "failed", "other"])
def test_what_did_not_is_asked_for(run: Path, name: str) -> None:
    assert _fetched(run, Request(url=f"http://a.test/{name}"))[1] == [f"http://a.test/{name}"]


@pytest.mark.parametrize(
    "request_",
    [
        Request(url="http://a.test/whole", method="HEAD"),
        Request(url="http://a.test/whole", headers=(("X-Key", "1"),)),
        Request(url="http://a.test/whole", unwanted=("text/",)),
        Request(url="http://a.test/whole", max_bytes=3),
    ],
)
def test_what_is_asked_otherwise_is_asked_for(run: Path, request_: Request) -> None:
    assert _fetched(run, request_)[1]


def test_where_no_run_has_begun_everything_is_asked_for(tmp_path: Path) -> None:
    assert _fetched(tmp_path / "none", Request(url="http://a.test/whole"))[1]


def test_pages_that_were_read_are_told_of_their_site_alone(run: Path) -> None:
    assert pages(run, "http://a.test/") == ["http://a.test/whole"]
    assert pages(run, "http://a.test/whole") == []  # a harvest starts there anyway
    assert pages(run, "http://b.test/") == []
    assert pages(run.with_name("none"), "http://a.test/") == []
