"""CKAN's answers, and what is none."""

import json

import pytest

from filon.core import Response
from filon.portals.ckan import api_of, packages

API = "http://c.example/data/api/3/action/"


def said(body: bytes) -> Response:
    return Response(url=f"{API}package_search", status=200, body=body)


def test_an_answer_of_the_api_tells_where_the_api_is() -> None:
    assert api_of(b'{"help": "x", "success": true, "result": []}', f"{API}package_list?a=b") == API


def test_a_page_that_ckan_made_tells_where_the_api_is() -> None:
    page = b'<html><head><meta name="generator" content="ckan 2.10.1"/></head></html>'
    assert api_of(page, "http://c.example/dataset?q=x") == "http://c.example/api/3/action/"


@pytest.mark.parametrize("page", [b"", b"<html><p>ckan</p></html>", b'{"success": true}'])
def test_other_pages_are_not_ckan(page: bytes) -> None:
    assert api_of(page, "http://c.example/") == ""


def test_resources_of_a_search_come_with_their_formats() -> None:
    resources = [
        {"url": "http://c.example/1", "format": "TTL"},
        {"url": "http://c.example/2", "format": "x", "mimetype": "text/turtle"},
        {"url": "ftp://c.example/3", "format": "RDF"},
        "nonsense",
        {"url": "http://c.example/4"},
    ]
    answer = {"success": True, "result": {"count": 9, "results": [{"resources": resources}, 7]}}
    listed = packages(said(json.dumps(answer).encode()))
    assert listed is not None
    assert listed.resources == (
        ("http://c.example/1", "TTL"),
        ("http://c.example/2", "text/turtle"),
        ("http://c.example/4", ""),
    )
    assert (listed.count, listed.packages) == (9, 1)


def test_one_package_and_a_plain_list_are_understood() -> None:
    one = {"resources": [{"url": "http://c.example/1", "format": "RDF"}]}
    for result in (one, [one], {"results": [one]}):
        listed = packages(said(json.dumps({"success": True, "result": result}).encode()))
        assert listed is not None
        assert len(listed.resources) == 1


@pytest.mark.parametrize("body", [b"", b"[]", b"{" * 9_999, b'{"success": false}', b"\xff"])
def test_what_is_no_answer_is_none(body: bytes) -> None:
    assert packages(said(body)) is None
