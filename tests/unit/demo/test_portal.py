import csv
import io
import json
import urllib.robotparser
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from filon.demo.answer import Answer
from filon.demo.files import ODS
from filon.demo.portal.catalogue import DATASETS, files
from filon.demo.sites import answer

Walk = dict[str, Answer]
Links = Callable[[str], list[str]]
HOST = "http://statistics.test"


def test_dead_links_are_few_and_none_is_a_page_of_the_portal(portal_walk: Walk) -> None:
    dead = [urlsplit(url).path for url, found in portal_walk.items() if found.status == 404]
    assert 10 <= len(dead) <= 40
    assert {path.split("/")[1] for path in dead} == {"press", "download"}
    assert {found.status for found in portal_walk.values()} == {200, 302, 404}


def test_every_file_that_a_dataset_offers_is_there(portal_walk: Walk) -> None:
    offered = [file for dataset in DATASETS for file in files(dataset)]
    assert len(offered) > 200
    for file in offered:
        first = portal_walk[HOST + file.where]
        last = portal_walk[HOST + file.moved] if file.moved else first
        assert first.status == (302 if file.moved else 200)
        assert len(last.body) > 100


def test_all_kinds_of_files_are_offered() -> None:
    kinds = Counter(file.kind for dataset in DATASETS for file in files(dataset))
    assert set(kinds) == {"csv", "xlsx", "json", "ods", "zip"}
    assert min(kinds.values()) >= 10


def test_a_csv_file_is_a_table(portal_walk: Walk) -> None:
    found = portal_walk[HOST + files(DATASETS[0])[0].where]
    head, *rows = csv.reader(io.StringIO(found.body.decode(), newline=""))
    assert head == ["region", "year", "value", "change_percent"]
    assert len(rows) == 8
    assert all(len(row) == 4 and row[2].isdigit() for row in rows)


def test_french_files_have_french_columns(portal_walk: Walk) -> None:
    french = next(file for file in files(DATASETS[0]) if file.lang == "fr")
    assert portal_walk[HOST + french.where].body.decode().startswith("région,année,valeur,")


@pytest.mark.parametrize("kind", ["xlsx", "ods", "zip", "json"])
def test_files_open(portal_walk: Walk, kind: str) -> None:
    chosen = [file for dataset in DATASETS for file in files(dataset) if file.kind == kind]
    for file in chosen:
        body = portal_walk[HOST + (file.moved or file.where)].body
        if kind == "json":
            assert len(json.loads(body)["data"]) == 8
            continue
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            assert archive.testzip() is None
            inside = [name for name in archive.namelist() if name.endswith(".xml")]
            assert all(ET.fromstring(archive.read(name)) is not None for name in inside)
            expected = {"xlsx": "xl/worksheets/sheet1.xml", "ods": "content.xml", "zip": "data.csv"}
            assert b"Northern Coast" in archive.read(expected[kind])


