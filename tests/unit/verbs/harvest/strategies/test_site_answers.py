"""Servers that answer with 200 where there is no such file, and pages that break off."""

from dataclasses import replace

import pytest

from filon.core import Response
from filon.page.types import Types
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import SiteState

URL = "http://a.org/data/x.csv"


def kind(body: bytes, mime: str, types: str = "data") -> str:
    site = SiteState(Brief(start="http://a.org/", types=Types.parse(types)))
    header = (("Content-Type", mime),)
    size = len(body)
    return site.read(Response(url=URL, status=200, headers=header, body=body, size_bytes=size)).kind


@pytest.mark.parametrize("mime", ["text/csv", "text/plain", "application/octet-stream"])
def test_a_sentence_in_place_of_a_table_is_an_error(mime: str) -> None:
    assert kind(b"File not found.", mime) == "error"
    assert kind(b"year,value\n1,2\n", mime) == "target"


def test_an_error_as_json_is_one_and_a_page_is_a_page() -> None:
    assert kind(b'{"error": "not found"}', "application/json") == "error"
    assert kind(b"<!doctype html><h1>Not found</h1>", "text/csv") == "html"


def test_the_types_of_the_paper_are_judged_by_what_the_server_says() -> None:
    assert kind(b"File not found.", "text/csv", "paper") == "target"


def broken(error: str, status: int = 200, body: bytes = b"<html><a href=/b>b</a>") -> Response:
    header = (("Content-Type", "text/html"),)
    fields = {"status": status, "headers": header, "body": body, "size_bytes": 999}
    return Response(url="http://a.org/a", error=error, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("error", ["closed", "protocol", "timeout"])
def test_of_a_page_that_breaks_off_what_came_is_read(error: str) -> None:
    site = SiteState(Brief(start="http://a.org/", types=Types.parse("data")))
    assert site.read(broken(error)).kind == "html"
    assert [link.url for link in site.new_links(broken(error))] == ["http://a.org/b"]


def test_what_broke_off_and_is_no_page_is_an_error() -> None:
    site = SiteState(Brief(start="http://a.org/", types=Types.parse("data")))
    assert site.read(broken("closed", body=b"")).kind == "error"
    assert site.read(broken("closed", 500)).kind == "error"
    assert site.read(broken("bomb")).kind == "error"
    csv = replace(broken("closed"), headers=(("Content-Type", "text/csv"),), body=b"a,b\n1,")
    assert site.read(csv).kind == "error"
