"""How the parts of a discovery are put together: webs, robots, quotas."""

import asyncio
from pathlib import Path

import pytest

from filon.core import Request, Response, Step
from filon.verbs.discover.job import DiscoverJob, Ways
from filon.verbs.discover.services import opened
from filon.verbs.discover.settings import DiscoverSettings

SPECS = ("searxng:url=http://search.example,rate=1000/s",)


@pytest.fixture
def job(tmp_path: Path) -> DiscoverJob:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/a.html").write_text(
        '<link rel="canonical" href="http://bee.example/"><title>Bee</title>'
    )
    specs = (*SPECS, f"local:path={tmp_path / 'texts'}")
    quest = DiscoverSettings(
        topic="bee", strategy="dsdd", cache=str(tmp_path / "c.sqlite"), search=specs
    )
    return DiscoverJob(quest, opened(specs))


def answered(step: Step, status: int, body: bytes = b"{}", **headers: str) -> Response:
    told = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url=step.request.url, status=status, headers=told, body=body, at_s=1000.0)


def test_a_spent_quota_is_not_waited_for_where_another_can_be_asked(
    job: DiscoverJob,
) -> None:
    strategy = job.strategy
    step = strategy.propose()
    assert step is not None
    assert step.request.url.startswith("http://search.example/search")
    strategy.observe(step, answered(step, 429, Retry_After="900"))
    following = strategy.propose()
    assert following is not None
    assert following.request.url.startswith("http://local.invalid/keyword")
    assert strategy.summary()["searchers"][0]["out"] == "quota"


def test_a_short_wait_is_kept_and_the_call_made_again(job: DiscoverJob) -> None:
    strategy = job.strategy
    step = strategy.propose()
    assert step is not None
    strategy.observe(step, answered(step, 429, Retry_After="5"))
    again = strategy.propose()
    assert again is not None
    assert again.request.url == step.request.url
    assert again.request.not_before_s == 1005.0


class Asked:
    """A web that answers with JSON, or with a page, and counts."""

    def __init__(self) -> None:
        self.urls: list[str] = []

    async def fetch(self, request: Request) -> Response:
        self.urls.append(request.url)
        if "captcha" in request.url:
            return Response(url=request.url, status=200, body=b"<!doctype html>human?")
        body = b'{"results": [], "unresponsive_engines": []}'
        return Response(url=request.url, status=200, body=body, at_s=5.0)

    async def close(self) -> None:
        pass


def test_answers_of_services_are_kept_and_pages_and_captchas_are_not(
    job: DiscoverJob,
) -> None:
    within = Asked()
    ways = Ways(job.settings, job.services.searchers, within)
    urls = [
        "http://search.example/search?format=json&q=bee&pageno=1",
        "http://search.example/search?format=json&q=captcha&pageno=1",
        "http://bee.example/",
        "http://local.invalid/keyword?q=bee",
    ]

    async def ask() -> list[bool]:
        requests = [Request(url=url) for url in urls]
        for request in [*requests, *requests]:
            await ways.fetch(request)
        free = [ways.is_free(request) for request in requests]
        await ways.close()
        return free

    assert asyncio.run(ask()) == [True, False, False, True]
    assert within.urls == [*urls[:3], *urls[1:3]]