def test_a_pdf_file_has_its_marks_where_it_says(portal_walk: Walk) -> None:
    bodies = [found.body for url, found in portal_walk.items() if url.endswith(".pdf")]
    assert len(bodies) > 30
    for body in bodies:
        assert body.startswith(b"%PDF-1.4")
        place = int(body.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
        assert body[place:].startswith(b"xref\n")
        assert body.endswith(b"%%EOF\n")


def test_extensionless_downloads_say_their_name(portal_walk: Walk) -> None:
    numbered = {
        url: found
        for url, found in portal_walk.items()
        if urlsplit(url).path.removeprefix("/download/").isdigit()
    }
    direct = [found for found in numbered.values() if found.status == 200]
    assert len(direct) > 20
    assert all("attachment; filename=" in found.header("content-disposition") for found in direct)
    assert sum(found.status == 302 for found in numbered.values()) > 10


def test_some_files_claim_the_wrong_type(portal_walk: Walk) -> None:
    claims = Counter(
        found.header("content-type")
        for url, found in portal_walk.items()
        if "/download/" in url and found.status == 200
    )
    assert claims["text/plain"] > 5
    assert claims["application/octet-stream"] > 2
    assert claims["text/html; charset=utf-8"] > 0, "a page that calls itself a file"


def test_an_open_document_says_its_type_first(portal_walk: Walk) -> None:
    body = next(found.body for url, found in portal_walk.items() if url.endswith(".ods"))
    assert body[30 : 38 + len(ODS)] == b"mimetype" + ODS.encode()


def test_filters_lead_to_the_same_datasets_in_many_ways(portal_walk: Walk) -> None:
    lists = [url for url in portal_walk if url.startswith(f"{HOST}/en/datasets?")]
    assert len(lists) > 100
    assert {"topic", "year", "sort", "page"} == {
        part.split("=")[0] for url in lists for part in urlsplit(url).query.split("&")
    }


def test_a_list_can_be_paged_to_every_dataset(links_of: Links) -> None:
    url, seen = f"{HOST}/en/datasets", set[str]()
    for _ in range(20):
        links = links_of(url)
        seen |= {link for link in links if link.startswith(f"{HOST}/en/datasets/")}
        here = int(url.partition("page=")[2] or 1)
        following = f"{HOST}/en/datasets?page={here + 1}"
        if following not in links:
            break
        url = following
    assert len(seen) == len(DATASETS)


@pytest.mark.parametrize(
    "query", ["page=99", "page=0", "page=x", "page=²", "topic=magic", "year=1066", "sort=luck"]
)
def test_a_list_that_does_not_exist_is_not_found(query: str) -> None:
    assert answer(f"{HOST}/en/datasets?{query}").status == 404


def test_robots_txt_forbids_some_and_names_the_sitemap() -> None:
    rules = urllib.robotparser.RobotFileParser()
    rules.parse(answer(f"{HOST}/robots.txt").body.decode().splitlines())
    assert not rules.can_fetch("filon", f"{HOST}/admin/login")
    assert not rules.can_fetch("filon", f"{HOST}/search?lang=en")
    assert rules.can_fetch("filon", f"{HOST}/en/datasets")
    assert rules.site_maps() == [f"{HOST}/sitemap.xml"]


def test_forbidden_pages_are_linked_and_would_answer(links_of: Links) -> None:
    home = links_of(f"{HOST}/en/")
    for path in ("/admin/login", "/search?lang=en"):
        assert HOST + path in home
        assert answer(HOST + path).status == 200


def test_the_sitemap_lists_pages_that_exist(portal_walk: Walk) -> None:
    tree = ET.fromstring(answer(f"{HOST}/sitemap.xml").body)
    listed = [place.text or "" for place in tree.findall("{*}url/{*}loc")]
    assert len(listed) == len(set(listed)) > 300
    assert {portal_walk[url].status for url in listed} == {200}
    assert not any("?" in url for url in listed)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_feed_names_news_that_exist(portal_walk: Walk, lang: str) -> None:
    tree = ET.fromstring(answer(f"{HOST}/{lang}/rss.xml").body)
    listed = [item.findtext("link", "") for item in tree.iter("item")]
    assert len(listed) == 10
    assert {portal_walk[url].status for url in listed} == {200}


def test_the_calendar_never_ends(links_of: Links) -> None:
    url, seen = f"{HOST}/en/calendar", set[str]()
    for _ in range(200):
        months = [link for link in links_of(url) if link.startswith(f"{HOST}/en/calendar/")]
        url = max(months)
        assert url not in seen
        seen.add(url)
    assert url == f"{HOST}/en/calendar/2041/02"


def test_the_session_changes_at_every_answer(links_of: Links) -> None:
    url, seen = f"{HOST}/fr/selection", set[str]()
    for _ in range(50):
        url = next(link for link in links_of(url) if "sid=" in link)
        assert url not in seen
        seen.add(url)


def test_a_missing_page_is_said_in_its_language() -> None:
    assert "Page introuvable" in answer(f"{HOST}/fr/donnees/rien").body.decode()
    assert answer(f"{HOST}/fr/donnees/rien").status == 404
    assert answer(f"{HOST}/nowhere").status == 404
