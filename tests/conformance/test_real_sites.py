"""The rules of the page room on the recorded sites: real pages, no socket."""

import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from filon.page.links import links
from filon.page.mime import sniff
from filon.page.traps import Traps
from filon.page.types import PAPER, Types
from filon.page.url import key, parse

SITES = ("armdata", "canadasdg", "cantabria", "ipho", "onssdg", "skimage", "smtcomp")
#: Pages that are read of each site, evenly spaced.
PAGES = 60


def files(replica: Path, where: str, most: int) -> Iterator[tuple[str, str, bytes]]:
    query = (
        "SELECT path, mime, enc, data FROM page JOIN body ON body.id = page.blob "
        f"WHERE {where} ORDER BY path"
    )
    with sqlite3.connect(f"file:{replica}?mode=ro", uri=True) as ledger:
        rows = ledger.execute(query).fetchall()
    ledger.close()
    for path, mime, encoding, data in rows[:: max(1, len(rows) // most)]:
        url = f"http://{replica.stem}.test/{path.lstrip('/')}"
        yield parse(url), mime, zlib.decompress(data) if encoding == "z" else data


def paths(replica: Path) -> list[str]:
    with sqlite3.connect(f"file:{replica}?mode=ro", uri=True) as ledger:
        rows = ledger.execute("SELECT path FROM page ORDER BY path").fetchall()
    ledger.close()
    return [parse(f"http://{replica.stem}.test/{path.lstrip('/')}") for (path,) in rows]


@pytest.fixture(params=SITES)
def replica(request: pytest.FixtureRequest, shared: Path) -> Path:
    return shared / "data/harvest/replicas" / f"{request.param}.sqlite"


def test_links_are_absolute_and_stay_as_they_are(replica: Path) -> None:
    found = 0
    for url, mime, body in files(replica, "mime LIKE '%html%'", PAGES):
        for link in links(body, url, mime):
            found += 1
            assert link.url.startswith(("http://", "https://"))
            assert parse(link.url) == link.url
            assert link.path.startswith("/html")
            assert len(link.text) <= 200
    assert found > 100


def test_no_guard_catches_a_page_of_a_real_site(replica: Path) -> None:
    traps = Traps(f"http://{replica.stem}.test/")
    urls = dict.fromkeys(paths(replica))
    for url, mime, body in files(replica, "mime LIKE '%html%'", PAGES):
        urls.update((link.url, None) for link in links(body, url, mime))
    inside = [url for url in urls if f"//{replica.stem}.test/" in url]
    assert len(inside) > 100
    assert {url: why for url in inside if (why := traps.catches(url, 2025))} == {}


def test_no_two_pages_of_a_real_site_share_a_key(replica: Path) -> None:
    urls = set(paths(replica))
    assert len({key(url) for url in urls}) == len(urls) > 100


def test_the_papers_targets_stay_targets_after_sniffing(replica: Path) -> None:
    types = Types.parse("paper")
    judged = 0
    for url, mime, body in files(replica, "mime NOT LIKE '%html%'", 200):
        claimed = mime.partition(";")[0]
        judged += 1
        assert types.wants(sniff(body, mime, url)) == (claimed in PAPER), (url, mime)
    assert judged > 10
