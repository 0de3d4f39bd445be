"""A plain breadth-first crawl with Crawlee's Parsel crawler: run as a program.

    python -m experiments.rival_crawlee URL PARALLEL

Its queue is in memory, it obeys robots.txt, waits for nothing, and stores nothing.
"""

import asyncio
import logging
import sys
from datetime import timedelta

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient


async def main(url: str, parallel: str) -> None:
    """Crawl a site to its end."""
    at_once = int(parallel)
    crawler = ParselCrawler(
        storage_client=MemoryStorageClient(),
        respect_robots_txt_file=True,
        concurrency_settings=ConcurrencySettings(
            min_concurrency=at_once, desired_concurrency=at_once, max_concurrency=at_once
        ),
        max_request_retries=0,
        configure_logging=False,
        statistics_log_format="inline",
        request_handler_timeout=timedelta(minutes=5),
    )

    @crawler.router.default_handler  # type: ignore[untyped-decorator, unused-ignore]
    async def follow(context: ParselCrawlingContext) -> None:
        await context.enqueue_links(strategy="same-hostname")

    await crawler.run([url])


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(main(*sys.argv[1:]))
