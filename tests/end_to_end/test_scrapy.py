"""Scrapy with our scheduler, as `scrapy runspider`: what it asks for, and what it goes on with."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from command import Ended, Running, finish, start_python
from docs.pages import ROOT, blocks
from loopback import Loopback, Page, csv, html, portal, serving

OURS = ("-s", "SCHEDULER=filon.contrib.scrapy.Scheduler")
QUIET = ("-s", "TELNETCONSOLE_ENABLED=False", "-s", "DOWNLOAD_DELAY=0")
#: Every page, over every link; what the spider is told stands in a file.
PLAIN = """
import scrapy

class Plain(scrapy.Spider):
    name = "plain"

    async def start(self):
        yield scrapy.Request(self.url)

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield from response.follow_all(css="a")
        else:
            yield {"url": response.url}
"""
#: Everything that a request can have besides an address.
RICH = """
import scrapy

class Rich(scrapy.Spider):
    name = "rich"
    handle_httpstatus_list = [500, 501]  # the server knows no POST

    async def start(self):
        yield scrapy.Request(self.url, meta={"from": "start"}, errback=self.failed)

    def parse(self, response):
        yield {"url": response.url, "callback": "parse", "from": response.meta["from"]}
        for number, link in enumerate(response.css("a")):
            yield response.follow(
                link, self.detail, errback=self.failed, cb_kwargs={"number": number},
                meta={"from": response.url}, priority=number % 2,
            )
        yield scrapy.FormRequest(self.url + "form", formdata={"a": "b"}, callback=self.form)
        yield scrapy.Request(self.url + "a", self.detail, dont_filter=True,
                             cb_kwargs={"number": 99}, meta={"from": "again"})

    def detail(self, response, number):
        redirects = response.meta.get("redirect_urls", [])
        yield {"url": response.url, "callback": "detail", "number": number,
               "from": response.meta["from"], "redirects": redirects,
               "retries": response.meta.get("retry_times", 0)}

    def form(self, response):
        yield {"url": response.url, "callback": "form", "body": response.request.body.decode()}

    def failed(self, failure):
        what = type(failure.value).__name__
        yield {"url": failure.request.url, "callback": "failed", "type": what}
"""


def start(folder: Path, spider: str, *words: str) -> Running:
    (folder / "spider.py").write_text(spider)
    return start_python(folder, "-m", "scrapy", "runspider", "spider.py", *QUIET, *words)


def crawl(folder: Path, spider: str, site: Loopback, *words: str) -> Ended:
    ended = finish(start(folder, spider, "-a", f"url={site.url}", *words))
    assert ended.code == 0, ended.err
    assert "Traceback" not in ended.err, ended.err
    return ended


def items(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def data_and_news() -> dict[str, Page]:
    """A site with a shelf of data among a hundred pages of news that link to each other."""
    pages = {"/": html("/news/0", "/data/", "/news/1")}
    for n in range(100):
        pages[f"/news/{n}"] = html(*(f"/news/{(n * 7 + k) % 100}" for k in range(1, 6)))
    pages["/data/"] = html(*(f"/data/set{n}" for n in range(10)), "/news/2")
    for n in range(10):
        pages[f"/data/set{n}"] = html(f"/data/{n}.csv", f"/data/{n}b.csv", "/news/3")
        pages |= {f"/data/{n}.csv": csv(str(n)), f"/data/{n}b.csv": csv(f"{n}b")}
    return pages


def test_files_come_sooner_and_everything_is_asked_for(tmp_path: Path) -> None:
    one_by_one = ("-s", "CONCURRENT_REQUESTS=1")
    last, all_asked = {}, {}
    for name, words in (("own", ()), ("ours", OURS)):
        with serving(data_and_news()) as site:
            ended = crawl(tmp_path, PLAIN, site, *one_by_one, *words)
        last[name] = max(n for n, path in enumerate(site.targets) if path.endswith(".csv"))
        all_asked[name] = sorted(site.targets)
    assert all_asked["ours"] == all_asked["own"]
    assert len(set(all_asked["ours"])) == len(data_and_news())
    assert last["ours"] < 0.75 * last["own"]
    assert "'filon/finds': 20" in ended.err
    assert f"'scheduler/dequeued': {len(data_and_news())}" in ended.err


def test_requests_arrive_with_all_that_the_spider_gave_them(tmp_path: Path) -> None:
    pages = {
        "/": html("/a", "/moved", "/broken", "http://127.0.0.1:9/", "/b", "/c"),
        "/a": html(),
        "/b": html("/never"),
        "/c": csv(),
        "/moved": Page(status=302, headers={"Location": "/goal", "Content-Type": "text/html"}),
        "/goal": html(),
        "/broken": Page(status=500),
    }
    seen = {}
    for name, words in (("own", ()), ("ours", OURS)):
        with serving(pages, port=0) as site:
            crawl(tmp_path, RICH, site, "-O", f"{name}.jsonl", "-s", "RETRY_TIMES=1", *words)
        found = json.loads(json.dumps(items(tmp_path, f"{name}.jsonl")).replace(site.url, "/"))
        seen[name] = sorted(json.dumps(item, sort_keys=True) for item in found)
    assert seen["ours"] == seen["own"]
    told = "\n".join(seen["ours"])
    for word in ('"redirects": ["/moved"]', '"retries": 1', '"number": 99', '"a=b"', '"failed"'):
        assert word in told


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_crawl_goes_on_by_its_jobdir(tmp_path: Path, stop: signal.Signals) -> None:
    job = (*OURS, "-s", f"JOBDIR={tmp_path / 'job'}", "-s", "CONCURRENT_REQUESTS=4")
    pages = portal(2, 5)
    with serving(pages, wait_s=0.05) as site:
        running = start(tmp_path, PLAIN, "-a", f"url={site.url}", *job)
        site.wait_for(12)
        running.send_signal(stop)
        running.communicate()
        before = site.counts()
        assert sum(before.values()) < 20
        ended = crawl(tmp_path, PLAIN, site, *job)
        after = site.counts()
    assert "Resuming crawl" in ended.err
    assert {f"GET {path}" for path in pages if path != "/robots.txt"} <= set(after)
    again = sum(after.values()) - len(after)
    # What was in flight, and the start, which a spider without a memory names again.
    assert again <= (4 if stop == signal.SIGKILL else 0)


def test_the_example_of_the_page_runs(tmp_path: Path) -> None:
    python, *commands = (
        block.text
        for block in blocks(ROOT / "docs/scrapy.md")[1:]
        if block.kind in ("python", "sh")
    )
    with serving(portal(2, 3)) as site:
        (tmp_path / "reports.py").write_text(python.replace("https://www.example.org/", site.url))
        command = commands[0].split()
        assert command[:2] == ["scrapy", "runspider"]
        ended = finish(start_python(tmp_path, "-m", *command, *QUIET))
    assert ended.code == 0, ended.err
    assert "'filon/finds': 7" in ended.err
    assert len((tmp_path / "reports.csv").read_text().splitlines()) == 1 + 7
    assert (tmp_path / "job/filon.sqlite").is_file()


def test_a_setting_that_means_nothing_is_told_in_a_sentence(tmp_path: Path) -> None:
    with serving(portal(1, 1)) as site:
        ended = crawl(tmp_path, PLAIN, site, *OURS, "-s", "FILON_FINDS=itmes")
    assert site.log == []
    (line,) = (line for line in ended.err.splitlines() if "] ERROR: " in line)
    assert "FILON_FINDS is 'itmes': write 'items', or name a function of a response" in line
    assert "Spider closed (filon_settings)" in ended.err
