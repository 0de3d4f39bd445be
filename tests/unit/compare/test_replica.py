import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from filon.compare.replica import BEGAN_S, Replica
from filon.core import Request, UserError
from filon.page.types import Types
from replicas import write_replica


def test_it_answers_as_a_static_host(tmp_path: Path) -> None:
    replica = Replica.open(write_replica(tmp_path))
    page = replica.answer(Request(url="http://portal.test/a1"))
    assert (page.status, page.mime, page.wire_bytes) == (200, "text/html", len(page.body))
    folder = replica.answer(Request(url="http://portal.test/sets"))
    assert folder.redirects
    assert folder.header("location") == "http://portal.test/sets/"
    dead = replica.answer(Request(url="http://portal.test/gone.html"))
    assert dead.status == 404
    assert b"Page not found" in dead.body


def test_links_to_the_original_host_lead_to_the_replica(tmp_path: Path) -> None:
    start = Replica.open(write_replica(tmp_path)).answer(Request(url="http://portal.test/"))
    assert b"http://portal.test/a2" in start.body
    assert b"orig.example" not in start.body


def test_the_root_leads_to_the_start_page_where_it_has_none(tmp_path: Path) -> None:
    pages = {"en/index.html": ("text/html", b"<a href=x.csv>x</a>")}
    replica = Replica.open(write_replica(tmp_path, pages=pages, root="/en/"))
    assert replica.start == "http://portal.test/en/"
    root = replica.answer(Request(url="http://portal.test/"))
    assert (root.status, root.header("location")) == (302, "http://portal.test/en/")


def test_a_head_has_the_headers_and_no_body(tmp_path: Path) -> None:
    replica = Replica.open(write_replica(tmp_path))
    head = replica.answer(Request(url="http://portal.test/d3.csv", method="HEAD"))
    assert (head.body, head.wire_bytes, head.cut) == (b"", 0, "")
    assert head.header("content-length") == str(head.size_bytes) == "32"


def test_bodies_are_cut_by_type_and_by_size(tmp_path: Path) -> None:
    replica = Replica.open(write_replica(tmp_path))
    picture = replica.answer(Request(url="http://portal.test/logo.png", unwanted=("image/",)))
    assert (picture.cut, picture.wire_bytes, picture.size_bytes) == ("type", 0, 8)
    file = replica.answer(Request(url="http://portal.test/d9.csv", max_bytes=10))
    assert (file.cut, file.wire_bytes, file.size_bytes) == ("budget", 10, 80)


def test_its_clock_moves_a_second_a_request_and_starts_anew_for_each_run(
    tmp_path: Path,
) -> None:
    replica = Replica.open(write_replica(tmp_path))
    request = Request(url=replica.start)
    times = [asyncio.run(replica.fetch(request)).at_s for _ in range(3)]
    assert times == [BEGAN_S + 1, BEGAN_S + 2, BEGAN_S + 3]
    assert asyncio.run(replica.fresh().fetch(request)).at_s == BEGAN_S + 1


def test_it_knows_what_its_urls_are(tmp_path: Path) -> None:
    replica = Replica.open(write_replica(tmp_path))
    kinds = {
        "/a1": "html",
        "/d1.csv": "target",
        "/notes.md": "other",
        "/sets": "redirect",
        "/gone.html": "error",
    }
    assert {path: replica.kind(f"http://portal.test{path}") for path in kinds} == kinds
    assert replica.kind("http://elsewhere.test/") == "error"


def test_a_census_counts_what_links_lead_to(tmp_path: Path) -> None:
    census = Replica.open(write_replica(tmp_path)).census
    assert len(census.targets) == 20
    assert census.target_bytes == sum(8 * (i + 1) + 9 + 100 * i for i in range(10))
    assert "http://portal.test/logo.png" not in census.kinds
    assert Counter(census.kinds.values())["error"] == 1
    assert Counter(census.kinds.values())["redirect"] == 1
    # /, /a0, /a1, /a2 and, with another query, the ten of the list
    assert census.requests == 20 + 1 + 1 + 1 + 1 + 1 + 3 + 10


def test_other_types_make_other_targets(tmp_path: Path) -> None:
    replica = Replica.open(write_replica(tmp_path), Types.parse("csv"))
    assert replica.kind("http://portal.test/d1.pdf") == "other"
    assert len(replica.targets()) == 10


@pytest.mark.parametrize("name", ["armdata", "canadasdg", "cantabria", "ipho"])
def test_a_full_crawl_of_a_real_site_meets_the_published_counts(name: str, shared: Path) -> None:
    folder = shared / "data/harvest"
    published = json.loads((folder / "sites.json").read_text())[name]
    census = Replica.open(folder / f"replicas/{name}.sqlite").census
    counts = Counter(census.kinds.values())
    assert census.requests == published["requests_without_media"]
    assert counts["html"] == published["html"]
    assert counts["target"] == published["targets"]
    assert counts["error"] == published["errors"]
    assert counts["redirect"] == published["redirects"]


def test_an_empty_replica_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="it holds no page"):
        Replica.open(write_replica(tmp_path, pages={}))


def test_a_missing_file_or_any_folder_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no replica at"):
        Replica.open(tmp_path / "nowhere.sqlite")
    with pytest.raises(UserError, match="is not a replica"):
        Replica.open(tmp_path)
