"""A plain breadth-first crawl with Scrapy, to compare with: run as a program.

    python -m experiments.rival_scrapy URL PARALLEL [ORDER]

It asks for what `filon harvest --strategy bfs` asks for, follows the same links, obeys
robots.txt, waits for nothing, and stores nothing. Other orders are Scrapy's own, and that of
`vein` (`experiments.scrapy_order`).
"""

import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "COOKIES_ENABLED": False,
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "ERROR",
}
ORDERS: dict[str, dict[str, object]] = {
    # As its documentation says.
    "breadth-first": {
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    },
    "own": {},
    "vein": {
        "SCHEDULER": "filon.contrib.scrapy.Scheduler",
        "FILON_TYPES": "paper",
        "FILON_PRIOR": "none",
    },
}
#: What Filon leaves out too; the extractor's own list would leave out most targets.
MULTIMEDIA = ["bmp", "css", "gif", "ico", "jpeg", "jpg", "js", "mp3", "mp4", "png", "svg", "webp"]


class Plain(scrapy.Spider):  # type: ignore[misc, unused-ignore]
    """Follows every link of a site."""

    name = "plain"

    def __init__(self, url: str, **options: Any) -> None:
        super().__init__(**options)
        self.start_urls = [url]
        self.allowed_domains = [urlsplit(url).hostname or ""]
        self._links = LinkExtractor(
            allow_domains=self.allowed_domains,
            deny_extensions=MULTIMEDIA,
            tags=("a", "area", "frame", "iframe"),
            attrs=("href", "src"),
        )

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        """Follow the links of a page."""
        if isinstance(response, HtmlResponse):
            for link in self._links.extract_links(response):
                yield scrapy.Request(link.url)


def main(url: str, parallel: str, order: str = "breadth-first") -> None:
    """Crawl a site to its end."""
    bounds = dict.fromkeys(("CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN"), int(parallel))
    process = CrawlerProcess({**SETTINGS, **ORDERS[order], **bounds})
    process.crawl(Plain, url=url)
    process.start()


if __name__ == "__main__":
    main(*sys.argv[1:])
