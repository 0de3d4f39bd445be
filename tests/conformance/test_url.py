"""A URL is what a browser says it is: the WHATWG's own cases."""

import json
from pathlib import Path
from typing import Any

import pytest
from ada_url import join_url, normalize_url

from filon.page.base import Base
from filon.page.url import join, parse


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    data = json.loads((shared / "data/conformance/url/urltestdata.json").read_text())
    return [case for case in data if isinstance(case, dict)]


def resolved(case: dict[str, Any]) -> str:
    """What our functions say; about: and blob: bases are beyond them, so ada answers alone."""
    base = case.get("base")
    return parse(case["input"]) if base is None else join(base, case["input"])


def expected(case: dict[str, Any]) -> str:
    """The standard's answer, without fragment, and "" for what is not http(s)."""
    href = "" if case.get("failure") else str(case["href"])
    return href.partition("#")[0] if href.startswith(("http://", "https://")) else ""


def test_there_are_891_cases(cases: list[dict[str, Any]]) -> None:
    assert len(cases) == 891
    assert sum(bool(case.get("failure")) for case in cases) == 267


def test_every_case_resolves_as_in_a_browser(cases: list[dict[str, Any]]) -> None:
    wrong = [case for case in cases if resolved(case) != expected(case)]
    assert wrong == []


def test_the_parser_itself_agrees_on_every_scheme(cases: list[dict[str, Any]]) -> None:
    def href(case: dict[str, Any]) -> str | None:
        try:
            base = case.get("base")
            return normalize_url(case["input"]) if base is None else join_url(base, case["input"])
        except ValueError:
            return None

    wrong = [
        case for case in cases if href(case) != (None if case.get("failure") else case["href"])
    ]
    assert wrong == []


def test_parsing_twice_changes_nothing(cases: list[dict[str, Any]]) -> None:
    urls = [url for case in cases if (url := resolved(case))]
    assert len(urls) > 200
    assert [url for url in urls if parse(url) != url] == []


def test_the_short_cut_for_plain_links_changes_nothing(cases: list[dict[str, Any]]) -> None:
    bases = ["http://a.org/", "http://u@a.org:8/b/c.d?e/f", "https://a.org/b//c/"]
    bases += sorted({base for case in cases if (base := parse(case.get("base") or ""))})
    hrefs = sorted({case["input"] for case in cases})
    assert [(b, h) for b in bases for h in hrefs if Base(b).join(h) != join(b, h)] == []
